"""What models are judged by: the evaluation sets, read once, and scores on them."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from hyperskip.errors import DatasetError, OptionError
from hyperskip.evaluation import datasets
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.scores import evaluate
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.vectors.space import ROUTES
from hyperskip.vectors.word_vectors import WordVectors

T = TypeVar("T")


@dataclass(frozen=True)
class Scorer:
    """Evaluation sets; call `scores` with vectors."""

    pairs: Mapping[str, Sequence[RatedPair]]
    questions: Mapping[str, Mapping[str, Sequence[Question]]]
    missing: tuple[str, ...]  # why a set of the paper's is not among them

    def scores(self, vectors: WordVectors, device: str) -> dict[str, Any]:
        """All scores, as plain values."""
        asked = sum(len(each) for sections in self.questions.values() for each in sections.values())
        vectors = vectors.on(device, questions=len(ROUTES) * asked)
        return evaluate(vectors, self.pairs, self.questions).as_dict()

    def key(self) -> dict[str, str]:
        """A checksum of each set: scores on others cannot be compared."""
        return {
            name: hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]
            for sets in (self.pairs, self.questions)
            for name, content in sets.items()
        }


def read_scorer(
    similarity: Sequence[str] | None, analogies: Sequence[str] | None, folder: Path | None
) -> Scorer:
    """Read the sets: the paper's, of which some may be missing, or those that are named.

    Raises:
        DatasetError: One that was named cannot be had, or none of the paper's can.
        OptionError: One was named twice.
    """
    by_name = similarity is not None or analogies is not None
    similarity_names = list(similarity or ()) if by_name else list(datasets.SIMILARITY_SETS)
    analogy_names = list(analogies or ()) if by_name else list(datasets.ANALOGY_SETS)
    datasets.check_folder([*similarity_names, *analogy_names], folder)
    missing: list[str] = []

    def read_all(names: list[str], read: Callable[[str, Path | None], T]) -> dict[str, T]:
        found: dict[str, T] = {}
        for name in names:
            if name in found:
                raise OptionError(f"the data set {name} was given twice", hint="name it once")
            try:
                found[name] = read(name, folder)
            except DatasetError as error:
                if by_name:
                    raise
                missing.append(str(error).replace("\n", "; "))
        return found

    pairs = read_all(similarity_names, datasets.similarity_pairs)
    questions = read_all(analogy_names, datasets.analogy_questions)
    if not pairs and not questions:
        raise DatasetError(
            "none of the data sets is on disk, and none could be downloaded",
            hint="pass --data FOLDER with the files, or --similarity builtin --analogies builtin",
        )
    return Scorer(pairs, questions, tuple(missing))
