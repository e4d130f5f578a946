"""The data of an exported explorer: plain values and arrays of numbers.

Arrays are in base64 among the values, or files of their own. Numbers are little-endian, as browsers
read them.
"""

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.number[Any]]


@dataclass(frozen=True)
class StoredData:
    """What an exported explorer shows."""

    values: Mapping[str, Any]
    arrays: Mapping[str, Array]  # one-dimensional

    def in_one(self) -> dict[str, Any]:
        """Return everything as plain values."""
        encoded = self._encoded()
        return self._described(lambda name: {"base64": base64.b64encode(encoded[name]).decode()})

    def with_files(self, folder: str) -> tuple[dict[str, Any], dict[str, bytes]]:
        """Return plain values that name files in a folder, and the files."""
        paths = {name: f"{folder}/{name}.bin" for name in self.arrays}
        files = {paths[name]: content for name, content in self._encoded().items()}
        return self._described(lambda name: {"file": paths[name]}), files

    def _encoded(self) -> dict[str, bytes]:
        return {
            name: values.astype(values.dtype.newbyteorder("<")).tobytes()
            for name, values in self.arrays.items()
        }

    def _described(self, where: Callable[[str], dict[str, str]]) -> dict[str, Any]:
        arrays = {
            name: {"type": values.dtype.name, **where(name)} for name, values in self.arrays.items()
        }
        return {**self.values, "arrays": arrays}
