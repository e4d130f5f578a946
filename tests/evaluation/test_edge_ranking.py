"""Mean rank and MAP of edges: known answers, ties, and agreement with slow twins."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from hyperskip.evaluation.edges import kernel, reference
from hyperskip.evaluation.edges.adjacency import Adjacency, adjacency
from hyperskip.evaluation.edges.counts import Counts, count_on_cores
from hyperskip.evaluation.edges.ranking import RankingScore, rank_edges
from hyperskip.evaluation.edges.separations import placed, separations_of_pairs
from hyperskip.geometry import hyperboloid
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.spaces import Space, space_named

SPACES = {
    "hyperboloid": space_named("hyperboloid"),
    "product": space_named("hyperboloid", factors=2),
    "euclidean": space_named("euclidean"),
}
EUCLIDEAN, HYPERBOLOID = SPACES["euclidean"], SPACES["hyperboloid"]
NOTHING: Rows = np.empty((0, 2), dtype=np.int64)


def ranked(space: Space, points: npt.ArrayLike, edges: npt.ArrayLike, **more: Any) -> RankingScore:
    coordinates = np.asarray(points, dtype=np.float32)
    score = rank_edges(space, coordinates, np.asarray(edges, dtype=np.int64), **more)
    assert score is not None
    return score


def on_a_line(*numbers: float) -> list[list[float]]:
    return [[number, 0.0] for number in numbers]


@st.composite
def graphs_in_space(draw: st.DrawFn) -> tuple[str, Floats, Rows, Rows]:
    """A space, points of it (some are the same), edges, and known edges."""
    name = draw(st.sampled_from(sorted(SPACES)))
    nodes = draw(st.integers(2, 40))
    dimension = draw(st.sampled_from([2, 4, 6, 10]))
    generator = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    points = generator.normal(0, draw(st.sampled_from([0.1, 1.0, 30.0])), (nodes, dimension))
    if draw(st.booleans()):
        points = points[generator.integers(0, nodes, nodes)]
    edges = generator.integers(0, nodes, (draw(st.integers(1, 100)), 2))
    known = generator.integers(0, nodes, (draw(st.integers(0, 50)), 2))
    return name, points.astype(np.float32), edges, known


def counts_of_twin(points: Any, by_source: Adjacency) -> npt.NDArray[np.int64]:
    found = []
    for i, source in enumerate(by_source.sources.tolist()):
        targets = by_source.targets[by_source.starts[i] : by_source.starts[i + 1]]
        others = by_source.others[by_source.other_starts[i] : by_source.other_starts[i + 1]]
        found += reference.count_nearer(points, source, targets, others)
    return np.array(found, dtype=np.int64).reshape(-1, 3)


@given(graphs_in_space())
def test_the_kernel_counts_as_its_twin(given_graph: tuple[str, Floats, Rows, Rows]) -> None:
    name, coordinates, edges, known = given_graph
    points = placed(SPACES[name], coordinates)
    by_source = adjacency(edges, known, len(coordinates))
    counts = count_on_cores(points, by_source, lambda _: None)
    assert np.array_equal(np.array(counts).T, counts_of_twin(points, by_source))


@given(graphs_in_space())
def test_pytorch_counts_as_the_kernel(given_graph: tuple[str, Floats, Rows, Rows]) -> None:
    torch = pytest.importorskip("torch")
    from hyperskip.evaluation.edges.gpu import count_on_device

    name, coordinates, edges, known = given_graph
    points = placed(SPACES[name], coordinates)
    by_source = adjacency(edges, known, len(coordinates))
    if not len(by_source.sources):
        return
    counts = count_on_cores(points, by_source, lambda _: None)
    device = torch.device("cpu")
    for cells in (1, 100, 1 << 20):
        others = count_on_device(points, by_source, device, lambda _: None, cells_at_once=cells)
        assert np.array_equal(np.array(counts), np.array(others))


def test_many_nodes_and_targets_are_counted_in_tiles() -> None:
    """More nodes than a tile, more sources than a block, and a source with many targets."""
    generator = np.random.default_rng(1)
    coordinates = generator.normal(0, 1, (1500, 3)).round(1).astype(np.float32)
    edges = generator.integers(0, 1500, (300, 2))
    edges[:100, 0] = 7
    for space in (HYPERBOLOID, EUCLIDEAN):
        points = placed(space, coordinates)
        by_source = adjacency(edges, edges[50:90], len(coordinates))
        counts = count_on_cores(points, by_source, lambda _: None)
        assert np.array_equal(np.array(counts).T, counts_of_twin(points, by_source))


def test_the_kernel_without_the_compiler() -> None:
    """The Python source of the kernel, as a debugger runs it, gives the same counts."""
    coordinates = np.random.default_rng(2).normal(0, 1, (30, 2)).astype(np.float32)
    points = placed(HYPERBOLOID, coordinates)
    by_source = adjacency(np.array([[0, 1], [0, 2], [3, 4]]), np.array([[0, 5]]), 30)
    counts = Counts.of_edges(3)
    kernel.count_nearer.py_func(tuple(points), *by_source, 0, 2, *counts)
    assert np.array_equal(np.array(counts).T, counts_of_twin(points, by_source))


def their_reconstruction(distances: Floats, targets: dict[int, set[int]]) -> tuple[float, float]:
    """Nickel and Kiela's protocol, literally: each target among all nodes that are not targets."""
    ranks, precisions = [], []
    for node, true in targets.items():
        from_node = distances[node].copy()
        from_node[node] = 1e12
        is_true = np.isin(np.arange(len(distances)), list(true))
        for target in true:
            alone = np.where(is_true, np.inf, from_node)
            alone[target] = from_node[target]
            ranks.append(np.argsort(alone, kind="stable").tolist().index(target) + 1)
        precisions.append(average_precision_score(is_true, -from_node))
    return float(np.mean(ranks)), float(np.mean(precisions))


@pytest.mark.parametrize("name", SPACES)
def test_the_score_is_that_of_the_protocol(name: str) -> None:
    generator = np.random.default_rng(3)
    coordinates = generator.normal(0, 2, (50, 6)).astype(np.float32)
    edges = np.array([edge for edge in generator.integers(0, 50, (200, 2)) if edge[0] != edge[1]])
    space = SPACES[name]
    points = space.points(coordinates)
    if space.is_curved:
        distances = space.distance(points[:, None], points[None])
    else:
        distances = np.linalg.norm(points[:, None] - points[None], axis=-1)
    targets: dict[int, set[int]] = {}
    for source, target in edges.tolist():
        targets.setdefault(source, set()).add(target)
    score = ranked(space, coordinates, edges)
    expected = their_reconstruction(distances, targets)
    assert (score.mean_rank, score.mean_average_precision) == pytest.approx(expected, abs=1e-12)
    assert score.edges == sum(map(len, targets.values()))
    assert score.sources == len(targets)


@given(graphs_in_space())
def test_separations_order_pairs_as_distances(
    given_graph: tuple[str, Floats, Rows, Rows],
) -> None:
    name, coordinates, edges, _ = given_graph
    space = SPACES[name]
    found = separations_of_pairs(placed(space, coordinates), *edges.T)
    first, second = (space.points(coordinates[rows]) for rows in edges.T)
    if name == "hyperboloid":
        expected = 4.0 * np.sinh(space.distance(first, second) / 2.0) ** 2
    elif name == "product":
        expected = space.distance(first, second) ** 2
    else:
        expected = np.sum((first - second) ** 2, axis=-1)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("radius", [0.0, 3.0, 9.0, 16.0])
def test_separations_do_not_cancel_far_out(radius: float) -> None:
    """Two points that differ in the last bit of a coordinate have the right separation."""
    at = np.float32(np.sinh(radius))
    points = np.array([[at, 1.0], [np.nextafter(at, np.float32(np.inf)), 1.0]], dtype=np.float32)
    (found,) = separations_of_pairs(placed(HYPERBOLOID, points), np.array([0]), np.array([1]))
    distance = float(hyperboloid.distance(*hyperboloid.from_spatial(points)))
    assert found == pytest.approx(4.0 * np.sinh(distance / 2.0) ** 2, rel=1e-5)


# -- known answers


def test_a_path_in_order_is_perfect() -> None:
    edges = [[0, 1], [1, 2], [2, 3], [1, 0], [2, 1], [3, 2]]
    score = ranked(EUCLIDEAN, on_a_line(0, 1, 2, 3), edges)
    assert (score.mean_rank, score.mean_average_precision) == (1, 1)


def test_each_nearer_node_counts() -> None:
    """From 0, the nodes 1 and 2 are nearer than the target 3; with 1 as a target, only 2 is."""
    points = on_a_line(0, 1, 2, 3)
    assert ranked(EUCLIDEAN, points, [[0, 3]]).mean_rank == 3
    assert ranked(EUCLIDEAN, points, [[0, 3]]).mean_average_precision == pytest.approx(1 / 3)
    both = ranked(EUCLIDEAN, points, [[0, 3], [0, 1]])
    assert both.mean_rank == 1.5
    assert both.mean_average_precision == pytest.approx((1 + 2 / 3) / 2)


def test_the_mean_rank_is_over_edges_and_the_precision_over_nodes() -> None:
    points = on_a_line(0, 1, 2, 3)
    score = ranked(EUCLIDEAN, points, [[0, 1], [0, 2], [3, 0]])
    assert score.mean_rank == pytest.approx((1 + 1 + 3) / 3)
    assert score.mean_average_precision == pytest.approx((1 + 1 / 3) / 2)
    assert (score.edges, score.sources) == (3, 2)


def test_a_star_around_its_root_is_perfect() -> None:
    """Leaves on a circle far out are nearer to the root than to each other."""
    angles = np.arange(8) * np.pi / 4
    leaves = np.sinh(4.0) * np.column_stack((np.cos(angles), np.sin(angles)))
    points = np.concatenate((np.zeros((1, 2)), leaves))
    score = ranked(HYPERBOLOID, points, [[leaf, 0] for leaf in range(1, 9)])
    assert (score.mean_rank, score.mean_average_precision) == (1, 1)


def test_a_tree_embedded_with_long_edges_is_perfect() -> None:
    """Sarkar's construction: the three edges of a node are 120 degrees apart."""
    places, edges = [0j, complex(np.tanh(1.5))], [[0, 1], [1, 0]]
    for child in range(2, 14):
        parent = (child - 2) // 2  # 0 and 1 have two children each, and so on
        back = next(end for start, end in edges if start == parent)
        seen = (places[back] - places[parent]) / (1 - np.conj(places[parent]) * places[back])
        turn = np.exp((1 if child % 2 else -1) * 2j * np.pi / 3)
        step = np.tanh(1.5) * seen / abs(seen) * turn
        places.append((step + places[parent]) / (1 + np.conj(places[parent]) * step))
        edges += [[child, parent], [parent, child]]
    points = [2 * np.array([z.real, z.imag]) / (1 - abs(z) ** 2) for z in places]
    score = ranked(HYPERBOLOID, points, edges)
    assert (score.mean_rank, score.mean_average_precision) == (1, 1)


def test_nodes_at_the_same_distance_count_half_in_ranks_and_fully_in_precisions() -> None:
    """From 0, the target 1 and the nodes -1 and -1 are equally far."""
    score = ranked(EUCLIDEAN, on_a_line(0, 1, -1, -1), [[0, 1]])
    assert score.mean_rank == 2
    assert score.mean_average_precision == pytest.approx(1 / 3)


@pytest.mark.parametrize("name", SPACES)
def test_a_collapsed_model_is_as_good_as_chance(name: str) -> None:
    """All points are the same, so every order of nodes is possible."""
    edges = [[child, child // 2] for child in range(1, 51)]
    score = ranked(SPACES[name], np.ones((51, 4)), edges)
    assert score.mean_rank == 1 + 49 / 2
    assert score.mean_average_precision == pytest.approx(1 / 50)


def test_copies_of_edges_and_self_loops_change_nothing() -> None:
    points = np.random.default_rng(4).normal(0, 1, (9, 2))
    edges = [[0, 1], [0, 2], [5, 1]]
    assert ranked(HYPERBOLOID, points, edges) == ranked(
        HYPERBOLOID, points, [*edges, [0, 1], [4, 4], [0, 0]]
    )


def test_known_edges_are_neither_ranked_nor_counted() -> None:
    points = on_a_line(0, 1, 2, 3)
    score = ranked(EUCLIDEAN, points, [[0, 3]], known=np.array([[0, 1], [0, 3], [0, 0], [1, 2]]))
    assert (score.mean_rank, score.edges) == (2, 1)
    assert score.mean_average_precision == 0.5


def test_no_edges_have_no_score() -> None:
    points = np.zeros((3, 2), dtype=np.float32)
    assert rank_edges(HYPERBOLOID, points, NOTHING) is None
    assert rank_edges(HYPERBOLOID, points, np.array([[1, 1]])) is None
    assert rank_edges(HYPERBOLOID, points[:0], NOTHING) is None


def test_the_only_other_node_has_rank_1() -> None:
    score = ranked(HYPERBOLOID, [[0.0, 1.0], [3.0, 0.0]], [[0, 1]])
    assert (score.mean_rank, score.mean_average_precision) == (1, 1)


def test_progress_is_reported_up_to_the_end() -> None:
    shares: list[float] = []
    edges = [[child, 0] for child in range(1, 100)]
    ranked(
        HYPERBOLOID, np.random.default_rng(5).normal(0, 1, (100, 2)), edges, report=shares.append
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1
