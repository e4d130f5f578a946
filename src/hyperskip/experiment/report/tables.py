"""The tables of a report, one function for each."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from hyperskip.evaluation.hypernymy_scores import FREQUENCY
from hyperskip.experiment.design.options import EQUAL_TIME, USUAL
from hyperskip.experiment.design.peer_programs import PEERS
from hyperskip.experiment.report.comparison import comparison_tables
from hyperskip.experiment.report.scores import (
    analogy,
    average_similarity,
    counts,
    hypernymy,
    measure_title,
    set_title,
    similarity,
)
from hyperskip.experiment.report.table import Cell, Table
from hyperskip.experiment.results.choice import (
    Choice,
    Spread,
    Value,
    by_place,
    by_rate,
    selection_score,
    spread,
)
from hyperskip.experiment.results.records import Record
from hyperskip.geometry.names import PRODUCT, ROUTES

# These differ between the runs of a model.
_GRID_OPTIONS = ("program", "dimension", "epochs", "rate", "seed")
_PLACE = ("dimension", "epochs", "model")  # the first columns of most tables
_DIGITS = ".4f"


def result_tables(records: Sequence[Record], chosen: Sequence[Choice]) -> list[Table]:
    """All tables with at least one row, in the order of the report."""
    return [*comparison_tables(chosen), *detailed_tables(records, chosen)]


def detailed_tables(records: Sequence[Record], chosen: Sequence[Choice]) -> list[Table]:
    """The tables that follow the comparison, if they have at least one row."""
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
            (measure_title(choice.records[0], measure),),
            [*(similarity(measure, name) for name in sets), average_similarity(measure)],
        )
        for choice in (chosen if sets else ())
        for measure in choice.records[0].measures
    ]
    found = (f"{set_title(name)} {counts(sets[name], 'found', 'pairs')}" for name in sets)
    return _score_table(
        "Word similarity (Spearman's rank correlation), by measure",
        ("measure",),
        (*map(set_title, sets), "average"),
        rows,
        f"Rates are chosen by the paper's measure, {PRODUCT}: the Minkowski product, or the cosine "
        "of Euclidean vectors. The measure angle is the cosine of the angle at the base point. The "
        "average is weighted by the number of pairs with known words: " + ", ".join(found) + ".",
    )


def analogy_table(chosen: Sequence[Choice]) -> Table:
    """The paper's table 2: accuracy by both routes, for the same vectors as in table 1."""
    first = next((choice.records[0] for choice in chosen), None)
    report = {} if first is None else first.part("analogy", PRODUCT, ROUTES[0])
    rows: list[tuple[Choice, tuple[str, ...], Sequence[Value]]] = [
        (
            choice,
            (
                measure_title(choice.records[0], measure),
                "b - a + c" if choice.is_flat else route,
            ),
            [analogy(measure, route, *path) for path in _ACCURACIES.values()],
        )
        for choice in (chosen if report else ())
        for measure in choice.records[0].part("analogy")
        for route in (ROUTES[:1] if choice.is_flat else ROUTES)
    ]
    return _score_table(
        "Word analogies (accuracy), by measure and route",
        ("measure", "route"),
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
        spreads = {way: choice.spread(hypernymy(name, "agreement", way)) for way in ways}
        best = _best(each for way, each in spreads.items() if way != FREQUENCY)
        cells = [
            Cell(_formatted(each), way != FREQUENCY and each is not None and each.mean == best)
            for way, each in spreads.items()
        ]
        rows.append((*_place(choice), *cells, Cell(_rate(choice))))
    about = first.part("hypernymy", name)
    return Table(
        f"Hypernymy, {set_title(name)} ({about.get('figure')}), by score",
        (*_PLACE, *ways, "rate"),
        tuple(rows),
        'Each column is a way to score "the first word is a kind of the second", and shows how '
        f"well the scores agree with the set, on {counts(about, 'found', 'pairs')} pairs. Random "
        f"scores have {_formatted(spread([first], hypernymy(name, 'chance')))}. The best score of "
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


def _score_table(
    title: str,
    names: tuple[str, ...],
    columns: tuple[str, ...],
    rows: Sequence[tuple[Choice, tuple[str, ...], Sequence[Value]]],
    note: str,
) -> Table:
    """A table of scores with rates; the best of each dimension and number of epochs is bold."""
    spreads = [[choice.spread(value) for value in values] for choice, _, values in rows]
    cells = []
    for (choice, named, _), own in zip(rows, spreads, strict=True):
        rivals = [
            other
            for (rival, _, _), other in zip(rows, spreads, strict=True)
            if choice.competes_with(rival)
        ]
        scores = [
            Cell(
                _formatted(each),
                each is not None
                and len(rivals) > 1
                and each.mean == _best(rival[column] for rival in rivals),
            )
            for column, each in enumerate(own)
        ]
        cells.append((*_place(choice), *map(Cell, named), *scores, Cell(_rate(choice))))
    header = (*_PLACE, *names, *columns, "rate")
    return Table(title, header, tuple(cells), note, names=len(_PLACE) + len(names))


def _place(choice: Choice) -> tuple[Cell, ...]:
    return Cell(str(choice.dimension)), Cell(str(choice.epochs)), Cell(choice.model)


def _best(column: Iterable[Spread | None]) -> float | None:
    return max((each.mean for each in column if each is not None), default=None)


def models_table(records: Sequence[Record]) -> Table:
    """The options in which models differ, with defaults filled in for each dimension.

    Other programs have values only for the options that they share with hyperskip. The runs for
    equal time are left out: they have the options of the model default, except for the epochs.
    """
    records = [record for record in records if record.model != EQUAL_TIME]
    names = dict.fromkeys(name for record in records for name in record.asked)
    options = [
        name
        for name in names
        if name not in _GRID_OPTIONS
        and len({repr(record.asked.get(name)) for record in records if _has(record, name)}) > 1
    ]
    models = list(dict.fromkeys(record.model for record in records))
    rows: dict[tuple[str, ...], list[int]] = {}
    for record in sorted(records, key=lambda each: models.index(each.model)):
        if any(_has(record, name) for name in options):
            values = [_plain(record.asked.get(name)) * _has(record, name) for name in options]
            rows.setdefault((record.model, *values), []).append(record.dimension)
    return Table(
        "Options in which the models differ",
        ("model", "dimensions", *(name.replace("_", "-") for name in options)),
        tuple(
            (Cell(model), Cell(", ".join(map(str, dict.fromkeys(dimensions)))), *map(Cell, values))
            for (model, *values), dimensions in rows.items()
        ),
        names=2,
        grouped_by=0,
    )


def _has(record: Record, option: str) -> bool:
    peer = PEERS.get(record.model)
    return peer is None or option in peer.options


def speed_table(records: Sequence[Record], chosen: Sequence[Choice]) -> Table:
    """Training time, over all rates and seeds."""
    rows = []
    for choice in chosen:
        place = choice.records[0].place
        runs = [record for record in records if record.place == place and not record.failure]
        seconds = spread(runs, lambda record: record.seconds)
        speed = spread(runs, lambda record: record.words_per_second)
        rows.append(
            (
                *_place(choice),
                Cell("-" if seconds is None else f"{seconds.mean:.2f}"),
                Cell("-" if speed is None else f"{speed.mean:,.0f}"),
                Cell(str(choice.records[0].epochs)),
                Cell(str(len(runs))),
                Cell(_formatted(choice.spread(lambda record: record.loss))),
            )
        )
    return Table(
        "Training time",
        (*_PLACE, "seconds", "words per second", "passes", "runs", "loss"),
        tuple(rows),
        "Time and words per second of training, without reading, compiling and evaluating: all "
        "threads together, and means over all runs. Passes are the epochs that were trained. The "
        "loss is the loss of the last epoch at the chosen rate. Compare losses of the same "
        "schedule and objective only.",
    )


def rates_table(records: Sequence[Record], chosen: Sequence[Choice]) -> Table:
    """The score that the rate was chosen by, at every rate."""
    asked = list(dict.fromkeys(record.asked.get("rate") for record in records))
    rates = sorted((rate for rate in asked if rate is not None), reverse=True)
    columns: list[float | None] = [*rates, *([None] if None in asked else [])]
    best = {choice.records[0].place: choice.records for choice in chosen}
    rows = []
    for place, group in by_place(records).items():
        of_rates = by_rate(group)
        cells = [_rate_cell(of_rates.get(rate), best.get(place)) for rate in columns]
        rows.append((*(Cell(str(part)) for part in place), *cells))
    return Table(
        "Choice of the rate",
        (*_PLACE, *(USUAL if rate is None else f"{rate:g}" for rate in columns)),
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
    return Table("", tuple(columns), rows, names=2, grouped_by=0)


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
            columns[f"similarity {measure} {name}"] = similarity(measure, name)
        columns[f"similarity {measure} average"] = average_similarity(measure)
    for measure in dict.fromkeys(name for record in records for name in record.part("analogy")):
        for route in ROUTES:
            titled = f"analogy {measure} {route}"
            columns[titled] = analogy(measure, route, "accuracy")
            columns[f"{titled}, unknown wrong"] = analogy(measure, route, "accuracy_unknown_wrong")
    for name in dict.fromkeys(name for record in records for name in record.hypernymy_sets):
        for way in _ways(records, name):
            columns[f"hypernymy {name} {way}"] = hypernymy(name, "agreement", way)
    for name in ("seconds", "words_per_second", "whole_seconds", "loss"):
        columns[name] = attrgetter(name)
    return columns


def _asked(name: str) -> Callable[[Record], Any]:
    return lambda record: record.asked.get(name)


def _differing(records: Sequence[Record]) -> list[str]:
    """The options that are not the same in all runs."""
    names = dict.fromkeys(name for record in records for name in record.asked)
    return [name for name in names if len({repr(record.asked.get(name)) for record in records}) > 1]


def _formatted(found: Spread | None) -> str:
    return "-" if found is None else found.formatted(_DIGITS)


def _rate(choice: Choice) -> str:
    return "-" if choice.rate is None else f"{choice.rate:g}"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.0f}" if abs(value) >= 1e5 else f"{value:.6g}"
    return "" if value is None else str(value)
