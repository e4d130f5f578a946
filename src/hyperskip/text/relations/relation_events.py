"""What `extract_relations` reports while it works."""

from collections.abc import Callable
from dataclasses import dataclass

from hyperskip.text.encoding.encoding_events import EncodingProgress


@dataclass(frozen=True)
class PrunedPairs:
    """What was dropped because the text has more different pairs than the options allow."""

    pairs: int = 0  # a pair that occurs again and is dropped again counts twice
    occurrences: int = 0
    highest_count: int = 0  # the highest count of any pair when it was dropped


@dataclass(frozen=True)
class ExtractionSummary:
    """What was found in the whole corpus."""

    words: int
    sentences: int  # that may contain a pattern
    pairs: int
    different_pairs: int  # after pruning, and with the minimum count
    pruned: PrunedPairs


RelationEvent = EncodingProgress | PrunedPairs | ExtractionSummary
RelationReport = Callable[[RelationEvent], None]
