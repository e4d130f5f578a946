"""Pairs that sentences state, from every kind of text."""

import lzma
from pathlib import Path

import pandas as pd
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperskip
from hyperskip.errors import CorpusError, CorpusWarning, HyperskipError, OptionError
from hyperskip.text.pieces import Sizes
from hyperskip.text.relations.extracting import extracted
from hyperskip.text.relations.options import RelationOptions
from hyperskip.text.relations.pattern_file import read_language
from hyperskip.text.relations.relation_events import ExtractionSummary, PrunedPairs

LANGUAGE = read_language(None)


def pairs(*documents: str) -> set[tuple[str, str]]:
    found = hyperskip.extract_relations(list(documents))
    return {(narrower, broader) for narrower, broader, *_ in found}


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Animals such as dogs and cats bark.", "dog animal, cat animal"),
        ("Large carnivorous animals, such as lions and grizzly bears.", "lion animal, bear animal"),
        ("He likes such fruits as apples or pears.", "apple fruit, pear fruit"),
        ("Pets (including hamsters, mice, and dogs) eat.", "hamster pet, mouse pet, dog pet"),
        ("Metals, especially iron and zinc.", "iron metal, zinc metal"),
        ("Some tools (e.g. hammers) are heavy.", "hammer tool"),
        ("Bring tools, for example, hammers.", "hammer tool"),
        ("Cats, dogs, and other pets sleep.", "cat pet, dog pet"),
        ("Violins or other instruments.", "violin instrument"),
        ("A piano (from Italian) is a kind of musical instrument.", "piano instrument"),
        ("Oak and beech are kinds of trees.", "oak tree, beech tree"),
        ("The guitar is an instrument.", "guitar instrument"),
        ("Roses are flowers.", "rose flower"),
        ("Lisbon (Portuguese: Lisboa) is the capital of Portugal.", "lisbon capital"),
        # The plural before a preposition, not the nearest noun.
        ("Institutions of higher education such as colleges.", "college institution"),
        ("Kinds of birds such as owls.", "owl bird"),
        # Verbs, participles and plurals end a phrase.
        ("Diseases such as malaria caused by parasites.", "malaria disease"),
        ("Birds such as owls hunt mice.", "owl bird"),
        # Singulars.
        ("Animals such as wolves, geese and butterflies.", "wolf animal, goose animal, "
         "butterfly animal"),
        ("Vehicles such as buses.", "bus vehicle"),
        ("Pathogens such as viruses.", "virus pathogen"),
        # No terms.
        ("Things such as these.", ""),
        ("In such cases, as before, nothing is a part.", ""),
        ("It is a dog.", ""),
    ],
)  # fmt: skip
def test_sentences(sentence: str, expected: str) -> None:
    assert pairs(sentence) == {tuple(pair.split()) for pair in expected.split(", ") if pair}


def test_names_stay_as_they_are() -> None:
    found = pairs("Countries such as the United States, the Republic of Ireland and Spain.")
    assert found == {
        ("united states", "country"),
        ("republic of ireland", "country"),
        ("spain", "country"),
    }


def test_a_phrase_is_a_term_if_it_occurs_again() -> None:
    sentence = "Musical instruments such as pianos."
    assert pairs(sentence) == {("piano", "instrument")}
    assert pairs(sentence, sentence) == {("piano", "instrument"), ("piano", "musical instrument")}


def test_definitions_are_in_first_sentences_only() -> None:
    assert pairs("The night is cold. The guitar is an instrument.") == set()
    documents = ["The guitar is an instrument. The lute is an object.", "A lute is a toy."]
    assert pairs(*documents) == {("guitar", "instrument"), ("lute", "toy")}


def test_counts_and_patterns() -> None:
    relations = hyperskip.extract_relations(
        ["Animals such as dogs.", "Animals such as cats, and dogs.", "Dogs and other animals."]
    )
    assert [tuple(pair) for pair in relations] == [
        ("dog", "animal", 3, ("such-as", "and-other")),
        ("cat", "animal", 1, ("such-as",)),
    ]
    frequent = hyperskip.extract_relations(["Pets such as cats.", "Pets such as cats and dogs."],
                                           min_count=2)  # fmt: skip
    assert [pair.narrower for pair in frequent] == ["cat"]


def test_every_kind_of_text(tmp_path: Path) -> None:
    text = "Animals such as dogs and cats."
    expected = {("dog", "animal"), ("cat", "animal")}
    (tmp_path / "text.txt").write_text(text)
    (tmp_path / "text.txt.xz").write_bytes(lzma.compress(text.encode()))
    (tmp_path / "table.csv").write_text(f"id;body\n1;{text}\n")
    (tmp_path / "lines.jsonl").write_text(f'{{"body": "{text}"}}\n')
    frame = pd.DataFrame({"body": [text]})
    corpora: list[tuple[object, dict[str, str]]] = [
        (tmp_path / "text.txt", {}),
        (tmp_path / "text.txt.xz", {}),
        (tmp_path / "table.csv", {"column": "body", "delimiter": ";"}),
        (tmp_path / "lines.jsonl", {"column": "body"}),
        (frame, {"column": "body"}),
        ([{"body": text}], {"column": "body"}),
        (iter([text]), {}),
        ([text.replace(".", "").split()], {}),
    ]
    for corpus, options in corpora:
        found = hyperskip.extract_relations(corpus, **options)  # type: ignore[arg-type]
        assert {(pair.narrower, pair.broader) for pair in found} == expected


def test_errors(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=naming("missing.txt")):
        hyperskip.extract_relations(tmp_path / "missing.txt")
    with pytest.raises(CorpusError, match="no words"):
        hyperskip.extract_relations(["", " "])
    with pytest.raises(OptionError, match=naming("pair_limit", 1000, 5)):
        hyperskip.extract_relations(["text"], pair_limit=5)
    with pytest.raises(OptionError, match=naming("nothing.txt")):
        hyperskip.extract_relations(["text"], patterns=tmp_path / "nothing.txt")


def test_text_without_punctuation_is_reported() -> None:
    with pytest.warns(CorpusWarning, match=naming("punctuation")):
        hyperskip.extract_relations(["the cat sat on the mat " * 2000])


def test_rare_pairs_are_pruned_independently_of_threads(tmp_path: Path) -> None:
    documents = [f"Kings such as {name}." for name in _names(3000)]
    documents += ["Animals such as dogs and cats."] * 3
    text = tmp_path / "text.txt"
    text.write_text("\n".join(documents))
    results = []
    for threads in (1, 3):
        events: list[object] = []
        relations = extracted(
            text,
            LANGUAGE,
            RelationOptions(pair_limit=1000),
            events.append,
            threads=threads,
            sizes=Sizes(piece_bytes=4000, small_bytes=1000),
        )
        pruned = [event for event in events if isinstance(event, PrunedPairs)]
        summary = events[-1]
        assert isinstance(summary, ExtractionSummary)
        assert pruned
        assert pruned[-1] == summary.pruned
        assert summary.pruned.pairs >= 2000
        assert summary.pairs == summary.pruned.occurrences + relations.counts.sum()
        results.append(list(relations))
    assert results[0] == results[1]
    assert results[0][0][:3] == ("cat", "animal", 3)


def test_a_worker_that_dies_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperskip.text.worker_process.sys.executable", "/bin/false")
    text = tmp_path / "text.txt"
    text.write_text("Animals such as dogs.\n" * 1000)
    with pytest.raises(HyperskipError, match=naming("worker")):
        extracted(
            text, LANGUAGE, RelationOptions(), threads=2,
            sizes=Sizes(piece_bytes=1000, small_bytes=500),
        )  # fmt: skip


def _names(count: int) -> list[str]:
    letters = "abcdefghijklmnopqrst"
    return [
        "X" + letters[number // 400 % 20] + letters[number // 20 % 20] + letters[number % 20]
        for number in range(count)
    ]


WORDS = st.sampled_from(
    "animals such as dogs , and other ( ) : . is a kind of including the in USA e.g. ' – ß é 3 "
    "like which for example are were Republic of Ireland É".split(" ")
)


@given(st.lists(st.lists(st.one_of(WORDS, st.text(max_size=4)), max_size=20), min_size=1))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_terms(documents: list[list[str]]) -> None:
    texts = ["start", *(" ".join(words) for words in documents)]
    once = extracted(texts, LANGUAGE, RelationOptions(), threads=1)
    again = extracted(texts, LANGUAGE, RelationOptions(), threads=2)
    assert list(once) == list(again)
    for narrower, broader, count, names in once:
        assert narrower != broader
        assert count >= 1
        assert names
        for term in (narrower, broader):
            assert term == " ".join(term.split()) == term.lower()
            assert term
