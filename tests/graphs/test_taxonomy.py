"""Parents, children, paths and branches of a taxonomy, with known answers."""

import networkx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hyperskip.graphs.closure import transitive_closure
from hyperskip.graphs.graph_reading import read_graph
from hyperskip.graphs.node_names import labels_of
from hyperskip.graphs.taxonomy import NO_NODE, Taxonomy

PAIRS = [
    ("mammal", "animal"), ("bird", "animal"), ("dog", "mammal"), ("cat", "mammal"),
    ("puppy", "dog"), ("poodle", "dog"), ("robin", "bird"), ("pet", "animal"), ("dog", "pet"),
    ("hound", "dog"), ("eagle", "bird"), ("owl", "bird"), ("house cat", "cat"),
]  # fmt: skip


def taxonomy_of(pairs: list[tuple[str, str]]) -> Taxonomy:
    return Taxonomy(read_graph(pairs))


def named(taxonomy: Taxonomy, nodes: list[int]) -> list[str]:
    return [taxonomy.graph.names[node] for node in nodes]


def test_parents_children_and_paths() -> None:
    animals = Taxonomy(
        transitive_closure(read_graph([*PAIRS, ("husky", "sled dog"), ("sled dog", "dog")]))
    )
    node = animals.graph.names.index
    assert named(animals, animals.roots.tolist()) == ["animal"]
    assert set(named(animals, animals.parents(node("dog")))) == {"mammal", "pet"}
    assert animals.parents(node("dog"))[0] == animals.main_parents[node("dog")]
    assert named(animals, animals.children(node("dog")))[0] == "sled dog"
    assert set(named(animals, animals.children(node("dog")))) == {
        "sled dog",
        "puppy",
        "poodle",
        "hound",
    }
    assert named(animals, animals.path(node("husky")))[2:] == ["dog", "sled dog", "husky"]
    assert animals.depths[node("husky")] == 4
    assert animals.descendants(node("animal")) == len(animals) - 1
    assert animals.descendants(node("pet")) == 6
    assert animals.descendants(node("robin")) == 0


def test_sizes_count_each_node_once_for_each_level() -> None:
    animals = taxonomy_of(PAIRS)
    node = animals.graph.names.index
    assert animals.sizes[node("animal")] == len(animals) - 1
    assert animals.sizes[node("mammal")] + animals.sizes[node("pet")] == 2 + 4
    assert named(animals, animals.by_importance.tolist())[0] == "animal"


def test_the_main_parent_is_the_deepest() -> None:
    both = taxonomy_of([("b", "a"), ("c", "b"), ("e", "a"), ("d", "c"), ("d", "e")])
    assert named(both, both.path(both.graph.names.index("d"))) == ["a", "b", "c", "d"]


def test_a_large_branch_is_divided() -> None:
    """Below the root, one child has almost all nodes; its children are the branches."""
    pairs = [("most", "root"), ("few", "root"), ("f1", "few"), ("f2", "few")]
    for part in ("x", "y", "z"):
        pairs += [(part, "most"), *((f"{part}{i}", part) for i in range(10))]
    tree = taxonomy_of(pairs)
    branches = tree.branches(9)
    assert set(named(tree, list(branches.tops))) == {"x", "y", "z", "few"}
    node = tree.graph.names.index
    assert branches.of_nodes[node("root")] == branches.of_nodes[node("most")] == NO_NODE
    assert tree.graph.names[branches.tops[branches.of_nodes[node("y7")]]] == "y"
    assert len(tree.branches(1).tops) == 1


def test_nodes_without_edges_do_not_hide_branches() -> None:
    graph = read_graph([("b", "a"), ("c", "b"), ("d", "b"), ("e", "a"), ("f", "e")])
    names = (*graph.names, *(f"word{i}" for i in range(5000)))
    tree = Taxonomy(type(graph)(names, graph.sources, graph.targets))
    assert len(tree.branches(5).tops) == 2


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30))
def test_every_node_has_a_path_to_a_root_even_with_cycles(numbers: list[tuple[int, int]]) -> None:
    pairs = [(str(a), str(b)) for a, b in numbers if a != b]
    if not pairs:
        return
    tree = taxonomy_of(pairs)
    graph = networkx.DiGraph(pairs)
    for node, name in enumerate(tree.graph.names):
        path = tree.path(node)
        assert path[0] in tree.roots
        assert len(path) == len(set(path)) <= len(tree)
        assert tree.descendants(node) == len(networkx.ancestors(graph, name))
        assert set(named(tree, tree.children(node))) <= set(graph.predecessors(name))
    assert (tree.sizes[tree.roots] + 1).sum() == len(tree)
    assert tree.branches(4).of_nodes.max() < 4


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=30),
    st.sets(st.integers(0, 9)),
)
def test_edges_among_some_nodes_have_the_same_ancestors(
    numbers: list[tuple[int, int]], chosen: set[int]
) -> None:
    pairs = [(str(a), str(b)) for a, b in numbers if a != b]
    if not pairs:
        return
    tree = taxonomy_of(pairs)
    names = tree.graph.names
    nodes = np.array([i for i, name in enumerate(names) if int(name) in chosen], dtype=np.int64)
    among = tree.among(nodes)
    found = networkx.DiGraph(
        (names[a], names[b]) for a, b in zip(among.sources, among.targets, strict=True)
    )
    graph = networkx.DiGraph(pairs)
    for node in nodes:
        name = names[node]
        expected = {other for other in networkx.descendants(graph, name) if int(other) in chosen}
        assert (networkx.descendants(found, name) if name in found else set()) == expected
    everything = tree.among(np.arange(len(tree)))
    assert set(zip(everything.sources, everything.targets, strict=True)) == set(
        zip(tree.graph.sources, tree.graph.targets, strict=True)
    )


def test_labels_are_short_only_if_all_names_are_synsets() -> None:
    assert labels_of(["dog.n.01", "toy_dog.n.01"]) == ("dog", "toy dog")
    assert labels_of(["dog.n.01", "toy_dog"]) == ("dog.n.01", "toy_dog")
    assert labels_of([]) == ()
