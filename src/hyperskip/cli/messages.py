"""Messages on stderr; losing one (a closed pipe, a full disk) never ends the work it speaks of."""

import contextlib
import sys


def counted(words: int) -> str:
    """So many words, in words."""
    return f"{words:,} {'word' if words == 1 else 'words'}"


def say(text: str) -> None:
    """Print a line for the person who runs the program."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)
