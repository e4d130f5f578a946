"""The first tables of a report: all models side by side, and who leads in what."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hyperskip.experiment.report.scores import analogy, average_similarity, counts, set_title
from hyperskip.experiment.report.table import Cell, Table
from hyperskip.experiment.results.choice import Choice, Spread, Value
from hyperskip.geometry.names import ANGLE, PRODUCT, ROUTES

_NOT_SHOWN = "-"


class Column(NamedTuple):
    """A number of each model."""

    title: str
    value: Value
    digits: str = ".3f"
    sign: int = 1  # -1 for a time, where less is better

    def lead(self, first: float, second: float) -> str:
        """How far the best model is ahead of the second, in words that its name follows."""
        if self.sign > 0:
            return f"{first - second:{self.digits}} above"
        return f"{second / max(first, 1e-9):.1f} times as fast as"


_SECONDS = Column("seconds", lambda record: record.seconds, ".1f", -1)


def comparison_tables(chosen: Sequence[Choice]) -> list[Table]:
    """All models side by side and, if there are several, who leads in each column."""
    columns = score_columns(chosen)
    if not columns:
        return []
    columns.append(_SECONDS)
    made = (_comparison_table(chosen, columns), _leaders_table(chosen, columns))
    return [table for table in made if table.rows]


def score_columns(chosen: Sequence[Choice]) -> list[Column]:
    """The scores that at least one model has; those by the angle only if some space is curved."""
    measures = [PRODUCT] if all(choice.is_flat for choice in chosen) else [PRODUCT, ANGLE]
    columns = [
        *(Column(f"similarity, {each}", average_similarity(each)) for each in measures),
        *(Column(f"analogies, {each}", analogy(each, ROUTES[0], "accuracy")) for each in measures),
    ]
    return [each for each in columns if any(choice.spread(each.value) for choice in chosen)]


def _comparison_table(chosen: Sequence[Choice], columns: Sequence[Column]) -> Table:
    rows = []
    for choice in chosen:
        cells = [_cell(choice, column, _rivals(choice, chosen)) for column in columns]
        names = (str(choice.dimension), str(choice.epochs), choice.model)
        rate = _NOT_SHOWN if choice.rate is None else f"{choice.rate:g}"
        rows.append((*map(Cell, names), *cells, Cell(rate)))
    return Table(
        "All models side by side",
        ("dimension", "epochs", "model", *(column.title for column in columns), "rate"),
        tuple(rows),
        "Similarity is the average over the sets. Analogies are the share of right answers by the "
        f"paper's route {ROUTES[0]}. {PRODUCT} is the paper's measure, and {ANGLE} is the angle at "
        "the base point. For Euclidean vectors both are the cosine. Seconds are of training "
        "alone. Bold is the best of each dimension and number of epochs." + _coverage(chosen),
    )


def _cell(choice: Choice, column: Column, rivals: Sequence[Choice]) -> Cell:
    found = choice.spread(column.value)
    if found is None:
        return Cell(_NOT_SHOWN)
    is_best = len(rivals) > 1 and found.mean == _ranked(rivals, column)[0].mean
    return Cell(found.formatted(column.digits), is_best)


def _rivals(choice: Choice, chosen: Iterable[Choice]) -> list[Choice]:
    return [other for other in chosen if choice.competes_with(other)]


class _Ranked(NamedTuple):
    model: str
    spread: Spread

    @property
    def mean(self) -> float:
        return self.spread.mean


def _ranked(rivals: Iterable[Choice], column: Column) -> list[_Ranked]:
    """The models with a number in a column, the best first."""
    found = [
        _Ranked(choice.model, spread)
        for choice in rivals
        if (spread := choice.spread(column.value)) is not None
    ]
    return sorted(found, key=lambda each: -column.sign * each.mean)


def _leaders_table(chosen: Sequence[Choice], columns: Sequence[Column]) -> Table:
    groups = {
        (each.dimension, each.epochs): rivals
        for each in chosen
        if len(rivals := _rivals(each, chosen)) > 1
    }
    rows = tuple(
        (Cell(str(dimension)), Cell(str(epochs)), *(_leader(rivals, each) for each in columns))
        for (dimension, epochs), rivals in groups.items()
    )
    return Table(
        "Who leads",
        ("dimension", "epochs", *(column.title for column in columns)),
        rows,
        "The best model of each column, how far it is ahead, and of whom. Where seeds overlap, a "
        "seed of the second is as good as a seed of the first, and the order may be chance.",
        names=2 + len(columns),
        grouped_by=0,
    )


def _leader(rivals: Sequence[Choice], column: Column) -> Cell:
    ranked = _ranked(rivals, column)
    if not ranked:
        return Cell(_NOT_SHOWN)
    if len(ranked) == 1:
        return Cell(ranked[0].model)
    tied = [each.model for each in ranked if each.mean == ranked[0].mean]
    if len(tied) > 1:
        return Cell(f"{' and '.join(tied)} alike")
    first, second = ranked[:2]
    overlap = ", seeds overlap" if _overlap(first.spread, second.spread, column.sign) else ""
    return Cell(f"{first.model}, {column.lead(first.mean, second.mean)} {second.model}{overlap}")


def _overlap(first: Spread, second: Spread, sign: int) -> bool:
    """Whether the worst seed of the first is not better than the best seed of the second."""
    if len(first.values) == len(second.values) == 1:
        return False
    return min(sign * value for value in first.values) <= max(
        sign * value for value in second.values
    )


def _coverage(chosen: Sequence[Choice]) -> str:
    """How much of the evaluation sets the vocabulary covers; it is the same for all models."""
    first = chosen[0].records[0]
    known = [
        f"{counts(score, 'found', 'pairs')} pairs of {set_title(name)}"
        for name, score in first.similarity_sets.items()
    ]
    questions = first.part("analogy", PRODUCT, ROUTES[0])
    if questions:
        known.append(f"{counts(questions, 'answerable', 'total')} analogy questions")
    return f" The vocabulary has all words of {', '.join(known)}." if known else ""
