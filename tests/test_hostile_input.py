"""Hostile files are refused with a HyperskipError, in little time and memory, and execute no code.

`make fuzz` tests the same readers with far more of them; its earlier findings are in regressions/.
"""

import json
import os
import pickle
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import bombs
import guard
import mutations
import numpy as np
import pytest
import run
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from targets import TARGETS, Target

import hyperskip
from hyperskip.errors import CorpusError, InputError, OutputError, VectorFileError
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import CorpusReader

REGRESSIONS = sorted(path for path in (Path(__file__).parent / "regressions").glob("*/*"))

EACH_READER = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


@EACH_READER
def test_valid_files_are_accepted(target: Target) -> None:
    for data in target.seeds():
        assert target.read(data)


@EACH_READER
@settings(max_examples=40)
@given(data=st.binary(max_size=300))
def test_any_bytes(target: Target, data: bytes) -> None:
    target.read(data)


@EACH_READER
def test_mutated_files(target: Target) -> None:
    for number in range(300):
        target.read(target.hostile(number))


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_fuzzing_found(path: Path) -> None:
    TARGETS[path.parent.name].read(path.read_bytes())


# -- more than any memory


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The result of reading each bomb, in one process with little memory."""
    folder = tmp_path_factory.mktemp("bombs")
    command = [sys.executable, bombs.__file__, str(folder)]
    environment = os.environ | {"MALLOC_ARENA_MAX": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-2000:]
    lines = map(json.loads, done.stdout.splitlines())
    return {line["name"]: line["outcome"] for line in lines}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory limits differ on other systems")
@pytest.mark.parametrize("name", bombs.BOMBS)
def test_bombs_are_read_in_bounded_memory(outcomes: dict[str, str], name: str) -> None:
    expected = "read" if name in bombs.READABLE else bombs.ERRORS
    assert outcomes[name].startswith(expected)


def test_very_long_words_count_as_several(tmp_path: Path) -> None:
    text = "".join(f"{letter * 20_000} " for letter in "abcdefgh") + "word word and word " * 10
    (tmp_path / "text").write_text(text)
    corpus = hyperskip.encode(
        tmp_path / "text", tmp_path / "kept", min_count=1, vocabulary_limit=1000
    )
    assert corpus.vocabulary.words == ("word", "and")
    assert (corpus.pruned.words, corpus.pruned.tokens) == (8, 8)


# -- no code is executed, and nothing is written elsewhere


class Trap:
    """Loading a pickle of it creates a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.touch, (self.path,)


def test_pickles_are_not_loaded(tmp_path: Path) -> None:
    trap = pickle.dumps(Trap(tmp_path / "sprung"))
    objects = bombs.npy("|O", (1,), trap)
    empty = bombs.npy("<i8", (1,), bytes(8))
    for content in (
        trap,
        objects,
        bombs.named_npz(objects, empty, empty),
        bombs.npz(coordinates=objects),
        bombs.npz(coordinates=trap),
    ):
        for target in TARGETS.values():
            target.read(content)
        (tmp_path / "trap.npz").write_bytes(content)
        with pytest.raises(VectorFileError, match=naming(tmp_path / "trap.npz", "npz")):
            hyperskip.import_vectors(tmp_path / "trap.npz")
    assert not (tmp_path / "sprung").exists()


def test_members_with_paths_outside_of_the_folder(tmp_path: Path) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    with zipfile.ZipFile(inside / "v.npz", "w") as archive:
        for name in ("../escaped.npy", str(tmp_path / "absolute.npy"), "..\\escaped.npy"):
            archive.writestr(name, bombs.npy("<i8", (1,), bytes(8)))
    with pytest.raises(VectorFileError, match=naming(inside / "v.npz", "npz")):
        hyperskip.import_vectors(inside / "v.npz")
    assert sorted(tmp_path.rglob("*")) == [tmp_path / "a", inside, inside / "v.npz"]


@pytest.mark.parametrize("given_path", ["/", "/**/none", "/proc/*/fd/*", "-", "\0", "\ud800", "*"])
def test_paths_in_a_header_are_not_scanned(tmp_path: Path, given_path: str) -> None:
    framed = TARGETS["encoded"].seeds()[0]
    length = int.from_bytes(framed[:4], "little")
    about = json.loads(framed[4 : 4 + length])
    about["given"] = [given_path]
    header = json.dumps(about).encode()
    assert TARGETS["encoded"].read(
        len(header).to_bytes(4, "little") + header + framed[4 + length :]
    )


def test_a_pipe_in_a_corpus_does_not_block(tmp_path: Path) -> None:
    hyperskip.encode([["a", "b", "a"]], tmp_path / "kept", min_count=1)
    for name in ("tokens.i32", "words.utf8", "word-counts.i64"):
        (tmp_path / "kept" / name).unlink()
        os.mkfifo(tmp_path / "kept" / name)
        with pytest.raises(CorpusError, match=naming(tmp_path / "kept", name, 0)):
            hyperskip.open_encoded(tmp_path / "kept")


# -- names


@pytest.mark.parametrize("name", ["a\0b.txt", "\ud800.txt", "new\nline.txt", "x" * 5000, "\0"])
def test_invalid_file_names(name: str, tmp_path: Path) -> None:
    vectors = hyperskip.WordVectors(["a", "b"], np.zeros((2, 1), dtype=np.float32))
    readers: list[Callable[[str], Any]] = [
        hyperskip.load,
        hyperskip.open_encoded,
        similarity_pairs,
        analogy_questions,
        hypernymy_pairs,
        lambda name: hyperskip.import_vectors(name, format="glove"),
        lambda name: hyperskip.import_vectors(name, format="npz"),
        lambda name: list(CorpusReader(name, TextOptions(), 1)),
        lambda name: list(CorpusReader([Path(name)], TextOptions(), 1)),
    ]
    for read in readers:
        with pytest.raises(InputError) as caught:
            read(name)
        assert caught.value.hint
    for write in (
        vectors.save,
        lambda name: hyperskip.export_vectors(vectors, name, format="glove"),
        lambda name: hyperskip.encode(["a b"] * 5, name),
    ):
        if name != "new\nline.txt":  # it is valid
            with pytest.raises(OutputError):
                write(str(tmp_path / name))


# -- the fuzzer itself


def test_an_input_depends_only_on_its_number() -> None:
    for target in TARGETS.values():
        assert [target.hostile(7), target.hostile(70)] == [target.hostile(7), target.hostile(70)]


def test_edits_do_something() -> None:
    text = b"12 some text of 34 words, and a number: 56"
    generator = random.Random(1)
    made = {mutations.mutated([text], generator, None) for _ in range(500)}
    assert len(made) > 450
    assert any(b"1000000000000" in data for data in made)


@pytest.fixture
def alarm() -> Iterator[None]:
    """Install the alarm of the guard instead of that of pytest-timeout."""
    seconds = signal.getitimer(signal.ITIMER_REAL)
    before = signal.signal(signal.SIGALRM, guard.too_slow)
    yield
    signal.signal(signal.SIGALRM, before)
    signal.setitimer(signal.ITIMER_REAL, *seconds)


def test_other_errors_are_found_and_minimized(alarm: None) -> None:
    def read(data: bytes) -> None:
        if b"slow" in data:
            while True:
                pass
        if b"bad" in data:
            raise ZeroDivisionError("bad")
        raise InputError("fine")

    target = Target("test", read, lambda: [b"good"], None)
    assert guard.tried(target, b"good") is None
    slow = guard.tried(target, b"slow", seconds=0.5)
    assert slow is not None
    assert slow.error.startswith("TooSlowError")
    data = b"a long input with something bad somewhere in it"
    found = guard.tried(target, data)
    assert found is not None
    assert found.error == "ZeroDivisionError: 'bad'"
    assert guard.minimized(target, data, found) == b"bad"


@pytest.mark.parametrize(
    ("program", "ended"),
    [
        ("print('{}')", None),
        ("import os; os.abort()", "ended with -6"),
        ("import time; time.sleep(60)", "hung for 0.5 s"),
    ],
)
def test_processes_are_watched(tmp_path: Path, program: str, ended: str | None) -> None:
    seconds = 0.5 if ended and "hung" in ended else 60
    (tmp_path / "position").write_bytes(bytes(8))
    output, how = run.watched(
        [sys.executable, "-c", program], tmp_path / "position", seconds_to_start=seconds
    )
    assert how == ended
    assert output == ("{}\n" if ended is None else "")


def test_a_run_reports_its_results(tmp_path: Path) -> None:
    report = run.by_mutations("analogy", 50, 60, tmp_path / "findings")
    assert (report.inputs, report.wanted, report.findings) == (50, 50, [])
    assert report.peak_mib > 0
