"""An experiment from the text to the report: the runs of a grid, choices and tables."""

from __future__ import annotations  # help() shows Paths and Report, not what they expand to

import os
import statistics
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from hyperskip.errors import CorpusError, OutputError
from hyperskip.experiment.design.grid import HYPERSKIP, Run, equal_time_runs, planned_runs
from hyperskip.experiment.design.options import ExperimentOptions
from hyperskip.experiment.design.peer_programs import FASTTEXT, GENSIM
from hyperskip.experiment.experiment_events import Planned, Report, RunBegins, RunEnds
from hyperskip.experiment.report.report import Findings, write_report
from hyperskip.experiment.report.table import Table
from hyperskip.experiment.report.tables import result_tables
from hyperskip.experiment.results.choice import Choice, choices
from hyperskip.experiment.results.experiment_folder import ExperimentFolder
from hyperskip.experiment.results.records import Record
from hyperskip.experiment.runs.one_run import train_and_evaluate
from hyperskip.experiment.runs.peers import PeerText, check_installed, write_peer_text
from hyperskip.experiment.runs.scoring import Scorer, read_scorer
from hyperskip.files.locks import only_writer
from hyperskip.files.remote import RemotePath, location
from hyperskip.files.scratch import scratch_folder
from hyperskip.options import check_report
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.paths import STANDARD_INPUT, input_files
from hyperskip.training.run.device import check_can_train

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

# For the first estimate of the time left. A training has a cost that does not depend on the
# dimension, and which is as high as that of this number of dimensions.
_FIXED_COST = 35.0
_TIMES_SLOWER = {"pairwise": 25.0, FASTTEXT: 20.0, GENSIM: 12.0}  # than the window schedule


@dataclass(frozen=True, repr=False)
class Experiment:
    """The results of an experiment."""

    folder: Path
    records: tuple[Record, ...]  # one for each run, in order
    choices: tuple[Choice, ...]  # the best rate of each dimension, number of epochs and model
    tables: tuple[Table, ...]

    @property
    def report(self) -> Path:
        """The report as a web page."""
        return self.folder / "report.html"

    def __repr__(self) -> str:
        return f"<Experiment: {len(self.records)} runs, report {str(self.report)!r}>"


def run_experiment(
    corpus: Paths,
    folder: str | os.PathLike[str],
    options: ExperimentOptions | None = None,
    *,
    restart: bool = False,
    report: Report | None = None,
    command: str | None = None,
) -> Experiment:
    """Train and evaluate every model of a grid, choose the best rate of each, and write a report.

    Every finished run is saved in the folder. A second call, after a crash or with a larger grid,
    only does the missing runs.

    Args:
        corpus: A path, folder, glob or URL, or several; or the folder of an encoded corpus.
        folder: The folder for runs, models and the report; it is created.
        options: The experiment to run; the paper's grid by default.
        restart: Remove the finished runs and start again.
        report: Called with the progress, from the calling thread.
        command: The command that the report names to repeat the experiment.

    Raises:
        OptionError: An option is outside its range, or another program is not installed. Nothing
            has been written.
        DatasetError: No evaluation set can be read.
        CorpusError: The text is missing, unreadable or too small, or has changed.
        OutputError: The folder cannot be written, or contains another experiment.
    """
    options = options or ExperimentOptions()
    check_report(report)
    report = report or (lambda _: None)
    runs = planned_runs(options)
    for run in runs:
        check_can_train(run.options)
    TextOptions(**options.text_values)
    for peer in options.compare:
        check_installed(peer)
    scorer = read_scorer(options.similarity, options.analogies, options.hypernymy, options.data)
    home = ExperimentFolder(Path(folder))
    given = _checked_corpus(corpus, home)
    home.check()
    with only_writer(home.path):
        if restart:
            home.discard()
        encoded = home.corpus(
            [location(path) for path in given], options.text_values, options.shared, report
        )
        home.begin(encoded, [str(location(path).absolute()) for path in given], scorer.key())
        records = _GridRunner(home, encoded, scorer, options, report).run(runs)
        chosen = tuple(choices(records))
        command = (
            command or f"hyperskip.experiment.run_experiment({corpus!r}, {folder!r}, {options})"
        )
        findings = Findings(options, records, chosen, encoded, scorer.missing, command)
        write_report(home.path, findings)
    return Experiment(home.path, tuple(records), chosen, tuple(result_tables(records, chosen)))


def _checked_corpus(corpus: Paths, home: ExperimentFolder) -> list[str]:
    """The given paths, after checks that they can be read again and the folder is not in them."""
    given = [corpus] if isinstance(corpus, str | os.PathLike) else list(corpus)
    names = [os.fspath(path) for path in given]
    if STANDARD_INPUT in names:
        raise CorpusError(
            "an experiment cannot read standard input, because it reads the text again when it is "
            "resumed",
            hint="first run: hyperskip encode - -o FOLDER; then pass FOLDER as the corpus",
        )
    local = {
        name: place.resolve()
        for name in names
        if not isinstance(place := location(name), RemotePath)
    }
    for name, place in local.items():
        if place.is_relative_to(home.path.resolve()):
            raise OutputError(
                f"the corpus {name} is inside the folder of the experiment, {home.path}",
                hint="choose another folder, or move the corpus",
            )
    input_files(names)
    for name, place in local.items():
        if home.path.resolve().is_relative_to(place):
            raise OutputError(
                f"the folder of the experiment, {home.path}, is inside the corpus {name}",
                hint="choose another folder: files in this one would be read as text",
            )
    return names


class _GridRunner:
    """Does the runs that are not finished."""

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
        self._time_left = TimeLeft()
        self._records: dict[Run, Record] = {}
        self._text: PeerText | None = None

    def run(self, runs: list[Run]) -> list[Record]:
        """The records of these runs, and of the runs for equal time that follow from them."""
        for run in runs:
            self._load(run)
        # Their epochs are not known yet, but their number is, and which of them are finished.
        places = product(self._options.dimensions, self._options.epochs)
        seconds = dict.fromkeys(places, 1.0)
        later = equal_time_runs(runs, seconds, seconds) if self._options.equal_time else []
        done = len(self._records) + sum(self._home.record_of(run) is not None for run in later)
        total = len(runs) + len(later)
        self._report(Planned(total, done, self._scorer.missing))
        with ExitStack() as stack:
            self._do_missing(runs, total, stack)
            followers = self._equal_time_runs(runs)
            for run in followers:
                self._load(run)
            self._do_missing([*runs, *followers], len(runs) + len(followers), stack)
        return [self._records[run] for run in (*runs, *followers)]

    def _load(self, run: Run) -> None:
        """Load the record of a run that is finished."""
        record = self._home.record_of(run)
        if record is not None:
            self._add(run, record)

    def _add(self, run: Run, record: Record) -> None:
        self._records[run] = record
        self._time_left.learn(run, record)

    def _do_missing(self, runs: list[Run], total: int, stack: ExitStack) -> None:
        for number, run in enumerate(runs, start=1):
            if run in self._records:
                continue
            left = [later for later in runs[number - 1 :] if later not in self._records]
            self._report(RunBegins(run, number, total, self._time_left.seconds(left)))
            text = None if run.program == HYPERSKIP else self._peer_text(stack)
            record, vectors = train_and_evaluate(
                run, self._encoded, text, self._scorer, self._report
            )
            self._home.keep(run, record, vectors, self._options.keep_models)
            self._add(run, record)
            rivals = [other for other in self._records.values() if other.place == record.place]
            self._home.remove_worse_models(rivals, self._options.seeds, self._options.keep_models)
            self._report(RunEnds(record, number, total))

    def _peer_text(self, stack: ExitStack) -> PeerText:
        """The text for other programs, written before the first of their runs."""
        if self._text is None:
            scratch = stack.enter_context(scratch_folder())
            self._text = write_peer_text(self._encoded, scratch / "text.txt")
        return self._text

    def _equal_time_runs(self, runs: list[Run]) -> list[Run]:
        if not self._options.equal_time:
            return []
        records = self._records.values()
        return equal_time_runs(
            runs, _mean_seconds(records, "default"), _mean_seconds(records, FASTTEXT)
        )


def _mean_seconds(records: Iterable[Record], model: str) -> dict[tuple[int, int], float]:
    """The mean training time of a model, by dimension and epochs."""
    found: dict[tuple[int, int], list[float]] = {}
    for record in records:
        if record.model == model and record.seconds:
            found.setdefault((record.dimension, record.epochs), []).append(record.seconds)
    return {place: statistics.fmean(each) for place, each in found.items()}


class TimeLeft:
    """Estimates the time of runs from the time per unit of work of the finished runs."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}  # by model; "" for all models
        self._work: dict[str, float] = {}

    def learn(self, run: Run, record: Record) -> None:
        """Add the time of a finished run."""
        for name in (run.model, ""):
            self._seconds[name] = self._seconds.get(name, 0.0) + record.whole_seconds
            self._work[name] = self._work.get(name, 0.0) + _work(run)

    def seconds(self, runs: Iterable[Run]) -> float | None:
        """The time that these runs will take; None before the first run is finished."""
        if "" not in self._seconds:
            return None
        return sum(_work(run) * self._seconds_per_unit(run.model) for run in runs)

    def _seconds_per_unit(self, model: str) -> float:
        name = model if model in self._seconds else ""
        return self._seconds[name] / self._work[name]


def _work(run: Run) -> float:
    """The amount of work in a run, in arbitrary units."""
    values = run.settled
    slower = _TIMES_SLOWER.get(values.schedule if run.program == HYPERSKIP else run.program, 1.0)
    return float((_FIXED_COST + values.dimension) * values.epochs * slower)
