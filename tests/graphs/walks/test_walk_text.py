"""Walks as a text: what training needs of it, and trainings on it."""

import pickle
import signal
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

from hyperskip.errors import GraphError, OptionError
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.walks.options import WalkOptions
from hyperskip.graphs.walks.walk_text import WalkText, _counted, walk_text
from hyperskip.training.checkpoints.resuming import checkpoints_in
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.run.training_events import Progress, TrainingProgress
from hyperskip.training.trainer import train_encoded
from hyperskip.training.training_text import TrainingText
from hyperskip.vectors.word_vectors import WordVectors


def graph_of(*edges: tuple[int, int], nodes: int, directed: bool = False) -> Graph:
    sources, targets = np.array(edges, dtype=np.int32).reshape(-1, 2).T
    names = tuple(f"node {node}" for node in range(nodes))
    return Graph(names, sources, targets, directed=directed)


def clubs() -> Graph:
    """Ten groups of twelve nodes, each with many edges inside and one to the next group."""
    random = np.random.default_rng(1)
    inside = [
        (12 * group + a, 12 * group + b)
        for group in range(10)
        for a, b in combinations(range(12), 2)
        if random.random() < 0.6
    ]
    return graph_of(*inside, *((node, (node + 12) % 120) for node in range(0, 120, 12)), nodes=120)


def trained(text: TrainingText, **options: Any) -> WordVectors:
    chosen = {"dimension": 8, "device": "cpu", "threads": 1, "subsample": 0, **options}
    return train_encoded(text, TrainingOptions(**chosen))


def test_counts_are_those_of_the_first_epoch() -> None:
    text = walk_text(clubs(), WalkOptions(walk_length=7, walks=3), seed=4)
    assert text.token_count == 120 * 3 * 7
    tokens = text.in_epoch(0).stretch(0, text.token_count)
    counts = text.vocabulary.counts
    assert np.bincount(tokens).tolist() == counts.tolist()
    assert (np.diff(counts) <= 0).all()
    assert text.vocabulary.total == text.token_count
    assert repr(text) == "WalkText(nodes=120, tokens=2520)"


def test_the_number_of_counting_threads_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperskip.graphs.walks.walk_text._TOKENS_AT_ONCE", 100)
    one, three = (walk_text(clubs(), threads=threads) for threads in (1, 3))
    assert one.vocabulary.counts.tolist() == three.vocabulary.counts.tolist()
    assert one.checksum() == three.checksum()


def test_neighbors_in_the_text_are_neighbors_in_the_graph() -> None:
    graph = clubs()
    text = walk_text(graph, WalkOptions(walk_length=5))
    names = text.vocabulary.words
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    edges = {frozenset((graph.names[a], graph.names[b])) for a, b in pairs}
    walks = text.in_epoch(1).stretch(0, text.token_count).reshape(-1, 5)
    steps = {frozenset((names[a], names[b])) for walk in walks for a, b in pairwise(walk)}
    assert steps <= edges
    assert len(steps) > 0.9 * len(edges)


def test_each_walk_is_a_sentence() -> None:
    text = walk_text(clubs(), WalkOptions(walk_length=7, walks=2))
    starts = np.asarray(text.sentence_starts)
    assert starts[[0, 1, -1]].tolist() == [0, 7, text.token_count]
    epoch = text.in_epoch(0)
    for begin, end in [(0, 0), (0, 1), (1, 7), (1, 8), (7, 8), (13, 50), (0, text.token_count)]:
        within = starts[(starts >= begin) & (starts < end)]
        assert epoch.starts_within(begin, end).tolist() == within.tolist()


def test_epochs_and_seeds_have_walks_of_their_own() -> None:
    text = walk_text(clubs(), seed=1)
    first, again, second = (text.in_epoch(epoch).stretch(0, 1000).tolist() for epoch in (0, 0, 1))
    assert first == again
    other = walk_text(clubs(), seed=2).in_epoch(0).stretch(0, 1000).tolist()
    assert first != second
    assert first != other


def test_a_text_of_walks_can_be_pickled() -> None:
    text = walk_text(clubs())
    copy: WalkText = pickle.loads(pickle.dumps(text))
    assert copy.checksum() == text.checksum()
    assert copy.in_epoch(2).stretch(5, 99).tolist() == text.in_epoch(2).stretch(5, 99).tolist()


def test_nodes_without_edges_are_left_out() -> None:
    graph = graph_of((0, 1), (1, 2), (4, 4), nodes=5, directed=True)
    text = walk_text(graph, WalkOptions(walk_length=4))
    assert set(text.vocabulary.words) == {"node 0", "node 1", "node 2"}
    walks = text.in_epoch(0).stretch(0, text.token_count).reshape(-1, 4)
    words = {tuple(text.vocabulary.words[i][-1] for i in walk) for walk in walks}
    assert words == {("0", "1", "2", "0"), ("1", "2", "1", "2")}


def test_a_node_that_no_walk_reaches_stays_in_the_vocabulary() -> None:
    star = graph_of(*((0, leaf) for leaf in range(1, 1001)), nodes=1001, directed=True)
    text = walk_text(star, WalkOptions(walk_length=2, walks=1))
    assert len(text.vocabulary) == 1001
    assert text.vocabulary.counts.min() == 1


@pytest.mark.parametrize("edges", [[], [(1, 1)]])
def test_a_graph_without_edges_is_refused(edges: list[tuple[int, int]]) -> None:
    with pytest.raises(GraphError, match=naming("3 nodes", "no edges")):
        walk_text(graph_of(*edges, nodes=3))


def test_an_option_out_of_range_is_refused() -> None:
    with pytest.raises(OptionError, match=naming("`walk_length`", "2", "1")):
        WalkOptions(walk_length=1)
    with pytest.raises(OptionError, match=naming("`p`", "0.01", "0")):
        WalkOptions(p=0)


def test_training_finds_the_groups() -> None:
    text = walk_text(clubs(), WalkOptions(walk_length=20), stored={"directed": False})
    vectors = trained(text, epochs=3)
    near = [
        int(other.word.split()[1]) // 12 == node // 12
        for node in range(120)
        for other in vectors.neighbors(f"node {node}", count=5)
    ]
    assert np.mean(near) > 0.9
    assert vectors.options["walk_length"] == 20
    assert vectors.options["p"] == 1.0
    assert vectors.options["directed"] is False
    assert vectors.counts.tolist() == text.vocabulary.counts.tolist()


def test_deterministic_training_does_not_depend_on_threads() -> None:
    text = walk_text(clubs(), WalkOptions(walk_length=20))
    one, two = (trained(text, epochs=2, deterministic=True, threads=threads) for threads in (1, 2))
    assert one.coordinates.tobytes() == two.coordinates.tobytes()
    assert one.history == two.history


def test_a_training_can_start_from_a_model() -> None:
    graph = clubs()
    part = replace(graph, sources=graph.sources[:300], targets=graph.targets[:300])
    options = WalkOptions(walk_length=20)
    model = trained(walk_text(part, options), epochs=2)
    assert len(model) < 120
    chosen = TrainingOptions(dimension=8, device="cpu", threads=1, subsample=0, freeze=True)
    vectors = train_encoded(walk_text(graph, options), chosen, model=model)
    assert len(vectors) == 120
    rows = vectors.rows_of(model.words)
    assert vectors.coordinates[rows].tobytes() == model.coordinates.tobytes()


def with_checkpoints(
    text: WalkText, folder: Path, report: Any = None, **options: Any
) -> WordVectors:
    chosen = TrainingOptions(dimension=8, device="cpu", threads=1, subsample=0, epochs=3)
    checkpoints = checkpoints_in(folder, CheckpointOptions(**options), None)
    return train_encoded(text, chosen, report, checkpoints=checkpoints)


def test_a_resumed_training_has_the_same_result(tmp_path: Path) -> None:
    text = walk_text(clubs(), WalkOptions(walk_length=20))

    def interrupt(progress: Progress) -> None:
        if isinstance(progress, TrainingProgress) and progress.epoch == 2:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        with_checkpoints(text, tmp_path / "interrupted", interrupt)
    seen: list[Progress] = []
    resumed = with_checkpoints(text, tmp_path / "interrupted", seen.append, resume=True)
    whole = with_checkpoints(text, tmp_path / "whole")
    assert resumed.coordinates.tobytes() == whole.coordinates.tobytes()
    assert resumed.history == whole.history


@pytest.mark.parametrize(
    ("changes", "facts"), [({"p": 2.0}, ("`p`", "2.0", "1.0")), ({}, ("the text is not the same",))]
)
def test_other_walks_cannot_be_resumed(
    changes: dict[str, float], facts: tuple[str, ...], tmp_path: Path
) -> None:
    graph = clubs()
    with_checkpoints(walk_text(graph, WalkOptions(walk_length=20)), tmp_path)
    other = graph
    if not changes:
        other = replace(graph, sources=graph.sources[1:], targets=graph.targets[1:])
    options = WalkOptions(walk_length=20, **changes)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=naming(*facts)):
        with_checkpoints(walk_text(other, options), tmp_path, resume=True)


def test_all_threads_stop_counting_after_an_interruption() -> None:
    class Endless:
        """Walks that take years to count; the first thread is interrupted."""

        token_count = 1 << 60
        ids = np.zeros(1, dtype=np.int32)

        def stretch(self, begin: int, _: int, __: int) -> Any:
            if begin == 0:
                raise KeyboardInterrupt
            return np.zeros(1, dtype=np.int32)

    with pytest.raises(KeyboardInterrupt):
        _counted(Endless(), threads=2)  # type: ignore[arg-type]
