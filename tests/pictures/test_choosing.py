from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.errors import InputError, OptionError, UnknownWordError
from hyperskip.pictures.categories import Taxonomy, builtin_taxonomy, read_taxonomy
from hyperskip.pictures.choosing import Choice, Request


def chosen(vectors: WordVectors, **asked: Any) -> Choice:
    nothing = dict.fromkeys(("words", "near", "analogy", "categories", "count"))
    return Request.of(**(nothing | asked)).choose(vectors)


def test_the_most_frequent_words_if_nothing_is_asked_for(trained: WordVectors) -> None:
    assert chosen(trained).words == trained.words[:150]
    assert chosen(trained, count=7).words == trained.words[:7]


def test_neighbourhoods_are_groups_around_their_words(trained: WordVectors) -> None:
    choice = chosen(trained, near=["dog", "car"], count=5, words=["paris"])
    nearest = trained.neighbors_of(["dog", "car"], 5)
    assert choice.words[:2] == ("dog", "car")
    assert choice.leading == 2
    assert set(choice.words) == {
        "dog", "car", "paris", *(near.word for found in nearest.values() for near in found)
    }  # fmt: skip
    edges = {(choice.words[a], choice.words[b]) for a, b in choice.edges}
    assert edges == {(word, near.word) for word, found in nearest.items() for near in found}
    assert choice.group_names == ("dog", "car", "other")
    assert choice.groups is not None
    for word, group in zip(choice.words, choice.groups, strict=True):
        if word != "paris":
            distances = [trained.distance(word, centre) for centre in ("dog", "car")]
            others = [near.word for near in nearest[("car", "dog")[group]]]
            assert np.argmin(distances) == group or word not in others


def test_a_word_that_is_anothers_neighbour_is_its_own_centre(trained: WordVectors) -> None:
    first = trained.neighbors("dog", 1)[0].word
    choice = chosen(trained, near=["dog", first, "dog"], count=3)
    assert choice.words[:2] == ("dog", first)
    assert choice.groups is not None
    assert choice.groups[:2] == (0, 1)


def test_an_analogy_has_its_words_and_both_answers(trained: WordVectors) -> None:
    choice = chosen(trained, analogy=["france", "paris", "italy"], count=3)
    assert choice.words[:3] == ("france", "paris", "italy")
    assert choice.answers is not None
    for route, answers in choice.answers.items():
        assert answers == trained.analogy("france", "paris", "italy", route=route, count=3)
        assert {answer.word for answer in answers} <= set(choice.words)


def test_the_built_in_taxonomy_has_an_edge_to_each_parent(trained: WordVectors) -> None:
    taxonomy = builtin_taxonomy()
    assert ("poodle", "dog") in taxonomy.parents
    assert ("poodle", "mammal") not in taxonomy.parents
    choice = chosen(trained, categories="builtin")
    assert choice.groups is not None
    named = [choice.group_names[group] for group in choice.groups]
    assert dict(zip(choice.words, named, strict=True))["dog"] == "animal"
    edges = {(choice.words[a], choice.words[b]) for a, b in choice.edges}
    assert ("mammal", "dog") in edges
    assert {a for a, _ in choice.edges} == set(range(choice.leading))
    assert chosen(trained, categories="builtin", count=10).words == choice.words[:10]


def test_unknown_words_of_categories_are_left_out_and_words_without_one_are_other(
    trained: WordVectors,
) -> None:
    categories = {"DOG": "animal", "nonsuch": "thing", "car": "vehicle"}
    assert chosen(trained, categories=categories).words == ("dog", "car")
    assert chosen(trained, categories=categories).left_out == 1
    choice = chosen(trained, categories=categories, words=["dog", "paris"])
    assert choice.group_names == ("animal", "other")
    with pytest.raises(
        OptionError,
        match="1 of the words can be drawn; 1 are not",
    ):
        chosen(trained, categories={"dog": "animal", "nonsuch": "thing"})


def test_a_file_of_categories(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes(
        "\ufeff# a comment\r\nanimal\tanimal\r\ndog\tanimal\tanimal\r\n\r\n"
        "cat \tanimal\t\r\npoodle\tanimal\tdog\npoodle\tanimal\tanimal\n".encode()
    )
    assert read_taxonomy(path) == Taxonomy(
        dict.fromkeys(("animal", "dog", "cat", "poodle"), "animal"),
        (("dog", "animal"), ("poodle", "dog"), ("poodle", "animal")),
    )


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"dog\tanimal\ncat\n", "line 2: 'cat' is not a word and its category"),
        (b"dog animal\n", "line 1: 'dog animal'"),
        (b"\tanimal\n", "line 1"),
        (b"dog\t\n", "line 1"),
        (b"a\tb\tc\td\n", "line 1"),
        (b"dog\tanimal\n\ndog\tfood\n", "line 3: 'dog' is in 'food', and in 'animal' before"),
        (b"dog\tanimal\nx\ty\tz\n", "line 2: the parent 'z' has no category"),
        (b"dog\tanimal\n\xff\tx\n", "line 2: it is not UTF-8"),
        (b"\n\n", "has no words"),
        (b"\x1f\x8b\x08", "cannot read"),
    ],
)
def test_malformed_categories_are_named_with_their_line(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_taxonomy(path)
    assert complaint in caught.value.message
    assert str(path) in caught.value.message
    assert caught.value.hint


def test_missing_and_endless_categories(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("none.tsv", "a\0b", ""):
        with pytest.raises(InputError, match="cannot read the categories"):
            read_taxonomy(tmp_path / name)
    monkeypatch.setattr("hyperskip.pictures.categories._LARGEST_BYTES", 10)
    (tmp_path / "large.tsv").write_text("dog\tanimal\n")
    with pytest.raises(InputError, match="larger than 10 bytes"):
        read_taxonomy(tmp_path / "large.tsv")


@pytest.mark.parametrize(
    "asked",
    [
        {"analogy": ("a", "b", "c"), "near": "dog"},
        {"analogy": ("a", "b", "c"), "words": ["dog"]},
        {"analogy": ("a", "b", "c"), "categories": "builtin"},
        {"analogy": ("a", "b")},
        {"near": "dog", "categories": "builtin"},
        {"words": ["dog", "cat"], "count": 5},
        {"count": 0},
        {"count": 5001},
        {"count": 2.5},
    ],
)
def test_contradictions_are_refused_before_there_are_vectors(asked: dict[str, Any]) -> None:
    nothing = dict.fromkeys(("words", "near", "analogy", "categories", "count"))
    with pytest.raises(OptionError) as caught:
        Request.of(**(nothing | asked))
    assert caught.value.hint


def test_what_is_not_a_list_of_known_words(trained: WordVectors) -> None:
    for asked in ({"words": "dog"}, {"analogy": "dog"}):
        with pytest.raises(InputError, match="'dog' is one word"):
            chosen(trained, **asked)
    for wrong in ({"words": 42}, {"near": 42}, {"analogy": 42}):
        with pytest.raises(InputError, match="42 is no list of words"):
            chosen(trained, **wrong)
    for unknown in ({"near": "dgo"}, {"analogy": ("dog", "dgo", "cat")}, {"words": ["dgo", "a"]}):
        with pytest.raises(UnknownWordError) as caught:
            chosen(trained, **unknown)
        assert "dog" in caught.value.suggestions
    many = WordVectors([f"w{i}" for i in range(6000)], np.zeros((6000, 2), dtype=np.float32))
    with pytest.raises(OptionError, match="6,000 words were chosen"):
        chosen(many, words=many.words)
    for name, empty in (("words", []), ("near", []), ("categories", dict[str, str]())):
        with pytest.raises(OptionError, match="0 of the words can be drawn"):
            chosen(trained, **{name: empty})
    with pytest.raises(OptionError, match="0 of the words can be drawn"):
        chosen(WordVectors([], np.zeros((0, 2), dtype=np.float32)))
