"""Training by ranking: what is learned, and that interruptions and threads change nothing."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from signatures import check_keywords
from trees import balanced_tree, depths, reconstruction

import hyperskip
from hyperskip import OptionError, WordVectors, embed_graph
from hyperskip.errors import (
    DivergenceError,
    GraphError,
    OutputError,
    TrainingWarning,
    VectorFileError,
)
from hyperskip.training.backend import Outcome
from hyperskip.training.checkpoints import checkpoint
from hyperskip.training.cpu.ranking_backend import RankingBackend
from hyperskip.training.graph_options import all_options
from hyperskip.training.run.training_events import GraphRead, Resuming, TrainingProgress

TREE = balanced_tree(3, 3)
QUICK: dict[str, Any] = {"dimension": 3, "epochs": 3, "batch": 8}


def same(one: WordVectors, other: WordVectors) -> None:
    assert one.words == other.words
    np.testing.assert_array_equal(one.coordinates, other.coordinates)


def test_every_option_is_a_typed_and_documented_keyword() -> None:
    own = ["edges", "method", "init", "checkpoints", "report", "progress"]
    check_keywords(embed_graph, own, all_options())


def test_a_tree_is_reconstructed_with_its_root_in_the_middle() -> None:
    vectors = embed_graph(TREE, closure=True)
    rank, precision = reconstruction(vectors)
    assert rank < 1.02
    assert precision > 0.98
    radii = vectors.radii
    assert radii[vectors.words.index("r")] == pytest.approx(0.0, abs=1e-5)
    by_depth = [radii[depths(vectors.words) == depth].mean() for depth in range(4)]
    assert by_depth == sorted(by_depth)
    assert np.corrcoef(radii, depths(vectors.words))[0, 1] > 0.9


def test_euclidean_vectors_learn_too() -> None:
    vectors = embed_graph(TREE, closure=True, dimension=10, geometry="euclidean", epochs=100)
    assert vectors.history[-1]["loss"] < 0.6 * vectors.history[0]["loss"]
    assert vectors.options["curvature"] is None


def test_the_model_tells_what_it_was_learned_from() -> None:
    vectors = embed_graph(TREE, closure=True, **QUICK)
    options = vectors.options
    assert options["method"] == "ranking"
    assert (options["closure"], options["directed"], options["weighted"]) == (True, True, False)
    assert options["edge_count"] == 3 * 1 + 9 * 2 + 27 * 3
    assert (options["dimension"], options["epochs"]) == (3, 3)
    assert vectors.history[0]["pairs"] == options["edge_count"]
    assert vectors.words[0] == "r"
    assert vectors.counts[0] == 39


def test_threads_change_nothing_and_the_seed_does() -> None:
    one, two, other = (
        embed_graph(TREE, threads=threads, seed=seed, **QUICK)
        for threads, seed in ((1, 1), (2, 1), (1, 2))
    )
    same(one, two)
    assert (one.coordinates != other.coordinates).any()
    assert "threads" not in one.options


def test_undirected_and_weighted_edges() -> None:
    weighted = [(child, parent, 1.0 + len(child)) for child, parent in TREE]
    vectors = embed_graph(weighted, directed=False, weighted=True, **QUICK)
    assert (vectors.options["directed"], vectors.options["weighted"]) == (False, True)
    assert vectors.history[0]["pairs"] == 2 * len(TREE)
    centroid = vectors.space.centroid(vectors.points)
    assert vectors.space.radius(centroid) == pytest.approx(0.0, abs=1e-5)
    plain = embed_graph(TREE, directed=False, **QUICK)
    assert (plain.coordinates != vectors.coordinates).any()


def test_two_nodes_are_enough() -> None:
    vectors = embed_graph([("dog", "animal")], dimension=2, epochs=2)
    assert set(vectors.words) == {"dog", "animal"}


def test_no_edges_are_refused() -> None:
    with pytest.raises(GraphError):
        embed_graph([])


@pytest.mark.parametrize(
    ("method", "option", "other"),
    [("ranking", {"window": 3}, "walks"), ("walks", {"batch": 3}, "ranking")],
)
def test_options_of_the_other_method_are_refused(
    method: str, option: dict[str, Any], other: str
) -> None:
    [name] = option
    with pytest.raises(OptionError, match=naming(name, f"method='{other}'")):
        embed_graph(TREE, method=method, **option)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"method": "magic"}, ("method", "magic", "ranking", "walks")),
        ({"freeze": True}, ("freeze=True", "init")),
        ({"resume": True}, ("resume", "checkpoints")),
        ({"vector_size": 3}, ("vector_size", "dimension")),
        ({"batch_size": 3}, ("batch_size", "batch")),
        ({"num_walks": 3}, ("num_walks", "walks")),
        ({"report": 3}, ("report", 3)),
        ({"progress": 3}, ("progress", 3)),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], facts: tuple[object, ...]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        embed_graph(TREE, **arguments)


class StopError(Exception):
    """Ends a training from a progress event."""


def interrupted(folder: Path, epoch: int, **options: Any) -> None:
    """Train until an epoch, with a checkpoint after each block."""

    def report(event: object) -> None:
        if isinstance(event, TrainingProgress) and event.epoch == epoch:
            raise StopError

    with pytest.raises(StopError):
        embed_graph(TREE, checkpoints=folder, checkpoint_minutes=1e-9, report=report, **options)


def test_a_resumed_training_gives_the_same_bytes(tmp_path: Path) -> None:
    options = QUICK | {"closure": True, "epochs": 8, "batch": 4}
    interrupted(tmp_path / "checkpoints", 5, **options)
    events: list[object] = []
    resumed = embed_graph(
        TREE, checkpoints=tmp_path / "checkpoints", resume=True, report=events.append, **options
    )
    [resuming] = [event for event in events if isinstance(event, Resuming)]
    assert resuming.checkpoint is not None
    assert resuming.tokens > 0
    same(resumed, embed_graph(TREE, **options))
    assert resumed.history == embed_graph(TREE, **options).history


def test_another_graph_or_other_options_are_not_resumed(tmp_path: Path) -> None:
    folder = tmp_path / "checkpoints"
    interrupted(folder, 2, **QUICK)
    with pytest.raises(OptionError, match=naming("cannot resume", "batch", 9, 8)):
        embed_graph(TREE, checkpoints=folder, resume=True, **QUICK | {"batch": 9})
    for other in (TREE[1:], [*TREE[1:], ("r.0", "x")]):
        with pytest.raises(OptionError) as caught:
            embed_graph(other, checkpoints=folder, resume=True, **QUICK)
        assert "the graph is not the same" in caught.value.message
        assert ";" not in caught.value.message
    with pytest.raises(OptionError, match=naming("cannot resume", "closure")) as caught:
        embed_graph(TREE, checkpoints=folder, resume=True, closure=True, **QUICK)
    assert ";" not in caught.value.message
    with pytest.raises(OutputError, match=naming("resume=True", "restart=True")):
        embed_graph(TREE, checkpoints=folder, **QUICK)
    same(embed_graph(TREE, checkpoints=folder, restart=True, **QUICK), embed_graph(TREE, **QUICK))


@pytest.mark.parametrize("shape", [(40,), (39, 7), (40, 6), (40, 7, 1)])
def test_a_checkpoint_with_other_moments_is_refused(tmp_path: Path, shape: tuple[int, ...]) -> None:
    folder = tmp_path / "checkpoints"
    embed_graph(TREE, checkpoints=folder, **QUICK)
    for path in folder.iterdir():
        stored = checkpoint.load(path)
        state = stored.state_for(tuple(stored.vectors.words))
        moments = np.zeros(shape, dtype=np.float32)
        damaged = replace(state, parameters=state.parameters._replace(moments=moments))
        checkpoint.save(path, stored.key, stored.vectors, damaged)
    with pytest.raises(VectorFileError):
        embed_graph(TREE, checkpoints=folder, resume=True, **QUICK)


def test_nodes_of_the_initial_model_stay_near_and_new_ones_start_at_their_neighbors() -> None:
    model = embed_graph(TREE, closure=True, dimension=3, epochs=50)
    more = [*TREE, ("new", "r.1.1"), ("newer", "new")]
    start = embed_graph(more, init=model, rate=1e-9, end_rate=0.0, epochs=1)
    assert start.options["curvature"] == model.options["curvature"]
    np.testing.assert_allclose(
        start.coordinates[[start.words.index(word) for word in model.words]],
        model.coordinates,
        rtol=1e-5,
        atol=1e-6,
    )
    assert start.distance("new", "r.1.1") < 0.02
    assert set(start.words) == {*model.words, "new", "newer"}


def test_frozen_nodes_do_not_move() -> None:
    model = embed_graph(TREE, dimension=3, epochs=5)
    more = embed_graph([*TREE, ("new", "r.1.1")], init=model, freeze=True, epochs=5)
    rows = [more.words.index(word) for word in model.words]
    np.testing.assert_array_equal(more.coordinates[rows], model.coordinates)
    with pytest.warns(TrainingWarning, match=naming("freeze=True")):
        same(embed_graph(TREE, init=model, freeze=True, epochs=1), model)


@pytest.mark.parametrize(
    "option", [{"dimension": 4}, {"curvature": 0.5}, {"geometry": "euclidean"}]
)
def test_another_space_than_that_of_the_initial_model_is_refused(option: dict[str, Any]) -> None:
    model = embed_graph(TREE, dimension=3, epochs=1)
    [name] = option
    with pytest.raises(OptionError, match=naming(name, "init")):
        embed_graph(TREE, init=model, **option)


def test_numbers_that_are_not_finite_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def diverged(*_: Any, **__: Any) -> Outcome:
        return Outcome(1, math.nan, skipped=0)

    monkeypatch.setattr(RankingBackend, "train_block", diverged)
    with pytest.raises(DivergenceError, match=naming("epoch 1", "rate", "max_step", "finite")):
        embed_graph(TREE, **QUICK)


def test_events_describe_the_graph_and_count_edges() -> None:
    events: list[object] = []
    embed_graph(TREE, closure=True, report=events.append, **QUICK)
    [read] = [event for event in events if isinstance(event, GraphRead)]
    assert (read.summary.roots, read.summary.depth) == (1, 3)
    assert read.counted == "edge"
    assert read.tokens == (102 + 39) / 102  # each source, and each of its targets


def test_the_front_door_has_it() -> None:
    assert hyperskip.embed_graph is embed_graph
