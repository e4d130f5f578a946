"""What a display writes to: bars in a terminal or a notebook (`bars.py`), or lines only."""

from collections.abc import Callable
from typing import Protocol

from hyperskip.progress.messages import say

Translation = Callable[[str], str]  # of messages, into the words of the interface that is used


class Output(Protocol):
    """Bars, which have names, and lines above them."""

    has_bars: bool

    def start(self) -> None:
        """Begin to show bars."""

    def stop(self) -> None:
        """Show the last state of the bars, and leave it there."""

    def say(self, text: str) -> None:
        """Write a line."""

    def update(
        self, bar: str, completed: float, total: float | None, figures: str, *, timed: bool = True
    ) -> None:
        """Add a bar, or change it.

        Args:
            bar: The name, which is shown in front of the bar.
            completed: How much is done.
            total: How much there is; None if this is not known.
            figures: A text after the bar.
            timed: Whether to show the time left.
        """

    def remove(self, bar: str) -> None:
        """Remove a bar, if it exists."""

    def show_below(self, text: str) -> None:
        """Show a text below the bars, instead of the previous one."""


class Lines:
    """Writes lines to standard error, and shows no bars.

    Args:
        translated: Translates messages.
    """

    has_bars = False

    def __init__(self, translated: Translation = str) -> None:
        self._translated = translated

    def start(self) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""

    def say(self, text: str) -> None:
        """Write a line."""
        say(self._translated(text))

    def update(
        self, bar: str, completed: float, total: float | None, figures: str, *, timed: bool = True
    ) -> None:
        """Do nothing."""

    def remove(self, bar: str) -> None:
        """Do nothing."""

    def show_below(self, text: str) -> None:
        """Do nothing."""
