"""How phrases are found: the scores, connector words, and the defaults of each."""

from dataclasses import dataclass

DEFAULT, NPMI = "default", "npmi"
SCORES = DEFAULT, NPMI
ENGLISH = "english"
DELIMITER = "_"  # between the words of a phrase

_THRESHOLDS = {DEFAULT: 10.0, NPMI: 0.5}
_CONNECTORS = {
    # Articles, and the most frequent prepositions and conjunctions.
    ENGLISH: "a an and at by for from in of on or the to with without",
}


@dataclass(frozen=True)
class PhraseRules:
    """How phrases are found, with all defaults filled in."""

    score: str = DEFAULT
    threshold: float = _THRESHOLDS[DEFAULT]
    min_count: int = 5
    connectors: frozenset[str] = frozenset()
    passes: int = 1
    limit: int = 20_000_000


def default_threshold(score: str) -> float:
    """The threshold of a score, if none is chosen."""
    return _THRESHOLDS[score]


def connector_words(connectors: str | None) -> frozenset[str]:
    """The words of a set with a name, or the words themselves, separated by blanks."""
    return frozenset(_CONNECTORS.get(connectors or "", connectors or "").split())
