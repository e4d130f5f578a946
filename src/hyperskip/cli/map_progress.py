"""A bar on stderr while a map is made, one step after another; nothing where it is no terminal."""

import contextlib
from typing import Self

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from hyperskip.cli.display import EXIT_INTERRUPTED
from hyperskip.cli.messages import say
from hyperskip.projection.progress import MapProgress


class MapDisplay:
    """Shows what the making of a map reports; a context manager, to be passed as `report`."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("map: {task.description:<12}"),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeRemainingColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._steps: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._progress.stop()
        if kind is not None and issubclass(kind, KeyboardInterrupt | SystemExit):
            say("interrupted: there is no map yet")
        if kind is KeyboardInterrupt:
            raise typer.Exit(EXIT_INTERRUPTED)

    def __call__(self, report: MapProgress) -> None:
        """Show one report; losing one ends no work."""
        with contextlib.suppress(OSError):
            if report.step not in self._steps:
                self._steps[report.step] = self._progress.add_task(report.step, total=1.0)
            self._progress.update(self._steps[report.step], completed=report.share)
