"""Files of every earlier format version are read, and contain what was written into them."""

import hashlib
import shutil
from pathlib import Path

import numpy as np
import pytest
from formats.write_files import FILES, write_missing, writers

from hyperskip import Phrase, WordVectors, load, open_encoded, read_phrases, read_relations
from hyperskip.errors import NewerFileError
from hyperskip.experiment.results.experiment_folder import read_header
from hyperskip.experiment.results.records import read_record
from hyperskip.files.format_version import check_version
from hyperskip.projection.map_file import map_beside, map_key, read_map
from hyperskip.training.checkpoints import checkpoint
from hyperskip.vectors.container import read_header as read_tensors_header
from hyperskip.vectors.model_registry import read_registry

COORDINATES = [[0.5, -0.25], [1.0, 2.0], [-3.0, 0.125]]
MODELS = {1: "model-1", 2: "model-2", 3: "model-3", 4: "model-4", 5: "model-5"}


def loaded(version: int) -> WordVectors:
    return load(FILES / f"{MODELS[version]}.safetensors")


@pytest.mark.parametrize("version", MODELS)
def test_models_of_every_version(version: int) -> None:
    about = read_tensors_header(FILES / f"{MODELS[version]}.safetensors").about
    assert about is not None
    assert about["format_version"] == version
    vectors = loaded(version)
    assert vectors.words == ("the", "café", "new york")
    assert vectors.coordinates.tolist() == COORDINATES
    assert vectors.counts.tolist() == [9, 4, 1]
    assert vectors.geometry == "hyperboloid"
    assert vectors.factors == (2 if version == 2 else 1)
    assert dict(vectors.options) == {"dimension": 2, "tokenizer": "paper"}
    assert [dict(epoch) for epoch in vectors.history] == [{"epoch": 1, "loss": 2.5}]


@pytest.mark.parametrize("version", [3, 5])
def test_hierarchies(version: int) -> None:
    points = loaded(version).hierarchy
    assert points is not None
    assert points.coordinates.tolist() == (-np.array(COORDINATES)).tolist()
    assert points.evidence.tolist() == [3, 0, 1]
    assert (points.slope, points.offset, points.edge) == (2.0, -1.0, 4.0)
    assert loaded(2).hierarchy is None


@pytest.mark.parametrize("version", [4, 5])
def test_subwords(version: int) -> None:
    table = loaded(version).subwords
    assert table is not None
    assert table.buckets.tolist() == [1, 5]
    assert table.coordinates.tolist() == [[0.5, 1.0], [2.0, 4.0]]
    assert table.scheme.as_dict() == {"shortest": 3, "longest": 4, "buckets": 8, "hashes": 0}


def test_a_registry() -> None:
    (found,) = read_registry(FILES / "models-1.json").values()
    assert (found.name, found.license, found.about) == ("three", "CC0-1.0", "Three words")
    assert found.location == str(FILES / "model-5.safetensors")
    assert found.sha256 == hashlib.sha256(Path(found.location).read_bytes()).hexdigest()


def test_a_model_of_an_early_commit() -> None:
    vectors = load(FILES / "model-1-first.safetensors")
    assert vectors.words == ("the", "red", "cat", "and", "dog", "see", "blue", "bird")
    assert vectors.counts.tolist() == [120, 60, 60, 60, 60, 60, 60, 60]
    first = np.array([0.007103797048330307, 0.012789545580744743], np.float32)
    assert vectors.coordinates[0].tolist() == first.tolist()
    assert vectors.options["schedule"] == "window"
    assert vectors.history[0]["pairs"] == 4


def test_a_checkpoint() -> None:
    found = checkpoint.load(FILES / "checkpoint-1.safetensors")
    assert found.vectors.coordinates.tolist() == COORDINATES
    assert found.contexts is not None
    assert found.contexts.tolist() == (-np.array(COORDINATES)).tolist()
    times = np.sqrt(1 + (np.array(COORDINATES) ** 2).sum(axis=1))
    np.testing.assert_allclose(found.times.ravel(), times, rtol=1e-6)
    assert found.theta == 3.0
    assert found.key.options["epochs"] == 3
    assert (found.position.epoch, found.position.block) == (1, 2)
    assert (found.position.sums.tokens, found.position.sums.loss) == (7, 5.0)
    assert found.position.history[0].loss == 2.5


@pytest.mark.parametrize(
    ("version", "words", "counts", "first"),
    [
        (1, ("the", "new", "york", "café"), [3, 2, 2, 1], [0, 1, 2, 3]),
        (2, ("the", "new", "york", "café"), [3, 2, 2, 1], [0, 1, 2, 3]),
        (3, ("the", "new_york", "café"), [3, 2, 1], [0, 1, 2]),
    ],
)
def test_encoded_corpora_of_every_version(
    version: int, words: tuple[str, ...], counts: list[int], first: list[int]
) -> None:
    corpus = open_encoded(FILES / f"corpus-{version}")
    assert corpus.options.format_version == version
    assert corpus.options.min_count == 1
    assert tuple(corpus.vocabulary.words) == words
    assert corpus.vocabulary.counts.tolist() == counts
    assert corpus.tokens[: len(first)].tolist() == first


def test_a_map() -> None:
    vectors = loaded(1)
    found = read_map(FILES / "map-2.disc-map", map_key(vectors, 3, "auto", 1))
    assert found is not None
    assert found.places.shape == (3, 2)
    assert found.method == "exact"


def test_a_map_of_version_1_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "model.disc-map"
    shutil.copy(FILES / "map-1.disc-map", path)
    made = map_beside(tmp_path / "model", loaded(1))
    saved = read_map(path, map_key(loaded(1), 3, "auto", 1))
    assert saved is not None
    assert saved.places.tolist() == made.places.tolist()


def test_phrases() -> None:
    assert read_phrases(FILES / "phrases.tsv").rows == (
        Phrase(("new", "york"), 9.5, 20, 1),
        Phrase(("a b", "c\\"), 0.125, 3, 2),
    )


def test_relations() -> None:
    assert [tuple(row) for row in read_relations(FILES / "relations.tsv")] == [
        ("cat", "animal", 5, ("such-as", "is-a")),
        ("café", "place", 1, ()),
    ]


def test_an_experiment() -> None:
    folder = FILES / "experiment-1"
    header = read_header(folder / "experiment.json")
    assert header["text"] == ["text.txt"]
    assert header["corpus"] == open_encoded(FILES / "corpus-1").checksum()
    record = read_record(folder / "runs" / "hyperboloid-2.json")
    assert (record.dimension, record.loss, record.average) == (2, 2.5, 0.5)
    assert record.asked["epochs"] == 3


def test_newer_files_are_refused() -> None:
    with pytest.raises(NewerFileError, match="has format version 6"):
        check_version(Path("model"), 6, 5)


def test_the_script_writes_only_what_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    assert write_missing(folder) == list(writers())
    (folder / "phrases.tsv").write_text("kept")
    (folder / "relations.tsv").unlink()
    assert write_missing(folder) == ["relations.tsv"]
    assert (folder / "phrases.tsv").read_text() == "kept"


def test_the_files_are_small() -> None:
    assert all(path.stat().st_size < 4096 for path in FILES.rglob("*") if path.is_file())
