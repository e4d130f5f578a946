"""Messages written for Python arguments name the options of the command that was typed."""

from pathlib import Path
from typing import Any

import pytest
import typer
from program import Program

from hyperskip.cli.main import app
from hyperskip.cli.option_names import in_options

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
