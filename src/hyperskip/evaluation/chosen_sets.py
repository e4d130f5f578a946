"""The data sets that vectors are evaluated on: those that are named, or all known ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from hyperskip.errors import DatasetError, OptionError
from hyperskip.evaluation import datasets, known_sets
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.similarity import RatedPair

T = TypeVar("T")


@dataclass(frozen=True)
class EvaluationSets:
    """Data sets of each kind by name."""

    similarity: Mapping[str, Sequence[RatedPair]] = field(default_factory=dict)
    analogies: Mapping[str, Mapping[str, Sequence[Question]]] = field(default_factory=dict)
    hypernymy: Mapping[str, Sequence[RatedPair]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()  # for each default set that could not be read, the reason

    @property
    def question_count(self) -> int:
        """Number of analogy questions in all sets."""
        return sum(len(each) for sections in self.analogies.values() for each in sections.values())


def read_sets(
    similarity: Sequence[str] | None,
    analogies: Sequence[str] | None,
    hypernymy: Sequence[str] | None,
    folder: Path | None,
) -> EvaluationSets:
    """Read the named data sets, or all known ones, of which some may be missing.

    If sets of one kind are named, those of the other kinds are not read.

    Raises:
        DatasetError: A named set cannot be read, or none of the known ones.
        OptionError: A set was named twice, or the lists are empty.
    """
    are_named = any(names is not None for names in (similarity, analogies, hypernymy))
    if not are_named:
        similarity, analogies = list(known_sets.SIMILARITY_SETS), list(known_sets.ANALOGY_SETS)
        hypernymy = list(known_sets.HYPERNYMY_SETS)
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
        if are_named:
            raise OptionError(
                "`similarity`, `analogies` and `hypernymy` are empty",
                hint="name a data set, or leave them out for all known sets",
            )
        known = [*(similarity or ()), *(analogies or ()), *(hypernymy or ())]
        raise DatasetError(
            f"none of {', '.join(known)} is on disk, and none could be downloaded",
            hint="pass `data`, a folder with their files; or use the built-in sets: "
            "`similarity='builtin'`, `analogies='builtin'`",
        )
    parts = {title: part for by_title in labeled.values() for title, part in by_title.items()}
    return EvaluationSets(pairs, questions, parts, tuple(missing))
