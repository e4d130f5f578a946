"""A training that was stopped or killed, or had a full disk, resumes and gives the same bytes."""

import errno
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors, builtin, load, train
from hyperskip.errors import (
    DivergenceError,
    NewerFileError,
    OptionError,
    OutputError,
    OutputWarning,
    VectorFileError,
    VectorFileWarning,
)
from hyperskip.training.checkpoints import checkpoint
from hyperskip.training.checkpoints.checkpoint import Key
from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder
from hyperskip.training.checkpoints.writer import CheckpointWriter
from hyperskip.training.parameters import Parameters
from hyperskip.training.run.state import EpochSummary, Position, State, Sums
from hyperskip.training.run.training_events import Progress, Resuming, TrainingProgress
from hyperskip.vectors import model_file

OPTIONS: dict[str, Any] = {"dimension": 6, "subsample": 1e-3, "epochs": 3, "threads": 1}
OFTEN = {"checkpoint_minutes": 1e-9}


def corpus(words: int = 60_000) -> list[str]:
    return list(builtin.sentences(words))


class StoppedError(Exception):
    """Ends a training like a crash, without a last checkpoint."""


def crashed(folder: Path, at_epoch: int, **options: Any) -> None:
    """Train until an epoch, with a checkpoint of every epoch, and keep the checkpoints."""

    def stop(event: Progress) -> None:
        if isinstance(event, EpochSummary) and event.epoch == at_epoch:
            raise StoppedError

    def written(writer: CheckpointWriter) -> bool:
        """Wait for the last checkpoint; otherwise, a busy disk would make training skip some."""
        writer.newest()
        return True

    with patch.object(CheckpointWriter, "_is_free", written), pytest.raises(StoppedError):
        train(corpus(), report=stop, checkpoints=folder, **(OPTIONS | OFTEN | options))


def file_of(vectors: WordVectors, path: Path) -> bytes:
    vectors.save(path)
    return path.read_bytes()


CASES: dict[str, dict[str, Any]] = {
    "usual": {},
    "pairwise": {"schedule": "pairwise"},
    "two layers and a learned theta": {"tied": False, "learn_theta": True},
    "flat": {"geometry": "euclidean"},
    "burn-in": {"burn_in_epochs": 1},
    "shrinking window": {"shrink_window": True},
    "locks": {"schedule": "pairwise", "locking": True},
    "deterministic, two threads": {"deterministic": True, "threads": 2},
    "subwords": {"subwords": True},
    "a shared table of n-grams, deterministic, two threads": {
        "subwords": True,
        "bucket_hashes": 2,
        "buckets": 3000,
        "deterministic": True,
        "threads": 2,
    },
}


@pytest.mark.parametrize("case", CASES)
def test_after_a_crash_training_ends_with_the_same_bytes(case: str, tmp_path: Path) -> None:
    options = OPTIONS | CASES[case]
    undisturbed = file_of(train(corpus(), **options), tmp_path / "undisturbed")
    crashed(tmp_path / "kept", at_epoch=2, **CASES[case])
    seen: list[Progress] = []
    resumed = train(
        corpus(), checkpoints=tmp_path / "kept", resume=True, report=seen.append, **options
    )
    assert file_of(resumed, tmp_path / "resumed") == undisturbed
    (taken_up,) = [event for event in seen if isinstance(event, Resuming)]
    assert taken_up.checkpoint is not None
    assert taken_up.tokens > 0
    # The folder holds the final state: resuming again trains nothing.
    seen.clear()
    again = train(
        corpus(), checkpoints=tmp_path / "kept", resume=True, report=seen.append, **options
    )
    assert file_of(again, tmp_path / "again") == undisturbed
    assert not [event for event in seen if isinstance(event, TrainingProgress)]


def test_deterministic_training_does_not_depend_on_threads(tmp_path: Path) -> None:
    files = []
    for threads in (1, 2, 3, 8):
        options = OPTIONS | {"deterministic": True, "threads": threads}
        files.append(file_of(train(corpus(), **options), tmp_path / str(threads)))
    assert files.count(files[0]) == 4
    free = file_of(train(corpus(), **OPTIONS), tmp_path / "free")
    assert free != files[0]


def test_deterministic_training_may_be_resumed_with_other_threads(tmp_path: Path) -> None:
    common = OPTIONS | {"deterministic": True}
    undisturbed = file_of(train(corpus(), **common), tmp_path / "undisturbed")
    crashed(tmp_path / "kept", at_epoch=2, deterministic=True, threads=2)
    resumed = train(corpus(), checkpoints=tmp_path / "kept", resume=True, **common)
    assert file_of(resumed, tmp_path / "resumed") == undisturbed


def test_a_checkpoint_is_a_model(tmp_path: Path) -> None:
    crashed(tmp_path, at_epoch=3)
    newest = CheckpointFolder(tmp_path).files()[0]
    vectors = load(newest)
    assert len(vectors.history) >= 1
    assert vectors.neighbors("cat", 3)
    assert vectors.options["dimension"] == 6


def test_old_checkpoints_are_removed(tmp_path: Path) -> None:
    leftover = tmp_path / ".hyperskip-checkpoint-0123456789abcdef.part"
    leftover.write_bytes(b"from a process that was killed")
    others = [".hyperskip-0123456789abcdef.part", "notes.txt"]
    for name in others:
        (tmp_path / name).write_text("a file of another program")
    crashed(tmp_path, at_epoch=3)
    folder = CheckpointFolder(tmp_path)
    assert len(folder.files()) == 2
    assert not leftover.exists()
    folder.discard()
    assert sorted(path.name for path in tmp_path.iterdir()) == others


def test_a_damaged_checkpoint_is_skipped_with_a_warning(tmp_path: Path) -> None:
    undisturbed = file_of(train(corpus(), **OPTIONS), tmp_path / "undisturbed")
    kept = tmp_path / "kept"
    crashed(kept, at_epoch=3)
    newest, older = CheckpointFolder(kept).files()
    assert older.name < newest.name
    data = bytearray(newest.read_bytes())
    data[-100] ^= 1  # one bit of a vector: only the checksum detects it
    newest.write_bytes(data)
    with pytest.warns(VectorFileWarning, match=naming(newest)):
        resumed = train(corpus(), checkpoints=kept, resume=True, **OPTIONS)
    assert file_of(resumed, tmp_path / "resumed") == undisturbed
    for path in CheckpointFolder(kept).files():  # intact checkpoints are kept
        checkpoint.load(path)
    shutil.rmtree(kept)
    crashed(kept, at_epoch=3)
    for path in CheckpointFolder(kept).files():
        path.write_bytes(path.read_bytes()[:1000])
    with pytest.warns(VectorFileWarning, match=naming(kept)):
        resumed = train(corpus(), checkpoints=kept, resume=True, **OPTIONS)
    assert file_of(resumed, tmp_path / "resumed") == undisturbed


def test_damaged_checkpoints_do_not_displace_new_ones(tmp_path: Path) -> None:
    for epoch in (7, 8, 9):
        (tmp_path / f"epoch-{epoch:06d}-block-000000000.safetensors").write_bytes(b"damaged")
    with pytest.warns(VectorFileWarning, match=naming(tmp_path)):
        train(corpus(), checkpoints=tmp_path, resume=True, **(OPTIONS | OFTEN))
    newest = CheckpointFolder(tmp_path).newest()
    assert newest is not None
    assert newest.position.epoch == 3
    assert len(CheckpointFolder(tmp_path).files()) == 2


def test_a_checkpoint_of_a_later_version_is_not_treated_as_damaged(tmp_path: Path) -> None:
    crashed(tmp_path, at_epoch=2)
    for path in CheckpointFolder(tmp_path).files():
        path.write_bytes(
            path.read_bytes()
            .replace(b'format_version\\": 1', b'format_version\\": 9')
            .replace(b"history", b"another")
        )
    before = [path.read_bytes() for path in CheckpointFolder(tmp_path).files()]
    with pytest.raises(NewerFileError, match=naming(9)):
        train(corpus(), checkpoints=tmp_path, resume=True, **OPTIONS)
    assert [path.read_bytes() for path in CheckpointFolder(tmp_path).files()] == before


def test_a_checkpoint_that_cannot_be_read_is_not_treated_as_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(tmp_path, at_epoch=2)

    def forbidden(path: Path, *_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", forbidden)
        with pytest.raises(VectorFileError, match=naming("Permission denied", "restart")):
            CheckpointFolder(tmp_path).newest()


def small_checkpoint(folder: Path) -> tuple[Path, State]:
    summary = EpochSummary(1, False, 2.5, 100, 0, 1.25, 2.75)
    position = Position(1, 3, Sums(17, 5, 0.1 + 0.2, 1, 0.5), (summary,))
    generator = np.random.default_rng(1)
    centers, second = (generator.normal(size=(3, 2)).astype(np.float32) for _ in range(2))
    times = generator.normal(size=(2, 3, 1)).astype(np.float32)
    state = State(position, Parameters(centers, second, 0.1 + 0.7, times))
    vectors = WordVectors(["a", "b", "ü"], centers, counts=np.array([3, 2, 1]))
    path = folder / "epoch-000001-block-000000003.safetensors"
    checkpoint.save(path, Key({"rate": 0.1}, "text", None), vectors, state)
    return path, state


def test_everything_comes_back_to_the_bit(tmp_path: Path) -> None:
    path, state = small_checkpoint(tmp_path)
    read = checkpoint.load(path)
    assert read.position == state.position
    assert read.key == Key({"rate": 0.1}, "text", None)
    again = read.state_for(("a", "b", "ü"))
    assert again.parameters.theta == state.parameters.theta
    for name in ("centers", "contexts", "times"):
        ours, theirs = getattr(again.parameters, name), getattr(state.parameters, name)
        np.testing.assert_array_equal(ours, theirs)


def test_a_checkpoint_cut_anywhere_or_with_any_byte_changed_is_refused(tmp_path: Path) -> None:
    path, _ = small_checkpoint(tmp_path)
    data = path.read_bytes()
    whole = checkpoint.load(path)
    other = tmp_path / "other"
    for length in range(len(data)):
        other.write_bytes(data[:length])
        with pytest.raises(VectorFileError):
            checkpoint.load(other)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= 0x10
        other.write_bytes(changed)
        try:
            read = checkpoint.load(other)
        except (VectorFileError, NewerFileError):
            continue
        # The byte was padding of the header or the like: the content is the same.
        assert (read.position, read.key, read.theta) == (whole.position, whole.key, whole.theta)
        for name in ("contexts", "times"):
            np.testing.assert_array_equal(getattr(read, name), getattr(whole, name))
        np.testing.assert_array_equal(read.vectors.coordinates, whole.vectors.coordinates)


@pytest.mark.parametrize(
    "change",
    [
        {"epoch": -1}, {"epoch": "x"}, {"epoch": None}, {"block": 1e400}, {"key": {}}, {"key": []},
        {"sums": {}}, {"sums": {"tokens": []}}, {"history": [{}]}, {"history": 3}, {"theta": "x"},
    ],
)  # fmt: skip
def test_invalid_values_with_the_right_checksum_are_refused(change: Any, tmp_path: Path) -> None:
    path, _ = small_checkpoint(tmp_path)
    _, tensors, about = model_file.read(path)
    about["checkpoint"] |= change
    about["checksum"] = checkpoint.checksum_of(tensors, about)
    model_file.write(path, dict(tensors), about)
    with pytest.raises(VectorFileError, match=naming(path)):
        checkpoint.load(path)


def test_a_model_is_not_a_checkpoint(tmp_path: Path) -> None:
    WordVectors(["a", "b"], np.zeros((2, 2), dtype=np.float32)).save(tmp_path / "model")
    with pytest.raises(VectorFileError, match=naming(tmp_path / "model")):
        checkpoint.load(tmp_path / "model")


def test_other_options_or_texts_are_refused_by_name(tmp_path: Path) -> None:
    crashed(tmp_path, at_epoch=2)
    before = [path.read_bytes() for path in CheckpointFolder(tmp_path).files()]
    newest = CheckpointFolder(tmp_path).files()[0]
    changes: list[tuple[dict[str, Any], list[object]]] = [
        ({"rate": 0.07}, ["rate", 0.07]),
        ({"seed": 9, "epochs": 4}, ["epochs", 4, 3, "seed", 9, 1]),
        ({"min_count": 6}, ["min_count", 6]),
    ]
    for change, facts in changes:
        with pytest.raises(OptionError, match=naming(newest, "restart", *facts)):
            train(corpus(), checkpoints=tmp_path, resume=True, **(OPTIONS | change))
    with pytest.raises(OptionError, match=naming(newest, "restart")):
        train([*corpus(), "cat dog"], checkpoints=tmp_path, resume=True, **OPTIONS)
    model = WordVectors(["cat", "dog"], np.zeros((2, 6), dtype=np.float32))
    with pytest.raises(OptionError, match=naming(newest, "restart")):
        train(corpus(), checkpoints=tmp_path, resume=True, init=model, **OPTIONS)
    assert [path.read_bytes() for path in CheckpointFolder(tmp_path).files()] == before


def test_differences_that_follow_from_others_are_not_listed() -> None:
    stored = Key({"dimension": 6, "theta": 1.0, "min_count": 5, "rate": 0.1}, "text", None)
    changed = Key({"dimension": 8, "theta": 2.0, "min_count": 5, "rate": 0.1}, "text", None)
    (difference,) = changed.differences(stored)
    assert re.search(naming("dimension", 8, 6), difference)
    changed = Key(stored.options | {"min_count": 6, "rate": 0.2}, "other text", None)
    (difference,) = changed.differences(stored)
    assert re.search(naming("min_count", 6, 5), difference)
    (difference,) = Key(stored.options, "other text", None).differences(stored)
    assert "text" in difference
    started = Key(stored.options | {"distance_decay": 0.0}, "text", None)
    changed = Key(stored.options | {"distance_decay": 1.0, "theta": 2.0}, "other text", None)
    (difference,) = changed.differences(started)
    assert difference.startswith("the text is not the same")
    subwords = stored.options | {"subwords": True, "subword_min": 3, "buckets": 9}
    (difference,) = stored.differences(Key(subwords, "text", None))
    assert difference == "`subwords` is not given, but was True when the training started"
    ranking = Key({"method": "ranking", "edge_count": 1, "batch": 2}, "edges", None)
    walks = Key({"method": "walks", "edge_count": 1, "window": 5}, "walks", None)
    (difference,) = walks.differences(ranking)
    assert re.search(naming("method", "walks", "ranking"), difference)


# The key of a checkpoint as version 1 wrote it.
OLD_KEY = {
    "tokenizer": "paper", "min_count": 5, "column": None, "encoding_errors": "strict",
    "vocabulary_limit": 20000000, "geometry": "euclidean", "schedule": "window", "dimension": 6,
    "factors": 1, "curvature": None, "window": 7, "shrink_window": False, "negatives": 20,
    "shared_negatives": 128, "power": 0.5, "subsample": 0.001, "epochs": 3, "rate": 0.1,
    "end_rate": 0.0, "burn_in_epochs": 0, "burn_in_rate": None, "theta": None,
    "learn_theta": False, "max_step": 1.0, "tied": False, "layer": "centres",
    "initial_deviation": None, "locking": False, "freeze": False, "deterministic": False,
    "device": "cpu", "seed": 1,
}  # fmt: skip


def test_a_checkpoint_of_an_older_version_is_resumed(tmp_path: Path) -> None:
    earlier: dict[str, Any] = OPTIONS | {
        "geometry": "euclidean", "negatives": 20, "power": 0.5, "distance_decay": 0.0,
        "rate_power": 0.0,
    }  # fmt: skip
    undisturbed = file_of(train(corpus(), **earlier), tmp_path / "model")
    crashed(tmp_path / "kept", at_epoch=2, **earlier)
    for path in CheckpointFolder(tmp_path / "kept").files():
        _, tensors, about = model_file.read(path)
        key = about["checkpoint"]["key"]
        added = {"distance_decay": 0.0, "rate_power": 0.0}
        assert key["options"] == OLD_KEY | added | {"layer": "centers"}
        key["options"] = OLD_KEY
        about["checksum"] = checkpoint.checksum_of(tensors, about)
        model_file.write(path, {name: tensors[name].copy() for name in tensors}, about)
    for layer in (None, "centers", "centres"):
        folder = shutil.copytree(tmp_path / "kept", tmp_path / str(layer))
        resumed = train(corpus(), checkpoints=folder, resume=True, layer=layer, **earlier)
        assert file_of(resumed, tmp_path / "resumed") == undisturbed


def test_deterministic_trainings_of_older_versions_are_refused(tmp_path: Path) -> None:
    """Their blocks were smaller, so the position in the text means something else."""
    crashed(tmp_path / "kept", at_epoch=2, deterministic=True)
    for path in CheckpointFolder(tmp_path / "kept").files():
        _, tensors, about = model_file.read(path)
        for name in ("distance_decay", "rate_power"):
            del about["checkpoint"]["key"]["options"][name]
        about["checksum"] = checkpoint.checksum_of(tensors, about)
        model_file.write(path, {name: tensors[name].copy() for name in tensors}, about)
    with pytest.raises(OptionError, match=naming("earlier version", "blocks")):
        train(corpus(), checkpoints=tmp_path / "kept", resume=True, deterministic=True, **OPTIONS)


def test_an_unfinished_training_is_not_overwritten(tmp_path: Path) -> None:
    crashed(tmp_path, at_epoch=2)
    before = [path.name for path in CheckpointFolder(tmp_path).files()]
    for minutes in (10.0, 0.0):
        with pytest.raises(OutputError, match=naming(tmp_path, "resume=True", "restart=True")):
            train(corpus(), checkpoints=tmp_path, checkpoint_minutes=minutes, **OPTIONS)
    assert [path.name for path in CheckpointFolder(tmp_path).files()] == before
    with pytest.raises(OptionError, match=naming("resume", "restart")):
        train(corpus(), checkpoints=tmp_path, resume=True, restart=True, **OPTIONS)
    init = tmp_path / before[0]
    with pytest.raises(OptionError, match=naming(init, "restart")):
        train(corpus(), checkpoints=tmp_path, restart=True, init=init, **OPTIONS)
    vectors = train(corpus(), checkpoints=tmp_path, restart=True, **(OPTIONS | {"seed": 3}))
    assert vectors.options["seed"] == 3
    assert all(load(path).options["seed"] == 3 for path in CheckpointFolder(tmp_path).files())


def test_a_restart_without_checkpoints_removes_old_ones(tmp_path: Path) -> None:
    crashed(tmp_path, at_epoch=2)
    train(corpus(), checkpoints=tmp_path, checkpoint_minutes=0.0, restart=True, **OPTIONS)
    assert not CheckpointFolder(tmp_path).files()


def test_a_checkpoint_on_a_failing_disk_is_not_treated_as_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    crashed(tmp_path, at_epoch=2)

    def failing(*_: object, **__: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(np, "empty", failing)  # used to read the arrays
    with pytest.raises(VectorFileError, match=naming("Input/output error")):
        CheckpointFolder(tmp_path).newest()


def test_resuming_without_a_checkpoint_starts(tmp_path: Path) -> None:
    seen: list[Progress] = []
    folder = tmp_path / "kept"
    train(corpus(), checkpoints=folder, resume=True, report=seen.append, **OPTIONS)
    (event,) = [event for event in seen if isinstance(event, Resuming)]
    assert event.checkpoint is None
    with pytest.raises(OptionError, match=naming("resume", "checkpoints")):
        train(corpus(), resume=True, **OPTIONS)


def test_training_continues_if_a_checkpoint_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "kept"
    crashed(kept, at_epoch=2)
    before = {path: path.read_bytes() for path in CheckpointFolder(kept).files()}

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.warns(OutputWarning, match=naming("No space left on device")):
            vectors = train(corpus(), checkpoints=kept, resume=True, **(OPTIONS | OFTEN))
    assert len(vectors.history) == 3
    assert {path: path.read_bytes() for path in CheckpointFolder(kept).files()} == before


@pytest.mark.parametrize("wrong", ["", 5, True, b"x", ["a"]])
def test_a_folder_that_is_not_a_name_is_refused(wrong: Any) -> None:
    with pytest.raises(OptionError, match=naming("checkpoints", repr(wrong))):
        train(corpus(), checkpoints=wrong, **OPTIONS)


def test_checkpoints_are_not_read_as_text(tmp_path: Path) -> None:
    """A training whose text is the folder it writes to can be resumed."""
    (tmp_path / "text.txt").write_text("\n".join(corpus()))
    undisturbed = file_of(train(tmp_path, **OPTIONS), tmp_path.with_suffix(".model"))
    folder = tmp_path / "model.checkpoints"
    crashed(folder, at_epoch=2)
    resumed = train(tmp_path, checkpoints=folder, resume=True, **OPTIONS)
    assert file_of(resumed, tmp_path.with_suffix(".model")) == undisturbed


def test_training_continues_without_memory_for_a_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_: object, **__: object) -> None:
        raise MemoryError("Unable to allocate 9 GiB")

    for home, name in ((model_file, "write"), (CheckpointWriter, "_write")):
        with monkeypatch.context() as patch:
            patch.setattr(home, name, too_large)
            with pytest.warns(OutputWarning, match=naming("9 GiB")):
                vectors = train(corpus(), checkpoints=tmp_path, **OPTIONS)
        assert len(vectors.history) == 3
    with writer_of(tmp_path, minutes=1) as writer:
        with pytest.warns(OutputWarning, match=naming("9 GiB")):
            writer.write(too_large)  # type: ignore[arg-type]
        assert writer.newest() is None


def test_a_folder_that_cannot_be_made_is_detected_before_the_text_is_read(tmp_path: Path) -> None:
    def never() -> Iterator[str]:
        raise AssertionError("the corpus was read")
        yield ""

    (tmp_path / "file").write_text("mine")
    for name in ("file", "n" * 300, "missing/folder"):
        with pytest.raises(OutputError):
            train(never(), checkpoints=tmp_path / name, **OPTIONS)
    assert (tmp_path / "file").read_text() == "mine"


def test_divergence_keeps_the_last_good_checkpoint(tmp_path: Path) -> None:
    from hyperskip.training.cpu.backend import CpuBackend
    from hyperskip.training.run.divergence import DivergenceCheck

    checks: list[Position] = []
    check = DivergenceCheck.check

    def failing(self: DivergenceCheck, position: Position, rate: float) -> None:
        checks.append(position)
        if position.epoch == 2:
            assert isinstance(self._backend, CpuBackend)
            self._backend.layers.centers[3, :] = np.nan
        check(self, position, rate)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DivergenceCheck, "check", failing)
        with pytest.raises(DivergenceError, match=naming("epoch", 3, "radius", "nan")) as caught:
            train(corpus(), checkpoints=tmp_path, **(OPTIONS | OFTEN))
    newest = CheckpointFolder(tmp_path).newest()
    assert newest is not None
    assert str(newest.path) in str(caught.value.hint)
    assert np.isfinite(newest.vectors.coordinates).all()


def writer_of(folder: Path, minutes: float) -> CheckpointWriter:
    def model(state: State) -> WordVectors:
        return WordVectors(["a", "b"], np.asarray(state.parameters.centers, dtype=np.float32))

    return CheckpointWriter(CheckpointFolder(folder), Key({}, "", None), model, minutes)


def state_at(block: int) -> State:
    centers, times = np.zeros((2, 3), dtype=np.float32), np.ones((1, 2), dtype=np.float32)
    return State(Position(0, block), Parameters(centers, None, 3.0, times))


def test_checkpoints_are_written_in_the_background(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a checkpoint is being written, no other is due, and training does not wait."""
    may_write, save = threading.Event(), checkpoint.save

    def slowly(*arguments: Any) -> None:
        may_write.wait(30)
        save(*arguments)

    monkeypatch.setattr(checkpoint, "save", slowly)
    with writer_of(tmp_path, minutes=1e-9) as writer:
        assert writer.is_due()
        writer.write(lambda: state_at(1))
        time.sleep(0.01)
        assert not writer.is_due()
        assert not writer.is_affordable()
        may_write.set()
        assert writer.write_now(lambda: state_at(1), state_at(1).position) is not None
        assert len(CheckpointFolder(tmp_path).files()) == 1  # it is not written again
        assert writer.is_due()


def test_short_epochs_do_not_spend_much_time_on_checkpoints(tmp_path: Path) -> None:
    with writer_of(tmp_path, minutes=60) as writer:
        assert writer.is_affordable()
        writer.write_now(lambda: state_at(1), state_at(1).position)
        assert not writer.is_due()
        assert writer._cost > 0
        writer._cost = 3600.0
        assert not writer.is_affordable()
        writer._cost = 0.0
        assert writer.is_affordable()


# -- the program


def command(text: Path, model: Path, *options: str) -> list[str]:
    arguments = ("train", str(text), "-o", str(model), "--dimension", "6", "--epochs", "6")
    return [sys.executable, "-m", "hyperskip", *arguments, "--subsample", "1e-3", *options]


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("text") / "text.txt"
    path.write_text("\n".join(builtin.sentences(400_000)))
    return path


@pytest.mark.parametrize(
    "times",
    [4, pytest.param(20, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])],
)
@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("--threads", "1"), marks=pytest.mark.slow),
        ("--threads", "2", "--deterministic"),
    ],
    ids=["one thread", "deterministic with two"],
)
def test_killed_many_times_training_ends_with_the_same_bytes(
    options: tuple[str, ...], times: int, text: Path, tmp_path: Path
) -> None:
    undisturbed, disturbed = tmp_path / "undisturbed", tmp_path / "disturbed"
    began = time.monotonic()
    subprocess.run(command(text, undisturbed, *options), check=True, capture_output=True)
    seconds = time.monotonic() - began
    moments = random.Random(times)
    often = ("--checkpoint-minutes", "0.0005", "--resume")
    for _ in range(times):
        with subprocess.Popen(
            command(text, disturbed, *options, *often), stderr=subprocess.PIPE
        ) as process:
            try:
                # Some are killed while they start, and some get further.
                process.wait(moments.uniform(0, 0.8 * seconds))
            except subprocess.TimeoutExpired:
                process.kill()
            else:  # it was finished: start again
                assert process.returncode == 0
                assert disturbed.read_bytes() == undisturbed.read_bytes()
                disturbed.unlink()
    subprocess.run(command(text, disturbed, *options, *often), check=True, capture_output=True)
    assert disturbed.read_bytes() == undisturbed.read_bytes()
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith(".hyperskip-")}
    assert left == {"undisturbed", "disturbed"}


@contextmanager
def training(command: list[str], until: str = "epoch 1") -> Iterator[subprocess.Popen[str]]:
    """Run the program until it writes a line that begins like this; kill it at the end."""
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        try:
            wait_for(until, process)
            yield process
        finally:
            process.kill()


def wait_for(beginning: str, process: subprocess.Popen[str]) -> None:
    """Read the messages of a program until one begins like this."""
    assert process.stderr is not None
    while not process.stderr.readline().startswith(beginning):
        assert process.poll() is None


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a program; return its exit code and remaining messages."""
    _, messages = process.communicate(timeout=300)
    return process.returncode, messages


def interrupted(command: list[str], number: int) -> tuple[int, str]:
    """Send a signal to a program while it trains; return its exit code and messages."""
    with training(command) as process:
        process.send_signal(number)
        return ended(process)


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_writes_a_checkpoint_and_says_how_to_resume(
    name: str, code: int, text: Path, tmp_path: Path
) -> None:
    model = tmp_path / "model"
    line = command(text, model, "--threads", "2", "--epochs", "500")
    returned, messages = interrupted(line, getattr(signal, name))
    assert returned == code, messages
    assert "Traceback" not in messages
    assert f"hyperskip train --resume {text} -o {model}" in messages
    assert not model.exists()
    folder = CheckpointFolder(tmp_path / "model.checkpoints")
    newest = folder.newest()
    assert newest is not None
    assert re.search(naming("epoch", newest.position.epoch + 1, 500, newest.path), messages)
    again = subprocess.run(line, capture_output=True, text=True)
    assert again.returncode == 2
    assert re.search(naming(folder.path, "--resume", "--restart"), again.stderr)


# The program, with messages when a block begins and when a signal was received.
TELLING = """
import os
from hyperskip.cli.main import main
from hyperskip.interruption import Interruption
from hyperskip.training.run.block_training import BlockTraining

train_block, note = BlockTraining._train_block, Interruption._note

def telling_train_block(*arguments):
    os.write(2, b"a block begins\\n")
    return train_block(*arguments)

def telling_note(*arguments):
    note(*arguments)
    os.write(2, b"a signal was received\\n")

BlockTraining._train_block, Interruption._note = telling_train_block, telling_note
main()
"""


@pytest.mark.slow
def test_a_second_signal_stops_at_once(text: Path, tmp_path: Path) -> None:
    """Even if the current block would take minutes."""
    slow = "--schedule pairwise --dimension 4096 --negatives 500 --subsample 0".split()
    compiled = command(text, tmp_path / "compiled", "--schedule", "pairwise", "--epochs", "1")
    subprocess.run(compiled, check=True, capture_output=True)
    arguments = command(text, tmp_path / "model", *slow)[3:]
    line = [sys.executable, "-c", TELLING, *arguments]
    with training(line, until="a block begins") as process:
        process.send_signal(signal.SIGINT)
        wait_for("a signal was received", process)
        process.send_signal(signal.SIGINT)
        code, messages = ended(process)
    assert code == 130, messages
    assert "Traceback" not in messages
    assert not CheckpointFolder(tmp_path / "model.checkpoints").files()


def test_signals_that_nohup_ignores_stay_ignored(text: Path, tmp_path: Path) -> None:
    line = command(text, tmp_path / "model", "--threads", "1")
    ignoring = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *line]
    code, messages = interrupted(ignoring, signal.SIGHUP)
    assert code == 0, messages
    assert (tmp_path / "model").exists()


@pytest.mark.slow
def test_a_model_that_cannot_be_written_is_not_lost(text: Path, tmp_path: Path) -> None:
    """A folder with the name of the model appears during training; later it can be saved."""
    model = tmp_path / "model"
    line = command(text, model, "--threads", "1", "--epochs", "20")
    with training(line) as process:
        model.mkdir()
        code, messages = ended(process)
    assert code == 2
    assert str(CheckpointFolder(tmp_path / "model.checkpoints").files()[0]) in messages
    model.rmdir()
    done = subprocess.run([*line, "--resume"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not re.search("^epoch ", done.stderr, re.MULTILINE)  # nothing was trained again
    assert len(load(model).history) == 20
    assert not (tmp_path / "model.checkpoints").exists()


def test_two_trainings_cannot_write_the_same_model(text: Path, tmp_path: Path) -> None:
    line = command(text, tmp_path / "model", "--threads", "1", "--epochs", "500")
    with training(line) as first:
        second = subprocess.run(line, capture_output=True, text=True)
        assert second.returncode == 2
        assert re.search(naming(first.pid, tmp_path / "model"), second.stderr)
        first.terminate()
        code, messages = ended(first)
    assert code == 143
    assert "hyperskip train --resume" in messages


def test_checkpoint_options_are_not_stored_in_the_model(tmp_path: Path) -> None:
    vectors = train(corpus(), checkpoints=tmp_path, checkpoint_minutes=7.0, **OPTIONS)
    assert not {"resume", "restart", "checkpoint_minutes"} & vectors.options.keys()
    assert json.dumps(dict(vectors.options))


@pytest.mark.parametrize("fate", ["removed", pytest.param("grown", marks=pytest.mark.slow)])
def test_the_text_is_not_needed_after_it_is_read(fate: str, text: Path, tmp_path: Path) -> None:
    """But resuming needs the same text."""
    own, model = tmp_path / "own.txt", tmp_path / "model"
    shutil.copy(text, own)
    with training(command(own, model, "--threads", "1")) as process:
        if fate == "removed":
            own.unlink()
        else:
            with own.open("a") as file:
                file.write("\nand more words\n" * 100)
        code, messages = ended(process)
    assert code == 0, messages
    undisturbed = tmp_path / "undisturbed"
    subprocess.run(command(text, undisturbed, "--threads", "1"), check=True, capture_output=True)
    assert model.read_bytes() == undisturbed.read_bytes()
    model.unlink()
    long = ("--threads", "1", "--epochs", "500")
    assert interrupted(command(text, model, *long), signal.SIGTERM)[0] == 143
    line = command(own, model, *long, "--resume")
    resumed = subprocess.run(line, capture_output=True, text=True)
    assert resumed.returncode == 2
    fact = "--restart" if fate == "grown" else own
    assert re.search(naming(fact), resumed.stderr)
    assert CheckpointFolder(tmp_path / "model.checkpoints").newest() is not None
