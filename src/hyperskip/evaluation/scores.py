"""All scores of vectors on a choice of data sets, as one value."""

from __future__ import annotations  # help() shows the names of types, not what they expand to

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from hyperskip.decimals import decimals
from hyperskip.evaluation.analogy import AnalogyReport
from hyperskip.evaluation.edges.graph_score import GraphScore
from hyperskip.evaluation.hypernymy import HypernymyScore
from hyperskip.evaluation.score_tables import (
    ScoreTable,
    analogy_tables,
    graph_tables,
    hypernymy_table,
    similarity_table,
)
from hyperskip.evaluation.similarity import SimilarityScore, average_spearman
from hyperskip.geometry.names import PRODUCT, ROUTES


@dataclass(frozen=True, repr=False)
class Scores:
    """Scores by measure and data set, and for analogies by measure and route.

    The paper's measure, `product`, is always the first. Kinds without a data set are empty.
    """

    similarity: Mapping[str, Mapping[str, SimilarityScore]]
    analogy: Mapping[str, Mapping[str, AnalogyReport]]
    hypernymy: Mapping[str, HypernymyScore]  # by data set and part, such as "bless, direction"
    routes: tuple[str, ...] = ROUTES  # analogy routes that give different answers in this space
    graph: GraphScore | None = None  # on the edges of a graph

    @property
    def average(self) -> float | None:
        """Mean rank correlation by the paper's measure, weighted by the pairs found."""
        return self.average_by(PRODUCT)

    @property
    def accuracy(self) -> float | None:
        """Accuracy on all analogies by the paper's measure and first route."""
        by_route = self.analogy.get(PRODUCT, {})
        return by_route[ROUTES[0]].total.accuracy if by_route else None

    def average_by(self, measure: str) -> float | None:
        """Mean rank correlation by a measure, weighted by the pairs found."""
        return average_spearman(list(self.similarity.get(measure, {}).values()))

    def as_dict(self) -> dict[str, Any]:
        """The scores as plain values, as `hyperskip evaluate --json` prints them.

        Kinds without a data set are left out.
        """
        result: dict[str, Any] = {}
        if self.similarity:
            result["similarity"] = {
                measure: {
                    "sets": {name: score.as_dict() for name, score in by_name.items()},
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
        if self.graph is not None:
            result["graph"] = asdict(self.graph)
        return result

    def tables(self, *, sections: bool = False) -> list[ScoreTable]:
        """The scores as tables of text: similarity, analogies by measure and route, and so on.

        Args:
            sections: Whether to list every section of the analogies.
        """
        tables = list(analogy_tables(self.analogy, self.routes, sections=sections))
        if self.similarity:
            averages = [self.average_by(measure) for measure in self.similarity]
            tables.insert(0, similarity_table(self.similarity, averages))
        if self.hypernymy:
            tables.append(hypernymy_table(self.hypernymy))
        if self.graph is not None:
            tables.extend(graph_tables(self.graph))
        return tables

    def __repr__(self) -> str:
        parts = []
        if self.similarity:
            sets = ", ".join(self.similarity[PRODUCT])
            parts.append(f"similarity {decimals(self.average)} ({sets})")
        if self.analogy:
            parts.append(f"analogies {decimals(self.accuracy)}")
        if self.hypernymy:
            agreements = (
                f"{name} {decimals(score.agreement[score.main])}"
                for name, score in self.hypernymy.items()
            )
            main = next(iter(self.hypernymy.values())).main
            parts.append(f"hypernymy by {main} ({', '.join(agreements)})")
        if self.graph is not None:
            parts.extend(
                f"{name}: mean rank {decimals(score.mean_rank, 2)}, "
                f"MAP {decimals(score.mean_average_precision)}"
                for name, score in self.graph.tasks.items()
            )
        return f"<Scores: {'; '.join(parts) or 'none'}>"

    def _repr_html_(self) -> str:
        """The tables of `hyperskip evaluate`, for a notebook."""
        return "".join(table.as_html() for table in self.tables())
