"""All scores of vectors on a choice of data sets, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hyperskip.evaluation.analogy import AnalogyReport, Question, evaluate_analogies
from hyperskip.evaluation.similarity import (
    RatedPair,
    SimilarityScore,
    average_spearman,
    evaluate_similarity,
)
from hyperskip.vectors.space import ROUTES
from hyperskip.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Evaluation:
    """Scores by data set, and for analogies by route."""

    similarity: dict[str, SimilarityScore]
    analogy: dict[str, AnalogyReport]  # empty where there were no questions

    @property
    def average(self) -> float | None:
        """Mean rank correlation, weighted by the pairs found."""
        return average_spearman(list(self.similarity.values()))

    def as_dict(self) -> dict[str, Any]:
        """The scores as plain values; a kind of which there was no data set is left out."""
        result: dict[str, Any] = {}
        if self.similarity:
            sets = {name: asdict(score) for name, score in self.similarity.items()}
            result["similarity"] = {"sets": sets, "average": self.average}
        if self.analogy:
            result["analogy"] = {route: report.as_dict() for route, report in self.analogy.items()}
        return result


def evaluate(
    vectors: WordVectors,
    pairs: Mapping[str, Sequence[RatedPair]],
    questions: Mapping[str, Mapping[str, Sequence[Question]]],
) -> Evaluation:
    """Score vectors on similarity sets and analogy sets, each by its name."""
    similarity = {name: evaluate_similarity(vectors, pairs[name]) for name in pairs}
    sections = {
        (section if len(questions) == 1 else f"{name}/{section}"): asked
        for name, by_section in questions.items()
        for section, asked in by_section.items()
    }
    if not sections:
        return Evaluation(similarity, {})
    if vectors.geometry == "euclidean":  # both routes lead to the same point
        report = evaluate_analogies(vectors, sections, ROUTES[0])
        return Evaluation(similarity, dict.fromkeys(ROUTES, report))
    reports = {route: evaluate_analogies(vectors, sections, route) for route in ROUTES}
    return Evaluation(similarity, reports)
