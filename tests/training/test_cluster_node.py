"""Training on one node of a cluster, without Ray: nodes in this process exchange their pieces."""

import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

from hyperskip import builtin, encode
from hyperskip.cluster.nodes import versions
from hyperskip.errors import ClusterError, CorpusError, DivergenceError
from hyperskip.geometry.names import EUCLIDEAN
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.integers import IntegerFile
from hyperskip.training.blocks import Block, cut_into_blocks
from hyperskip.training.cluster.node_text import ShareText, TokenSource
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining, Share
from hyperskip.training.cluster.worker import NodeActor
from hyperskip.training.options import PAIRWISE, TrainingOptions
from hyperskip.training.parameters import Parameters
from hyperskip.training.plan import plan_training
from hyperskip.training.run.device import backend_for, block_size
from hyperskip.training.run.state import Position, Sums
from hyperskip.training.start.random_positions import random_parameters

MANY = 10**12  # bytes
MODELS: dict[str, dict[str, Any]] = {
    "hyperboloid": {},
    "theta": {"learn_theta": True},
    "two layers": {"tied": False},
    "factors": {"factors": 2},
    "Euclidean": {"geometry": EUCLIDEAN},
    "pairwise": {"schedule": PAIRWISE},
    "deterministic": {"deterministic": True},
}
every_model = pytest.mark.parametrize("options", MODELS.values(), ids=MODELS.keys())


@pytest.fixture(scope="module")
def encoded(tmp_path_factory: pytest.TempPathFactory) -> EncodedCorpus:
    folder = tmp_path_factory.mktemp("encoded") / "corpus"
    return encode(builtin.sentences(20_000), folder, min_count=2)


class Nodes:
    """Nodes of a training, and the rounds of an epoch, each with one part for each node."""

    def __init__(
        self, encoded: EncodedCorpus, count: int, fixed: Any = None, **options: Any
    ) -> None:
        self.encoded = encoded
        chosen = TrainingOptions(dimension=6, epochs=2, threads=1, **options)
        self.plan = plan = plan_training(chosen, encoded, "cpu")
        self.blocks = list(cut_into_blocks(encoded.sentence_starts, block_size(plan)))
        self.task = NodeTask(
            plan, encoded.vocabulary.counts, 3.0, TokenSource.of(encoded), 4096, fixed, False
        )
        self.start = random_parameters(len(encoded.vocabulary), plan)
        self.all = [self.node(str(number)) for number in range(count)]

    def node(self, name: str, memory: int = MANY) -> NodeTraining:
        return NodeTraining(name, 1, memory, self.task, self.start)

    def share(self, *blocks: Block, epoch: int = 0) -> Share:
        starts = [self.encoded.starts_within(block.begin + 1, block.end) for block in blocks]
        return Share(epoch, blocks, np.concatenate([np.zeros(0, dtype=np.int64), *starts]))

    def train(self, *numbers: int) -> None:
        """Train each node on one block."""
        for node, number in zip(self.all, numbers, strict=True):
            node.train(self.share(self.blocks[number]))

    def merge(self, *, complete: bool) -> list[int]:
        """Merge; returns the number of bytes that each node exchanged."""
        count = len(self.all)
        # As through the object store, which makes arrays read-only.
        pieces = [sent(node.moved(count, complete=complete)) for node in self.all]
        merged = [
            sent(node.merge(*(of_node[index] for of_node in pieces)))
            for index, node in enumerate(self.all)
        ]
        return [
            node.place(*merged, rank=rank, complete=complete) for rank, node in enumerate(self.all)
        ]

    def commit(self) -> None:
        for node in self.all:
            node.commit()


def sent(value: Any) -> Any:
    buffers: list[pickle.PickleBuffer] = []
    packed = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(packed, buffers=[bytes(buffer) for buffer in buffers])


def same(first: Parameters, second: Parameters) -> bool:
    def equal(a: Any, b: Any) -> bool:
        return a is b is None or np.array_equal(a, b)

    return all(equal(a, b) for a, b in zip(first, second, strict=True))


@every_model
def test_after_a_complete_merge_all_nodes_are_the_same(
    encoded: EncodedCorpus, options: dict[str, Any]
) -> None:
    nodes = Nodes(encoded, 3, **options)
    for first in (0, 3):
        nodes.train(first, first + 1, first + 2)
        assert not same(nodes.all[0].parameters(), nodes.all[1].parameters())
        nodes.merge(complete=False)
        nodes.train(first + 2, first, first + 1)
        nodes.merge(complete=True)
        nodes.commit()
        merged = [node.parameters() for node in nodes.all]
        assert same(merged[0], merged[1])
        assert same(merged[0], merged[2])
    assert not np.array_equal(merged[0].centers, nodes.start.centers)
    assert (merged[0].theta != nodes.start.theta) == nodes.plan.learn_theta


@every_model
@pytest.mark.parametrize("progress", ["trained", "merged partly", "trained on", "merged"])
def test_undo_returns_to_the_start_of_the_cycle(
    encoded: EncodedCorpus, options: dict[str, Any], progress: str
) -> None:
    nodes = Nodes(encoded, 2, **options)
    nodes.train(0, 1)
    nodes.merge(complete=True)
    nodes.commit()
    before = nodes.all[0].parameters()
    steps: list[Callable[[], object]] = [
        lambda: nodes.train(2, 3),
        lambda: nodes.merge(complete=False),
        lambda: nodes.train(4, 5),
        lambda: nodes.merge(complete=True),
    ]
    for step in steps[: 1 + ["trained", "merged partly", "trained on", "merged"].index(progress)]:
        step()
        assert not same(nodes.all[0].parameters(), before)
    for node in nodes.all:
        node.undo()
        assert same(node.parameters(), before)
        assert [len(piece.words) for piece in node.moved(2, complete=True)] == [0, 0]
    # The cycle can be repeated, as if the first try had not been.
    undisturbed = Nodes(encoded, 2, **options)
    undisturbed.train(0, 1)
    undisturbed.merge(complete=True)
    undisturbed.commit()
    for each in (nodes, undisturbed):
        each.train(2, 3)
        each.merge(complete=False)
        each.train(4, 5)
        each.merge(complete=True)
        each.commit()
    assert same(nodes.all[1].parameters(), undisturbed.all[0].parameters())


@pytest.mark.parametrize("tied", [True, False])
def test_fixed_words_never_move(encoded: EncodedCorpus, tied: bool) -> None:
    fixed = np.arange(len(encoded.vocabulary)) % 3 == 0
    nodes = Nodes(encoded, 2, fixed, tied=tied)
    nodes.train(0, 1)
    sent_words = np.concatenate([piece.words for piece in nodes.all[0].moved(2, complete=True)])
    if tied:
        assert not fixed[sent_words].any()
    nodes.merge(complete=True)
    nodes.commit()
    nodes.train(2, 3)
    for node in nodes.all:
        node.undo()
        centers, start = node.parameters().centers, nodes.start.centers.astype(np.float32)
        assert np.array_equal(centers[fixed], start[fixed])
        assert not np.array_equal(centers[~fixed], start[~fixed])


def test_words_that_nobody_moved_are_not_sent(encoded: EncodedCorpus) -> None:
    nodes = Nodes(encoded, 2, shared_negatives=1)
    assert nodes.merge(complete=True) == [0, 0]
    nodes.commit()
    before = nodes.all[0].parameters().centers
    nodes.train(0, 1)
    words = len(encoded.vocabulary)
    pieces = nodes.all[0].moved(2, complete=True)
    moved = np.flatnonzero((nodes.all[0].parameters().centers != before).any(axis=1))
    assert sorted(np.concatenate([piece.words for piece in pieces])) == moved.tolist()
    assert 0 < len(moved) < words
    assert [set(piece.words % 2) for piece in pieces] == [{0}, {1}]
    frequent = np.concatenate([p.words for p in nodes.all[0].moved(2, complete=False)])
    assert 0 < len(frequent) < len(moved)
    assert frequent.max() < words / 4 + 1
    bytes_sent = nodes.merge(complete=True)
    assert all(0 < size < 4 * words * 6 * 4 for size in bytes_sent)


def test_nothing_is_trained_on_an_empty_share(encoded: EncodedCorpus) -> None:
    """Theta stays, too, if no node has a share."""
    nodes = Nodes(encoded, 2, learn_theta=True)
    before = nodes.all[0].parameters()
    for node in nodes.all:
        assert node.train(nodes.share()).sums.tokens == 0
    nodes.merge(complete=False)
    nodes.merge(complete=True)
    nodes.commit()
    assert same(nodes.all[0].parameters(), before)
    trained = nodes.all[0].train(nodes.share(nodes.blocks[0]))
    assert trained.sums.tokens == nodes.blocks[0].end
    nodes.merge(complete=True)
    nodes.commit()
    first, second = (node.theta(Position()) for node in nodes.all)
    assert first == second != before.theta
    with pytest.raises(DivergenceError, match=naming("epoch", 1, "loss")):
        nodes.all[0].theta(Position(sums=Sums(pairs=1, loss=1e6)))


@every_model
def test_a_node_that_joins_takes_over_the_parameters(
    encoded: EncodedCorpus, options: dict[str, Any]
) -> None:
    """The first node has trained alone, without merges, until then."""
    nodes = Nodes(encoded, 1, **options)
    alone = nodes.all[0]
    for number in range(3):
        alone.train(nodes.share(nodes.blocks[number]))
        alone.commit()
    alone.rebase()
    assert [len(piece.words) for piece in alone.moved(2, complete=True)] == [0, 0]
    late = nodes.node("late")
    late.load(sent(alone.parameters()))
    nodes.all.append(late)
    assert np.array_equal(late.parameters().centers, alone.parameters().centers)
    before = alone.parameters().centers
    nodes.train(3, 4)
    nodes.merge(complete=False)
    for node in nodes.all:
        node.undo()
        assert np.array_equal(node.parameters().centers, before)
    nodes.train(3, 4)
    nodes.merge(complete=True)
    nodes.commit()
    assert same(alone.parameters(), late.parameters())


def test_warnings_of_a_node_are_returned(encoded: EncodedCorpus) -> None:
    nodes = Nodes(encoded, 0)
    far = nodes.start._replace(centers=nodes.start.centers * 1e10)
    prepared = partial(NodeActor().prepare, "alpha", versions(), 1, MANY, nodes.task)
    assert prepared(nodes.start) == []
    [warning] = prepared(far)
    assert "radius" in warning
    with pytest.raises(ClusterError, match=naming("alpha", "hyperskip", "0.0")):
        NodeActor().prepare("alpha", versions() | {"hyperskip": "0.0"})


def test_too_little_memory_on_a_node(encoded: EncodedCorpus) -> None:
    nodes = Nodes(encoded, 0)
    with pytest.raises(ClusterError, match=naming("alpha", f"{len(encoded.vocabulary):,}")):
        nodes.node("alpha", memory=1000)
    nodes.node("alpha", memory=0)  # a node without a limit


def test_a_node_without_the_text_is_named(encoded: EncodedCorpus, tmp_path: Path) -> None:
    nodes = Nodes(encoded, 0)
    for place, count in ((tmp_path / "missing", 5), (Path(__file__), 5)):
        object.__setattr__(nodes.task, "tokens", TokenSource(place, count))
        with pytest.raises(CorpusError, match=naming("alpha", place)) as caught:
            nodes.node("alpha")
        assert caught.value.hint


def test_the_text_of_a_share(encoded: EncodedCorpus, tmp_path: Path) -> None:
    file = tmp_path / "tokens"
    np.arange(10, dtype=np.int32).tofile(file)
    text = ShareText(IntegerFile(file, np.int32), np.array([2, 4, 9]), words=10)
    assert text.stretch(3, 6).tolist() == [3, 4, 5]
    assert text.stretch(3, 3).tolist() == []
    assert text.starts_within(3, 9).tolist() == [4]
    assert text.starts_within(5, 5).tolist() == []
    fewer = ShareText(IntegerFile(file, np.int32), np.array([2]), words=9)
    with pytest.raises(CorpusError, match=naming(file)):
        fewer.stretch(5, 10)


def test_sources_of_tokens(encoded: EncodedCorpus, tmp_path: Path) -> None:
    assert encoded.token_file is not None
    source = pickle.loads(pickle.dumps(TokenSource.of(encoded)))
    opened = source.opened()
    assert len(opened) == encoded.token_count
    assert np.array_equal(opened.stretch(10, 50), encoded.stretch(10, 50))
    (tmp_path / "empty").touch()
    with pytest.raises(CorpusError, match=naming(tmp_path / "empty")):
        TokenSource(tmp_path / "empty", 5).opened()


@pytest.mark.parametrize("options", [{}, {"tied": False}, {"factors": 2}, {"geometry": EUCLIDEAN}])
def test_coordinates_of_a_backend(
    encoded: EncodedCorpus, device: str, options: dict[str, Any]
) -> None:
    """What is placed is found there, on every device; other words stay."""
    plan = plan_training(TrainingOptions(dimension=6, threads=1, **options), encoded, device)
    counts = encoded.vocabulary.counts
    start = random_parameters(len(counts), plan)
    backend = backend_for(plan, start, counts, None, [Block(0, 0, 100)])
    before = backend.coordinates(slice(None))
    assert before.shape == (1 if plan.tied else 2, len(counts), 6)
    assert np.array_equal(before[0], start.centers.astype(np.float32))
    words = np.array([3, 0, 9])
    places = np.random.default_rng(1).normal(size=(len(before), 3, 6)).astype(np.float32)
    backend.place(sent(words), sent(places), theta=1.5)
    backend.place(np.zeros(0, dtype=np.int64), places[:, :0])
    assert backend.theta == 1.5
    assert np.array_equal(backend.coordinates(words), places)
    assert np.array_equal(backend.coordinates(slice(2, 5))[:, 1], places[:, 0])
    expected = before.copy()
    expected[:, words] = places
    assert np.array_equal(backend.coordinates(slice(None)), expected)
    placed = backend.parameters()
    assert np.array_equal(placed.centers, expected[0])
    if plan.space.is_curved:
        by_factor = expected.reshape(*expected.shape[:2], plan.factors, -1)
        np.testing.assert_allclose(
            placed.times, np.sqrt(1 + (by_factor.astype(np.float64) ** 2).sum(axis=-1)), rtol=1e-6
        )
    backend.place(slice(None), before)
    assert np.array_equal(backend.coordinates(slice(None)), before)
    assert backend.theta == 1.5
