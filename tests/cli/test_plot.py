"""`hyperskip plot`: what it draws, what it says, and what it refuses before it reads a model."""

from pathlib import Path

import numpy as np
import pytest
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
    assert f"wrote {tmp_path / 'map.svg'}\n" in result.err
    assert "of 100 nearest neighbours are still nearest (method " in result.err
    assert ("1 words of" in result.err) == ("FILE" in asked)


def test_in_two_dimensions_nothing_is_lost(program: Program, tmp_path: Path) -> None:
    coordinates = np.random.default_rng(1).normal(size=(20, 2)).astype(np.float32)
    WordVectors([f"w{i}" for i in range(20)], coordinates).save(tmp_path / "model")
    result = program("plot", tmp_path / "model", "-o", tmp_path / "map.svg")
    assert result.code == 0, result.err
    assert "nothing is lost" in result.err


def test_formats(program: Program, model_file: Path, tmp_path: Path) -> None:
    for name in ("png", "svg", "html"):
        result = program("plot", model_file, "-o", tmp_path / "map", "--format", name, "-n", 5)
        assert result.code == 0, result.err
        start = (tmp_path / "map").read_bytes()[:15].lower()
        assert start.startswith({"png": b"\x89png", "svg": b"<?xml", "html": b"<!doctype"}[name])


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("-o map.gif", "let it end in .png, .svg or .html"),
        ("-o map", "let it end in .png, .svg or .html"),
        ("-o map.png --format svg", "format is 'svg', but the picture's file is 'map.png'"),
        ("-o map --format gif", "format is 'gif'"),
        ("-o map.png --projection umap", "projection is 'umap'"),
        ("-o map.html --dark", "a dark ground was asked for"),
        ("-o map.png --near dog --analogy a b c", "a picture of an analogy"),
        ("-o map.png --near dog --categories builtin", "leave one of them out"),
        ("-o map.png --word dog --word cat --count 5", "leave count out"),
        ("-o map.png --categories none.tsv", "cannot read the categories of none.tsv"),
        ("-o none/map.png", "none is missing"),
    ],
)
def test_what_makes_no_sense_is_refused_before_the_model_is_read(
    program: Program,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: str,
    complaint: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = program("plot", "no-model", *arguments.split())
    assert result.code == 2
    assert complaint in result.err
    assert "hint: " in result.err
    assert not list(tmp_path.iterdir())


def test_the_categories_are_not_overwritten(
    program: Program, model_file: Path, tmp_path: Path
) -> None:
    listed = tmp_path / "words.svg"
    listed.write_text("dog\tanimal\ncat\tanimal\n")
    result = program("plot", model_file, "-o", listed, "--categories", listed)
    assert result.code == 2
    assert "it is also the input" in result.err


def test_words_that_are_not_there(program: Program, model_file: Path, tmp_path: Path) -> None:
    for asked in (["--near", "dgo"], ["--analogy", "dgo", "cat", "car"], ["-w", "dgo", "-w", "a"]):
        result = program("plot", model_file, "-o", tmp_path / "map.png", *asked)
        assert result.code == 2
        assert "did you mean 'dog'" in result.err
    assert not list(tmp_path.iterdir())
