"""A learned hierarchy: its data, its scores, and the answers that models give with it."""

import copy
import json
import pickle
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st
from program import Program
from trees import ancestors, balanced_tree, tree_in_the_plane

import hyperskip
from hyperskip import (
    GeometryError,
    HierarchyPoints,
    InputError,
    OptionError,
    UnknownWordError,
    VectorFileWarning,
    WordVectors,
)
from hyperskip.vectors.model_file import load
from hyperskip.vectors.search.hypernyms import KindSearch, may_be_hypernyms


def laid_out(words: list[str], *, slope: float = 4.0, offset: float = -1.5) -> HierarchyPoints:
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
COORDINATES = 0.5 * POINTS.directions  # kinds of the same word occur in similar contexts
TREE = WordVectors(NODES, COORDINATES, hierarchy=POINTS)
PLAIN = WordVectors(NODES, COORDINATES)
FLAT = WordVectors(NODES, COORDINATES, geometry="euclidean", hierarchy=POINTS)
TREE_OF_GRAPH = WordVectors(
    tree_in_the_plane(EDGES).words,
    tree_in_the_plane(EDGES).coordinates,
    options={"edge_count": len(EDGES)},
)
GRAPH = WordVectors(NODES, COORDINATES, options={"edge_count": 14})
RANDOM = HierarchyPoints(
    np.random.default_rng(2).normal(0.0, 2.0, (50, 4)),
    slope=0.7,
    offset=-1.0,
    evidence=np.random.default_rng(3).integers(0, 3, 50),
)
NOWHERE = np.zeros((len(RANDOM), 1), dtype=np.float32)  # contexts do not matter

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
            score = g_j * cosine / (1.0 + np.exp(-(g_j - g_i)))
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
    assert repr(TREE) == "<WordVectors: 15 words, hyperboloid, dimension 15, with hierarchy>"
    assert repr(PLAIN) == "<WordVectors: 15 words, hyperboloid, dimension 15>"


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


def test_hypernyms_are_the_ancestors() -> None:
    for word in NODES:
        true = ancestors(word)
        found = TREE.hypernyms(word, len(true) or 1)
        assert {kind.word for kind in found} == set(true)
        assert [kind.score for kind in found] == [TREE.is_a(word, kind.word) for kind in found]
        for kind in found:
            row = TREE.index_of(kind.word)
            assert kind.radius == POINTS.radii[row] < TREE.hierarchy_radii[TREE.index_of(word)]
            assert kind.evidence == POINTS.evidence[row]
        assert [(k.word, k.score, k.radius) for k in found] == [
            (other.word, other.score, other.radius)
            for other in TREE.ancestors(word, len(true) or 1)
        ]


def test_hypernyms_in_similar_contexts_come_first() -> None:
    points = HierarchyPoints(
        np.sinh([[1.0], [1.2], [3.0]]), slope=1.0, offset=0.0, evidence=[9, 9, 9]
    )
    assert points.scores(2, 0) > points.scores(2, 1)
    listed = WordVectors(
        ["item", "vehicle", "bicycle"], [[0.0, 1.0], [1.0, 0.1], [1.0, 0.0]], hierarchy=points
    ).hypernyms("bicycle")
    assert [kind.word for kind in listed] == ["vehicle", "item"]
    assert listed[0].score < listed[1].score


def test_a_plural_at_the_point_of_its_singular_is_not_listed() -> None:
    points = HierarchyPoints(
        np.sinh([[1.0], [3.0], [3.0]]), slope=1.0, offset=0.0, evidence=[9, 9, 0]
    )
    vectors = WordVectors(["animal", "dog", "dogs"], np.ones((3, 2)), hierarchy=points)
    assert [kind.word for kind in vectors.hyponyms("animal")] == ["dog"]
    assert vectors.is_a("dogs", "animal") == vectors.is_a("dog", "animal")


def test_hyponyms_are_the_descendants() -> None:
    for word in NODES:
        true = {other for other in NODES if word in ancestors(other)}
        found = TREE.hyponyms(word, len(true) or 1)
        assert {kind.word for kind in found} == true
        for kind in found:
            assert kind.score == pytest.approx(TREE.is_a(kind.word, word))
            assert kind.radius > TREE.hierarchy_radii[TREE.index_of(word)]
        below = TREE.descendants(word, len(true) or 1)
        assert [other.word for other in below] == [kind.word for kind in found]
        for other in below:
            rows = TREE.index_of(word), TREE.index_of(other.word)
            expected = hyperskip.geometry.distance(
                *(hyperskip.geometry.from_spatial(POINTS.coordinates[row]) for row in rows)
            )
            assert other.distance == pytest.approx(expected)


@given(words, st.integers(1, 20))
def test_lists_have_at_most_the_asked_number(word: str, count: int) -> None:
    for listed in (TREE.hypernyms(word, count), TREE.hyponyms(word, count)):
        assert len(listed) <= count
        assert word not in [kind.word for kind in listed]
    assert TREE.hypernyms(word, count) == TREE.hypernyms(word.upper(), 20)[:count]


def changed(evidence: list[int]) -> HierarchyPoints:
    """Three words in one direction, and the broadest first."""
    return HierarchyPoints(
        np.sinh([[1.0], [2.0], [3.0], [3.0]]), slope=1.0, offset=0.0, evidence=evidence
    )


@pytest.mark.parametrize(
    ("evidence", "hypernyms", "hyponyms"),
    [
        ([9, 9, 9, 9], ["a", "b"], ["c", "d", "b"]),
        ([0, 9, 9, 9], ["b"], ["c", "d", "b"]),  # nothing in the text says that "a" is broader
        ([9, 9, 1, 9], ["a", "b"], ["d", "b", "c"]),  # the text says little about "c"
        ([9, 9, 0, 0], ["a", "b"], ["b", "c", "d"]),
        ([0, 0, 0, 0], ["a", "b"], ["c", "d", "b"]),
    ],
)
def test_words_without_relations(
    evidence: list[int], hypernyms: list[str], hyponyms: list[str]
) -> None:
    vectors = WordVectors(list("abcd"), np.eye(4), hierarchy=changed(evidence))
    assert [kind.word for kind in vectors.hypernyms("c")] == hypernyms
    assert [kind.word for kind in vectors.hyponyms("a")] == hyponyms


@given(st.lists(words, min_size=1, max_size=4))
def test_the_lowest_common_ancestor_is_the_true_one(listed: list[str]) -> None:
    paths = [[*ancestors(word), word] for word in listed]
    shared = [nodes[0] for nodes in zip(*paths, strict=False) if len(set(nodes)) == 1]
    assert TREE.lowest_common_ancestor(listed) == shared[-1]


def test_the_tree_is_the_true_one() -> None:
    assert TREE.tree().parents == dict(EDGES)
    assert TREE.tree(["r.0.1"]).words == ("r", "r.0", "r.0.1")
    assert TREE.tree(count=3).words == ("r", "r.0", "r.1")


def plain_parent(points: HierarchyPoints, row: int) -> int:
    allowed = [
        other
        for other in np.flatnonzero(may_be_hypernyms(points)).tolist()
        if points.ranks[other] < points.ranks[row]
    ]
    return max(
        allowed, key=lambda other: points.scores(row, other) / points.heights[other], default=-1
    )


@pytest.mark.parametrize("cells", [1 << 22, 10])
def test_parents_are_those_of_all_pairs(cells: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperskip.vectors.search.hypernyms._CELLS_AT_ONCE", cells)
    rows = np.random.default_rng(4).permutation(50)
    expected = [plain_parent(RANDOM, row) for row in rows.tolist()]
    assert KindSearch(RANDOM, NOWHERE).parents(rows).tolist() == expected


# -- taxonomies


@pytest.mark.parametrize(
    ("listed", "parents"),
    [
        (["r.0.0", "r.0.1"], {"r.0.0": "r.0", "r.0.1": "r.0"}),
        (["r.0.0", "r.0"], {"r.0.0": "r.0"}),
        (["r.0.0"], {}),
        (
            ["r.0.0", "r.0.1", "r.1.0", "r.1.1"],
            {
                "r.0.0": "r.0",
                "r.0.1": "r.0",
                "r.1.0": "r.1",
                "r.1.1": "r.1",
                "r.0": "r",
                "r.1": "r",
            },
        ),
        (NODES, dict(EDGES)),
    ],
)
@pytest.mark.parametrize("vectors", [TREE, TREE_OF_GRAPH], ids=["hierarchy", "graph"])
def test_a_taxonomy_connects_words(
    vectors: WordVectors, listed: list[str], parents: dict[str, str]
) -> None:
    tree = vectors.taxonomy(listed)
    assert tree.parents == parents
    assert set(listed) <= set(tree.words)


@given(st.lists(st.sampled_from(range(50)), min_size=1, unique=True))
def test_any_taxonomy_is_a_forest(rows: list[int]) -> None:
    vectors = WordVectors([f"word{i}" for i in range(50)], np.zeros((50, 2)), hierarchy=RANDOM)
    listed = [f"word{row}" for row in rows]
    tree = vectors.taxonomy(listed)
    assert set(listed) <= set(tree.words)
    assert (tree.parent_positions < np.arange(len(tree))).all()
    for child, parent in tree.pairs:
        radii = vectors.hierarchy_radii[vectors.rows_of([child, parent])]
        assert radii[1] < radii[0]
        assert vectors.is_a(child, parent) >= 0.7 - 1e-5
    below = [parent for _, parent in tree.pairs]
    for word in set(tree.words) - set(listed):
        assert below.count(word) >= 2
    assert vectors.taxonomy(listed[::-1]).parents == tree.parents


def test_words_with_nothing_in_common_have_several_roots() -> None:
    points = HierarchyPoints(np.eye(3) * [[1], [2], [3]], slope=9.0, offset=-2.0, evidence=[1] * 3)
    tree = WordVectors(list("abc"), np.eye(3), hierarchy=points).taxonomy(list("cba"))
    assert (tree.root, tree.roots, tree.parents, tree.depth) == (None, ("a", "b", "c"), {}, 0)
    assert str(tree) == "a\nb\nc"
    assert tree.to_dict() == {"root": None, "roots": ["a", "b", "c"], "parents": {}}
    assert list(tree.to_networkx()) == ["a", "b", "c"]


# -- errors


@pytest.mark.parametrize(
    "question",
    [
        lambda vectors: vectors.hypernyms("r.0"),
        lambda vectors: vectors.hyponyms("r.0"),
        lambda vectors: vectors.taxonomy(["r.0", "r.1"]),
    ],
)
def test_plain_models_have_no_hypernyms(question: Callable[[WordVectors], object]) -> None:
    with pytest.raises(GeometryError, match=naming("relations", "add_hierarchy", "add-hierarchy")):
        question(PLAIN)


def test_models_of_graphs_have_hypernyms() -> None:
    for word in NODES:
        for kinds, relatives in (
            (GRAPH.hypernyms(word, 3), GRAPH.ancestors(word, 3)),
            (GRAPH.hyponyms(word, 3), GRAPH.descendants(word, 3)),
        ):
            assert kinds == [(other.word, other.score, other.radius, None) for other in relatives]


@pytest.mark.parametrize(
    "question",
    [
        lambda point: TREE.is_a(point, "r"),
        lambda point: TREE.ancestors(point),
        lambda point: TREE.descendants(point),
        lambda point: TREE.lowest_common_ancestor([point, "r"]),
    ],
)
def test_points_are_not_in_the_hierarchy(question: Callable[[object], object]) -> None:
    with pytest.raises(InputError, match=naming("point", "neighbors")):
        question(TREE["r.0"])
    with pytest.raises(InputError):
        question(None)


def test_a_taxonomy_has_a_limit() -> None:
    words = [f"word{i}" for i in range(3001)]
    points = HierarchyPoints(
        np.ones((3001, 1)), slope=1.0, offset=0.0, evidence=np.ones(3001, dtype=int)
    )
    vectors = WordVectors(words, np.zeros((3001, 1)), hierarchy=points)
    with pytest.raises(InputError, match=naming("`words`", "3,000", "3,001")):
        vectors.taxonomy(words)
    assert len(vectors.taxonomy(words[:-1]).roots) == 3000  # none is broader than another


def test_wrong_questions() -> None:
    with pytest.raises(InputError, match=naming("is_a_of_rows")):
        TREE.is_a(["r", "r.0"], "r")
    with pytest.raises(InputError, match=naming("list", "'r.0'")):
        TREE.taxonomy("r.0")
    with pytest.raises(InputError, match=naming("no words")):
        TREE.taxonomy([])
    with pytest.raises(UnknownWordError):
        TREE.taxonomy(["r", "s"])
    with pytest.raises(OptionError, match=naming("count", 0)):
        TREE.hypernyms("r.0", 0)


def test_radii_of_a_model_without_a_hierarchy() -> None:
    np.testing.assert_array_equal(TREE.hierarchy_radii, POINTS.radii)
    for vectors in (PLAIN, GRAPH):
        with pytest.raises(GeometryError, match=naming("add_hierarchy", "add-hierarchy")):
            _ = vectors.hierarchy_radii


def test_generality_is_by_the_hierarchy() -> None:
    listed = TREE.generality()
    assert listed[0].word == "r"
    assert [item.rank for item in listed] == list(range(1, 16))
    depths = [item.word.count(".") for item in listed]
    assert depths == sorted(depths)
    assert [item.word for item in TREE.generality(["r.0.1", "r"])] == ["r", "r.0.1"]
    assert [item.radius for item in PLAIN.generality()] == sorted(PLAIN.radii)


# -- commands, files of other programs, and model cards


@pytest.fixture
def model(tmp_path: Path) -> Path:
    TREE.save(tmp_path / "tree.safetensors")
    return tmp_path / "tree.safetensors"


def test_commands_list_hypernyms_and_hyponyms(program: Program, model: Path) -> None:
    for command, method in (("hypernyms", TREE.hypernyms), ("hyponyms", TREE.hyponyms)):
        result = program(command, model, "r.0", "r.0.1", "-n", 2, "--json")
        assert json.loads(result.out) == {
            word: [kind._asdict() for kind in method(word, 2)] for word in ("r.0", "r.0.1")
        }
        header, first, *_ = program(command, model, "r.0").out.splitlines()
        assert header.split("\t") == ["r.0", "score", "radius", "evidence"]
        best = method("r.0", 1)[0]
        assert first.split("\t")[0] == best.word
        assert first.split("\t")[-1] == str(best.evidence)


def test_a_plain_model_is_refused_by_the_commands(program: Program, tmp_path: Path) -> None:
    PLAIN.save(tmp_path / "plain")
    for command in ("hypernyms", "hyponyms", "taxonomy"):
        result = program(command, tmp_path / "plain", "r.0", "r.1")
        result.check_refused("hierarchy", "hyperskip add-hierarchy")


def test_kinds_in_a_graph_have_no_evidence(program: Program, tmp_path: Path) -> None:
    GRAPH.save(tmp_path / "graph")
    broadest, *_, narrowest = (item.word for item in GRAPH.generality())
    for command, word in (("hypernyms", narrowest), ("hyponyms", broadest)):
        asked = command, tmp_path / "graph", word, "-n", 1
        header, line = program(*asked).out.splitlines()
        assert header.split("\t") == [word, "score", "radius"]
        assert line.count("\t") == 2
        (kind,) = json.loads(program(*asked, "--json").out)[word]
        assert kind["evidence"] is None


def test_the_command_of_a_probability(program: Program, model: Path) -> None:
    result = program("is-a", model, "r.0.1", "r.0", "--json")
    found = json.loads(result.out)
    assert result.err == ""
    assert found == {"node": "r.0.1", "scores": {"r.0": TREE.is_a("r.0.1", "r.0")}}


def test_the_command_of_a_taxonomy(program: Program, model: Path, tmp_path: Path) -> None:
    words = ["r.0.0", "r.0.1"]
    tree = TREE.taxonomy(words)
    assert program("taxonomy", model, *words).out == f"{tree}\n"
    assert json.loads(program("taxonomy", model, *words, "--json").out) == tree.to_dict()
    for name in ("tree.txt", "tree.json", "tree.svg", "tree.png", "tree.html"):
        result = program("taxonomy", model, *words, "-o", tmp_path / name)
        assert (result.out, result.code) == ("", 0)
        assert name in result.err
    assert (tmp_path / "tree.txt").read_text(encoding="utf-8") == f"{tree}\n"
    assert json.loads((tmp_path / "tree.json").read_text()) == tree.to_dict()
    assert (tmp_path / "tree.svg").read_bytes() == tree.plot().to_bytes("svg")
    refused = program("taxonomy", model, *words, "-o", tmp_path / "tree.pdf")
    refused.check_refused("--output", ".txt", ".json", ".svg", ".png", ".html")


def test_a_tree_is_drawn(tmp_path: Path) -> None:
    picture = TREE.taxonomy(["r.0.0", "r.0.1"]).plot(tmp_path / "tree.svg", title="Kinds")
    assert isinstance(picture, hyperskip.Picture)
    assert "Kinds" in (tmp_path / "tree.svg").read_text()
    with pytest.raises(OptionError, match=naming("plot", "pth", "path")):
        TREE.tree().plot(pth="tree.svg")  # type: ignore[call-arg]


def test_generality_and_info_of_a_hierarchy(program: Program, model: Path) -> None:
    lines = program("generality", model).out.splitlines()
    assert lines[0].startswith("most general\t")
    assert lines[1].startswith("r\t1.0")
    facts = json.loads(program("info", model, "--json").out)
    assert facts["hierarchy_dimension"] == facts["words_with_relations"] == len(NODES)
    assert "hierarchy dimension\t15" in program("info", model).out


def test_other_formats_have_no_hierarchy(tmp_path: Path) -> None:
    with pytest.warns(VectorFileWarning, match=naming("vectors.txt", "hierarchy", ".safetensors")):
        hyperskip.export_vectors(TREE, tmp_path / "vectors.txt")
    assert not hyperskip.import_vectors(tmp_path / "vectors.txt").has_hierarchy
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        hyperskip.export_vectors(PLAIN, tmp_path / "vectors.txt")


def test_a_model_card_names_the_hierarchy(tmp_path: Path) -> None:
    TREE.save_pretrained(tmp_path / "tree")
    check_same(hyperskip.from_pretrained(tmp_path / "tree").hierarchy, POINTS)
    card = (tmp_path / "tree" / "README.md").read_text()
    assert "vectors.hypernyms(" in card
    assert "dimension of the hierarchy | 15" in card
    assert json.loads((tmp_path / "tree" / "config.json").read_text())["hierarchy_dimension"] == 15
    PLAIN.save_pretrained(tmp_path / "plain")
    assert "hierarchy" not in (tmp_path / "plain" / "README.md").read_text()
