"""Scores as tables of text, for the terminal and for a notebook."""

import html
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hyperskip.evaluation.analogy import AnalogyReport
from hyperskip.evaluation.hypernymy import HypernymyScore
from hyperskip.evaluation.scores import Scores, number


class ScoreTable(NamedTuple):
    """A header and rows with as many cells; the first column has names, the others numbers."""

    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def as_html(self) -> str:
        """The table as HTML."""
        lines = [_html_row("th", self.header), *(_html_row("td", row) for row in self.rows)]
        return f"<table>{''.join(lines)}</table>"


def score_tables(scores: Scores, *, sections: bool = False) -> list[ScoreTable]:
    """Tables of similarity, of analogies by measure and route, and of hypernymy.

    Args:
        scores: The scores.
        sections: Whether to list every section of the analogies.
    """
    tables = [_similarity_table(scores)] if scores.similarity else []
    tables += _analogy_tables(scores, sections=sections)
    return [*tables, _hypernymy_table(scores.hypernymy)] if scores.hypernymy else tables


def _similarity_table(scores: Scores) -> ScoreTable:
    measures = list(scores.similarity)
    rows = [
        (
            name,
            *(number(scores.similarity[measure][name].spearman) for measure in measures),
            *(str(score.found), str(score.pairs)),
        )
        for name, score in scores.similarity[measures[0]].items()
    ]
    averages = [number(scores.average_by(measure)) for measure in measures]
    rows.append(("weighted average", *averages, "", ""))
    titles = [f"Spearman by {measure}" for measure in measures]
    return ScoreTable(("similarity", *titles, "found", "pairs"), rows)


def _analogy_tables(scores: Scores, *, sections: bool) -> Iterator[ScoreTable]:
    for measure, by_route in scores.analogy.items():
        for route in scores.routes:
            shown = route if len(scores.routes) > 1 else "b - a + c"
            title = f"analogy {shown} by {measure}"
            yield _report_table(title, by_route[route], sections=sections)


def _report_table(title: str, report: AnalogyReport, *, sections: bool) -> ScoreTable:
    parts = {
        **(report.sections if sections else {}),
        "semantic": report.semantic,
        "syntactic": report.syntactic,
        "total": report.total,
    }
    rows = [
        (
            *(name, number(score.accuracy), str(score.correct), str(score.answerable)),
            *(number(score.accuracy_unknown_wrong), str(score.asked), str(score.total)),
        )
        for name, score in parts.items()
    ]
    header = (title, "accuracy", "correct", "answerable", "unknown = wrong", "asked", "total")
    return ScoreTable(header, rows)


def _hypernymy_table(by_name: Mapping[str, HypernymyScore]) -> ScoreTable:
    """A row for each data set, a column for each way to score its pairs."""
    ways = list(next(iter(by_name.values())).agreement)
    rows = [
        (
            *(name, score.figure),
            *(number(score.agreement[way]) for way in ways),
            *(number(score.chance), str(score.found), str(score.pairs)),
        )
        for name, score in by_name.items()
    ]
    return ScoreTable(("hypernymy", "figure", *ways, "chance", "found", "pairs"), rows)


def _html_row(tag: str, cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"
