"""`hyperskip phrases`, and training with phrases: the table, the summary, and what is refused."""

import json
from pathlib import Path

import pytest
from program import Program

import hyperskip

LINES = ["in new york", "new york was big", "the new house", "york is old", "big old house"]


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(LINES * 5))
    return path


def test_table_and_summary(program: Program, tmp_path: Path, text: Path) -> None:
    output = tmp_path / "phrases.tsv"
    result = program("phrases", text, "-o", output, "--phrase-threshold", 0.4)
    assert result.code == 0, result.err
    assert "found 1 phrase\n" in result.err
    assert "1 phrase, 80 words" in result.err
    assert result.out.splitlines() == ["phrase\tscore\tcount", "new_york\t0.4222\t10"]
    assert list(hyperskip.read_phrases(output)) == ["new_york"]


def test_json(program: Program, tmp_path: Path, text: Path) -> None:
    output = tmp_path / "phrases.tsv"
    result = program("phrases", text, "-o", output, "--phrase-threshold", 0.4, "--json")
    assert json.loads(result.out) == {
        "file": str(output),
        "words": 80,
        "phrases": 1,
        "pruned": {"candidates": 0, "highest_count": 0},
    }


def test_no_phrases_are_explained(program: Program, tmp_path: Path, text: Path) -> None:
    result = program("phrases", text, "-o", tmp_path / "phrases.tsv")
    assert result.code == 0
    assert "hint: use a lower --phrase-threshold" in result.err
    assert len(hyperskip.read_phrases(tmp_path / "phrases.tsv")) == 0


def test_training_and_asking(program: Program, tmp_path: Path, text: Path) -> None:
    model, quick = tmp_path / "model", ["--epochs", 50, "--subsample", 0, "--min-count", 1]
    found = ["--phrases", "--phrase-threshold", 0.4]
    assert program("train", text, "-o", model, *found, *quick).code == 0
    asked = program("neighbors", model, "New York")
    assert asked.code == 0, asked.err
    assert asked.out == program("neighbors", model, "new_york").out
    assert "phrase-threshold\t0.4" in program("info", model).out

    phrases = tmp_path / "phrases.tsv"
    program("phrases", text, "-o", phrases, "--phrase-threshold", 0.4)
    result = program("encode", text, "-o", tmp_path / "kept", "--phrase-file", phrases)
    assert result.code == 0, result.err
    assert "new_york" in hyperskip.open_encoded(tmp_path / "kept").vocabulary.words


def test_what_is_refused(program: Program, tmp_path: Path, text: Path) -> None:
    output = tmp_path / "phrases.tsv"
    refused = program("phrases", text, "-o", output, "--phrase-threshold", 0)
    refused.check_refused("--phrase-threshold", "greater than 0", "--phrase-score default")
    program("phrases", tmp_path / "no.txt", "-o", output).check_refused("no.txt")
    program("phrases", text, "-o", text).check_refused("text.txt")
    train = ["train", text, "-o", tmp_path / "model"]
    program(*train, "--phrase-passes", 2).check_refused("--phrase-passes 2", "requires --phrases")
    both = program(*train, "--phrases", "--phrase-file", output)
    both.check_refused("--phrases and --phrase-file", "together")
    program(*train, "--phrase-file", output).check_refused("phrases.tsv")
    assert not output.exists()
    output.write_text("new york\n")
    program("train", text, "-o", output, "--phrase-file", output).check_refused("also the input")
    assert output.read_text() == "new york\n"
    program(*train, "--phrase-file", "").check_refused("--phrase-file", "path of a file")
    assert "Phrases.save" not in program("train", "--help").out
    assert text.read_text().startswith("in new york")


def test_ctrl_c_leaves_no_file(
    program: Program, tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hyperskip.text.phrases.reference.PlainCounter.count", interrupted)
    before = sorted(tmp_path.iterdir())
    result = program("phrases", text, "-o", tmp_path / "phrases.tsv")
    assert "nothing was saved" in result.err
    result = program("encode", text, "-o", tmp_path / "kept", "--phrases")
    assert "nothing was saved" in result.err
    assert sorted(tmp_path.iterdir()) == before
