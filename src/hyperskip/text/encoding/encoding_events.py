"""What `encode` reports while it works."""

from collections.abc import Callable
from dataclasses import dataclass

from hyperskip.text.phrases.phrase_events import PhraseEvent


@dataclass(frozen=True)
class EncodingProgress:
    """How much of the corpus has been read."""

    tokens: int
    bytes_read: int
    bytes_total: int | None  # None if it is not known


@dataclass(frozen=True)
class CompilingScanner:
    """The kernel of the tokenizer is being compiled, or loaded from the cache on disk."""


@dataclass(frozen=True)
class Pruned:
    """What was dropped because the text has more distinct words than the options allow."""

    words: int = 0  # a word that occurs again and is dropped again counts twice
    tokens: int = 0
    highest_count: int = 0  # the highest count of any word when it was dropped


EncodingEvent = EncodingProgress | CompilingScanner | Pruned | PhraseEvent
Report = Callable[[EncodingEvent], None]
