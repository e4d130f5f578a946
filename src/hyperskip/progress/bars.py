"""Bars in a terminal, and the same bars as text in a notebook."""

import contextlib
import io
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TaskProgressColumn,
    TextColumn,
)
from rich.table import Column
from rich.text import Text

from hyperskip.progress.messages import is_terminal, printable
from hyperskip.progress.output import Translation

_NAME_WIDTH = 9
_NOTEBOOK_WIDTH = 100
_NOTEBOOK_LINES = 20  # that are kept; a notebook saves what it shows
_NOTEBOOK_SECONDS = 0.25


class _TimeColumn(ProgressColumn):
    """The time left, or the time taken after the end."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        if not task.fields["timed"] or task.total is None:
            return Text("")
        if task.finished:
            return Text(f"took {_clock(task.finished_time or 0.0)}")
        left = task.time_remaining
        return Text(f"{'-:--:--' if left is None else _clock(left)} left")


class _Figures:
    """Figures, separated by two blanks; the last ones are left out if the terminal is narrow."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_measure__(self, _: Console, options: ConsoleOptions) -> Measurement:
        width = cell_len(self._text)
        return Measurement(min(1, width), width).with_maximum(options.max_width)

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> Iterator[Text]:
        text = self._text
        while cell_len(text) > options.max_width and "  " in text:
            text = text.rpartition("  ")[0]
        yield Text(text, no_wrap=True, overflow="ellipsis")


class _FiguresColumn(ProgressColumn):
    """The figures of a bar."""

    def get_table_column(self) -> Column:
        return Column(no_wrap=False)  # the only column that becomes narrower

    def render(self, task: Task) -> _Figures:
        return _Figures(task.fields["figures"])


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=int(seconds)))


class _NamedBars(Progress):
    """Bars that have names, with a line of text below them.

    Args:
        console: Where they are drawn.
        options: Options of rich's Progress.
    """

    def __init__(self, console: Console, **options: Any) -> None:
        self._ids: dict[str, TaskID] = {}
        self._line_below = ""
        bar_width = min(max(console.width - 84, 8), 24)
        super().__init__(
            TextColumn(f"{{task.description:<{_NAME_WIDTH}}}", markup=False),
            *([BarColumn(bar_width)] if console.width >= 60 else []),
            TaskProgressColumn(),
            _TimeColumn(),
            _FiguresColumn(),
            console=console,
            **options,
        )

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bars and the line, which is cut at the width of the terminal."""
        yield from super().get_renderables()
        if self._line_below:
            yield Text(self._line_below, no_wrap=True, overflow="ellipsis")

    def update_bar(self, name: str, **values: Any) -> None:
        if name not in self._ids:  # rich recognizes the end of a bar in an update only
            self._ids[name] = self.add_task(name, **values)
        self.update(self._ids[name], **values)

    def remove_bar(self, name: str) -> None:
        if name in self._ids:
            self.remove_task(self._ids.pop(name))

    def show_below(self, text: str) -> None:
        self._line_below = text


class _Bars:
    """What bars in a terminal and in a notebook share.

    Args:
        bars: The bars.
    """

    has_bars = True

    def __init__(self, bars: _NamedBars) -> None:
        self._bars = bars

    def update(
        self, bar: str, completed: float, total: float | None, figures: str, *, timed: bool = True
    ) -> None:
        """Add a bar, or change it."""
        self._bars.update_bar(
            bar, completed=completed, total=total, figures=printable(figures), timed=timed
        )
        self._changed()

    def remove(self, bar: str) -> None:
        """Remove a bar, if it exists."""
        self._bars.remove_bar(bar)

    def show_below(self, text: str) -> None:
        """Show a text below the bars, instead of the previous one."""
        self._bars.show_below(text)

    def _changed(self) -> None:
        """Called after each change of a bar."""


class TerminalBars(_Bars):
    """Bars at the bottom of a terminal; lines are written above them.

    Args:
        console: The terminal.
        translated: Translates messages.
    """

    def __init__(self, console: Console, translated: Translation = str) -> None:
        # What the program prints to a file or a pipe must get there.
        bars = _NamedBars(console, redirect_stdout=is_terminal(sys.stdout), refresh_per_second=4)
        super().__init__(bars)
        self._translated = translated

    def start(self) -> None:
        """Begin to show bars; without a thread, they change with each line only."""
        with contextlib.suppress(RuntimeError):  # cannot start a thread
            self._bars.start()

    def stop(self) -> None:
        """Show the last state of the bars, and leave it there."""
        self._bars.stop()

    def say(self, text: str) -> None:
        """Write a line."""
        shown = printable(self._translated(text), kept="\n")
        self._bars.console.print(shown, highlight=False, markup=False, soft_wrap=True)


class NotebookBars(_Bars):
    """Bars and lines in one output of a notebook, which is replaced by each update.

    Without a thread and without widgets: what is shown is plain text and stays in the file.
    """

    def __init__(self) -> None:
        console = Console(
            file=io.StringIO(),
            width=_NOTEBOOK_WIDTH,
            color_system=None,
            force_terminal=False,
            force_jupyter=False,
        )
        super().__init__(_NamedBars(console))  # never started: only its text is used
        self._lines: deque[str] = deque(maxlen=_NOTEBOOK_LINES)
        self._handle: Any = None
        self._seconds = _NOTEBOOK_SECONDS  # between two updates
        self._updated = 0.0

    def start(self) -> None:
        """Show the output."""
        from IPython.display import display

        self._handle = display(  # type: ignore[no-untyped-call]
            self._content(), raw=True, display_id=True
        )

    def stop(self) -> None:
        """Show the last state of the bars, and leave it there."""
        self._seconds = 0.0
        self._changed()

    def say(self, text: str) -> None:
        """Write a line; the oldest lines disappear."""
        self._lines.extend(printable(line) for line in text.split("\n"))
        self._changed()

    def _changed(self) -> None:
        now = time.monotonic()
        if self._handle is not None and now - self._updated >= self._seconds:
            self._updated = now
            self._handle.update(self._content(), raw=True)

    def _content(self) -> dict[str, str]:
        with self._bars.console.capture() as captured:
            self._bars.console.print(self._bars.get_renderable())
        bars = captured.get().splitlines()
        return {"text/plain": "\n".join([*self._lines, *map(str.rstrip, bars)])}
