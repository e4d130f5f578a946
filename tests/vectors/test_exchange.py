"""Export and import of other formats: round trips, exact files, and errors for damaged files."""

import contextlib
import errno
import gzip
import io
import os
import pickle
import re
import struct
import threading
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from compressors import COMPRESSORS
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperskip.errors import (
    GeometryError,
    OptionError,
    OutputError,
    VectorFileError,
    VectorFileWarning,
)
from hyperskip.geometry import distance, from_spatial
from hyperskip.vectors.exchange.exporting import export_vectors
from hyperskip.vectors.exchange.importing import import_vectors
from hyperskip.vectors.exchange.names import (
    FORMATS,
    READ_COORDINATES,
    READ_FORMATS,
    WRITTEN_COORDINATES,
)
from hyperskip.vectors.word_vectors import WordVectors

TEXT = ("word2vec", "fasttext", "glove", "minkowski")
READABLE = (*TEXT, "word2vec-binary", "fasttext-binary", "npz")
GEOMETRIES = ("hyperboloid", "euclidean")

every_readable = pytest.mark.parametrize("format_name", READABLE)
every_text = pytest.mark.parametrize("format_name", TEXT)

# Some plain words are among them: if most words end with a number, GloVe is refused.
ODD_WORDS = (
    *("the", "of", "and", "null", "nan", "inf", "1.5", "-2", "#", '"', "'", ",", "a,b", "%s", "\\"),
    *("Überraschung", "日本語", "\U0001f600", "e\u0301", "\ufeffbom", "\u200b", "a\0b"),
    *("no\u00a0break", "line\u2028separator", "next\u0085line", "\u3000", "\x0b", "\x0c", "\x1c"),
    *("carriage\rreturn", "\r", "return\r", "\rreturn"),
)
WORDS_WITH_BLANKS = (
    *("New York", " ", "  ", " a", "a ", "a  b", "route 66", "1 2 3", "a 1e5 nan", "5 ", " 5"),
    *("tab\there", "\t", "a\t1.5", "tab\t", "\ttab"),
)


def held_words(format_name: str) -> tuple[str, ...]:
    """The odd words that a format can hold."""
    return tuple(word for word in ODD_WORDS if format_name != "fasttext-binary" or "\0" not in word)


def vectors_of(
    words: tuple[str, ...] | list[str],
    *,
    geometry: str = "hyperboloid",
    dimension: int = 3,
    scale: float = 1.0,
    seed: int = 0,
) -> WordVectors:
    generator = np.random.default_rng(seed)
    coordinates = (scale * generator.standard_normal((len(words), dimension))).astype(np.float32)
    counts = np.arange(len(words), 0, -1, dtype=np.int64)
    return WordVectors(words, coordinates, counts=counts, geometry=geometry)


def float32(rows: Any) -> npt.NDArray[np.float32]:
    return np.array(rows, dtype=np.float32)


def assert_same(read: WordVectors, vectors: WordVectors, *, five_digits: bool = False) -> None:
    assert read.words == vectors.words
    assert read.geometry == vectors.geometry
    assert read.coordinates.dtype == np.float32
    if five_digits:
        np.testing.assert_allclose(read.coordinates, vectors.coordinates, rtol=5.1e-5)
    else:
        np.testing.assert_array_equal(read.coordinates, vectors.coordinates)


def file_with(folder: Path, content: bytes, name: str = "vectors.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def refused(path: Path, *facts: object, **options: Any) -> VectorFileError:
    """Return the error of an import, whose message must name the file and these facts."""
    with pytest.raises(VectorFileError) as caught:
        import_vectors(path, **options)
    assert re.search(naming(path, *facts), caught.value.message)
    return caught.value


# -- round trips


@every_readable
@pytest.mark.parametrize("geometry", GEOMETRIES)
@pytest.mark.parametrize("dimension", [1, 2, 7])
def test_round_trip(tmp_path: Path, format_name: str, geometry: str, dimension: int) -> None:
    words = held_words(format_name)
    words += WORDS_WITH_BLANKS if format_name != "word2vec-binary" else ()
    vectors = vectors_of(words, geometry=geometry, dimension=dimension)
    path = tmp_path / "vectors"
    assert export_vectors(vectors, path, format=format_name, coordinates="points") == [path]
    read = import_vectors(path, format=format_name)
    assert_same(read, vectors, five_digits=format_name == "fasttext")
    has_counts = format_name in ("npz", "fasttext-binary")
    expected_counts = vectors.counts if has_counts else 0 * vectors.counts
    np.testing.assert_array_equal(read.counts, expected_counts)
    assert list(tmp_path.iterdir()) == [path]


def words_for(format_name: str) -> st.SearchStrategy[list[str]]:
    excluded = {"npz": "", "word2vec-binary": " \n", "fasttext-binary": "\0"}.get(format_name, "\n")
    categories: tuple[Any, ...] = () if format_name == "npz" else ("Cs",)
    alphabet = st.one_of(
        st.sampled_from("ab 1.\t\r\0\x85\xa0\u2028".translate({ord(c): None for c in excluded})),
        st.characters(exclude_characters=excluded, exclude_categories=categories),
    )
    word = st.text(alphabet, min_size=0 if format_name == "npz" else 1, max_size=6)
    if format_name == "npz":
        word = word.map(lambda letters: letters.rstrip("\0"))
    return st.lists(word, min_size=1, max_size=8, unique=True)


@pytest.mark.parametrize("format_name", READABLE)
def test_unusual_words_are_kept(tmp_path: Path, format_name: str) -> None:
    plain = [f"plain{number}" for number in range(9)]
    path = tmp_path / "vectors"

    @settings(max_examples=60)
    @given(words_for(format_name))
    def survive(words: list[str]) -> None:
        vectors = vectors_of([word for word in words if word not in plain] + plain)
        export_vectors(vectors, path, format=format_name)
        assert import_vectors(path, format=format_name).words == vectors.words

    survive()


@every_readable
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e4, 1e15, 1e30])
@pytest.mark.parametrize("coordinates", ["points", "points-time-first"])
def test_points_are_recognized_near_and_far(
    tmp_path: Path, format_name: str, scale: float, coordinates: str
) -> None:
    vectors = vectors_of(held_words(format_name), scale=scale)
    export_vectors(vectors, tmp_path / "v", format=format_name, coordinates=coordinates)
    for asked in ("auto", coordinates):
        read = import_vectors(tmp_path / "v", format=format_name, coordinates=asked)
        assert_same(read, vectors, five_digits=format_name == "fasttext")


@every_readable
def test_far_points_along_one_axis_keep_their_time(tmp_path: Path, format_name: str) -> None:
    # The first and the last column are then both nearly the length of the others.
    spatial = np.array([[0.1, 900.0], [0.3, 1000.0], [30.0, 2000.0]], dtype=np.float32)
    vectors = WordVectors(["a", "b", "c"], spatial)
    for coordinates in ("points", "points-time-first"):
        export_vectors(vectors, tmp_path / "v", format=format_name, coordinates=coordinates)
        assert_same(import_vectors(tmp_path / "v", format=format_name), vectors)


@every_readable
def test_coordinates_that_cannot_be_recognized(tmp_path: Path, format_name: str) -> None:
    vectors = vectors_of(held_words(format_name))
    path = tmp_path / "v"
    export_vectors(vectors, path, format=format_name, coordinates="spatial")
    read = import_vectors(path, format=format_name, coordinates="spatial")
    assert_same(read, vectors, five_digits=format_name == "fasttext")
    expected = "hyperboloid" if format_name == "npz" else "euclidean"
    assert import_vectors(path, format=format_name).geometry == expected

    export_vectors(vectors, path, format=format_name, coordinates="ball")
    read = import_vectors(path, format=format_name, coordinates="ball")
    assert read.geometry == "hyperboloid"
    tolerance = 1e-3 if format_name == "fasttext" else 1e-5
    np.testing.assert_allclose(read.coordinates, vectors.coordinates, rtol=tolerance)
    assert import_vectors(path, format=format_name).geometry == expected


@every_readable
@pytest.mark.parametrize("coordinates", ["points", "points-time-first", "spatial", "ball"])
def test_distances_are_kept(tmp_path: Path, format_name: str, coordinates: str) -> None:
    vectors = vectors_of(held_words(format_name))
    export_vectors(vectors, tmp_path / "v", format=format_name, coordinates=coordinates)
    read = import_vectors(tmp_path / "v", format=format_name, coordinates=coordinates)
    kept = distance(read.points[:, None], read.points)
    tolerance = 2e-3 if format_name == "fasttext" else 1e-5 if coordinates == "ball" else 0
    expected = distance(vectors.points[:, None], vectors.points)
    np.testing.assert_allclose(kept, expected, rtol=tolerance, atol=tolerance)


@every_readable
def test_the_default_coordinates(tmp_path: Path, format_name: str) -> None:
    """Programs that compare by cosine get spatial coordinates; the others keep the time."""
    vectors, path = vectors_of(held_words(format_name)), tmp_path / "v"
    kept = "points" if format_name in ("minkowski", "npz") else "spatial"
    export_vectors(vectors, path, format=format_name)
    read = import_vectors(path, format=format_name, coordinates=kept)
    assert_same(read, vectors, five_digits=format_name == "fasttext")


def test_the_cosine_of_a_plain_export_is_the_angle(tmp_path: Path, trained: WordVectors) -> None:
    export_vectors(trained, tmp_path / "v.txt")
    read = import_vectors(tmp_path / "v.txt")
    assert read.geometry == "euclidean"
    for word in trained.words[:50]:
        theirs = [neighbor.word for neighbor in read.neighbors(word)]
        assert theirs == [near.word for near in trained.measured_by("angle").neighbors(word)]


def test_euclidean_vectors_are_not_read_as_points(tmp_path: Path) -> None:
    for seed in range(5):
        vectors = vectors_of(ODD_WORDS, geometry="euclidean", dimension=2, seed=seed)
        export_vectors(vectors, tmp_path / "v.txt")
        assert_same(import_vectors(tmp_path / "v.txt"), vectors)
    # A single row off the hyperboloid decides, at any position.
    path = file_with(tmp_path, b"a 0 1\nb 3 4\nc 0 1\n")
    assert import_vectors(path).geometry == "euclidean"
    assert import_vectors(file_with(tmp_path, b"a 0 -1\n")).geometry == "euclidean"
    assert import_vectors(file_with(tmp_path, b"a 1.0\n")).geometry == "euclidean"
    assert import_vectors(file_with(tmp_path, b"a 0 1\n")).geometry == "hyperboloid"
    assert import_vectors(path, coordinates="euclidean").dimension == 2


# -- the exact files


TWO_WORDS = WordVectors(
    ["the", "New York"],
    np.array([[0.75, 0.0], [0.1, -4 / 3]], dtype=np.float32),
    counts=np.array([7, 3]),
)
TIME = f"{TWO_WORDS.points[1, 2]:.9g}"


@pytest.mark.parametrize(
    ("format_name", "content"),
    [
        ("word2vec", f"2 3\nthe 0.75 0 1.25\nNew York 0.100000001 -1.33333337 {TIME}\n"),
        ("glove", f"the 0.75 0 1.25\nNew York 0.100000001 -1.33333337 {TIME}\n"),
        ("fasttext", "2 3\nthe 0.75 0 1.25 \nNew York 0.1 -1.3333 1.6697 \n"),
        (
            "minkowski",
            "the 0.75 0 1.25\n"
            f"New York 0.10000000149011612 -1.3333333730697632 {TWO_WORDS.points[1, 2]:.17g}\n",
        ),
    ],
)
def test_text_layout(tmp_path: Path, format_name: str, content: str) -> None:
    export_vectors(TWO_WORDS, tmp_path / "v", format=format_name, coordinates="points")
    assert (tmp_path / "v").read_bytes().decode() == content


def test_word2vec_binary_layout(tmp_path: Path) -> None:
    vectors = WordVectors(["the", "naïve"], np.array([[0.75, 0], [0, 0]], dtype=np.float32))
    export_vectors(vectors, tmp_path / "v.bin", coordinates="points")
    content = (
        b"2 3\nthe "
        + struct.pack("<3f", 0.75, 0, 1.25)
        + b"\n"
        + "naïve ".encode()
        + struct.pack("<3f", 0, 0, 1)
        + b"\n"
    )
    assert (tmp_path / "v.bin").read_bytes() == content
    as_gensim = content.replace(b"?\nna", b"?na").removesuffix(b"\n")
    assert len(as_gensim) == len(content) - 2
    assert_same(import_vectors(file_with(tmp_path, as_gensim, "gensim.bin")), vectors)


def test_time_first_layout(tmp_path: Path) -> None:
    export_vectors(TWO_WORDS, tmp_path / "v.vec", coordinates="points-time-first")
    lines = (tmp_path / "v.vec").read_text().splitlines()
    assert lines == ["2 3", "the 1.25 0.75 0 ", "New York 1.6697 0.1 -1.3333 "]


def test_npz_arrays(tmp_path: Path) -> None:
    export_vectors(TWO_WORDS, tmp_path / "v.npz")
    with np.load(tmp_path / "v.npz", allow_pickle=False) as arrays:
        assert arrays["words"].tolist() == ["the", "New York"]
        assert arrays["counts"].tolist() == [7, 3]
        np.testing.assert_array_equal(arrays["vectors"], TWO_WORDS.points)
        assert str(arrays["geometry"]) == "hyperboloid"
        assert str(arrays["coordinates"]) == "points"


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_projector(tmp_path: Path, geometry: str) -> None:
    vectors = WordVectors(
        TWO_WORDS.words, TWO_WORDS.coordinates, counts=TWO_WORDS.counts, geometry=geometry
    )
    folder = tmp_path / "projector"
    files = export_vectors(vectors, folder, format="projector")
    assert [file.name for file in files] == [
        *("vectors.tsv", "metadata.tsv", "projector_config.pbtxt"),
    ]
    numbers = np.loadtxt(files[0], delimiter="\t")
    np.testing.assert_allclose(numbers, vectors.coordinates, rtol=1e-8)
    assert all(f'"{file.name}"' in files[2].read_text() for file in files[:2])
    lines = files[1].read_text().split("\n")
    assert lines[0] == "word\tcount\tradius"
    assert lines[1].split("\t")[:2] == ["the", "7"]
    assert lines[2].split("\t")[:2] == ["New York", "3"]
    radii = [float(line.split("\t")[2]) for line in lines[1:3]]
    np.testing.assert_allclose(radii, [vectors.radius(word) for word in vectors.words], rtol=1e-8)
    assert lines[3:] == [""]
    assert export_vectors(vectors, folder) == files  # an existing folder is written into


# -- the format of a file


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("v.txt", "word2vec"),
        ("v.bin", "word2vec-binary"),
        ("v.vec", "fasttext"),
        ("v.csv", "minkowski"),
        ("v.npz", "npz"),
        ("v.NPZ", "npz"),
    ],
)
def test_suffixes(tmp_path: Path, name: str, format_name: str) -> None:
    vectors = vectors_of(ODD_WORDS)
    export_vectors(vectors, tmp_path / name, coordinates="points")
    export_vectors(vectors, tmp_path / "named", format=format_name, coordinates="points")
    if format_name != "npz":  # a zip file contains the time of writing
        assert (tmp_path / name).read_bytes() == (tmp_path / "named").read_bytes()
    read = import_vectors(str(tmp_path / name))
    assert_same(read, vectors, five_digits=format_name == "fasttext")


def test_the_first_line_of_a_txt_file_decides(tmp_path: Path) -> None:
    glove = b"the 0.5 0.25\n2 1.5 2.5\n"
    for header in (b"", b"2 2\n", b"2\t2\r\n", b"\xef\xbb\xbf2 2\n", b"\n2 2 \n"):
        read = import_vectors(file_with(tmp_path, header + glove))
        assert read.words == ("the", "2")
        assert read.coordinates.tolist() == [[0.5, 0.25], [1.5, 2.5]]
    assert import_vectors(file_with(tmp_path, b"2 2.0\n3 4\n")).words == ("2", "3")


@pytest.mark.parametrize("suffix", COMPRESSORS)
@pytest.mark.parametrize("name", ["v.txt", "v.vec", "v.csv", "v.bin"])
def test_compressed_files_are_read(tmp_path: Path, name: str, suffix: str) -> None:
    vectors = vectors_of([f"word{number}" for number in range(2000)], dimension=20)
    export_vectors(vectors, tmp_path / name, coordinates="points")
    packed = COMPRESSORS[suffix]((tmp_path / name).read_bytes())
    path = file_with(tmp_path, packed, name + suffix)
    assert_same(import_vectors(path), vectors, five_digits=name == "v.vec")


@pytest.mark.parametrize("name", ["v", "v.tsv", "v.foo", "v.txt.foo"])
def test_suffixes_without_a_format(tmp_path: Path, name: str) -> None:
    with pytest.raises(OptionError, match=naming(tmp_path / name, *FORMATS)):
        export_vectors(TWO_WORDS, tmp_path / name)
    with pytest.raises(OptionError, match=naming(tmp_path / name, "word2vec-binary")):
        import_vectors(file_with(tmp_path, b"a 1 2\n", name))


def test_options_out_of_range(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    with pytest.raises(OptionError, match=naming("format", "w2v", *FORMATS)):
        export_vectors(TWO_WORDS, path, format="w2v")
    for name in ("w2v", "projector", "floret"):
        with pytest.raises(OptionError, match=naming("format", name, *READ_FORMATS)):
            import_vectors(path, format=name)
    with pytest.raises(OptionError, match=naming("coordinates", "auto", *WRITTEN_COORDINATES)):
        export_vectors(TWO_WORDS, path, coordinates="auto")
    with pytest.raises(OptionError, match=naming("coordinates", "klein", *READ_COORDINATES)):
        import_vectors(path, coordinates="klein")
    with pytest.raises(OptionError, match=naming("projector")):
        import_vectors(path, format="projector")
    with pytest.raises(OptionError, match=naming(tmp_path / "v.txt.gz", tmp_path / "v.txt")):
        export_vectors(TWO_WORDS, tmp_path / "v.txt.gz", format="word2vec")
    with pytest.raises(OptionError, match=naming(tmp_path / "v.safetensors")):
        export_vectors(TWO_WORDS, tmp_path / "v.safetensors")
    with pytest.raises(OptionError, match=naming(tmp_path / "v.safetensors")):
        import_vectors(tmp_path / "v.safetensors")
    assert list(tmp_path.iterdir()) == []
    assert set(READABLE) == set(FORMATS) - {"floret", "projector"}


@pytest.mark.parametrize("coordinates", ["points-time-first", "spatial", "ball"])
def test_euclidean_vectors_have_only_points(tmp_path: Path, coordinates: str) -> None:
    with pytest.raises(GeometryError, match=naming("Euclidean", coordinates, "points")):
        export_vectors(
            vectors_of(("a",), geometry="euclidean"), tmp_path / "v.txt", coordinates=coordinates
        )


def test_coordinates_that_contradict_an_npz_file(tmp_path: Path) -> None:
    export_vectors(TWO_WORDS, tmp_path / "v.npz", coordinates="ball")
    assert import_vectors(tmp_path / "v.npz", coordinates="ball").geometry == "hyperboloid"
    with pytest.raises(OptionError, match=naming(tmp_path / "v.npz", "points", "ball")):
        import_vectors(tmp_path / "v.npz", coordinates="points")


# -- words and points that a format cannot hold


@pytest.mark.parametrize(
    ("format_name", "word"),
    [
        *((name, word) for name in TEXT for word in ("", "new\nline", "\n", "lone\udcff")),
        *(("word2vec-binary", word) for word in ("", "New York", "new\nline", "lone\ud800")),
        *(("fasttext-binary", word) for word in ("", "a\0b", "lone\ud800")),
        *(("projector", word) for word in ("", "new\nline", "tab\there", "lone\ud800")),
        ("npz", "ends in nul\0"),
    ],
)
def test_words_that_a_format_cannot_hold(tmp_path: Path, format_name: str, word: str) -> None:
    with pytest.raises(OutputError) as caught:
        export_vectors(vectors_of(("a", word)), tmp_path / "v", format=format_name)
    assert repr(word) in caught.value.message
    assert caught.value.hint is not None
    assert ".safetensors" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_words_that_only_npz_can_hold(tmp_path: Path) -> None:
    vectors = vectors_of(("", "new\nline", "lone\udcff", "nul\0inside"))
    export_vectors(vectors, tmp_path / "v.npz")
    assert_same(import_vectors(tmp_path / "v.npz"), vectors)


@pytest.mark.parametrize("format_name", ["glove", "minkowski"])
def test_words_that_hide_the_dimension(tmp_path: Path, format_name: str) -> None:
    vectors = vectors_of(("route 66", "area 51", "a"))
    with pytest.raises(OutputError, match=naming("word2vec")):
        export_vectors(vectors, tmp_path / "v", format=format_name)
    assert list(tmp_path.iterdir()) == []
    export_vectors(vectors, tmp_path / "v.txt", coordinates="points")
    assert_same(import_vectors(tmp_path / "v.txt"), vectors)
    only_blanks = vectors_of(("New York", "Los Angeles"))
    export_vectors(only_blanks, tmp_path / "v", format=format_name, coordinates="points")
    assert_same(import_vectors(tmp_path / "v", format=format_name), only_blanks)


def test_npz_with_one_very_long_word(tmp_path: Path) -> None:
    words = ["x" * 100_000, *(f"word{number}" for number in range(10_000))]
    with pytest.raises(OutputError, match=naming("100000")):
        export_vectors(vectors_of(words, dimension=1), tmp_path / "v.npz")


@pytest.mark.parametrize(
    ("format_name", "radius"),
    [("fasttext", 13.0), ("word2vec", 23.0), ("word2vec-binary", 19.0), ("npz", 40.0)],
)
def test_ball_coordinates_on_the_boundary(tmp_path: Path, format_name: str, radius: float) -> None:
    direction = np.array([0.0, 1.0])
    near = WordVectors(["near", "far"], float32([direction, np.sinh(radius / 2) * direction]))
    export_vectors(near, tmp_path / "v", format=format_name, coordinates="ball")
    read = import_vectors(tmp_path / "v", format=format_name, coordinates="ball")
    assert read.radius("far") == pytest.approx(radius / 2, rel=0.01)
    far = WordVectors(["near", "far"], float32([direction, np.sinh(radius) * direction]))
    with pytest.raises(OutputError, match=naming(1, 2, "far", format_name, "points")):
        export_vectors(far, tmp_path / "rim", format=format_name, coordinates="ball")
    assert not (tmp_path / "rim").exists()


def test_ball_coordinates_near_the_boundary_can_be_imported(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    for format_name in READABLE:
        for radius in np.linspace(5, 25, 41):
            direction = generator.standard_normal(2)
            spatial = np.sinh(radius) * direction / np.linalg.norm(direction)
            vectors = WordVectors(["a"], float32([spatial]))
            path = tmp_path / "v"
            try:
                export_vectors(vectors, path, format=format_name, coordinates="ball")
            except OutputError:
                continue
            import_vectors(path, format=format_name, coordinates="ball")


@pytest.mark.parametrize("format_name", [*READABLE, "projector"])
@pytest.mark.parametrize("value", [np.nan, np.inf, 3.4e38])
def test_vectors_that_are_not_finite(tmp_path: Path, format_name: str, value: float) -> None:
    # The third value is finite, but its time is too large for float32.
    vectors = WordVectors(["a", "b"], float32([[1, 2], [value, value]]))
    with pytest.raises(OutputError, match=naming("b")):
        export_vectors(vectors, tmp_path / "v", format=format_name, coordinates="points")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(OutputError):
        export_vectors(vectors_of(()), tmp_path / "v", format=format_name)


@pytest.mark.parametrize("format_name", FORMATS)
def test_paths_that_cannot_be_written(tmp_path: Path, format_name: str) -> None:
    file = file_with(tmp_path, b"kept", "file")
    for place in (tmp_path / "missing" / "v", file / "v"):
        with pytest.raises(OutputError, match=naming(place)):
            export_vectors(TWO_WORDS, place, format=format_name)
    taken = file if format_name == "projector" else tmp_path
    with pytest.raises(OutputError, match=naming(taken)):
        export_vectors(TWO_WORDS, taken, format=format_name)
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_bytes() == b"kept"


def test_a_failed_export_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "v.txt"
    export_vectors(TWO_WORDS, path)
    before = path.read_bytes()
    damaged = WordVectors(["a"], float32([[np.nan]]))
    with pytest.raises(OutputError):
        export_vectors(damaged, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


# -- files of other programs


@pytest.mark.parametrize(
    "content",
    [
        b"2 2\nNew York 0.5 0.25\nb 3 4\n",
        b"2 2\nNew York 0.5 0.25 \nb 3 4 \n",
        b"2 2\r\nNew York 0.5 0.25\r\nb 3 4\r\n",
        b"2 2\nNew York\t0.5\t0.25\nb\t3\t4\n",
        b"2 2\nNew York\t0.5 0.25\nb\t3 4\n",
        b"2 2\nNew York  0.5   0.25\nb  3   4",
        b"2 2\nNew York 0.5 0.25\n\nb 3 4\n\n \n\r\n",
        b"2 2\nNew York 5e-1 +.25\nb 3 4.\n",
    ],
)
def test_layouts_of_other_programs(tmp_path: Path, content: bytes) -> None:
    for text in (content, content[content.index(b"\n") + 1 :]):
        read = import_vectors(file_with(tmp_path, text), coordinates="euclidean")
        assert [word.strip() for word in read.words] == ["New York", "b"]
        assert read.coordinates.tolist() == [[0.5, 0.25], [3, 4]]


def test_repeated_words(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"a 1 2\nb 3 4\na 5 6\nb 7 8\nc 9 10\n")
    with pytest.warns(VectorFileWarning, match=naming(path, 2)):
        read = import_vectors(path)
    assert read.words == ("a", "b", "c")
    assert read.coordinates.tolist() == [[1, 2], [3, 4], [9, 10]]


def test_words_that_are_not_utf8(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"caf\xe9 1 2\n\xff 3 4\n\xfe 5 6\n")
    with (
        pytest.warns(VectorFileWarning, match=naming(path, 3, "UTF-8")),
        pytest.warns(VectorFileWarning, match=naming(path, 1)),
    ):
        read = import_vectors(path)
    assert read.words == ("caf\ufffd", "\ufffd")
    binary = b"1 1\n\xff\xfe " + struct.pack("<f", 2)
    with pytest.warns(VectorFileWarning, match=naming(1, "UTF-8")):
        assert import_vectors(file_with(tmp_path, binary, "v.bin")).words == ("\ufffd\ufffd",)


def test_time_is_computed_again(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"a 1e3 0 1000.0006\nb 0.75 0 1.25\n")
    read = import_vectors(path)
    np.testing.assert_array_equal(read.points, from_spatial([[1e3, 0], [0.75, 0]]))


# -- damaged files


DAMAGED = [
    (b"", ()),
    (b"\n\n \n", ()),
    (b"2 3\n", (0, 2)),
    (b"3 2\na 1 2\nb 3 4\n", (2, 3)),
    (b"1 2\na 1 2\nb 3 4\n", (2, 1)),
    (b"1000000000000 2\na 1 2\nb 3 4\n", (2, 1000000000000)),
    (b"2 1000000000000\na 1 2\n", ("'2 1000000000000'", 1000000)),
    (b"2 " + b"9" * 5000 + b"\na 1 2\n", ()),
    (b"9" * 5000 + b" 2\na 1 2\n", ()),
    (b"2 0\na\nb\n", ("'2 0'",)),
    (b"0 2\n", ("'0 2'",)),
    (b"-2 3\na 1 2 3\n", ("'-2 3'",)),
    (b"2 -3\na 1 2 3\n", ("'2 -3'",)),
    (b"2 2\na 1 2\nb 3\n", (3, 1, 2)),
    (b"2 2\na 1 2\n 3 4\n", (3,)),
    (b"2 2\na 1 2\n\nb 3 x4\n", (4, "'b'", "'x4'", 2)),
    (b"2 2\na 1 2\nb 3 nan\n", (3, "'b'", "NaN")),
    (b"2 2\na 1 -inf\nb 3 4\n", (2, "'a'")),
    (b"2 2\na 1 1e39\nb 3 4\n", (2, "'a'", "float32")),
    (b"2 2\na 1 1e999\nb 3 4\n", (2, "'a'")),
    (b"a 1 2 3\nb 1 2\nc 1 2 3\n", (2, 3)),
    (b"a 1 2 3\nb 1 2\n", (2, 3)),
    (b"a 1 2 3\nb 1 x 3\nc 1 2 3\n", (2, "'b'", "'x'")),
    (b"a,1,2\nb,3,4\n", (1,)),
    (b"just some prose\nwithout numbers\n", (1,)),
    (bytes(range(256)) * 10, ()),
]


@pytest.mark.parametrize(("content", "expected"), DAMAGED)
def test_damaged_text(tmp_path: Path, content: bytes, expected: tuple[object, ...]) -> None:
    error = refused(file_with(tmp_path, content), *expected)
    assert error.hint
    assert len(str(error)) < 1000


def test_header_missing(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"the 1 2\n")
    for format_name in ("word2vec", "fasttext"):
        error = refused(path, "'the 1 2'", format=format_name)
        assert error.hint is not None
        assert "glove" in error.hint
    refused(path, "'the 1 2'", format="word2vec-binary")


def test_header_in_a_format_without_one(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"1 2\nthe 1 2\n")
    refused(path, 1, 2, format="glove")


def test_a_very_long_line(tmp_path: Path) -> None:
    path = file_with(tmp_path, gzip.compress(b"\0" * (40 << 20), 1), "v.vec.gz")
    refused(path, "32 MiB")


def test_rows_that_are_not_points(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"a 0.75 0 1.25\nb 0.75 0 1.26\n")
    refused(path, 2, "'b'", "hyperboloid", coordinates="points")
    refused(path, 1, "'a'", "hyperboloid", coordinates="points-time-first")
    refused(file_with(tmp_path, b"a 0.75 0 -1.25\n"), 1, "hyperboloid", coordinates="points")
    refused(file_with(tmp_path, b"a 1\n"), 1, "hyperboloid", coordinates="points")
    five_digits = file_with(tmp_path, b"a 2000.4 0 2000.6\nb 0 0 0.99999\n")
    assert import_vectors(five_digits, coordinates="points").geometry == "hyperboloid"


def test_rows_that_are_not_points_of_the_ball(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"a 0.6 0.7\nb 0.6 0.81\n")
    refused(path, 2, "'b'", "|x| < 1", coordinates="ball")
    refused(file_with(tmp_path, b"a 1 0\n"), 1, "|x| < 1", coordinates="ball")


def test_binary_file_cut_at_any_byte(tmp_path: Path) -> None:
    export_vectors(vectors_of(("a", "bc", "def")), tmp_path / "v.bin")
    whole = (tmp_path / "v.bin").read_bytes()
    for size in range(len(whole) - 1):  # the last newline may be missing
        refused(file_with(tmp_path, whole[:size], "cut.bin"))
    refused(file_with(tmp_path, whole[:-2], "cut.bin"), 3)
    refused(file_with(tmp_path, whole + b"more", "v.bin"), 3)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", ()),
        (b"1000000000000 2\na " + bytes(8), (2, 1000000000000)),
        (b"1 1000000\na " + bytes(8), (1,)),
        (b"1 1000000000000\na " + bytes(8), (1000000,)),
        (b"1 1\n" + b"x" * (3 << 20) + b" " + bytes(4), (1, "1 MiB")),
        (b"1 1\n" + b"x" * (3 << 20), (1, "1 MiB")),
        (b"1 1\n" + b"x" * 1000, (1,)),
        (b"2 1\na " + struct.pack("<f", np.nan) + b"b " + bytes(4), (1, "'a'", "NaN")),
        (b"1 1\na \x01\x00\xa0\x7f", (1, "'a'", "NaN")),  # a signaling NaN
        (b"2 1\na " + bytes(4) + b"b " + struct.pack("<f", -np.inf), (2, "'b'")),
        (struct.pack("<ii", 793712314, 12) + bytes(500), ("dimension", 0)),
        (bytes(500), ()),
        (b"-1 2\na " + bytes(8), ("'-1 2'",)),
        (b"1 0\na ", ("'1 0'",)),
    ],
)
def test_damaged_binary(tmp_path: Path, content: bytes, expected: tuple[object, ...]) -> None:
    assert refused(file_with(tmp_path, content, "v.bin"), *expected).hint


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("name", ["v.txt", "v.bin"])
def test_compressed_file_cut(tmp_path: Path, name: str, suffix: str) -> None:
    vectors = vectors_of([f"word{number}" for number in range(3000)], dimension=20)
    export_vectors(vectors, tmp_path / name)
    packed = COMPRESSORS[suffix]((tmp_path / name).read_bytes())
    for size in (len(packed) // 3, len(packed) - 20):
        refused(file_with(tmp_path, packed[:size], name + suffix))


def test_gzip_that_is_garbage(tmp_path: Path) -> None:
    refused(file_with(tmp_path, b"\x1f\x8b" + bytes(range(100)), "v.txt.gz"))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    for name in ("none.txt", "none.bin", "none.npz"):
        refused(tmp_path / name)
    refused(tmp_path)
    for format_name in READABLE:
        refused(tmp_path, format=format_name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_no_permission(tmp_path: Path) -> None:
    path = file_with(tmp_path, b"a 1 2\n")
    path.chmod(0)
    refused(path, os.strerror(errno.EACCES))


# -- damaged npz


def npz_bytes(**changes: Any) -> bytes:
    arrays: dict[str, Any] = {
        "words": np.array(["a", "b"]),
        "counts": np.array([1, 2]),
        "vectors": np.array([[0.5, 0.25], [0.125, 0]]),
        "geometry": np.array("hyperboloid"),
        "coordinates": np.array("spatial"),
    }
    arrays.update(changes)
    file = io.BytesIO()
    np.savez(file, **{name: array for name, array in arrays.items() if array is not None})
    return file.getvalue()


def test_npz_of_other_programs(tmp_path: Path) -> None:
    read = import_vectors(file_with(tmp_path, npz_bytes(), "v.npz"))
    assert read.words == ("a", "b")
    assert read.coordinates.tolist() == [[0.5, 0.25], [0.125, 0]]
    twice = npz_bytes(words=np.array(["a", "a"]))
    with pytest.warns(VectorFileWarning, match=naming(1)):
        assert import_vectors(file_with(tmp_path, twice, "v.npz")).counts.tolist() == [1]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        *(({name: None}, (name,)) for name in ("words", "counts", "vectors", "coordinates")),
        ({"words": np.array(["a", "b", "c"])}, (3, 2)),
        ({"counts": np.array([1, 2, 3])}, (2, 3)),
        ({"counts": np.array([1.5, 2])}, ("counts", "float64")),
        ({"vectors": np.zeros((2, 0))}, ("(2, 0)",)),
        ({"vectors": np.zeros(2)}, ("vectors", "(2,)")),
        ({"vectors": np.array([["a", "b"]] * 2)}, ("vectors", "<U1")),
        ({"vectors": np.array([[0, 1], [np.nan, 2]])}, (2, "'b'", "NaN")),
        ({"vectors": np.array([[0, 1], [1e300, 2]])}, (2, "'b'", "float32")),
        ({"words": np.array([1, 2])}, ("words", "int64")),
        ({"words": np.array(["a", None])}, ("allow_pickle=False",)),
        ({"words": np.frombuffer(b"\xff" * 8, dtype="<U1")}, ()),
        ({"geometry": np.array("flat")}, ("'flat'",)),
        ({"geometry": np.array("euclidean")}, ("'euclidean'", "'spatial'")),
        ({"coordinates": np.array("auto")}, ("'auto'",)),
        ({"coordinates": np.array("points")}, (1, "'a'", "hyperboloid")),
        (
            {"coordinates": np.array("ball"), "vectors": np.ones((2, 2))},
            (1, "'a'", "|x| < 1"),
        ),
        (
            {
                "words": np.zeros(0, "<U1"),
                "counts": np.zeros(0, np.int64),
                "vectors": np.zeros((0, 2)),
            },
            (),
        ),
    ],
)
def test_damaged_npz(tmp_path: Path, changes: dict[str, Any], expected: tuple[object, ...]) -> None:
    assert refused(file_with(tmp_path, npz_bytes(**changes), "v.npz"), *expected).hint


@pytest.mark.parametrize("byte_order", "<>")
def test_invalid_code_points(tmp_path: Path, byte_order: str) -> None:
    words = np.array(["a", "bcd"], dtype=f"{byte_order}U4")
    import_vectors(file_with(tmp_path, npz_bytes(words=words), "v.npz"))
    words.view(f"{byte_order}u4")[5] = 0x110000
    refused(file_with(tmp_path, npz_bytes(words=words), "v.npz"), 2)


def test_other_files_named_npz(tmp_path: Path) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as writer:
        writer.writestr("words.npy", "not an array")
        writer.writestr("readme.txt", "hello")
    array = io.BytesIO()
    np.save(array, np.zeros(3))
    for content in (b"", b"text", archive.getvalue(), array.getvalue(), pickle.dumps([1, 2])):
        refused(file_with(tmp_path, content, "v.npz"), "npz")


def test_npz_with_a_huge_unpacked_size(tmp_path: Path) -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 100), }"
    header += b" " * (128 - 10 - len(header) - 1) + b"\n"
    content = io.BytesIO(npz_bytes(vectors=None))
    with zipfile.ZipFile(content, "a") as writer:
        writer.writestr("vectors.npy", b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + header)
    refused(file_with(tmp_path, content.getvalue(), "v.npz"))


def test_npz_with_any_byte_changed(tmp_path: Path) -> None:
    whole = npz_bytes()
    for size in range(0, len(whole), 7):
        refused(file_with(tmp_path, whole[:size], "v.npz"))
    for place in range(0, len(whole), 5):
        flipped = bytearray(whole)
        flipped[place] ^= 0x55
        # Some bytes do not matter; for some NumPy warns that Python 2 may have written the file.
        with warnings.catch_warnings(), contextlib.suppress(VectorFileError):
            warnings.simplefilter("ignore")
            import_vectors(file_with(tmp_path, bytes(flipped), "v.npz"))


@every_readable
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom"])
def test_an_endless_file_is_refused(format_name: str, device: str) -> None:
    with pytest.raises(VectorFileError, match=device) as caught:
        import_vectors(device, format=format_name)
    assert format_name != "npz" or "not a regular file" in caught.value.message


@every_readable
def test_a_pipe_is_read_or_refused(tmp_path: Path, format_name: str) -> None:
    vectors = vectors_of(["a", "b"])
    export_vectors(vectors, tmp_path / "file", format=format_name)
    os.mkfifo(tmp_path / "pipe")
    data = (tmp_path / "file").read_bytes()
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(data,))
    if format_name == "npz":
        with pytest.raises(VectorFileError, match="not a regular file"):
            import_vectors(tmp_path / "pipe", format=format_name)
        return
    writer.start()
    assert import_vectors(tmp_path / "pipe", format=format_name).words == vectors.words
    writer.join()
