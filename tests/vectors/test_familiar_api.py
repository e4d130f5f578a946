"""What users of gensim, scikit-learn and pandas try: it works, or an error names our way."""

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from optional_packages import run_python_without

from hyperskip.errors import HyperskipError, InputError, OptionError, UnknownWordError
from hyperskip.vectors.word_vectors import WordVectors

WORDS, DIMENSION = 30, 6
SPACES: dict[str, dict[str, Any]] = {
    "hyperboloid": {},
    "product": {"factors": 3},
    "euclidean": {"geometry": "euclidean"},
}
every_space = pytest.mark.parametrize("space", SPACES)


def vectors_of(space: str = "hyperboloid") -> WordVectors:
    coordinates = np.random.default_rng(4).standard_normal((WORDS, DIMENSION))
    words = [f"w{i}" for i in range(WORDS)]
    return WordVectors(words, coordinates, counts=range(WORDS, 0, -1), **SPACES[space])


# -- points of words


@every_space
@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, iter, dict.fromkeys])
def test_points_of_several_words(space: str, kind: Callable[[list[str]], Any]) -> None:
    vectors = vectors_of(space)
    assert np.array_equal(vectors[kind(["w3", "w1"])], vectors.points[[3, 1]])


def test_points_of_no_words() -> None:
    assert vectors_of()[[]].shape == (0, DIMENSION + 1)


def test_points_of_unknown_words() -> None:
    vectors = vectors_of()
    with pytest.raises(UnknownWordError, match=naming("'w99'")):
        _ = vectors[["w1", "w99"]]
    assert vectors.get("w99") is None
    assert vectors.get("w99", 3) == 3
    assert np.array_equal(vectors.get("w1", np.zeros(7)), vectors["w1"])


def test_vectors_are_a_collection_of_words() -> None:
    vectors = vectors_of()
    assert list(vectors) == list(vectors.words)
    assert len(vectors) == WORDS
    assert np.asarray(vectors).shape == (WORDS, DIMENSION + 1)
    assert np.asarray(vectors, dtype=np.float32).dtype == np.float32
    assert np.array_equal(np.array(vectors), vectors.points)


@pytest.mark.parametrize("words", [["w5", "W2"], pd.Series(["w5", "w2"]), np.array([5, 2]), [5, 2]])
def test_subset_by_words_or_rows(words: Any) -> None:
    vectors = vectors_of().measured_by("angle")
    chosen = vectors.subset(words)
    assert chosen.words == ("w5", "w2")
    assert chosen.measure == "angle"
    assert np.array_equal(chosen.coordinates, vectors.coordinates[[5, 2]])
    assert vectors.subset([]).words == ()


@pytest.mark.parametrize("words", [["w5", "w2", "W5"], [5, 2, 5]])
def test_a_subset_has_each_word_once(words: Any) -> None:
    with pytest.raises(InputError, match=naming("'w5'", "twice")):
        vectors_of().subset(words)


# -- most_similar


@every_space
def test_an_analogy_as_gensim_writes_it(space: str) -> None:
    vectors = vectors_of(space)
    found = vectors.most_similar(positive=["w1", "w2"], negative=["w3"], count=5)
    expected = vectors.analogy("w3", "w1", "w2", count=5)
    assert [item.word for item in found] == [item.word for item in expected]
    distances = [[item.distance for item in listed] for listed in (found, expected)]
    np.testing.assert_allclose(distances[0], distances[1], rtol=1e-12)


@every_space
def test_most_similar_words_of_one_word_are_its_neighbors(space: str) -> None:
    vectors = vectors_of(space)
    expected = [neighbor.word for neighbor in vectors.neighbors("w1")]
    for positive in ("w1", ["w1"], ("w1",), np.array(["w1"])):
        assert [item.word for item in vectors.most_similar(positive)] == expected
    found = vectors.most_similar(vectors["w1"], count=11)
    assert [item.word for item in found] == ["w1", *expected]


@pytest.mark.parametrize("space", ["hyperboloid", "product"])
def test_most_similar_words_of_several_words_are_near_their_centroid(space: str) -> None:
    vectors = vectors_of(space)
    asked = ["w1", "w2", "w7"]
    nearest = vectors.neighbors(vectors.centroid(asked), WORDS)
    assert vectors.most_similar(asked, count=WORDS) == [
        neighbor for neighbor in nearest if neighbor.word not in asked
    ]


def test_most_similar_words_of_euclidean_vectors_are_those_of_gensim() -> None:
    vectors = vectors_of("euclidean")
    unit = vectors.points / np.linalg.norm(vectors.points, axis=1, keepdims=True)
    products = unit @ (unit[1] + unit[2] + unit[3] - unit[4] - unit[5])
    products[1:6] = -np.inf
    expected = [vectors.words[row] for row in np.argsort(-products)[:8]]
    found = vectors.most_similar(["w1", "w2", "w3"], ["w4", "w5"], count=8)
    assert [item.word for item in found] == expected


@every_space
@settings(max_examples=20)
@given(seed=st.integers(0, 99), pairs=st.integers(0, 3), others=st.integers(0, 2))
def test_a_word_that_is_added_and_subtracted_changes_nothing(
    space: str, seed: int, pairs: int, others: int
) -> None:
    vectors = vectors_of(space)
    points = np.random.default_rng(seed).permutation(vectors.points)
    added, subtracted = points[: pairs + others + 1], points[10 : 10 + pairs]
    expected = vectors.space.combined(added, subtracted)
    same = np.concatenate((points[20:21], added)), np.concatenate((points[20:21], subtracted))
    found = vectors.space.combined(*same)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)


@every_space
def test_as_many_negative_as_positive_words(space: str) -> None:
    vectors = vectors_of(space)
    found = vectors.most_similar(["w1"], ["w2"])
    assert not {"w1", "w2"} & {neighbor.word for neighbor in found}


# -- data frames


def test_data_frame() -> None:
    vectors = vectors_of()
    frame = vectors.to_pandas()
    assert list(frame.index) == list(vectors.words)
    assert frame.index.name == "word"
    assert list(frame.columns) == [f"x{i}" for i in range(DIMENSION)]
    assert np.array_equal(frame.to_numpy(), vectors.coordinates)
    frame.loc["w1", "x0"] = 7  # a copy: the vectors stay as they are
    assert vectors.coordinates[1, 0] != 7
    frame = vectors.to_pandas(counts=True, radius=True)
    assert frame["count"].tolist() == vectors.counts.tolist()
    assert frame["radius"].tolist() == vectors.radii.tolist()


def test_a_data_frame_requires_pandas() -> None:
    script = """
from hyperskip import MissingPackageError, WordVectors
try:
    WordVectors(["a"], [[1.0]]).to_pandas()
except MissingPackageError as error:
    print(error)
"""
    found = run_python_without("pandas", script)
    assert "pip install pandas" in found.stdout, found.stderr


# -- errors


@pytest.mark.parametrize(
    ("question", "error", "facts"),
    [
        (lambda v: v.neighbors(["w1", "w2"]), InputError, ["neighbors_of", "most_similar"]),
        (lambda v: v.similarity(["w1"], ["w2"]), InputError, ["similarity_of_rows", "['w1']"]),
        (lambda v: v.distance(("w1", "w2"), "w3"), InputError, ["distance_of_rows"]),
        (lambda v: v.most_similar("w1", topn=3), OptionError, ["WordVectors", "topn", "`count`"]),
        (lambda v: v.neighbors("w1", topn=3), OptionError, ["WordVectors", "topn", "`count`"]),
        (lambda v: v.most_similar(negative=["w1"]), InputError, [0, 1, "positive"]),
        (lambda v: v.most_similar(["w1"], ["w2", "w3"]), InputError, [1, 2, "negative"]),
        (lambda v: v.most_similar([("w1", 0.5)]), InputError, ["flat list"]),
        (lambda v: v.most_similar(["w1", "w99"]), UnknownWordError, ["w99"]),
        (lambda v: v[3], InputError, [3, "vectors.words[row]"]),
        (lambda v: v[1:3], InputError, ["slice", "vectors.points"]),
        (lambda v: v[[1, 2]], InputError, [1, "vectors.words[row]"]),
        (lambda v: v[None], InputError, ["None"]),
        (lambda v: v.get(3), InputError, [3]),
        (lambda v: v.subset("w1"), InputError, ["['w1']"]),
        (lambda v: v.subset(["w1", 2]), InputError, [2, "int"]),
        (lambda v: v.subset(["w99"]), UnknownWordError, ["w99"]),
        (lambda v: v.subset(3), InputError, [3, "list"]),
        (lambda v: v.to_pandas(counts=1), OptionError, ["counts", 1, "True"]),
    ],
)
def test_errors_name_our_way(
    question: Callable[[Any], object], error: type[HyperskipError], facts: list[object]
) -> None:
    with pytest.raises(error, match=naming(*facts)):
        question(vectors_of())


@pytest.mark.parametrize(
    "question",
    [
        lambda v: v[b"w1"],
        lambda v: v[[b"w1"]],
        lambda v: v.get(b"w1"),
        lambda v: v.index_of(b"w1"),
        lambda v: v.rows_of(b"w1"),
        lambda v: v.neighbors(b"w1"),
        lambda v: v.neighbors_of([b"w1"]),
        lambda v: v.most_similar(b"w1"),
        lambda v: v.most_similar(positive=[b"w1"]),
        lambda v: v.distance("w1", b"w1"),
        lambda v: v.analogy("w1", b"w1", "w2"),
        lambda v: v.radius(b"w1"),
        lambda v: v.subset(b"w1"),
        lambda v: v.subset([b"w1"]),
        lambda v: v.centroid([b"w1"]),
    ],
)
def test_bytes_are_not_words(question: Callable[[Any], object]) -> None:
    facts = naming("b'w1'", "bytes", "words are strings", "word.decode()")
    with pytest.raises(InputError, match=facts):
        question(vectors_of())


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("wv", "vectors itself"),
        ("index_to_key", "vectors.words"),
        ("key_to_index", "vectors.index_of"),
        ("vectors", "vectors.points"),
        ("vector_size", "vectors.dimension"),
        ("get_vector", "vectors[word]"),
        ("similar_by_word", "vectors.neighbors"),
        ("get_analogies", "vectors.analogy(b, a, c)"),
        ("kv", "vectors itself"),
        ("train", "hyperskip.embed_graph"),
    ],
)
def test_names_of_gensim_are_answered_with_ours(name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=naming(name, ours)) as caught:
        getattr(vectors_of(), name)
    assert caught.value.name == name
    assert not hasattr(vectors_of(), name)


@pytest.mark.parametrize(
    "name",
    [
        *("closest_child", "closest_parent", "difference_in_hierarchy", "distances", "norm"),
        *("most_similar_to_given", "rank_by_centrality", "vector_distance_batch"),
    ],
)
def test_what_is_suggested_for_a_hierarchy_can_be_called(name: str) -> None:
    vectors = vectors_of()
    with pytest.raises(AttributeError, match=naming(name)) as caught:
        getattr(vectors, name)
    suggested = str(caught.value).split("; use ")[1].split(", or ")
    word, other, *words = vectors.words[:5]
    known = {"vectors": vectors, "word": word, "words": words, "given": other}
    known |= {"a": word, "b": other, "points": vectors.points, "point": vectors[word]}
    assert all(eval(each, known) is not None for each in suggested)


def test_any_other_attribute_is_an_error_as_usual() -> None:
    with pytest.raises(AttributeError, match=r"'WordVectors' object has no attribute 'nonsense'$"):
        _ = vectors_of().nonsense  # type: ignore[attr-defined]
    assert pickle.loads(pickle.dumps(vectors_of())).words == vectors_of().words
