"""Messages on standard error; if one cannot be written, the program continues without it.

Names of files and words may contain control characters, which are escaped for the terminal.
"""

import contextlib
import shlex
import sys

_RESUMPTION = ("--resume", "--restart")


def counted(number: int, noun: str = "word") -> str:
    """A number with its noun, in the plural unless it is 1."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def printable(text: str, *, kept: str = "") -> str:
    """Escape the control characters in a text, except for those in `kept`."""
    return "".join(
        letter
        if letter.isprintable() or letter in kept
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def say(text: str) -> None:
    """Print a message on standard error."""
    with contextlib.suppress(OSError):
        print(printable(text, kept="\n"), file=sys.stderr, flush=True)


def typed_command(*flags: str) -> str:
    """The command as it was typed, with these flags instead of --resume and --restart."""
    name, *arguments = sys.argv[1:]
    kept = [argument for argument in arguments if argument not in _RESUMPTION]
    return shlex.join(["hyperskip", name, *flags, *kept])
