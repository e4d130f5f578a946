"""The scores that tables show: functions from a record to a number, or to None.

By the angle, Euclidean vectors have the score of the paper's measure: both are the cosine.
"""

from hyperskip.experiment.results.choice import Value
from hyperskip.experiment.results.records import Record
from hyperskip.geometry.names import PRODUCT

_COSINE = "cosine"  # what tables call the measure of Euclidean vectors
_TITLES = {
    "ws353": "WS-353",
    "simlex999": "SimLex-999",
    "men": "MEN",
    "hyperlex": "HyperLex",
    "bless": "BLESS",
    "evalution": "EVALution",
    "leds": "LEDS",
    "shwartz": "Shwartz",
    "wbless": "WBLESS",
    "bibless": "BIBLESS",
}


def similarity(measure: str, name: str) -> Value:
    """Rank correlation on a similarity set."""
    return lambda record: record.score(
        "similarity", _measure(record, measure), "sets", name, "spearman"
    )


def average_similarity(measure: str) -> Value:
    """Weighted average of the similarity sets."""
    return lambda record: record.score("similarity", _measure(record, measure), "average")


def analogy(measure: str, route: str, *path: str) -> Value:
    """A score of the analogies."""
    return lambda record: record.score("analogy", _measure(record, measure), route, *path)


def hypernymy(name: str, *path: str) -> Value:
    """A score of a hypernymy set."""
    return lambda record: record.score("hypernymy", name, *path)


def _measure(record: Record, measure: str) -> str:
    return PRODUCT if record.is_flat else measure


def measure_title(record: Record, measure: str) -> str:
    """What tables call a measure of this record."""
    return _COSINE if record.is_flat else measure


def set_title(name: str) -> str:
    """The title of a set, or of a part of it, such as "hyperlex, nouns"."""
    known, separator, part = name.partition(", ")
    return _TITLES.get(known, known) + separator + part


def counts(score: object, part: str, whole: str) -> str:
    """Two counts of a score, such as "300 of 353"."""
    known = score if isinstance(score, dict) else {}
    return f"{known.get(part)} of {known.get(whole)}"
