"""The corpus that a command is given: which files it will read."""

from pathlib import Path

from hyperskip.errors import CorpusError, OutputError


def input_files(corpus: list[str]) -> list[Path | None]:
    """The files that will be read, standard input as None; they must not be written to.

    Raises:
        CorpusError: One is not there, or standard input was given twice.
    """
    from hyperskip.text.sources import expand, is_encoded

    check_standard_input(corpus)
    if len(corpus) == 1 and is_encoded(Path(corpus[0])):
        return list(Path(corpus[0]).iterdir())
    return expand(corpus)


def check_outside(output: Path) -> None:
    """Refuse to write into the folder of an encoded corpus, which is replaced as a whole.

    Raises:
        OutputError: It is one.
    """
    from hyperskip.text.sources import is_encoded

    folder = output.resolve().parent
    if is_encoded(folder):
        raise OutputError(
            f"cannot write {output}: the folder {folder} is an encoded corpus",
            hint="choose a name outside of it",
        )


def check_standard_input(corpus: list[str]) -> None:
    """Refuse to read standard input twice."""
    if corpus.count("-") > 1:
        raise CorpusError("standard input (-) was given twice", hint="it can be read once only")
