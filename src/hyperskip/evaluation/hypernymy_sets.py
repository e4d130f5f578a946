"""Hypernymy sets: labeled pairs from a file in any of the layouts in use.

A file is recognized by its contents: the columns, the header, the names of relations. The layouts
are those of the publications and of the collections of Shwartz et al. (2017) and Roller et al.
(2018).
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from hyperskip import builtin
from hyperskip.builtin import BUILTIN
from hyperskip.errors import DatasetError
from hyperskip.evaluation.known_sets import HYPERNYMY_SETS
from hyperskip.evaluation.set_files import (
    fields_of,
    file_of_set,
    lines_of,
    malformed,
    number_in,
    text_of,
)
from hyperskip.evaluation.similarity import RatedPair

VERBS = "verbs"

_EXPECTED = (
    "a line has two words and a label, such as: dog animal true. A label is a number, true or "
    "false, or a relation such as hyper, rhyper (reversed) or random. Other layouts: dog IsA "
    "animal; dog-n mammal hyper animal-n (BLESS)"
)
_ROWS_FOR_LAYOUT = 1000
_LABELS_AFTER = 3  # fields after the words that may have the label

# Labels; the names of relations are abbreviated in many ways.
_TRUE = re.compile("true|yes")
_FALSE = re.compile("false|no")
_HYPERNYM = re.compile(r"is[-_]?a|hyper.*|hyp(-\d+)?|instance.*|kind[-_]?of")
_REVERSED = re.compile(r"r[-_]?hyp.*|reverse.*|hypo.*")
_OTHER = re.compile(
    "none|no-?rel.*|unrel.*|rand.*|other.*|neg.*|co-?ord.*|co-?hyp.*|sibling.*|mero.*|holo.*|"
    "part-?of|member-?of|made-?of|has-?a|has-?property|attri.*|event.*|entail.*|syn.*|ant.*"
)
# Names of the label's column, in the order of preference.
_LABEL_NAMES = ("avg_score", "score", "rating", "grade", "label", "relation", "rel", "type")
_FOLD = re.compile("train|training|val|valid|validation|dev|development|test|fold")
_PARTS_OF_SPEECH = {"n": "n", "noun": "n", "v": "v", "verb": "v"}
_JSON_LISTS = re.compile(r"\s*\[\s*\[")
_TAGGED = re.compile("(.+)-([anrjv])")  # alligator-n
_TITLES = {"n": "nouns", "v": VERBS}


class _LabeledPair(NamedTuple):
    first: str
    second: str
    label: float
    is_reversed: bool = False  # whether the second word is a kind of the first
    part_of_speech: str = ""


class _Row(NamedTuple):
    place: str  # in the file, for error messages
    content: str
    fields: list[str]


_Layout = Callable[[list[str]], _LabeledPair | None]


def hypernymy_pairs(name: str, folder: Path | None = None) -> dict[str, list[RatedPair]]:
    """Pairs of a named hypernymy set, of the built-in one, or of a file, by title.

    The label says whether, or how much, the first word is a kind of the second: 1 or 0, or a grade.
    If a set with labels 1 and 0 marks reversed pairs, in which the second word is a kind of the
    first, their label is -1. If the file has parts of speech, the nouns and the verbs are also sets
    of their own.

    Raises:
        DatasetError: It is unknown, not available, or not a list of labeled pairs.
    """
    if name == BUILTIN:
        return {name: [RatedPair(*pair) for pair in builtin.hypernymy_pairs()]}
    pairs = _untagged(_labeled_pairs(file_of_set(name, HYPERNYMY_SETS, folder)))
    is_binary = {pair.label for pair in pairs} <= {0.0, 1.0}
    parts: dict[str, list[RatedPair]] = {name: []}
    for pair in pairs:
        label = -1.0 if is_binary and pair.is_reversed and pair.label == 0.0 else pair.label
        rated = RatedPair(pair.first, pair.second, label)
        parts[name].append(rated)
        if pair.part_of_speech in _TITLES:
            parts.setdefault(f"{name}, {_TITLES[pair.part_of_speech]}", []).append(rated)
    return {title: part for title, part in parts.items() if title == name or len(part) < len(pairs)}


def _labeled_pairs(path: Path) -> list[_LabeledPair]:
    """Read all pairs by the layout that fits most of the first rows; the first may be a header."""
    rows = list(_rows(path))
    layout = _layout(rows[:_ROWS_FOR_LAYOUT])
    pairs: list[_LabeledPair] = []
    for position, row in enumerate(rows):
        pair = layout(row.fields)
        if pair is not None:
            pairs.append(pair)
        elif position > 0 or any(number_in(field) is not None for field in row.fields[2:]):
            raise malformed(path, row.place, row.content, _EXPECTED)
    if not pairs:
        raise DatasetError(f"{path} has no pairs", hint=_EXPECTED)
    return pairs


def _rows(path: Path) -> Iterator[_Row]:
    """Lines of text, or the items of a JSON list of lists."""
    text = text_of(path)
    if _JSON_LISTS.match(text):
        try:
            items = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DatasetError(f"{path} is not JSON: {error}", hint=_EXPECTED) from error
        for number, item in enumerate(items, start=1):
            values = item if isinstance(item, list) else []
            is_flat = all(isinstance(value, str | int | float) for value in values)
            fields = [str(value).strip() for value in values] if is_flat else []
            yield _Row(f"item {number}", str(item), fields)
        return
    for number, line in lines_of(text):
        yield _Row(f"line {number}", line, fields_of(line))


def _layout(rows: Sequence[_Row]) -> _Layout:
    """The layout of most rows."""
    header = [field.lower() for field in rows[0].fields] if rows else []
    column = next((header.index(name, 2) for name in _LABEL_NAMES if name in header[2:]), None)
    plain = partial(_word_word_label, column=column)
    if column is not None and header[1] not in ("class", "relation"):
        return plain
    if 2 * sum(_is_bless(row.fields) for row in rows) > len(rows):
        return _word_class_relation_word
    layouts: list[_Layout] = [plain, _word_relation_word]
    return max(layouts, key=lambda layout: _fitting(layout, rows))


def _fitting(layout: _Layout, rows: Sequence[_Row]) -> int:
    return sum(layout(row.fields) is not None for row in rows)


def _word_word_label(fields: list[str], *, column: int | None = None) -> _LabeledPair | None:
    """`dog animal true`, possibly with further columns; also with a part of speech first."""
    after = fields[2:]
    if not after or not all(fields[:2]):
        return None
    if column is None:
        label = _first_label(after[:_LABELS_AFTER])
    else:
        label = _label(fields[column]) if column < len(fields) else None
    if label is None:
        return None
    is_reversed = any(_REVERSED.fullmatch(field.lower()) for field in after[:_LABELS_AFTER])
    part_of_speech = _PARTS_OF_SPEECH.get(after[0].lower(), "")
    return _LabeledPair(fields[0], fields[1], label, is_reversed, part_of_speech)


def _word_relation_word(fields: list[str]) -> _LabeledPair | None:
    """`dog IsA animal`, the layout of EVALution, with any further columns."""
    return _related(fields[0], fields[1], fields[2]) if len(fields) >= 3 else None


def _word_class_relation_word(fields: list[str]) -> _LabeledPair | None:
    """`alligator-n amphibian_reptile hyper animal-n`, the layout of BLESS."""
    return _related(fields[0], fields[2], fields[3]) if len(fields) == 4 else None


def _is_bless(fields: list[str]) -> bool:
    """Whether a relation is followed by a word, not by a label, a fold or a part of speech."""
    if _word_class_relation_word(fields) is None:
        return False
    last = fields[3].lower()
    return _truth(last) is None and not _FOLD.fullmatch(last) and last not in _PARTS_OF_SPEECH


def _related(first: str, relation: str, second: str) -> _LabeledPair | None:
    label = _relation(relation)
    if label is None or not first or not second:
        return None
    return _LabeledPair(first, second, label, _REVERSED.fullmatch(relation.lower()) is not None)


def _first_label(fields: Sequence[str]) -> float | None:
    """The label among the fields after the words.

    A number or a truth value counts more than a relation, except that whole numbers after a
    relation are the numbers of folds.
    """
    relation = _relation(fields[0])
    if relation is not None and not any(_is_decimal(field) for field in fields[1:]):
        return relation
    for field in fields:
        truth = _truth(field)
        if truth is not None:
            return truth if math.isfinite(truth) else None
    relations = (_relation(field) for field in fields)
    return next((each for each in relations if each is not None), None)


def _label(field: str) -> float | None:
    """The value of a truth value, number or relation."""
    truth = _truth(field)
    if truth is None:
        return _relation(field)
    return truth if math.isfinite(truth) else None


@lru_cache(maxsize=256)
def _truth(field: str) -> float | None:
    name = field.lower()
    if _TRUE.fullmatch(name):
        return 1.0
    return 0.0 if _FALSE.fullmatch(name) else number_in(field)


@lru_cache(maxsize=256)
def _relation(field: str) -> float | None:
    name = field.lower()
    if _HYPERNYM.fullmatch(name):
        return 1.0
    return 0.0 if _REVERSED.fullmatch(name) or _OTHER.fullmatch(name) else None


def _is_decimal(field: str) -> bool:
    return "." in field and number_in(field) is not None


def _untagged(pairs: list[_LabeledPair]) -> list[_LabeledPair]:
    """Turn `dog-n` into dog, a noun, if all words of the set are tagged like this."""
    tagged = [(_TAGGED.fullmatch(pair.first), _TAGGED.fullmatch(pair.second)) for pair in pairs]
    untagged = []
    for pair, (first, second) in zip(pairs, tagged, strict=True):
        if first is None or second is None:
            return pairs
        part_of_speech = first[2] if first[2] == second[2] else ""
        untagged.append(
            pair._replace(first=first[1], second=second[1], part_of_speech=part_of_speech)
        )
    return untagged
