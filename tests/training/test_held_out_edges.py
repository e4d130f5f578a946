"""Training with held-out edges: they are never trained, and evaluation repeats the split."""

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from trees import balanced_tree

from hyperskip import (
    Graph,
    OptionError,
    WordVectors,
    embed_graph,
    evaluate,
    read_graph,
    split_edges,
)
from hyperskip.errors import DatasetWarning, TrainingWarning
from hyperskip.training import graph_embedding
from hyperskip.training.run.training_events import GraphRead, TrainingProgress

TREE = balanced_tree(3, 3)  # 102 edges in the closure
HELD_OUT: dict[str, Any] = {"closure": True, "holdout": 0.1, "seed": 3}
METHODS: dict[str, dict[str, Any]] = {
    "ranking": {"dimension": 3, "epochs": 3},
    "walks": {"dimension": 3, "epochs": 1, "walk_length": 5, "threads": 1},
}


def trained(method: str, edges: Any = TREE, **options: Any) -> WordVectors:
    return embed_graph(edges, method=method, **METHODS[method] | options)


def named_edges(graph: Graph) -> set[tuple[str, ...]]:
    """The edges, each in alphabetical order if the graph is undirected."""
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    edges = [(graph.names[source], graph.names[target]) for source, target in pairs]
    return {edge if graph.directed else tuple(sorted(edge)) for edge in edges}


@pytest.fixture(params=METHODS)
def method(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each method; warnings are errors."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield request.param


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[Graph]:
    """The graphs that texts for training are made of."""
    graphs: list[Graph] = []
    for name in ("EdgeText", "walk_text"):
        make = getattr(graph_embedding, name)

        def recorded(graph: Graph, *given: Any, make: Any = make, **options: Any) -> Any:
            graphs.append(graph)
            return make(graph, *given, **options)

        monkeypatch.setattr(graph_embedding, name, recorded)
    return graphs


@pytest.mark.parametrize("inner", [False, True])
def test_held_out_edges_are_never_trained(method: str, texts: list[Graph], inner: bool) -> None:
    options = HELD_OUT | {"holdout": 0.05, "holdout_inner": inner}
    vectors = trained(method, directed=True, **options)
    kept, held_out = split_edges(TREE, **options)
    [graph] = texts
    assert held_out.edge_count == 5
    assert named_edges(graph) == named_edges(kept)
    assert not named_edges(graph) & named_edges(held_out)
    assert len(vectors) == 40
    stored = {"holdout": 0.05, "seed": 3, "edge_count": 97}
    assert {name: vectors.options[name] for name in stored} == stored
    assert vectors.options.get("holdout_inner", False) == inner


def test_edges_of_the_text_are_those_that_are_kept() -> None:
    vectors = trained("ranking", **HELD_OUT)
    kept, _ = split_edges(TREE, **HELD_OUT)
    assert vectors.history[0]["pairs"] == kept.edge_count
    same = embed_graph(kept, **METHODS["ranking"], seed=3)
    assert (vectors.coordinates == same.coordinates).all()


def test_nothing_is_stored_if_nothing_is_held_out(method: str) -> None:
    assert not {"holdout", "holdout_inner"} & trained(method).options.keys()


@pytest.mark.parametrize("directed", [None, True])
@pytest.mark.parametrize("as_graph", [False, True])
def test_evaluation_repeats_the_split(
    method: str, directed: bool | None, as_graph: bool, texts: list[Graph]
) -> None:
    """Without further arguments, and also with a `Graph` and edges in both directions."""
    edges: Any = [*TREE, ("r", "r.0"), ("r.0.0", "r.2")]
    edges = read_graph(edges) if as_graph else edges
    vectors = trained(method, edges, **HELD_OUT, directed=directed)
    [kept] = texts
    score = evaluate(vectors, edges=edges).graph
    assert score is not None
    assert list(score.tasks) == ["reconstruction", "link prediction"]
    assert score.tasks["reconstruction"].edges == kept.edge_count
    whole = read_graph(edges, closure=True)
    whole = whole if kept.directed else read_graph(whole, directed=False)
    held_out = read_graph(named_edges(whole) - named_edges(kept), directed=kept.directed)
    same = evaluate(vectors, edges=held_out, known=kept).graph
    assert same is not None
    assert same.tasks["link prediction"] == score.tasks["link prediction"]


def test_other_edges_than_those_of_the_training_are_reported() -> None:
    vectors = trained("ranking", **HELD_OUT)
    with pytest.warns(DatasetWarning, match=naming(92)):
        evaluate(vectors, edges=TREE[:-3])


def test_another_holdout_is_not_resumed(method: str, tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    def stop(event: object) -> None:
        if isinstance(event, TrainingProgress) and event.epoch == 2:
            raise StopError

    folder: dict[str, Any] = {"checkpoints": tmp_path / "checkpoints", "checkpoint_minutes": 1e-9}
    options = HELD_OUT | {"holdout": 0.05, "directed": True, "epochs": 3}
    with pytest.raises(StopError):
        trained(method, **folder, **options, report=stop)
    for other, facts in (
        ({"holdout": None}, ("holdout", "not given", 0.05)),
        ({"holdout": 0.2}, ("holdout", 0.2, 0.05)),
        ({"holdout_inner": True}, ("holdout_inner", True)),
    ):
        with pytest.raises(OptionError, match=naming("cannot resume", *facts)) as caught:
            trained(method, **folder, **options | other, resume=True)
        assert ";" not in caught.value.message
    resumed = trained(method, **folder, **options, resume=True)
    assert (resumed.coordinates == trained(method, **options).coordinates).all()


def test_events_count_held_out_edges(method: str) -> None:
    events: list[object] = []
    trained(method, **HELD_OUT, report=events.append)
    [read] = [event for event in events if isinstance(event, GraphRead)]
    assert (read.summary.edges, read.held_out) == (102, 10)


def test_an_initial_model_may_have_seen_the_edges(method: str) -> None:
    options = {name: value for name, value in METHODS[method].items() if name != "dimension"}
    model = trained(method, **HELD_OUT)
    embed_graph(TREE, method=method, init=model, **HELD_OUT, **options)
    embed_graph(TREE, method=method, init=model, **options)
    for changed in ({"seed": 4}, {"holdout": 0.2}):
        with pytest.warns(TrainingWarning, match=naming("initial model", "holdout", "seed")):
            embed_graph(TREE, method=method, init=model, **HELD_OUT | changed, **options)


def test_a_tree_without_its_closure_has_nothing_to_hold_out(method: str) -> None:
    with pytest.raises(OptionError, match=naming("holdout=0.9", "closure=True")):
        trained(method, holdout=0.9)
    with pytest.raises(OptionError, match=naming("holdout", 2)):
        trained(method, holdout=2)
