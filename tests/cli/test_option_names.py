"""Messages written for Python arguments name the options of the command that was typed."""

from pathlib import Path
from typing import Any

import pytest
import typer
from program import Program

from hyperskip.cli.declared_options import declared_help
from hyperskip.cli.main import app
from hyperskip.cli.option_names import in_options
from hyperskip.options import declarations
from hyperskip.text.options import TextOptions

COMMANDS: Any = typer.main.get_command(app)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("`dimension` must be positive", "--dimension must be positive"),
        ("pass `resume=True`", "pass --resume"),
        ("pass `threads=1`", "pass --threads 1"),
        ("pass `tied=False`", "pass --untied"),
        ("`freeze=True` requires `init=MODEL`", "--freeze requires --init MODEL"),
        ("`corpus` is empty", "CORPUS is empty"),
        ("`min_count` and `burn_in_rate`", "--min-count and --burn-in-rate"),
        ("`nothing` of the kind, `vectors.words`", "`nothing` of the kind, `vectors.words`"),
    ],
)
def test_arguments_become_options(written: str, shown: str) -> None:
    assert in_options(written, COMMANDS.commands["train"].params) == shown


def test_python_words_are_not_shown_on_the_command_line(program: Program, model_file: Path) -> None:
    lowercase = declarations(TextOptions)["lowercase"]
    assert lowercase.default_in_words.startswith("True")
    assert "default: yes" in declared_help(lowercase)
    assert "True" not in declared_help(lowercase)
    result = program("neighbors", model_file, "qqqqqqqq")
    result.check_refused("'qqqqqqqq'")
    assert "min_count" not in result.err


def test_an_error_of_python_reaches_the_terminal_as_options(
    program: Program, tmp_path: Path
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a text\n")
    result = program("train", text, "-o", tmp_path / "model", "--dimension", 0)
    result.check_refused("--dimension", 1, 4096, 0)
    assert "`" not in result.err


@pytest.mark.parametrize(
    ("typed", "ours"),
    [
        ("--lr", "--rate"),
        ("--vector-size=5", "--dimension"),
        ("--workers", "--threads"),
        ("--iter", "--epochs"),
        ("--min-freq", "--min-count"),
        ("--lower", "--lowercase"),
        ("--minn", "--subword-min"),
        ("--maxn", "--subword-max"),
        ("--bucket", "--buckets"),
    ],
)
def test_an_option_of_another_program_is_answered_with_ours(
    program: Program, tmp_path: Path, typed: str, ours: str
) -> None:
    result = program("train", tmp_path / "text.txt", "-o", tmp_path / "model", typed, "5")
    result.check_refused(typed.partition("=")[0], ours)


def test_our_own_options_are_not_foreign(program: Program) -> None:
    # "model" is what other programs call our --init, but experiment has an option of that name.
    assert program("experiment", "--model=x", "--help").code == 0
    assert program("train", "--keep-case", "--help").code == 0


ERRORS: dict[str, list[object]] = {
    "demo": ["--seed", 2**63],
    "encode": ["TEXT", "-o", "OUT", "--min-count", 0],
    "train": ["TEXT", "-o", "OUT", "--preset", "none"],
    "phrases": ["TEXT", "-o", "OUT", "--phrase-threshold", 0],
    "relations": ["TEXT", "-o", "OUT", "--min-count", 0],
    "add-hierarchy": ["MODEL", "TEXT", "-o", "OUT", "--dimension", 1],
    "graph": ["TEXT", "-o", "OUT", "--method", "none"],
    "info": ["OUT"],
    "neighbors": ["MODEL", "dog", "--measure", "none"],
    "analogy": ["MODEL", "man", "woman", "king", "--route", "none"],
    "distance": ["MODEL", "dog", "dgo"],
    "similarity": ["MODEL", "dog", "cat", "--measure", "none"],
    "generality": ["MODEL", "--general", 0],
    "hypernyms": ["MODEL", "dog"],
    "hyponyms": ["MODEL", "dog", "--count", 0],
    "taxonomy": ["MODEL", "dog", "cat", "-o", "OUT"],
    "ancestors": ["MODEL", "dog", "--count", 0],
    "descendants": ["MODEL", "dgo"],
    "is-a": ["MODEL", "dog", "dgo"],
    "tree": ["MODEL", "dog", "--count", 3],
    "plot": ["MODEL", "-o", "OUT", "--projection", "none"],
    "explore": ["MODEL", "--port", 65536],
    "export": ["MODEL", "vectors.none"],
    "import": ["vectors.none", "OUT"],
    "download": ["smal"],
    "publish": ["MODEL", "-o", "OUT", "--name", "a b", "--license", "MIT"],
    "evaluate": ["MODEL", "--similarity", "builtin", "--measure", "none"],
    "experiment": ["TEXT", "-o", "OUT", "--seeds", 0],
}


NO_ERRORS = {"doctor"}  # it reports everything as a problem


def test_every_command_has_a_typical_error() -> None:
    assert set(ERRORS) == set(COMMANDS.commands) - NO_ERRORS


@pytest.mark.parametrize("command", ERRORS)
def test_no_command_shows_python_in_an_error(
    program: Program, model_file: Path, tmp_path: Path, command: str
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a text\n")
    (tmp_path / "vectors.none").write_text("a text\n")
    paths = {"TEXT": text, "MODEL": model_file, "OUT": tmp_path / "out"}
    paths["vectors.none"] = tmp_path / "vectors.none"
    arguments = [paths.get(str(argument), argument) for argument in ERRORS[command]]
    result = program(command, *arguments)
    assert result.code == 2, result.err
    assert "`" not in result.err
    assert "Traceback" not in result.err
    assert "training on" not in result.err  # options are checked first


def test_a_stale_corpus_names_the_command_that_encodes(program: Program, tmp_path: Path) -> None:
    text, folder = tmp_path / "text.txt", tmp_path / "encoded"
    text.write_text("some text\n" * 10)
    assert program("encode", text, "-o", folder).code == 0
    text.write_text("some other text\n" * 10)
    result = program("train", folder, "-o", tmp_path / "model")
    result.check_refused(folder, "hyperskip encode --force")
    assert "`" not in result.err


@pytest.mark.parametrize(
    ("model", "facts"),
    [
        ("x:tied=maybe", ["--model x", "tied", "yes or no", "maybe"]),
        ("x:lr=3", ["--model x", "lr", "rate"]),
        ("x:window=0", ["--model x", "window", 1, 1000, 0]),
        ("x:preset=none", ["--model x", "preset", "default", "paper", "none"]),
    ],
)
def test_errors_of_a_model_name_the_model(
    program: Program, tmp_path: Path, model: str, facts: list[object]
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("a text\n")
    result = program("experiment", text, "-o", tmp_path / "out", "--model", model)
    result.check_refused(*facts)
    assert "`" not in result.err
    assert "--tied" not in result.err
