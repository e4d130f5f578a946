"""What the making of a map reports on its way."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class MapProgress:
    """Progress: how far a step of the work is."""

    step: str  # in a word or two
    share: float  # of the step, from 0 to 1


Report = Callable[[MapProgress], None]


def ignore(report: MapProgress) -> None:
    """Tell nobody."""
