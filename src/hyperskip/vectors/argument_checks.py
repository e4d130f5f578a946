"""Checks of arguments: words, rows, points and counts.

NumPy would accept many wrong values in silence: -1 as the last row, a mask or a fraction as
another one.
"""

from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError, shown
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.spaces import Space, space_named
from hyperskip.options import Declaration, Range


def checked_number(name: str, value: object, *, at_least: int, help: str) -> int:  # noqa: A002
    """Return a whole number as a plain one.

    Raises:
        OptionError: It is not a whole number, or too small.
    """
    limits = Range(at_least=at_least)
    number: int = Declaration(kind=int, help=help, limits=limits).checked(name, value)
    return number


def check_string(name: str, value: object, help: str) -> None:  # noqa: A002
    """Check that an argument with a few choices is a string, before it is looked up.

    Raises:
        OptionError: It is not.
    """
    Declaration(kind=str, help=help).checked(name, value)


def check_flag(name: str, value: object, help: str) -> None:  # noqa: A002
    """Check that an argument is True or False.

    Raises:
        OptionError: It is not.
    """
    Declaration(kind=bool, help=help).checked(name, value)


def check_word(word: object) -> None:
    """Check that a word is a string.

    Raises:
        InputError: It is not.
    """
    if not isinstance(word, str):
        raise InputError(f"a word must be a string, got {_described(word)}", hint=_hint_for(word))


def checked_words(words: object) -> list[str]:
    """Return words as a list.

    Raises:
        InputError: It is a single word, not iterable, or something in it is not a string.
    """
    if isinstance(words, str):
        raise InputError(
            f"expected a list of words, got the single word {words!r}",
            hint=f"for one word: [{words!r}]",
        )
    if isinstance(words, bytes):  # which are iterable
        check_word(words)
    listed = listed_items("words", words)
    if not all(issubclass(kind, str) for kind in set(map(type, listed))):
        wrong = next(word for word in listed if not isinstance(word, str))
        raise InputError(
            f"expected a list of words, got {_described(wrong)} in it", hint=_hint_for(wrong)
        )
    return listed


def listed_items(name: str, items: object) -> list[Any]:
    """Return anything that can be iterated over as a list.

    Raises:
        InputError: It cannot be.
    """
    return list(checked_iterable(name, items))


def checked_iterable(name: str, items: object) -> Iterable[Any]:
    """Return anything that can be iterated over.

    Raises:
        InputError: It cannot be.
    """
    if not isinstance(items, Iterable) or (isinstance(items, np.ndarray) and items.ndim == 0):
        raise InputError(
            f"`{name}` must be a list, got {_described(items)}",
            hint="pass a list, even of one item",
        )
    return items


def checked_mapping(name: str, mapping: object) -> dict[str, Any]:
    """Return a copy of a mapping.

    Raises:
        InputError: It is not one.
    """
    if not isinstance(mapping, Mapping):
        raise InputError(
            f"`{name}` must be a dict, got {_described(mapping)}",
            hint="pass a dict of plain values",
        )
    return dict(mapping)


def checked_array(
    name: str, values: object, kinds: str, shape: Sequence[int | str], *, hint: str
) -> npt.NDArray[Any]:
    """Return values as an array of numbers.

    Args:
        name: The argument, named in the error.
        values: An array, or nested lists.
        kinds: The allowed kinds of NumPy dtypes. An empty array may have any.
        shape: The expected length of each axis; a string stands for any length.
        hint: What to pass.

    Raises:
        InputError: They are not numbers of these kinds, or do not have this shape.
    """
    expected = f"({', '.join(map(str, shape))}{',' * (len(shape) == 1)})"
    noun = "whole numbers" if "f" not in kinds else "numbers"
    try:
        array = np.asarray(values)
    except (TypeError, ValueError) as error:  # for example lists of different lengths
        raise InputError(
            f"`{name}` must be an array {expected} of {noun}, got {_described(values)}", hint=hint
        ) from error
    lengths_fit = array.ndim == len(shape) and all(
        isinstance(length, str) or length == found
        for length, found in zip(shape, array.shape, strict=True)
    )
    if not lengths_fit or (array.size and array.dtype.kind not in kinds):
        got = _described_array(values, array)
        raise InputError(f"`{name}` must be an array {expected} of {noun}, got {got}", hint=hint)
    return array


def checked_space(geometry: str, factors: object, dimension: int) -> Space:
    """Return the space of vectors of a dimension.

    Raises:
        OptionError: There is no geometry of this name.
        InputError: The factors do not fit the geometry or the dimension.
    """
    if not isinstance(factors, Integral) or int(factors) < 1:
        raise InputError(
            f"`factors` must be a whole number of at least 1, got {_described(factors)}",
            hint="leave out `factors` for a single space",
        )
    check_string("geometry", geometry, "the space of the vectors")
    space = space_named(geometry, int(factors))
    if space.factors != factors or dimension % space.factors:
        raise InputError(
            f"`factors={factors}` does not fit {geometry} vectors of dimension {dimension}",
            hint="only hyperboloids have several factors, and these must divide the dimension",
        )
    return space


def checked_point(item: object, space: Space, dimension: int, *, several: str) -> Floats:
    """Return a point as an array.

    Args:
        item: The point.
        space: The space of the point.
        dimension: Its dimension.
        several: What to do with several words or points.

    Raises:
        InputError: It is not a point of the space.
    """
    if isinstance(item, bytes):
        check_word(item)
    size = _point_size(space, dimension)
    hint = (
        f"a point of these vectors is an array of {size} numbers, like vectors['word']; {several}"
    )
    try:
        array = np.asarray(item)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"expected a word or a point, got {_described(item)}", hint=hint
        ) from error
    if array.dtype.kind == "U" and array.ndim == 1:
        raise InputError(f"expected one word or point, got {_described(item)}", hint=several)
    if array.dtype.kind not in "iuf" or array.ndim == 0:
        raise InputError(
            f"expected a word or a point with shape ({size},), got {_described(item)} with shape "
            f"{array.shape}",
            hint=hint,
        )
    if array.shape != (size,):
        raise InputError(
            f"a point must have shape ({size},), got an array of shape {array.shape}", hint=hint
        )
    point = array.astype(np.float64)
    if not space.contains(point):
        raise InputError(
            f"{_described(item)} is not a point of the {space.name} space",
            hint="on the hyperboloid, time² = 1 + |x|²; see hyperskip.geometry.from_spatial",
        )
    return point


def checked_points(points: object, space: Space, dimension: int) -> Floats:
    """Return many points as an array (points, n). Whether they are in the space is not checked.

    Raises:
        InputError: They do not have this shape.
    """
    size = _point_size(space, dimension)
    array = checked_array(
        "points",
        points,
        "iuf",
        ("points", size),
        hint="for words: vectors[words]",
    )
    return array.astype(np.float64, copy=False)


def checked_rows(rows: object, words: int, *, points: int | None = None) -> Rows:
    """Return rows of words (rows,), or several rows for each of many points (points, rows).

    Raises:
        InputError: They are not whole numbers, do not have this shape, or there is no such row.
    """
    expected = "(rows,)" if points is None else f"({points}, rows)"
    hint = (
        f"rows are whole numbers from 0 to {words - 1}, in an array {expected}; "
        "for words: vectors.rows_of(words)"
    )
    try:
        array = np.asarray(rows)
    except (TypeError, ValueError) as error:  # for example lists of different lengths
        raise InputError(f"{_described(rows)} are not rows", hint=hint) from error
    fits = array.ndim == 1 if points is None else array.shape[:-1] == (points,)
    if not fits or (array.size and array.dtype.kind not in "iu"):
        raise InputError(f"expected rows, got {_described_array(rows, array)}", hint=hint)
    wrong = array[(array < 0) | (array >= words)] if array.size else array[:0]
    if len(wrong):
        raise InputError(f"there is no row {wrong[0]}", hint=hint)
    return array.astype(np.int64)


def check_same_lengths(lengths: Sequence[int]) -> None:
    """Check that columns of rows have the same length.

    Raises:
        InputError: They have not.
    """
    if len(set(lengths)) > 1:
        raise InputError(
            f"got {' and '.join(map(str, lengths))} rows",
            hint="give the same number of each: the first ones belong together, and so on",
        )


def checked_rows_together(words: int, *columns: object) -> list[Rows]:
    """Return several columns of rows of the same length.

    Raises:
        InputError: One is not an array of rows, or their lengths differ.
    """
    checked = [checked_rows(rows, words) for rows in columns]
    check_same_lengths([len(rows) for rows in checked])
    return checked


def checked_starts(starts: object, items: int) -> Rows:
    """Return the index of the first item of each group, and the number of items: (groups + 1,).

    Raises:
        InputError: They are not whole numbers from 0 to the number of items, in order.
    """
    hint = "group i is the items from starts[i] to starts[i + 1], as in a SciPy CSR array"
    array = checked_array("starts", starts, "iu", ("groups + 1",), hint=hint)
    if not (len(array) and array[0] == 0 and array[-1] == items and (np.diff(array) >= 0).all()):
        raise InputError(f"`starts` must be in order, from 0 to {items}", hint=hint)
    return array.astype(np.int64)


def checked_weights(weights: object, count: int) -> Floats:
    """Return weights (count,), divided by the greatest.

    Raises:
        InputError: They do not have this shape, or one is negative or not finite.
    """
    hint = "pass a weight of 0 or more for each word"
    array = checked_array("weights", weights, "fiu", (count,), hint=hint).astype(np.float64)
    wrong = array[~((array >= 0) & np.isfinite(array))]
    if len(wrong):
        raise InputError(f"`weights` contains {wrong[0]}", hint=hint)
    return array / (array.max(initial=0.0) or 1.0)


def _point_size(space: Space, dimension: int) -> int:
    return int(space.points(np.zeros(dimension, dtype=np.float32)).shape[0])


def _hint_for(wrong: object) -> str:
    if isinstance(wrong, Integral):
        return "for a word by its row: vectors.words[row]"
    if isinstance(wrong, slice):
        return "for words by their rows: vectors.words[first:last], vectors.points[first:last]"
    if isinstance(wrong, list):
        return "for the points of several words: vectors[words]"
    if isinstance(wrong, bytes):
        return "words are strings: word.decode()"
    return "words are strings"


def _described_array(values: object, array: npt.NDArray[Any]) -> str:
    if array.ndim == 0 and not isinstance(values, np.ndarray):
        return _described(values)
    kinds = {"U": "strings", "O": "objects", "b": "booleans"}
    kind = kinds.get(array.dtype.kind, str(array.dtype))
    return f"an array of {kind} with shape {array.shape}"


def _described(value: object) -> str:
    return f"{shown(value)} ({type(value).__name__})"
