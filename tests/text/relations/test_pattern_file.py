"""Pattern files: another language, and errors that name the line."""

from pathlib import Path

import pytest
from facts import naming

import hyperskip
from hyperskip.errors import OptionError
from hyperskip.text.relations.pattern_file import parsed_language, read_language
from hyperskip.text.relations.word_classes import Singulars

GERMAN = """
[settings]
capitals: nouns
[patterns]
wie: BROADER wie NARROWERS
und-andere: NARROWERS und|oder andere BROADER
ist-ein: FIRST NARROWER ist ein|eine|der|die|das BROADER
[conjunctions]
und oder
[determiners]
der die das ein eine
[prepositions]
von in aus mit für
[stop words]
ist sind wie schlafen
[singular]
-en -e
hunde hund
tiere tier
"""


def test_german(tmp_path: Path) -> None:
    path = tmp_path / "german.txt"
    path.write_text(GERMAN, encoding="utf-8")
    relations = hyperskip.extract_relations(
        ["Große Tiere wie Hunde und Katzen schlafen.", "Die Geige ist ein altes Instrument.",
         "Äpfel oder andere Früchte", "Er ist wie verwandelt."],
        patterns=path,
    )  # fmt: skip
    assert {pair[:2] for pair in relations} == {
        ("hund", "tier"),
        ("katze", "tier"),
        ("geige", "instrument"),
        ("äpfel", "früchte"),
    }


def test_a_file_with_patterns_only() -> None:
    language = parsed_language("[patterns]\nlike: BROADERS like NARROWERS\n", "mine.txt")
    assert language.pattern_names == ("like",)
    assert Singulars(language)["dogs"] == "dogs"
    assert Singulars(language).is_plural("dogs")  # nobody knows


@pytest.mark.parametrize(
    ("plural", "singular"),
    [
        *(("cats", "cat"), ("ladies", "lady"), ("pies", "pie"), ("movies", "movie")),
        *(("boxes", "box"), ("churches", "church"), ("classes", "class"), ("houses", "house")),
        *(("heroes", "hero"), ("shoes", "shoe"), ("women", "woman"), ("firemen", "fireman")),
        *(("algae", "alga"), ("analyses", "analysis"), ("knives", "knife"), ("olives", "olive")),
        *(("people", "person"), ("cacti", "cactus"), ("circuses", "circus"), ("uses", "use")),
        *((word, word) for word in ("bus", "gas", "glass", "species", "physics", "specimen")),
        *((word, word) for word in ("cat", "iris", "virus", "as")),
    ],
)
def test_english_singulars(plural: str, singular: str) -> None:
    assert Singulars(read_language(None))[plural] == singular


@pytest.mark.parametrize(
    ("text", "line", "fact"),
    [
        ("such: BROADER such as NARROWERS", 1, "section"),
        ("[nonsense]", 1, "nonsense"),
        ("[patterns]\n\nsuch-as BROADER such as NARROWERS", 3, "colon"),
        ("[patterns]\na: BROADER such as", 2, "NARROWER"),
        ("[patterns]\na: BROADER NARROWER", 2, "word"),
        ("[patterns]\na: BROADER such as NARROWER BROADER", 2, "NARROWER"),
        ("[patterns]\na: BROADER such as NARROWER too", 2, "end"),
        ("[patterns]\na: BROADER [such as NARROWER", 2, "word|word"),
        ("[patterns]\na: BROADER x|NARROWER y", 2, "capitals"),
        ("[patterns]\na: NARROWER is FIRST BROADER", 2, "FIRST"),
        ("[patterns]\na: FIRST BROADER is NARROWER", 2, "FIRST"),
        ("[patterns]\na: NARROWER is KIND of BROADER", 1, "kinds"),
        ("[patterns]\na: NARROWER " + "a|b|c|d|e|f|g|h|i|j " * 5 + "BROADER", 2, "alternatives"),
        ("[patterns]\na: NARROWER " + "is " * 1000 + "BROADER", 2, "words"),
        ("[patterns]\na: NARROWER is BROADER\n[settings]\ncapitals: no", 4, "capitals"),
        ("[patterns]\na: NARROWER is BROADER\n[singular]\n-ies y", 4, "-ies"),
        ("[patterns]\na: NARROWER is BROADER\n[singular]\nmice", 4, "mice"),
        ("", 1, "patterns"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, text: str, line: int, fact: str) -> None:
    path = tmp_path / "patterns.txt"
    path.write_text(text)
    with pytest.raises(OptionError, match=naming(path.name, f"line {line}", fact)) as raised:
        read_language(path)
    assert raised.value.hint


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "patterns.txt"
    path.write_bytes(b"[patterns]\n\xff\n")
    with pytest.raises(OptionError, match=naming("line 2", "UTF-8")):
        read_language(path)
    path.write_bytes(b"#" * ((1 << 22) + 1))
    with pytest.raises(OptionError, match=naming("bytes")):
        read_language(path)
    with pytest.raises(OptionError, match=naming(tmp_path.name)):
        read_language(tmp_path)
