"""Pictures of the nodes and edges of a graph."""

import json
import re
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.errors import GraphError, OptionError, UnknownWordError
from hyperskip.pictures.request.choice import NO_GROUP

BRANCHES = ("dog", "cat", "bird")
NAMES = ["animal", *BRANCHES, *(f"{branch}{i}" for branch in BRANCHES for i in range(6))]
PAIRS = [(branch, "animal") for branch in BRANCHES]
PAIRS += [(name, name[:-1]) for name in NAMES[4:]]
CLOSURE = [*PAIRS, *((name, "animal") for name in NAMES[4:])]


def tree_vectors(names: list[str] = NAMES, step: float = 1.0) -> WordVectors:
    """The tree in the hyperbolic plane, its root away from the base point, and two more words."""
    rng = np.random.default_rng(3)
    radii = np.array([0.0, *[step] * 3, *[2 * step] * 18, 0.5, 0.7])
    angles = rng.uniform(0, 2 * np.pi, len(radii))
    points = np.sinh(radii)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return WordVectors(
        [*names, "stone", "sand"], (points + np.array([0.3, 0.2])).astype(np.float32)
    )


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    return tree_vectors()


def scene_of(vectors: WordVectors, **asked: Any) -> Any:
    return vectors.plot(**asked).scene


@pytest.mark.parametrize(
    "edges",
    [PAIRS, CLOSURE, dict(PAIRS), networkx.DiGraph(CLOSURE)],
    ids=["pairs", "closure", "dict", "networkx"],
)
def test_direct_edges_with_the_root_in_the_middle(vectors: WordVectors, edges: Any) -> None:
    scene = scene_of(vectors, edges=edges)
    assert scene.words[0] == "animal"
    assert set(scene.words) == set(NAMES)
    assert set(scene.words[1:4]) == set(BRANCHES)
    drawn = {(scene.words[child], scene.words[parent]) for child, parent in scene.edges}
    assert drawn == set(PAIRS)
    assert np.linalg.norm(scene.places[0]) == pytest.approx(0, abs=1e-6)
    assert scene.is_exact
    assert scene.importance[0] == 1
    assert scene.importance[-1] == 0
    assert [scene.depths[scene.words.index(name)] for name in ("animal", "dog", "dog3")] == [
        0,
        1,
        2,
    ]


def test_distances_are_those_of_the_model(vectors: WordVectors) -> None:
    scene = scene_of(vectors, edges=PAIRS, center="cat2")
    row = {word: i for i, word in enumerate(scene.words)}
    assert np.linalg.norm(scene.places[row["cat2"]]) == pytest.approx(0, abs=1e-6)
    for word in ("animal", "dog1"):
        distance = 2 * np.arctanh(np.linalg.norm(scene.places[row[word]]))
        expected = scene.scale * vectors.distance("cat2", word)
        assert distance == pytest.approx(expected, abs=1e-4)


def test_branches_are_the_groups(vectors: WordVectors) -> None:
    scene = scene_of(vectors, edges=PAIRS)
    assert set(scene.group_names) == set(BRANCHES)
    of = dict(zip(scene.words, scene.groups, strict=True))
    assert of["animal"] == NO_GROUP
    assert scene.group_names[of["bird"]] == scene.group_names[of["bird5"]] == "bird"


def test_the_legend_names_branches_of_drawn_nodes_only(vectors: WordVectors) -> None:
    scene = scene_of(vectors, edges=PAIRS, words=["animal", "bird", "bird5"])
    assert scene.group_names == ("bird",)
    assert scene.groups == (NO_GROUP, 0, 0)


def test_depths_are_shown_if_no_branch_is_drawn() -> None:
    chain = [(str(i), str(i + 1)) for i in range(9)]
    vectors = WordVectors([str(i) for i in range(10)], np.eye(10, 2, dtype=np.float32))
    assert scene_of(vectors, edges=chain).groups is not None
    scene = scene_of(vectors, edges=chain, count=3)
    assert scene.words == ("9", "8", "7")
    assert scene.groups is None
    assert scene.by_depth


def test_other_colors(vectors: WordVectors) -> None:
    by_depth, by_radius = (scene_of(vectors, edges=PAIRS, color=c) for c in ("depth", "radius"))
    assert by_depth.groups is by_radius.groups is None
    assert by_depth.numbers.tolist() == by_depth.depths.tolist()
    assert by_radius.numbers.tolist() == by_radius.radii.tolist()


def test_nodes_far_out_are_drawn_closer_to_the_center() -> None:
    scene = scene_of(tree_vectors(step=4.0), edges=PAIRS)
    assert 0.3 < scene.scale < 0.8
    assert not scene.is_exact
    lengths = np.linalg.norm(scene.places, axis=1)
    assert lengths.max() < 0.98
    radius = 2 * np.arctanh(lengths[scene.words.index("dog")])
    distance = tree_vectors(step=4.0).distance("animal", "dog")
    assert radius == pytest.approx(scene.scale * distance, rel=1e-3)


def test_some_nodes_only(vectors: WordVectors) -> None:
    assert len(scene_of(vectors, edges=CLOSURE, count=4).words) == 4
    scene = scene_of(vectors, edges=CLOSURE, words=["dog3", "dog", "dog4", "cat1"])
    assert scene.words[0] == "dog"
    drawn = {(scene.words[child], scene.words[parent]) for child, parent in scene.edges}
    assert drawn == {("dog3", "dog"), ("dog4", "dog")}


@pytest.mark.parametrize("edges", [PAIRS, CLOSURE], ids=["pairs", "closure"])
def test_edges_skip_nodes_that_are_not_shown(vectors: WordVectors, edges: Any) -> None:
    scene = scene_of(vectors, edges=edges, words=["dog3", "animal", "cat", "cat1"])
    drawn = {(scene.words[child], scene.words[parent]) for child, parent in scene.edges}
    assert drawn == {("dog3", "animal"), ("cat", "animal"), ("cat1", "cat")}


def test_undirected_edges(vectors: WordVectors) -> None:
    scene = scene_of(vectors, edges=PAIRS, directed=False)
    assert scene.depths is scene.groups is None
    assert len(scene.edges) == len(PAIRS)
    with pytest.raises(OptionError, match=naming("color='branch'", "directed")):
        vectors.plot(edges=PAIRS, directed=False, color="branch")


def test_labels_of_synsets_are_words() -> None:
    synsets = {name: f"{name}.n.01" for name in NAMES}
    named = tree_vectors([synsets[name] for name in NAMES])
    scene = scene_of(named, edges=[(synsets[a], synsets[b]) for a, b in PAIRS])
    assert scene.words[0] == "animal.n.01"
    assert set(scene.labels) == set(NAMES)
    assert set(scene.group_names) == set(BRANCHES)


def test_more_dimensions_are_projected(trained: WordVectors) -> None:
    pairs = [("dog", "animal"), ("cat", "animal"), ("car", "vehicle"), ("bus", "vehicle")]
    scene = scene_of(trained, edges=pairs, center="cat")
    assert not scene.is_exact
    assert np.linalg.norm(scene.places[scene.words.index("cat")]) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("color", ["branch", "depth", "radius"])
@pytest.mark.parametrize("dark", [False, True])
def test_images(vectors: WordVectors, tmp_path: Path, color: str, dark: bool) -> None:
    path = tmp_path / "tree.svg"
    vectors.plot(edges=CLOSURE, color=color, dark=dark, path=path)
    text = path.read_text()
    curves = sum(len(re.findall(r"\bC\b|\bL\b", d)) for d in re.findall(r' d="([^"]*)"', text))
    assert curves >= len(PAIRS)


def test_a_page_has_the_edges_and_depths(vectors: WordVectors, tmp_path: Path) -> None:
    path = tmp_path / "tree.html"
    scene = scene_of(vectors, edges=CLOSURE, path=path)
    found = re.search(r'id="data">(.*?)</script>', path.read_text(encoding="utf-8"))
    assert found is not None
    data = json.loads(found[1])
    assert len(data["edges"]) == len(PAIRS)
    assert data["depths"] == scene.depths.tolist()
    assert data["importance"][0] == 1
    assert data["labels"] == data["words"]


def test_nodes_that_the_model_does_not_have_are_named(vectors: WordVectors) -> None:
    scene = scene_of(vectors, edges=[*PAIRS, ("fish", "animal"), ("trout", "fish")])
    assert set(scene.left_out) == {"fish", "trout"}
    with pytest.raises(GraphError, match=naming("fish", "trout")):
        vectors.plot(edges=[("trout", "fish")])
    with pytest.raises(UnknownWordError, match=naming("fish")):
        vectors.plot(edges=PAIRS, center="fish")


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        ({"edges": PAIRS, "near": "dog"}, ("edges", "near")),
        ({"edges": PAIRS, "analogy": ("dog", "cat", "bird")}, ("edges", "analogy")),
        ({"edges": PAIRS, "categories": {"dog": "a"}}, ("edges", "categories")),
        ({"color": "radius", "near": "dog"}, ("color", "near")),
        ({"color": "depth"}, ("color='depth'", "edges")),
        ({"color": "branch"}, ("color='branch'", "edges")),
        ({"edges": PAIRS, "color": "blue"}, ("color", "radius", "depth", "branch")),
        ({"columns": "a,b"}, ("columns", "edges")),
        ({"order": "parent-child"}, ("order", "edges")),
        ({"edges": PAIRS, "order": "sideways"}, ("order", "child-parent")),
    ],
)
def test_contradictions_are_refused(
    vectors: WordVectors, asked: dict[str, Any], named: tuple[str, ...]
) -> None:
    with pytest.raises(OptionError, match=naming(*named)):
        vectors.plot(**asked)


@pytest.mark.parametrize("edges", [5, "missing.tsv", [], [("dog",)], b"dog"])
def test_bad_edges_are_refused(vectors: WordVectors, edges: Any) -> None:
    from hyperskip.errors import CorpusError

    with pytest.raises(CorpusError):
        vectors.plot(edges=edges)


def test_the_word_in_the_middle_of_other_pictures(vectors: WordVectors) -> None:
    scene = scene_of(vectors, center="stone")
    assert np.linalg.norm(scene.places[scene.words.index("stone")]) == pytest.approx(0, abs=1e-6)


def test_a_tree_of_the_model_is_drawn(vectors: WordVectors) -> None:
    tree = vectors.tree()
    scene = scene_of(vectors, edges=tree)
    drawn = {(scene.words[child], scene.words[parent]) for child, parent in scene.edges}
    assert drawn == set(tree.pairs)
