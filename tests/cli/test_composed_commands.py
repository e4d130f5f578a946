"""Commands about words outside the vocabulary: notes on standard error, and --strict."""

import json
from pathlib import Path

import pytest
from program import Program
from subword_models import FLORET, WORDS, with_subwords

from hyperskip import load

COMMANDS = [
    ["neighbors", "doghouses"],
    ["analogy", "dog", "dogs", "doghouses"],
    ["distance", "dog", "cat", "doghouses"],
    ["similarity", "doghouses", "dog"],
]


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    with_subwords().save(path)
    return path


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_a_note_says_that_a_word_is_composed(
    program: Program, model: Path, arguments: list[str]
) -> None:
    name, *words = arguments
    result = program(name, model, *words)
    assert result.code == 0, result.err
    count = int(load(model).find(["doghouses"]).ngram_counts[0])
    assert result.err == (
        "note: 'doghouses' is not in the vocabulary; its vector is the mean of "
        f"{count} n-gram vectors\n"
    )
    assert result.out
    known = [word if word != "doghouses" else "cats" for word in words]
    assert program(name, model, *known).err == ""


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: arguments[0])
def test_strict_commands_refuse_the_word(
    program: Program, model: Path, arguments: list[str]
) -> None:
    name, *words = arguments
    refused = program(name, model, *words, "--strict")
    refused.check_refused(
        "'doghouses'", "'doghouse'", "compose it from n-grams: leave out --strict"
    )


def test_json_has_the_word_that_was_asked(program: Program, model: Path) -> None:
    result = program("neighbors", model, "doghouses", "DOG", "--json", "-n", 3)
    assert list(json.loads(result.out)) == ["doghouses", "dog"]
    assert result.err.count("note:") == 1


def test_words_that_cannot_be_composed_or_have_no_row(program: Program, model: Path) -> None:
    program("neighbors", model, "qqqq").check_refused("'qqqq'", "n-grams")
    for blank in ("", " "):
        result = program("neighbors", model, blank)
        result.check_refused(repr(blank), "empty or blank")
        assert "n-gram" not in result.err
    program("generality", model, "doghouses").check_refused("'doghouses'", "one of its neighbors")
    plot = program("plot", model, "-o", model.with_suffix(".html"), "--word", "doghouses")
    plot.check_refused("'doghouses'", "one of its neighbors")


def test_the_note_shows_long_and_odd_words_safely(program: Program, model: Path) -> None:
    result = program("neighbors", model, "dog\x1b[31m" + "house" * 300)
    assert result.code == 0, result.err
    assert "\x1b" not in result.err
    assert len(result.err) < 300


def test_scores_with_composed_words(program: Program, model: Path, tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.txt"
    pairs.write_text(
        "".join(f"{word} doghouses {i}\n{word} cat {i}\n" for i, word in enumerate(WORDS))
    )
    result = program("evaluate", model, "--similarity", pairs)
    assert result.code == 0, result.err
    assert "composed" in result.out
    found = json.loads(program("evaluate", model, "--similarity", pairs, "--json").out)
    sets = found["similarity"]["product"]["sets"]
    assert [(score["found"], score["composed"]) for score in sets.values()] == [(20, 10)]
    strict = program("evaluate", model, "--similarity", pairs, "--json", "--strict")
    sets = json.loads(strict.out)["similarity"]["product"]["sets"]
    assert [(score["found"], "composed" in score) for score in sets.values()] == [(10, False)]


def test_info_shows_the_ngrams(program: Program, model: Path, tmp_path: Path) -> None:
    facts = json.loads(program("info", model, "--json").out)
    table = load(model).subwords
    assert table is not None
    assert facts["ngrams"] == "3 to 5 characters"
    assert facts["ngram_hash"] == "fastText"
    assert facts["ngram_vectors"] == len(table)
    assert facts["ngram_bytes"] == len(table) * (6 * 4 + 8)
    assert "ngram vectors" in program("info", model).out
    with_subwords(scheme=FLORET).save(tmp_path / "floret")
    facts = json.loads(program("info", tmp_path / "floret", "--json").out)
    assert facts["ngram_hash"] == "floret, 2 for each n-gram"
