"""Progress of a map on stderr: a bar that goes from step to step."""

from rich.progress import TimeRemainingColumn

from hyperskip.cli.messages import say
from hyperskip.cli.progress.display import Display
from hyperskip.projection.events import MapProgress


class MapDisplay(Display):
    """Shows what the making of a map reports; there is no bar where one is kept already."""

    def __init__(self) -> None:
        super().__init__(10, TimeRemainingColumn())
        self._progress.update(self._reading, visible=False)

    def _say_what_is_kept(self) -> None:
        say("interrupted: there is no map yet")

    def _show(self, report: MapProgress) -> None:
        self._progress.update(
            self._reading,
            description=report.step,
            total=1.0,
            completed=report.share,
            visible=True,
        )
