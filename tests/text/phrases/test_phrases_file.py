"""`Phrases`, and the table that it is saved as."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st

import hyperskip
from hyperskip.errors import CorpusError, InputError, OutputError
from hyperskip.text.phrases.phrases import Phrase, Phrases

ROWS = (
    Phrase(("new", "york"), 120.5, 30, 1),
    Phrase(("bank", "of", "america"), 1 / 3, 7, 1),
    Phrase(("new_york", "city"), 10.25, 6, 2),
)


def test_saved_and_read_again(tmp_path: Path) -> None:
    phrases = Phrases(ROWS)
    path = tmp_path / "phrases.tsv"
    phrases.save(path)
    assert path.read_text() == (
        "words\tscore\tcount\tpass\n"
        "new york\t120.5\t30\t1\n"
        "bank of america\t0.3333333333333333\t7\t1\n"
        "new_york city\t10.25\t6\t2\n"
    )
    assert hyperskip.read_phrases(path).rows == phrases.rows == ROWS
    compressed = tmp_path / "phrases.tsv.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert hyperskip.read_phrases(compressed).rows == ROWS


def test_a_mapping_from_joined_words() -> None:
    phrases = Phrases(reversed(ROWS))
    assert list(phrases) == ["new_york", "bank_of_america", "new_york_city"]
    assert phrases["new_york"].count == 30
    assert "york" not in phrases
    assert repr(phrases) == "<Phrases: 3>"
    alike = Phrases([Phrase(("a_b", "c"), 1.0, 9, 1), Phrase(("a", "b_c"), 2.0, 9, 1)])
    assert (len(alike), len(alike.rows)) == (1, 2)
    assert alike["a_b_c"].words == ("a", "b_c")


def test_phrases_are_joined_from_left_to_right() -> None:
    phrases = Phrases(ROWS)
    assert phrases.join("in new york city".split()) == ["in", "new_york_city"]
    assert phrases.join("new new york york".split()) == ["new", "new_york", "york"]
    assert phrases.join(["new"]) == ["new"]
    assert phrases.join(()) == []
    longest = Phrases([Phrase(("a", "b"), 9.0, 1, 1), Phrase(("a", "b", "c"), 1.0, 1, 1)])
    assert longest.join(list("abcab")) == ["a_b_c", "a_b"]
    for text in ("new york", 5, [["new", "york"]], ["new", None]):
        with pytest.raises(InputError, match=naming("`words`", "list of words")):
            phrases.join(text)  # type: ignore[arg-type]


@given(st.lists(st.lists(st.text(), min_size=2, max_size=4), max_size=4))
def test_any_words_survive(tmp_path_factory: pytest.TempPathFactory, rows: list[list[str]]) -> None:
    phrases = Phrases(Phrase(tuple(words), 1.5, 3, 1) for words in rows)
    path = tmp_path_factory.mktemp("phrases") / "phrases.tsv"
    phrases.save(path)
    assert hyperskip.read_phrases(path).rows == phrases.rows


def test_a_list_of_phrases_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "phrases.txt"
    path.write_bytes("\ufeffnew york\r\n\nbank of  america\t5\n".encode())
    assert hyperskip.read_phrases(path).rows == (
        Phrase(("bank", "of", "america"), 5.0, 0, 1),
        Phrase(("new", "york"), 0.0, 0, 1),
    )
    path.write_bytes(b"")
    assert hyperskip.read_phrases(path).rows == ()


@pytest.mark.parametrize(
    ("content", "line", "named"),
    [
        (b"york\n", 1, "two or more words"),
        (b"words\tscore\n\t1\n", 2, "two or more words"),
        (b"a b\t1\t1\t1\t1\n", 1, "words, score, count, pass"),
        (b"a b\tmany\n", 1, "'many'"),
        (b"a b\tnan\n", 1, "'nan'"),
        (b"a b\t1e999\n", 1, "'1e999'"),
        (b"a b\t1\t-1\n", 1, "'-1'"),
        (b"a b\t1\t" + b"9" * 30 + b"\n", 1, "the count"),
        (b"a b\t1\t1\t0\n", 1, "the pass"),
        (b"a b\t1\t1\t101\n", 1, "between 1 and 100"),
        (b"a b\nb\\q c\n", 2, r"\\q"),
        (b"a b\nb c\\\n", 2, "backslash"),
        (b"\xff b\n", 1, "UTF-8"),
        (b"x" * (1 << 24), 1, "too long"),
    ],
)
def test_malformed_files(tmp_path: Path, content: bytes, line: int, named: str) -> None:
    path = tmp_path / "phrases.tsv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=naming(path.name, f"line {line}")) as raised:
        hyperskip.read_phrases(path)
    assert named in str(raised.value)
    assert "Phrases.save" in str(raised.value)


@pytest.mark.parametrize(
    "value",
    [
        *(5, None, "new york", [1], ["new york"], [("new", "york")], [("new", "york", 1.0, 5)]),
        *([Phrase("new york", 1.0, 5, 1)], [Phrase(("york",), 1.0, 5, 1)]),  # type: ignore[arg-type]
        *([Phrase((1, 2), 1.0, 5, 1)], [Phrase(("a", "b"), "high", 5, 1)]),  # type: ignore[arg-type]
    ],
)
def test_what_is_not_a_list_of_phrases(value: Any) -> None:
    with pytest.raises(InputError, match=naming("`phrases`", "hyperskip.Phrase")) as raised:
        Phrases(value)
    shown = value[0] if isinstance(value, list) else value
    assert repr(shown) in str(raised.value)


def test_paths_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=naming("missing.tsv")):
        hyperskip.read_phrases(tmp_path / "missing.tsv")
    with pytest.raises(InputError):
        hyperskip.read_phrases(5)  # type: ignore[arg-type]
    with pytest.raises(OutputError):
        Phrases(ROWS).save(tmp_path / "missing" / "phrases.tsv")
