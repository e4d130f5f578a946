"""Training on random walks in a cluster, without Ray: each node generates its own walks."""

import pickle
from typing import Any

import numpy as np

from hyperskip.graphs.graph import Graph
from hyperskip.graphs.walks.options import WalkOptions
from hyperskip.graphs.walks.walk_text import WalkText, walk_text
from hyperskip.training.blocks import Block
from hyperskip.training.cluster.node_text import GeneratedSource, source_of
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining, share_of
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import plan_training
from hyperskip.training.start.random_positions import random_parameters

SIZE = 100


def ring_walks() -> WalkText:
    nodes = np.arange(SIZE, dtype=np.int32)
    ring = Graph(tuple(map(str, nodes)), nodes, (nodes + 1) % SIZE, directed=False)
    return walk_text(ring, WalkOptions(walk_length=20), seed=3, threads=1)


def sent(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def test_a_source_gives_the_walks_of_each_epoch() -> None:
    text = ring_walks()
    source = sent(source_of(text))
    assert isinstance(source, GeneratedSource)
    assert source.count == text.token_count
    tokens_in = source.by_epoch()
    for epoch in (0, 4):
        np.testing.assert_array_equal(
            tokens_in(epoch).stretch(17, 999), text.in_epoch(epoch).stretch(17, 999)
        )
    assert (tokens_in(0).stretch(0, 999) != tokens_in(1).stretch(0, 999)).any()


def test_nodes_train_on_their_shares_and_merge() -> None:
    text = ring_walks()
    options = TrainingOptions(dimension=4, epochs=2, threads=1, deterministic=True)
    plan = plan_training(options, text, "cpu")
    longest = text.token_count // 2
    task = sent(NodeTask(plan, text.vocabulary.counts, 5.0, source_of(text), longest, None, False))
    start = random_parameters(len(text.vocabulary), plan)
    nodes = [NodeTraining(str(number), 1, 10**12, task, start) for number in range(2)]
    losses = []
    for epoch in range(2):
        total = 0.0
        for number, node in enumerate(nodes):
            begin, end = (text.token_count * limit // 2 for limit in (number, number + 1))
            block = Block(number, begin, end)
            trained = node.train(share_of(text, epoch, (block,)))
            assert trained.sums.tokens == end - begin
            total += trained.sums.loss / trained.sums.pairs
        pieces = [node.moved(2, complete=True) for node in nodes]
        merged = [node.merge(pieces[0][i], pieces[1][i]) for i, node in enumerate(nodes)]
        for rank, node in enumerate(nodes):
            node.place(*merged, rank=rank, complete=True)
            node.commit()
        losses.append(total)
    np.testing.assert_array_equal(nodes[0].parameters().centers, nodes[1].parameters().centers)
    assert losses[1] < losses[0]
