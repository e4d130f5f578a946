"""`evaluate` on the edges of a graph: tasks, coverage, arguments, tables, and errors."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from program import Program

from hyperskip import WordVectors, evaluate, split_edges
from hyperskip.builtin import BUILTIN
from hyperskip.errors import (
    CorpusError,
    DatasetError,
    DatasetWarning,
    GraphError,
    InputError,
    OptionError,
)
from hyperskip.evaluation.ranking_events import RankingProgress
from hyperskip.graphs.options import GraphOptions, HoldoutOptions
from hyperskip.options import declarations

# A path from the root at the base point outwards, and one node far away from it.
TAXONOMY = [("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")]
ROOT_TO_LEAF = "abcde"
LINE = np.array([[0], [1], [2], [4], [8]], dtype=np.float32)


def path_model(**changes: Any) -> WordVectors:
    given: dict[str, Any] = {"words": list(ROOT_TO_LEAF), "coordinates": LINE} | changes
    return WordVectors(given.pop("words"), given.pop("coordinates"), **given)


@pytest.fixture
def edges_file(tmp_path: Path) -> Path:
    path = tmp_path / "edges.tsv"
    path.write_text("".join(f"{child}\t{parent}\n" for child, parent in TAXONOMY))
    return path


def test_the_closure_of_a_path() -> None:
    """The ranks are 2 from b, 1 and 3 from c, 1, 2 and 2 from d, and 1 four times from e."""
    score = evaluate(path_model(), edges=TAXONOMY, closure=True).graph
    assert score is not None
    task = score.tasks["reconstruction"]
    assert list(score.tasks) == ["reconstruction"]
    assert (task.found, task.edges) == (10, 10)
    assert task.mean_rank == 1.5
    precisions = [1 / 2, (1 + 2 / 4) / 2, (1 + 2 / 3 + 3 / 4) / 3, 1]
    assert task.mean_average_precision == pytest.approx(np.mean(precisions))
    assert task.auc is None  # all pairs have an edge
    assert score.radius_depth == pytest.approx(1)
    assert (score.found, score.nodes, score.missing) == (5, 5, ())


def test_undirected_edges_are_ranked_in_both_directions() -> None:
    undirected = evaluate(path_model(), edges=TAXONOMY, directed=False).graph
    both = evaluate(path_model(), edges=[*TAXONOMY, *(edge[::-1] for edge in TAXONOMY)]).graph
    assert undirected is not None
    assert both is not None
    assert undirected.tasks["reconstruction"].edges == 4
    figures = [
        (task.mean_rank, task.mean_average_precision)
        for task in (undirected.tasks["reconstruction"], both.tasks["reconstruction"])
    ]
    assert figures[0] == figures[1]
    assert undirected.radius_depth is None
    assert not undirected.directed


def test_euclidean_models_are_ranked_by_the_euclidean_distance() -> None:
    """By the cosine, all nodes on a line would be equally near."""
    line = [[1.0], [2.0], [3.0], [4.0], [5.0]]
    scores = evaluate(
        path_model(coordinates=line, geometry="euclidean"), edges=TAXONOMY, directed=False
    )
    assert scores.graph is not None
    assert scores.graph.tasks["reconstruction"].mean_rank == 1
    assert scores.graph.distance == "Euclidean distance"
    assert "Euclidean distance" in scores.tables()[0].header[0]


@pytest.mark.parametrize("space", [{}, {"factors": 2}, {"geometry": "euclidean"}])
def test_edges_can_be_ranked_by_angle(space: dict[str, Any]) -> None:
    """For Euclidean vectors of walks or of text, that is the cosine."""
    coordinates = np.random.default_rng(1).normal(0, 1, (5, 4)).astype(np.float32)
    vectors = path_model(coordinates=coordinates, **space).measured_by("angle")
    similarities = [vectors.similarity("a", word) for word in "bcde"]
    scores = evaluate(vectors, edges=[("a", "b")], measure="angle")
    assert scores.graph is not None
    nearer = sum(similarity > similarities[0] for similarity in similarities)
    assert scores.graph.tasks["reconstruction"].mean_rank == nearer + 1
    assert scores.tables()[0].header[0] == "edges by angle"


def test_product_spaces_are_ranked_by_their_distance() -> None:
    coordinates = np.random.default_rng(1).normal(0, 1, (5, 4)).astype(np.float32)
    vectors = path_model(coordinates=coordinates, factors=2)
    scores = evaluate(vectors, edges=[("a", "b")])
    assert scores.graph is not None
    rows = np.argsort([vectors.distance("a", word) for word in "bcde"])
    assert scores.graph.tasks["reconstruction"].mean_rank == rows.tolist().index(0) + 1


def model_of_a_closure(nodes: int = 40) -> tuple[WordVectors, list[tuple[str, str]]]:
    """A binary tree with random points, and its edges."""
    names = [f"n{i}" for i in range(nodes)]
    points = np.random.default_rng(2).normal(0, 1, (nodes, 3)).astype(np.float32)
    return WordVectors(names, points), [(names[i], names[(i - 1) // 2]) for i in range(1, nodes)]


def test_held_out_edges_are_predicted_and_the_others_reconstructed() -> None:
    vectors, edges = model_of_a_closure()
    scores = evaluate(vectors, edges=edges, closure=True, holdout=0.1, seed=5)
    kept, held_out = split_edges(edges, closure=True, holdout=0.1, seed=5)
    assert scores.graph is not None
    assert list(scores.graph.tasks) == ["reconstruction", "link prediction"]
    predicted = scores.graph.tasks["link prediction"]
    assert predicted.edges == held_out.edge_count
    assert scores.graph.tasks["reconstruction"].edges == kept.edge_count
    known = evaluate(vectors, edges=held_out, known=kept, seed=5).graph
    assert known is not None
    assert known.tasks == {"link prediction": predicted}
    assert known.radius_depth == pytest.approx(scores.graph.radius_depth)
    assert (known.found, known.nodes) == (40, 40)
    inner = evaluate(
        vectors, edges=edges, closure=True, holdout=0.1, holdout_inner=True, seed=5
    ).graph
    assert inner is not None
    assert inner.tasks["link prediction"] != predicted


def test_the_split_of_the_training_is_repeated() -> None:
    """A model that was trained with held-out edges is scored on these by default."""
    vectors, edges = model_of_a_closure()
    options: dict[str, Any] = {"holdout": 0.1, "seed": 5}
    trained = WordVectors(vectors.words, vectors.coordinates, options=options)
    expected = evaluate(vectors, edges=edges, closure=True, **options).graph
    assert evaluate(trained, edges=edges, closure=True).graph == expected
    assert evaluate(trained, edges=edges, closure=True, **options).graph == expected
    others: list[dict[str, Any]] = [{"holdout": 0.2}, {"seed": 4}]
    for other in (*others, {"holdout": 0.1, "holdout_inner": True}):
        with pytest.raises(OptionError, match=naming("holdout=0.1", "seed=5")):
            evaluate(trained, edges=edges, closure=True, **other)


def test_edges_mean_what_they_meant_in_training(edges_file: Path) -> None:
    """A model of a closure is scored on the closure of the edges, and so on."""
    trained = path_model(options={"order": "parent-child", "directed": True, "closure": True})
    turned = evaluate(path_model(), edges=edges_file, order="parent-child", closure=True)
    assert evaluate(trained, edges=edges_file).graph == turned.graph
    chosen: dict[str, Any] = {"order": "child-parent", "closure": False}
    plain = evaluate(path_model(), edges=edges_file)
    assert evaluate(trained, edges=edges_file, **chosen).graph == plain.graph
    undirected = evaluate(trained, edges=edges_file, directed=False).graph
    assert undirected is not None
    assert undirected.tasks["reconstruction"].edges == 4


def test_held_out_edges_have_no_closure() -> None:
    trained = path_model(options={"directed": True, "closure": True})
    score = evaluate(trained, edges=[("e", "d"), ("d", "c")], known=[("c", "b"), ("b", "a")]).graph
    assert score is not None
    assert score.tasks["link prediction"].edges == 2
    kept, _ = split_edges(TAXONOMY, closure=True, holdout=0.1)
    whole = evaluate(trained, edges=kept).graph
    assert whole is not None
    assert whole.tasks["reconstruction"].edges == kept.edge_count


def test_nodes_that_the_model_lacks_are_counted_and_named() -> None:
    edges = [*TAXONOMY, ("x", "a"), ("y", "x"), ("B", "a")]  # names are compared exactly
    with pytest.warns(DatasetWarning, match=naming("3 of 8", "x", "y", "B")):
        score = evaluate(path_model(), edges=edges).graph
    assert score is not None
    assert (score.found, score.nodes, score.missing) == (5, 8, ("x", "y", "B"))
    assert score.tasks["reconstruction"].found == 4
    assert score.tasks["reconstruction"].edges == 7


def test_nodes_of_known_edges_and_of_others_are_counted_once() -> None:
    with pytest.warns(DatasetWarning, match=naming("2 of 6", "x", "y")):
        score = evaluate(
            path_model(), edges=[("e", "d"), ("x", "d")], known=[("c", "b"), ("d", "c"), ("y", "b")]
        ).graph
    assert score is not None
    assert (score.found, score.nodes) == (4, 6)


def test_at_most_ten_nodes_are_named() -> None:
    edges = [*TAXONOMY, *((f"x{i}", "a") for i in range(12))]
    with pytest.warns(DatasetWarning, match=r"x0, .*, x9, \.\.\."):
        score = evaluate(path_model(), edges=edges).graph
    assert score is not None
    assert len(score.missing) == 10


def test_edges_without_a_known_node_are_an_error() -> None:
    with pytest.raises(DatasetError, match=naming(1, "x", "y")):
        evaluate(path_model(), edges=[("x", "y")])
    with pytest.raises(DatasetError, match=naming(2)):
        evaluate(path_model(), edges=[("x", "a"), ("b", "y")])


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"holdout": 0.1}, ["holdout", "edges"]),
        ({"closure": True}, ["closure", "edges"]),
        ({"known": TAXONOMY}, ["known", "edges"]),
        ({"seed": 1}, ["seed", "edges"]),
        ({"edges": TAXONOMY, "holdout": 0}, ["holdout", 0]),
        ({"edges": TAXONOMY, "holdout_inner": True}, ["holdout_inner", "holdout"]),
        ({"edges": TAXONOMY, "holdout": 0.5}, ["holdout"]),
        ({"edges": TAXONOMY, "known": TAXONOMY, "holdout": 0.1}, ["known", "holdout"]),
        ({"edges": TAXONOMY, "seed": -1}, ["seed", -1]),
        ({"edges": TAXONOMY, "order": "up"}, ["order", "up"]),
        ({"edges": TAXONOMY, "report": 3}, ["report", 3]),
        ({"edges": TAXONOMY, "device": "tpu"}, ["device", "tpu"]),
        ({"edges": TAXONOMY, "measure": "length"}, ["measure", "length"]),
        ({"edge": TAXONOMY}, ["edge", "edges"]),
    ],
)
def test_arguments_that_are_not_allowed(arguments: dict[str, Any], named: list[object]) -> None:
    with pytest.raises(OptionError, match=naming(*named)):
        evaluate(path_model(), **arguments)


@pytest.mark.parametrize(
    ("edges", "error"),
    [([], GraphError), (3, GraphError), ([("a",)], GraphError), ("no/such/file", CorpusError)],
)
def test_edges_that_cannot_be_read(edges: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        evaluate(path_model(), edges=edges)


def test_coordinates_that_are_not_finite_are_an_error() -> None:
    damaged = LINE.copy()
    damaged[2] = np.nan
    with pytest.raises(InputError, match=naming("'c'", "finite")):
        evaluate(path_model(coordinates=damaged), edges=TAXONOMY)


def test_points_that_are_far_out_have_finite_scores() -> None:
    far = LINE * np.float32(1e37)
    score = evaluate(path_model(coordinates=far), edges=TAXONOMY).graph
    assert score is not None
    assert np.isfinite(score.tasks["reconstruction"].mean_rank)


def test_edges_and_words_together(trained: WordVectors) -> None:
    words = trained.words[:4]
    scores = evaluate(trained, similarity=BUILTIN, edges=[words[:2], words[2:]])
    assert scores.similarity
    assert not scores.analogy
    assert scores.graph is not None
    assert [table.header[0] for table in scores.tables()] == [
        *("similarity", "edges by hyperbolic distance", "hierarchy")
    ]


def test_a_model_of_a_graph_is_not_scored_on_sets_that_nobody_named(
    program: Program, tmp_path: Path
) -> None:
    model = tmp_path / "model.safetensors"
    path_model(options={"edge_count": 4}).save(model)
    refused = program("evaluate", model)
    refused.check_refused("model of a graph", "--edges EDGES", "graphs.html#evaluate")
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text("a b 1\nb c 2\na c 3\n")
    assert list(evaluate(model, similarity=pairs).similarity["product"]) == [str(pairs)]


def test_scores_as_text_and_plain_values() -> None:
    scores = evaluate(path_model(), edges=TAXONOMY)
    plain = json.loads(json.dumps(scores.as_dict()))
    assert list(plain) == ["graph"]
    assert set(plain["graph"]["tasks"]["reconstruction"]) == {
        *("mean_rank", "mean_average_precision", "auc", "found", "edges")
    }
    assert "mean rank 1." in repr(scores)
    assert "MAP" in scores._repr_html_()
    undirected = evaluate(path_model(), edges=TAXONOMY, directed=False)
    assert len(undirected.tables()) == 1


def test_progress_names_the_task() -> None:
    reports: list[RankingProgress] = []
    vectors, edges = model_of_a_closure()
    evaluate(vectors, edges=edges, closure=True, holdout=0.1, report=reports.append)
    assert {report.task for report in reports} == {"reconstruction", "link prediction"}
    assert reports[-1].share == 1


def test_a_gpu_gives_the_same_scores() -> None:
    """With Triton's interpreter, the device is the processor, through PyTorch."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    vectors, edges = model_of_a_closure()
    both = [evaluate(vectors, edges=edges, closure=True, device=name) for name in ("cpu", "cuda")]
    assert both[0].graph == both[1].graph


def test_the_command(program: Program, edges_file: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    path_model().save(model)
    plain = program("evaluate", model, "--edges", edges_file, "--closure").out
    assert "edges by hyperbolic distance" in plain
    assert "reconstruction\t1.50\t0.7639" in plain
    assert "radius and depth\t1.0000\t5\t5" in plain
    turned = program("evaluate", model, "--edges", edges_file, "--order", "parent-child", "--json")
    score = json.loads(turned.out)["graph"]
    assert score["radius_depth"] == pytest.approx(-1)
    path_model(options={"directed": True, "closure": True}).save(model)
    of_training = program("evaluate", model, "--edges", edges_file, "--json")
    without = program("evaluate", model, "--edges", edges_file, "--no-closure", "--json")
    for result, edges in ((of_training, 10), (without, 4)):
        assert json.loads(result.out)["graph"]["tasks"]["reconstruction"]["edges"] == edges
    path_model().save(model)
    refused = program("evaluate", model, "--holdout", "0.1")
    assert refused.code == 2
    assert "--holdout requires --edges" in refused.err
    refused = program("evaluate", model, "--edges", edges_file, "--holdout", "0.5")
    assert refused.code == 2
    assert "--closure" in refused.err


@pytest.mark.parametrize("function", [evaluate, split_edges])
def test_edges_are_read_with_the_same_options_everywhere(function: Callable[..., Any]) -> None:
    keywords = inspect.signature(function).parameters
    documented = inspect.getdoc(function) or ""
    for name in (*declarations(GraphOptions), *declarations(HoldoutOptions), "seed"):
        assert name in keywords
        assert f" {name}: " in documented
