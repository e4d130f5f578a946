"""Words are found in any case if the vocabulary is lower-case; otherwise case matters."""

import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st

import hyperskip
from hyperskip.errors import UnknownWordError
from hyperskip.vectors.lookup import Lookup
from hyperskip.vectors.word_vectors import WordVectors

LOWER = WordVectors(["animal", "dog", "cat", "car"], np.eye(4))
WORD = st.text(max_size=4) | st.text("aB _", max_size=4)
CASED = WordVectors(["animal", "dog", "Cat", "car"], np.eye(4))


def test_every_method_finds_words_in_any_case() -> None:
    vectors = LOWER
    assert "Dog" in vectors
    assert vectors.index_of("DOG") == 1
    assert vectors.rows_of(["CAT", "dog", "Cat"]).tolist() == [2, 1, 2]
    assert np.array_equal(vectors["Dog"], vectors["dog"])
    assert np.array_equal(vectors[["Dog", "cat"]], vectors[["dog", "Cat"]])
    assert vectors.distance("Dog", "DOG") == 0
    assert vectors.neighbors("Dog") == vectors.neighbors("dog")
    assert vectors.neighbors_of(["Dog"]) == {"Dog": vectors.neighbors("dog")}
    assert vectors.analogy("Dog", "CAT", "Car") == vectors.analogy("dog", "cat", "car")
    assert vectors.most_similar(["Dog"], ["Cat"]) == vectors.most_similar(["dog"], ["cat"])
    assert [item.word for item in vectors.generality(["Dog", "dog"])] == ["dog"]
    assert vectors.subset(["Dog", "CAR"]).words == ("dog", "car")
    assert np.array_equal(vectors.centroids([["Dog", "Cat"]]), vectors.centroids([["dog", "cat"]]))


def test_a_phrase_is_found_with_blanks() -> None:
    vectors = WordVectors(["new_york", "new", "york", "los angeles", "los_angeles"], np.eye(5))
    assert vectors.index_of("new york") == vectors.index_of("New  York") == 0
    assert "new york" in vectors
    assert vectors.rows_of(["NEW YORK", "york", "los angeles", "los_angeles"]).tolist() == [
        *(0, 2, 3, 4)
    ]
    cased = WordVectors(["New_York", "new_york"], np.eye(2))
    assert cased.rows_of(["New York", "new york"]).tolist() == [0, 1]
    assert "NEW YORK" not in cased
    with pytest.raises(UnknownWordError, match=naming("'new house'")):
        vectors.index_of("new house")


def test_an_unknown_node_of_a_graph_has_nothing_to_do_with_rare_words() -> None:
    vectors = WordVectors(["animal", "dog"], np.eye(2), options={"edge_count": 1})
    with pytest.raises(UnknownWordError, match=naming("unicorn", "graph", "no node")):
        vectors.neighbors("unicorn")


def test_a_word_is_not_its_own_neighbor_in_another_case() -> None:
    assert "dog" not in [neighbor.word for neighbor in LOWER.neighbors("DOG")]
    answers = LOWER.analogy("Dog", "Cat", "Car")
    assert [answer.word for answer in answers] == ["animal"]


def test_case_matters_if_a_word_of_the_vocabulary_has_an_upper_case_letter() -> None:
    assert "Cat" in CASED
    assert "Dog" not in CASED
    assert CASED.get("cat") is None
    with pytest.raises(UnknownWordError, match=naming("'Dog'", "'dog'")):
        CASED.index_of("Dog")
    with pytest.raises(UnknownWordError, match=naming("'Dog'", "'dog'")):
        CASED.rows_of(["Cat", "Dog"])


def test_known_rows_look_for_lower_case_words_in_any_vocabulary() -> None:
    words = ["Dog", "Cat", "CAR", "bird"]
    assert CASED.known_rows(words).tolist() == [1, 2, 3, -1]
    assert CASED.known_rows(words, any_case=False).tolist() == [-1, 2, -1, -1]
    assert LOWER.known_rows(words, any_case=False).tolist() == [-1, -1, -1, -1]


def test_case_is_not_examined_for_known_words() -> None:
    lookup = Lookup(["dog", "cat"], {})
    assert lookup.row("dog") == 0
    assert lookup.rows(["cat", "dog"]).tolist() == [1, 0]
    assert "ignores_case" not in vars(lookup)


@given(
    words=st.lists(WORD, unique=True, max_size=8),
    asked=st.lists(WORD, max_size=8),
)
def test_rows_are_those_of_each_word(words: list[str], asked: list[str]) -> None:
    lookup = Lookup(words, {})
    lower_case = all(word == word.lower() for word in words)
    expected = []
    for word in [*asked, *words]:
        phrase = "_".join(filter(None, word.split(" "))) if " " in word else word
        forms = [word, phrase]
        if lower_case:
            forms = [word, word.lower(), phrase, phrase.lower()]
        expected.append(next((words.index(form) for form in forms if form in words), -1))
    assert lookup.rows([*asked, *words]).tolist() == expected
    single = [lookup.row(word) for word in [*asked, *words]]
    assert [-1 if row is None else row for row in single] == expected


def test_training_on_a_model_keeps_words_of_different_case_apart() -> None:
    text = ["dog cat Dog bird"] * 20
    model = WordVectors(["dog", "cat"], [[0.5, 0.1], [0.4, 0.2]])
    options = {"init": model, "freeze": True, "epochs": 1, "threads": 1, "subsample": 0}
    trained = hyperskip.train(text, tokenizer="whitespace", **options)  # type: ignore[arg-type]
    assert {"dog", "Dog"} <= set(trained.words)
    assert np.array_equal(trained["dog"], model["dog"])
    assert not np.array_equal(trained["Dog"], trained["dog"])


def test_a_picture_shows_the_words_of_the_vocabulary() -> None:
    from hyperskip.pictures.request.choosing import choose
    from hyperskip.pictures.request.request import PictureRequest

    choice = choose(LOWER, PictureRequest(words=["Dog", "dog", "CAT"]))
    assert choice.words == ("dog", "cat")
    choice = choose(LOWER, PictureRequest(near=["Dog"], count=1))
    assert choice.words[0] == "dog"
    assert choice.group_names[0] == "dog"
    choice = choose(LOWER, PictureRequest(analogy=["Dog", "Cat", "Car"]))
    assert choice.question == ("dog", "cat", "car")
