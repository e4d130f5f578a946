"""Ranking on a cluster: nodes train shares of the lists and average points and moments."""

import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from ray_nodes import RayNodes, ray_nodes, ray_settings
from trees import balanced_tree, reconstruction

from hyperskip import WordVectors, embed_graph
from hyperskip.errors import TrainingWarning
from hyperskip.graphs.closure import transitive_closure
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.training.blocks import cut_into_blocks
from hyperskip.training.cluster.node_text import source_of
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining, share_of
from hyperskip.training.cluster.rounds import cut_at_sentences
from hyperskip.training.edge_text import EdgeText, node_levels
from hyperskip.training.parameters import Parameters
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import plan_ranking
from hyperskip.training.run.training_events import NodeLost, OnCluster, TrainingProgress
from hyperskip.training.start.random_positions import random_parameters

TREE = balanced_tree(3, 4)
QUICK: dict[str, Any] = {"dimension": 3, "epochs": 4, "batch": 20, "closure": True}


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def same(one: Parameters, other: Parameters) -> bool:
    assert one.moments is not None
    assert other.moments is not None
    return np.array_equal(one.centers, other.centers) and np.array_equal(one.moments, other.moments)


class Nodes:
    """Nodes in this process that train on a tree, a cycle at a time."""

    def __init__(
        self, count: int, *, fixed: Any = None, weighted: bool = False, **options: Any
    ) -> None:
        graph = transitive_closure(read_graph(TREE, GraphOptions()))
        if weighted:
            weights = np.random.default_rng(1).uniform(0.5, 2.0, graph.edge_count)
            graph = replace(graph, weights=weights)
        self.text = text = EdgeText(graph, {}, seed=1)
        self.plan = plan = plan_ranking(
            RankingOptions(dimension=4, threads=1, **options),
            "cpu",
            nodes=len(text.vocabulary),
            lists=len(text.sentence_starts) - 1,
            weighted=weighted,
        )
        self.levels = node_levels(text.depths)
        counts = text.vocabulary.counts
        self.task = sent(
            NodeTask(plan, counts, 0.0, source_of(text), 4096, fixed, False, self.levels)
        )
        self.start = random_parameters(len(text.vocabulary), plan)
        self.all = [self.node(str(number)) for number in range(count)]
        self.blocks = list(cut_into_blocks(text.sentence_starts, plan.block_size))

    def node(self, name: str) -> NodeTraining:
        return NodeTraining(name, 1, 10**12, self.task, self.start)

    def train(self, epoch: int) -> float:
        """Train each node on its part of an epoch; returns the loss of an edge."""
        starts, count = self.text.sentence_starts, len(self.all)
        parts = cut_at_sentences(self.blocks, count, starts, len(self.blocks))
        sums = [
            node.train(share_of(self.text, epoch, (part,))).sums
            for node, part in zip(self.all, parts, strict=True)
        ]
        pairs = sum(each.pairs for each in sums)
        assert pairs == len(self.text.edges)
        return sum(each.loss for each in sums) / pairs

    def merge(self) -> None:
        count = len(self.all)
        pieces = [sent(node.moved(count, complete=True)) for node in self.all]
        merged = [
            sent(node.merge(*(of_node[index] for of_node in pieces)))
            for index, node in enumerate(self.all)
        ]
        for rank, node in enumerate(self.all):
            node.place(*merged, rank=rank, complete=True)

    def cycle(self, epoch: int) -> float:
        loss = self.train(epoch)
        self.merge()
        for node in self.all:
            node.commit()
        return loss

    def check_same(self) -> Parameters:
        first, *others = (node.parameters() for node in self.all)
        assert all(same(first, other) for other in others)
        return first


@pytest.mark.parametrize("count", [2, 4])
def test_nodes_learn_as_well_as_one_machine(count: int) -> None:
    nodes = Nodes(count, epochs=300)
    for epoch in range(nodes.plan.epochs):
        nodes.cycle(epoch)
    learned = nodes.check_same()
    rank, precision = reconstruction(WordVectors(nodes.text.vocabulary.words, learned.centers))
    assert rank < 1.05
    assert precision > 0.97


@pytest.mark.parametrize("options", [{}, {"weighted": True}, {"geometry": "euclidean"}], ids=str)
def test_every_kind_of_graph_and_space(options: dict[str, Any]) -> None:
    nodes = Nodes(3, epochs=12, batch=20, **options)
    losses = [nodes.cycle(epoch) for epoch in range(12)]
    assert losses[-1] < losses[0]
    nodes.check_same()


def test_points_stay_below_their_ceilings() -> None:
    nodes = Nodes(2, epochs=10, batch=20)
    assert nodes.levels is not None
    for epoch in range(10):
        nodes.cycle(epoch)
        radii = np.arcsinh(np.linalg.norm(nodes.check_same().centers, axis=1))
        assert (radii <= nodes.plan.ceiling_at(epoch, 1.0) * nodes.levels + 1e-5).all()


@pytest.mark.parametrize("progress", ["trained", "merged"])
def test_a_cycle_is_undone_and_repeated(progress: str) -> None:
    nodes, undisturbed = Nodes(2, epochs=3), Nodes(2, epochs=3)
    nodes.cycle(0)
    before = nodes.check_same()
    nodes.train(1)
    assert not same(nodes.all[0].parameters(), before)
    if progress == "merged":
        nodes.merge()
    for node in nodes.all:
        node.undo()
        assert same(node.parameters(), before)
    for epoch in (0, 1):
        undisturbed.cycle(epoch)
    nodes.cycle(1)
    assert same(nodes.check_same(), undisturbed.check_same())


def test_a_node_takes_over_points_and_moments() -> None:
    nodes = Nodes(2, epochs=3)
    nodes.cycle(0)
    late = nodes.node("late")
    late.load(sent(nodes.all[0].parameters()))
    assert same(late.parameters(), nodes.all[0].parameters())


def test_fixed_nodes_stay() -> None:
    fixed = np.arange(len(Nodes(0).text.vocabulary)) % 3 == 0
    nodes = Nodes(2, fixed=fixed, epochs=3)
    nodes.cycle(0)
    found, start = nodes.check_same().centers, nodes.start.centers.astype(np.float32)
    assert np.array_equal(found[fixed], start[fixed])
    assert (found[~fixed] != start[~fixed]).any()


def test_a_cluster_learns_like_one_process(ray_cluster: RayNodes) -> None:
    events: list[Any] = []
    options: dict[str, Any] = {"dimension": 4, "closure": True, "cluster": ray_cluster.address}
    vectors = embed_graph(TREE, **options, epochs=250, report=events.append)
    rank, precision = reconstruction(vectors)
    assert rank < 1.1
    assert precision > 0.95
    [chosen] = [event for event in events if isinstance(event, OnCluster)]
    assert len(chosen.nodes) == 2
    newest = [event for event in events if isinstance(event, TrainingProgress)][-1]
    assert newest.tokens == newest.tokens_total
    assert newest.cluster is not None
    assert newest.cluster.bytes_sent > 0


@pytest.mark.parametrize("number", [1, 2], ids=["one node", "two nodes"])
def test_training_on_a_cluster_is_resumed_without_one(
    ray_cluster: RayNodes, tmp_path: Path, number: int
) -> None:
    def stop(event: object) -> None:
        if isinstance(event, TrainingProgress) and event.epoch == 3:
            raise InterruptedError

    checkpoints: dict[str, Any] = {
        "checkpoints": tmp_path / "checkpoints",
        "checkpoint_minutes": 1e-9,
    }
    nodes: dict[str, Any] = {"cluster": ray_cluster.address, "nodes": number}
    with pytest.raises(InterruptedError):
        embed_graph(TREE, **QUICK, **checkpoints, **nodes, report=stop)
    resumed = embed_graph(TREE, **QUICK, **checkpoints, resume=True)
    assert len(resumed.history) == 4
    alone = embed_graph(TREE, **QUICK)
    assert np.array_equal(resumed.coordinates, alone.coordinates) == (number == 1)


@pytest.mark.slow
def test_the_result_depends_on_the_number_of_nodes_only(ray_cluster: RayNodes) -> None:
    one, two, again = (
        embed_graph(TREE, **QUICK, cluster=ray_cluster.address, nodes=number)
        for number in (1, 2, 2)
    )
    assert np.array_equal(two.coordinates, again.coordinates)
    assert not np.array_equal(one.coordinates, two.coordinates)
    assert np.array_equal(one.coordinates, embed_graph(TREE, **QUICK).coordinates)


@pytest.mark.slow
def test_a_killed_node_costs_little() -> None:
    with ray_settings(), ray_nodes(2) as nodes:
        lost: list[Any] = []
        second = [nodes.nodes[1]]

        def kill(event: object) -> None:
            if isinstance(event, TrainingProgress) and event.epoch == 30 and second:
                nodes.kill(second.pop())
            if isinstance(event, NodeLost):
                lost.append(event)

        options: dict[str, Any] = {"dimension": 4, "closure": True, "cluster": nodes.address}
        vectors = embed_graph(TREE, **options, epochs=250, report=kill)
        assert len(lost) == 1
        assert reconstruction(vectors)[1] > 0.95
        assert len(vectors.history) == 250


@pytest.mark.slow
def test_too_few_steps_in_the_plane_are_a_warning(ray_cluster: RayNodes) -> None:
    def stop(event: object) -> None:
        if isinstance(event, TrainingProgress):
            raise InterruptedError

    options: dict[str, Any] = {"dimension": 2, "batch": 10, "report": stop}
    with (
        pytest.warns(TrainingWarning, match=naming("2 nodes", "epochs", "cluster")),
        pytest.raises(InterruptedError),
    ):
        embed_graph(TREE, **options, cluster=ray_cluster.address)
