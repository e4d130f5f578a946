"""Broader and narrower words of a tree that is embedded by construction."""

import json
import sys
from pathlib import Path

import networkx
import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st
from program import Program
from trees import ancestors, balanced_tree, depths, tree_in_the_plane

import hyperskip
from hyperskip import (
    GeometryError,
    InputError,
    MissingPackageError,
    OptionError,
    UnknownWordError,
    WordVectors,
)
from hyperskip.vectors.search import broader
from hyperskip.vectors.search.broader import (
    BroaderWords,
    greatest_columns,
    is_a_scores,
    narrowest_of_near,
)

EDGES = balanced_tree(3, 4)
PARENTS = dict(EDGES)
TREE = tree_in_the_plane(EDGES)
FLAT = WordVectors(["a", "b"], np.eye(2), geometry="euclidean")
PRODUCT = WordVectors(TREE.words, np.hstack([TREE.coordinates] * 2), factors=2)
RANDOM = WordVectors(
    [f"word{i}" for i in range(400)], np.random.default_rng(1).normal(0.0, 1.5, (400, 4))
)

words = st.sampled_from(TREE.words)
points = st.tuples(*[st.floats(-5.0, 5.0)] * 2).map(
    lambda x: hyperskip.geometry.from_spatial(np.array(x))
)


# -- scores


@given(words, words)
def test_a_score_changes_its_sign_if_the_words_are_exchanged(a: str, b: str) -> None:
    score = TREE.is_a(a, b)
    assert score == -TREE.is_a(b, a)
    assert -1.0 <= score <= 1.0
    assert (score == 0.0) == (TREE.radius(a) == TREE.radius(b))


@given(points, points)
def test_scores_of_points_are_between_minus_1_and_1(a: list[float], b: list[float]) -> None:
    assert -1.0 <= TREE.is_a(a, b) == -TREE.is_a(b, a) <= 1.0


def test_a_score_prefers_ancestors_to_other_broader_words() -> None:
    for word in TREE.words:
        others = [other for other in TREE.words if other.count(".") < word.count(".")]
        scores = {other: TREE.is_a(word, other) for other in others}
        truth = ancestors(word)
        parents = [scores.pop(ancestor) for ancestor in truth]
        assert min(parents, default=1.0) > 0.0
        assert parents == sorted(parents)  # the nearest ancestor has the greatest score
        siblings_of_parent = [o for o in scores if truth and o.count(".") == len(truth) - 1]
        assert all(scores[other] < parents[-1] for other in siblings_of_parent)


def test_scores_of_many_pairs_are_those_of_each() -> None:
    first, second = np.random.default_rng(3).integers(len(TREE), size=(2, 50))
    scores = TREE.is_a_of_rows(first, second)
    pairs = zip(first, second, strict=True)
    each = [TREE.is_a(TREE.words[a], TREE.words[b]) for a, b in pairs]
    np.testing.assert_allclose(scores, each, atol=1e-6)


def test_scores_do_not_depend_on_the_scale() -> None:
    radii, distances = np.array([3.0, 2.0]), np.array(1.5)
    once = is_a_scores(radii[0], radii[1], distances)
    np.testing.assert_allclose(is_a_scores(7 * radii[0], 7 * radii[1], 7 * distances), once)
    assert is_a_scores(np.array(0.0), np.array(0.0), np.array(0.0)) == 0.0


# -- ancestors and descendants


@given(words, st.integers(1, 30))
def test_ancestors_are_broader_and_descendants_are_narrower(word: str, count: int) -> None:
    above, below = TREE.ancestors(word, count), TREE.descendants(word, count)
    assert all(relative.radius < TREE.radius(word) for relative in above)
    assert all(relative.radius > TREE.radius(word) for relative in below)
    for listed in (above, below):
        scores = [relative.score for relative in listed]
        assert scores == pytest.approx(sorted(scores, reverse=True))
        assert len(listed) <= count
        assert word not in [relative.word for relative in listed]
    for relative in above[:3]:
        assert relative.score == pytest.approx(TREE.is_a(word, relative.word), abs=1e-6)
        assert relative.distance == pytest.approx(TREE.distance(word, relative.word))
    for relative in below[:3]:
        assert relative.score == pytest.approx(TREE.is_a(relative.word, word), abs=1e-6)


def test_the_first_ancestor_is_the_parent_and_the_first_descendants_are_children() -> None:
    for word, parent in EDGES:
        assert TREE.ancestors(word)[0].word == parent
    for parent in set(PARENTS.values()):
        children = {word for word, other in EDGES if other == parent}
        assert {relative.word for relative in TREE.descendants(parent, 3)} == children


def test_the_root_has_no_ancestors_and_a_leaf_no_descendants() -> None:
    assert TREE.ancestors("r") == []
    assert TREE.descendants(TREE.generality()[-1].word) == []


def test_a_point_has_ancestors_too() -> None:
    of_word, of_point = TREE.ancestors("r.0.1", 3), TREE.ancestors(TREE["r.0.1"], 4)
    assert {relative.word for relative in of_word} <= {relative.word for relative in of_point}


# -- lowest common ancestors


@given(words)
def test_the_lowest_common_ancestor_of_a_word_with_itself_is_the_word(word: str) -> None:
    assert TREE.lowest_common_ancestor([word]) == word
    assert TREE.lowest_common_ancestor([word, word]) == word


@given(st.lists(words, min_size=2, max_size=4))
def test_a_common_ancestor_is_as_broad_as_all(listed: list[str]) -> None:
    found = TREE.lowest_common_ancestor(listed)
    assert TREE.lowest_common_ancestor(listed[::-1]) == found
    assert all(TREE.radius(found) <= TREE.radius(word) + 1e-9 for word in listed)


@pytest.mark.parametrize(
    ("listed", "common"),
    [
        (["r.0.1.2", "r.0.1.0"], "r.0.1"),
        (["r.2.1.0.0", "r.2.1.0.2"], "r.2.1.0"),
        (["r.1.1", "r.1.0", "r.1.2"], "r.1"),
        (["r.1.1", "r.1"], "r.1"),
        (["r.0", "r.2"], "r"),
    ],
)
def test_lowest_common_ancestors(listed: list[str], common: str) -> None:
    assert TREE.lowest_common_ancestor(listed) == common
    assert TREE.lowest_common_ancestor([TREE[word] for word in listed[:1]] + listed[1:]) == common  # type: ignore[operator]


def test_a_point_broader_than_all_words_has_the_broadest_word() -> None:
    around = WordVectors(["a", "b"], [[1.0, 0.0], [-2.0, 0.0]])
    assert around.lowest_common_ancestor([[0.0, 0.0, 1.0]]) == "a"


# -- trees


def test_the_tree_of_all_words_is_the_true_one() -> None:
    tree = TREE.tree()
    assert tree.parents == PARENTS
    assert (tree.root, tree.depth, len(tree)) == ("r", 4, len(TREE))
    assert tree.depths.tolist() == depths(tree.words).tolist()
    assert repr(tree) == "<Tree: 121 words, depth 4>"


def test_the_tree_of_some_words_has_their_ancestors() -> None:
    tree = TREE.tree(["r.0.1", "r.2"])
    assert set(tree.words) == {"r", "r.0", "r.0.1", "r.2"}
    assert tree.parents == {"r.0": "r", "r.2": "r", "r.0.1": "r.0"}


def test_the_broadest_words_make_a_tree() -> None:
    tree = TREE.tree(count=13)
    assert {word.count(".") for word in tree.words} == {0, 1, 2}
    assert tree.parents == {word: PARENTS[word] for word in tree.words if word != "r"}
    assert len(TREE.tree(count=10**6)) == len(TREE)


def test_a_drawing_has_each_word_below_its_parent() -> None:
    two = hyperskip.Tree(("a", "b", "c", "d"), np.array([-1, 0, 0, 1]))
    assert str(two) == "a\n├── b\n│   └── d\n└── c"
    chain = hyperskip.Tree(tuple(map(str, range(5000))), np.arange(-1, 4999))
    assert sum(1 for _ in chain.lines()) == 5000  # deeper than Python's stack


def test_a_tree_as_json_and_as_a_graph() -> None:
    tree = TREE.tree(count=13)
    assert json.loads(json.dumps(tree.to_dict())) == {"root": "r", "parents": tree.parents}
    graph = tree.to_networkx()
    assert list(graph.edges) == tree.pairs
    assert networkx.is_tree(graph)
    assert list(TREE.tree(["r"]).to_networkx()) == ["r"]


def test_a_graph_of_a_tree_requires_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MissingPackageError, match=naming("networkx")):
        TREE.tree(["r"]).to_networkx()


@pytest.mark.parametrize("vectors", [RANDOM, PRODUCT], ids=["random", "product"])
def test_any_vectors_make_one_tree(vectors: WordVectors) -> None:
    tree = vectors.tree()
    assert len(tree) == len(vectors)
    assert tree.root == vectors.generality()[0].word
    assert (tree.parent_positions[1:] >= 0).all()
    assert (tree.parent_positions < np.arange(len(tree))).all()


def test_trees_of_a_product_space() -> None:
    assert PRODUCT.tree().parents == PARENTS
    assert PRODUCT.is_a("r.0.1", "r.0") == pytest.approx(TREE.is_a("r.0.1", "r.0"), abs=1e-6)


def test_words_at_the_same_point_make_a_tree() -> None:
    same = WordVectors(["a", "b", "c"], np.zeros((3, 2)))
    assert same.tree().parents == {"b": "a", "c": "a"}
    assert same.is_a("a", "b") == 0.0
    assert same.ancestors("b") == []


# -- the search for parents


def plain_parent(vectors: WordVectors, row: int) -> int:
    """The parent of a word, from the distances of all broader words."""
    wider = np.flatnonzero(vectors.ranks < vectors.ranks[row])
    if not len(wider):
        return -1
    distances = vectors.distance_of_rows(np.full(len(wider), row), wider)
    near = wider[np.argsort(distances, kind="stable")][:16]
    lengths = np.sort(distances)[:16]
    ends = [i for i in range(len(near) - 1) if lengths[i] <= 1.5 * lengths[0]]
    last = max(ends, key=lambda i: lengths[i + 1] ** 4 - lengths[i] ** 4, default=0)
    kept = near[: last + 1]
    return int(max(kept, key=lambda other: vectors.ranks[other]))


@pytest.mark.parametrize("cells", [1 << 23, 1000])
@pytest.mark.parametrize("group", [32, 4])
def test_parents_are_those_of_all_distances(
    cells: int, group: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broader, "_CELLS_AT_ONCE", cells)
    monkeypatch.setattr(broader, "_GROUP", group)
    search = BroaderWords(RANDOM.space, RANDOM.coordinates, RANDOM.ranks)
    rows = np.random.default_rng(2).permutation(len(RANDOM))
    expected = [plain_parent(RANDOM, row) for row in rows.tolist()]
    assert search.parents(rows).tolist() == expected


@given(st.integers(1, 300), st.integers(1, 5), st.integers(0, 9))
def test_the_greatest_columns(width: int, count: int, seed: int) -> None:
    products = np.random.default_rng(seed).normal(size=(3, width))
    found = np.sort(np.take_along_axis(products, greatest_columns(products, count), axis=1), axis=1)
    np.testing.assert_array_equal(found, np.sort(products, axis=1)[:, -count:])


def test_near_words_end_at_the_widest_gap() -> None:
    distances = np.array(
        [
            [1.0, 1.1, 1.2, 3.0],
            [1.0, 2.0, 3.0, 4.0],  # the second is too far away
            [2.0, np.inf, np.inf, np.inf],
        ]
    )
    ranks = np.array([[2, 1, 3, 4], [1, 2, 3, 4], [1, 2, 3, 4]])
    assert narrowest_of_near(distances, ranks).tolist() == [2, 0, 0]
    assert narrowest_of_near(distances[:, :1], ranks[:, :1]).tolist() == [0, 0, 0]


# -- errors


@pytest.mark.parametrize(
    "question",
    [
        lambda: FLAT.ancestors("a"),
        lambda: FLAT.descendants("a"),
        lambda: FLAT.is_a("a", "b"),
        lambda: FLAT.is_a_of_rows(np.array([0]), np.array([1])),
        lambda: FLAT.lowest_common_ancestor(["a"]),
        lambda: FLAT.tree(),
    ],
)
def test_euclidean_vectors_have_no_hierarchy(question: object) -> None:
    with pytest.raises(GeometryError, match=naming("euclidean", "add_hierarchy")):
        question()  # type: ignore[operator]


def test_wrong_questions() -> None:
    with pytest.raises(OptionError, match=naming("words", "count")):
        TREE.tree(["r"], count=3)
    with pytest.raises(InputError, match=naming("words")):
        TREE.tree([])
    with pytest.raises(InputError, match=naming("vocabulary")):
        WordVectors([], np.zeros((0, 2))).lowest_common_ancestor([[0.0, 0.0, 1.0]])
    with pytest.raises(InputError, match=naming("words", "empty")):
        TREE.lowest_common_ancestor([])
    with pytest.raises(InputError, match=naming("list", "'r.0'")):
        TREE.lowest_common_ancestor("r.0")
    with pytest.raises(UnknownWordError):
        TREE.ancestors("s")
    with pytest.raises(InputError, match=naming("is_a_of_rows")):
        TREE.is_a(["r.0", "r.1"], "r")


# -- commands


@pytest.fixture
def model(tmp_path: Path) -> Path:
    TREE.save(tmp_path / "tree.safetensors")
    return tmp_path / "tree.safetensors"


def test_commands_list_ancestors_and_descendants(program: Program, model: Path) -> None:
    result = program("ancestors", model, "r.0.1", "r.2", "-n", 2, "--json")
    expected = {word: TREE.ancestors(word, 2) for word in ("r.0.1", "r.2")}
    plain = {word: [item._asdict() for item in listed] for word, listed in expected.items()}
    assert json.loads(result.out) == plain
    table = program("ancestors", model, "r.0.1").out.splitlines()
    assert table[0].split("\t") == ["r.0.1", "score", "distance", "radius"]
    assert table[1].startswith("r.0\t")
    below = program("descendants", model, "r.0.1", "-n", 3).out.splitlines()[1:]
    assert {line.split("\t")[0] for line in below} == {"r.0.1.0", "r.0.1.1", "r.0.1.2"}


def test_the_command_of_a_score(program: Program, model: Path) -> None:
    scores = json.loads(program("is-a", model, "r.0.1", "r.0", "r.2", "--json").out)
    assert scores == {
        "node": "r.0.1",
        "scores": {other: TREE.is_a("r.0.1", other) for other in ("r.0", "r.2")},
    }
    assert program("is-a", model, "r.0.1", "r.0").out.startswith("r.0.1\tscore\nr.0\t0.")


def test_the_command_of_a_tree(program: Program, model: Path, tmp_path: Path) -> None:
    drawn = program("tree", model, "r.0.1").out
    assert drawn == "r\n└── r.0\n    └── r.0.1\n"
    as_json = json.loads(program("tree", model, "-n", 4, "--json").out)
    assert as_json == TREE.tree(count=4).to_dict()
    for name in ("tree.txt", "tree.json"):
        result = program("tree", model, "-o", tmp_path / name)
        assert result.out == ""
        assert name in result.err
    assert (tmp_path / "tree.txt").read_text(encoding="utf-8") == f"{TREE.tree()}\n"
    assert json.loads((tmp_path / "tree.json").read_text()) == TREE.tree().to_dict()
    program("tree", model, "-o", tmp_path / "tree.png").check_refused("--output", ".txt", ".json")
    program("tree", model, "r", "-n", 3).check_refused("--count")


def test_commands_warn_of_a_plain_model(program: Program, model: Path, tmp_path: Path) -> None:
    graph = tmp_path / "graph.safetensors"
    WordVectors(TREE.words, TREE.coordinates, options={"edge_count": len(EDGES)}).save(graph)
    for command in ("ancestors", "descendants", "is-a", "tree"):
        plain, of_graph = (program(command, path, "r.0.1", "r.0") for path in (model, graph))
        assert (plain.code, plain.out) == (of_graph.code, of_graph.out)
        assert plain.err.startswith("warning: this model has no hierarchy")
        assert plain.err.count("\n") == 1
        assert "`hyperskip train --hierarchy`" in plain.err
        assert of_graph.err == ""
