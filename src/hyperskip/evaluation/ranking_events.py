"""Progress reports of ranking the edges of a graph; importing them does not load NumPy."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class RankingProgress:
    """Progress of ranking edges."""

    task: str  # "reconstruction" or "link prediction"
    share: float  # from 0 to 1


Report = Callable[[RankingProgress], None]


def ignore(report: RankingProgress) -> None:
    """Do not report progress."""
