"""A whole experiment: what is to be run, less what is done, then choices and a report."""

import os
import statistics
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from hyperskip.errors import CorpusError, OutputError
from hyperskip.experiment.design.grid import Run, equal_time_runs, planned_runs
from hyperskip.experiment.design.options import FASTTEXT, ExperimentOptions
from hyperskip.experiment.estimate import Estimate
from hyperskip.experiment.events import Planned, Report, RunBegins, RunEnds
from hyperskip.experiment.report.report import Findings, write_report
from hyperskip.experiment.report.tables import Table, result_tables
from hyperskip.experiment.results.choice import Choice, choices
from hyperskip.experiment.results.folder import ExperimentFolder
from hyperskip.experiment.results.records import Record
from hyperskip.experiment.runs.one_run import conduct
from hyperskip.experiment.runs.peers import PeerText, check_fasttext, write_peer_text
from hyperskip.experiment.runs.scoring import Scorer, read_scorer
from hyperskip.files.known_folders import is_encoded
from hyperskip.files.locks import only_writer
from hyperskip.files.scratch import scratch_folder
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.sources import STANDARD_INPUT, expand
from hyperskip.training.trainer import check_training_device

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Experiment:
    """What an experiment has found."""

    folder: Path
    records: tuple[Record, ...]  # of every run, in order
    choices: tuple[Choice, ...]  # what the tables show
    tables: tuple[Table, ...]

    @property
    def report(self) -> Path:
        """The page to look at first."""
        return self.folder / "report.html"


def run_experiment(
    corpus: Paths,
    folder: str | os.PathLike[str],
    options: ExperimentOptions | None = None,
    *,
    restart: bool = False,
    report: Report | None = None,
    command: str | None = None,
) -> Experiment:
    """Train and evaluate every model of a grid, choose the best of each, and write a report.

    Each finished run is kept in the folder. Called again, after a crash or with a larger grid, only
    what is missing is run.

    Args:
        corpus: A path, folder or glob, or several; or the folder of an encoded corpus.
        folder: Where to keep runs, models and report; it is made.
        options: What to run; the paper's grid if not given.
        restart: Remove the runs that are there, and begin anew.
        report: Called with the progress, from the calling thread.
        command: What to name in the report as the way to repeat this.

    Raises:
        OptionError: An option is outside its range, or fastText is not installed; nothing has been
            written then.
        DatasetError: There is no evaluation set.
        CorpusError: The text is missing, unreadable or too small, or has changed.
        OutputError: The folder cannot be written, or has runs of another experiment.
    """
    options = options or ExperimentOptions()
    report = report or (lambda _: None)
    runs = planned_runs(options)
    for run in runs:
        check_training_device(run.options)
    TextOptions.of(options.text_values)
    if options.compare:
        check_fasttext()
    scorer = read_scorer(options.similarity, options.analogies, options.hypernymy, options.data)
    home = ExperimentFolder(Path(folder))
    given = _checked_corpus(corpus, home)
    home.check()
    with only_writer(home.path):
        if restart:
            home.discard()
        encoded = home.corpus(
            [Path(path) for path in given], options.text_values, options.shared, report
        )
        home.begin(encoded, [str(Path(path).absolute()) for path in given], scorer.key())
        records = _Conductor(home, encoded, scorer, options, report).conduct(runs)
        chosen = tuple(choices(records))
        called = (
            command or f"hyperskip.experiment.run_experiment({corpus!r}, {folder!r}, {options})"
        )
        write_report(home.path, Findings(options, records, chosen, encoded, scorer.missing, called))
    return Experiment(home.path, tuple(records), chosen, tuple(result_tables(records, chosen)))


def _checked_corpus(corpus: Paths, home: ExperimentFolder) -> list[str]:
    """The names that were given; there must be files for them, which can be read again."""
    given = [corpus] if isinstance(corpus, str | os.PathLike) else list(corpus)
    names = [os.fspath(path) for path in given]
    if STANDARD_INPUT in names:
        raise CorpusError(
            "an experiment cannot read standard input: whoever takes it up reads the text again",
            hint="keep it first, by: hyperskip encode - -o FOLDER; then pass the FOLDER",
        )
    for name in names:
        if Path(name).resolve().is_relative_to(home.path.resolve()):
            raise OutputError(
                f"the text {name} is in the folder {home.path}, which is of experiments alone",
                hint="choose another folder, or keep the text elsewhere",
            )
    if len(names) == 1 and is_encoded(Path(names[0])):
        return names
    expand(names)
    for name in names:
        if home.path.resolve().is_relative_to(Path(name).resolve()):
            raise OutputError(
                f"the folder {home.path} is among the text, in {name}",
                hint="choose a folder elsewhere: what is written there would be read as text",
            )
    return names


class _Conductor:
    """Does the runs that are not done."""

    def __init__(
        self,
        home: ExperimentFolder,
        encoded: EncodedCorpus,
        scorer: Scorer,
        options: ExperimentOptions,
        report: Report,
    ) -> None:
        self._home = home
        self._encoded = encoded
        self._scorer = scorer
        self._options = options
        self._report = report
        self._estimate = Estimate()
        self._records: dict[Run, Record] = {}
        self._text: PeerText | None = None

    def conduct(self, runs: list[Run]) -> list[Record]:
        """The records of all runs, and of those that follow from them."""
        for run in runs:
            self._take_up(run)
        # Whatever their epochs will be, so many there are, and so many of them are done.
        seconds = dict.fromkeys(self._options.dimensions, 1.0)
        later = equal_time_runs(runs, seconds, seconds) if self._options.equal_time else []
        done = len(self._records) + sum(self._home.record_of(run) is not None for run in later)
        total = len(runs) + len(later)
        self._report(Planned(total, done, self._scorer.missing))
        with ExitStack() as stack:
            self._run_all(runs, total, stack)
            followers = self._equal_time(runs)
            for run in followers:
                self._take_up(run)
            self._run_all([*runs, *followers], len(runs) + len(followers), stack)
        return [self._records[run] for run in (*runs, *followers)]

    def _take_up(self, run: Run) -> None:
        record = self._home.record_of(run)
        if record is not None:
            self._records[run] = record
            self._estimate.learn(run, record)

    def _run_all(self, runs: list[Run], total: int, stack: ExitStack) -> None:
        for number, run in enumerate(runs, start=1):
            if run in self._records:
                continue
            left = [later for later in runs[number - 1 :] if later not in self._records]
            self._report(RunBegins(run, number, total, self._estimate.seconds(left)))
            text = self._peer_text(stack) if run.program == FASTTEXT else None
            record, vectors = conduct(run, self._encoded, text, self._scorer, self._report)
            self._home.keep(run, record, vectors, self._options.keep_models)
            self._records[run] = record
            self._estimate.learn(run, record)
            row = [
                other
                for other in self._records.values()
                if (other.model, other.dimension) == (record.model, record.dimension)
            ]
            self._home.tidy(row, self._options.seeds, self._options.keep_models)
            self._report(RunEnds(record, number, total))

    def _peer_text(self, stack: ExitStack) -> PeerText:
        """The text for other programs, written when the first of them is run."""
        if self._text is None:
            scratch = stack.enter_context(scratch_folder())
            self._text = write_peer_text(self._encoded, scratch / "text.txt")
        return self._text

    def _equal_time(self, runs: list[Run]) -> list[Run]:
        if not self._options.equal_time:
            return []
        records = self._records.values()
        return equal_time_runs(
            runs, _mean_seconds(records, "default"), _mean_seconds(records, FASTTEXT)
        )


def _mean_seconds(records: Iterable[Record], model: str) -> dict[int, float]:
    """By dimension, how long a model was trained."""
    by_dimension: dict[int, list[float]] = {}
    for record in records:
        if record.model == model and record.seconds:
            by_dimension.setdefault(record.dimension, []).append(record.seconds)
    return {dimension: statistics.fmean(each) for dimension, each in by_dimension.items()}
