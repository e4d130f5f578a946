"""The command `hyperskip graph`: from edges to a model, and errors in the words of its options."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from program import Program
from trees import balanced_tree

from hyperskip import embed_graph, load

TREE = balanced_tree(3, 3)
QUICK = ("--dimension", 3, "--epochs", 3)


@pytest.fixture
def edges(tmp_path: Path) -> Path:
    path = tmp_path / "tree.tsv"
    path.write_text("".join(f"{child}\t{parent}\n" for child, parent in TREE))
    return path


def test_it_writes_what_embed_graph_returns(program: Program, edges: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    result = program("graph", edges, "-o", model, "--closure", *QUICK, "--json")
    assert result.code == 0, result.err
    for fact in ("40 nodes", "102 edges", "1 root", "depth 3", f"wrote {model}: 40 nodes"):
        assert fact in result.err
    summary = json.loads(result.out)
    assert (summary["nodes"], summary["edges"], len(summary["history"])) == (40, 102, 3)
    expected = embed_graph(edges, closure=True, dimension=3, epochs=3)
    np.testing.assert_array_equal(load(model).coordinates, expected.coordinates)
    assert load(model).options == expected.options
    assert sorted(tmp_path.iterdir()) == [model, edges]


def test_what_closure_found_is_reported(program: Program, tmp_path: Path) -> None:
    edges = tmp_path / "edges.tsv"
    edges.write_text("a\tb\nb\ta\na\tb\nc\tc\nd\ta\nx\ty\n")
    result = program("graph", edges, "-o", tmp_path / "model", "--closure", *QUICK)
    assert result.code == 0, result.err
    for fact in ("2 nodes in cycles", "1 self-loop", "1 duplicate", "components"):
        assert fact in result.err


def test_edges_are_held_out_and_predicted(program: Program, edges: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    result = program("graph", edges, "-o", model, "--closure", "--holdout", 0.1, *QUICK)
    assert result.code == 0, result.err
    for fact in ("102 edges", "held out 10 edges", "92"):
        assert fact in result.err
    shown = program("info", model).out
    for fact in ("holdout\t0.1", "edge-count\t92"):
        assert fact in shown
    scores = program("evaluate", model, "--edges", edges, "--json")
    assert scores.code == 0, scores.err
    assert list(json.loads(scores.out)["graph"]["tasks"]) == ["reconstruction", "link prediction"]
    refused = program("graph", edges, "-o", model, "--holdout-inner")
    refused.check_refused("--holdout-inner", "--holdout")


def test_info_shows_the_graph(program: Program, edges: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    program("graph", edges, "-o", model, *QUICK)
    shown = program("info", model).out
    for fact in ("method\tranking", "edge-count\t39", "negatives\t40", "Graph", "closure\tno"):
        assert fact in shown
    assert "Text" not in shown


def test_few_of_many_epochs_are_shown(program: Program, edges: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    result = program("graph", edges, "-o", model, "--dimension", 2, "--epochs", 120)
    lines = [line for line in result.err.splitlines() if line.startswith("epoch ")]
    assert len(lines) < 60
    assert lines[0].startswith("epoch 1 ")
    assert lines[-1].startswith("epoch 120 ")
    assert "39 edges" in lines[-1]
    epochs = [line for line in program("info", model).out.splitlines() if "  epoch " in line]
    assert 30 < len(epochs) < 60
    assert epochs[-1].startswith("  epoch 120")


def test_undirected_and_unweighted_are_flags(program: Program, edges: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    result = program("graph", edges, "-o", model, "--undirected", "--unweighted", *QUICK)
    assert result.code == 0, result.err
    assert load(model).options["directed"] is False
    result = program("graph", edges, "-o", model, "--undirected", "--closure", *QUICK)
    result.check_refused("--closure", "--undirected")


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["--window", 3], ("--window", "--method walks")),
        (["--method", "magic"], ("--method", "magic", "ranking", "walks")),
        (["--method", "walks", "--batch", 3], ("--batch", "--method ranking")),
        (["--dimension", 0], ("--dimension", 0)),
        (["--freeze"], ("--freeze", "--init")),
        (["--resume", "--restart"], ("--resume", "--restart")),
        (["--vector-size", 3], ("--vector-size", "--dimension")),
        (["--columns", "1,2,3,4"], ("--columns",)),
    ],
)
def test_wrong_options_are_refused_and_nothing_is_written(
    program: Program, edges: Path, tmp_path: Path, arguments: list[object], facts: tuple[str, ...]
) -> None:
    program("graph", edges, "-o", tmp_path / "model", *arguments).check_refused(*facts)
    assert list(tmp_path.iterdir()) == [edges]


@pytest.mark.parametrize(
    "content", ["", "only-one-column\n", "a\tb\tc\td\n" * 3 + "e\n", "a\ta\n", "\x00\x01\xff"]
)
def test_bad_edges_are_refused_and_nothing_is_written(
    program: Program, tmp_path: Path, content: str
) -> None:
    edges = tmp_path / "edges.tsv"
    edges.write_text(content, encoding="latin-1")
    program("graph", edges, "-o", tmp_path / "model").check_refused()
    assert list(tmp_path.iterdir()) == [edges]


def test_a_missing_file_is_refused(program: Program, tmp_path: Path) -> None:
    missing = tmp_path / "missing.tsv"
    program("graph", missing, "-o", tmp_path / "model").check_refused("missing.tsv")
    assert not list(tmp_path.iterdir())


def test_the_edges_are_never_overwritten(program: Program, edges: Path) -> None:
    before = edges.read_bytes()
    program("graph", edges, "-o", edges).check_refused("tree.tsv")
    assert edges.read_bytes() == before


def test_an_initial_model(program: Program, edges: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    program("graph", edges, "-o", first, *QUICK)
    with edges.open("a") as file:
        file.write("new\tr.0\n")
    result = program("graph", edges, "-o", second, "--init", first, "--freeze", "--epochs", 2)
    assert result.code == 0, result.err
    assert load(second)["r.1"] == pytest.approx(load(first)["r.1"])
    assert "new" in load(second)


def test_an_interrupted_training_is_resumed_to_the_same_model(edges: Path, tmp_path: Path) -> None:
    whole, interrupted = tmp_path / "whole", tmp_path / "interrupted"

    def started(model: Path, *flags: str) -> "subprocess.Popen[str]":
        options = ("--dimension", "2", "--epochs", "1500", "--batch", "8", *flags)
        arguments = ["graph", str(edges), "-o", str(model), *options]
        command = [sys.executable, "-m", "hyperskip", *arguments]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    other = started(whole)
    training = started(interrupted)
    assert training.stderr is not None
    while not training.stderr.readline().startswith("epoch 1 "):
        time.sleep(0.01)
    training.send_signal(signal.SIGINT)
    said = training.communicate()[1]
    assert training.returncode == 128 + signal.SIGINT, said
    assert "--resume" in said
    assert not interrupted.exists()
    resumed = started(interrupted, "--resume")
    said = resumed.communicate()[1]
    assert resumed.returncode == 0, said
    assert "edges done" in said
    said = other.communicate()[1]
    assert other.returncode == 0, said
    assert interrupted.read_bytes() == whole.read_bytes()
    assert not (tmp_path / "interrupted.checkpoints").exists()
