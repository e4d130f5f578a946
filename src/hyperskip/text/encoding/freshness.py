"""Whether an encoded corpus still matches the text that it was made from."""

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hyperskip.errors import CorpusWarning, InputError, StaleCorpusError, warn
from hyperskip.files.remote import Location, RemotePath, location
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.paths import corpus_files
from hyperskip.text.reading.sources import SourceFile, source_file
from hyperskip.text.word_rules import ICU
from hyperskip.text.words.tokens import RULES_VERSION, icu_version
from hyperskip.thread_pool import ThreadPool

_WITH_FORCE = "with hyperskip encode --force (in Python: force=True)"
_AGAIN = f"encode it again {_WITH_FORCE}"
# A header may come from a stranger. Other protocols, and chains of them, could send credentials to
# a host that it names.
_CHECKED_PROTOCOLS = ("abfs", "abfss", "az", "gcs", "gs", "hdfs", "memory", "s3", "s3a")
_REQUESTS_AT_ONCE = 16


def tokenizing_rules(options: TextOptions) -> dict[str, Any]:
    """The versions of everything that decides how text is split into words."""
    rules: dict[str, Any] = {"version": RULES_VERSION, "unicode": unicodedata.unidata_version}
    icu = icu_version() if options.tokenizer == ICU else None
    return rules if icu is None else rules | {"icu": icu}


def check_fresh(corpus: EncodedCorpus, rules: Mapping[str, Any], folder: Location) -> None:
    """Check that the text has not changed; the folder stays usable if all source files are deleted.

    Source files in a storage that cannot be reached are not checked, with a warning.

    Args:
        corpus: The corpus that was opened.
        rules: The tokenizing rules that it was made with.
        folder: The folder to name in messages.

    Raises:
        StaleCorpusError: Files were changed, added or removed, or the rules have changed.
    """
    now = _current(corpus.sources)
    if not any(now.values()):
        return  # and do not scan paths taken from an untrusted header
    missing = next((source for source, state in now.items() if state is None), None)
    if missing is not None:
        raise StaleCorpusError(
            f"{missing.path} was deleted after it was encoded in {folder}, but other source files "
            "still exist",
            hint=f"restore the file, or encode the remaining files again {_WITH_FORCE}",
        )
    for source, state in now.items():
        if state is not None and (state.size, state.modified_ns) != (
            source.size,
            source.modified_ns,
        ):
            raise StaleCorpusError(
                f"{source.path} has changed (its size or date) since it was encoded in {folder}",
                hint=_AGAIN,
            )
    if corpus.phrase_file is not None:
        _check_phrase_file(corpus.phrase_file, folder)
    known = {source.path for source in corpus.sources}
    for given in corpus.given:
        for path in _files_now(given):
            if str(path.absolute()) not in known:
                raise StaleCorpusError(
                    f"{path} did not exist when {given} was encoded in {folder}",
                    hint=f"{_AGAIN}, or move the file elsewhere if it is not text",
                )
    rules_now = tokenizing_rules(corpus.options)
    if not rules_now.items() <= rules.items():
        raise StaleCorpusError(
            "the tokenizing rules, or Unicode, have changed since the text was encoded in "
            f"{folder} (from {rules} to {rules_now})",
            hint=_AGAIN,
        )


def _check_phrase_file(file: SourceFile, folder: Location) -> None:
    """Check that the file of phrases has not changed; it may be deleted."""
    state = source_file(Path(file.path))
    if state is not None and state != file:
        raise StaleCorpusError(
            f"the phrase file {file.path} has changed (its size or date) since its phrases were "
            f"joined in {folder}",
            hint=_AGAIN,
        )


def _current(sources: Sequence[SourceFile]) -> dict[SourceFile, SourceFile | None]:
    """The current state of each source file that can be checked; None if it was deleted."""
    places = {source: location(source.path) for source in sources}
    remote = {
        source: place
        for source, place in places.items()
        if isinstance(place, RemotePath) and _may_ask(place)
    }
    states = {
        source: source_file(place)
        for source, place in places.items()
        if not isinstance(place, RemotePath)
    }
    try:
        for place in list(remote.values())[:1]:
            place.refresh()
        with ThreadPool(_REQUESTS_AT_ONCE) as pool:
            asked = [pool.submit(source_file, place) for place in remote.values()]
            states |= zip(remote, map(pool.result, asked), strict=True)
    except (InputError, OSError) as error:
        reason = error.message if isinstance(error, InputError) else error
        warn(f"cannot check whether the text has changed: {reason}", CorpusWarning)
    return states


def _may_ask(place: RemotePath) -> bool:
    """Whether a storage may be asked about a file that a header names."""
    return place.protocol in _CHECKED_PROTOCOLS and "::" not in place.url


def _files_now(given: str) -> list[Location]:
    """The files that a path, folder or glob names now; empty if it does not exist."""
    place = location(given)
    if isinstance(place, RemotePath) and not _may_ask(place):
        return []
    try:
        return [path for path in corpus_files([given]) if path is not None and path.is_file()]
    except InputError:
        return []
