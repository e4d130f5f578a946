"""The folder of an experiment: a header, the corpus, a record for each run, models, and the report.

Every run is added completely or not at all. The header names the text and the evaluation sets, so
that runs of different experiments are never mixed. It is written first and removed last: a folder
is an experiment if it contains a header, or an encoded corpus, which may be written before it.
"""

import contextlib
import json
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from hyperskip.errors import CorpusError, OptionError, OutputError
from hyperskip.experiment.design.grid import Run
from hyperskip.experiment.design.options import ALL, NONE
from hyperskip.experiment.results.choice import by_rate, runs_at_best_rate
from hyperskip.experiment.results.records import Record, read_json, read_record
from hyperskip.files.failures import not_writable
from hyperskip.files.format_version import check_version
from hyperskip.files.known_folders import is_encoded
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import replacing
from hyperskip.options import declarations
from hyperskip.text.encoding.corpus_folder import open_encoded, open_if_encoded
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode
from hyperskip.text.encoding.encoding_events import Report
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import Corpus
from hyperskip.vectors.word_vectors import WordVectors

REPORT_NAMES = ("report.html", "report.md", "runs.csv")
FIGURES = "figures"

_HEADER, _CORPUS, _RUNS, _MODELS = "experiment.json", "corpus", "runs", "models"
_FORMAT, _FORMAT_VERSION = "hyperskip experiment", 1
_RESTART = "choose another folder, or pass `restart=True`, which removes the finished runs"
_LARGEST_HEADER = 1 << 20  # bytes
_PARTIAL = ".hyperskip-"  # prefix of files that are being written, and of locks


class ExperimentFolder:
    """Reads and writes the folder of an experiment."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def _header(self) -> Path:
        return self.path / _HEADER

    def check(self) -> None:
        """Check before any work is done that the folder can hold this experiment.

        Raises:
            OutputError: The folder cannot be written, or contains something else.
        """
        check_writable_folder(self.path)
        if is_encoded(self.path):
            raise OutputError(
                f"the folder {self.path} is an encoded corpus", hint="choose another folder"
            )
        if self.path.is_dir() and not self._is_experiment() and not self._is_empty():
            raise OutputError(
                f"the folder {self.path} exists and is not an experiment",
                hint="choose a new or empty folder",
            )

    def _is_experiment(self) -> bool:
        """Whether an experiment was started here; the corpus may be encoded before the header."""
        return self._header.is_file() or is_encoded(self.path / _CORPUS)

    def _is_empty(self) -> bool:
        """Whether there is nothing but empty subfolders, which older versions made first."""
        return all(
            path.name in (_RUNS, _MODELS, _CORPUS) and path.is_dir() and not any(path.iterdir())
            for path in self.path.iterdir()
            if not path.name.startswith(_PARTIAL)
        )

    def discard(self) -> None:
        """Remove the files of the experiment, and nothing else.

        The corpus is first renamed to a partial file: if there is no header yet and the process is
        killed now, half a corpus would not be recognized as an experiment.
        """
        with contextlib.suppress(OSError):
            (self.path / _CORPUS).rename(self.path / f"{_PARTIAL}{secrets.token_hex(8)}.part")
        self._remove_partial()
        for name in (_RUNS, _MODELS, FIGURES):
            shutil.rmtree(self.path / name, ignore_errors=True)
        for name in (*REPORT_NAMES, _HEADER):
            with contextlib.suppress(OSError):
                (self.path / name).unlink()

    def corpus(
        self, given: Corpus, values: Mapping[str, Any], chosen: Iterable[str], report: Report
    ) -> EncodedCorpus:
        """The encoded corpus: the given one, or the text encoded into this folder on first use.

        Args:
            given: A path, folder or glob, or several paths; or an encoded corpus.
            values: The text options.
            chosen: The names of the text options that the user has set.
            report: Called with the progress.

        Raises:
            CorpusError: The text cannot be read, or has changed since it was encoded.
            OptionError: The corpus was encoded with other options.
            OutputError: The encoded corpus cannot be written.
            NewerFileError: A later version of hyperskip has written this folder.
        """
        if self._header.is_file():
            read_header(self._header)  # fails before the text is read or anything is changed
        opened = open_if_encoded(given)
        options = TextOptions(**values)
        if opened is not None:
            opened.check_options(options, set(chosen))
            return opened
        kept = self.path / _CORPUS
        if is_encoded(kept):
            try:
                opened = open_encoded(kept)
                opened.check_options(options, declarations(TextOptions))
            except (CorpusError, OptionError) as error:
                error.hint = _RESTART
                raise
            return opened
        if kept.exists() and any(kept.iterdir()):
            raise OutputError(f"the encoded corpus {kept} is incomplete", hint=_RESTART)
        with self._new_folder():
            self._remove_partial()
            return encode(given, kept, report=report, **values)

    @contextlib.contextmanager
    def _new_folder(self) -> Iterator[None]:
        """Create the folder if needed; if the block fails, remove it if it is empty."""
        try:
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise not_writable(self.path, error) from error
        try:
            yield
        except BaseException:
            with contextlib.suppress(OSError):
                self.path.rmdir()  # fails unless it is empty
            raise

    def begin(self, corpus: EncodedCorpus, given: list[str], evaluation: dict[str, str]) -> None:
        """Write the header, or check that the existing one is the same.

        Raises:
            OutputError: The finished runs used another text or other evaluation sets.
        """
        header = {
            "format": _FORMAT,
            "format_version": _FORMAT_VERSION,
            "text": given,
            "corpus": corpus.checksum(),
            "text options": corpus.options.as_dict(),
            "evaluation sets": evaluation,
        }
        if self._header.is_file():
            existing = read_header(self._header)
            differing = [name for name in header if existing.get(name) != header[name]]
            if differing:
                raise OutputError(
                    f"the folder {self.path} contains an experiment with a different "
                    f"{' and '.join(differing)}",
                    hint=_RESTART,
                )
            self._remove_partial()
        else:
            with self._new_folder(), replacing(self._header) as temporary:
                temporary.write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
        try:
            for name in (_RUNS, _MODELS):
                (self.path / name).mkdir(exist_ok=True)
        except OSError as error:
            raise not_writable(self.path, error) from error

    def _remove_partial(self) -> None:
        """Remove files that a killed process has left; no other process is writing here."""
        for folder in (self.path, self.path / _RUNS, self.path / _MODELS):
            for path in folder.glob(_PARTIAL + "*.part"):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)

    def record_of(self, run: Run) -> Record | None:
        """The record of a run, or None if the run is not finished.

        Raises:
            OutputError: The record is of another run or of other options.
        """
        path = self._record_path(run.name)
        is_older = not path.is_file()
        if is_older:
            path = self._record_path(run.older_name)
            if not path.is_file():
                return None
        record = read_record(path)
        asked, before = run.key(), record.asked
        if is_older and before.get("epochs") != asked["epochs"]:
            return None
        named = (record.name, record.model, record.dimension, record.seed)
        if named != (path.stem, run.model, run.settled.dimension, run.settled.seed):
            raise OutputError(
                f"{path} is the record of another run", hint="delete the file to repeat the run"
            )
        differing = [
            f"{name} was {before.get(name)!r} and is now {asked.get(name)!r}"
            for name in {**asked, **before}
            if before.get(name) != asked.get(name)
        ]
        if differing:
            raise OutputError(
                f"{path} was trained with other options: {'; '.join(differing)[:500]}",
                hint=_RESTART,
            )
        return record

    def keep(self, run: Run, record: Record, vectors: WordVectors | None, models: str) -> None:
        """Write the model and then the record, so that a run with a record is complete."""
        if vectors is not None and models != NONE:
            vectors.save(self.model_path(record))
        record.write(self._record_path(run.name))

    def remove_worse_models(self, records: Iterable[Record], seeds: int, models: str) -> None:
        """Remove the files of models of one place in the tables that can no longer be the best."""
        if models == ALL:
            return
        complete = {rate: group for rate, group in by_rate(records).items() if len(group) >= seeds}
        best = runs_at_best_rate(complete) or []
        for group in complete.values():
            for record in group:
                if record not in best:
                    self.model_path(record).unlink(missing_ok=True)

    def model_path(self, record: Record) -> Path:
        """The file for the vectors of a run; it may not exist."""
        return self.path / _MODELS / f"{record.name}.safetensors"

    def _record_path(self, name: str) -> Path:
        return self.path / _RUNS / f"{name}.json"


def read_header(path: Path) -> dict[str, Any]:
    """Read the header of an experiment.

    Raises:
        OutputError: The file is not a header.
        NewerFileError: A later version of hyperskip has written it.
    """

    def parse(header: Any) -> dict[str, Any]:
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            raise ValueError(f"its format is not {_FORMAT!r}")
        check_version(path, header.get("format_version"), _FORMAT_VERSION)
        return header

    return read_json(
        path, parse, largest=_LARGEST_HEADER, kind="the header of an experiment", hint=_RESTART
    )
