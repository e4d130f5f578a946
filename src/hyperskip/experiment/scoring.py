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
    hypernymy: Mapping[str, Sequence[RatedPair]]
    missing: tuple[str, ...]  # why one that nobody named is not among them

    def scores(self, vectors: WordVectors, device: str) -> dict[str, Any]:
        """All scores, as plain values."""
        asked = sum(len(each) for sections in self.questions.values() for each in sections.values())
        vectors = vectors.on(device, questions=len(ROUTES) * asked)
        return evaluate(vectors, self.pairs, self.questions, self.hypernymy).as_dict()

    def key(self) -> dict[str, str]:
        """A checksum of each set: scores on others cannot be compared."""
        kinds: dict[str, Mapping[str, object]] = {
            "similarity": self.pairs,
            "analogies": self.questions,
            "hypernymy": self.hypernymy,
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
    """Read the sets: those that are known, of which some may be missing, or those that are named.

    Raises:
        DatasetError: One that was named cannot be had, or none that rates can be chosen by.
        OptionError: One was named twice.
    """
    by_name = any(names is not None for names in (similarity, analogies, hypernymy))
    if not by_name:
        similarity, analogies = list(datasets.SIMILARITY_SETS), list(datasets.ANALOGY_SETS)
        hypernymy = list(datasets.HYPERNYMY_SETS)
    elif not similarity and not analogies:
        raise OptionError(
            "there is a hypernymy set, and none that the rate is chosen by",
            hint="pass --similarity or --analogies, too",
        )
    datasets.check_folder([*(similarity or ()), *(analogies or ()), *(hypernymy or ())], folder)
    missing: list[str] = []

    def read_all(
        names: Sequence[str] | None, read: Callable[[str, Path | None], T]
    ) -> dict[str, T]:
        found: dict[str, T] = {}
        for name in names or ():
            if name in found:
                raise OptionError(f"the data set {name} was given twice", hint="name it once")
            try:
                found[name] = read(name, folder)
            except DatasetError as error:
                if by_name:
                    raise
                missing.append(str(error).replace("\n", "; "))
        return found

    pairs = read_all(similarity, datasets.similarity_pairs)
    questions = read_all(analogies, datasets.analogy_questions)
    parts = read_all(hypernymy, datasets.hypernymy_pairs).values()
    if not pairs and not questions:
        raise DatasetError(
            "none of the data sets of similarity and analogies is on disk, and none could be "
            "downloaded",
            hint="pass --data FOLDER with the files, or --similarity builtin --analogies builtin",
        )
    labelled = {title: part for by_title in parts for title, part in by_title.items()}
    return Scorer(pairs, questions, labelled, tuple(missing))
