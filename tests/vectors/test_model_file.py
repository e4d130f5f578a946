"""The model file keeps everything, and every damage to it raises one clear error."""

import contextlib
import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors import safe_open
from safetensors.numpy import save as packed_by_safetensors
from safetensors.numpy import save_file
from subword_models import table_of

from hyperskip.errors import NewerFileError, OutputError, VectorFileError
from hyperskip.vectors import model_file
from hyperskip.vectors.container import read_header, write_packed
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.model_file import load, save
from hyperskip.vectors.word_vectors import WordVectors

ODD_WORDS = (
    *("the", "", " ", "New York", "tab\there", "new\nline", "carriage\rreturn", "\0", "nul\0"),
    *("\u2028", "\u0085", "\u00a0", "日本語", "\U0001f600", "\ud800", "\udcff\udcfe", "nan", '"'),
)


def odd_vectors(geometry: str = "hyperboloid", words: tuple[str, ...] = ODD_WORDS) -> WordVectors:
    coordinates = np.random.default_rng(3).standard_normal((len(words), 4)).astype(np.float32)
    return WordVectors(
        words,
        coordinates,
        counts=np.arange(len(words), 0, -1) * 10**12,
        geometry=geometry,
        options={"seed": 7, "rate": 0.1, "name": "naïve", "none": None, "list": [1, 2]},
        history=[{"epoch": 1, "loss": 2.5}, {"epoch": 2, "loss": 1.0 / 3}],
    )


def refused(path: Path, *facts: object) -> VectorFileError:
    with pytest.raises(VectorFileError) as caught:
        load(path)
    assert re.search(naming(path, *facts), caught.value.message)
    return caught.value


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    save(odd_vectors(), path)
    return path


# -- round trip


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_everything_is_kept(tmp_path: Path, geometry: str) -> None:
    vectors = odd_vectors(geometry)
    path = tmp_path / "model.safetensors"
    vectors.save(str(path))
    read = load(str(path))
    assert read.words == vectors.words
    assert read.geometry == geometry
    assert read.options == vectors.options
    assert read.history == vectors.history
    assert read.counts.dtype == np.int64
    assert read.coordinates.dtype == np.float32
    np.testing.assert_array_equal(read.counts, vectors.counts)
    np.testing.assert_array_equal(read.coordinates, vectors.coordinates)
    assert list(tmp_path.iterdir()) == [path]


@settings(max_examples=50)
@given(
    st.lists(
        st.text(st.characters(exclude_categories=()), max_size=5),
        min_size=1,
        max_size=6,
        unique=True,
    )
)
def test_any_words_are_kept(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    path = tmp_path_factory.getbasetemp() / "any_words.safetensors"
    save(odd_vectors(words=tuple(words)), path)
    assert load(path).words == tuple(words)


def test_the_same_vectors_give_the_same_bytes(model: Path) -> None:
    before = model.read_bytes()
    save(odd_vectors(), model)
    assert model.read_bytes() == before


def test_a_loaded_model_can_be_saved_over_itself(model: Path) -> None:
    save(load(model), model)
    assert load(model).words == ODD_WORDS
    np.testing.assert_array_equal(load(model).coordinates, odd_vectors().coordinates)


@pytest.mark.parametrize("size", [0, 100, 8192], ids=["emptied", "truncated", "overwritten"])
def test_a_model_stays_the_same_when_its_file_changes(tmp_path: Path, size: int) -> None:
    path = tmp_path / "model"
    saved = WordVectors(["a", "b"], np.arange(2000, dtype=np.float32).reshape(2, 1000))
    saved.save(path)
    code = (
        "import sys, numpy; from pathlib import Path; from hyperskip import load\n"
        "path, size = Path(sys.argv[1]), int(sys.argv[2]); vectors = load(path)\n"
        "with path.open('r+b') as file: file.write(bytes(size)); file.truncate(size)\n"
        "print(int(vectors.coordinates.sum()), int(vectors.counts.sum()), vectors.words)"
    )
    command = [sys.executable, "-c", code, str(path), str(size)]
    done = subprocess.run(command, capture_output=True, text=True)  # SIGBUS would kill the process
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(maxsplit=2) == [str(1999 * 1000), "0", "('a', 'b')\n"]


@pytest.mark.parametrize("size", [-1, 0, 1], ids=["shorter", "the same size", "longer"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    model: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    whole = model.read_bytes()
    make = np.empty

    def write_and_make(*arguments: Any, **options: Any) -> Any:
        model.write_bytes((whole + b" ")[: len(whole) + size])
        os.utime(model, ns=(1, 1))
        return make(*arguments, **options)

    monkeypatch.setattr(np, "empty", write_and_make)
    refused(model, "changed while it was read")


# -- damaged files


def test_file_cut_at_any_byte(model: Path, tmp_path: Path) -> None:
    whole = model.read_bytes()
    cut = tmp_path / "cut.safetensors"
    for size in (*range(0, len(whole), 11), len(whole) - 1):
        cut.write_bytes(whole[:size])
        assert refused(cut).hint
    cut.write_bytes(whole + b"x")
    refused(cut)


def test_flipped_bytes_of_the_header(model: Path, tmp_path: Path) -> None:
    whole = model.read_bytes()
    damaged = tmp_path / "damaged.safetensors"
    header_bytes = 8 + int.from_bytes(whole[:8], "little")
    for place in range(0, header_bytes, 3):
        flipped = bytearray(whole)
        flipped[place] ^= 0x11
        damaged.write_bytes(flipped)
        with contextlib.suppress(VectorFileError):  # only the text of an option may have changed
            load(damaged)


def test_missing_and_foreign_files(tmp_path: Path) -> None:
    refused(tmp_path / "none.safetensors")
    refused(tmp_path)
    text = tmp_path / "text.txt"
    text.write_text("the 1 2 3\n" * 100)
    assert "import" in str(refused(text, "not a hyperskip model").hint)
    text.write_text("")
    refused(text, "empty")
    text.write_bytes(b"\x40\0\0\0\0\0\0\0{")
    refused(text, "incomplete")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "hyperskip-corpus.json").touch()
    refused(tmp_path / "corpus", "encoded corpus")
    foreign = tmp_path / "foreign.safetensors"
    for metadata in (None, {"format": "pt"}):
        save_file({"weight": np.zeros(3)}, foreign, metadata)
        assert "import" in str(refused(foreign).hint)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(model: Path) -> None:
    model.chmod(0)
    refused(model, os.strerror(errno.EACCES))


def rewritten(model: Path, **changes: Any) -> Path:
    """Write a small valid model with these changes; None leaves a part out."""
    tensors: dict[str, Any] = {
        "coordinates": np.zeros((2, 3), dtype=np.float32),
        "counts": np.array([2, 1]),
        "words": np.frombuffer("aé".encode(), dtype=np.uint8),
        "word_ends": np.array([1, 3]),
    }
    about: dict[str, Any] = {
        "format_version": 1,
        "hyperskip_version": "1.0",
        "geometry": "hyperboloid",
        "options": {},
        "history": [],
    }
    for name, value in changes.items():
        (tensors if name in tensors else about)[name] = value
    save_file(
        {name: value for name, value in tensors.items() if value is not None},
        model,
        {"hyperskip": json.dumps({k: v for k, v in about.items() if v is not None})},
    )
    return model


def test_rewritten_file(model: Path) -> None:
    assert load(rewritten(model)).words == ("a", "é")


@pytest.mark.parametrize(
    "changes",
    [
        *({name: None} for name in ("coordinates", "counts", "words", "word_ends")),
        *({name: None} for name in ("geometry", "options", "history", "format_version")),
        {"word_ends": np.array([1])},
        {"word_ends": np.array([1, 2])},
        {"word_ends": np.array([2, 3])},
        {"word_ends": np.array([3, 1])},
        {"word_ends": np.array([-1, 3])},
        {"word_ends": np.array([1, 2, 3])},
        {"words": np.frombuffer(b"a\xff\xff", dtype=np.uint8)},
        {"counts": np.array([1, 2, 3])},
        {"counts": np.array([1.0, 2.0])},
        {"coordinates": np.zeros((3, 3), dtype=np.float32)},
        {"coordinates": np.zeros(2, dtype=np.float32)},
        {"coordinates": np.zeros((2, 3))},
        {"geometry": "spherical"},
        {"geometry": 3},
        {"options": 3},
        {"options": [3]},
        {"history": [3]},
        {"history": 3},
    ],
)
def test_inconsistent_files(model: Path, changes: dict[str, Any]) -> None:
    refused(rewritten(model, **changes))


def with_hierarchy(model: Path, **changes: Any) -> Path:
    """Write a small valid model with a hierarchy and these changes; None leaves a part out."""
    parts: dict[str, Any] = {
        "hierarchy": np.ones((2, 4), dtype=np.float32),
        "hierarchy_evidence": np.array([1, 0]),
    }
    calibration: dict[str, Any] = {"slope": 1.5, "offset": -2, "edge": 3.0}
    for name, value in changes.items():
        (parts if name in parts else calibration)[name] = value
    calibration = {name: value for name, value in calibration.items() if value is not None}
    return with_arrays(rewritten(model, format_version=3, hierarchy=calibration), parts)


def with_arrays(path: Path, arrays: dict[str, Any]) -> Path:
    """Add arrays to a file, except for those that are None."""
    with safe_open(path, framework="numpy") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        metadata = file.metadata()
    tensors |= {name: value for name, value in arrays.items() if value is not None}
    save_file(tensors, path, metadata)
    return path


def test_a_rewritten_file_with_a_hierarchy(model: Path) -> None:
    hierarchy = load(with_hierarchy(model)).hierarchy
    assert hierarchy is not None
    assert (hierarchy.slope, hierarchy.offset, hierarchy.edge) == (1.5, -2.0, 3.0)
    assert hierarchy.coordinates.shape == (2, 4)


@pytest.mark.parametrize(
    "changes",
    [
        *({name: None} for name in ("hierarchy", "hierarchy_evidence", "slope", "offset", "edge")),
        {"hierarchy": np.ones((3, 4), dtype=np.float32), "hierarchy_evidence": np.ones(3, int)},
        {"hierarchy": np.ones((3, 4), dtype=np.float32)},
        {"hierarchy": np.ones(2, dtype=np.float32)},
        {"hierarchy": np.ones((2, 4))},
        {"hierarchy": np.full((2, 4), np.nan, dtype=np.float32)},
        {"hierarchy_evidence": np.array([-1, 2])},
        {"hierarchy_evidence": np.array([1.0, 2.0], dtype=np.float32)},
        *({"slope": 0}, {"slope": -1.0}, {"slope": "1"}, {"slope": True}, {"slope": [1.0]}),
        *({"slope": float("nan")}, {"slope": 10**400}, {"offset": "1"}, {"offset": False}),
        *({"offset": []}, {"offset": float("inf")}, {"edge": 0.1}, {"edge": "3"}, {"edge": [3.0]}),
    ],
)
def test_inconsistent_hierarchies(model: Path, changes: dict[str, Any]) -> None:
    refused(with_hierarchy(model, **changes))


@pytest.mark.parametrize("calibration", [None, 3, [1.5, -2.0, 3.0], "steep", {}])
def test_a_file_of_version_3_has_a_hierarchy(model: Path, calibration: object) -> None:
    refused(rewritten(model, format_version=3, hierarchy=calibration))


def with_ngrams(model: Path, **changes: Any) -> Path:
    """Write a small valid model with subwords and these changes; None leaves a part out."""
    arrays: dict[str, Any] = {
        "subword_buckets": np.array([2, 5, 9]),
        "subwords": np.ones((3, 3), dtype=np.float32),
    }
    scheme: dict[str, Any] = {"shortest": 3, "longest": 6, "buckets": 10, "hashes": 0}
    for name, value in changes.items():
        (arrays if name in arrays else scheme)[name] = value
    scheme = {name: value for name, value in scheme.items() if value is not None}
    return with_arrays(rewritten(model, format_version=4, subwords=scheme), arrays)


def test_a_rewritten_file_with_subwords(model: Path) -> None:
    table = load(with_ngrams(model)).subwords
    assert table is not None
    assert table.buckets.tolist() == [2, 5, 9]
    assert table.scheme.longest == 6


@pytest.mark.parametrize(
    "changes",
    [
        *({name: None} for name in ("subword_buckets", "subwords", "shortest", "buckets")),
        *({"subword_buckets": np.array(wrong)} for wrong in ([5, 2, 9], [2, 2, 9], [-1, 2, 9])),
        *({"subword_buckets": np.array(wrong)} for wrong in ([2, 5, 10], [2, 5], [[2], [5], [9]])),
        {"subword_buckets": np.array([2, 5, 9], dtype=np.float32)},
        {"subwords": np.ones((2, 3), dtype=np.float32)},
        {"subwords": np.ones((3, 4), dtype=np.float32)},
        {"subwords": np.ones(3, dtype=np.float32)},
        {"subwords": np.full((3, 3), np.inf, dtype=np.float32)},
        *({"shortest": 0}, {"shortest": 7}, {"shortest": True}, {"longest": 101}, {"longest": "6"}),
        *({"buckets": 0}, {"buckets": 10**400}, {"buckets": 2.5}, {"hashes": 5}, {"hashes": -1}),
        *({"longest": None, "hash": 1}, {"marks": True}),
    ],
)
def test_inconsistent_subwords(model: Path, changes: dict[str, Any]) -> None:
    refused(with_ngrams(model, **changes))


@pytest.mark.parametrize("scheme", [None, 3, [3, 6, 10], "fasttext", {}])
def test_a_file_of_version_4_has_subwords(model: Path, scheme: object) -> None:
    refused(rewritten(model, format_version=4, subwords=scheme))


def test_files_have_the_lowest_version_that_can_hold_them(tmp_path: Path) -> None:
    words, numbers = ["a", "b"], np.eye(2)
    points = HierarchyPoints(np.eye(2), slope=1.0, offset=0.0, evidence=[1, 1])
    for version, vectors in {
        1: WordVectors(words, numbers),
        2: WordVectors(words, numbers, factors=2),
        3: WordVectors(words, numbers, factors=2, hierarchy=points),
        4: WordVectors(words, numbers, factors=2, subwords=table_of(["ab"], dimension=2)),
    }.items():
        vectors.save(tmp_path / "model")
        about = read_header(tmp_path / "model").about
        assert about is not None
        assert about["format_version"] == version
        assert load(tmp_path / "model").factors == vectors.factors


def test_newer_format(model: Path) -> None:
    for unknown in (
        {},
        {"history": 3, "coordinates": None},
        {"history": None, "words": np.array([1.5])},
    ):
        with pytest.raises(NewerFileError, match=naming(model, 99)):
            load(rewritten(model, format_version=99, **unknown))


def test_newer_arrays(model: Path) -> None:
    data = rewritten(model, format_version=99).read_bytes()
    model.write_bytes(data.replace(b'"F32"', b'"F07"'))  # a type that safetensors does not know
    with pytest.raises(NewerFileError, match=naming(model, 99)):
        load(model)
    model.write_bytes(data[:-10])
    with pytest.raises(NewerFileError, match=naming(model, 99)):
        load(model)


@pytest.mark.parametrize("version", [0, -1, 1.5, True, "2", None, [1]])
def test_invalid_version(model: Path, version: object) -> None:
    refused(rewritten(model, format_version=version))


@pytest.mark.parametrize("about", ["", "{", "3", "[]", "null", "{}", "[" * 100_000])
def test_invalid_metadata(tmp_path: Path, about: str) -> None:
    path = tmp_path / "model"
    save_file({"counts": np.array([1])}, path, {"hyperskip": about})
    refused(path)


# -- paths that cannot be written


def test_a_failed_save_leaves_the_old_file(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = model.read_bytes()

    def fill_the_disk(file: IO[bytes], *_: object) -> None:
        file.write(b"half of a model")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(model_file, "write_packed", fill_the_disk)
    for path in (model, model.with_name("new")):
        with pytest.raises(OutputError, match=naming(path, os.strerror(errno.ENOSPC))):
            save(odd_vectors(), path)
    assert model.read_bytes() == before
    assert list(model.parent.iterdir()) == [model]


def test_an_interrupted_save_leaves_the_old_file(
    model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = model.read_bytes()

    def interrupt(file: IO[bytes], *_: object) -> None:
        file.write(b"half of a model")
        raise KeyboardInterrupt

    monkeypatch.setattr(model_file, "write_packed", interrupt)
    with pytest.raises(KeyboardInterrupt):
        save(odd_vectors(), model)
    assert model.read_bytes() == before
    assert list(model.parent.iterdir()) == [model]


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path / "missing" / "model", tmp_path):
        with pytest.raises(OutputError, match=naming(path)):
            save(odd_vectors(), path)
    assert list(tmp_path.iterdir()) == []


def test_models_are_readable_by_other_users(tmp_path: Path) -> None:
    (tmp_path / "ordinary").touch()
    WordVectors(["a"], np.zeros((1, 2), dtype=np.float32)).save(tmp_path / "model")
    assert (tmp_path / "model").stat().st_mode == (tmp_path / "ordinary").stat().st_mode


def test_a_damaged_history_is_found_when_loading(tmp_path: Path) -> None:
    for history in (
        [{"x": 1}],
        [{"epoch": 1, "loss": "abc"}],
        [{"epoch": "1", "loss": 0.5}],
        [{"epoch": 1, "loss": 10**400}],
    ):
        vectors = WordVectors(["a"], np.zeros((1, 2), dtype=np.float32), history=history)
        vectors.save(tmp_path / "model")
        with pytest.raises(VectorFileError, match=naming(tmp_path / "model")):
            load(tmp_path / "model")


def test_files_are_those_of_safetensors() -> None:
    generator = np.random.default_rng(0)
    arrays: dict[str, npt.NDArray[Any]] = {
        "words": np.frombuffer("añb".encode(), dtype=np.uint8),
        "coordinates": generator.normal(size=(3, 2)).astype(np.float32),
        "counts": np.arange(3),
        "places": generator.normal(size=(2, 2)),
        "a": np.zeros((0, 4), dtype=np.float32),
        "z": np.zeros((0,), dtype=np.int64),
    }
    about = {"b": [1, None, 0.5], "a": 'quo"te\\ \n é \u2028 \U0001f600'}
    for names in (list(arrays), ["words"], ["z", "words"], ["places", "counts", "coordinates"]):
        chosen = {name: arrays[name] for name in names}
        file = io.BytesIO()
        write_packed(file, chosen, about)
        assert file.getvalue() == packed_by_safetensors(
            chosen, {"hyperskip": json.dumps(about, sort_keys=True)}
        )


def test_checkpoints_are_named_if_there_is_no_model_yet(tmp_path: Path) -> None:
    folder = tmp_path / "model.safetensors.checkpoints"
    folder.mkdir()
    with pytest.raises(VectorFileError, match="there is no file") as empty:
        load(tmp_path / "model.safetensors")
    assert str(folder) not in str(empty.value.hint)
    (folder / "1.safetensors").touch()
    with pytest.raises(VectorFileError, match="there is no file") as caught:
        load(tmp_path / "model.safetensors")
    assert str(folder) in str(caught.value.hint)
    assert "--resume" in str(caught.value.hint)
    refused(tmp_path / ("x" * 250), "there is no file")
