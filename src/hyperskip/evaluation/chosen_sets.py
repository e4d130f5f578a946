"""The data sets that vectors are evaluated on: those that are named, or all known ones."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from hyperskip.errors import DatasetError, OptionError
from hyperskip.evaluation import known_sets
from hyperskip.evaluation.analogy import Question
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.set_files import check_folder, path_on_disk
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
    absent: list[str] = []  # hypernymy sets, which are never downloaded
    are_named = any(names is not None for names in (similarity, analogies, hypernymy))
    if not are_named:
        similarity, analogies = list(known_sets.SIMILARITY_SETS), list(known_sets.ANALOGY_SETS)
    check_folder([*(similarity or ()), *(analogies or ()), *(hypernymy or ())], folder)
    if not are_named:
        known = known_sets.HYPERNYMY_SETS
        absent = [name for name in known if path_on_disk(known[name], folder) is None]
        hypernymy = [name for name in known if name not in absent]
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

    pairs = read_all(similarity, similarity_pairs)
    questions = read_all(analogies, analogy_questions)
    labeled = read_all(hypernymy, hypernymy_pairs)
    if absent:
        missing.append(
            f"the hypernymy sets {', '.join(absent)} are not on disk; put their files into a "
            f"folder and pass the folder as `data` (or set {known_sets.DATA_VARIABLE})"
        )
    if not pairs and not questions and not labeled:
        if are_named:
            raise OptionError(
                "`similarity`, `analogies` and `hypernymy` are empty",
                hint="name a data set, or leave them out for all known sets",
            )
        known = {**known_sets.SIMILARITY_SETS, **known_sets.ANALOGY_SETS}
        files = [each.files[0] for each in (*known.values(), *known_sets.HYPERNYMY_SETS.values())]
        raise DatasetError(
            f"no evaluation set is on disk, and {', '.join(known)} could not be downloaded",
            hint=f"pass `data`, a folder with any of these files: {', '.join(files)}; for a model "
            "of the built-in corpus, `similarity='builtin'` and `analogies='builtin'`",
        )
    parts = {title: part for by_title in labeled.values() for title, part in by_title.items()}
    return EvaluationSets(pairs, questions, parts, tuple(missing))
