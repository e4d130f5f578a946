"""Words outside the vocabulary: composed from n-grams, refused, or unknown."""

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from facts import naming
from hierarchies import with_hierarchy
from hypothesis import given
from hypothesis import strategies as st
from subword_models import FLORET, SCHEME, WORDS, table_of, with_subwords

from hyperskip import InputError, SubwordTable, UnknownWordError, WordVectors

VECTORS = with_subwords()
SPACES: dict[str, WordVectors] = {
    "hyperboloid": VECTORS,
    "euclidean": with_subwords(geometry="euclidean"),
    "product": with_subwords(factors=3),
    "floret": with_subwords(scheme=FLORET),
    "compact": VECTORS.compacted(at_least=0),
}
EACH_SPACE = pytest.mark.parametrize("vectors", SPACES.values(), ids=SPACES)


def composed(vectors: WordVectors, word: str) -> Any:
    assert vectors.subwords is not None
    return vectors.space.points(vectors.subwords.compose([word]).coordinates[0])


# -- points


@EACH_SPACE
def test_an_unknown_word_is_the_mean_of_its_ngrams(vectors: WordVectors) -> None:
    point = composed(vectors, "doghouses")
    assert np.array_equal(vectors["doghouses"], point)
    assert np.array_equal(vectors.get("doghouses"), point)
    assert vectors.space.contains(vectors["doghouses"])
    both = vectors[["dog", "doghouses", "dog", "doghouses"]]
    np.testing.assert_array_equal(both[::2], vectors[["dog", "dog"]])
    np.testing.assert_array_equal(both[1::2], [point, point])


def test_the_vocabulary_stays_the_same() -> None:
    assert "doghouses" not in VECTORS
    assert VECTORS.known_form("doghouses") is None
    assert VECTORS.known_rows(["doghouses", "dog"]).tolist() == [-1, 0]
    assert len(VECTORS) == len(WORDS)
    assert np.array_equal(VECTORS["dog"], VECTORS.points[0])


def test_found_words_say_how_they_were_found() -> None:
    found = VECTORS.find(["dog", "doghouses", "qqqq", "Doghouses"], skip_unknown=True)
    assert found.in_vocabulary.tolist() == [True, False, False, False]
    assert found.is_composed.tolist() == [False, True, False, True]
    assert found.is_known.tolist() == [True, True, False, True]
    count = VECTORS.subwords.compose(["doghouses"]).counts[0]  # type: ignore[union-attr]
    assert found.ngram_counts.tolist() == [0, count, 0, count]
    assert found.rows[1] == found.rows[3] == len(VECTORS)
    assert repr(found) == "<FoundWords: 1 of the vocabulary, 2 composed, 1 unknown>"
    assert repr(VECTORS.find([])) == "<FoundWords: none>"
    assert len(found) == 4
    assert len(found[found.is_known]) == 3
    with pytest.raises(InputError, match=naming("unknown word", "found.is_known")):
        _ = found.points


def test_found_words_take_the_place_of_rows() -> None:
    words = ["dog", "doghouses", "river"]
    found = VECTORS.find(words)
    backwards = found[::-1]
    assert np.array_equal(VECTORS.points_of_rows(found), VECTORS[words])
    for many, single in (
        (VECTORS.distance_of_rows, VECTORS.distance),
        (VECTORS.similarity_of_rows, VECTORS.similarity),
    ):
        pairs = zip(words, words[::-1], strict=True)
        np.testing.assert_allclose(
            many(found, backwards), [single(*pair) for pair in pairs], atol=1e-7
        )
    answers = VECTORS.analogy_points(found, backwards, found, "Z")
    points = VECTORS[words]
    expected = VECTORS.space.analogy(points, points[::-1], points, "Z")
    np.testing.assert_array_equal(answers, expected)
    with pytest.raises(InputError, match="3 and 2 rows"):
        VECTORS.distance_of_rows(found, found[:2])
    with pytest.raises(InputError, match="found in other vectors"):
        SPACES["euclidean"].points_of_rows(found)


def test_upper_case_does_not_matter_in_a_lower_case_vocabulary() -> None:
    assert np.array_equal(VECTORS["DogHouses"], VECTORS["doghouses"])
    cased = with_subwords([*WORDS, "Paris"])
    assert not np.array_equal(cased["DogHouses"], cased["doghouses"])


@pytest.mark.parametrize("words", [["new_york", "dog"], ["new_york", "Dog"]])
def test_a_phrase_of_the_vocabulary_is_not_composed(words: list[str]) -> None:
    vectors = with_subwords(words, options={"phrases": True})
    for any_case in (False, True):
        assert vectors.find(["new york"], any_case=any_case).rows.tolist() == [0]
    assert vectors.find(["New York"], any_case=True).rows.tolist() == [0]
    assert vectors.known_rows(["New York", "new cork"]).tolist() == [0, -1]


@pytest.mark.parametrize("options", [{"phrases": True}, {"phrase_file": "phrases.tsv"}])
def test_an_unknown_phrase_is_composed_with_underscores(options: dict[str, Any]) -> None:
    vectors = with_subwords([*WORDS, "dog_house"], options=options)
    np.testing.assert_array_equal(vectors["Dog  houses"], composed(vectors, "dog_houses"))
    plain = with_subwords([*WORDS, "dog_house"])
    np.testing.assert_array_equal(plain["dog houses"], composed(plain, "dog houses"))


# -- questions


@EACH_SPACE
def test_neighbors_are_words_of_the_vocabulary(vectors: WordVectors) -> None:
    nearest = vectors.neighbors("doghouses", 20)
    assert {neighbor.word for neighbor in nearest} == set(WORDS)
    assert nearest == vectors.neighbors(vectors["doghouses"], 20)
    several = vectors.neighbors_of(["doghouses", "dog", "catz"], 3)
    assert list(several) == ["doghouses", "dog", "catz"]
    assert several == {word: vectors.neighbors(word, 3) for word in several}


@EACH_SPACE
@pytest.mark.parametrize("route", ["Z", "Z'"])
def test_analogies_of_unknown_words(vectors: WordVectors, route: str) -> None:
    for measure in vectors.space.measures:
        measured = vectors.measured_by(measure)
        answers = measured.analogy("dogz", "cats", "doghouses", route=route, count=20)
        assert {answer.word for answer in answers} == set(WORDS) - {"cats"}
        combined = measured.most_similar(["cats", "doghouses"], ["dogz"], 20)
        assert {answer.word for answer in combined} == set(WORDS) - {"cats"}


@EACH_SPACE
def test_positions_of_unknown_words(vectors: WordVectors) -> None:
    point, dog = vectors["doghouses"], vectors["dog"]
    assert vectors.distance("doghouses", "dog") == vectors.distance(point, dog)
    assert vectors.similarity("doghouses", "dog") == vectors.similarity(point, dog)
    assert vectors.radius("doghouses") == vectors.radius(point)
    assert np.array_equal(vectors.path("doghouses", "dog", 3), vectors.path(point, dog, 3))


@EACH_SPACE
def test_centroids_with_unknown_words(vectors: WordVectors) -> None:
    words = ["dog", "doghouses", "dogz", "doghouses"]
    expected = vectors.space.centroid(vectors[words])
    np.testing.assert_allclose(vectors.centroid(words), expected)
    np.testing.assert_allclose(vectors.centroids([words, ["dogz"]])[0], expected, atol=1e-9)
    np.testing.assert_allclose(
        vectors.centroids([["qqqq", *words]], skip_unknown=True), expected[None], atol=1e-9
    )
    found = vectors.find(words)
    np.testing.assert_allclose(vectors.centroids_of_rows(found, [0, 4]), expected[None], atol=1e-9)


def test_weights_of_unknown_words() -> None:
    words, weights = ["Dog", "doghouses", "DogZ"], {"dog": 1.0, "doghouses": 2.0, "dogz": 4.0}
    expected = VECTORS.space.centroid(VECTORS[words], np.array([0.25, 0.5, 1.0]))
    np.testing.assert_allclose(VECTORS.centroid(words, weights=weights), expected)
    np.testing.assert_allclose(VECTORS.centroids([words], weights=weights)[0], expected, atol=1e-9)
    with pytest.raises(InputError, match="no weight for 'catz'"):
        VECTORS.centroid(["catz"], weights=weights)
    with pytest.raises(InputError, match="no weight for 'catz'"):
        VECTORS.centroids([["dog", "catz"]], weights=weights)


def test_broader_words_by_points() -> None:
    point = VECTORS["doghouses"]
    assert VECTORS.is_a("doghouses", "dog") == VECTORS.is_a(point, "dog")
    assert VECTORS.ancestors("doghouses") == VECTORS.ancestors(point)
    assert VECTORS.descendants("doghouses") == VECTORS.descendants(point)
    lowest = VECTORS.lowest_common_ancestor
    assert lowest(["doghouses", "dog"]) == lowest([point, "dog"])


# -- what is refused


@pytest.mark.parametrize(
    "ask",
    [
        lambda v: v.index_of("doghouses"),
        lambda v: v.rows_of(["dog", "doghouses"]),
        lambda v: v.subset(["doghouses"]),
        lambda v: v.tree(["doghouses"]),
        lambda v: v.generality(["doghouses"]),
    ],
)
def test_rows_are_of_the_vocabulary_only(ask: Any) -> None:
    with pytest.raises(UnknownWordError, match=naming("'doghouses'", "its neighbors")):
        ask(VECTORS)


def test_a_hierarchy_has_words_of_the_vocabulary_only() -> None:
    kinds = {"dog": "house", "cat": "house", "river": "house"}
    vectors = with_hierarchy(VECTORS, kinds)
    assert vectors.subwords is not None
    for ask in (
        lambda: vectors.hypernyms("doghouses"),
        lambda: vectors.hyponyms("doghouses"),
        lambda: vectors.is_a("doghouses", "dog"),
        lambda: vectors.ancestors("doghouses"),
        lambda: vectors.taxonomy(["dog", "doghouses"]),
    ):
        with pytest.raises(UnknownWordError, match=naming("'doghouses'", "hierarchy")):
            ask()


@EACH_SPACE
@pytest.mark.parametrize("word", ["", " ", "\n", "́", "q", "\ud800", "مرحبا", "🙂🙂🙂"])
def test_a_word_without_known_ngrams_is_unknown(vectors: WordVectors, word: str) -> None:
    assert vectors.get(word) is None
    assert not vectors.find([word], skip_unknown=True).is_known.any()
    for ask in (
        lambda: vectors[word],
        lambda: vectors[["dog", word]],
        lambda: vectors.neighbors(word),
        lambda: vectors.neighbors_of([word]),
        lambda: vectors.distance("dog", word),
    ):
        reason = "n-grams" if word.strip() else "empty or blank"
        with pytest.raises(UnknownWordError, match=naming(repr(word), reason)) as error:
            ask()
        assert ("n-grams" in str(error.value)) == bool(word.strip())
    with pytest.raises(UnknownWordError, match="skip_unknown=True"):
        vectors.centroid(["dog", word])
    with pytest.raises(UnknownWordError, match=naming("document 1", "skip_unknown=True")):
        vectors.centroids([["dog"], [word]])


def test_vectors_without_subwords_refuse_unknown_words() -> None:
    strict = VECTORS.measured_by("angle").without_subwords()
    assert strict.measure == "angle"
    assert strict.subwords is None
    assert "subwords" not in repr(strict)
    assert strict.coordinates is VECTORS.coordinates
    assert strict.without_subwords() is strict
    assert strict.get("doghouses") is None
    assert strict.neighbors("dog") == VECTORS.measured_by("angle").neighbors("dog")
    with pytest.raises(UnknownWordError, match="the vectors with subwords may compose it"):
        strict["doghouses"]
    with pytest.raises(UnknownWordError, match=naming("''", "empty or blank")):
        strict[""]
    plain = WordVectors(VECTORS.words, VECTORS.coordinates)
    with pytest.raises(UnknownWordError, match=r"did you mean 'doghouse', 'houses'\?\nsee:"):
        plain["doghouses"]
    with pytest.raises(UnknownWordError, match=naming("'doghouses'", "did you mean 'doghouse'")):
        strict.neighbors("doghouses")
    assert VECTORS.subwords is not None


def test_copies_and_subsets_compose_the_same_points() -> None:
    for same in (
        copy.deepcopy(VECTORS),
        pickle.loads(pickle.dumps(VECTORS)),
        VECTORS.subset(["cat", "dog"]),
        VECTORS.measured_by("angle").on("cpu"),
    ):
        assert np.array_equal(same["doghouses"], VECTORS["doghouses"])


# -- hostile words


def test_a_word_of_a_megabyte() -> None:
    word = "doghouse" * (1 << 17)
    found = VECTORS.find([word, "dog", word])
    assert np.isfinite(found.points).all()
    assert found.ngram_counts[0] > 1_900_000
    np.testing.assert_allclose(VECTORS["doghouse" * 50], found.points[0], rtol=0.1, atol=0.02)


def test_an_error_shows_only_the_beginning_of_a_long_word() -> None:
    for vectors in (VECTORS, VECTORS.without_subwords()):
        with pytest.raises(UnknownWordError) as caught:
            _ = vectors["q" * (1 << 20)]
        assert len(str(caught.value)) < 400
        assert len(caught.value.word) == 1 << 20


def test_sums_of_many_ngrams_are_those_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["doghouses", "qqqq", "", *WORDS, "riverhouse", "dogz"]
    table = table_of(WORDS)
    whole = table.compose(words)
    for at_once in (1, 6, 30, 200):
        monkeypatch.setattr("hyperskip.vectors.subword_table._NUMBERS_AT_ONCE", at_once)
        parts = table.compose(words)
        np.testing.assert_allclose(parts.coordinates, whole.coordinates, atol=1e-12)
        assert parts.counts.tolist() == whole.counts.tolist()


@given(words=st.lists(st.text(st.characters(exclude_categories=()), max_size=8), max_size=5))
def test_any_text_is_composed_or_unknown(words: list[str]) -> None:
    for vectors in (VECTORS, SPACES["floret"]):
        found = vectors.find(words, skip_unknown=True)
        known = [word for word, is_known in zip(words, found.is_known, strict=True) if is_known]
        assert np.array_equal(found[found.is_known].points, vectors[known])
        assert all(word.strip() for word in known)


def test_a_table_without_rows_composes_nothing() -> None:
    empty = SubwordTable(SCHEME, [], np.zeros((0, 2)))
    vectors = WordVectors(["dog"], [[0.0, 1.0]], subwords=empty)
    with pytest.raises(UnknownWordError, match="n-grams"):
        _ = vectors["dogs"]
