"""Messages on standard error; if one cannot be written, the program continues without it.

Names of files and words may contain control characters, which are escaped for the terminal.
"""

import contextlib
import sys


def printable(text: str, *, kept: str = "") -> str:
    """Escape the control characters in a text, except for those in `kept`."""
    return "".join(
        letter
        if letter.isprintable() or letter in kept
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def is_terminal(stream: object) -> bool:
    """Whether a standard stream is a terminal; it may be missing, closed, or any object."""
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False


def say(text: str) -> None:
    """Print a message on standard error, which may be missing, closed, or any object."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            print(printable(text, kept="\n"), file=sys.stderr, flush=True)
