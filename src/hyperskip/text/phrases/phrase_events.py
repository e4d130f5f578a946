"""What is reported while phrases are found and joined."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class CompilingPhrases:
    """The kernels of phrases are being compiled, or loaded from the cache on disk."""


@dataclass(frozen=True)
class PhraseProgress:
    """How much of a pass over the text is done."""

    pass_number: int
    passes: int
    share: float


@dataclass(frozen=True)
class PrunedCandidates:
    """What was dropped because the text has more different pairs of words than allowed."""

    candidates: int = 0  # one that occurs again and is dropped again counts twice
    highest_count: int = 0  # the highest count of any of them when it was dropped


@dataclass(frozen=True)
class PhrasesFound:
    """The phrases of a pass over the text."""

    pass_number: int
    passes: int
    phrases: int


PhraseEvent = CompilingPhrases | PhraseProgress | PrunedCandidates | PhrasesFound
PhraseReport = Callable[[PhraseEvent], None]
