"""The folder of an experiment after a full disk, a kill, or an older version."""

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from failing_disk import FailingDisk
from sample_records import record

from hyperskip import builtin, encode
from hyperskip.errors import NewerFileError, OptionError, OutputError
from hyperskip.experiment import ExperimentOptions, run_experiment
from hyperskip.experiment.design.grid import planned_runs
from hyperskip.experiment.results.experiment_folder import ExperimentFolder
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus

TINY = ExperimentOptions(
    dimensions=(2,),
    rates=(0.05,),
    models=("default",),
    similarity=("builtin",),
    analogies=("builtin",),
    hypernymy=("builtin",),
    epochs=(1,),
    shared={"subsample": 1e-2, "min_count": 5, "threads": 1, "window": 3},
)
TEXT = "some words and some more words"
KILLED_AT_ANY_MOMENT = """
import itertools, os, shutil, sys
from pathlib import Path
import pytest
from failing_disk import KillingDisk
from hyperskip.errors import InputError
from hyperskip.experiment.results.experiment_folder import ExperimentFolder

os.fsync = lambda _: None  # a kill does not lose written data
text, folder, copy = map(Path, sys.argv[1:])

def prepare(path, restart):
    home = ExperimentFolder(path)
    home.check()
    if restart:
        home.discard()
    home.begin(home.corpus([text], {"min_count": 1}, (), lambda _: None), ["text"], {})

def is_killed(moment, restart):
    child = os.fork()
    if not child:
        with KillingDisk(pytest.MonkeyPatch()).failing_at(moment):
            prepare(folder, restart)
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])

for restart, has_header in ((False, False), (True, True), (True, False)):
    for moment in itertools.count(1):
        for path in (folder, copy):
            shutil.rmtree(path, ignore_errors=True)
        if restart:
            prepare(folder, False)
            if has_header:
                (folder / "report.html").touch()
            else:  # as if killed after the corpus was encoded
                for path in folder.iterdir():
                    if path.name != "corpus":
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
        if not is_killed(moment, restart):
            break
        if folder.exists():
            shutil.copytree(folder, copy)
        prepare(copy, True)
        try:
            prepare(folder, False)
        except InputError as error:
            assert restart and "restart=True" in error.hint, error
    print(moment)
"""


@pytest.fixture
def encoded(tmp_path: Path) -> EncodedCorpus:
    return encode([TEXT] * 5, tmp_path / "encoded")


def test_a_disk_that_fails_while_the_folder_is_created(
    encoded: EncodedCorpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FailingDisk(monkeypatch, errno.ENOSPC)
    moment, failed = 0, 0
    while disk.asked >= moment:
        moment += 1
        home = ExperimentFolder(tmp_path / f"out{moment}")
        with disk.failing_at(moment):
            try:
                home.begin(encoded, ["text"], {})
            except OutputError:
                failed += 1
        home.check()
        home.begin(encoded, ["text"], {})
        assert {path.name for path in home.path.iterdir()} == {"experiment.json", "runs", "models"}
    assert failed >= 4


@pytest.mark.slow
def test_a_folder_is_accepted_after_a_kill_at_any_moment(tmp_path: Path) -> None:
    """By the same command and with restart; after a killed restart, at least with restart."""
    (tmp_path / "text").write_text(f"{TEXT}\n" * 5)
    places = [tmp_path / name for name in ("text", "out", "copy")]
    done = subprocess.run(
        [sys.executable, "-c", KILLED_AT_ANY_MOMENT, *places],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0, done.stderr
    assert all(int(moments) > 10 for moments in done.stdout.split())


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("left", [("runs",), ("runs", "models")])
def test_a_folder_of_an_older_version_without_a_header(
    tmp_path: Path, left: tuple[str, ...], restart: bool
) -> None:
    for name in left:
        (tmp_path / "out" / name).mkdir(parents=True)
    text = tmp_path / "corpus.txt"
    text.write_text("\n".join(builtin.sentences(3_000)))
    assert len(run_experiment(text, tmp_path / "out", TINY, restart=restart).records) == 1


@pytest.mark.parametrize("mine", ["runs/mine.json", "models/mine", "report.html", "mine/runs"])
def test_a_folder_with_anything_else_is_not_an_experiment(tmp_path: Path, mine: str) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / mine).parent.mkdir(exist_ok=True)
    (tmp_path / mine).touch()
    with pytest.raises(OutputError, match="not an experiment"):
        ExperimentFolder(tmp_path).check()


def test_an_experiment_of_a_later_version_is_not_changed(
    encoded: EncodedCorpus, tmp_path: Path
) -> None:
    home = ExperimentFolder(tmp_path / "out")
    home.begin(encoded, ["text"], {})
    header = home.path / "experiment.json"
    header.write_text(json.dumps({"format": "hyperskip experiment", "format_version": 2}))
    before = header.read_bytes()
    (home.path / "runs" / ".hyperskip-0123.part").touch()
    for use in (
        lambda: home.begin(encoded, ["text"], {}),
        lambda: run_experiment(tmp_path / "encoded", home.path, TINY),
    ):
        with pytest.raises(NewerFileError, match="has format version 2"):
            use()
    assert header.read_bytes() == before
    assert (home.path / "runs" / ".hyperskip-0123.part").exists()
    home.discard()
    home.begin(encoded, ["text"], {})


# The options of a run as version 1 stored them.
OLD_OPTIONS = {
    "program": "hyperskip", "geometry": "euclidean", "schedule": "window", "dimension": 5,
    "factors": 1, "curvature": None, "window": 10, "shrink_window": False, "negatives": 10,
    "shared_negatives": 128, "power": 0.5, "subsample": 1e-05, "epochs": 3, "rate": 0.1,
    "end_rate": 0.0, "burn_in_epochs": 0, "burn_in_rate": None, "theta": None,
    "learn_theta": False, "max_step": 1.0, "tied": False, "layer": "centres",
    "initial_deviation": None, "locking": False, "freeze": False, "deterministic": False,
    "seed": 1,
}  # fmt: skip


def test_a_record_of_an_older_version_is_that_of_the_same_run(tmp_path: Path) -> None:
    options = ExperimentOptions(dimensions=(5,), rates=(0.1,), models=("euclidean",))
    (run,) = planned_runs(options)
    added = {"distance_decay": 0.0, "rate_power": 0.0}
    assert run.key() == OLD_OPTIONS | added | {"layer": "centers"}
    (tmp_path / "runs").mkdir()
    name = "euclidean-d5-rate0.1-seed1"  # without epochs, which were the same in all runs
    old = record("euclidean", geometry="euclidean", name=name, asked=OLD_OPTIONS)
    old.write(tmp_path / "runs" / f"{name}.json")
    found = ExperimentFolder(tmp_path).record_of(run)
    assert found is not None
    assert found.asked == run.key()
    (longer,) = planned_runs(replace(options, epochs=(10,)))
    assert ExperimentFolder(tmp_path).record_of(longer) is None


def test_the_words_of_the_kept_corpus_must_follow_the_same_rules(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text(TEXT)

    def corpus(**values: Any) -> EncodedCorpus:
        home = ExperimentFolder(tmp_path / "home")
        return home.corpus([text], {"min_count": 1} | values, (), lambda _: None)

    assert corpus(tokenizer=split).options.as_dict()["tokenizer"] == f"function {__name__}.split"
    corpus(tokenizer=split)
    for other in ({"lowercase": True}, {"numbers": "keep"}, {}, {"tokenizer": "whitespace"}):
        with pytest.raises(OptionError, match="tokenizer"):
            corpus(**other)


def split(text: str) -> list[str]:
    return text.split()
