"""What a display writes to: bars in a terminal or a notebook (`bars.py`), or lines only."""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from hyperskip.progress.messages import say

Translation = Callable[[str], str]  # of messages, into the words of the interface that is used

_LINE_SECONDS = 60.0  # between lines about a bar


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


@dataclass
class _Pace:
    """When a bar began, and when the next line about it is due."""

    began: float  # in seconds, as all times
    completed: float  # at that time
    due: float

    def time_left(self, now: float, completed: float, total: float) -> str:
        done = completed - self.completed
        if done <= 0:
            return ""
        minutes = round((now - self.began) * (total - completed) / done / 60)
        hours, minutes = divmod(minutes, 60)
        return f"about {hours} h {minutes} min left" if hours else f"about {minutes} min left"


class Lines:
    """Writes lines to standard error: messages, and once a minute the state of a bar.

    Args:
        translated: Translates messages.
    """

    has_bars = False

    def __init__(self, translated: Translation = str) -> None:
        self._translated = translated
        self._paces: dict[str, _Pace] = {}

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
        """Write a line about a bar that takes minutes and is not complete."""
        now = monotonic()
        pace = self._paces.setdefault(bar, _Pace(now, completed, now + _LINE_SECONDS))
        if now < pace.due or completed == total:
            return
        pace.due = now + _LINE_SECONDS
        share = f"{completed / total:.0%}" if total else ""
        left = pace.time_left(now, completed, total) if total and timed else ""
        self.say("  ".join(filter(None, [f"{bar} {share}".rstrip(), figures, left])))

    def remove(self, bar: str) -> None:
        """Write no more lines about a bar."""
        self._paces.pop(bar, None)

    def show_below(self, text: str) -> None:
        """Do nothing."""
