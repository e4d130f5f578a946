"""`hyperskip.add_hierarchy` learns a taxonomy that is known, and works on the smallest data."""

import inspect
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from synthetic_taxonomy import KINDS, Taxonomy, taxonomy

import hyperskip
from hyperskip import WordVectors, add_hierarchy
from hyperskip.errors import CorpusWarning, InputError, OptionError
from hyperskip.options import declarations
from hyperskip.training.hierarchy.calibration import UNCALIBRATED
from hyperskip.training.hierarchy.options import HierarchyOptions
from hyperskip.training.options import TrainingOptions
from hyperskip.vectors.hierarchy_points import HierarchyPoints

FEW = pytest.mark.filterwarnings("ignore::hyperskip.CorpusWarning")


@pytest.fixture(scope="module")
def known() -> Taxonomy:
    return taxonomy()


@pytest.fixture(scope="module")
def placed(known: Taxonomy) -> WordVectors:
    return add_hierarchy(known.vectors, known.stated)


def points_of(vectors: WordVectors) -> HierarchyPoints:
    assert vectors.hierarchy is not None
    return vectors.hierarchy


def test_words_without_relations_are_placed_by_similar_words(
    known: Taxonomy, placed: WordVectors
) -> None:
    rows = np.arange(len(placed))
    kinds = placed.rows_of([f"kind{kind}" for kind in range(KINDS)])
    first_kinds = []
    for narrower, broader in known.held_out:
        row, right = placed.index_of(narrower), placed.index_of(broader)
        assert points_of(placed).evidence[row] == 0
        assert placed.is_a(narrower, broader) > placed.is_a(broader, narrower)
        scores = placed.is_a_of_rows(np.full(len(rows), row), rows)
        first_kinds.append(kinds[scores[kinds].argmax()] == right)
        assert scores[right] > np.delete(scores, [*kinds, 0]).max()  # than of species
    assert np.mean(first_kinds) > 0.95


def test_broader_words_have_smaller_radii(known: Taxonomy, placed: WordVectors) -> None:
    radii = dict(zip(placed.words, points_of(placed).radii, strict=True))
    assert min(radii, key=lambda word: radii[word]) == "thing"
    for narrower, broader in [*((a, b) for a, b, _ in known.stated), *known.held_out]:
        assert radii[broader] < radii[narrower]


def test_probabilities_separate_what_is_true(known: Taxonomy, placed: WordVectors) -> None:
    true = [placed.is_a(a, b) for a, b, _ in known.stated]
    reversed_pairs = [placed.is_a(b, a) for a, b, _ in known.stated]
    wrong_kind = [placed.is_a(a, f"kind{(int(b[4:]) + 1) % KINDS}") for a, b in known.held_out]
    assert np.mean(true) > 0.5 > 0.25 > max(np.mean(reversed_pairs), np.mean(wrong_kind))


def test_everything_else_stays_as_it_is(known: Taxonomy, placed: WordVectors) -> None:
    vectors = known.vectors
    assert vectors.hierarchy is None
    assert placed.words == vectors.words
    assert placed.coordinates.tobytes() == vectors.coordinates.tobytes()
    assert placed.counts.tolist() == vectors.counts.tolist()
    assert placed.neighbors("kind1") == vectors.neighbors("kind1")
    again = add_hierarchy(placed, known.stated, dimension=5)
    assert points_of(again).dimension == 5
    assert points_of(placed).dimension == 30


def test_evidence_counts_relations(known: Taxonomy, placed: WordVectors) -> None:
    counts = dict.fromkeys(placed.words, 0)
    for narrower, broader, count in known.stated:
        counts[narrower] += count
        counts[broader] += count
    assert points_of(placed).evidence.tolist() == list(counts.values())


def test_a_model_and_relations_may_be_files(
    tmp_path: Path, known: Taxonomy, placed: WordVectors
) -> None:
    known.vectors.save(tmp_path / "model.safetensors")
    rows = [(narrower, broader, count, ()) for narrower, broader, count in known.stated]
    hyperskip.Relations.of_rows(rows).save(tmp_path / "relations.tsv")
    added = add_hierarchy(tmp_path / "model.safetensors", tmp_path / "relations.tsv")
    np.testing.assert_allclose(points_of(added).radii, points_of(placed).radii, rtol=1e-6)
    added.save(tmp_path / "added.safetensors")
    loaded = hyperskip.load(tmp_path / "added.safetensors")
    assert points_of(loaded).coordinates.tobytes() == points_of(added).coordinates.tobytes()


_SCRIPT = """
import hashlib, sys
from synthetic_taxonomy import taxonomy
from hyperskip import add_hierarchy
known = taxonomy()
points = add_hierarchy(known.vectors, known.stated).hierarchy
print(hashlib.sha256(points.coordinates.tobytes()).hexdigest(), points.slope, points.offset)
"""


def test_threads_of_numpy_change_nothing() -> None:
    results = set()
    for threads in ("1", "2", "3"):
        limits = dict.fromkeys(
            ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), threads
        )
        result = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            capture_output=True, text=True, check=True,
            env=os.environ | limits | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )  # fmt: skip
        results.add(result.stdout)
    assert len(results) == 1


WORDS = ["dog", "cat", "cow", "animal", "car", "vehicle", "bus", "thing"]


def small(**options: Any) -> WordVectors:
    coordinates = np.random.default_rng(1).normal(size=(len(WORDS), 6))
    return WordVectors(WORDS, coordinates, **options)


@FEW
def test_two_words_and_one_relation() -> None:
    vectors = WordVectors(["dog", "animal"], [[1.0, 0.0], [0.9, 0.1]])
    added = add_hierarchy(vectors, [("dog", "animal")])
    points = points_of(added)
    assert (points.slope, points.offset) == UNCALIBRATED
    assert added.is_a("dog", "animal") > added.is_a("animal", "dog")
    assert points.radii[1] < points.radii[0]


@FEW
@pytest.mark.parametrize(
    "pairs",
    [
        [("dog", "animal"), ("cat", "animal"), ("car", "vehicle"), ("bus", "vehicle")],
        [(word, "thing") for word in WORDS[:-1]],
        [("dog", "animal", 0.3), ("cat", "animal", 2.6)],
        [("dog", "animal", 1e-3), ("cat", "animal", 500)],
    ],
)
@pytest.mark.parametrize(
    "options", [{}, {"geometry": "euclidean"}, {"factors": 3}], ids=["curved", "flat", "product"]
)
def test_few_relations_in_any_space(pairs: list[Any], options: dict[str, Any]) -> None:
    added = add_hierarchy(small(**options), pairs)
    assert added.geometry == small(**options).geometry
    assert points_of(added).evidence[0] == max(1, round(pairs[0][2] if len(pairs[0]) > 2 else 1))
    for narrower, broader, *_ in pairs:
        assert added.is_a(narrower, broader) > added.is_a(broader, narrower)


@FEW
def test_contradicting_relations() -> None:
    added = add_hierarchy(
        small(), [("dog", "animal", 1), ("animal", "dog", 1), ("dog", "animal", 1)]
    )
    assert added.is_a("dog", "animal") > added.is_a("animal", "dog")
    assert points_of(added).evidence[[0, 3]].tolist() == [3, 3]


@FEW
@pytest.mark.parametrize("zeros", [[0], [3], [1, 2], list(range(len(WORDS)))])
def test_words_at_the_base_point(zeros: list[int]) -> None:
    coordinates = small().coordinates.copy()
    coordinates[zeros] = 0.0
    vectors = WordVectors(WORDS, coordinates)
    added = add_hierarchy(vectors, [("dog", "animal"), ("cat", "animal")])
    assert np.isfinite(points_of(added).coordinates).all()
    assert added.is_a("dog", "animal") > added.is_a("animal", "dog")


def test_few_relations_are_warned_of() -> None:
    with pytest.warns(CorpusWarning, match=naming(1, 2)) as warned:
        add_hierarchy(small(), [("dog", "animal"), ("dog", "unknown")])
    assert len(warned) == 1


@pytest.mark.parametrize("count", [1e30, 1e308])
def test_extreme_counts_are_refused(count: float) -> None:
    with pytest.raises(InputError, match=naming("counts")):
        add_hierarchy(small(), [("dog", "animal", count), ("cat", "animal", count)])


def test_relations_of_other_words_are_refused() -> None:
    with pytest.raises(InputError, match=naming(2, len(WORDS))):
        add_hierarchy(small(), [("hund", "tier"), ("dog", "tier")])


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"dimension": 1}, ["`dimension`", 2, 1000, 1]),
        ({"dimension": 2.5}, ["`dimension`", "2.5"]),
        ({"seed": -1}, ["`seed`", 0, -1]),
        ({"vectors": 3}, ["`vectors`", 3]),
        ({"patterns": "missing.txt"}, ["missing.txt"]),
        ({"dimensions": 5}, ["dimensions", "dimension"]),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], facts: list[object]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        add_hierarchy(**({"vectors": small(), "relations": [("dog", "animal")]} | arguments))


@FEW
def test_singular_forms_of_another_language(tmp_path: Path) -> None:
    patterns = tmp_path / "german.txt"
    patterns.write_text("[patterns]\nwie: BROADERS wie NARROWERS\n[singular]\nhunde hund\n")
    vectors = WordVectors(["hunde", "tier"], [[1.0, 0.0], [0.9, 0.1]])
    added = add_hierarchy(vectors, [("hund", "tier")], patterns=patterns)
    assert points_of(added).evidence.tolist() == [1, 1]


def test_the_signature() -> None:
    parameters = inspect.signature(add_hierarchy).parameters
    assert list(parameters) == ["vectors", "relations", "dimension", "seed", "patterns"]
    defaults = {name: parameter.default for name, parameter in parameters.items()}
    assert defaults["dimension"] == declarations(HierarchyOptions)["hierarchy_dimension"].default
    assert defaults["seed"] == declarations(TrainingOptions)["seed"].default
    assert all(f"        {name}: " in (add_hierarchy.__doc__ or "") for name in parameters)
    assert hyperskip.add_hierarchy is add_hierarchy
