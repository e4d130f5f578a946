"""A learned hierarchy: its data, its scores, and the answers that models give with it."""

import copy
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st
from trees import ancestors, balanced_tree

import hyperskip
from hyperskip import GeometryError, HierarchyPoints, InputError, WordVectors
from hyperskip.vectors.model_file import load


def laid_out(words: list[str], *, slope: float = 4.0, offset: float = -3.0) -> HierarchyPoints:
    """Put the nodes of a tree on a hyperboloid: the deeper, the farther from the base point.

    A node has an axis of its own and one of each ancestor below the root. So the cosine of two
    nodes is greater the more ancestors they share.
    """
    axes = {word: axis for axis, word in enumerate(words)}
    directions = np.zeros((len(words), len(words)))
    for word, row in axes.items():
        for node in (*ancestors(word), word):
            directions[row, axes[node]] = 1.0
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    radii = np.array([1.0 + word.count(".") for word in words])
    return HierarchyPoints(
        np.sinh(radii)[:, None] * directions,
        slope=slope,
        offset=offset,
        evidence=np.arange(1, len(words) + 1),
    )


EDGES = balanced_tree(2, 3)
NODES = ["r", *(child for child, _ in EDGES)]
POINTS = laid_out(NODES)
COORDINATES = np.random.default_rng(1).normal(size=(len(NODES), 3))
TREE = WordVectors(NODES, COORDINATES, hierarchy=POINTS)
PLAIN = WordVectors(NODES, COORDINATES)
FLAT = WordVectors(NODES, COORDINATES, geometry="euclidean", hierarchy=POINTS)
GRAPH = WordVectors(NODES, COORDINATES, options={"edge_count": 14})
RANDOM = HierarchyPoints(
    np.random.default_rng(2).normal(0.0, 2.0, (50, 4)),
    slope=0.7,
    offset=-1.0,
    evidence=np.random.default_rng(3).integers(0, 3, 50),
)

words = st.sampled_from(NODES)


# -- data


def test_radii_are_distances_from_the_base_point() -> None:
    expected = hyperskip.geometry.distance(
        hyperskip.geometry.from_spatial(RANDOM.coordinates), hyperskip.geometry.base_point(4)
    )
    np.testing.assert_allclose(RANDOM.radii, expected, rtol=1e-6)
    assert RANDOM.edge == RANDOM.radii.max()
    assert sorted(RANDOM.ranks) == list(range(1, 51))
    assert RANDOM.ranks[np.argmin(RANDOM.radii)] == 1


def test_a_score_is_the_formula() -> None:
    for i in range(10):
        for j in range(10):
            x, y = (RANDOM.coordinates[row].astype(float) for row in (i, j))
            g_i, g_j = (RANDOM.edge - np.arcsinh(np.linalg.norm(z)) for z in (x, y))
            cosine = x @ y / np.linalg.norm(x) / np.linalg.norm(y)
            score = g_j * cosine / (1.0 + np.exp(-(g_j - g_i) / 2.0))
            assert RANDOM.scores(i, j) == pytest.approx(score, abs=1e-5)
            probability = 1.0 / (1.0 + np.exp(-(0.7 * score - 1.0)))
            assert RANDOM.probabilities(RANDOM.scores(i, j)) == pytest.approx(probability, abs=1e-5)


def test_scores_of_many_words_are_those_of_each() -> None:
    rows = np.arange(50)
    matrix = RANDOM.score_matrix(rows[:7], rows)
    for row in range(7):
        each = [RANDOM.scores(row, other) for other in rows.tolist()]
        np.testing.assert_allclose(RANDOM.scores(row, slice(None)), each, rtol=1e-12)
        np.testing.assert_allclose(RANDOM.scores(np.full(50, row), rows), each, rtol=1e-12)
        np.testing.assert_allclose(matrix[row], each, atol=1e-5)


def test_a_word_at_the_base_point_has_no_direction() -> None:
    points = HierarchyPoints([[0.0, 0.0], [1.0, 0.0]], slope=1, offset=0, evidence=[1, 1])
    assert points.scores(1, 0) == 0.0
    assert points.radii[0] == 0.0


@pytest.mark.parametrize("dimension", [0, 3])
def test_there_may_be_no_words(dimension: int) -> None:
    points = HierarchyPoints(np.zeros((0, dimension)), slope=1, offset=0, evidence=[])
    assert len(points) == 0
    assert points.edge == 0.0


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"coordinates": [1.0, 2.0]}, ["coordinates", "(words, dimension)"]),
        ({"coordinates": [["a"], ["b"]]}, ["coordinates"]),
        ({"coordinates": [[np.nan], [1.0]]}, ["coordinates", "finite"]),
        ({"coordinates": [[1e300], [1.0]]}, ["coordinates", "finite"]),
        ({"evidence": [1]}, ["evidence", "(2,)"]),
        ({"evidence": [1, -2]}, ["evidence", -2]),
        ({"evidence": [1.5, 2.0]}, ["evidence", "whole numbers"]),
        ({"evidence": None}, ["evidence"]),
        ({"slope": 0.0}, ["slope", 0.0]),
        ({"slope": -1}, ["slope", -1]),
        ({"slope": "steep"}, ["slope", "'steep'"]),
        ({"slope": True}, ["slope", "True"]),
        ({"slope": None}, ["slope", "None"]),
        ({"offset": np.inf}, ["offset", "inf"]),
        ({"offset": 10**400}, ["offset"]),
        ({"edge": 0.1}, ["edge", 0.1]),
        ({"edge": np.nan}, ["edge", "nan"]),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], facts: list[object]) -> None:
    values: dict[str, Any] = {
        "coordinates": [[1.0], [2.0]], "slope": 1.0, "offset": 0.0, "evidence": [1, 2],
    }  # fmt: skip
    HierarchyPoints(**values)
    with pytest.raises(InputError, match=naming(*facts)):
        HierarchyPoints(**values | arguments)


@pytest.mark.parametrize("hierarchy", [3, "points", RANDOM.coordinates, RANDOM])
def test_a_model_takes_the_points_of_its_own_words(hierarchy: Any) -> None:
    with pytest.raises(InputError, match=naming("hierarchy")):
        WordVectors(["a", "b"], np.eye(2), hierarchy=hierarchy)


def test_points_cannot_be_changed() -> None:
    copied = pickle.loads(pickle.dumps(RANDOM))
    for points in (RANDOM, copied):
        for array in (points.coordinates, points.evidence, points.radii, points.ranks):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1
        with pytest.raises(AttributeError):
            points.slope = 2.0  # type: ignore[misc]
    np.testing.assert_array_equal(copied.coordinates, RANDOM.coordinates)
    assert copy.deepcopy(RANDOM) is RANDOM


# -- models keep it


def check_same(found: HierarchyPoints | None, expected: HierarchyPoints) -> None:
    assert found is not None
    assert (found.slope, found.offset) == (expected.slope, expected.offset)
    assert found.edge == expected.edge
    np.testing.assert_array_equal(found.coordinates, expected.coordinates)
    np.testing.assert_array_equal(found.evidence, expected.evidence)


def test_copies_and_views_keep_the_hierarchy() -> None:
    for vectors in (
        *(TREE.measured_by("distance"), TREE.on("cpu"), TREE.compacted(at_least=0)),
        *(pickle.loads(pickle.dumps(TREE)), copy.copy(TREE), copy.deepcopy(TREE)),
    ):
        check_same(vectors.hierarchy, POINTS)
        assert vectors.has_hierarchy
    assert repr(TREE) == "<WordVectors: 15 words, hyperboloid, dimension 3, with hierarchy>"
    assert repr(PLAIN) == "<WordVectors: 15 words, hyperboloid, dimension 3>"


@given(st.lists(words, min_size=2, max_size=8, unique=True))
def test_a_subset_keeps_the_answers(listed: list[str]) -> None:
    chosen = TREE.subset(listed)
    for word in listed:
        assert chosen.is_a(listed[0], word) == TREE.is_a(listed[0], word)
    rows = TREE.rows_of(listed)
    np.testing.assert_array_equal(chosen.hierarchy_radii, TREE.hierarchy_radii[rows])


@pytest.mark.parametrize("vectors", [TREE, FLAT], ids=["hyperboloid", "euclidean"])
def test_a_file_keeps_the_hierarchy(tmp_path: Path, vectors: WordVectors) -> None:
    vectors.save(tmp_path / "model")
    read = load(tmp_path / "model")
    check_same(read.hierarchy, POINTS)
    rows = np.arange(15)
    np.testing.assert_array_equal(
        read.is_a_of_rows(rows, rows[::-1]), vectors.is_a_of_rows(rows, rows[::-1])
    )
    before = (tmp_path / "model").read_bytes()
    read.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == before


# -- answers


@given(words, words)
def test_a_probability_is_between_0_and_1(a: str, b: str) -> None:
    probability = TREE.is_a(a, b)
    assert 0.0 <= probability <= 1.0
    assert FLAT.is_a(a, b) == probability  # the space of the vectors does not matter
    first, second = TREE.rows_of([a]), TREE.rows_of([b])
    assert TREE.is_a_of_rows(first, second).tolist() == [probability]
    if b in ancestors(a):
        assert probability > TREE.is_a(b, a)


def test_radii_of_a_model_without_a_hierarchy() -> None:
    np.testing.assert_array_equal(TREE.hierarchy_radii, POINTS.radii)
    for vectors in (PLAIN, GRAPH):
        with pytest.raises(GeometryError, match=naming("--hierarchy", "add_hierarchy")):
            _ = vectors.hierarchy_radii


def test_generality_is_by_the_hierarchy() -> None:
    listed = TREE.generality()
    assert listed[0].word == "r"
    assert [item.rank for item in listed] == list(range(1, 16))
    depths = [item.word.count(".") for item in listed]
    assert depths == sorted(depths)
    assert [item.word for item in TREE.generality(["r.0.1", "r"])] == ["r", "r.0.1"]
    assert [item.radius for item in PLAIN.generality()] == sorted(PLAIN.radii)
