"""Output names of the maximum length are written, and longer ones are refused early."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from program import Program

from hyperskip import WordVectors, encode, train
from hyperskip.errors import OutputError, OutputWarning
from hyperskip.files.targets import check_parent
from hyperskip.pictures import picture
from hyperskip.projection.map_file import map_beside
from hyperskip.vectors.exchange.exporting import export_vectors
from hyperskip.vectors.exchange.names import FORMATS

LONGEST = 255  # bytes

TEXT = "some words and more\n"
QUICK = ["--min-count", "1", "--subsample", "0", "--epochs", "1"]
COMMANDS = {
    "encode": ["encode", "TEXT", "--min-count", "1", "-o"],
    "train": ["train", "TEXT", *QUICK, "--dimension", "2", "--checkpoint-minutes", "0", "-o"],
    "graph": ["graph", "EDGES", "--epochs", "1", "--checkpoint-minutes", "0", "-o"],
    "import": ["import", "VECTORS", "--format", "word2vec"],
    "plot": ["plot", "MODEL", "--format", "svg", "-n", "5", "--projection", "tangent", "-o"],
    **{
        f"export {name}": ["export", "MODEL", "--format", name]
        for name in FORMATS
        if name != "floret"
    },
}


def _names(length: int) -> Iterator[str]:
    for letter in ("x", "é", "日"):
        count, rest = divmod(length, len(letter.encode()))
        yield letter * count + "x" * rest


@pytest.fixture
def inputs(tmp_path: Path, model_file: Path, trained: WordVectors) -> dict[str, object]:
    (tmp_path / "text").write_text(TEXT * 100)
    (tmp_path / "edges").write_text("dog\tanimal\n")
    export_vectors(trained, tmp_path / "vectors", format="word2vec")
    files = {name.upper(): tmp_path / name for name in ("text", "edges", "vectors")}
    return {**files, "MODEL": model_file}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_the_longest_names_are_written_and_longer_ones_refused(
    program: Program, tmp_path: Path, inputs: dict[str, object], command: list[str]
) -> None:
    folder = tmp_path / "outputs"
    folder.mkdir()
    arguments = [inputs.get(argument, argument) for argument in command]
    for name in _names(LONGEST + 1):
        program(*arguments, folder / name).check_refused(folder)
        assert not list(folder.iterdir())
    for name in _names(LONGEST):
        result = program(*arguments, folder / name)
        assert result.code == 0, result.err
        assert (folder / name).exists()
    assert len(list(folder.iterdir())) == 3


def _train(checkpoints: Path) -> None:
    train([TEXT] * 100, checkpoints=checkpoints, dimension=2, epochs=1, min_count=1, subsample=0)


def _encode(folder: Path) -> None:
    encode([TEXT] * 100, folder, min_count=1)


@pytest.mark.parametrize("write", [_train, _encode], ids=["checkpoints", "encode"])
def test_the_longest_names_in_python(tmp_path: Path, write: Callable[[Path], None]) -> None:
    for name in _names(LONGEST):
        write(tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 3
    for name in _names(LONGEST + 1):
        with pytest.raises(OutputError):
            write(tmp_path / name)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_name_is_checked_before_vectors_are_exported(
    trained: WordVectors, tmp_path: Path, format_name: str
) -> None:
    for name in _names(LONGEST + 1):
        with pytest.raises(OutputError):
            export_vectors(trained, tmp_path / name, format=format_name)


def test_a_name_is_checked_before_a_picture_is_made(
    trained: WordVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "draw", None)
    for name in _names(LONGEST + 1):
        with pytest.raises(OutputError):
            trained.plot(path=tmp_path / name, format="png")


def test_the_name_itself_is_checked_not_only_its_folder(tmp_path: Path) -> None:
    """In later versions of Python, `exists` returns False for such a name instead of raising."""
    for name in _names(LONGEST + 1):
        with pytest.raises(OutputError):
            check_parent(tmp_path / name)


def test_a_map_that_cannot_be_saved_is_made_with_a_warning(
    trained: WordVectors, tmp_path: Path
) -> None:
    for name in _names(LONGEST):
        with pytest.warns(OutputWarning):
            disc_map = map_beside(tmp_path / name, trained, words=5, method="tangent")
        assert len(disc_map.rows) == 5
    assert not list(tmp_path.iterdir())
