"""Base class of displays, and the displays of a map and of ranked edges."""

import contextlib
import threading
import time
from contextlib import AbstractContextManager
from typing import Any, Self

from hyperskip.evaluation.ranking_events import RankingProgress
from hyperskip.files.downloads import DownloadProgress
from hyperskip.progress.output import Output
from hyperskip.projection.map_events import MapProgress
from hyperskip.text.encoding.encoding_events import Pruned
from hyperskip.text.phrases.phrase_events import PhrasesFound, PrunedCandidates
from hyperskip.text.relations.relation_events import PrunedPairs
from hyperskip.training.run.training_events import OnDevice, SubwordsFound


class Display:
    """Base class of displays: a context manager that is passed as `report`.

    Args:
        output: Where progress is shown.
    """

    def __init__(self, output: Output) -> None:
        self._output = output

    def __enter__(self) -> Self:
        with _errors_ignored():
            self._output.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            with _errors_ignored():
                self._finish()
        with _errors_ignored():
            self._output.stop()
        # A signal raises SystemExit in the command line.
        if kind is not None and issubclass(kind, KeyboardInterrupt | SystemExit):
            with _errors_ignored():
                self._say_what_is_saved()

    def __call__(self, report: Any) -> None:
        """Show one report of progress."""
        with _errors_ignored():
            self._show(report)

    def _finish(self) -> None:
        """Update the bars at the end of the work."""

    def _say_what_is_saved(self) -> None:
        raise NotImplementedError

    def _show(self, report: Any) -> None:
        raise NotImplementedError


def _errors_ignored() -> AbstractContextManager[None]:
    """The work continues if a terminal cannot be written, or is closed (a ValueError)."""
    return contextlib.suppress(OSError, ValueError)


class MapDisplay(Display):
    """Shows how a map is made; without reports, when the map was made before, there is no bar."""

    def _say_what_is_saved(self) -> None:
        self._output.say("interrupted: the map was not made")

    def _show(self, report: MapProgress) -> None:
        self._output.update(report.step, report.share, 1.0, "")


class ExportDisplay(MapDisplay):
    """Shows how the lists of an exported explorer are made."""

    def _say_what_is_saved(self) -> None:
        self._output.say("interrupted: nothing was exported")


class RankingDisplay(Display):
    """Shows how the edges of a graph are ranked; without edges, there is no bar."""

    def _say_what_is_saved(self) -> None:
        self._output.say("interrupted: the model was not scored")

    def _show(self, report: RankingProgress) -> None:
        self._output.update(report.task, report.share, 1.0, "")


class DownloadDisplay(Display):
    """Shows how much of a file has arrived."""

    def _say_what_is_saved(self) -> None:
        self._output.say("interrupted: the file was not downloaded")

    def _show(self, report: DownloadProgress) -> None:
        total = "" if report.total is None else f" of {report.total / 1e6:,.1f}"
        figures = f"{report.bytes / 1e6:,.1f}{total} MB"
        self._output.update("download", report.bytes, report.total, figures)


class DelayedLine:
    """A line that is written after a while, unless it is canceled before.

    Args:
        output: Where the line is written.
        text: The line.
        seconds: When it is written.
    """

    def __init__(self, output: Output, text: str, seconds: float) -> None:
        self._started = time.monotonic()
        self._timer = threading.Timer(seconds, output.say, [text])
        self._timer.daemon = True
        with contextlib.suppress(RuntimeError):  # cannot start a thread
            self._timer.start()

    def cancel(self) -> float:
        """Do not write the line, if it is not written yet; returns the seconds since the start."""
        self._timer.cancel()
        return time.monotonic() - self._started


def device_line(report: OnDevice) -> str:
    """The device of a training, and why no other device is used."""
    reason = "" if report.reason is None else f" ({report.reason})"
    return f"training on the {report.name}{reason}"


def subwords_line(found: SubwordsFound) -> str:
    """The number of vectors of n-grams, and their memory."""
    vectors = "vector" if found.ngrams == 1 else "vectors"
    return (
        f"{found.ngrams:,} {vectors} for the n-grams of {found.words:,} words "
        f"(up to {found.bytes / 1e6:,.1f} MB of memory)"
    )


def pruned_line(pruned: Pruned) -> str:
    """A warning about words that were dropped while reading."""
    return (
        "warning: the text has more distinct words than `vocabulary_limit`; "
        f"{pruned.words:,} rare words were dropped so far ({pruned.tokens:,} tokens; none of them "
        f"had occurred more than {pruned.highest_count:,} times)"
    )


def pruned_pairs_line(pruned: PrunedPairs) -> str:
    """A warning about pairs that were dropped while relations were extracted."""
    return (
        "warning: the text has more different pairs than `pair_limit`; "
        f"{pruned.pairs:,} rare pairs were dropped so far (none of them had been found more than "
        f"{pruned.highest_count:,} times)"
    )


def pruned_candidates_line(pruned: PrunedCandidates) -> str:
    """A warning about pairs of words that were dropped while phrases were counted."""
    return (
        "warning: the text has more different pairs of words than `phrase_limit`; "
        f"{pruned.candidates:,} rare pairs were dropped (none of them had been found more than "
        f"{pruned.highest_count:,} times)"
    )


def phrases_line(found: PhrasesFound) -> str:
    """The number of phrases that a pass has found."""
    number = f" in pass {found.pass_number} of {found.passes}" if found.passes > 1 else ""
    return f"found {found.phrases:,} {'phrase' if found.phrases == 1 else 'phrases'}{number}"
