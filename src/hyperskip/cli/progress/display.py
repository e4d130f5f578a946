"""Progress on standard error: bars in a terminal, and lines elsewhere."""

import contextlib
from collections.abc import Iterable
from typing import Any, Self

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
from rich.text import Text

from hyperskip.cli.messages import printable, say
from hyperskip.projection.map_events import MapProgress
from hyperskip.text.encoding.encoding_events import EncodingProgress, Pruned
from hyperskip.training.run.training_events import OnDevice


class _Bars(Progress):
    """Progress bars, with a line of text below them."""

    line = ""

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bars and the line, which is cut at the width of the terminal."""
        yield from super().get_renderables()
        if self.line:
            yield Text(self.line, no_wrap=True, overflow="ellipsis")


class Display:
    """Base class of displays: a context manager that is passed as `report`.

    Args:
        description_width: The width of the text before a bar.
        more: Columns after the figures.
    """

    def __init__(self, description_width: int, *more: ProgressColumn) -> None:
        self._console = Console(stderr=True)
        self._progress = _Bars(
            TextColumn(f"{{task.description:<{description_width}}}"),
            BarColumn(bar_width=8 if self._console.width < 100 else 24),
            TextColumn("{task.percentage:>3.0f}%"),
            TextColumn("{task.fields[figures]}"),
            *more,
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._reading = self._progress.add_task("reading", total=None, figures="")

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._progress.stop()
        if kind is not None and issubclass(kind, SystemExit):  # by a signal
            self._say_what_is_saved()

    def __call__(self, report: Any) -> None:
        """Show one report of progress; a stderr that cannot be written does not stop the work."""
        with contextlib.suppress(OSError):
            self._show(report)

    def _say_what_is_saved(self) -> None:
        raise NotImplementedError

    def _show(self, report: Any) -> None:
        raise NotImplementedError

    def _say(self, text: str) -> None:
        if self._console.is_terminal:
            shown = printable(text, kept="\n")
            self._progress.console.print(shown, highlight=False, markup=False)
        else:
            say(text)

    def _show_reading(self, report: EncodingProgress) -> None:
        self._progress.update(
            self._reading,
            total=report.bytes_total,
            completed=report.bytes_read,
            figures=f"{report.tokens:,} words",
        )


class MapDisplay(Display):
    """Shows how a map is made; without reports, when the map was made before, there is no bar."""

    def __init__(self) -> None:
        super().__init__(10, TimeRemainingColumn())
        self._progress.update(self._reading, visible=False)

    def _say_what_is_saved(self) -> None:
        say("interrupted: the map was not made")

    def _show(self, report: MapProgress) -> None:
        self._progress.update(
            self._reading,
            description=report.step,
            total=1.0,
            completed=report.share,
            visible=True,
        )


def device_line(report: OnDevice) -> str:
    """The device of a training, and why no other device is used."""
    reason = "" if report.reason is None else f" ({report.reason})"
    return f"training on the {report.name}{reason}"


def pruned_line(pruned: Pruned) -> str:
    """A warning about words that were dropped while reading."""
    return (
        f"warning: the text has more distinct words than --vocabulary-limit; {pruned.words:,} rare "
        f"words were dropped so far ({pruned.tokens:,} tokens; none of them had occurred more than "
        f"{pruned.highest_count:,} times)"
    )
