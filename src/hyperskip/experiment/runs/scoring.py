"""The evaluation sets of an experiment, and scores on them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperskip.errors import DatasetError, OptionError
from hyperskip.evaluation.chosen_sets import EvaluationSets, read_sets
from hyperskip.evaluation.evaluating import evaluate_sets
from hyperskip.evaluation.hypernymy_sets import VERBS
from hyperskip.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Scorer:
    """Scores vectors on evaluation sets, which are read once."""

    sets: EvaluationSets

    @property
    def missing(self) -> tuple[str, ...]:
        """The default sets that could not be read, and why."""
        return self.sets.missing

    def scores(self, vectors: WordVectors, device: str) -> dict[str, Any]:
        """All scores by every measure that is worth comparing, as plain values."""
        return evaluate_sets(vectors, self.sets, device=device, compare_analogies=True).as_dict()

    def key(self) -> dict[str, str]:
        """A checksum of each set: scores on different sets cannot be compared.

        The verbs of a set are left out. They are part of it, and experiments of earlier versions
        did not score them on their own.
        """
        kinds: dict[str, Mapping[str, object]] = {
            "similarity": self.sets.similarity,
            "analogies": self.sets.analogies,
            "hypernymy": self.sets.hypernymy,
        }
        return {
            f"{kind} {name}": hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
            for kind, sets in kinds.items()
            for name, content in sets.items()
            if not (kind == "hypernymy" and name.endswith(f", {VERBS}"))
        }


def read_scorer(
    similarity: Sequence[str] | None,
    analogies: Sequence[str] | None,
    hypernymy: Sequence[str] | None,
    folder: Path | None,
) -> Scorer:
    """Read the sets, as `read_sets` does; at least one must be of similarity or analogies.

    Raises:
        DatasetError: A named set cannot be read, or there is no set to choose rates by.
        OptionError: A set was named twice, or only hypernymy sets were named.
    """
    if hypernymy and not similarity and not analogies:
        raise OptionError(
            "`hypernymy` is not enough: the best rate is chosen by similarity or analogies",
            hint="add a set with `similarity` or `analogies`",
        )
    sets = read_sets(similarity, analogies, hypernymy, folder)
    if not sets.similarity and not sets.analogies:
        raise DatasetError(
            "no similarity or analogy set is on disk, and none could be downloaded",
            hint="pass the folder that contains them as `data`, or use builtin for `similarity` "
            "and `analogies`",
        )
    return Scorer(sets)
