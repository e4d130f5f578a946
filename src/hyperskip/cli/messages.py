"""Messages on stderr; losing one (a closed pipe, a full disk) never ends the work it speaks of.

Names of files and words come from anywhere: whatever a terminal would obey is shown escaped.
"""

import contextlib
import sys


def counted(words: int) -> str:
    """So many words, in words."""
    return f"{words:,} {'word' if words == 1 else 'words'}"


def printable(text: str, *, kept: str = "") -> str:
    """A text without control characters, which are escaped, except for those that are kept."""
    return "".join(
        letter
        if letter.isprintable() or letter in kept
        else letter.encode("unicode_escape").decode()
        for letter in text
    )


def say(text: str) -> None:
    """Print lines for the person who runs the program."""
    with contextlib.suppress(OSError):
        print(printable(text, kept="\n"), file=sys.stderr, flush=True)
