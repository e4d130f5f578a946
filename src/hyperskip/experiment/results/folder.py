"""The folder of an experiment: a header, the corpus, a record a run, models, and the report.

Runs are added one by one, each whole or not at all; the header says which text and evaluation sets
they are about, so that no run of another experiment is taken for one of this. The header is the
first file of an experiment to be written and the last to be removed: with the encoded corpus, which
may come before it, it tells an experiment from a folder of something else.
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
from hyperskip.experiment.results.choice import best_rate, by_rate
from hyperskip.experiment.results.records import Record, read_record
from hyperskip.files.failures import not_writable, reason_of
from hyperskip.files.format_version import check_version
from hyperskip.files.known_folders import is_encoded
from hyperskip.files.targets import check_writable_folder
from hyperskip.files.writing import replacing
from hyperskip.text.encoding.corpus_folder import (
    check_same_options,
    encode,
    kept_corpus,
    open_encoded,
)
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus, Report
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import Corpus
from hyperskip.training.checkpoints.checkpoint_files import corpus_checksum
from hyperskip.vectors.word_vectors import WordVectors

REPORT_NAMES = ("report.html", "report.md", "runs.csv")
FIGURES = "figures"

_HEADER, _CORPUS, _RUNS, _MODELS = "experiment.json", "corpus", "runs", "models"
_FORMAT, _FORMAT_VERSION = "hyperskip experiment", 1
_OTHERWISE = "choose another folder, or pass --restart, which removes the runs that are there"
_LARGEST_HEADER = 1 << 20
_PARTIAL = ".hyperskip-"  # begins the names of what is being written, and of locks


def _is_foreign(path: Path) -> bool:
    return not path.name.startswith(_PARTIAL)


class ExperimentFolder:
    """Where an experiment keeps what it has."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def _header(self) -> Path:
        return self.path / _HEADER

    def check(self) -> None:
        """Find out that nothing can be kept here before any work is done.

        Raises:
            OutputError: The place cannot be written to, or has something else in it.
        """
        check_writable_folder(self.path)
        if is_encoded(self.path):
            raise OutputError(
                f"the folder {self.path} is an encoded corpus", hint="choose another folder"
            )
        if self.path.is_dir() and not self._begun() and not self._is_empty():
            raise OutputError(
                f"the folder {self.path} is there, and it is not an experiment",
                hint="choose a name that nothing has",
            )

    def _begun(self) -> bool:
        """Also where the corpus was encoded, and no more."""
        return self._header.is_file() or is_encoded(self.path / _CORPUS)

    def _is_empty(self) -> bool:
        """Also with empty folders of ours, which older versions made before the header."""
        return all(
            path.name in (_RUNS, _MODELS, _CORPUS) and path.is_dir() and not any(path.iterdir())
            for path in filter(_is_foreign, self.path.iterdir())
        )

    def discard(self) -> None:
        """Remove what experiments keep here, and nothing else.

        The corpus gets the name of a partial file first: where there is no header yet, half of a
        corpus would be all that is left of the experiment.
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
        """The corpus as integers: read once, and kept here; or the one that was given as such.

        Args:
            given: A path, folder or glob, or several paths; or an encoded corpus.
            values: The options of reading.
            chosen: Those of them that were asked for by name.
            report: Called with the progress.

        Raises:
            CorpusError: The text cannot be read, or has changed since.
            OptionError: It was read with other options.
            OutputError: It cannot be kept.
            NewerFileError: A later version of hyperskip has written what is here.
        """
        if self._header.is_file():
            read_header(self._header)  # before the text, which takes longer, or anything changes
        opened = kept_corpus(given)
        options = TextOptions.of(dict(values))
        if opened is not None:
            check_same_options(opened, options, set(chosen))
            return opened
        kept = self.path / _CORPUS
        if is_encoded(kept):
            try:
                opened = open_encoded(kept)
                check_same_options(opened, options, options.as_dict())
            except (CorpusError, OptionError) as error:
                error.hint = _OTHERWISE
                raise
            return opened
        if kept.exists() and any(kept.iterdir()):
            raise OutputError(f"the encoded corpus {kept} is not whole", hint=_OTHERWISE)
        with self._made():
            self._remove_partial()
            return encode(given, kept, report=report, **values)

    @contextlib.contextmanager
    def _made(self) -> Iterator[None]:
        """Make the folder; if the block fails, an empty one is removed."""
        try:
            self.path.mkdir(exist_ok=True)
        except OSError as error:
            raise not_writable(self.path, error) from error
        try:
            yield
        except BaseException:
            with contextlib.suppress(OSError):
                self.path.rmdir()  # if it is empty
            raise

    def begin(self, corpus: EncodedCorpus, given: list[str], evaluation: dict[str, str]) -> None:
        """Write the header, or find that it is the same.

        Raises:
            OutputError: The runs here are about another text, or other evaluation sets.
        """
        about = {
            "format": _FORMAT,
            "format_version": _FORMAT_VERSION,
            "text": given,
            "corpus": corpus_checksum(corpus),
            "text options": corpus.options.as_dict(),
            "evaluation sets": evaluation,
        }
        if self._header.is_file():
            kept = read_header(self._header)
            differing = [name for name in about if kept.get(name) != about[name]]
            if differing:
                raise OutputError(
                    f"the folder {self.path} has runs of an experiment that differs in its "
                    f"{' and '.join(differing)}",
                    hint=_OTHERWISE,
                )
            self._remove_partial()
        else:
            with self._made(), replacing(self._header) as temporary:
                temporary.write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
        try:
            for name in (_RUNS, _MODELS):
                (self.path / name).mkdir(exist_ok=True)
        except OSError as error:
            raise not_writable(self.path, error) from error

    def _remove_partial(self) -> None:
        """Remove what a killed process was writing; this one is the only writer."""
        for folder in (self.path, self.path / _RUNS, self.path / _MODELS):
            for path in folder.glob(_PARTIAL + "*.part"):
                if path.is_dir():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)

    def record_of(self, run: Run) -> Record | None:
        """The record of a run, if it is done.

        Raises:
            OutputError: There is one of that name, for other options.
        """
        path = self._record_path(run)
        if not path.is_file():
            return None
        record = read_record(path)
        asked = run.key()
        named = (record.name, record.model, record.dimension, record.seed)
        if named != (run.name, run.model, run.options.dimension, run.options.seed):
            raise OutputError(
                f"{path} is the record of another run", hint="remove it, and the run is done again"
            )
        differing = [
            f"{name.replace('_', '-')} was {record.asked.get(name)!r} and is {asked.get(name)!r}"
            for name in {**asked, **record.asked}
            if record.asked.get(name) != asked.get(name)
        ]
        if differing:
            raise OutputError(
                f"{path} is of an experiment with other options: {'; '.join(differing)[:500]}",
                hint=_OTHERWISE,
            )
        return record

    def keep(self, run: Run, record: Record, vectors: WordVectors | None, models: str) -> None:
        """Keep what came of a run: its record at last, so that what has one is all there."""
        if vectors is not None and models != NONE:
            vectors.save(self.model_path(record))
        record.write(self._record_path(run))

    def tidy(self, records: Iterable[Record], seeds: int, models: str) -> None:
        """Remove the models of a row and dimension that can no longer be chosen."""
        if models == ALL:
            return
        complete = {rate: group for rate, group in by_rate(records).items() if len(group) >= seeds}
        best = best_rate(complete) or []
        for group in complete.values():
            for record in group:
                if record not in best:
                    self.model_path(record).unlink(missing_ok=True)

    def model_path(self, record: Record) -> Path:
        """Where the vectors of a run are kept, if they are."""
        return self.path / _MODELS / f"{record.name}.safetensors"

    def _record_path(self, run: Run) -> Path:
        return self.path / _RUNS / f"{run.name}.json"


def read_header(path: Path) -> dict[str, Any]:
    """The header of an experiment.

    Raises:
        OutputError: It is not one.
        NewerFileError: A later version of hyperskip has written it.
    """
    try:
        if path.stat().st_size > _LARGEST_HEADER:
            raise ValueError("it is far too large")
        about = json.loads(path.read_bytes())
        if not isinstance(about, dict) or about.get("format") != _FORMAT:
            raise ValueError("it has no format")
        check_version(path, about.get("format_version"), _FORMAT_VERSION)
    except (OSError, ValueError, RecursionError) as error:
        raise OutputError(
            f"{path} is not the header of an experiment: {reason_of(error)}", hint=_OTHERWISE
        ) from error
    return about
