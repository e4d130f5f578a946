"""Progress reports of making a map; importing them does not load NumPy."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class MapProgress:
    """Progress of one step in making a map."""

    step: str  # its name
    share: float  # from 0 to 1


Report = Callable[[MapProgress], None]


def ignore(report: MapProgress) -> None:
    """Do not report progress."""
