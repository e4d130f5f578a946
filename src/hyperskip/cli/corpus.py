"""The corpus that a command is given: which files it will read."""

from pathlib import Path

from hyperskip.errors import CorpusError
from hyperskip.files.known_folders import is_encoded


def input_files(corpus: list[str]) -> list[Path | None]:
    """The files that will be read, standard input as None; they must not be written to.

    Raises:
        CorpusError: One is not there, or standard input was given twice.
    """
    from hyperskip.text.reading.sources import expand

    check_standard_input(corpus)
    if len(corpus) == 1 and is_encoded(Path(corpus[0])):
        return list(Path(corpus[0]).iterdir())
    return expand(corpus)


def check_standard_input(corpus: list[str]) -> None:
    """Refuse to read standard input twice."""
    if corpus.count("-") > 1:
        raise CorpusError("standard input (-) was given twice", hint="it can be read once only")
