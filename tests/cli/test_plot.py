"""`hyperskip plot`: pictures, messages, and options refused before the model is read."""

import re
from pathlib import Path

import numpy as np
import pytest
from facts import naming
from program import Program

from hyperskip import WordVectors


@pytest.mark.parametrize(
    "asked",
    [
        "--near dog --near car -n 6",
        "--analogy france paris italy",
        "--categories builtin --title Things",
        "--categories FILE",
        "--word dog --word cat --dark",
        "--word dog --near cat",
        "-n 20 --projection auto",
    ],
)
def test_pictures(program: Program, model_file: Path, tmp_path: Path, asked: str) -> None:
    categories = tmp_path / "words.tsv"
    categories.write_text("animal\tanimal\ndog\tanimal\tanimal\ncar\tvehicle\nnonsuch\tthing\n")
    arguments = [categories if part == "FILE" else part for part in asked.split()]
    result = program("plot", model_file, "-o", tmp_path / "map.svg", *arguments)
    assert result.code == 0, result.err
    assert result.out == ""
    assert str(tmp_path / "map.svg") in result.err
    assert re.search("tangent|geodesic|polar|fitted", result.err)
    assert bool(re.search(naming(1, categories), result.err)) == ("FILE" in asked)


def test_words_are_named_as_in_other_commands(
    program: Program, model_file: Path, tmp_path: Path
) -> None:
    options = ("--word", "dog", "--word", "cat", "--word", "car")
    for name, words in (("a", ("dog", "cat", "car")), ("b", options), ("c", ("dog", *options[2:]))):
        result = program("plot", model_file, *words, "-o", tmp_path / f"{name}.svg")
        assert result.code == 0, result.err
    pictures = [(tmp_path / f"{name}.svg").read_bytes() for name in "abc"]
    assert pictures[0] == pictures[1] == pictures[2]
    result = program("plot", model_file, "-o", tmp_path / "d.svg", "dog", "dgo")
    result.check_refused("dgo", "dog")


def test_a_picture_of_two_dimensions_is_exact(program: Program, tmp_path: Path) -> None:
    coordinates = np.random.default_rng(1).normal(size=(20, 2)).astype(np.float32)
    WordVectors([f"w{i}" for i in range(20)], coordinates).save(tmp_path / "model")
    result = program("plot", tmp_path / "model", "-o", tmp_path / "map.svg")
    assert result.code == 0, result.err
    assert not re.search("tangent|geodesic|polar|fitted", result.err)


def test_edges_are_drawn_and_unknown_nodes_named(program: Program, tmp_path: Path) -> None:
    coordinates = np.random.default_rng(1).normal(size=(20, 2)).astype(np.float32)
    WordVectors([f"w{i}" for i in range(20)], coordinates).save(tmp_path / "model")
    edges = tmp_path / "edges.csv"
    edges.write_text("upper;lower\nw0;w1\nw1;w2\nw0;w2\nw0;other\n")
    how = ("--columns", "upper,lower", "--order", "parent-child", "--color", "depth")
    result = program(
        "plot", tmp_path / "model", "-o", tmp_path / "map.svg", "--edges", edges, *how,
        "--delimiter", ";", "--center", "w2",
    )  # fmt: skip
    assert result.code == 0, result.err
    assert re.search(naming(1, edges, "other"), result.err)
    for wrong in (("--color", "depth"), ("--edges", edges, "--near", "w1")):
        result = program("plot", tmp_path / "model", "-o", tmp_path / "map.svg", *wrong)
        assert result.code == 2
        assert "--edges" in result.err


def test_edges_that_join_no_drawn_words_are_reported(program: Program, tmp_path: Path) -> None:
    coordinates = np.random.default_rng(1).normal(size=(20, 2)).astype(np.float32)
    WordVectors([f"w{i}" for i in range(20)], coordinates).save(tmp_path / "model")
    edges = tmp_path / "edges.tsv"
    edges.write_text("w1\tw0\nw2\tw0\nw3\tw2\n")
    command = ("plot", tmp_path / "model", "-o", tmp_path / "map.svg", "--edges", edges)
    for words, is_joined in ((("w1", "w3"), False), (("w0", "w3"), True)):
        result = program(*command, *(part for word in words for part in ("--word", word)))
        assert result.code == 0, result.err
        assert bool(re.search(naming(3, 2, edges, "none"), result.err)) == (not is_joined)


def test_formats(program: Program, model_file: Path, tmp_path: Path) -> None:
    for name in ("png", "svg", "html"):
        result = program("plot", model_file, "-o", tmp_path / "map", "--format", name, "-n", 5)
        assert result.code == 0, result.err
        start = (tmp_path / "map").read_bytes()[:15].lower()
        assert start.startswith({"png": b"\x89png", "svg": b"<?xml", "html": b"<!doctype"}[name])


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ("-o map.gif", ["map.gif", ".png", ".svg", ".html"]),
        ("-o map", ["map", ".png", ".svg", ".html"]),
        ("-o map.png --format svg", ["format", "svg", "map.png"]),
        ("-o map --format gif", ["format", "gif", "png", "svg", "html"]),
        ("-o map.png --projection umap", ["projection", "umap", "auto", "fitted"]),
        ("-o map.html --dark", ["dark", "html"]),
        ("-o map.png --near dog --analogy a b c", ["analogy", "near"]),
        ("-o map.png --near dog --categories builtin", ["near", "categories"]),
        ("-o map.png --word dog --word cat --count 5", ["--count", "--word"]),
        ("-o map.png --categories none.tsv", ["none.tsv"]),
        ("-o none/map.png", ["none/map.png"]),
    ],
)
def test_invalid_options_are_refused_before_the_model_is_read(
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    facts: list[object],
) -> None:
    monkeypatch.chdir(tmp_path)
    program("plot", "no-model", *arguments.split()).check_refused(*facts)
    assert not list(tmp_path.iterdir())


def test_the_categories_are_not_overwritten(
    program: Program, model_file: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "words.svg"
    listed.write_text("dog\tanimal\ncat\tanimal\n")
    before = listed.read_bytes()
    program("plot", model_file, "-o", listed, "--categories", listed).check_refused(listed)
    assert listed.read_bytes() == before


def test_unknown_words_are_refused(program: Program, model_file: Path, tmp_path: Path) -> None:
    for asked in (["--near", "dgo"], ["--analogy", "dgo", "cat", "car"], ["-w", "dgo", "-w", "a"]):
        result = program("plot", model_file, "-o", tmp_path / "map.png", *asked)
        result.check_refused("dgo", "dog")
    assert not list(tmp_path.iterdir())
