"""Scores as tables of text, for the terminal and for a notebook."""

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from hyperskip.decimals import decimals
from hyperskip.evaluation.analogy import AnalogyReport, AnalogyScore
from hyperskip.evaluation.edges.graph_score import GraphScore
from hyperskip.evaluation.hypernymy import HypernymyScore
from hyperskip.evaluation.similarity import SimilarityScore


class ScoreTable(NamedTuple):
    """A header and rows with as many cells; the first column has names, the others numbers."""

    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def as_html(self) -> str:
        """The table as HTML."""
        lines = [_html_row("th", self.header), *(_html_row("td", row) for row in self.rows)]
        return f"<table>{''.join(lines)}</table>"


def similarity_table(
    by_measure: Mapping[str, Mapping[str, SimilarityScore]], averages: Sequence[float | None]
) -> ScoreTable:
    """A row for each data set, a column for each measure, and the average of each column."""
    by_set = next(iter(by_measure.values()))
    has_composed = _has_composed(by_set.values())
    rows = [
        (
            name,
            *(decimals(by_name[name].spearman) for by_name in by_measure.values()),
            *(str(score.found), *[str(score.composed)] * has_composed, str(score.pairs)),
        )
        for name, score in by_set.items()
    ]
    titles = [f"Spearman by {measure}" for measure in by_measure]
    counts = ("found", *["composed"] * has_composed, "pairs")
    rows.append(("weighted average", *map(decimals, averages), *("" for _ in counts)))
    return ScoreTable(("similarity", *titles, *counts), rows)


def analogy_tables(
    by_measure: Mapping[str, Mapping[str, AnalogyReport]],
    routes: Sequence[str],
    *,
    sections: bool,
) -> Iterator[ScoreTable]:
    """A table for each measure and route, of the totals and optionally of every section."""
    for measure, by_route in by_measure.items():
        for route in routes:
            shown = route if len(routes) > 1 else "b - a + c"
            title = f"analogy {shown} by {measure}"
            yield _report_table(title, by_route[route], sections=sections)


def _report_table(title: str, report: AnalogyReport, *, sections: bool) -> ScoreTable:
    parts = {
        **(report.sections if sections else {}),
        "semantic": report.semantic,
        "syntactic": report.syntactic,
        "total": report.total,
    }
    has_composed = _has_composed(parts.values())
    rows = [
        (
            *(name, decimals(score.accuracy), str(score.correct), str(score.answerable)),
            *(decimals(score.accuracy_unknown_wrong), str(score.asked)),
            *(*[str(score.composed or 0)] * has_composed, str(score.total)),
        )
        for name, score in parts.items()
    ]
    counts = ("asked", *["composed"] * has_composed, "total")
    header = (title, "accuracy", "correct", "answerable", "unknown = wrong", *counts)
    return ScoreTable(header, rows)


def hypernymy_table(by_name: Mapping[str, HypernymyScore]) -> ScoreTable:
    """A row for each part of a data set, a column for each way to score its pairs.

    If some pairs are unknown, another row has the agreement on all pairs.
    """
    first = next(iter(by_name.values()))
    ways = list(first.agreement)
    rows = [
        (
            *(title, score.figure),
            *(decimals(agreement[way]) for way in ways),
            *(chance, str(score.found), str(score.pairs), str(score.replaced)),
        )
        for name, score in by_name.items()
        for title, agreement, chance in (
            (name, score.agreement, decimals(score.chance)),
            (f"{name}, all pairs", score.all_pairs, ""),
        )
        if agreement
    ]
    titles = [f"{way} (main)" if way == first.main else way for way in ways]
    header = ("hypernymy", "figure", *titles, "chance", "found", "pairs", "other forms")
    return ScoreTable(header, rows)


def graph_tables(score: GraphScore) -> Iterator[ScoreTable]:
    """Ranks of edges, a row for each task; for directed edges, also radius against depth."""
    header = (f"edges by {score.distance}", "mean rank", "MAP", "AUC", "found", "edges")
    rows = [
        (
            *(name, decimals(task.mean_rank, 2), decimals(task.mean_average_precision)),
            *(decimals(task.auc), str(task.found), str(task.edges)),
        )
        for name, task in score.tasks.items()
    ]
    yield ScoreTable(header, rows)
    if score.directed:
        row = ("radius and depth", decimals(score.radius_depth), str(score.found), str(score.nodes))
        yield ScoreTable(("hierarchy", "Spearman", "found", "nodes"), [row])


def _has_composed(scores: Iterable[SimilarityScore | AnalogyScore]) -> bool:
    """Whether a table has a column with the number of composed words: the model has subwords."""
    return any(score.composed is not None for score in scores)


def _html_row(tag: str, cells: tuple[str, ...]) -> str:
    return f"<tr>{''.join(f'<{tag}>{html.escape(cell)}</{tag}>' for cell in cells)}</tr>"
