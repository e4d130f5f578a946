"""What all bars on stderr share: in a terminal they move, and elsewhere there are lines only."""

import contextlib
from typing import Any, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn

from hyperskip.cli.messages import printable, say
from hyperskip.text.encoding.events import EncodingProgress, Pruned
from hyperskip.training.run.events import OnDevice


class Display:
    """Shows what is reported; a context manager, to be passed as `report`.

    Args:
        description_width: Of what stands before a bar.
        more: Columns behind the figures.
    """

    def __init__(self, description_width: int, *more: ProgressColumn) -> None:
        self._console = Console(stderr=True)
        self._progress = Progress(
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
            self._say_what_is_kept()

    def __call__(self, report: Any) -> None:
        """Show one report, whichever kind it is; losing one ends no work."""
        with contextlib.suppress(OSError):
            self._show(report)

    def _say_what_is_kept(self) -> None:
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


def where_it_trains(report: OnDevice) -> str:
    """The device, and why it is not another one."""
    reason = "" if report.reason is None else f" ({report.reason})"
    return f"training on the {report.name}{reason}"


def pruned_words(pruned: Pruned) -> str:
    """What a person should know of words that were dropped while reading."""
    return (
        f"more distinct words than --vocabulary-limit: so far {pruned.words:,} rare ones were "
        f"dropped ({pruned.tokens:,} tokens; none had been seen more than "
        f"{pruned.highest_count:,} times)"
    )
