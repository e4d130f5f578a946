"""Whether an encoded corpus still matches the text that it was made from."""

import unicodedata
from pathlib import Path
from typing import Any

from hyperskip.errors import CorpusError, StaleCorpusError
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.reading.paths import corpus_files
from hyperskip.text.words.tokens import RULES_VERSION

_WITH_FORCE = "with hyperskip encode --force (in Python: force=True)"
_AGAIN = f"encode it again {_WITH_FORCE}"


def tokenizing_rules() -> dict[str, Any]:
    """The versions of everything that decides how text is split into words."""
    return {"version": RULES_VERSION, "unicode": unicodedata.unidata_version}


def check_fresh(corpus: EncodedCorpus, rules: object, folder: Path) -> None:
    """Check that the text has not changed; the folder stays usable if all source files are deleted.

    Args:
        corpus: The corpus that was opened.
        rules: The tokenizing rules that it was made with.
        folder: The folder to name in messages.

    Raises:
        StaleCorpusError: Files were changed, added or removed, or the rules have changed.
    """
    present = [source for source in corpus.sources if Path(source.path).is_file()]
    if not present:
        return  # and do not scan paths taken from an untrusted header
    if len(present) < len(corpus.sources):
        missing = next(source for source in corpus.sources if source not in present)
        raise StaleCorpusError(
            f"{missing.path} was deleted after it was encoded in {folder}, but other source files "
            "still exist",
            hint=f"restore the file, or encode the remaining files again {_WITH_FORCE}",
        )
    for source in present:
        status = Path(source.path).stat()
        if (status.st_size, status.st_mtime_ns) != (source.size, source.modified_ns):
            raise StaleCorpusError(
                f"{source.path} has changed (its size or date) since it was encoded in {folder}",
                hint=_AGAIN,
            )
    known = {source.path for source in corpus.sources}
    for given in corpus.given:
        for path in _files_now(given):
            if str(path.absolute()) not in known:
                raise StaleCorpusError(
                    f"{path} did not exist when {given} was encoded in {folder}",
                    hint=f"{_AGAIN}, or move the file elsewhere if it is not text",
                )
    if rules != tokenizing_rules():
        raise StaleCorpusError(
            "the tokenizing rules, or Unicode, have changed since the text was encoded in "
            f"{folder} (from {rules} to {tokenizing_rules()})",
            hint=_AGAIN,
        )


def _files_now(given: str) -> list[Path]:
    """The files that a path, folder or glob names now; empty if it does not exist."""
    try:
        return [path for path in corpus_files([given]) if path is not None and path.is_file()]
    except CorpusError:
        return []
