"""Files truncated at any byte raise an error that names them."""

import contextlib
from pathlib import Path

import numpy as np
import pytest

from hyperskip import WordVectors, encode, load, open_encoded
from hyperskip.errors import CorpusError, VectorFileError
from hyperskip.vectors.exchange.exporting import export_vectors
from hyperskip.vectors.exchange.importing import import_vectors

WORDS = ("dog", "cat", "zwölf")
VECTORS = WordVectors(
    WORDS,
    np.array([[0.5, 1.25], [-2, 0.125], [3, 0.7]], dtype=np.float32),
    counts=np.array([9, 5, 2]),
    options={"seed": 1},
    history=[{"epoch": 1, "loss": 2.5}],
)


def test_models(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    VECTORS.save(path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(VectorFileError) as caught:
            load(path)
        assert str(path) in caught.value.message
        assert caught.value.hint
    path.write_bytes(whole)
    assert load(path).words == WORDS


def test_encoded_corpora(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    encode([["dog", "cat", "dog"], ["zwölf", "cat"]], kept, min_count=1)
    for path in sorted(kept.iterdir()):
        whole = path.read_bytes()
        for size in range(len(whole)):
            path.write_bytes(whole[:size])
            with pytest.raises(CorpusError) as caught:
                open_encoded(kept)
            assert str(kept) in caught.value.message
            assert caught.value.hint
        path.write_bytes(whole)
    assert open_encoded(kept).vocabulary.words == ("dog", "cat", "zwölf")


@pytest.mark.parametrize("name", ["npz", "word2vec-binary", "fasttext-binary"])
def test_binary_formats(tmp_path: Path, name: str) -> None:
    path = tmp_path / "vectors"
    export_vectors(VECTORS, path, format=name)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        if name == "word2vec-binary" and size == len(whole) - 1:  # gensim writes no final newline
            assert import_vectors(path, format=name).words == WORDS
            continue
        with pytest.raises(VectorFileError) as caught:
            import_vectors(path, format=name)
        assert str(path) in caught.value.message


@pytest.mark.parametrize("coordinates", ["points", "spatial"])
@pytest.mark.parametrize("name", ["word2vec", "fasttext", "glove", "minkowski"])
def test_text_formats(tmp_path: Path, name: str, coordinates: str) -> None:
    """Truncation is not always visible: a truncated number is a number, any line may be the last.

    A part of the vectors is read then, and the last number may differ.
    """
    path = tmp_path / "vectors"
    export_vectors(VECTORS, path, format=name, coordinates=coordinates)
    whole = path.read_bytes()
    expected = import_vectors(path, format=name, coordinates=coordinates)
    has_header = name in ("word2vec", "fasttext")
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        read = imported(path, name, coordinates)
        if read is None:
            continue
        if has_header:
            assert len(read) == len(WORDS)
        elif size < whole.index(b"\n"):
            continue  # a single line does not show how many numbers it should have
        assert read.words == WORDS[: len(read)]
        assert read.geometry == "hyperboloid"
        numbers = read.coordinates.ravel()[:-1]
        np.testing.assert_array_equal(numbers, expected.coordinates.ravel()[: len(numbers)])


@pytest.mark.parametrize("name", ["word2vec", "fasttext", "glove", "minkowski"])
def test_a_truncated_time_does_not_make_points_euclidean(tmp_path: Path, name: str) -> None:
    path = tmp_path / "vectors"
    spatial = np.linspace(-2, 3, 30, dtype=np.float32).reshape(15, 2)
    vectors = WordVectors([f"w{i}" for i in range(15)], spatial)
    export_vectors(vectors, path, format=name, coordinates="points")
    whole = path.read_bytes()
    readable = 0
    for size in range(whole.index(b"w14"), len(whole)):
        path.write_bytes(whole[:size])
        if (read := imported(path, name)) is not None:
            assert read.geometry == "hyperboloid"
            readable += 1
    assert readable > 1


def test_the_last_line_needs_no_newline(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    path.write_text("a 1 0\nb 0 1")  # both are points of the hyperboloid in some coordinates
    assert import_vectors(path, format="glove").geometry == "euclidean"


def imported(path: Path, name: str, coordinates: str = "auto") -> WordVectors | None:
    """Import a file; None if it is refused."""
    with contextlib.suppress(VectorFileError):
        return import_vectors(path, format=name, coordinates=coordinates)
    return None
