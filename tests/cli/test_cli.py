"""The commands: their output, errors and exit codes."""

import errno
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from interpreted_kernels import need_triton
from program import Program

from hyperskip import WordVectors, builtin, devices, encode, load, open_encoded
from hyperskip.builtin import BUILTIN
from hyperskip.cli.main import app
from hyperskip.evaluation.datasets import analogy_questions
from hyperskip.options import declarations
from hyperskip.text.options import TextOptions
from hyperskip.training.options import TrainingOptions

QUICK = ["--dimension", "5", "--epochs", "1", "--threads", "1"]


def test_train_writes_a_model_and_keeps_stdout_clean(
    program: Program, corpus: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model.safetensors"
    result = program("train", corpus, "-o", model, *QUICK)
    assert result.code == 0, result.err
    assert result.out == ""
    assert "epoch 1" in result.err
    assert load(model).dimension == 5


def test_train_accepts_an_encoded_corpus(program: Program, corpus: Path, tmp_path: Path) -> None:
    folder, model = tmp_path / "kept", tmp_path / "model.safetensors"
    result = program("encode", corpus, "-o", folder, "--min-count", "3", "--json")
    assert result.code == 0, result.err
    summary = json.loads(result.out)
    assert summary["words"] > 100
    assert summary["pruned"] == {"words": 0, "tokens": 0, "highest_count": 0}
    assert re.search(naming(f"{summary['tokens']:,}", folder), result.err)
    assert program("encode", corpus, "-o", folder).code == 2
    assert program("encode", corpus, "-o", folder, "--min-count", "3", "--force").code == 0
    assert program("train", folder, "-o", model, *QUICK).code == 0
    assert load(model).options["min_count"] == 3
    assert len(load(model)) == summary["words"]


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["train", "kept", "-o", "m", "--min-count", "9"], ["--min-count", 9, 5]),
        (["train", "kept", "-o", "kept/tokens.i32"], ["kept/tokens.i32"]),
        (["train", "kept", "-o", "kept/model"], ["kept/model"]),
        (["train", "text", "-o", "kept/model"], ["kept/model"]),
        (["train", "kept", "text", "-o", "m"], ["kept"]),
        (["train", "kept", "kept", "-o", "m"], ["kept"]),
        (["train", "damaged", "-o", "m"], ["damaged", "words.utf8"]),
        (["encode", "text", "-o", "kept"], ["kept", "--force"]),
        (["encode", "text", "-o", "kept/sub"], ["kept/sub"]),
        (["demo", "-o", "kept"], ["kept"]),
        (["demo", "-o", "kept/new/demo"], ["kept/new/demo"]),
        (["encode", "text", "-o", "text"], ["text"]),
        (["encode", "text", "-o", "new", "--min-count", "0"], ["min-count", 0, 1]),
        (["encode", "text", "-o", "new", "--min-count", "99999"], [99999, 0, "--min-count"]),
        (["encode", "text", "-o", "new", "--vocabulary-limit", "9"], ["vocabulary-limit", 9]),
        (["encode", "none", "-o", "new"], ["none"]),
        (["encode", "-", "-", "-o", "new"], ["standard input"]),
    ],
)
def test_invalid_uses_of_encoded_corpora(
    program: Program,
    corpus: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    facts: list[object],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").write_bytes(corpus.read_bytes())
    for name in ("kept", "damaged"):
        encode(tmp_path / "text", tmp_path / name)
    (tmp_path / "damaged" / "words.utf8").write_bytes(b"")
    program(*arguments).check_refused(*facts)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["damaged", "kept", "text"]
    assert len(list((tmp_path / "kept").iterdir())) == 6


@pytest.mark.parametrize(
    "arguments",
    [
        ["plot", "MODEL", "-o", "kept/map.png"],
        ["export", "MODEL", "kept/vectors.txt"],
        ["export", "MODEL", "kept"],
        ["export", "MODEL", "kept/projector", "--format", "projector"],
        ["import", "vectors.txt", "kept/model"],
    ],
)
def test_nothing_is_written_into_an_encoded_corpus(
    program: Program,
    corpus: Path,
    model_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "vectors.txt").write_text("a 1 2\nb 3 4\n")
    encode(corpus, tmp_path / "kept")
    before = sorted((tmp_path / "kept").iterdir())
    result = program(*(model_file if part == "MODEL" else part for part in arguments))
    result.check_refused(tmp_path / "kept")
    assert sorted((tmp_path / "kept").iterdir()) == before


def test_dropped_words_are_reported(program: Program, tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("common words\n" * 10 + " ".join(f"w{i}" for i in range(2000)))
    result = program(
        "encode", text, "-o", tmp_path / "kept", "--vocabulary-limit", "1000", "--json"
    )
    assert result.code == 0, result.err
    assert re.search(naming("--vocabulary-limit", "1,501"), result.err)
    assert json.loads(result.out)["pruned"]["words"] == 1501


def test_every_option_of_train_reaches_training(
    program: Program, corpus: Path, tmp_path: Path
) -> None:
    values: dict[str, Any] = {
        "geometry": "hyperboloid", "schedule": "pairwise", "dimension": 3, "window": 2,
        "shrink_window": True, "negatives": 3, "power": 0.7, "subsample": 0.01, "epochs": 1,
        "rate": 0.03, "end_rate": 0.01, "burn_in_epochs": 1, "burn_in_rate": 0.02, "theta": 2.5,
        "learn_theta": True, "max_step": 0.5, "tied": False, "initial_deviation": 0.02,
        "locking": True, "threads": 1, "seed": 7, "tokenizer": "whitespace", "min_count": 3,
        "encoding_errors": "replace", "column": None, "vocabulary_limit": 5000,
        "shared_negatives": None, "freeze": True, "deterministic": None, "device": "cpu",
        "factors": 1, "curvature": 0.3, "layer": "centers", "lowercase": True, "numbers": None,
        "apostrophes": None, "hyphens": None, "normalize": "nfc", "distance_decay": None,
        "rate_power": None, "phrases": True, "phrase_score": "npmi", "phrase_threshold": 0.9,
        "phrase_min_count": 20, "phrase_connectors": "english", "phrase_passes": 2,
        "phrase_limit": 5000,
    }  # fmt: skip
    declared = {*declarations(TrainingOptions), *declarations(TextOptions)}
    assert {*values, "delimiter", "phrase_file"} == declared  # which have tests of their own
    arguments: list[str] = []
    for name, value in values.items():
        flag = "--untied" if name == "tied" else "--" + name.replace("_", "-")
        if isinstance(value, bool):
            arguments.append(flag)
        elif value is not None:
            arguments += [flag, str(value)]
    model, first = tmp_path / "model.safetensors", tmp_path / "first.safetensors"
    vectors = WordVectors(["the", "zebrafish"], np.ones((2, 3), dtype=np.float32))
    vectors.save(first)
    result = program("train", corpus, "-o", model, "--init", first, *arguments, "--json")
    assert result.code == 0, result.err
    trained = load(model)
    left_out = ("numbers", "apostrophes", "hyphens")  # whitespace does not have them
    stored = {name: value for name, value in values.items() if name not in left_out}
    assert dict(trained.options) == stored | {"deterministic": False}
    assert len(json.loads(result.out)["history"]) == 2
    assert "zebrafish" in trained
    np.testing.assert_array_equal(trained["the"], vectors["the"])
    window = ["--shared-negatives", "7", "--deterministic", *QUICK]
    assert program("train", corpus, "-o", model, *window).code == 0
    assert load(model).options["shared_negatives"] == 7
    assert load(model).options["deterministic"] is True
    kept = dict.fromkeys(left_out, "keep")
    words = [argument for name in kept for argument in (f"--{name}", "keep")]
    assert program("train", corpus, "-o", model, "--keep-case", *words, *QUICK).code == 0
    assert kept | {"lowercase": False} == {
        name: load(model).options[name] for name in ("lowercase", *kept)
    }


@pytest.mark.parametrize("delimiter", ["tab", r"\t", "\t", "|"])
def test_a_delimiter_on_the_command_line(program: Program, tmp_path: Path, delimiter: str) -> None:
    character = "|" if delimiter == "|" else "\t"
    table = tmp_path / "table.csv"
    table.write_text(f"id{character}text\n" + f"1{character}some words\n" * 5)
    arguments = ["--column", "text", "--delimiter", delimiter]
    result = program("encode", table, "-o", tmp_path / "kept", *arguments, "--json")
    assert result.code == 0, result.err
    assert json.loads(result.out)["tokens"] == 10
    assert open_encoded(tmp_path / "kept").options.delimiter == character


def test_files_with_columns_ask_for_one(program: Program, tmp_path: Path) -> None:
    records = tmp_path / "records.jsonl"
    records.write_text('{"id": 1, "text": "some words"}\n' * 10)
    result = program("train", records, "-o", tmp_path / "model")
    result.check_refused(records, "line 1", "--column", "'id', 'text'")
    result = program("encode", records, "-o", tmp_path / "kept", "--column", "text")
    assert result.code == 0, result.err
    table = tmp_path / "table.csv"
    table.write_text("id|text\n1|some words\n")
    result = program("encode", table, "-o", tmp_path / "other", "--column", "text")
    result.check_refused(table, "--delimiter", "'id|text'")
    result = program("encode", table, "-o", tmp_path / "other", "--delimiter", "||")
    result.check_refused("--delimiter", "one character", "'||'")


def test_options_override_a_preset(program: Program, corpus: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    arguments = ["--preset", "paper", "--subsample", "0.001", "--min-count", "2", *QUICK]
    assert program("train", corpus, "-o", model, *arguments).code == 0
    options = load(model).options
    assert (options["window"], options["negatives"]) == (10, 10)
    assert (options["subsample"], options["epochs"]) == (0.001, 1)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["--dimension", "0"], ["dimension", 0, 1]),
        (["--rate", "100"], ["rate", 100.0]),
        (["--rate", "nan"], ["rate", "nan"]),
        (["--negatives", "0"], ["negatives", 0, 1]),
        (["--threads", "-1"], ["threads", -1, 0]),
        (["--preset", "papr"], ["preset", "papr", "paper"]),
        (["--geometry", "flat"], ["geometry", "flat", "hyperboloid", "euclidean"]),
        (["--min-count", "1000000"], [1000000, 0, "--min-count"]),
        (["--column", "text"], ["corpus.txt", "'text'", "--column"]),
    ],
)
def test_bad_options_exit_with_2_and_write_nothing(
    program: Program, corpus: Path, tmp_path: Path, arguments: list[str], facts: list[object]
) -> None:
    result = program("train", corpus, "-o", tmp_path / "model", *QUICK, *arguments)
    result.check_refused(*facts)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"", ["--tokenizer whitespace"]),
        (b"\x7fELF\x00\x01\xff\xfe", ["corpus.txt", "UTF-8"]),
        (None, ["corpus.txt"]),
        (b"one two three", [5, 0, 3, "--min-count"]),
        (b"1 2 3\n4 5 6", ["--tokenizer whitespace", "item_1"]),
        ("今天天气很好我们一起去公园散步吧".encode(), ["--tokenizer icu"]),
    ],
)
def test_bad_corpora_exit_with_2(
    program: Program, tmp_path: Path, content: bytes | None, facts: list[object]
) -> None:
    path = tmp_path / "corpus.txt"
    if content is not None:
        path.write_bytes(content)
    program("train", path, "-o", tmp_path / "model").check_refused(*facts)
    assert not (tmp_path / "model").exists()


def test_the_output_is_checked_before_training(
    program: Program, corpus: Path, tmp_path: Path
) -> None:
    result = program("train", corpus, "-o", tmp_path / "none" / "model", *QUICK)
    result.check_refused(tmp_path / "none")
    assert "epoch" not in result.err


def test_standard_input(corpus: Path, tmp_path: Path) -> None:
    model = tmp_path / "model.safetensors"
    command = [sys.executable, "-m", "hyperskip", "train", "-", "-o", str(model), *QUICK]
    with corpus.open("rb") as text:
        done = subprocess.run(command, stdin=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(load(model)) > 100


@pytest.mark.parametrize(
    ("stop", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["Ctrl-C", "SIGTERM"]
)
def test_stopping_leaves_nothing_behind(
    corpus: Path, tmp_path: Path, stop: signal.Signals, code: int
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    command = [sys.executable, "-m", "hyperskip", "train", corpus, "-o", tmp_path / "model"]
    running = subprocess.Popen(
        [*map(str, command), *"--epochs 100000 --subsample 0 --checkpoint-minutes 0".split()],
        env=os.environ | {"TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert running.stderr is not None
    for line in running.stderr:
        if line.startswith("epoch 1 "):
            break
    time.sleep(0.2)
    running.send_signal(stop)
    _, err = running.communicate(timeout=60)
    assert running.returncode == code, err
    assert "Traceback" not in err
    assert [path.name for path in tmp_path.iterdir()] == ["tmp"]
    assert not list(temporary.iterdir())


def test_neighbors(program: Program, model_file: Path) -> None:
    result = program("neighbors", model_file, "dog", "paris", "--count", 3, "--json")
    found = json.loads(result.out)
    assert list(found) == ["dog", "paris"]
    assert [set(entry) for entry in found["dog"]] == [{"word", "distance", "similarity"}] * 3
    plain = program("neighbors", model_file, "dog", "-n", 3)
    assert [line.split("\t")[0] for line in plain.out.splitlines()[1:]] == [
        entry["word"] for entry in found["dog"]
    ]


def test_unknown_words_suggest_close_ones(program: Program, model_file: Path) -> None:
    result = program("neighbors", model_file, "elefant")
    result.check_refused("elefant", "elephant")
    assert result.out == ""


def test_analogy(program: Program, model_file: Path) -> None:
    result = program("analogy", model_file, "france", "paris", "italy", "--json")
    answer = json.loads(result.out)
    assert answer["answers"][0]["word"] == "rome"
    other = program("analogy", model_file, "france", "paris", "italy", "--route", "Z'", "--json")
    assert json.loads(other.out)["answers"] != answer["answers"]
    assert program("analogy", model_file, "france", "paris", "italy", "--route", "Y").code == 2
    assert "rome" in program("analogy", model_file, "france", "paris", "italy").out


def test_info(program: Program, model_file: Path) -> None:
    facts = json.loads(program("info", model_file, "--json").out)
    assert facts["geometry"] == "hyperboloid"
    assert facts["options"]["dimension"] == facts["dimension"] == 20
    assert len(facts["history"]) == 4
    lines = program("info", model_file).out.splitlines()
    assert any(line.startswith("  epoch 4\t") for line in lines)
    assert "Training\t" in lines
    assert "  tied\tyes" in lines
    assert f"  rate\t{facts['options']['rate']:g}" in lines
    shown = [line.split("\t")[0].strip().replace("-", "_") for line in lines]
    applies = [name for name, value in facts["options"].items() if value is not None]
    assert set(applies) <= set(shown)


def test_evaluate_json_has_the_documented_shape(program: Program, model_file: Path) -> None:
    sets = [f"--{kind}=builtin" for kind in ("similarity", "analogies", "hypernymy")]
    scores = json.loads(program("evaluate", model_file, *sets, "--json").out)
    assert set(scores["similarity"]) == {"product", "angle"}
    similarity = scores["similarity"]["product"]
    assert set(similarity["sets"]["builtin"]) == {"spearman", "found", "pairs"}
    assert similarity["average"] > 0.5
    assert set(scores["analogy"]) == {"product"}
    analogy = scores["analogy"]["product"]
    assert set(analogy) == {"Z", "Z'"}
    assert 0 <= analogy["Z'"]["accuracy"] < analogy["Z"]["accuracy"] <= 1
    assert "gender" in analogy["Z"]["sections"]
    hypernymy = scores["hypernymy"]["builtin"]
    assert set(hypernymy) == {
        *("figure", "main", "agreement", "chance", "found", "pairs", "replaced", "all_pairs"),
    }
    assert next(iter(hypernymy["agreement"])) == hypernymy["main"] == "angle-radius"
    assert scores["hypernymy"]["builtin, direction"]["figure"] == "direction accuracy"
    assert hypernymy["agreement"]["angle-radius"] > hypernymy["chance"]
    plain = program("evaluate", model_file, "--analogies", "builtin", "--sections")
    assert "gender" in plain.out
    assert "similarity" not in plain.out


def test_evaluate_names_the_measures(
    program: Program, model_file: Path, trained: WordVectors, tmp_path: Path
) -> None:
    sets = [f"--{kind}=builtin" for kind in ("similarity", "analogies")]
    plain = program("evaluate", model_file, *sets).out
    assert "Spearman by product\tSpearman by angle" in plain
    assert "analogy Z by product" in plain
    assert "analogy Z by angle" not in plain
    chosen = program("evaluate", model_file, *sets, "--measure", "distance").out
    assert "Spearman by product\tSpearman by distance" in chosen
    assert "analogy Z' by product" in chosen
    assert "analogy Z' by distance" in chosen
    flat = tmp_path / "flat.safetensors"
    WordVectors(trained.words, trained.coordinates, geometry="euclidean").save(flat)
    plain = program("evaluate", flat, *sets).out
    assert "similarity\tSpearman by product\tfound" in plain
    assert "analogy b - a + c by product" in plain


@pytest.mark.parametrize(
    "command",
    ["neighbors MODEL dog", "analogy MODEL a b c", "similarity MODEL a b", "evaluate MODEL"],
)
def test_unknown_measures_are_refused(program: Program, model_file: Path, command: str) -> None:
    arguments = [model_file if part == "MODEL" else part for part in command.split()]
    result = program(*arguments, "--measure", "cosine")
    result.check_refused("measure", "cosine", "product", "distance", "angle")


def test_neighbors_and_analogies_by_a_measure(
    program: Program, model_file: Path, trained: WordVectors
) -> None:
    by_angle = program("neighbors", model_file, "dog", "--measure", "angle", "--json")
    expected = trained.measured_by("angle").neighbors("dog")
    assert json.loads(by_angle.out)["dog"] == [found._asdict() for found in expected]
    shown = program("neighbors", model_file, "dog", "--measure", "angle")
    assert shown.out.startswith("dog\tdistance\tsimilarity (angle)")
    question = ["analogy", model_file, "france", "paris", "italy", "--measure", "angle", "--json"]
    answer = json.loads(program(*question).out)
    assert answer["measure"] == "angle"
    expected = trained.measured_by("angle").analogy("france", "paris", "italy")
    assert answer["answers"] == [found._asdict() for found in expected]


@pytest.mark.filterwarnings("always::hyperskip.errors.DatasetWarning")
def test_evaluate_hypernymy(program: Program, model_file: Path, tmp_path: Path) -> None:
    (tmp_path / "hyperlex-all.txt").write_text(
        "WORD1 WORD2 POS TYPE AVG_SCORE\ndog animal N hyp-1 5.9\nanimal dog N r-hyp-1 1.5\n"
        "dog piano N no-rel 0.3\nrun move V hyp-1 5.1\n"
    )
    mine = tmp_path / "mine.csv"
    mine.write_text("salmons,fish,hyper\nfish,salmons,hypo\nDog,piano,random\n")
    sets = ["--hypernymy", "hyperlex", "--hypernymy", mine]
    result = program("evaluate", model_file, "--data", tmp_path, *sets)
    assert "only 3 of 4 pairs of hyperlex" in result.err
    header, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert header[:4] == ["hypernymy", "figure", "angle-radius (main)", "frequency"]
    assert header[-4:] == ["chance", "found", "pairs", "other forms"]
    assert [row[:2] for row in rows] == [
        ["hyperlex", "Spearman"],
        ["hyperlex, all pairs", "Spearman"],
        ["hyperlex, nouns", "Spearman"],
        ["hyperlex, verbs", "Spearman"],
        [str(mine), "average precision"],
        [f"{mine}, direction", "direction accuracy"],
    ]
    coverage = {row[0]: row[-3:] for row in rows}
    assert coverage["hyperlex"] == ["3", "4", "0"]
    assert coverage["hyperlex, nouns"] == ["3", "3", "0"]
    assert coverage["hyperlex, verbs"] == ["0", "1", "0"]
    assert coverage[f"{mine}, direction"] == ["2", "2", "1"]  # hypo is a true pair, reversed
    assert program("evaluate", model_file, "--hypernymy", "hyperlex").code == 2


def test_distance(program: Program, model_file: Path, trained: WordVectors) -> None:
    shown = program("distance", model_file, "Dog", "cat", "piano").out.splitlines()
    expected = {word: trained.distance("dog", word) for word in ("cat", "piano")}
    assert shown == ["dog\tdistance", *(f"{word}\t{d:.4f}" for word, d in expected.items())]
    result = program("distance", model_file, "dog", "cat", "piano", "--json")
    assert json.loads(result.out) == {"word": "dog", "distances": expected}
    program("distance", model_file, "dog", "elefant").check_refused("elefant", "elephant")
    assert program("distance", model_file, "dog").code == 2


def test_similarity(program: Program, model_file: Path, trained: WordVectors) -> None:
    shown = program("similarity", model_file, "dog", "CAT").out.splitlines()
    assert shown == ["dog\tsimilarity (product)", f"cat\t{trained.similarity('dog', 'cat'):.4f}"]
    result = program("similarity", model_file, "dog", "cat", "--measure", "angle", "--json")
    expected = trained.measured_by("angle").similarity("dog", "cat")
    assert json.loads(result.out) == {
        "word": "dog",
        "measure": "angle",
        "similarities": {"cat": expected},
    }
    program("similarity", model_file, "dog", "elefant").check_refused("elefant", "elephant")


def test_words_in_any_case(program: Program, model_file: Path) -> None:
    for command, *words in (
        ("neighbors", "Dog", "CAT"),
        ("analogy", "France", "PARIS", "Italy"),
        ("generality", "Dog", "Animal"),
    ):
        lower = [word.lower() for word in words]
        for options in ([], ["--json"]):
            expected = program(command, model_file, *lower, *options)
            assert expected.code == 0
            assert program(command, model_file, *words, *options).out == expected.out


def test_generality(program: Program, model_file: Path, trained: WordVectors) -> None:
    result = program("generality", model_file, "poodle", "animal", "dog", "--json")
    listed = json.loads(result.out)["words"]
    assert [word["word"] for word in listed] == ["animal", "dog", "poodle"]
    assert listed[0]["radius"] == trained.radius("animal")
    both = program("generality", model_file).out.splitlines()
    assert len(both) == 2 * (1 + 10)
    assert both[0] == f"smallest radius\tradius\trank of {len(trained):,}"
    assert both[11].startswith("greatest radius\t")
    few = json.loads(program("generality", model_file, "--special", 3, "--json").out)
    assert [word["rank"] for word in few["most special"]] == list(
        range(len(trained) - 2, len(trained) + 1)
    )
    assert program("generality", model_file, "elefant").code == 2
    assert program("generality", model_file, "--general", 0).code == 2


@pytest.mark.filterwarnings("always::hyperskip.errors.DatasetWarning")
def test_evaluate_uses_what_is_on_disk(
    program: Program, model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(*_: object, **__: object) -> str:
        raise OSError("no network")

    monkeypatch.setattr("pooch.retrieve", offline)
    monkeypatch.delenv("HYPERSKIP_DATA", raising=False)
    assert program("evaluate", model_file).code == 2
    (tmp_path / "EN-WS-353-ALL.txt").write_text("dog cat 7\ndog car 1\ncat car 2\n")
    result = program("evaluate", model_file, "--data", tmp_path, "--json")
    assert result.code == 0, result.err
    assert list(json.loads(result.out)["similarity"]["product"]["sets"]) == ["ws353"]
    assert "warning: " in result.err
    assert "simlex999" in result.err
    assert program("evaluate", model_file, "--similarity", "men").code == 2


QUESTIONS = [
    ["neighbors", "MODEL", "dog", "paris"],
    ["analogy", "MODEL", "france", "paris", "italy"],
    ["evaluate", "MODEL", "--similarity", "builtin", "--analogies", "builtin"],
]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[0])
def test_devices_print_the_same(program: Program, model_file: Path, question: list[str]) -> None:
    need_triton()
    arguments = [model_file if part == "MODEL" else part for part in question]
    expected = program(*arguments, "--json", "--device", "cpu")
    result = program(*arguments, "--json", "--device", "cuda")
    assert (result.code, result.out, result.err) == (0, expected.out, "")


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[0])
@pytest.mark.parametrize(
    ("device", "facts"),
    [("gpu", ["gpu", *devices.DEVICES]), ("cuda", ["cuda", "PyTorch", "hyperskip[gpu]"])],
)
def test_unavailable_devices_are_refused_before_anything_is_read(
    program: Program,
    monkeypatch: pytest.MonkeyPatch,
    question: list[str],
    device: str,
    facts: list[str],
) -> None:
    monkeypatch.setattr(devices, "find_spec", lambda _: None)
    result = program(*question, "--device", device)  # the file MODEL does not exist
    result.check_refused("device", *facts)
    assert result.out == ""


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question[0])
def test_auto_is_told_the_number_of_questions(
    program: Program, model_file: Path, monkeypatch: pytest.MonkeyPatch, question: list[str]
) -> None:
    counted: list[int | None] = []
    on = WordVectors.on

    def counting(vectors: WordVectors, name: str, *, questions: int | None) -> WordVectors:
        counted.append(questions)
        return on(vectors, name, questions=questions)

    monkeypatch.setattr(WordVectors, "on", counting)
    assert program(*(model_file if part == "MODEL" else part for part in question)).code == 0
    builtin_questions = sum(map(len, analogy_questions(BUILTIN).values()))
    assert counted == [
        {"neighbors": 2, "analogy": 1, "evaluate": 2 * builtin_questions}[question[0]]
    ]


def test_export_and_import(program: Program, model_file: Path, tmp_path: Path) -> None:
    text, back = tmp_path / "vectors.txt", tmp_path / "back.safetensors"
    exported = program("export", model_file, text)
    assert exported.code == 0
    assert re.search(naming("--measure angle", "--coordinates spatial", text), exported.err)
    result = program("import", text, back, "--coordinates", "spatial")
    assert result.code == 0
    assert re.search(naming("hyperboloid", back), result.err)
    assert load(back).words == load(model_file).words
    exported = program("export", model_file, text, "--coordinates", "points")
    assert re.search(naming("cosine", "--for", "--coordinates spatial"), exported.err)
    assert "hyperboloid" in program("import", text, back).err
    bad = program("export", model_file, tmp_path / "vectors.xyz")
    bad.check_refused(tmp_path / "vectors.xyz", "glove")


def test_plot(program: Program, model_file: Path, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    assert program("plot", model_file, "-o", picture, "--count", 20).code == 0
    assert picture.stat().st_size > 10_000
    near = program("plot", model_file, "-o", tmp_path / "near.svg", "--near", "dog", "-n", 10)
    assert near.code == 0
    assert program("plot", model_file, "-o", tmp_path / "map.gif").code == 2
    assert program("plot", model_file, "-o", picture, "-w", "dog", "-w", "nonsuch").code == 2


def test_truncated_models_are_refused(program: Program, model_file: Path, tmp_path: Path) -> None:
    half = tmp_path / "half.safetensors"
    half.write_bytes(model_file.read_bytes()[: model_file.stat().st_size // 2])
    for command in (["info"], ["neighbors", "dog"], ["evaluate"]):
        program(command[0], half, *command[1:]).check_refused(half)


DUMP = b'<?xml version="1.0" encoding="nosuch"?><mediawiki></mediawiki>'
CUT_GZIP = gzip.compress(b"some words of text\n" * 1000, mtime=0)[:-20]


@pytest.mark.parametrize(
    ("content", "commands"),
    [
        (DUMP, ["encode FILE -o OUT", "train FILE -o OUT"]),
        (CUT_GZIP, ["encode FILE -o OUT", "train FILE -o OUT", "import FILE OUT --format glove"]),
        (b'a,"b', ["encode FILE -o OUT --column 1", "train FILE -o OUT --column 1"]),
        (b"a 1 2\n\x0b\n", ["import FILE OUT --format glove"]),
        (b"1000000000000 1\na 1\n", ["import FILE OUT --format word2vec"]),
        (b"1000000000000 1\na \0\0\0\0", ["import FILE OUT --format word2vec-binary"]),
        (b"PK\x03\x04", ["import FILE OUT --format npz"]),
        (
            (10**12).to_bytes(8, "little") + b"{}",
            [
                *("info FILE", "neighbors FILE dog", "analogy FILE a b c", "generality FILE"),
                *("distance FILE a b", "similarity FILE a b"),
                *("plot FILE -o OUT.png", "export FILE OUT.txt", "evaluate FILE"),
            ],
        ),
        (
            b"\xff\xfe",
            [f"evaluate MODEL --{kind} FILE" for kind in ("similarity", "analogies", "hypernymy")],
        ),
    ],
    ids=[
        *("dump", "cut gzip", "table", "glove", "word2vec", "binary word2vec", "npz"),
        *("model", "dataset"),
    ],
)
def test_hostile_files_exit_with_2_and_leave_nothing(
    program: Program, model_file: Path, tmp_path: Path, content: bytes, commands: list[str]
) -> None:
    hostile = tmp_path / "hostile"
    hostile.write_bytes(content)
    for command in commands:
        names = {"FILE": str(hostile), "MODEL": str(model_file), "OUT": str(tmp_path / "out")}
        arguments = [
            names.get(part, part.replace("OUT.", f"{names['OUT']}.")) for part in command.split()
        ]
        program(*arguments).check_refused()
        assert list(tmp_path.iterdir()) == [hostile], command


def test_hostile_encoded_corpora_exit_with_2(
    program: Program, corpus: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "encoded"
    encode(corpus, folder)
    header = folder / "hyperskip-corpus.json"
    about = json.loads(header.read_text())
    damages: list[dict[str, Any]] = [
        {"rules": []},
        {"sources": [{"path": 1, "size": "", "modified_ns": None}]},
    ]
    for changes in damages:
        header.write_text(json.dumps(about | changes))
        result = program("train", folder, "-o", tmp_path / "model", *QUICK)
        result.check_refused(folder)
        assert list(tmp_path.iterdir()) == [folder]


def test_demo_shows_and_draws(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = builtin.sentences
    monkeypatch.setattr(builtin, "sentences", lambda: sentences(200_000))
    result = program("demo", "-o", tmp_path / "out")
    assert result.code == 0, result.err
    for expected in ("dog", "france : paris = italy : ?", "capital-of-country", "Spearman"):
        assert expected in result.out
    assert (tmp_path / "out" / "demo.png").stat().st_size > 100_000
    assert len(load(tmp_path / "out" / "demo.safetensors")) > 1000


def test_help_names_every_command_and_option(program: Program) -> None:
    help_text = program("--help").out
    for command in app.registered_commands:
        name = str(command.name or getattr(command.callback, "__name__", ""))
        assert name.replace("_", "-") in help_text
    options = program("train", "--help").out
    for name in (*declarations(TrainingOptions), *declarations(TextOptions)):
        assert "--" + name.replace("_", "-") in options


def test_help_shows_the_default_and_the_allowed_values_of_each_command(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    training, experiment = (program(name, "--help").out for name in ("train", "experiment"))
    assert "[default: 7] [between 1 and 1000]" in training
    assert "[default: centers] [centers, contexts or centroid]" in training
    assert "5 million" in training.split("--subsample")[1].split("--epochs")[0]
    assert "[default: 1e-05] [between 0 and 1]" in experiment
    assert "5 million" not in experiment
    assert "[default: that of each model] [between 1 and 1000]" in experiment


def test_inputs_are_not_overwritten(
    program: Program, corpus: Path, model_file: Path, tmp_path: Path
) -> None:
    text, vectors = tmp_path / "corpus.txt", tmp_path / "vectors.txt"
    text.write_bytes(corpus.read_bytes())
    drawn, projected = tmp_path / "model.png", tmp_path / "folder" / "vectors.tsv"
    projected.parent.mkdir()
    for copied in (drawn, projected):
        copied.write_bytes(model_file.read_bytes())
    for command in (
        ["train", text, "-o", text],
        ["export", model_file, model_file, "--format", "word2vec"],
        ["import", text, text],
        ["plot", drawn, "-o", drawn],
        ["export", projected, projected.parent, "--format", "projector"],
    ):
        program(*command).check_refused(command[1])
    assert text.read_bytes() == corpus.read_bytes()
    assert drawn.read_bytes() == projected.read_bytes() == model_file.read_bytes()
    assert not vectors.exists()


def test_zero_is_shown_as_a_default(program: Program) -> None:
    lines = program("train", "--help").out.split("--end-rate")[1].split("--burn-in-epochs")[0]
    assert "default: 0]" in lines


@pytest.mark.parametrize("arguments", [["neighbors", "dog"], ["info", "--json"]])
def test_a_full_standard_output_is_an_error(model_file: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "hyperskip", arguments[0], str(model_file), *arguments[1:]]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith("error: ")
    assert os.strerror(errno.ENOSPC) in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "2>/dev/full", "2> >(true)"])
def test_closed_streams_do_not_end_training(corpus: Path, tmp_path: Path, closed: str) -> None:
    model = tmp_path / "model"
    command = f"{sys.executable} -m hyperskip train {corpus} -o {model} {' '.join(QUICK)} --json"
    done = subprocess.run(["bash", "-c", f"{command} {closed}"], stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0
    assert model.exists()
    if closed != ">&-":
        assert json.loads(done.stdout)["words"] > 100


def test_words_in_any_script_can_be_printed(tmp_path: Path) -> None:
    words = ["日本", "中国", "lone\ud800"]
    coordinates = np.arange(6, dtype=np.float32).reshape(3, 2)
    WordVectors(words, coordinates).save(tmp_path / "model")
    done = subprocess.run(
        [sys.executable, "-m", "hyperskip", "neighbors", str(tmp_path / "model"), "日本"],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "\\u4e2d" in done.stdout


def test_too_little_memory_is_an_error(
    program: Program, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_much(*_: object) -> None:
        raise MemoryError("Unable to allocate 9 GiB")

    monkeypatch.setattr("hyperskip.training.trainer.random_parameters", too_much)
    result = program("train", corpus, "-o", tmp_path / "model", *QUICK)
    assert result.code == 1
    assert "error: " in result.err
    assert re.search(naming("9 GiB", "--dimension", "--min-count"), result.err)


def test_version(program: Program) -> None:
    assert program("--version").out.startswith("hyperskip 0.")
