"""Sets of word similarity and of analogies: public ones by name, built-in ones, or files."""

import math
from pathlib import Path

from hyperskip import builtin
from hyperskip.builtin import BUILTIN
from hyperskip.errors import DatasetError
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.known_sets import ANALOGY_SETS, SIMILARITY_SETS
from hyperskip.evaluation.set_files import (
    fields_of,
    file_of_set,
    lines_of,
    malformed,
    number_in,
    text_of,
)
from hyperskip.evaluation.similarity import RatedPair

_PAIR_LINE = "a line has two words and a score, such as: dog cat 7.5"
_QUESTION_LINE = (
    "a line has four words, such as: man king woman queen; or a colon and the name of a section"
)
_SKIPPED_FIELDS = 2  # at most, between words and score: a part of speech and a relation


def similarity_pairs(name: str, folder: Path | None = None) -> list[RatedPair]:
    """Pairs of a named similarity set, of the built-in one, or of a file.

    The first line may be a header: a line without a number.

    Raises:
        DatasetError: It is unknown, not available, or not a list of `word word score`.
    """
    if name == BUILTIN:
        return [RatedPair(*pair) for pair in builtin.similarity_pairs()]
    path = file_of_set(name, SIMILARITY_SETS, folder)
    pairs: list[RatedPair] = []
    for position, (number, line) in enumerate(lines_of(text_of(path))):
        fields = fields_of(line)
        score = _score(fields[2:])
        if score is not None and all(fields[:2]):
            pairs.append(RatedPair(fields[0], fields[1], score))
        elif position > 0 or any(number_in(field) is not None for field in fields[2:]):
            raise malformed(path, f"line {number}", line, _PAIR_LINE)
    if not pairs:
        raise DatasetError(f"{path} has no pairs", hint=_PAIR_LINE)
    return pairs


def _score(fields: list[str]) -> float | None:
    """The first number, possibly after a part of speech and a relation."""
    numbers = (number_in(field) for field in fields[: _SKIPPED_FIELDS + 1])
    score = next((number for number in numbers if number is not None), None)
    return score if score is not None and math.isfinite(score) else None


def analogy_questions(name: str, folder: Path | None = None) -> dict[str, list[Question]]:
    """Questions of a named analogy set, of the built-in one, or of a file, by section.

    Raises:
        DatasetError: It is unknown, not available, or does not have four words per line.
    """
    if name == BUILTIN:
        return {
            section: [Question(*question) for question in questions]
            for section, questions in builtin.analogy_questions().items()
        }
    path = file_of_set(name, ANALOGY_SETS, folder)
    sections: dict[str, list[Question]] = {}
    section = path.stem
    for number, line in lines_of(text_of(path)):
        if line.startswith(":"):
            section = line[1:].strip()
            continue
        fields = line.split()
        if len(fields) != 4:
            raise malformed(path, f"line {number}", line, _QUESTION_LINE)
        sections.setdefault(section, []).append(Question(*fields))
    if not sections:
        raise DatasetError(f"{path} has no questions", hint=_QUESTION_LINE)
    return sections
