"""The choice of the best rate and the tables, on sample records with known results."""

from typing import Any

import pytest
from sample_records import record

from hyperskip.experiment.design.grid import planned_runs
from hyperskip.experiment.design.options import ExperimentOptions
from hyperskip.experiment.experiment import TimeLeft
from hyperskip.experiment.report.table import Table
from hyperskip.experiment.report.tables import (
    analogy_table,
    hypernymy_tables,
    models_table,
    rates_table,
    similarity_table,
    speed_table,
)
from hyperskip.experiment.results.choice import Spread, choices, models_at_an_end
from hyperskip.experiment.results.records import Record


def test_the_rate_is_chosen_by_similarity_not_by_analogies() -> None:
    records = [
        record(rate=0.1, average=0.30, analogy=0.9),
        record(rate=0.05, average=0.50, analogy=0.1),
        record(rate=0.01, average=0.40, analogy=0.2),
        record(rate=0.1, average=0.60, analogy=0.3, dimension=20),
        record(rate=0.05, average=0.55, analogy=0.4, dimension=20),
        record("default", rate=None, average=0.45, analogy=0.2),
    ]
    chosen = choices(records)
    assert [(choice.model, choice.dimension, choice.rate) for choice in chosen] == [
        ("paper", 5, 0.05),
        ("default", 5, 0.01),  # beside the other model of its dimension
        ("paper", 20, 0.1),
    ]
    assert chosen[0].spread(lambda each: each.accuracy) == Spread((0.1,))


def test_the_mean_over_seeds_is_compared() -> None:
    records = [
        record(rate=0.1, seed=1, average=0.9),
        record(rate=0.1, seed=2, average=0.1),
        record(rate=0.05, seed=1, average=0.6),
        record(rate=0.05, seed=2, average=0.6),
    ]
    (choice,) = choices(records)
    assert choice.rate == 0.05
    assert len(choice.records) == 2


def test_a_rate_with_a_failed_run_is_not_chosen() -> None:
    records = [
        record(rate=0.1, seed=1, average=0.9),
        record(rate=0.1, seed=2, average=None, failure="diverged"),
        record(rate=0.05, seed=1, average=0.2),
        record(rate=0.05, seed=2, average=0.2),
        record("euclidean", average=None, failure="diverged"),
    ]
    (choice,) = choices(records)
    assert (choice.model, choice.rate) == ("paper", 0.05)
    assert texts(rates_table(records, [choice])) == [
        ["5", "3", "paper", "failed", "0.2000 (0.2000 to 0.2000)"],
        ["5", "3", "euclidean", "failed", ""],
    ]


def test_a_best_rate_at_an_end_of_those_tried() -> None:
    def records(model: str, *averages: float) -> list[Record]:
        rates = (0.1, 0.05, 0.01)
        return [
            record(model, rate=rate, average=average)
            for rate, average in zip(rates, averages, strict=False)
        ]

    made = [
        *records("high", 0.5, 0.4, 0.3),
        *records("inside", 0.4, 0.5, 0.3),
        *records("low", 0.3, 0.4, 0.5),
        *records("single", 0.5),
        record("usual", rate=None),
    ]
    assert models_at_an_end(made, choices(made)) == ["high", "low"]


def test_without_similarity_sets_the_rate_is_chosen_by_analogies() -> None:
    records = [
        record(rate=0.1, average=None, analogy=0.2),
        record(rate=0.05, average=None, analogy=0.3),
    ]
    assert choices(records)[0].rate == 0.05
    assert similarity_table(choices(records)).rows == ()


def test_a_spread_shows_range_or_deviation() -> None:
    assert Spread((0.5,)).formatted() == "0.500"
    assert Spread((0.5, 0.7)).formatted() == "0.600 (0.500 to 0.700)"
    assert Spread((1.0, 2.0, 3.0)).formatted(".1f") == "2.0 ± 1.0"


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def test_tables_show_the_best_of_each_dimension_in_bold() -> None:
    chosen = choices(
        [
            record(average=0.5, analogy=0.1),
            record("euclidean", average=0.4, analogy=0.2, geometry="euclidean"),
            record(dimension=20, average=0.6, analogy=0.3),
        ]
    )
    similarity, analogy = similarity_table(chosen), analogy_table(chosen)
    names = ("dimension", "epochs", "model", "measure")
    assert similarity.header == (*names, "WS-353", "average", "rate")
    assert texts(similarity)[:3] == [
        ["5", "3", "paper", "product", "0.5000", "0.5000", "0.1"],
        ["5", "3", "paper", "angle", "0.2500", "0.2500", "0.1"],
        ["5", "3", "euclidean", "cosine", "0.4000", "0.4000", "0.1"],
    ]
    assert [row[5].is_best for row in similarity.rows] == [True, False, False, True, False]
    assert "WS-353 300 of 353" in similarity.note
    assert [row[2:5] for row in texts(analogy)[:3]] == [
        ["paper", "product", "Z"],
        ["paper", "product", "Z'"],
        ["euclidean", "cosine", "b - a + c"],
    ]
    assert [row[5].is_best for row in analogy.rows[:3]] == [False, False, True]
    assert "Of 30 questions, 20 have three known words, and 10 " in analogy.note
    assert texts(speed_table([record()], choices([record()])))[0][3:7] == [
        *("1.00", "1,000,000", "3", "1"),
    ]


def test_hypernymy_shows_the_best_score_of_each_model() -> None:
    counted: dict[str, float | None] = {"frequency": 0.9, "angle-frequency": 0.3}
    chosen = choices(
        [
            record(hypernymy={"similarity": 0.1, "radius": 0.4, **counted}),
            record("euclidean", hypernymy={"similarity": 0.2, "radius": None, **counted}),
            record("uncounted", hypernymy={"similarity": 0.3, "radius": 0.1}),
            record("older"),
        ]
    )
    (table,) = hypernymy_tables(chosen)
    assert "HyperLex (Spearman)" in table.title
    assert "2000 of 2616 pairs. Random scores have 0.0000" in table.note
    ways = ("similarity", "radius", "frequency", "angle-frequency")
    assert table.header == ("dimension", "epochs", "model", *ways, "rate")
    assert texts(table) == [
        ["5", "3", "paper", "0.1000", "0.4000", "0.9000", "0.3000", "0.1"],
        ["5", "3", "euclidean", "0.2000", "-", "0.9000", "0.3000", "0.1"],
        ["5", "3", "uncounted", "0.3000", "0.1000", "-", "-", "0.1"],
    ]
    marked = [[cell.text for cell in row if cell.is_best] for row in table.rows]
    assert marked == [["0.4000"], ["0.3000"], ["0.3000"]]  # frequency does not use the vectors


def test_parts_of_hypernymy_sets_have_titles_and_name_the_main_score() -> None:
    about = {"figure": "direction accuracy", "chance": 0.5, "found": 1200, "pairs": 1337}
    scored = [record(model, hypernymy={"radius": 0.4}) for model in ("plain", "hierarchy", "older")]
    for each, main in zip(scored, ("angle-radius", "is_a", None), strict=True):
        named = {} if main is None else {"main": main}
        each.scores["hypernymy"] = {
            "bless, direction": about | named | {"agreement": {main or "radius": 0.7}}
        }
    (table,) = hypernymy_tables(choices(scored))
    assert "BLESS, direction (direction accuracy)" in table.title
    assert "Main score: angle-radius, is_a." in table.note
    (older,) = hypernymy_tables(choices(scored[2:]))
    assert "Main score" not in older.note


def test_the_table_of_models_shows_the_options_that_differ() -> None:
    def asked(theta: float, **values: Any) -> dict[str, Any]:
        return {"asked": {"theta": theta, "window": 10, "rate": 0.1, "seed": 1} | values}

    table = models_table(
        [
            record("default", dimension=5, **asked(1.0)),
            record("paper", dimension=5, **asked(3.0)),
            record("default", dimension=20, **asked(3.0)),
            record("paper", dimension=20, **asked(3.0, rate=0.2, epochs=3)),
            record("small", **asked(1.0, window=5, tied=True)),
            record("equal-time", epochs=29, **asked(1.0, epochs=3, tied=False)),
            record("gensim", **asked(1.0, window=5, tied=False)),
        ]
    )
    assert table.header == ("model", "dimensions", "theta", "window", "tied")
    assert texts(table) == [
        ["default", "5", "1", "10", ""],
        ["default", "20", "3", "10", ""],
        ["paper", "5, 20", "3", "10", ""],
        ["small", "5", "1", "5", "yes"],
        ["gensim", "5", "", "5", ""],  # only the options that it shares with hyperskip
    ]


def test_the_time_left_is_estimated_from_finished_runs() -> None:
    runs = planned_runs(ExperimentOptions(dimensions=(5, 20), models=("paper",), rates=(0.1,)))
    estimate = TimeLeft()
    assert estimate.seconds(runs) is None
    estimate.learn(runs[0], record(whole_seconds=4.0))
    assert estimate.seconds([runs[0]]) == pytest.approx(4.0)
    assert 4.0 < (estimate.seconds([runs[1]]) or 0) < 16.0  # a larger dimension takes longer
    assert estimate.seconds([]) == 0
