"""The first tables of a report: all models side by side, and who leads."""

from sample_records import record

from hyperskip.experiment.report.comparison import comparison_tables
from hyperskip.experiment.report.rendering import Document, Section, as_html
from hyperskip.experiment.report.table import Table
from hyperskip.experiment.report.tables import similarity_table
from hyperskip.experiment.results.choice import choices
from hyperskip.experiment.results.records import Record


def texts(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row] for row in table.rows]


def best(table: Table) -> list[list[str]]:
    return [[cell.text for cell in row if cell.is_best] for row in table.rows]


def test_both_measures_are_side_by_side_and_the_best_is_marked() -> None:
    chosen = choices(
        [
            record("default", average=0.5, analogy=0.1, seconds=2.0),
            record("gensim", average=0.4, analogy=0.2, seconds=8.0, geometry="euclidean"),
            record("default", average=0.6, epochs=10),
        ]
    )
    side_by_side, leaders = comparison_tables(chosen)
    scores = ("similarity, product", "similarity, angle", "analogies, product", "analogies, angle")
    assert side_by_side.header == ("dimension", "epochs", "model", *scores, "seconds", "rate")
    assert texts(side_by_side) == [
        ["5", "3", "default", "0.500", "0.250", "0.100", "-", "2.0", "0.1"],
        ["5", "3", "gensim", "0.400", "0.400", "0.200", "0.200", "8.0", "0.1"],
        ["5", "10", "default", "0.600", "0.300", "-", "-", "1.0", "0.1"],
    ]
    assert best(side_by_side) == [["0.500", "2.0"], ["0.400", "0.200", "0.200"], []]
    assert "300 of 353 pairs of WS-353" in side_by_side.note
    assert "10 of 30 analogy questions" in side_by_side.note
    assert leaders.header == ("dimension", "epochs", *scores, "seconds")
    assert texts(leaders) == [
        [
            *("5", "3", "default, 0.100 above gensim", "gensim, 0.150 above default"),
            *("gensim, 0.100 above default", "gensim", "default, 4.0 times as fast as gensim"),
        ]
    ]


def test_the_leaders_table_says_where_seeds_overlap() -> None:
    def records(model: str, *averages: float) -> list[Record]:
        return [
            record(model, seed=seed, average=average, geometry="euclidean", seconds=float(seed))
            for seed, average in enumerate(averages, start=1)
        ]

    apart, together = (
        choices([*records("a", 0.5, 0.6, 0.7), *records("b", *others)])
        for others in ((0.2, 0.3, 0.4), (0.2, 0.3, 0.5))
    )
    side_by_side, leaders = comparison_tables(apart)
    assert texts(side_by_side)[0] == ["5", "3", "a", "0.600 ± 0.100", "2.0 ± 1.0", "0.1"]
    assert texts(leaders)[0][2] == "a, 0.300 above b"
    assert texts(leaders)[0][3] == "a and b alike"  # the same seconds
    assert texts(comparison_tables(together)[1])[0][2] == "a, 0.267 above b, seeds overlap"
    alike = choices([*records("a", 0.5), *records("b", 0.5)])
    assert texts(comparison_tables(alike)[1])[0][2] == "a and b alike"


def test_runs_for_equal_time_do_not_compete() -> None:
    asked = {"rate": None, "epochs": 3}
    chosen = choices(
        [
            record("default", average=0.4),
            record("gensim", average=0.3, geometry="euclidean"),
            record("equal-time", average=0.6, epochs=29, asked=asked),
        ]
    )
    side_by_side, leaders = comparison_tables(chosen)
    assert [row[2] for row in texts(side_by_side)] == ["default", "gensim", "equal-time"]
    assert best(side_by_side)[2] == []
    assert texts(leaders)[0][2] == "default, 0.100 above gensim"
    assert not any(cell.is_best for row in similarity_table(chosen).rows[3:] for cell in row)


def test_one_model_alone_does_not_lead() -> None:
    (table,) = comparison_tables(choices([record(), record(dimension=20)]))
    assert best(table) == [[], []]
    assert comparison_tables(choices([record(average=None)])) == []
    assert comparison_tables([]) == []


def test_on_a_page_dimension_and_epochs_are_headings_above_the_models() -> None:
    tables = comparison_tables(choices([record(), record("other"), record(dimension=20)]))
    page = as_html(Document("Title", [Section("Comparison", tables=tables[:1])]))
    assert page.count('class="group"') == 2
    first, second = (page.index(f"<span>dimension {each}, epochs 3</span>") for each in (5, 20))
    assert first < page.index(">other</td>") < second
    assert "<th>dimension</th>" not in page
