"""`embed_graph` with the method `walks`: communities, options, checkpoints and initial models."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

from hyperskip import OptionError, WordVectors, embed_graph
from hyperskip.errors import CorpusError
from hyperskip.training.run.training_events import GraphRead, TrainingProgress

SIZE = 20
# Two rings with chords, connected by one edge.
COMMUNITIES = [
    (f"{name}{i}", f"{name}{(i + step) % SIZE}")
    for name in "ab"
    for i in range(SIZE)
    for step in (1, 2, 5)
] + [("a0", "b0")]
QUICK: dict[str, Any] = {"method": "walks", "directed": False, "dimension": 4, "threads": 1}


def trained(**options: Any) -> WordVectors:
    return embed_graph(COMMUNITIES, **QUICK | {"epochs": 2, "walk_length": 20} | options)


def test_nodes_of_a_community_are_close() -> None:
    vectors = trained(epochs=5, walk_length=80)
    assert set(vectors.words) == {f"{name}{i}" for name in "ab" for i in range(SIZE)}
    for name in "ab":
        near = [neighbor.word for neighbor in vectors.neighbors(f"{name}10", count=10)]
        assert sum(word.startswith(name) for word in near) >= 9


def test_the_model_tells_how_it_walked() -> None:
    options = trained(walks=3, p=0.5, q=2.0).options
    stored = {"method": "walks", "walk_length": 20, "walks": 3, "p": 0.5, "q": 2.0}
    assert {name: options[name] for name in stored} == stored
    assert (options["directed"], options["edge_count"], options["window"]) == (False, 121, 5)


@pytest.mark.parametrize("name", ["walk_length", "walks", "p", "q", "window"])
def test_options_of_walks_require_walks(name: str) -> None:
    with pytest.raises(OptionError, match=naming(name, "method='walks'")):
        embed_graph(COMMUNITIES, **dict[str, Any]({name: 2}))


def test_a_resumed_training_gives_the_same_bytes(tmp_path: Path) -> None:
    def stop(event: object) -> None:
        if isinstance(event, TrainingProgress) and event.epoch == 2:
            raise InterruptedError

    checkpoints = {"checkpoints": tmp_path / "checkpoints", "checkpoint_minutes": 1e-9}
    with pytest.raises(InterruptedError):
        trained(epochs=3, report=stop, **checkpoints)
    resumed = trained(epochs=3, resume=True, **checkpoints)
    whole = trained(epochs=3)
    assert resumed.words == whole.words
    np.testing.assert_array_equal(resumed.coordinates, whole.coordinates)
    with pytest.raises(OptionError, match=naming("walk_length", 10, 20)):
        trained(epochs=3, walk_length=10, resume=True, **checkpoints)


def test_new_nodes_are_added_to_an_initial_model() -> None:
    model = trained(epochs=5)
    more = embed_graph([*COMMUNITIES, ("new", "a3")], init=model, freeze=True, epochs=1, **QUICK)
    assert set(more.words) == {*model.words, "new"}
    np.testing.assert_allclose(more["a3"], model["a3"], rtol=1e-6)


def test_events_count_nodes() -> None:
    events: list[object] = []
    trained(report=events.append)
    [read] = [event for event in events if isinstance(event, GraphRead)]
    assert (read.counted, read.tokens, read.summary.nodes) == ("node", 1, 2 * SIZE)


def test_a_graph_without_edges_is_refused() -> None:
    with pytest.raises(CorpusError):
        embed_graph([("a", "a")], method="walks")


def test_walks_follow_the_direction_of_edges_only_if_asked() -> None:
    edges = [(f"item {i}", f"group {i % 3}") for i in range(30)]
    quick: dict[str, Any] = {"method": "walks", "walk_length": 5, "dimension": 4, "epochs": 1}
    either, forward = (embed_graph(edges, directed=given, **quick) for given in (None, True))
    assert [vectors.options["directed"] for vectors in (either, forward)] == [False, True]
    # A walk along the direction returns to its own item from the group.
    assert forward.counts[forward.words.index("item 0")] == 10 * 3
