"""Columns chosen by their names: the same errors for tables, frames and records."""

from collections.abc import Collection, Sequence
from itertools import islice

from hyperskip.errors import CorpusError, alternatives, shown
from hyperskip.spelling import close_matches

_MOST_SHOWN = 20
_MOST_COMPARED = 10_000  # columns that a misspelled name is compared with


def index_of(column: str | None, names: Sequence[object], what: str) -> int:
    """Return the index of a column.

    A name that is not a string, such as a number in pandas, is found by its string.

    Args:
        column: The option `column`.
        names: The names of all columns.
        what: What has these columns, in messages.

    Raises:
        CorpusError: No column was chosen, it does not exist, or there are several.
    """
    if column is None:
        raise column_required(names, what)
    found = [index for index, name in enumerate(names) if name == column] or [
        index for index, name in enumerate(names) if str(name) == column
    ]
    if not found:
        raise no_such_column(column, names, what)
    if len(found) > 1:
        raise CorpusError(
            f"{what} has {len(found)} columns {column!r}", hint="give each column its own name"
        )
    return found[0]


def column_required(
    names: Collection[object],
    what: str,
    noun: str = "column",
    *,
    option: str = "column",
    choice: str = "the {noun} that contains the text",
) -> CorpusError:
    """The error for columns of which none was chosen; `choice` describes what to choose."""
    if not names:
        return CorpusError(f"{what} has no {noun}s", hint="pass texts, or lists of tokens")
    return CorpusError(
        f"{what} has {noun}s, so `{option}` is required",
        hint=f"pass {choice.format(noun=noun)} as `{option}`; {_listed(names, noun)}",
    )


def no_such_column(
    column: str, names: Collection[object], what: str, noun: str = "column"
) -> CorpusError:
    """The error for a column that does not exist."""
    candidates = [str(name)[:100] for name in islice(names, _MOST_COMPARED)]
    suggestions = close_matches(column, candidates)
    meant = alternatives([repr(name) for name in suggestions]) if suggestions else ""
    hint = _listed(names, noun)
    if meant:
        hint = f"did you mean {meant}? {hint[0].upper()}{hint[1:]}"
    return CorpusError(f"{what} has no {noun} {shown(column)}", hint=hint)


def check_no_column(column: str | None, what: str, *, option: str = "column") -> None:
    """Check that no column is chosen of an input that has none.

    Raises:
        CorpusError: `column` was passed.
    """
    if column is not None:
        raise CorpusError(
            f"`{option}` is {column!r}, but {what} has no columns", hint=f"leave out `{option}`"
        )


def _listed(names: Collection[object], noun: str) -> str:
    if not names:
        return f"there are no {noun}s"
    some = ", ".join(shown(name) for name in islice(names, _MOST_SHOWN))
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"the {noun}s are: {some}{more}"
