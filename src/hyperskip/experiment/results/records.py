"""A finished run on disk: what was asked, what came of it, and what it took; a JSON file each."""

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from hyperskip.errors import OutputError
from hyperskip.files.files import reason_of, replacing
from hyperskip.geometry.measures import PRODUCT
from hyperskip.geometry.names import is_curved
from hyperskip.geometry.spaces import ROUTES

_LARGEST_BYTES = 1 << 24
_TOO_LARGE = 1e100  # for any number of ours; NaN is not below it, either
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
    """What came of a run."""

    name: str
    model: str
    geometry: str
    dimension: int
    seed: int
    asked: dict[str, Any]  # the key of the run
    rate: float | None  # that it had; None where it ended before it was known
    epochs: int
    failure: str | None = None  # why there are no scores
    scores: dict[str, Any]  # as `Scores.as_dict` has them
    loss: float | None = None  # of the last epoch
    seconds: float | None = None  # of training proper
    words_per_second: float | None = None
    whole_seconds: float  # with evaluation and all
    machine: dict[str, Any]

    def score(self, *path: str) -> float | None:
        """A number among the scores, or None where there is none."""
        *within, name = path
        value: Any = self.part(*within).get(name)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return float(value) if is_number and abs(value) < _TOO_LARGE else None

    @property
    def average(self) -> float | None:
        """Weighted average of the similarity sets, by the paper's measure."""
        return self.score("similarity", PRODUCT, "average")

    @property
    def accuracy(self) -> float | None:
        """Of analogies, by the paper's measure and first route."""
        return self.score("analogy", PRODUCT, ROUTES[0], "accuracy")

    @property
    def measures(self) -> list[str]:
        """Of similarity, the paper's first."""
        return list(self.part("similarity"))

    @property
    def similarity_sets(self) -> dict[str, Any]:
        """By name, with scores by the paper's measure."""
        return self.part("similarity", PRODUCT, "sets")

    @property
    def hypernymy_sets(self) -> dict[str, Any]:
        """By name."""
        return self.part("hypernymy")

    def part(self, *path: str) -> dict[str, Any]:
        """What there is at some place among the scores, if it has names; else nothing."""
        found: Any = self.scores
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    @property
    def is_flat(self) -> bool:
        """Whether both routes of an analogy are the same."""
        return not is_curved(self.geometry)

    def write(self, path: Path) -> None:
        """Write it, whole or not at all.

        Raises:
            OutputError: It cannot be written.
        """
        text = json.dumps(asdict(self), indent=1, allow_nan=False)
        with replacing(path) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")


def read_record(path: Path) -> Record:
    """Read a record.

    Raises:
        OutputError: It is not one.
    """
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            raise ValueError("it is far too large")
        values = json.loads(path.read_bytes())
        record = Record(**values)
        for field in fields(Record):
            value = getattr(record, field.name)
            if type(value) not in _KINDS[field.type] or (
                isinstance(value, int | float) and not abs(value) < _TOO_LARGE
            ):
                raise ValueError(f"{field.name} is {value!r}"[:100])
    except OSError as error:
        raise OutputError(f"cannot read {path}: {reason_of(error)}") from error
    except (ValueError, TypeError, RecursionError) as error:
        raise OutputError(
            f"{path} is not the record of a run: {error}",
            hint="remove it, and the run is done again",
        ) from error
    return record
