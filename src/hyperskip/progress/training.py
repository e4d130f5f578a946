"""Progress of encoding and training: bars, and a line for each epoch."""

import math
import time
from typing import TYPE_CHECKING, Any, Self

from hyperskip.progress.cluster import ClusterLines, cluster_line, node_line, speed
from hyperskip.progress.display import (
    DelayedLine,
    Display,
    device_line,
    phrases_line,
    pruned_candidates_line,
    pruned_line,
    pruned_pairs_line,
    subwords_line,
)
from hyperskip.progress.output import Output
from hyperskip.text.encoding.encoding_events import CompilingScanner, EncodingProgress, Pruned
from hyperskip.text.phrases.phrase_events import (
    CompilingPhrases,
    PhraseProgress,
    PhrasesFound,
    PrunedCandidates,
)
from hyperskip.text.relations.relation_events import ExtractionSummary, PrunedPairs
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import (
    ClusterProgress,
    Compiling,
    GraphRead,
    HierarchyAdded,
    Interrupted,
    NodeJoined,
    NodeLost,
    NodeRefused,
    OnCluster,
    OnDevice,
    Resuming,
    Stopped,
    SubwordsFound,
    TrainingProgress,
)
from hyperskip.training.run.training_events import Progress as Report

if TYPE_CHECKING:
    from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder

_READING, _PHRASES, _TRAINING = "reading", "phrases", "training"  # the bars
_EDGE = "edge"
_EPOCH_SECONDS = 2.0  # between lines about epochs over edges
_LOADING_SECONDS = 2.0  # to load the compiler, and kernels from the cache on disk


class TrainingDisplay(Display):
    """Shows the progress of encoding and training.

    Args:
        output: Where progress is shown.
        lost: What to say after an interruption if there is no checkpoint; empty: nothing.
        checkpoints: The folder of the checkpoints.
        to_resume: What to say about resuming if there is a checkpoint.
    """

    def __init__(
        self,
        output: Output,
        *,
        lost: str = "",
        checkpoints: "CheckpointFolder | None" = None,
        to_resume: str = "",
    ) -> None:
        super().__init__(output)
        self._lost = lost
        self._checkpoints = checkpoints
        self._to_resume = to_resume
        self._bytes_read: int | None = None
        self._words_read = ""
        self._started = time.monotonic()  # later by the time for compiling
        self._compiling: DelayedLine | None = None
        self._stopped: Stopped | None = None
        self._is_interrupted = False
        self._cluster_lines = ClusterLines()
        self._counted, self._tokens = "word", 1.0  # what is counted, and tokens of each
        self._epoch_line: str | None = None  # of the last epoch, if it was not written
        self._next_line = 0.0

    def __enter__(self) -> Self:
        self._output.update(_READING, 0, None, "")
        return super().__enter__()

    def __exit__(self, *raised: Any) -> None:
        self._end_compiling()
        if self._bytes_read is None:  # as after an error in the arguments
            self._output.remove(_READING)
        super().__exit__(*raised)

    def _finish(self) -> None:
        self._finish_reading()
        if self._epoch_line is not None:
            self._output.say(self._epoch_line)

    def _say_what_is_saved(self) -> None:
        stopped = self._stopped
        if stopped is not None:
            self._output.say(f"interrupted in epoch {stopped.epoch} of {stopped.epochs}")
            self._output.say(f"saved {stopped.checkpoint}")
        elif self._checkpoints is not None and self._checkpoints.files():
            newest = self._checkpoints.files()[0]
            self._output.say(f"interrupted; the last checkpoint is {newest}")
        else:
            if self._lost:
                self._output.say(f"interrupted: {self._lost}")
            return
        self._output.say(self._to_resume)

    def _show(self, report: Report) -> None:
        self._end_compiling()
        match report:
            case EncodingProgress():
                self._show_reading(report)
            case CompilingScanner():
                self._begin_compiling("the tokenizer")
            case CompilingPhrases():
                self._begin_compiling("kernels for phrases")
            case PhraseProgress():
                note = f"pass {report.pass_number}/{report.passes}" if report.passes > 1 else ""
                self._output.update(_PHRASES, report.share, 1.0, note)
            case PhrasesFound():
                self._output.say(phrases_line(report))
            case PrunedCandidates():
                self._output.say(pruned_candidates_line(report))
            case Pruned():
                self._output.say(pruned_line(report))
            case PrunedPairs():
                self._output.say(pruned_pairs_line(report))
            case ExtractionSummary():
                self._output.say(
                    f"found {report.different_pairs:,} different relations in the text"
                )
            case GraphRead():
                self._show_graph(report)
            case OnCluster() | NodeJoined() | NodeLost() | NodeRefused():
                self._output.say(node_line(report))
            case OnDevice():
                self._output.say(device_line(report))
            case SubwordsFound():
                self._output.say(subwords_line(report))
            case Compiling():
                self._finish_reading()
                self._begin_compiling("kernels")
            case Resuming():
                self._output.say(_resuming_line(report, self._counted, self._tokens))
            case HierarchyAdded():
                self._output.say(
                    f"placed {report.words:,} words in a hierarchy in {report.seconds:.1f} s "
                    f"({report.known:,} with relations, the others by similar words)"
                )
            case Interrupted():
                self._show_interruption()
            case Stopped():
                self._stopped = report
            case TrainingProgress():
                self._show_training(report)
            case EpochSummary():
                self._show_epoch(report)

    def _begin_compiling(self, what: str) -> None:
        """Say what is prepared, unless it takes a moment only."""
        line = f"preparing {what} (the first time, compiling takes some seconds)"
        self._compiling = DelayedLine(self._output, line, _LOADING_SECONDS)

    def _end_compiling(self) -> None:
        if self._compiling is not None:
            self._started += self._compiling.cancel()
            self._compiling = None

    def _show_reading(self, report: EncodingProgress) -> None:
        self._bytes_read = report.bytes_read
        seconds = max(time.monotonic() - self._started, 1e-3)
        self._words_read = f"{report.tokens:,} words  {speed(report.tokens / seconds)}"
        self._output.update(_READING, report.bytes_read, report.bytes_total, self._words_read)

    def _show_graph(self, report: GraphRead) -> None:
        self._counted, self._tokens = report.counted, report.tokens
        self._output.say(f"read a graph: {report.summary}")
        if report.held_out:
            kept = report.summary.edges - report.held_out
            self._output.say(f"held out {report.held_out:,} edges, training on the other {kept:,}")

    def _finish_reading(self) -> None:
        """Show that all of the text was read; there is nothing to show if it was encoded before."""
        if self._bytes_read is None:
            self._output.remove(_READING)
        else:
            size = self._bytes_read or 1
            self._output.update(_READING, size, size, self._words_read)

    def _show_training(self, report: TrainingProgress) -> None:
        figures = [
            f"epoch {report.epoch}/{report.epochs}",
            *([] if math.isnan(report.loss) else [f"loss {report.loss:.3f}"]),
            speed(report.words_per_second, self._counted, self._tokens),
            f"rate {report.rate:.4f}",
        ]
        self._output.update(_TRAINING, report.tokens, report.tokens_total, "  ".join(figures))
        if report.cluster is not None:
            self._show_cluster(report.cluster)

    def _show_cluster(self, cluster: ClusterProgress) -> None:
        newest = cluster_line(cluster, self._counted, self._tokens)
        self._output.show_below(newest)
        line = self._cluster_lines.due(newest)
        if line is not None and not self._output.has_bars:
            self._output.say(line)

    def _show_interruption(self) -> None:
        if not self._is_interrupted:
            self._is_interrupted = True
            self._output.say("writing a checkpoint (interrupt again to stop without one)")

    def _show_epoch(self, report: EpochSummary) -> None:
        parts = [
            f"epoch {report.epoch}" + (" (burn-in)" if report.burn_in else ""),
            f"loss {report.loss:.4f}" if report.pairs else "no loss",
            f"{report.pairs:,} {'edge' if self._counted == _EDGE else 'pair'}"
            + ("" if report.pairs == 1 else "s"),
            f"{report.seconds:.1f} s",
        ]
        if report.skipped:
            share = report.skipped / (report.pairs + report.skipped)
            parts.insert(3, f"{report.skipped:,} skipped ({share:.2%})")
        self._say_epoch("  ".join(parts))

    def _say_epoch(self, line: str) -> None:
        """Write a line about an epoch; edges have many short epochs, of which few are shown."""
        if self._counted == _EDGE and time.monotonic() < self._next_line:
            self._epoch_line = line
            return
        self._output.say(line)
        cluster = self._cluster_lines.newest()
        if cluster is not None:
            self._output.say(f"  {cluster}")
        self._epoch_line = None
        self._next_line = time.monotonic() + _EPOCH_SECONDS


def _resuming_line(report: Resuming, counted: str, tokens: float) -> str:
    if report.checkpoint is None:
        return "no checkpoint found: starting from the beginning"
    if report.epoch > report.epochs:
        return f"resuming from {report.checkpoint}: training is finished"
    return (
        f"resuming from {report.checkpoint}: epoch {report.epoch} of {report.epochs}, "
        f"{round(report.tokens / tokens):,} {counted}s done"
    )
