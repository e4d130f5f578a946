"""The tables of a report, one function each; whoever has another kind of score adds a function.

A table is plain text in cells; `rendering.py` makes Markdown and HTML of it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from hyperskip.experiment.choice import Choice, Spread, Value, by_rate, judged_by, spread
from hyperskip.experiment.options import USUAL
from hyperskip.experiment.records import Record
from hyperskip.vectors.space import ROUTES

_TITLES = {"ws353": "WS-353", "simlex999": "SimLex-999", "men": "MEN", "google": "Google"}
_DIGITS = ".4f"


@dataclass(frozen=True)
class Cell:
    """Text, and whether it stands out."""

    text: str
    is_best: bool = False


@dataclass(frozen=True)
class Table:
    """A header and rows of as many cells."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


def result_tables(records: Sequence[Record], chosen: Sequence[Choice]) -> list[Table]:
    """All tables that there are scores for, in the order of the report."""
    made = (
        similarity_table(chosen),
        analogy_table(chosen),
        speed_table(records, chosen),
        rates_table(records, chosen),
    )
    return [table for table in made if table.rows]


def similarity_table(chosen: Sequence[Choice]) -> Table:
    """The paper's table 1: rank correlation on each similarity set, and the weighted average."""
    first = next((choice.records[0] for choice in chosen), None)
    sets = {} if first is None else first.similarity_sets
    values = [*map(_similarity, sets), lambda record: record.average]
    found = (f"{_title(name)} {_counts(score, 'found', 'pairs')}" for name, score in sets.items())
    return _score_table(
        "Word similarity (Spearman's rank correlation)",
        (*map(_title, sets), "average"),
        [(choice, choice.model, values) for choice in chosen] if sets else [],
        "The average is weighted by the pairs whose words are known: " + ", ".join(found) + ".",
    )


def analogy_table(chosen: Sequence[Choice]) -> Table:
    """The paper's table 2: accuracy by both routes, of the vectors that table 1 shows."""
    first = next((choice.records[0] for choice in chosen), None)
    report = {} if first is None else _part(first.scores, "analogy", ROUTES[0])
    rows: list[tuple[Choice, str, Sequence[Value]]] = []
    for choice in chosen if report else ():
        for route in ROUTES[:1] if choice.is_flat else ROUTES:
            name = choice.model if choice.is_flat else f"{choice.model} ({route})"
            rows.append((choice, name, [_analogy(route, *path) for path in _ACCURACIES.values()]))
    return _score_table(
        "Word analogies (share of right answers)",
        tuple(_ACCURACIES),
        rows,
        f"Of {report.get('total')} questions, {report.get('asked')} have three known words, and "
        f"{report.get('answerable')} of those a known answer, too. Euclidean vectors have one "
        "route, b - a + c.",
    )


_ACCURACIES = {
    "accuracy": ("accuracy",),
    "unknown answer = wrong": ("accuracy_unknown_wrong",),
    "semantic": ("semantic", "accuracy"),
    "syntactic": ("syntactic", "accuracy"),
}


def _similarity(name: str) -> Value:
    return lambda record: record.score("similarity", "sets", name, "spearman")


def _analogy(route: str, *path: str) -> Value:
    return lambda record: record.score("analogy", route, *path)


def _score_table(
    title: str,
    columns: tuple[str, ...],
    rows: Sequence[tuple[Choice, str, Sequence[Value]]],
    note: str,
) -> Table:
    """A row a choice: dimension, name, a spread for each value, and the rate; the best is bold."""
    spreads = [[choice.spread(value) for value in values] for choice, _, values in rows]
    cells = []
    for (choice, name, _), own in zip(rows, spreads, strict=True):
        rivals = [
            other
            for (rival, _, _), other in zip(rows, spreads, strict=True)
            if rival.dimension == choice.dimension
        ]
        scores = [
            Cell(_shown(each), each is not None and len(rivals) > 1 and each.mean == _best(column))
            for each, column in zip(own, zip(*rivals, strict=True), strict=True)
        ]
        cells.append((Cell(str(choice.dimension)), Cell(name), *scores, Cell(_rate(choice))))
    return Table(title, ("dimension", "model", *columns, "rate"), tuple(cells), note)


def _best(column: Iterable[Spread | None]) -> float | None:
    return max((each.mean for each in column if each is not None), default=None)


def speed_table(records: Sequence[Record], chosen: Sequence[Choice]) -> Table:
    """How long training proper took, over all rates and seeds."""
    rows = []
    for choice in chosen:
        runs = [
            record
            for record in records
            if (record.model, record.dimension) == (choice.model, choice.dimension)
            and not record.failure
        ]
        seconds = spread(runs, lambda record: record.seconds)
        speed = spread(runs, lambda record: record.words_per_second)
        rows.append(
            (
                Cell(str(choice.dimension)),
                Cell(choice.model),
                Cell("-" if seconds is None else f"{seconds.mean:.2f}"),
                Cell("-" if speed is None else f"{speed.mean:,.0f}"),
                Cell(str(choice.records[0].epochs)),
                Cell(str(len(runs))),
                Cell(_shown(choice.spread(lambda record: record.loss))),
            )
        )
    header = ("dimension", "model", "seconds", "words a second", "epochs", "runs", "loss")
    return Table(
        "Training time",
        header,
        tuple(rows),
        "Seconds of training proper, without reading, compiling and evaluating, and words a second "
        "over all threads: means over all runs. The loss is that of the last epoch, at the rate "
        "that was chosen; only losses of the same schedule and objective can be compared.",
    )


def rates_table(records: Sequence[Record], chosen: Sequence[Choice]) -> Table:
    """The grid behind the choice: what it was made by, at every rate."""
    asked = list(dict.fromkeys(record.asked.get("rate") for record in records))
    rates = sorted((rate for rate in asked if rate is not None), reverse=True)
    columns: list[float | None] = [*rates, *([None] if None in asked else [])]
    best = {(choice.model, choice.dimension): choice.records for choice in chosen}
    rows = []
    for dimension, model in dict.fromkeys((record.dimension, record.model) for record in records):
        groups = by_rate(
            record for record in records if (record.dimension, record.model) == (dimension, model)
        )
        cells = [_rate_cell(groups.get(rate), best.get((model, dimension))) for rate in columns]
        rows.append((Cell(str(dimension)), Cell(model), *cells))
    header = ("dimension", "model", *(USUAL if rate is None else f"{rate:g}" for rate in columns))
    return Table(
        "The choice of the rate",
        header,
        tuple(rows),
        "What the rate was chosen by: the average similarity, or the accuracy of analogies where "
        "there is no similarity set.",
    )


def _rate_cell(group: list[Record] | None, best: Sequence[Record] | None) -> Cell:
    if group is None:
        return Cell("")
    if any(record.failure for record in group):
        return Cell("failed")
    text = _shown(spread(group, judged_by))
    return Cell(text, best is not None and group[0] in best)


def runs_table(records: Sequence[Record]) -> Table:
    """Every run, with whatever differs among them."""
    columns = run_columns(records)
    rows = tuple(
        tuple(Cell(_plain(value(record))) for value in columns.values()) for record in records
    )
    return Table("", tuple(columns), rows)


def run_columns(records: Sequence[Record]) -> dict[str, Callable[[Record], Any]]:
    """What there is to say of a run: by the name of its column, how to read it off a record."""
    names = ("name", "model", "geometry", "dimension", "rate", "seed", "epochs", "failure")
    columns: dict[str, Callable[[Record], Any]] = {name: attrgetter(name) for name in names}
    for name in _differing(records):
        if name not in columns:
            columns[name] = _asked(name)
    for name in dict.fromkeys(name for record in records for name in record.similarity_sets):
        columns[f"similarity {name}"] = _similarity(name)
    columns["similarity average"] = attrgetter("average")
    for route in ROUTES:
        columns[f"analogy {route}"] = _analogy(route, "accuracy")
        columns[f"analogy {route}, unknown wrong"] = _analogy(route, "accuracy_unknown_wrong")
    for name in ("seconds", "words_per_second", "whole_seconds", "loss"):
        columns[name] = attrgetter(name)
    return columns


def _asked(name: str) -> Callable[[Record], Any]:
    return lambda record: record.asked.get(name)


def _differing(records: Sequence[Record]) -> list[str]:
    """Options that are not the same in all runs."""
    names = dict.fromkeys(name for record in records for name in record.asked)
    return [name for name in names if len({repr(record.asked.get(name)) for record in records}) > 1]


def _part(scores: dict[str, Any], *path: str) -> dict[str, Any]:
    found: Any = scores
    for name in path:
        found = found.get(name, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _counts(score: object, part: str, whole: str) -> str:
    known = score if isinstance(score, dict) else {}
    return f"{known.get(part)} of {known.get(whole)}"


def _title(name: str) -> str:
    return _TITLES.get(name, name)


def _shown(found: Spread | None) -> str:
    return "-" if found is None else found.shown(_DIGITS)


def _rate(choice: Choice) -> str:
    return "-" if choice.rate is None else f"{choice.rate:g}"


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1e5 else f"{value:.6g}"
    return "" if value is None else str(value)
