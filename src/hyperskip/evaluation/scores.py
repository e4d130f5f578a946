"""All scores of vectors on a choice of data sets, as one value."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from hyperskip.evaluation.analogy import AnalogyReport, Question, evaluate_analogies
from hyperskip.evaluation.hypernymy import HypernymyScore, evaluate_hypernymy
from hyperskip.evaluation.similarity import (
    RatedPair,
    SimilarityScore,
    average_spearman,
    evaluate_similarity,
)
from hyperskip.geometry.measures import PRODUCT
from hyperskip.geometry.spaces import ROUTES
from hyperskip.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class Evaluation:
    """Scores by measure and data set, and for analogies by measure and route.

    The paper's measure, `product`, is always there, and the first. What was not asked for is empty.
    """

    similarity: dict[str, dict[str, SimilarityScore]]
    analogy: dict[str, dict[str, AnalogyReport]]
    hypernymy: dict[str, HypernymyScore]  # by data set; its scores have measures of their own

    @property
    def average(self) -> float | None:
        """Mean rank correlation by the paper's measure, weighted by the pairs found."""
        return self.average_by(PRODUCT)

    def average_by(self, measure: str) -> float | None:
        """Mean rank correlation by a measure, weighted by the pairs found."""
        return average_spearman(list(self.similarity.get(measure, {}).values()))

    def as_dict(self) -> dict[str, Any]:
        """The scores as plain values; a kind of which there was no data set is left out."""
        result: dict[str, Any] = {}
        if self.similarity:
            result["similarity"] = {
                measure: {
                    "sets": {name: asdict(score) for name, score in by_name.items()},
                    "average": self.average_by(measure),
                }
                for measure, by_name in self.similarity.items()
            }
        if self.analogy:
            result["analogy"] = {
                measure: {route: report.as_dict() for route, report in by_route.items()}
                for measure, by_route in self.analogy.items()
            }
        if self.hypernymy:
            result["hypernymy"] = {name: asdict(score) for name, score in self.hypernymy.items()}
        return result


def evaluate(
    vectors: WordVectors,
    pairs: Mapping[str, Sequence[RatedPair]],
    questions: Mapping[str, Mapping[str, Sequence[Question]]],
    hypernymy: Mapping[str, Sequence[RatedPair]] | None = None,
) -> Evaluation:
    """Score vectors on sets of similarity, analogies and hypernymy, each by its name.

    Similarity and analogies are scored by the paper's measure, and by the vectors' own if
    `measured_by` chose another. If it did not, similarity is also scored by what is worth comparing
    with it in that space, which costs next to nothing.
    """
    chosen = tuple(dict.fromkeys((PRODUCT, vectors.measure)))
    compared = vectors.compared_measures if vectors.measure == PRODUCT else chosen
    sections = {
        (section if len(questions) == 1 else f"{name}/{section}"): asked
        for name, by_section in questions.items()
        for section, asked in by_section.items()
    }
    views = {measure: vectors.measured_by(measure) for measure in (*chosen, *compared)}
    return Evaluation(
        {measure: _similarity(views[measure], pairs) for measure in compared if pairs},
        {measure: _analogies(views[measure], sections) for measure in chosen if sections},
        {name: evaluate_hypernymy(vectors, asked) for name, asked in (hypernymy or {}).items()},
    )


def _similarity(
    vectors: WordVectors, pairs: Mapping[str, Sequence[RatedPair]]
) -> dict[str, SimilarityScore]:
    return {name: evaluate_similarity(vectors, rated) for name, rated in pairs.items()}


def _analogies(
    vectors: WordVectors, sections: Mapping[str, Sequence[Question]]
) -> dict[str, AnalogyReport]:
    """Reports by route; routes that give the same answers share one."""
    reports = {
        route: evaluate_analogies(vectors, sections, route) for route in vectors.space.routes
    }
    return {route: reports.get(route, reports[ROUTES[0]]) for route in ROUTES}
