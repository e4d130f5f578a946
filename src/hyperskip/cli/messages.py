"""What commands say: numbers with nouns, the command that was typed, and progress."""

import shlex
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hyperskip.progress.output import Output

_RESUMPTION = ("--resume", "--restart")


def counted(number: int, noun: str = "word") -> str:
    """A number with its noun, in the plural unless it is 1."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def typed_command(*flags: str) -> str:
    """The command as it was typed, with these flags instead of --resume and --restart."""
    name, *arguments = sys.argv[1:]
    kept = [argument for argument in arguments if argument not in _RESUMPTION]
    return shlex.join(["hyperskip", name, *flags, *kept])


def progress_output() -> "Output":
    """Where a command shows progress: bars in a terminal, lines elsewhere."""
    from rich.console import Console

    from hyperskip.cli.main import in_typed_options  # knows all commands, which import this module
    from hyperskip.progress.bars import TerminalBars
    from hyperskip.progress.output import Lines

    console = Console(stderr=True)
    if console.is_terminal:
        return TerminalBars(console, in_typed_options)
    return Lines(in_typed_options)
