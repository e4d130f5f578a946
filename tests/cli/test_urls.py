"""The commands with URLs."""

import json
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from program import Program

from hyperskip import load

QUICK = ["--dimension", "5", "--epochs", "1", "--threads", "1"]


@pytest.fixture
def stored(memory: MemoryFileSystem, corpus: Path) -> MemoryFileSystem:
    memory.pipe_file("/text/a.txt", corpus.read_bytes())
    return memory


@pytest.mark.parametrize("given", ["memory://text", "memory://text/*.txt", "memory://text/a.txt"])
def test_train_reads_urls(
    program: Program, stored: MemoryFileSystem, corpus: Path, tmp_path: Path, given: str
) -> None:
    result = program("train", given, "-o", tmp_path / "model", *QUICK)
    assert result.code == 0, result.err
    assert program("train", f"file://{corpus}", "-o", tmp_path / "expected", *QUICK).code == 0
    vectors, expected = load(tmp_path / "model"), load(tmp_path / "expected")
    assert (vectors.coordinates == expected.coordinates).all()


def test_an_encoded_corpus_is_kept_at_a_url(
    program: Program, stored: MemoryFileSystem, corpus: Path, tmp_path: Path
) -> None:
    result = program("encode", "memory://text/*.txt", corpus, "-o", "memory://wiki", "--json")
    assert result.code == 0, result.err
    summary = json.loads(result.out)
    assert summary["folder"] == "memory://wiki"
    assert "wrote memory://wiki" in result.err
    program("encode", corpus, "-o", "memory://wiki").check_refused("memory://wiki", "--force")
    assert program("train", "memory://wiki", "-o", tmp_path / "model", *QUICK).code == 0
    assert len(load(tmp_path / "model")) == summary["words"]


def test_an_experiment_reads_urls(
    program: Program, stored: MemoryFileSystem, tmp_path: Path
) -> None:
    sets = [f"--{kind}=builtin" for kind in ("similarity", "analogies", "hypernymy")]
    options = [
        "--subsample",
        "0.001",
        "--dimensions",
        "2",
        "--rates",
        "0.05",
        "--models",
        "paper",
        "--epochs",
        "1",
    ]
    command = ["experiment", "memory://text/a.txt", "-o", tmp_path / "results", *options, *sets]
    result = program(*command)
    assert result.code == 0, result.err
    header = json.loads((tmp_path / "results" / "experiment.json").read_text())
    assert header["text"] == ["memory://text/a.txt"]
    assert program(*command).code == 0
    stored.pipe_file("/text/a.txt", b"other text")
    program(*command).check_refused("memory://text/a.txt", "--restart")


@pytest.mark.parametrize(
    ("command", "facts"),
    [
        ("train s4://text -o model", ["s4://", "s3://"]),
        ("train memory://none -o model", ["memory://none"]),
        ("encode memory://none -o memory://wiki", ["memory://none"]),
        ("experiment memory://none -o results --similarity builtin", ["memory://none"]),
        ("encode memory://text -o memory://text", ["memory://text"]),
        ("train memory://text -o memory://model", ["memory://model", "local paths"]),
        ("train memory://text -o model --init memory://a", ["memory://a", "local paths"]),
        (
            "experiment memory://text -o memory://a --similarity builtin",
            ["memory://a", "local paths"],
        ),
        ("experiment memory://text -o a --data s3://b/c", ["s3://b/c", "local paths"]),
        ("experiment memory://text -o a --similarity s3://b/c", ["s3://b/c", "local paths"]),
        ("demo -o memory://demo", ["memory://demo", "local paths"]),
        ("info memory://model", ["memory://model", "local paths"]),
        ("neighbors memory://model a", ["memory://model", "local paths"]),
        ("plot memory://model -o picture.html", ["memory://model", "local paths"]),
        ("explore memory://model", ["memory://model", "local paths"]),
        ("evaluate memory://model", ["memory://model", "local paths"]),
        ("export memory://model a.txt", ["memory://model", "local paths"]),
        ("import memory://a.txt model", ["memory://a.txt", "local paths"]),
    ],
)
def test_invalid_uses_of_urls(
    program: Program,
    stored: MemoryFileSystem,
    tmp_path: Path,
    command: str,
    facts: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    program(*command.split()).check_refused(*facts)
    assert list(tmp_path.iterdir()) == []
    assert stored.find("/") == ["/text/a.txt"]
