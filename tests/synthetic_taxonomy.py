"""A taxonomy whose answers are known, and vectors in which the kinds of one thing are similar."""

from typing import NamedTuple

import numpy as np

from hyperskip import WordVectors

KINDS, SPECIES = 12, 25  # broader words, and narrower words of each
UNSTATED = 5  # narrower words of each that no relation names


class Taxonomy(NamedTuple):
    """Words, and pairs (narrower, broader): stated, and known but not stated."""

    vectors: WordVectors
    stated: list[tuple[str, str, int]]
    held_out: list[tuple[str, str]]


def taxonomy(seed: int = 1) -> Taxonomy:
    """Twelve kinds below "thing", with 25 species each, of which 5 have no relations."""
    generator = np.random.default_rng(seed)
    words, rows = ["thing"], [generator.normal(size=10)]
    stated: list[tuple[str, str, int]] = []
    held_out: list[tuple[str, str]] = []
    for kind in range(KINDS):
        middle = 3.0 * generator.normal(size=10)
        words.append(f"kind{kind}")
        rows.append(middle + generator.normal(size=10))
        stated.append((f"kind{kind}", "thing", 3))
        for species in range(SPECIES):
            name = f"species{kind}x{species}"
            words.append(name)
            rows.append(middle + generator.normal(size=10))
            if species < UNSTATED:
                held_out.append((name, f"kind{kind}"))
                continue
            stated.append((name, f"kind{kind}", 1 + species % 3))
            if species % 2:
                stated.append((name, "thing", 1))
    counts = generator.integers(10, 1000, size=len(words))
    return Taxonomy(WordVectors(words, np.array(rows), counts=counts), stated, held_out)
