"""Models of fastText: a plain twin reads and writes the same; damaged files are refused."""

import contextlib
import gzip
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from program import Program

from hyperskip import SubwordScheme, SubwordTable, WordVectors
from hyperskip.errors import (
    GeometryError,
    OptionError,
    OutputError,
    VectorFileError,
    VectorFileWarning,
)
from hyperskip.vectors.exchange import stored_rows
from hyperskip.vectors.exchange.exporting import export_vectors
from hyperskip.vectors.exchange.fasttext.ngram_sums import MOST_NGRAMS
from hyperskip.vectors.exchange.importing import import_vectors

WORDS = ["</s>", "dog", "über", "naïve", "日本語", "a", "New York", "\U0001f600", "x" * 60]
UNKNOWN = ["dogs", "übers", "日本", "zebra", "k", "<a>", "naïvely" * 30]
MAGIC, DIMENSION, BUCKETS = 793712314, 5, 300


class Twin:
    """fastText in plain Python: what it writes, and the vector that it gives any word."""

    def __init__(self, words: list[bytes], **settings: Any) -> None:
        self.words = words
        self.settings = {
            "version": 12,
            "dim": DIMENSION,
            "model": 2,
            "bucket": BUCKETS,
            "minn": 2,
            "maxn": 4,
            "labels": [],
            "pruned": -1,
            "quantized": 0,
            "kind": 0,
            **settings,
        }
        generator = np.random.default_rng(3)
        shape = len(words) + self.settings["bucket"], DIMENSION
        self.rows = generator.normal(size=shape).astype("<f4")

    def data(self) -> bytes:
        of = self.settings
        labels = of["labels"]
        numbers = [of["dim"], 5, 5, 1, 5, 1, 2, of["model"], of["bucket"], of["minn"], of["maxn"]]
        sizes = [len(self.words) + len(labels), len(self.words), len(labels)]
        parts = [
            struct.pack("<ii", MAGIC, of["version"]),
            struct.pack("<11iid", *numbers, 100, 1e-4),
        ]
        parts.append(struct.pack("<iiiqq", *sizes, 1000, of["pruned"]))
        for number, word in enumerate(self.words):
            parts.append(word + b"\0" + struct.pack("<qb", len(self.words) - number, of["kind"]))
        parts += [label + b"\0" + struct.pack("<qb", 7, 1) for label in labels]
        parts += [struct.pack("<Bqq", of["quantized"], *self.rows.shape), self.rows.tobytes()]
        output = np.ones((len(labels) or len(self.words), DIMENSION), dtype="<f4")
        return b"".join([*parts, struct.pack("<Bqq", 0, *output.shape), output.tobytes()])

    def vector(self, word: bytes) -> npt.NDArray[np.float64]:
        rows = [self.words.index(word)] if word in self.words else []
        if word != b"</s>":
            rows += [len(self.words) + bucket for bucket in self.buckets(b"<" + word + b">")]
        if not rows:
            return np.zeros(DIMENSION)
        mean: npt.NDArray[np.float64] = self.rows[rows].astype(np.float64).mean(axis=0)
        return mean

    def buckets(self, text: bytes) -> list[int]:
        found = []
        for begin in range(len(text)):
            if text[begin] & 0xC0 == 0x80:
                continue
            end, length = begin, 0
            while end < len(text) and length < self.settings["maxn"]:
                end, length = end + 1, length + 1
                while end < len(text) and text[end] & 0xC0 == 0x80:
                    end += 1
                is_mark = length == 1 and (begin == 0 or end == len(text))
                if length >= self.settings["minn"] and not is_mark:
                    found.append(hashed(text[begin:end]) % self.settings["bucket"])
        return found


def hashed(ngram: bytes) -> int:
    value = 2166136261
    for byte in ngram:
        signed = byte - 256 if byte > 127 else byte
        value = (value ^ (signed & 0xFFFFFFFF)) * 16777619 % 2**32
    return value


def encoded(words: list[str]) -> list[bytes]:
    return [word.encode() for word in words]


def model_of(
    geometry: str = "hyperboloid", *, words: list[str] = WORDS, hashes: int = 0, factors: int = 1
) -> WordVectors:
    """A model with n-grams, as training makes it; only buckets of its words have rows."""
    scheme = SubwordScheme(shortest=2, longest=4, buckets=BUCKETS, hashes=hashes)
    buckets = np.unique(scheme.buckets_of(words[:4]).buckets)
    generator = np.random.default_rng(5)
    table = SubwordTable(scheme, buckets, generator.normal(size=(len(buckets), 4)))
    own = generator.normal(size=(len(words), 4))
    return WordVectors(
        words,
        table.compose(words).coordinates if hashes else own,
        counts=np.arange(len(words), 0, -1),
        geometry=geometry,
        factors=factors,
        subwords=table,
    )


def written(folder: Path, data: bytes, name: str = "model.bin") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


# -- reading


@pytest.mark.parametrize("version", [11, 12])
@pytest.mark.parametrize(("minn", "maxn"), [(2, 4), (3, 6), (1, 2), (0, 1), (5, 5)])
def test_vectors_of_known_and_unknown_words_are_those_of_fasttext(
    tmp_path: Path, version: int, minn: int, maxn: int
) -> None:
    twin = Twin(encoded(WORDS), version=version, minn=minn, maxn=maxn)
    read = import_vectors(written(tmp_path, twin.data()))
    assert list(read.words) == WORDS
    assert read.counts.tolist() == list(range(len(WORDS), 0, -1))
    assert read.geometry == "euclidean"
    assert read.subwords is not None
    assert len(read.subwords) == BUCKETS
    expected = [twin.vector(word.encode()) for word in WORDS]
    np.testing.assert_allclose(read.coordinates, expected, atol=1e-6)
    composed = read.subwords.compose(UNKNOWN).coordinates
    np.testing.assert_allclose(
        composed, [twin.vector(word.encode()) for word in UNKNOWN], atol=1e-6
    )


def test_many_words_with_many_ngrams(tmp_path: Path) -> None:
    """Blocks of words and of n-grams are joined."""
    words = [f"{'ab' * (number % 50)}{number}" for number in range(30_000)]
    twin = Twin(encoded(words), minn=1, maxn=9)
    read = import_vectors(written(tmp_path, twin.data()))
    for row in range(0, len(words), 997):
        expected = twin.vector(words[row].encode())
        np.testing.assert_allclose(read.coordinates[row], expected, atol=1e-6)


def test_words_that_are_not_utf8_have_the_ngrams_of_their_bytes(tmp_path: Path) -> None:
    words = [b"dog", b"caf\xe9", b"\x80\x81a", b"\xff\xfe"]
    twin = Twin(words)
    with pytest.warns(VectorFileWarning, match=naming(3, "UTF-8")):
        read = import_vectors(written(tmp_path, twin.data()))
    assert read.words == ("dog", "caf\ufffd", "\ufffd\ufffda", "\ufffd\ufffd")
    np.testing.assert_allclose(read.coordinates, [twin.vector(word) for word in words], atol=1e-6)


@pytest.mark.parametrize("settings", [{"maxn": 0, "bucket": 0}, {"maxn": 0}, {"minn": 5}])
def test_models_without_ngrams(
    tmp_path: Path, settings: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    twin = Twin(encoded(WORDS), **settings)
    monkeypatch.setattr(stored_rows, "_CHUNK_NUMBERS", len(WORDS) * DIMENSION)  # filled exactly
    read = import_vectors(written(tmp_path, twin.data()))
    assert read.subwords is None
    np.testing.assert_array_equal(read.coordinates, twin.rows[: len(WORDS)])


@pytest.mark.parametrize(("version", "has_ngrams"), [(11, False), (12, True)])
def test_labels_of_supervised_models_are_left_out(
    tmp_path: Path, version: int, has_ngrams: bool
) -> None:
    twin = Twin(encoded(WORDS), version=version, model=3, labels=[b"__label__a", b"__label__b"])
    with pytest.warns(VectorFileWarning, match=naming("supervised", 2, "labels")):
        read = import_vectors(written(tmp_path, twin.data()))
    assert list(read.words) == WORDS
    assert (read.subwords is not None) == has_ngrams
    row = WORDS.index("dog")
    expected = twin.vector(b"dog") if has_ngrams else twin.rows[row]
    np.testing.assert_allclose(read.coordinates[row], expected, atol=1e-6)


def test_models_are_recognized_by_their_first_bytes(tmp_path: Path) -> None:
    data = Twin(encoded(WORDS)).data()
    for name, options in (("a.bin", {}), ("a", {"format": "fasttext-binary"})):
        assert import_vectors(written(tmp_path, data, name), **options).subwords is not None
    assert import_vectors(written(tmp_path, gzip.compress(data), "a.bin.gz")).subwords is not None
    with pytest.raises(VectorFileError) as caught:
        import_vectors(written(tmp_path, data), format="word2vec-binary")
    assert "fasttext-binary" in str(caught.value.hint)
    with pytest.raises(VectorFileError, match="not a fastText model"):
        import_vectors(written(tmp_path, b"1 1\na \0\0\0\0"), format="fasttext-binary")


@pytest.mark.parametrize("coordinates", ["points", "points-time-first", "ball"])
def test_ngrams_are_not_read_with_coordinates_that_are_no_means(
    tmp_path: Path, coordinates: str
) -> None:
    path = written(tmp_path, Twin(encoded(WORDS)).data())
    with pytest.raises(OptionError, match=naming(coordinates, path, "n-grams")):
        import_vectors(path, coordinates=coordinates)


# -- damaged files


@pytest.mark.parametrize(
    ("settings", "facts"),
    [
        ({"version": 10}, ("version", 10, 11, 12)),
        ({"version": 13}, ("version", 13)),
        ({"dim": 0}, ("dimension", 0, 1_000_000)),
        ({"dim": -5}, ("dimension", "1000000")),
        ({"dim": 2**31 - 1}, ("dimension", 2**31 - 1)),
        ({"dim": DIMENSION + 1}, (BUCKETS + len(WORDS), DIMENSION, DIMENSION + 1)),
        ({"maxn": 101}, (101, 100)),
        ({"maxn": 2**31 - 1}, (2**31 - 1, 100)),
        ({"quantized": 1}, ("quantized",)),
        ({"pruned": 0}, ("pruned", 0)),
        ({"pruned": 17}, ("pruned", 17)),
        ({"kind": 1}, ("type", 1, 0)),
        ({"kind": -3}, ("type", 0)),
    ],
)
def test_models_that_cannot_be_read(
    tmp_path: Path, settings: dict[str, Any], facts: tuple[object, ...]
) -> None:
    path = written(tmp_path, Twin(encoded(WORDS), **settings).data())
    with pytest.raises(VectorFileError, match=naming(path, *facts)) as caught:
        import_vectors(path)
    assert caught.value.hint


def test_quantized_models_by_their_ending(tmp_path: Path) -> None:
    path = written(tmp_path, Twin(encoded(WORDS), quantized=1).data(), "model.ftz")
    with pytest.raises(VectorFileError, match=naming(path, "quantized")):
        import_vectors(path)


HEADER = 8 + 56  # bytes before the sizes of the dictionary
HOSTILE_NUMBERS = (0, -1, 1, 2**31 - 1, -(2**31), 10**9)


def test_any_number_of_the_header_may_be_wrong(tmp_path: Path) -> None:
    data = Twin(encoded(WORDS)).data()
    for place in range(0, HEADER + 28, 4):
        for number in HOSTILE_NUMBERS:
            changed = data[:place] + struct.pack("<i", number) + data[place + 4 :]
            path = written(tmp_path, changed)
            with contextlib.suppress(VectorFileError):
                import_vectors(path, format="fasttext-binary")


@pytest.mark.parametrize("words", [0, -1, 2**31 - 1, 5])
def test_wrong_sizes_of_the_dictionary(tmp_path: Path, words: int) -> None:
    data = Twin(encoded(WORDS)).data()
    sizes = struct.pack("<iii", words, words, 0)
    path = written(tmp_path, data[:HEADER] + sizes + data[HEADER + 12 :])
    with pytest.raises(VectorFileError, match=naming(path)):
        import_vectors(path)


@pytest.mark.parametrize("shape", [(10**18, DIMENSION), (-1, DIMENSION), (BUCKETS, DIMENSION)])
@pytest.mark.parametrize("which", ["input", "output"])
def test_wrong_shapes_of_matrices(tmp_path: Path, which: str, shape: tuple[int, int]) -> None:
    twin = Twin(encoded(WORDS))
    data = twin.data()
    place = len(data) - 16 - 4 * len(WORDS) * DIMENSION
    if which == "input":
        place -= 17 + twin.rows.nbytes
    path = written(tmp_path, data[:place] + struct.pack("<qq", *shape) + data[place + 16 :])
    with pytest.raises(VectorFileError, match=naming(path)):
        import_vectors(path)


@pytest.mark.parametrize(
    ("row", "facts"), [(1, ("dog", "NaN")), (len(WORDS) + 42, ("bucket", 42, "NaN"))]
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite(
    tmp_path: Path, row: int, facts: tuple[object, ...], value: float
) -> None:
    twin = Twin(encoded(WORDS))
    twin.rows[row, 2] = value
    path = written(tmp_path, twin.data())
    with pytest.raises(VectorFileError, match=naming(path, *facts)):
        import_vectors(path)


def test_files_that_are_cut_or_continued(tmp_path: Path) -> None:
    data = Twin(encoded(WORDS[:3])).data()
    for size in [*range(4, 200), *range(200, len(data), 101), len(data) - 1]:
        path = written(tmp_path, data[:size])
        with pytest.raises(VectorFileError, match=naming(path)):
            import_vectors(path)
    with pytest.raises(VectorFileError, match=naming(path, "more data")):
        import_vectors(written(tmp_path, data + b"\0"))


def test_words_that_are_far_too_long(tmp_path: Path) -> None:
    for word, settings in (
        (b"x" * (MOST_NGRAMS // 2), {}),
        (b"x" * (3 << 20), {"maxn": 0}),
        (b"", {}),
    ):
        path = written(tmp_path, Twin([b"dog", word], **settings).data())
        with pytest.raises(VectorFileError, match=naming(path, 2)):
            import_vectors(path)


# -- writing


def read_by_twin(data: bytes) -> Twin:
    """What fastText keeps of a file that we wrote."""
    dim, *_ = struct.unpack_from("<i", data, 8)
    bucket, minn, maxn = struct.unpack_from("<3i", data, 8 + 32)
    entries, words, labels, _, pruned = struct.unpack_from("<3i2q", data, HEADER)
    assert (entries, labels, pruned) == (words, 0, -1)
    place, spellings = HEADER + 28, []
    for _ in range(words):
        end = data.index(b"\0", place)
        count, kind = struct.unpack_from("<qb", data, end + 1)
        assert count > 0
        assert kind == 0
        spellings.append(data[place:end])
        place = end + 10
    quantized, rows, columns = struct.unpack_from("<Bqq", data, place)
    assert (quantized, rows, columns) == (0, words + bucket, dim)
    twin = Twin(spellings, bucket=bucket, minn=minn, maxn=maxn)
    twin.rows = np.frombuffer(data, "<f4", rows * dim, place + 17).reshape(rows, dim)
    place += 17 + twin.rows.nbytes
    assert struct.unpack_from("<Bqq", data, place) == (0, words, dim)
    assert data[place + 17 :] == bytes(4 * words * dim)
    return twin


@pytest.mark.parametrize(
    ("geometry", "factors"), [("hyperboloid", 1), ("hyperboloid", 2), ("euclidean", 1)]
)
def test_fasttext_gives_our_coordinates(tmp_path: Path, geometry: str, factors: int) -> None:
    vectors = model_of(geometry, factors=factors)
    assert vectors.subwords is not None
    path = tmp_path / "v.bin"
    assert export_vectors(vectors, path, format="fasttext-binary") == [path]
    twin = read_by_twin(path.read_bytes())
    found = np.array([twin.vector(word.encode()) for word in WORDS])
    np.testing.assert_allclose(found, vectors.coordinates, atol=2e-6)
    composed = vectors.subwords.compose(UNKNOWN)
    theirs = np.array([twin.vector(word.encode()) for word in UNKNOWN])
    known = composed.is_known
    assert known.any()
    assert not known.all()
    assert not theirs[~known].any()
    cosines = np.vecdot(theirs, composed.coordinates)[known]
    cosines /= (np.linalg.norm(theirs, axis=1) * np.linalg.norm(composed.coordinates, axis=1))[
        known
    ]
    np.testing.assert_allclose(cosines, 1.0, atol=1e-6)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_round_trip(tmp_path: Path, geometry: str) -> None:
    vectors = model_of(geometry)
    path = tmp_path / "v.bin"
    export_vectors(vectors, path, format="fasttext-binary")
    read = import_vectors(path, coordinates="spatial" if geometry == "hyperboloid" else "auto")
    assert (read.geometry, read.words) == (geometry, vectors.words)
    assert read.counts.tolist() == vectors.counts.tolist()
    np.testing.assert_allclose(read.coordinates, vectors.coordinates, atol=2e-6)
    assert read.subwords is not None
    assert vectors.subwords is not None
    assert read.subwords.scheme == vectors.subwords.scheme
    rows = read.subwords.coordinates
    np.testing.assert_array_equal(rows[vectors.subwords.buckets], vectors.subwords.coordinates)
    assert np.count_nonzero(rows.any(axis=1)) == len(vectors.subwords)


def test_unknown_counts_are_written_as_one(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "b"], np.ones((2, 2)), geometry="euclidean")
    export_vectors(vectors, tmp_path / "v.bin", format="fasttext-binary")
    assert import_vectors(tmp_path / "v.bin").counts.tolist() == [1, 1]


@pytest.mark.parametrize("coordinates", ["points", "points-time-first", "ball"])
def test_ngrams_are_written_in_spatial_coordinates_only(tmp_path: Path, coordinates: str) -> None:
    with pytest.raises(GeometryError, match=naming(coordinates, "spatial", "mean")):
        export_vectors(
            model_of(), tmp_path / "v", format="fasttext-binary", coordinates=coordinates
        )
    words_only = WordVectors(WORDS, np.ones((len(WORDS), 4)))
    export_vectors(words_only, tmp_path / "v", format="fasttext-binary", coordinates=coordinates)


def test_ngrams_of_floret_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=naming("fasttext-binary", "floret")) as caught:
        export_vectors(model_of(hashes=2), tmp_path / "v.bin", format="fasttext-binary")
    assert "format='floret'" in str(caught.value.hint)
    assert not list(tmp_path.iterdir())


def test_more_buckets_than_fasttext_can_number(tmp_path: Path) -> None:
    scheme = SubwordScheme(shortest=2, longest=4, buckets=1 << 31)
    table = SubwordTable(scheme, np.zeros(0, dtype=np.int64), np.zeros((0, 2)))
    vectors = WordVectors(["dog"], np.ones((1, 2)), subwords=table)
    with pytest.raises(OutputError, match=naming(1 << 31, (1 << 31) - 1)):
        export_vectors(vectors, tmp_path / "v.bin", format="fasttext-binary")


def test_vectors_too_large_for_fasttext(tmp_path: Path) -> None:
    vectors = model_of(words=["dog", "poodle"])
    large = WordVectors(
        vectors.words, np.full((2, 4), 3e38, dtype=np.float32), subwords=vectors.subwords
    )
    with pytest.raises(OutputError, match=naming("'dog'")):
        export_vectors(large, tmp_path / "v.bin", format="fasttext-binary")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("has_ngrams", [True, False])
def test_a_word_that_could_not_be_read_again(tmp_path: Path, has_ngrams: bool) -> None:
    path, longest = tmp_path / "v.bin", (1 << 20) // 3 - 2 if has_ngrams else 1 << 20
    for length in (longest, longest + 1):
        vectors = model_of(words=["dog", "x" * length])
        vectors = vectors if has_ngrams else vectors.without_subwords()
        if length > longest:
            with pytest.raises(OutputError, match=naming(f"{length} bytes", longest)):
                export_vectors(vectors, path, format="fasttext-binary")
        else:
            export_vectors(vectors, path, format="fasttext-binary")
            assert import_vectors(path, coordinates="spatial").words == vectors.words
            path.unlink()
    assert not path.exists()


# -- formats of words only


@pytest.mark.parametrize("format_name", ["word2vec", "word2vec-binary", "fasttext", "glove"])
@pytest.mark.parametrize(("hashes", "kept"), [(0, "fasttext-binary"), (2, "floret")])
def test_other_formats_hold_the_words_as_before(
    tmp_path: Path, format_name: str, hashes: int, kept: str
) -> None:
    words = [word for word in WORDS if " " not in word]
    vectors = model_of(words=words, hashes=hashes)
    without = WordVectors(vectors.words, vectors.coordinates, counts=vectors.counts)
    export_vectors(without, tmp_path / "without", format=format_name)
    with pytest.warns(VectorFileWarning, match=naming("n-grams", f"format='{kept}'")):
        export_vectors(vectors, tmp_path / "with", format=format_name)
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes()


@pytest.mark.filterwarnings("default")
def test_on_the_command_line(program: Program, tmp_path: Path) -> None:
    model, out = tmp_path / "model.safetensors", tmp_path / "v.bin"
    model_of(words=["dog", "poodle"]).save(model)
    result = program("export", model, out)
    assert result.code == 0
    assert "--format fasttext-binary" in result.err
    result = program("export", model, out, "--format", "fasttext-binary")
    assert result.code == 0
    assert "warning" not in result.err
    result = program("import", out, tmp_path / "again.safetensors", "--coordinates", "spatial")
    assert result.code == 0
    assert f"{BUCKETS} buckets of n-grams" in result.err
    program("export", model, out, "--format", "floret").check_refused("--format fasttext-binary")
    model_of(words=["dog", "poodle"]).without_subwords().save(model)
    refused = program("export", model, out, "--format", "floret")
    refused.check_refused("--format floret", "bucket hashes")
    assert "`" not in refused.err  # an argument of Python
