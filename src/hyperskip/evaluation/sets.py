"""Which sets vectors are judged by: those that are named, or all that are known."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from hyperskip.errors import DatasetError, OptionError
from hyperskip.evaluation import datasets
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.scores import Evaluation, evaluate
from hyperskip.evaluation.similarity import RatedPair
from hyperskip.geometry.spaces import ROUTES
from hyperskip.vectors.word_vectors import WordVectors

T = TypeVar("T")


@dataclass(frozen=True)
class EvaluationSets:
    """Sets of each kind by their names."""

    similarity: Mapping[str, Sequence[RatedPair]]
    analogies: Mapping[str, Mapping[str, Sequence[Question]]]
    hypernymy: Mapping[str, Sequence[RatedPair]]
    missing: tuple[str, ...]  # why one that nobody named is not among them

    def evaluate(self, vectors: WordVectors, device: str) -> Evaluation:
        """Score vectors on all of them."""
        asked = sum(len(each) for sections in self.analogies.values() for each in sections.values())
        vectors = vectors.on(device, questions=len(ROUTES) * asked)
        return evaluate(vectors, self.similarity, self.analogies, self.hypernymy)


def read_sets(
    similarity: Sequence[str] | None,
    analogies: Sequence[str] | None,
    hypernymy: Sequence[str] | None,
    folder: Path | None,
) -> EvaluationSets:
    """Read the sets: those that are named, or all that are known, of which some may be missing.

    Whoever names sets of one kind only wants that kind only.

    Raises:
        DatasetError: One that was named cannot be had, or none can.
        OptionError: One was named twice.
    """
    are_named = any(names is not None for names in (similarity, analogies, hypernymy))
    if not are_named:
        similarity, analogies = list(datasets.SIMILARITY_SETS), list(datasets.ANALOGY_SETS)
        hypernymy = list(datasets.HYPERNYMY_SETS)
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
                if are_named:
                    raise
                missing.append(str(error).replace("\n", "; "))
        return found

    pairs = read_all(similarity, datasets.similarity_pairs)
    questions = read_all(analogies, datasets.analogy_questions)
    labeled = read_all(hypernymy, datasets.hypernymy_pairs)
    if not pairs and not questions and not labeled:
        raise DatasetError(
            "none of the data sets is on disk, and none could be downloaded",
            hint="pass --data FOLDER with the files, or --similarity builtin --analogies builtin",
        )
    parts = {title: part for by_title in labeled.values() for title, part in by_title.items()}
    return EvaluationSets(pairs, questions, parts, tuple(missing))
