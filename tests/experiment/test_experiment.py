"""Whole experiments on a part of the built-in corpus: resumed, extended, refused, reported."""

import csv
import io
import json
import re
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from facts import naming
from program import Program
from rich.console import Console

from hyperskip import encode, load
from hyperskip.cli.experiment_display import ExperimentDisplay, duration
from hyperskip.errors import (
    DatasetError,
    DivergenceError,
    OptionError,
    OutputError,
    StaleCorpusError,
)
from hyperskip.evaluation import known_sets
from hyperskip.experiment import ExperimentOptions, Model, experiment, run_experiment
from hyperskip.experiment.experiment_events import Planned, Progress, RunBegins, RunEnds
from hyperskip.experiment.runs import one_run
from hyperskip.progress.bars import TerminalBars
from hyperskip.training.trainer import train_encoded

TINY = ExperimentOptions(
    dimensions=(2, 3),
    rates=(0.05, 0.02),
    models=("default", "paper", Model("flat", {"geometry": "euclidean"}, rate=0.1)),
    similarity=("builtin",),
    analogies=("builtin",),
    hypernymy=("builtin",),
    epochs=(1,),
    shared={"subsample": 1e-3, "min_count": 5, "threads": 1, "window": 3},
)
TINY_FLAGS = [
    *("--dimensions", "2", "--rates", "0.05", "--models", "paper", "--similarity", "builtin"),
    *(
        "--analogies",
        "builtin",
        "--hypernymy",
        "builtin",
        "--epochs",
        "1",
        "--subsample",
        "1e-3",
        "--min-count",
        "5",
    ),
    *("--threads", "1", "--window", "3"),
]


class Listener:
    """Records which runs begin, and can stop before one of them."""

    def __init__(self, stop_before: int | None = None) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.plan: Planned | None = None
        self._stop_before = stop_before

    def __call__(self, progress: Progress) -> None:
        if isinstance(progress, Planned):
            self.plan = progress
        elif isinstance(progress, RunEnds):
            self.ended.append(progress.record.name)
        elif isinstance(progress, RunBegins):
            if len(self.begun) == self._stop_before:
                raise KeyboardInterrupt
            self.begun.append(progress.run.name)


def test_a_grid_from_text_to_report(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    found = run_experiment(corpus, folder, TINY, command="the command <b>")
    assert len(found.records) == 2 * (1 + 2 + 1)
    assert [(choice.dimension, choice.model) for choice in found.choices] == [
        (dimension, model) for dimension in (2, 3) for model in ("default", "paper", "flat")
    ]
    kept = {path.stem for path in (folder / "models").iterdir()}
    assert kept == {choice.records[0].name for choice in found.choices}
    assert load(folder / "models" / f"{sorted(kept)[0]}.safetensors").dimension == 2
    with (folder / "runs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(found.records)
    assert {row["tied"] for row in rows} == {
        "True",
        "False",
    }  # only differing options
    assert "window" not in rows[0]
    assert float(rows[0]["similarity product average"]) == found.records[0].average
    for title in ("similarity angle builtin", "analogy product Z'", "hypernymy builtin radius"):
        assert -1 <= float(rows[0][title]) <= 1
    assert 0 <= float(rows[0]["analogy angle Z"]) <= 1
    for kind in ("similarity {} average", "analogy {} Z"):  # both measures are the cosine
        flat = [row for row in rows if row["model"] == "flat"]
        assert [row[kind.format("angle")] for row in flat] == [
            row[kind.format("product")] for row in flat
        ]
    page, text = (folder / "report.html").read_text(), (folder / "report.md").read_text()
    assert "the command &lt;b&gt;" in page
    for name in ("scores", "hyperboloid", "probability", "analogy"):
        assert (folder / "figures" / f"{name}.svg").is_file()
        assert f"figures/{name}.svg" in text
    assert page.count("data:image/svg+xml;base64,") == 4
    assert "http://" not in page
    assert "https://" not in page
    assert "<script" not in page


def test_finished_runs_are_not_repeated(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    with pytest.raises(KeyboardInterrupt):
        run_experiment(corpus, folder, TINY, report=Listener(stop_before=3))
    second = Listener()
    first = run_experiment(corpus, folder, TINY, report=second)
    assert second.plan == Planned(8, 3, ())
    assert len(second.begun) == 5
    third = Listener()
    assert run_experiment(corpus, folder, TINY, report=third).records == first.records
    assert third.begun == []
    (folder / "runs" / "paper-d3-epochs1-rate0.02-seed1.json").unlink()
    (folder / "runs" / ".hyperskip-0123.part").write_text("left by a killed process")
    fourth = Listener()
    run_experiment(corpus, folder, TINY, report=fourth)
    assert fourth.begun == fourth.ended == ["paper-d3-epochs1-rate0.02-seed1"]
    assert not list((folder / "runs").glob(".*"))
    larger = Listener()
    run_experiment(corpus, folder, replace(TINY, dimensions=(2, 3, 4)), report=larger)
    assert len(larger.begun) == 4
    longer = Listener()
    of_one = replace(TINY, dimensions=(2,), epochs=(1, 2), models=("default",))
    found = run_experiment(corpus, folder, of_one, report=longer)
    assert longer.begun == ["default-d2-epochs2-rateusual-seed1"]
    assert [choice.epochs for choice in found.choices] == [1, 2]
    assert len(list((folder / "figures").glob("scores-epochs*.svg"))) == 2


def test_a_folder_of_another_experiment_is_refused(corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    tiny = replace(TINY, dimensions=(2,), models=("default",))
    text = tmp_path / "text.txt"
    text.write_bytes(corpus.read_bytes())

    def shared(**values: Any) -> ExperimentOptions:
        return replace(tiny, shared=dict(tiny.shared) | values)

    run_experiment(text, folder, tiny)
    run_experiment(text, folder, shared(threads=2))  # the same experiment
    with pytest.raises(OutputError, match=naming("window", 3, 4, "`restart=True`")):
        run_experiment(text, folder, shared(window=4))
    with pytest.raises(OptionError, match=naming("min_count", 6)):
        run_experiment(text, folder, shared(min_count=6))
    with pytest.raises(OutputError, match=naming(folder, "`restart=True`")):
        run_experiment(corpus, folder, tiny)
    with pytest.raises(OutputError, match=naming(folder, "`restart=True`")):
        run_experiment(text, folder, replace(tiny, analogies=None))
    text.write_bytes(corpus.read_bytes() + b"\nmore words\n")
    with pytest.raises(StaleCorpusError, match=naming(text, "`restart=True`")):
        run_experiment(text, folder, tiny)
    mine = folder / "mine.txt"
    mine.write_text("stays")
    again = Listener()
    run_experiment(text, folder, shared(window=4), restart=True, report=again)
    assert len(again.begun) == 1
    assert mine.read_text() == "stays"


def test_an_encoded_corpus_is_used_directly(corpus: Path, tmp_path: Path) -> None:
    encode(corpus, tmp_path / "encoded", min_count=7)
    shared = {name: value for name, value in TINY.shared.items() if name != "min_count"}
    tiny = replace(TINY, dimensions=(2,), models=("default",), shared=shared)
    found = run_experiment(tmp_path / "encoded", tmp_path / "out", tiny)
    assert len(found.records) == 1
    assert not (tmp_path / "out" / "corpus").exists()
    with pytest.raises(OptionError, match=naming("min_count", 5, 7)):
        shared["min_count"] = 5
        run_experiment(tmp_path / "encoded", tmp_path / "new", replace(tiny, shared=shared))
    assert not (tmp_path / "new").exists()


def test_seeds_are_averaged_and_all_models_can_be_kept(corpus: Path, tmp_path: Path) -> None:
    tiny = replace(TINY, dimensions=(2,), models=("paper",), seeds=2)
    found = run_experiment(corpus, tmp_path / "out", replace(tiny, keep_models="all"))
    (choice,) = found.choices
    assert [record.seed for record in choice.records] == [1, 2]
    assert len(list((tmp_path / "out" / "models").iterdir())) == 4
    run_experiment(corpus, tmp_path / "bare", replace(tiny, keep_models="none"))
    assert not list((tmp_path / "bare" / "models").iterdir())


def test_a_run_that_diverges_is_reported(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def train(encoded: Any, options: Any, report: Any) -> Any:
        if options.rate == 0.05:
            raise DivergenceError("the vectors are not finite")
        return train_encoded(encoded, options, report)

    monkeypatch.setattr(one_run, "train_encoded", train)
    tiny = replace(TINY, dimensions=(2,), models=("paper",))
    found = run_experiment(corpus, tmp_path / "out", tiny)
    assert [record.failure for record in found.records] == ["the vectors are not finite", None]
    assert found.choices[0].rate == 0.02
    assert "the vectors are not finite" in (tmp_path / "out" / "report.html").read_text()


# -- the command


def test_the_command(program: Program, corpus: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    result = program("experiment", corpus, "-o", folder, *TINY_FLAGS)
    assert result.code == 0, result.err
    assert "paper-d2-epochs1-rate0.05-seed1" in result.err
    assert str(folder / "report.html") in result.err
    names = "dimension\tepochs\tmodel\tmeasure"
    assert f"{names}\tbuiltin\taverage\trate\n2\t1\tpaper\tproduct" in result.out
    assert result.out.startswith("All models side by side\n")
    assert "Hypernymy, builtin (average precision), by score\n" in result.out
    again = program("experiment", corpus, "-o", folder, *TINY_FLAGS, "--json")
    assert "paper-d2-epochs1-rate0.05-seed1" not in again.err  # it was not trained again
    summary = json.loads(again.out)
    assert summary["chosen"][0]["model"] == "paper"
    assert f"hyperskip experiment {corpus} -o {folder} " in (folder / "report.html").read_text()


def test_an_interrupted_command_says_how_to_resume(
    program: Program, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(run: Any, *others: Any) -> Any:
        if run.options.rate == 0.02:
            raise SystemExit(128 + signal.SIGINT)  # like the signal handler
        return one_run.train_and_evaluate(run, *others)

    monkeypatch.setattr(experiment, "train_and_evaluate", stopped)
    flags = ["experiment", corpus, "-o", tmp_path / "out", *TINY_FLAGS, "--rates", "0.05,0.02"]
    result = program(*flags, "--restart")
    assert result.code == 130
    assert re.search(naming(1, 2, tmp_path / "out", "hyperskip experiment"), result.err)
    assert "--restart" not in result.err
    monkeypatch.setattr(experiment, "train_and_evaluate", one_run.train_and_evaluate)
    result = program(*flags)
    assert result.code == 0
    assert "paper-d2-epochs1-rate0.05-seed1" not in result.err
    assert "paper-d2-epochs1-rate0.02-seed1" in result.err


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        (["--dimensions", "5,many"], ["dimensions", "5,many"]),
        (["--dimensions", ","], ["dimensions"]),
        (["--rates", "0"], ["rate", 0]),
        (["--models", "fancy"], ["fancy", "default", "--model"]),
        (["--model", "a:wings=2"], ["wings", "window"]),
        (["--model", "flat:geometry=euclidean,theta=2"], ["flat", "theta", "euclidean"]),
        (["--epochs", "3,many"], ["epochs", "3,many"]),
        (["--epochs", "0"], ["epochs", 1, 0]),
        (["--compare", "word2vec"], ["compare", "fasttext", "gensim", "word2vec"]),
        (["--compare", "gensim,word2vec"], ["compare", "fasttext", "gensim", "'word2vec'"]),
        (["--compare", ""], ["compare", "fasttext", "gensim", "''"]),
        (["--peer-rates", "0.1"], ["--peer-rates", "--compare", "fasttext"]),
        (["--peer-rates", ",", "--compare", "gensim"], ["--peer-rates", "','", "0.1,0.05"]),
        (["--peer-rates", "0", "--compare", "gensim"], ["--peer-rates", 0]),
        (["--equal-time"], ["--equal-time", "default", "fasttext", "--compare"]),
        (["--equal-time", "--compare", "gensim"], ["--equal-time", "fasttext", "--compare"]),
        (["--keep-models", "some"], ["keep-models", "some", "best", "all", "none"]),
        (["--window", "0"], ["window", 0, 1]),
        (["--min-count", "0"], ["min-count", 0, 1]),
        (["--schedule", "pairwise", "--device", "cuda"], ["cuda", "pairwise", "--schedule window"]),
        (["--similarity", "none"], ["'none'", "ws353"]),
        (["--hypernymy", "none"], ["'none'", "hyperlex"]),
        (["--analogies", "builtin"], ["builtin"]),
        (["--data", "none", "--similarity", "men"], ["none", "--data"]),
        (["--min-count", "99999"], [99999, 0, "--min-count"]),
    ],
)
def test_bad_options_leave_nothing(
    program: Program, corpus: Path, tmp_path: Path, arguments: list[str], facts: list[object]
) -> None:
    result = program("experiment", corpus, "-o", tmp_path / "out", *TINY_FLAGS, *arguments)
    result.check_refused(*facts)
    assert not list(tmp_path.iterdir())


def test_invalid_folders_are_refused(program: Program, corpus: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    encode(corpus, tmp_path / "encoded")
    for place in ("full", "full/thesis.txt", "encoded", "none/out"):
        for restart in ([], ["--restart"]):
            result = program("experiment", corpus, "-o", tmp_path / place, *TINY_FLAGS, *restart)
            result.check_refused(tmp_path / place)
    result = program("experiment", tmp_path, "-o", tmp_path / "out", *TINY_FLAGS)
    result.check_refused(tmp_path, tmp_path / "out")
    again = program(
        "experiment", tmp_path / "encoded", "-o", tmp_path, *TINY_FLAGS, "--restart"
    )  # would remove its own corpus
    again.check_refused(tmp_path / "encoded", tmp_path)
    assert (tmp_path / "encoded").is_dir()
    for text, fact in (("none.txt", "none.txt"), ("-", "standard input")):
        result = program("experiment", text, "-o", tmp_path / "out", *TINY_FLAGS)
        result.check_refused(fact)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["encoded", "full"]


def test_a_missing_default_set_is_reported(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(*_: object, **__: object) -> str:
        raise OSError("no network")

    monkeypatch.setattr("pooch.retrieve", offline)
    monkeypatch.setitem(
        known_sets.SIMILARITY_SETS, "<odd>", known_sets.NamedDataset(("odd.txt",), None)
    )
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "EN-MEN-TR-3k.txt").write_text("dog cat 7\ndog car 1\ncat car 2\n")
    unnamed: dict[str, Any] = {"similarity": None, "analogies": None, "hypernymy": None}
    tiny = replace(TINY, dimensions=(2,), models=("default",), **unnamed)
    found = run_experiment(corpus, tmp_path / "out", replace(tiny, data=tmp_path / "data"))
    assert list(found.records[0].similarity_sets) == ["men"]
    page = (tmp_path / "out" / "report.html").read_text()
    for name in ("ws353", "simlex999", "&lt;odd&gt;", "google", "hyperlex", "bless"):
        assert name in page
    assert "<odd>" not in page
    (tmp_path / "nothing").mkdir()
    with pytest.raises(DatasetError, match=naming("data", "similarity")):
        run_experiment(corpus, tmp_path / "new", replace(tiny, data=tmp_path / "nothing"))
    assert not (tmp_path / "new").exists()


def test_hypernymy_sets_alone_are_refused(program: Program, corpus: Path, tmp_path: Path) -> None:
    result = program("experiment", corpus, "-o", tmp_path / "out", "--hypernymy", "builtin")
    result.check_refused("hypernymy", "--similarity", "--analogies")
    assert not list(tmp_path.iterdir())


def test_bars_in_a_terminal(corpus: Path, tmp_path: Path) -> None:
    screen = io.StringIO()
    terminal = TerminalBars(Console(file=screen, force_terminal=True, width=120))
    tiny = replace(TINY, dimensions=(2,), models=("default", "paper"))
    with ExperimentDisplay(terminal, tmp_path, "again") as shown:
        run_experiment(corpus, tmp_path / "out", tiny, report=shown)
    assert "paper-d2-epochs1-rate0.02-seed1" in screen.getvalue()
    assert "100%" in screen.getvalue()


@pytest.mark.parametrize(
    ("seconds", "shown"), [(5.4, "5 s"), (200, "3 minutes"), (9000, "2.5 hours")]
)
def test_durations(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown
