"""Records and reports: hostile names are escaped, and damaged files are refused."""

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from facts import naming
from sample_records import record

from hyperskip.errors import OutputError
from hyperskip.experiment.report.rendering import Document, Picture, Section, as_html, as_markdown
from hyperskip.experiment.report.tables import models_table, result_tables, runs_table
from hyperskip.experiment.results.choice import choices
from hyperskip.experiment.results.records import Record, read_record

HOSTILE = "</td><script>alert(1)</script>\"'&|`*[x](javascript:1)\n# no\x00"


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def hostile_document() -> Document:
    sets = {HOSTILE: {"spearman": 0.5, "found": HOSTILE, "pairs": 3}}
    made = [
        record(
            HOSTILE,
            scores={
                "similarity": {"product": {"sets": sets, "average": 0.5}, HOSTILE: {}},
                "hypernymy": {HOSTILE: {"figure": HOSTILE, "agreement": {HOSTILE: 0.5}}},
            },
        ),
        record("paper", machine={HOSTILE: HOSTILE}),
    ]
    tables = [*result_tables(made, choices(made)), runs_table(made), models_table(made)]
    return Document(
        HOSTILE,
        [
            Section(HOSTILE, [HOSTILE], [HOSTILE], [(HOSTILE, HOSTILE)], "```\n" + HOSTILE, tables),
            Section("Figures", pictures=[Picture("figures/a.svg", HOSTILE, b"<svg/>")]),
            Section(HOSTILE, tables=tables, is_folded=True),
        ],
    )


def test_hostile_text_is_escaped_in_the_page() -> None:
    page = as_html(hostile_document())
    parser = Tags()
    parser.feed(page)
    assert parser.open == []
    assert "script" not in parser.tags
    assert parser.attributes <= {
        *("alt", "charset", "class", "colspan", "content", "http-equiv", "lang", "name", "src"),
    }
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page


def test_hostile_text_is_escaped_in_the_markdown() -> None:
    text = as_markdown(hostile_document())
    outside_of_code = text.split("````")[0] + text.split("````")[2]
    assert "<script>" not in outside_of_code
    assert "[x](javascript" not in outside_of_code
    rows = [line for line in outside_of_code.splitlines() if line.startswith("| ")]
    assert len(rows) > 6
    assert "\n# no" not in outside_of_code


def test_a_record_survives_a_round_trip(tmp_path: Path) -> None:
    made = record(analogy=0.25)
    made.write(tmp_path / "a.json")
    assert read_record(tmp_path / "a.json") == made
    assert made.accuracy == 0.25
    assert made.score("analogy", "product", "Z") is None
    assert made.score("none", "at", "all") is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        "[" * 100_000,
        '{"name": 1}',
        json.dumps({"name": "a", "wings": 2}),
    ],
)
def test_files_that_are_not_records_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(OutputError, match=naming(tmp_path / "a.json")) as caught:
        read_record(tmp_path / "a.json")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("dimension", "5"),
        ("dimension", True),
        ("rate", float("nan")),
        ("scores", []),
        ("seed", 1.5),
    ],
)
def test_values_of_a_wrong_type_are_refused(tmp_path: Path, name: str, value: object) -> None:
    values = {**vars(record()), name: value}
    (tmp_path / "a.json").write_text(json.dumps(values))
    with pytest.raises(OutputError, match=naming(tmp_path / "a.json", name, repr(value))):
        read_record(tmp_path / "a.json")


def test_malformed_scores_are_ignored() -> None:
    for odd in (
        {"similarity": 3, "hypernymy": [1]},
        {"similarity": {"product": {"sets": [], "average": "much"}}, "hypernymy": {"bless": 3}},
        {"similarity": {"sets": {}, "average": 0.5}, "hypernymy": {"bless": {"agreement": 3}}},
    ):
        made: Record = record(scores=odd)
        assert made.average is None
        assert made.similarity_sets == {}
        result_tables([made], choices([made]))
