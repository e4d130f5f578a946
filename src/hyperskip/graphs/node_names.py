"""Names of nodes as labels."""

import re
from collections.abc import Sequence

_SYNSET = re.compile(r"(.+)\.[nvasr]\.\d\d+")  # dog.n.01: word, part of speech, number of the sense


def labels_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return short names: if all are synsets of WordNet, "toy_dog.n.01" becomes "toy dog"."""
    found = [_SYNSET.fullmatch(name) for name in names]
    words = [match[1].replace("_", " ") for match in found if match]
    return tuple(words) if len(words) == len(names) else tuple(names)
