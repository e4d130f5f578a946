"""Records of finished runs: options, scores and time of each, as a JSON file."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, TypeVar

from hyperskip.errors import OutputError
from hyperskip.files.failures import reason_of
from hyperskip.files.writing import replacing
from hyperskip.geometry.names import PRODUCT, ROUTES, is_curved
from hyperskip.training.options import with_current_options

T = TypeVar("T")

_LARGEST_RECORD = 1 << 24  # bytes
_TOO_LARGE = 1e100  # for any number in a record; `abs(x) < _TOO_LARGE` is false for NaN, too
_KINDS: dict[object, tuple[type, ...]] = {
    str: (str,),
    str | None: (str, type(None)),
    int: (int,),
    float: (int, float),
    float | None: (int, float, type(None)),
    dict[str, Any]: (dict,),
}


@dataclass(frozen=True, kw_only=True)
class Record:
    """The outcome of a run."""

    name: str
    model: str
    geometry: str
    dimension: int
    seed: int
    asked: dict[str, Any]  # the key of the run
    rate: float | None  # None if the run failed before its usual rate was known
    epochs: int
    failure: str | None = None  # why there are no scores
    scores: dict[str, Any]  # as `Scores.as_dict` has them
    loss: float | None = None  # of the last epoch
    seconds: float | None = None  # of training, without compiling and evaluation
    words_per_second: float | None = None
    whole_seconds: float  # of the whole run
    machine: dict[str, Any]

    def score(self, *path: str) -> float | None:
        """The score at this path, or None if there is no number."""
        *within, name = path
        value: Any = self.part(*within).get(name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number and abs(value) < _TOO_LARGE else None

    @property
    def compared_epochs(self) -> int:
        """The epochs of the runs that it is compared with; see `Run.compared_epochs`."""
        asked = self.asked.get("epochs")
        return asked if isinstance(asked, int) else self.epochs

    @property
    def place(self) -> tuple[int, int, str]:
        """Dimension, epochs and model: the row of the tables that the run belongs to."""
        return (self.dimension, self.compared_epochs, self.model)

    @property
    def average(self) -> float | None:
        """Weighted average of the similarity sets, by the paper's measure."""
        return self.score("similarity", PRODUCT, "average")

    @property
    def accuracy(self) -> float | None:
        """Accuracy on analogies, by the paper's measure and first route."""
        return self.score("analogy", PRODUCT, ROUTES[0], "accuracy")

    @property
    def measures(self) -> list[str]:
        """The measures of similarity, the paper's first."""
        return list(self.part("similarity"))

    @property
    def similarity_sets(self) -> dict[str, Any]:
        """The similarity sets by name, with scores by the paper's measure."""
        return self.part("similarity", PRODUCT, "sets")

    @property
    def hypernymy_sets(self) -> dict[str, Any]:
        """The hypernymy sets by name, with scores."""
        return self.part("hypernymy")

    def part(self, *path: str) -> dict[str, Any]:
        """The part of the scores at this path; empty if there is none."""
        found: Any = self.scores
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def is_flat(self) -> bool:
        """Whether the space is flat, so that both routes of an analogy are the same."""
        return not is_curved(self.geometry)

    def write(self, path: Path) -> None:
        """Write the record to a file, completely or not at all.

        Raises:
            OutputError: The file cannot be written.
        """
        text = json.dumps(asdict(self), indent=1, allow_nan=False)
        with replacing(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")


def read_record(path: Path) -> Record:
    """Read a record.

    Raises:
        OutputError: The file is not a record.
    """
    return read_json(
        path,
        _parse_record,
        largest=_LARGEST_RECORD,
        kind="the record of a run",
        hint="delete the file to repeat the run",
    )


def _parse_record(values: Any) -> Record:
    record = Record(**values)
    for field in fields(Record):
        value = getattr(record, field.name)
        if type(value) not in _KINDS[field.type] or (
            isinstance(value, int | float) and not abs(value) < _TOO_LARGE
        ):
            raise ValueError(f"{field.name} is {value!r}"[:100])
    return replace(record, asked=with_current_options(record.asked))


def read_json(path: Path, parse: Callable[[Any], T], *, largest: int, kind: str, hint: str) -> T:
    """Read a JSON file of an experiment.

    Args:
        path: The file.
        parse: Makes the result from the JSON value, or raises ValueError or TypeError.
        largest: Maximum number of bytes; a larger file is not read.
        kind: What the file should be, for the error message.
        hint: What to do if it is something else.

    Raises:
        OutputError: The file cannot be read, or `parse` raises an error.
    """
    try:
        if path.stat().st_size > largest:
            raise ValueError("it is far too large")
        return parse(json.loads(path.read_bytes()))
    except OSError as error:
        raise OutputError(
            f"cannot read {path}: {reason_of(error)}", hint="check the permissions of the file"
        ) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise OutputError(f"{path} is not {kind}: {error}", hint=hint) from error
