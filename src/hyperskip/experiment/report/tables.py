"""The tables of a report, one function for each.

The cells are plain text; `rendering.py` turns tables into Markdown and HTML.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from hyperskip.evaluation.hypernymy_scores import FREQUENCY
from hyperskip.experiment.design.options import FASTTEXT, USUAL
from hyperskip.experiment.results.choice import (
    Choice,
    Spread,
    Value,
    by_rate,
    selection_score,
    spread,
)
from hyperskip.experiment.results.records import Record
from hyperskip.geometry.names import PRODUCT, ROUTES

_TITLES = {
    "ws353": "WS-353",
    "simlex999": "SimLex-999",
    "men": "MEN",
    "hyperlex": "HyperLex",
    "bless": "BLESS",
    "evalution": "EVALution",
    "leds": "LEDS",
    "shwartz": "Shwartz",
    "wbless": "WBLESS",
    "bibless": "BIBLESS",
}
# These differ between the runs of a model.
_GRID_OPTIONS = ("program", "dimension", "rate", "seed")
_DIGITS = ".4f"


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and whether it is the best in its group."""

    text: str
    is_best: bool = False


@dataclass(frozen=True)
class Table:
    """A table; every row has as many cells as the header."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    names: int = 2  # number of columns with text; they come first


def result_tables(records: Sequence[Record], chosen: Sequence[Choice]) -> list[Table]:
    """The tables with at least one row, in the order of the report."""
    made = (
        similarity_table(chosen),
        analogy_table(chosen),
        *hypernymy_tables(chosen),
        speed_table(records, chosen),
        rates_table(records, chosen),
    )
    return [table for table in made if table.rows]


def similarity_table(chosen: Sequence[Choice]) -> Table:
    """The paper's table 1: rank correlation on each similarity set, and the weighted average.

    For each model, the first row is by the paper's measure, and the next ones by other measures.
    """
    first = next((choice.records[0] for choice in chosen), None)
    sets = {} if first is None else first.similarity_sets
    rows: list[tuple[Choice, tuple[str, ...], Sequence[Value]]] = [
        (
            choice,
            (choice.model, measure),
            [*(_similarity(measure, name) for name in sets), _average(measure)],
        )
        for choice in (chosen if sets else ())
        for measure in choice.records[0].measures
    ]
    found = (f"{_title(name)} {_counts(score, 'found', 'pairs')}" for name, score in sets.items())
    return _score_table(
        "Word similarity (Spearman's rank correlation), by measure",
        ("model", "measure"),
        (*map(_title, sets), "average"),
        rows,
        f"Rates are chosen by the paper's measure, {PRODUCT}: the Minkowski product, or the cosine "
        "of Euclidean vectors. The measure angle is the cosine of the angle at the base point; for "
        "Euclidean vectors it is the same as the cosine. The average is weighted by the number of "
        "pairs with known words: " + ", ".join(found) + ".",
    )


def analogy_table(chosen: Sequence[Choice]) -> Table:
    """The paper's table 2: accuracy by both routes, for the same vectors as in table 1."""
    first = next((choice.records[0] for choice in chosen), None)
    report = {} if first is None else first.part("analogy", PRODUCT, ROUTES[0])
    rows: list[tuple[Choice, tuple[str, ...], Sequence[Value]]] = [
        (
            choice,
            (choice.model, "b - a + c" if choice.is_flat else route),
            [_analogy(route, *path) for path in _ACCURACIES.values()],
        )
        for choice in (chosen if report else ())
        for route in (ROUTES[:1] if choice.is_flat else ROUTES)
    ]
    return _score_table(
        f"Word analogies (accuracy), by the measure {PRODUCT}",
        ("model", "route"),
        tuple(_ACCURACIES),
        rows,
        f"Of {report.get('total')} questions, {report.get('asked')} have three known words, and "
        f"{report.get('answerable')} of these also have a known answer. For Euclidean vectors, "
        "both routes are the same.",
    )


_ACCURACIES = {
    "accuracy": ("accuracy",),
    "unknown answer = wrong": ("accuracy_unknown_wrong",),
    "semantic": ("semantic", "accuracy"),
    "syntactic": ("syntactic", "accuracy"),
}


def hypernymy_tables(chosen: Sequence[Choice]) -> list[Table]:
    """One table for each hypernymy set, with a column for each way to score pairs."""
    sets = dict.fromkeys(name for choice in chosen for name in choice.records[0].hypernymy_sets)
    return [
        _hypernymy_table(name, [each for each in chosen if name in each.records[0].hypernymy_sets])
        for name in sets
    ]


def _hypernymy_table(name: str, chosen: Sequence[Choice]) -> Table:
    first = chosen[0].records[0]
    ways = _ways([choice.records[0] for choice in chosen], name)
    rows = []
    for choice in chosen:
        spreads = {way: choice.spread(_hypernymy(name, "agreement", way)) for way in ways}
        best = _best(each for way, each in spreads.items() if way != FREQUENCY)
        cells = [
            Cell(_formatted(each), way != FREQUENCY and each is not None and each.mean == best)
            for way, each in spreads.items()
        ]
        rows.append((Cell(str(choice.dimension)), Cell(choice.model), *cells, Cell(_rate(choice))))
    about = first.part("hypernymy", name)
    return Table(
        f"Hypernymy, {_title(name)} ({about.get('figure')}), by score",
        ("dimension", "model", *ways, "rate"),
        tuple(rows),
        'Each column is a way to score "the first word is a kind of the second", and shows how '
        f"well the scores agree with the set, on {_counts(about, 'found', 'pairs')} pairs. Random "
        f"scores have {_formatted(spread([first], _hypernymy(name, 'chance')))}. The best score of "
        f"each model is bold, except for {FREQUENCY}, a baseline without vectors."
        + _main_scores(chosen, name),
    )


def _main_scores(chosen: Sequence[Choice], name: str) -> str:
    """A sentence on the scores to look at; records of earlier versions do not name them."""
    mains = [choice.records[0].part("hypernymy", name).get("main") for choice in chosen]
    named = dict.fromkeys(str(main) for main in mains if main is not None)
    return f" Main score: {', '.join(named)}." if named else ""


def _ways(records: Iterable[Record], name: str) -> list[str]:
    """The ways in which the pairs of a hypernymy set were scored; records may differ in them."""
    parts = (record.part("hypernymy", name, "agreement") for record in records)
    return list(dict.fromkeys(way for part in parts for way in part))


def _similarity(measure: str, name: str) -> Value:
    return lambda record: record.score("similarity", measure, "sets", name, "spearman")


def _average(measure: str) -> Value:
    return lambda record: record.score("similarity", measure, "average")


def _analogy(route: str, *path: str) -> Value:
    return lambda record: record.score("analogy", PRODUCT, route, *path)


def _hypernymy(name: str, *path: str) -> Value:
    return lambda record: record.score("hypernymy", name, *path)


def _score_table(
    title: str,
    names: tuple[str, ...],
    columns: tuple[str, ...],
    rows: Sequence[tuple[Choice, tuple[str, ...], Sequence[Value]]],
    note: str,
) -> Table:
    """A table of scores with dimension, names and rate; the best of each dimension is bold."""
    spreads = [[choice.spread(value) for value in values] for choice, _, values in rows]
    cells = []
    for (choice, named, _), own in zip(rows, spreads, strict=True):
        rivals = [
            other
            for (rival, _, _), other in zip(rows, spreads, strict=True)
            if rival.dimension == choice.dimension
        ]
        scores = [
            Cell(
                _formatted(each),
                each is not None and len(rivals) > 1 and each.mean == _best(column),
            )
            for each, column in zip(own, zip(*rivals, strict=True), strict=True)
        ]
        begin = (Cell(str(choice.dimension)), *map(Cell, named))
        cells.append((*begin, *scores, Cell(_rate(choice))))
    header = ("dimension", *names, *columns, "rate")
    return Table(title, header, tuple(cells), note, names=1 + len(names))


def _best(column: Iterable[Spread | None]) -> float | None:
    return max((each.mean for each in column if each is not None), default=None)


def models_table(records: Sequence[Record]) -> Table:
    """The options in which models differ, with defaults filled in for each dimension."""
    ours = [record for record in records if record.model != FASTTEXT]
    options = [name for name in _differing(ours) if name not in _GRID_OPTIONS]
    models = list(dict.fromkeys(record.model for record in ours))
    rows: dict[tuple[str, ...], list[int]] = {}
    for record in sorted(ours, key=lambda each: models.index(each.model)):
        known = record.asked | {"epochs": record.epochs}  # not in `asked` for equal time
        values = (_plain(known.get(name)) for name in options)
        rows.setdefault((record.model, *values), []).append(record.dimension)
    return Table(
        "Options in which the models differ",
        ("model", "dimensions", *(name.replace("_", "-") for name in options)),
        tuple(
            (Cell(model), Cell(", ".join(map(str, dict.fromkeys(dimensions)))), *map(Cell, values))
            for (model, *values), dimensions in rows.items()
        ),
    )


def speed_table(records: Sequence[Record], chosen: Sequence[Choice]) -> Table:
    """Training time, over all rates and seeds."""
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
                Cell(_formatted(choice.spread(lambda record: record.loss))),
            )
        )
    header = ("dimension", "model", "seconds", "words per second", "epochs", "runs", "loss")
    return Table(
        "Training time",
        header,
        tuple(rows),
        "Time and words per second of training, without reading, compiling and evaluating: all "
        "threads together, and means over all runs. The loss is the loss of the last epoch at the "
        "chosen rate. Compare losses of the same schedule and objective only.",
    )


def rates_table(records: Sequence[Record], chosen: Sequence[Choice]) -> Table:
    """The score that the rate was chosen by, at every rate."""
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
        "Choice of the rate",
        header,
        tuple(rows),
        f"The score that the rate was chosen by: the average similarity by the measure {PRODUCT}, "
        "or the accuracy on analogies if there is no similarity set.",
    )


def _rate_cell(group: list[Record] | None, best: Sequence[Record] | None) -> Cell:
    if group is None:
        return Cell("")
    if any(record.failure for record in group):
        return Cell("failed")
    text = _formatted(spread(group, selection_score))
    return Cell(text, best is not None and group[0] in best)


def runs_table(records: Sequence[Record]) -> Table:
    """All runs, with the options in which they differ."""
    columns = run_columns(records)
    rows = tuple(
        tuple(Cell(_plain(value(record))) for value in columns.values()) for record in records
    )
    return Table("", tuple(columns), rows)


def run_columns(records: Sequence[Record]) -> dict[str, Callable[[Record], Any]]:
    """The columns of a table of runs: a name, and a function that gives the value of a record."""
    names = ("name", "model", "geometry", "dimension", "rate", "seed", "epochs", "failure")
    columns: dict[str, Callable[[Record], Any]] = {name: attrgetter(name) for name in names}
    for name in _differing(records):
        if name not in columns:
            columns[name] = _asked(name)
    sets = dict.fromkeys(name for record in records for name in record.similarity_sets)
    for measure in dict.fromkeys(measure for record in records for measure in record.measures):
        for name in sets:
            columns[f"similarity {measure} {name}"] = _similarity(measure, name)
        columns[f"similarity {measure} average"] = _average(measure)
    for route in ROUTES:
        titled = f"analogy {PRODUCT} {route}"
        columns[titled] = _analogy(route, "accuracy")
        columns[f"{titled}, unknown wrong"] = _analogy(route, "accuracy_unknown_wrong")
    for name in dict.fromkeys(name for record in records for name in record.hypernymy_sets):
        for way in _ways(records, name):
            columns[f"hypernymy {name} {way}"] = _hypernymy(name, "agreement", way)
    for name in ("seconds", "words_per_second", "whole_seconds", "loss"):
        columns[name] = attrgetter(name)
    return columns


def _asked(name: str) -> Callable[[Record], Any]:
    return lambda record: record.asked.get(name)


def _differing(records: Sequence[Record]) -> list[str]:
    """The options that are not the same in all runs."""
    names = dict.fromkeys(name for record in records for name in record.asked)
    return [name for name in names if len({repr(record.asked.get(name)) for record in records}) > 1]


def _counts(score: object, part: str, whole: str) -> str:
    known = score if isinstance(score, dict) else {}
    return f"{known.get(part)} of {known.get(whole)}"


def _title(name: str) -> str:
    """The title of a set, or of a part of it, such as "hyperlex, nouns"."""
    known, separator, part = name.partition(", ")
    return _TITLES.get(known, known) + separator + part


def _formatted(found: Spread | None) -> str:
    return "-" if found is None else found.formatted(_DIGITS)


def _rate(choice: Choice) -> str:
    return "-" if choice.rate is None else f"{choice.rate:g}"


def _plain(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1e5 else f"{value:.6g}"
    return "" if value is None else str(value)
