"""Tables of floret: a plain twin of spaCy composes the same directions from them."""

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from program import Program

from hyperskip import SubwordScheme, SubwordTable, WordVectors
from hyperskip.errors import GeometryError, OptionError, OutputError, VectorFileWarning
from hyperskip.subwords.hashes import murmur3
from hyperskip.vectors.exchange.exporting import export_vectors, planned_export
from hyperskip.vectors.exchange.importing import import_vectors

WORDS = ["dog", "über", "naïve", "日本語", "a", "x" * 30, "poodle"]
UNKNOWN = ["dogs", "übers", "日本", "poodles", "naïvely"]


def model_of(hashes: int, geometry: str = "hyperboloid", **changes: Any) -> WordVectors:
    """A model with n-grams of floret: the coordinates of words are means."""
    scheme = SubwordScheme(shortest=2, longest=4, buckets=500, hashes=hashes)
    buckets = np.unique(scheme.buckets_of(WORDS).buckets)
    rows = np.random.default_rng(5).normal(size=(len(buckets), 4))
    table = SubwordTable(scheme, buckets, rows)
    arguments = {"coordinates": table.compose(WORDS).coordinates, "subwords": table, **changes}
    return WordVectors(WORDS, geometry=geometry, **arguments)


@pytest.mark.parametrize(
    ("hashes", "chosen", "size"),
    [
        (2, {"format": "floret"}, "38.0 GB"),  # 11 + 4 * 2 bytes for each bucket
        (2, {"tool": "spacy"}, "32.0 GB"),
        (0, {"format": "fasttext-binary"}, "32.0 GB"),
    ],
)
def test_the_size_of_many_buckets_is_named_before_writing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    hashes: int,
    chosen: dict[str, str],
    size: str,
) -> None:
    scheme = SubwordScheme(shortest=2, longest=4, buckets=2_000_000_000, hashes=hashes)
    buckets = np.unique(scheme.buckets_of(WORDS).buckets)
    table = SubwordTable(scheme, buckets, np.ones((len(buckets), 4)))
    model = WordVectors(WORDS, table.compose(WORDS).coordinates, subwords=table)
    nothing_else: dict[str, Any] = dict.fromkeys(("format", "coordinates", "tool", "measure"))

    def plan_with(free: float) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: (int(2e12), 0, int(free)))
        planned_export(model, tmp_path / "output", **nothing_else | chosen)

    with pytest.raises(OutputError, match=naming(f"needs about {size}", "and 1.0 GB are")) as error:
        plan_with(1e9)
    assert error.value.hint is not None
    assert "2,000,000,000 buckets" in error.value.hint
    assert "fewer buckets" in error.value.hint
    with pytest.warns(VectorFileWarning, match=f"takes about {size}.*fewer buckets"):
        plan_with(1e12)


class Twin:
    """spaCy in plain Python: it reads a table, and composes the vector of any word."""

    def __init__(self, path: Path) -> None:
        header, *lines = path.read_text(encoding="utf-8").splitlines()
        buckets, dimension, *numbers, begin, end = header.split(" ")
        self.shortest, self.longest, self.hashes, self.seed = map(int, numbers)
        assert (begin, end) == ("<", ">")
        assert [line.split(" ")[0] for line in lines] == [str(i) for i in range(int(buckets))]
        self.rows = np.array([line.split(" ")[1:] for line in lines], dtype=np.float32)
        assert self.rows.shape == (int(buckets), int(dimension))

    def vector(self, word: str) -> npt.NDArray[np.float64]:
        text = f"<{word}>"
        ngrams = [text] + [
            text[begin : begin + length]
            for length in range(self.shortest, self.longest + 1)
            for begin in range(len(text) - length + 1)
        ]
        hashed = [value for ngram in ngrams for value in murmur3(ngram.encode(), self.hashes)]
        rows = [value % len(self.rows) for value in hashed]
        mean: npt.NDArray[np.float64] = self.rows[rows].mean(axis=0, dtype=np.float64)
        return mean


def cosines(vectors: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    products: npt.NDArray[np.float64] = unit @ unit.T
    return products


@pytest.mark.parametrize("hashes", [1, 2, 4])
@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_cosines_are_ours(tmp_path: Path, hashes: int, geometry: str) -> None:
    vectors = model_of(hashes, geometry)
    assert vectors.subwords is not None
    path = tmp_path / "v.floret"
    assert export_vectors(vectors, path) == [path]
    twin = Twin(path)
    assert (twin.seed, twin.hashes) == (2166136261, hashes)
    theirs = np.array([twin.vector(word) for word in WORDS + UNKNOWN])
    np.testing.assert_allclose(theirs[: len(WORDS)], vectors.coordinates, atol=1e-6)
    ours = np.array([*vectors.coordinates, *vectors.subwords.compose(UNKNOWN).coordinates])
    found = cosines(theirs)
    np.testing.assert_allclose(found, cosines(ours), atol=1e-6)
    angle = vectors.measured_by("angle" if geometry == "hyperboloid" else "product")
    for row, word in enumerate(WORDS):
        assert angle.similarity("dog", word) == pytest.approx(found[0, row], abs=1e-5)


def test_the_folder_for_spacy_has_the_same_table(tmp_path: Path) -> None:
    vectors = model_of(2)
    export_vectors(vectors, tmp_path / "v.floret")
    files = export_vectors(vectors, tmp_path / "pipeline", tool="spacy")
    assert [file.name for file in files] == [
        *("config.cfg", "meta.json", "tokenizer", "strings.json", "vectors", "vectors.cfg"),
    ]
    rows = np.load(tmp_path / "pipeline" / "vocab" / "vectors")
    np.testing.assert_array_equal(rows, Twin(tmp_path / "v.floret").rows)
    plan = planned_export(
        vectors, tmp_path / "other", format=None, coordinates=None, tool="spacy", measure=None
    )
    assert "similarity" in plan.usage()[-1]


def test_other_tools_leave_out_ngrams(tmp_path: Path) -> None:
    with pytest.warns(VectorFileWarning, match=naming("format='floret'", "tool='spacy'")):
        export_vectors(model_of(2), tmp_path / "layer", tool="torch")


@pytest.mark.parametrize("tool", [None, "spacy"])
def test_words_must_be_means(tmp_path: Path, tool: str | None) -> None:
    coordinates = model_of(2).coordinates.copy()
    coordinates[2] += 0.01
    moved = model_of(2, coordinates=coordinates)
    with pytest.raises(OutputError, match=naming("naïve", "mean")):
        export_vectors(moved, tmp_path / "v.floret", tool=tool)
    assert not list(tmp_path.iterdir())


def test_models_without_such_ngrams_are_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=naming("format='floret'", "none")):
        export_vectors(WordVectors(["a"], np.ones((1, 2))), tmp_path / "v.floret")
    with pytest.raises(OptionError, match=naming("format='floret'", "fastText")):
        export_vectors(model_of(0), tmp_path / "v.floret")
    with pytest.raises(GeometryError, match=naming("points", "spatial")):
        export_vectors(model_of(2), tmp_path / "v.floret", coordinates="points")
    assert not list(tmp_path.iterdir())


def test_a_table_has_no_words_to_import(tmp_path: Path) -> None:
    export_vectors(model_of(2), tmp_path / "v.floret")
    with pytest.raises(OptionError, match=naming(tmp_path / "v.floret", "words")):
        import_vectors(tmp_path / "v.floret")


def test_on_the_command_line(program: Program, tmp_path: Path) -> None:
    model, out = tmp_path / "model.safetensors", tmp_path / "table.floret"
    model_of(2).save(model)
    result = program("export", model, out)
    assert result.code == 0
    assert f"spacy init vectors LANG {out} FOLDER --mode floret" in result.err
    assert "warning" not in result.err
