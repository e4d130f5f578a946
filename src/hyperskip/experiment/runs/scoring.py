"""What models are judged by: the evaluation sets, read once, and scores on them."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hyperskip.errors import DatasetError, OptionError
from hyperskip.evaluation.evaluating import evaluate_sets
from hyperskip.evaluation.sets import EvaluationSets, read_sets
from hyperskip.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Scorer:
    """Evaluation sets; call `scores` with vectors."""

    sets: EvaluationSets

    @property
    def missing(self) -> tuple[str, ...]:
        """Why a set that nobody named is not among them."""
        return self.sets.missing

    def scores(self, vectors: WordVectors, device: str) -> dict[str, Any]:
        """All scores, as plain values."""
        return evaluate_sets(vectors, self.sets, device=device).as_dict()

    def key(self) -> dict[str, str]:
        """A checksum of each set: scores on others cannot be compared."""
        kinds: dict[str, Mapping[str, object]] = {
            "similarity": self.sets.similarity,
            "analogies": self.sets.analogies,
            "hypernymy": self.sets.hypernymy,
        }
        return {
            f"{kind} {name}": hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
            for kind, sets in kinds.items()
            for name, content in sets.items()
        }


def read_scorer(
    similarity: Sequence[str] | None,
    analogies: Sequence[str] | None,
    hypernymy: Sequence[str] | None,
    folder: Path | None,
) -> Scorer:
    """Read the sets, as `read_sets` does; there must be one that rates can be chosen by.

    Raises:
        DatasetError: One that was named cannot be had, or none that rates can be chosen by.
        OptionError: One was named twice, or none that rates can be chosen by.
    """
    if hypernymy and not similarity and not analogies:
        raise OptionError(
            "there is a hypernymy set, and none that the rate is chosen by",
            hint="pass --similarity or --analogies, too",
        )
    sets = read_sets(similarity, analogies, hypernymy, folder)
    if not sets.similarity and not sets.analogies:
        raise DatasetError(
            "none of the data sets of similarity and analogies is on disk, and none could be "
            "downloaded",
            hint="pass --data FOLDER with the files, or --similarity builtin --analogies builtin",
        )
    return Scorer(sets)
