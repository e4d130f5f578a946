"""Lists of words for every word of a map, as a few arrays."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hyperskip.explorer.export.stored_data import Array
from hyperskip.geometry.arrays import Floats

_STEPS = 65_535  # of numbers, from the least to the greatest


@dataclass(frozen=True)
class StoredLists:
    """One list for each word, and perhaps a number for each of its members.

    Attributes:
        lists: Indices of words on the map, all less than 65,536.
        numbers: (members of all lists,): finite numbers.
    """

    lists: Sequence[Sequence[int]]
    numbers: Floats | None = None

    @property
    def range(self) -> tuple[float, float]:
        """The least and the greatest number."""
        if self.numbers is None or not len(self.numbers):
            return 0.0, 0.0
        return float(self.numbers.min()), float(self.numbers.max())

    def arrays(self, name: str) -> dict[str, Array]:
        """Return the members of all lists, the end of each list in them, and the numbers.

        Numbers are rounded to 1/65,535 of their range.
        """
        members = [index for one in self.lists for index in one]
        arrays: dict[str, Array] = {
            f"{name}_ends": np.cumsum([len(one) for one in self.lists], dtype=np.uint32),
            name: np.array(members, dtype=np.uint16),
        }
        if self.numbers is not None:
            least, greatest = self.range
            steps = (self.numbers - least) * (_STEPS / (greatest - least or 1.0))
            arrays[f"{name}_numbers"] = np.rint(steps).astype(np.uint16)
        return arrays
