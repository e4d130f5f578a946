"""Word vectors with simple positions, for which the answers are known."""

import copy
import pickle
from collections.abc import Callable
from math import cosh, log, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming

from hyperskip import devices
from hyperskip import geometry as hyperbolic
from hyperskip.errors import (
    GeometryError,
    InputError,
    MissingPackageError,
    OptionError,
    UnknownWordError,
)
from hyperskip.vectors.listed_words import Neighbor
from hyperskip.vectors.search.products import WORTH_A_GPU
from hyperskip.vectors.word_vectors import WordVectors

# Points at k·ln 2 from the base point have the coordinates (2^k - 2^-k)/2, which float32 can hold.
LN2 = log(2)


def at(step: int) -> float:
    return (2.0**step - 2.0**-step) / 2


def float32(values: Any) -> npt.NDArray[np.float32]:
    return np.array(values, dtype=np.float32)


def rows(*indices: int) -> npt.NDArray[np.int64]:
    return np.array(indices, dtype=np.int64)


# A line through the base point in steps of ln 2, and a word next to it.
LINE = {"minus": -1, "base": 0, "one": 1, "two": 2, "three": 3}
ROWS = [*((at(step), 0.0) for step in LINE.values()), (0.0, at(1))]


def hyperboloid() -> WordVectors:
    return WordVectors([*LINE, "beside"], float32(ROWS), counts=np.arange(6, 0, -1))


def euclidean() -> WordVectors:
    coordinates = float32([[2, 0], [0, 3], [1, 1], [-5, 0], [0, 0]])
    return WordVectors(
        ["east", "north", "both", "west", "nowhere"], coordinates, geometry="euclidean"
    )


def random_vectors(geometry: str, scale: float = 1.0, words: int = 300) -> WordVectors:
    values = scale * np.random.default_rng(5).standard_normal((words, 6))
    return WordVectors([f"w{i}" for i in range(words)], float32(values), geometry=geometry)


# -- data


def test_data() -> None:
    vectors = hyperboloid()
    assert len(vectors) == 6
    assert vectors.words == ("minus", "base", "one", "two", "three", "beside")
    assert vectors.counts.tolist() == [6, 5, 4, 3, 2, 1]
    assert vectors.geometry == "hyperboloid"
    assert vectors.dimension == 2
    assert vectors.points.dtype == np.float64
    assert vectors.points.shape == (6, 3)
    assert vectors.points[2].tolist() == [0.75, 0, 1.25]
    assert vectors["one"].tolist() == [0.75, 0, 1.25]
    assert vectors.ball[2].tolist() == [0.75 / 2.25, 0]
    assert "one" in vectors
    assert "four" not in vectors
    assert repr(vectors) == "<WordVectors: 6 words, hyperboloid, dimension 2>"


def test_data_of_euclidean_vectors() -> None:
    vectors = euclidean()
    assert vectors.geometry == "euclidean"
    assert vectors.points.tolist() == [[2, 0], [0, 3], [1, 1], [-5, 0], [0, 0]]
    assert vectors["both"].tolist() == [1, 1]
    assert vectors.counts.tolist() == [0] * 5
    with pytest.raises(GeometryError, match=naming("Poincaré", "geometry", "hyperboloid")):
        _ = vectors.ball


def test_vectors_are_immutable() -> None:
    vectors = WordVectors(
        ["a", "b"], float32([[1, 2], [3, 4]]), options={"seed": 1}, history=[{"loss": 0.5}]
    )
    for array in (vectors.coordinates, vectors.counts, vectors.points):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    mappings: list[Any] = [vectors.options, vectors.history[0]]
    for mapping in mappings:
        with pytest.raises(TypeError):
            mapping["seed"] = 2
    for name in ("words", "counts", "coordinates", "geometry", "options", "history"):
        with pytest.raises(AttributeError):
            setattr(vectors, name, None)
    assert isinstance(vectors.words, tuple)
    assert isinstance(vectors.history, tuple)


@pytest.mark.parametrize("shape", [(3, 2), (1, 2), (2,), (2, 1, 1)])
def test_coordinates_of_a_wrong_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=naming(2, "coordinates", shape)):
        WordVectors(["a", "b"], np.zeros(shape, dtype=np.float32))


@pytest.mark.parametrize("shape", [(1,), (3,), (2, 1), ()])
def test_counts_of_a_wrong_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=naming(2, "counts", shape)):
        WordVectors(["a", "b"], float32([[1], [2]]), counts=np.zeros(shape, dtype=np.int64))


def test_unknown_geometry() -> None:
    with pytest.raises(OptionError, match=naming("spherical", "hyperboloid", "euclidean")):
        WordVectors(["a"], float32([[1]]), geometry="spherical")


def test_repeated_words() -> None:
    vectors = WordVectors(["a", "b", "a"], float32([[1], [2], [3]]))
    with pytest.raises(InputError):
        vectors.index_of("a")


# -- words


def test_index_of() -> None:
    vectors = hyperboloid()
    assert [vectors.index_of(word) for word in vectors.words] == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("word", "suggestions"),
    [
        ("THREEE", ("three",)),
        ("thre", ("three",)),
        ("threee", ("three",)),
        ("xyzzy", ()),
        ("", ()),
        ("three" * 1000, ()),
    ],
)
def test_unknown_word(word: str, suggestions: tuple[str, ...]) -> None:
    vectors = hyperboloid()
    with pytest.raises(UnknownWordError) as caught:
        vectors.index_of(word)
    assert caught.value.word == word
    assert caught.value.suggestions == suggestions
    assert isinstance(caught.value, KeyError)
    for question in (vectors.neighbors, vectors.radius, vectors.__getitem__):
        with pytest.raises(UnknownWordError):
            question(word)


@pytest.mark.parametrize(
    ("word", "suggestions"),
    [
        ("dgo", ("dog", "do")),  # swapped letters come first
        ("Dgo", ("dog", "do")),
        ("dig", ("dog",)),
        ("teh", ("the",)),
        ("elefant", ("elephant",)),
        ("x", ()),
        ("", ()),
    ],
)
def test_suggestions(word: str, suggestions: tuple[str, ...]) -> None:
    words = ("the", "do", "dog", "elephant", "house")
    with pytest.raises(UnknownWordError) as caught:
        WordVectors(words, np.zeros((5, 2), dtype=np.float32)).index_of(word)
    assert caught.value.suggestions == suggestions


@pytest.mark.parametrize(
    ("word", "options", "is_split"),
    [
        ("item_1", {}, True),
        ("B00-XYZ1", {}, True),
        ("B00-XYZ1", {"hyphens": "keep"}, False),
        ("don't", {}, True),
        ("don't", {"apostrophes": "keep"}, False),
        ("3rd", {}, True),
        ("3.14", {"numbers": "keep"}, False),
        ("item_1", {"numbers": "keep"}, True),
        ("x", {}, True),
        ("dogs", {}, False),
        ("e\u0301te", {}, False),
        ("two words", {}, False),
        ("", {}, False),
        ("item_1", {"tokenizer": "whitespace"}, False),
        ("item_1", {"tokenizer": None}, False),
    ],
)
def test_words_that_the_tokenizer_splits(
    word: str, options: dict[str, Any], is_split: bool
) -> None:
    vectors = WordVectors(["item", "dog"], np.eye(2), options={"tokenizer": "paper"} | options)
    with pytest.raises(UnknownWordError) as caught:
        vectors.index_of(word)
    assert ("tokenizer 'whitespace'" in str(caught.value.hint)) == is_split
    drops_numbers = is_split and options.get("numbers") != "keep"
    assert ("digit" in str(caught.value.hint)) == drops_numbers
    with pytest.raises(UnknownWordError, match=naming("`skip_unknown=True`")):
        vectors.centroid([word])


# -- distances


def test_distances_on_a_line() -> None:
    vectors = hyperboloid()
    for a, from_step in LINE.items():
        for b, to_step in LINE.items():
            expected = abs(from_step - to_step) * LN2
            assert vectors.distance(a, b) == pytest.approx(expected, rel=1e-14, abs=0)
            assert vectors.similarity(a, b) == pytest.approx(-cosh(expected), rel=1e-14)
        assert vectors.radius(a) == pytest.approx(abs(from_step) * LN2, rel=1e-14, abs=0)
    assert vectors.similarity("one", "beside") == -1.5625
    assert vectors.distance("one", "beside") == pytest.approx(np.arccosh(1.5625), rel=1e-14)
    assert vectors.distance("one", vectors["two"]) == vectors.distance("one", "two")
    assert vectors.radius(vectors["two"]) == vectors.radius("two")
    assert vectors.radius([0.0, 0.0, 1.0]) == 0


def test_euclidean_distances_depend_on_angles() -> None:
    vectors = euclidean()
    assert vectors.similarity("east", "north") == 0
    assert vectors.similarity("east", "west") == -1
    assert vectors.similarity("east", "both") == pytest.approx(sqrt(0.5), rel=1e-14)
    assert vectors.distance("east", "east") == 0
    assert vectors.distance("east", "north") == pytest.approx(1, rel=1e-14)
    assert vectors.distance("east", "west") == 2
    assert vectors.similarity("east", "nowhere") == 0
    assert vectors.distance("east", "nowhere") == 1
    assert vectors.radius("north") == 3
    assert vectors.distance("both", [7.0, 7.0]) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("point", [[1.0], [1.0, 2.0], [[0.0, 0.0, 1.0]], 1.0])
def test_points_of_a_wrong_shape(point: npt.ArrayLike) -> None:
    with pytest.raises(InputError, match=naming(np.shape(point), (3,))):
        hyperboloid().distance("one", point)


def test_generality_is_ordered_by_radius() -> None:
    vectors = hyperboloid()
    placed = vectors.generality(["three", "base", "one", "three"])
    assert placed == [("base", 0, 1), ("one", vectors.radius("one"), 3), ("three", 3 * LN2, 6)]
    everything = vectors.generality()
    assert [word.rank for word in everything] == [1, 2, 3, 4, 5, 6]
    assert [word.word for word in everything] == "base minus one beside two three".split()
    assert np.array_equal(vectors.radii, [vectors.radius(word) for word in vectors])
    assert euclidean().generality()[-1] == ("west", 5, 5)
    assert vectors.generality([]) == []


def test_generality_of_unknown_words() -> None:
    with pytest.raises(UnknownWordError):
        hyperboloid().generality(["base", "tow"])
    with pytest.raises(InputError, match=naming("base")):
        hyperboloid().generality("base")
    with pytest.raises(InputError, match=naming("'b'", "finite")):
        WordVectors(["a", "b"], float32([[1], [np.nan]])).generality()


def test_centroid() -> None:
    vectors = hyperboloid()
    np.testing.assert_allclose(vectors.centroid(["minus", "one"]), [0, 0, 1], atol=1e-15)
    np.testing.assert_allclose(vectors.centroid(["base", "two"]), vectors["one"], rtol=1e-14)
    np.testing.assert_allclose(vectors.centroid(["two"]), vectors["two"], rtol=1e-14)
    np.testing.assert_allclose(
        vectors.centroid(["one", vectors["two"], "beside"]),
        hyperbolic.centroid([vectors["one"], vectors["two"], vectors["beside"]]),
    )
    np.testing.assert_allclose(euclidean().centroid(["east", "north"]), [1, 1.5])
    with pytest.raises(InputError):
        vectors.centroid([])


# -- neighbors


def test_neighbors_of_a_word() -> None:
    vectors = hyperboloid()
    found = vectors.neighbors("two")
    # "one" and "three" are equally near, so rounding decides which comes first.
    assert {neighbor.word for neighbor in found[:2]} == {"one", "three"}
    assert [neighbor.word for neighbor in found[2:]] == ["base", "beside", "minus"]
    assert found[2].distance == pytest.approx(2 * LN2, rel=1e-14)
    assert found[2].similarity == pytest.approx(-2.125, rel=1e-14)
    assert isinstance(found[0], Neighbor)


def test_neighbors_of_a_point() -> None:
    vectors = hyperboloid()
    found = vectors.neighbors(vectors["two"])
    assert found[0] == Neighbor("two", 0.0, -1.0)
    assert len(found) == 6
    assert euclidean().neighbors([1.0, 0.1])[0].word == "east"


def test_number_of_neighbors() -> None:
    vectors = hyperboloid()
    for count in range(1, 10):
        assert len(vectors.neighbors("base", count)) == min(count, 5)
    for count in (0, -1):
        with pytest.raises(OptionError, match=naming("count", count, 1)):
            vectors.neighbors("base", count)


def test_no_other_words() -> None:
    alone = WordVectors(["a"], float32([[1, 2]]))
    assert alone.neighbors("a") == []
    assert [neighbor.word for neighbor in alone.neighbors(alone["a"])] == ["a"]
    three = WordVectors(["a", "b", "c"], float32([[1, 2], [3, 4], [5, 6]]))
    assert three.analogy("a", "b", "c") == []
    assert len(three.analogy("a", "a", "a")) == 2


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
@pytest.mark.parametrize("scale", [0.01, 1.0, 1000.0])
def test_neighbors_are_the_nearest_of_all(geometry: str, scale: float) -> None:
    vectors = random_vectors(geometry, scale)
    for word in vectors.words[:20]:
        distances = {
            other: vectors.distance(word, other) for other in vectors.words if other != word
        }
        nearest = sorted(distances.values())[:10]
        found = vectors.neighbors(word)
        np.testing.assert_allclose([one.distance for one in found], nearest, rtol=1e-9)
        for one in found:
            assert one.distance == pytest.approx(distances[one.word], rel=1e-9)


def test_equally_near_words_keep_their_order(device: str) -> None:
    vectors = WordVectors(list("abcdef"), float32([[1, 1]] * 6)).on(device)
    assert [neighbor.word for neighbor in vectors.neighbors("c", 3)] == ["a", "b", "d"]


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_similarities(geometry: str) -> None:
    vectors = random_vectors(geometry)
    products = vectors.similarities(vectors.points[:3])
    assert products.shape == (3, 300)
    expected = [
        [vectors.similarity(word, other) for other in vectors.words] for word in vectors.words[:3]
    ]
    np.testing.assert_allclose(products, expected, rtol=1e-5, atol=1e-5)


# -- analogies


@pytest.mark.parametrize("route", ["Z", "Z'"])
def test_analogy_on_a_line(route: str) -> None:
    vectors = hyperboloid()
    best = vectors.analogy("base", "one", "two", route=route)[0]
    assert best.word == "three"
    assert best.distance == pytest.approx(0, abs=1e-14)
    best = vectors.analogy("two", "one", "base", route=route, count=1)[0]
    assert best.word == "minus"
    assert best.distance == pytest.approx(0, abs=1e-14)


def test_analogy_leaves_out_the_words_of_the_query() -> None:
    vectors = hyperboloid()
    found = vectors.analogy("base", "base", "two")
    assert {neighbor.word for neighbor in found} == {"minus", "one", "three", "beside"}
    by_point = vectors.analogy(vectors["base"], vectors["base"], vectors["two"])
    assert by_point[0].word == "two"
    assert len(by_point) == 6


def test_analogy_routes_follow_their_definition() -> None:
    vectors = random_vectors("hyperboloid")
    a, b, c = (vectors.points[i] for i in (3, 14, 15))
    log_ab, log_ac = hyperbolic.logarithm(a, b), hyperbolic.logarithm(a, c)
    answers = {
        "Z": hyperbolic.exponential(c, hyperbolic.parallel_transport(a, c, log_ab)),
        "Z'": hyperbolic.exponential(b, hyperbolic.parallel_transport(a, b, log_ac)),
    }
    assert hyperbolic.distance(answers["Z"], answers["Z'"]) > 0.1
    for route, answer in answers.items():
        np.testing.assert_allclose(
            vectors.analogy_points(rows(3, 3), rows(14, 14), rows(15, 15), route),
            np.stack([answer, answer]),
            rtol=1e-12,
        )
        distances = hyperbolic.distance(answer, vectors.points)
        order = [i for i in np.argsort(distances) if i not in (3, 14, 15)][:10]
        found = vectors.analogy("w3", "w14", "w15", route=route)
        assert [neighbor.word for neighbor in found] == [f"w{i}" for i in order]


def test_euclidean_analogy_uses_unit_vectors() -> None:
    vectors = random_vectors("euclidean")
    unit = vectors.points / np.linalg.norm(vectors.points, axis=1, keepdims=True)
    answer = unit[1] - unit[0] + unit[2]
    for route in ("Z", "Z'"):
        points = vectors.analogy_points(rows(0), rows(1), rows(2), route)
        np.testing.assert_allclose(points, answer[None])
        cosines = unit @ answer / np.linalg.norm(answer)
        order = [i for i in np.argsort(-cosines) if i not in (0, 1, 2)][:10]
        found = vectors.analogy("w0", "w1", "w2", route=route)
        assert [neighbor.word for neighbor in found] == [f"w{i}" for i in order]


def test_invalid_routes_and_counts() -> None:
    vectors = hyperboloid()
    with pytest.raises(OptionError, match=naming("route", "Y", "Z", "Z'")):
        vectors.analogy("base", "one", "two", route="Y")
    with pytest.raises(OptionError, match=naming("route", "Y", "Z", "Z'")):
        vectors.analogy_points(rows(0), rows(1), rows(2), "Y")
    with pytest.raises(OptionError, match=naming("count", 0, 1)):
        vectors.analogy("base", "one", "two", count=0)


def test_rounding_loses_no_neighbor(device: str) -> None:
    """The words are so close together that their float32 products are equal."""
    generator = np.random.default_rng(2)
    coordinates = generator.normal(0, 0.01, (5000, 2)).astype(np.float32)
    vectors = WordVectors([f"w{i}" for i in range(5000)], coordinates).on(device)
    for i in range(20):
        distances = hyperbolic.distance(vectors.points[i], vectors.points)
        distances[i] = np.inf
        expected = np.sort(distances)[:10]
        found = [neighbor.distance for neighbor in vectors.neighbors(f"w{i}", 10)]
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_known_forms() -> None:
    vectors = WordVectors(["Paris", "rome"], np.zeros((2, 2), dtype=np.float32))
    forms = [vectors.known_form(word) for word in ("Paris", "Rome", "paris")]
    assert forms == ["Paris", "rome", None]


def test_known_rows() -> None:
    vectors = hyperboloid()
    assert vectors.known_rows(["One", "nothing", "base"]).tolist() == [2, -1, 1]
    assert vectors.known_rows([]).shape == (0,)


def test_rows_of_words() -> None:
    vectors = hyperboloid()
    found = vectors.rows_of(["two", "base", "two"])
    assert found.tolist() == [3, 1, 3]
    np.testing.assert_array_equal(vectors.points_of_rows(found), vectors.points[found])
    assert vectors.rows_of([]).shape == (0,)


def test_nearest_rows_and_words_agree() -> None:
    vectors = random_vectors("hyperboloid")
    found = vectors.nearest(vectors.points[:9], 5, excluded=np.arange(9)[:, None])
    words = vectors.nearest_words(vectors.points[:9], 5, excluded=np.arange(9)[:, None])
    for row, nearest in enumerate(found):
        named = [vectors.words[other] for other in nearest.rows]
        assert list(zip(named, *nearest[1:], strict=True)) == words[row]
        itself = np.full(5, row)
        np.testing.assert_array_equal(
            nearest.distances, vectors.distance_of_rows(itself, nearest.rows)
        )
    assert vectors.nearest(vectors.points[:2], 1)[1].rows.tolist() == [1]


def test_iteration_over_words() -> None:
    vectors = WordVectors(["a", "b"], np.zeros((2, 2), dtype=np.float32))
    assert list(vectors) == ["a", "b"]
    with pytest.raises(InputError, match=naming(5, "int")):
        vectors[5]  # type: ignore[index]
    with pytest.raises(OptionError, match=naming("count", 2.5, 1)):
        vectors.neighbors("a", 2.5)  # type: ignore[arg-type]


def test_points_off_the_hyperboloid_are_refused() -> None:
    vectors = WordVectors(["a", "b"], np.ones((2, 2), dtype=np.float32))
    for point in ([0.0, 0.0, 5.0], [np.nan, 0.0, 1.0], [0.0, 0.0, -1.0]):
        with pytest.raises(InputError, match=naming(point, "hyperboloid")):
            vectors.neighbors(point)
    assert vectors.neighbors([0.0, 0.0, 1.0], 1)


def test_vectors_that_are_not_finite_are_named() -> None:
    coordinates = np.array([[0, 0], [np.nan, 0]], dtype=np.float32)
    with pytest.raises(InputError, match=naming("'b'", "finite")):
        WordVectors(["a", "b"], coordinates).neighbors("a")


def test_vectors_that_cannot_be_loaded_are_not_saved(tmp_path: Path) -> None:
    not_finite = WordVectors(["a", "b"], float32([[1], [np.nan]]))
    repeated = WordVectors(["a", "a"], float32([[1], [2]]))
    for vectors, fact in ((not_finite, "'b'"), (repeated, "'a'")):
        with pytest.raises(InputError, match=naming(fact)):
            vectors.save(tmp_path / "model.safetensors")
    assert not any(tmp_path.iterdir())


def test_negative_counts_are_refused() -> None:
    with pytest.raises(InputError, match=naming("counts", -3)):
        WordVectors(["a", "b"], float32([[1], [2]]), counts=[1, -3])


@pytest.mark.parametrize(
    "refused",
    [
        lambda: WordVectors(["a"], [[1.0], [2.0]]),
        lambda: WordVectors(["a"], "the"),
        lambda: WordVectors(["a"], [[1.0]], counts=[[1]]),
        lambda: WordVectors(5, [[1.0]]),  # type: ignore[arg-type]
        lambda: WordVectors(["a"], [[1.0]], options=5),  # type: ignore[arg-type]
        lambda: WordVectors(["a"], [[1.0]], factors=0),
        lambda: hyperboloid().save(5),  # type: ignore[arg-type]
        lambda: hyperboloid().save(""),
        lambda: hyperboloid().neighbors_of(5),  # type: ignore[arg-type]
        lambda: hyperboloid().nearest("the"),  # type: ignore[arg-type]
        lambda: hyperboloid().similarities([1, 2]),  # type: ignore[arg-type]
    ],
)
def test_every_error_says_what_to_pass(refused: Callable[[], object]) -> None:
    with pytest.raises(InputError) as caught:
        refused()
    assert caught.value.hint
    assert "<U" not in caught.value.message


def row_questions(vectors: WordVectors) -> dict[str, Callable[[Any], object]]:
    """Return every method that takes rows, as a function of one argument."""
    one, points = np.array([0]), vectors.points[:1]
    return {
        "points": vectors.points_of_rows,
        "similarity": lambda rows: vectors.similarity_of_rows(rows, one),
        "distance": lambda rows: vectors.distance_of_rows(one, rows),
        "analogy": lambda rows: vectors.analogy_points(one, rows, one, "Z"),
        "nearest words": lambda rows: vectors.nearest_words(points, 1, wrapped(rows)),
        "nearest rows": lambda rows: vectors.nearest_rows(points, wrapped(rows)),
    }


def wrapped(rows: Any) -> Any:
    return rows[None] if isinstance(rows, np.ndarray) else [rows]


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([-1], "row -1"),
        ([10], "row 10"),
        (np.array([2**63], dtype=np.uint64), "row 9223372036854775808"),
        ([0.0], "float64"),
        ([True], "bool"),
        (["w0"], "strings"),
        (0, "expected rows"),
        ([[0], [1]], "shape"),
        ([[0], [1, 2]], "not rows"),
    ],
    ids=str,
)
def test_invalid_rows_are_refused(rows: Any, named: str) -> None:
    vectors = WordVectors([f"w{i}" for i in range(10)], np.eye(10, dtype=np.float32))
    for name, question in row_questions(vectors).items():
        question(np.array([9]))
        with pytest.raises(InputError) as caught:
            question(rows)
        assert named in caught.value.message, name
        assert "0 to 9" in (caught.value.hint or "")


def test_numbers_of_rows_must_be_equal() -> None:
    vectors = WordVectors([f"w{i}" for i in range(10)], np.eye(10, dtype=np.float32))
    one, two = np.array([0]), np.array([0, 1])
    with pytest.raises(InputError, match="1 and 2 rows"):
        vectors.similarity_of_rows(one, two)
    with pytest.raises(InputError, match="2 and 1 rows"):
        vectors.distance_of_rows(two, one)
    with pytest.raises(InputError, match="1 and 2 and 1 rows"):
        vectors.analogy_points(one, two, one, "Z")


def test_copies_are_read_only() -> None:
    vectors = WordVectors(["a", "b"], np.eye(2, dtype=np.float32))
    made = vectors.points, vectors.radii, vectors.ranks  # cached, and copied too
    for copied in (
        copy.copy(vectors),
        copy.deepcopy(vectors),
        *(pickle.loads(pickle.dumps(vectors, protocol)) for protocol in range(6)),
    ):
        arrays = copied.coordinates, copied.counts, copied.points, copied.radii, copied.ranks
        assert not any(array.flags.writeable for array in (*arrays, *made))


def test_vectors_can_be_copied_and_pickled() -> None:
    vectors = WordVectors(
        ["a", "b"], np.ones((2, 2), dtype=np.float32), options={"rate": 1}, history=[{"epoch": 1}]
    )
    for copied in (copy.deepcopy(vectors), pickle.loads(pickle.dumps(vectors))):
        assert copied.words == vectors.words
        assert dict(copied.options) == {"rate": 1}
        np.testing.assert_array_equal(copied.points, vectors.points)


def test_the_search_index_is_not_pickled() -> None:
    vectors = random_vectors("hyperboloid")
    expected = vectors.neighbors("w3")
    assert "_index" in vars(vectors._searcher)
    copied = pickle.loads(pickle.dumps(vectors))
    assert "_index" not in vars(copied._searcher)
    assert copied.neighbors("w3") == expected


def test_a_deep_copy_takes_no_memory() -> None:
    vectors = random_vectors("hyperboloid")
    assert copy.deepcopy(vectors) is vectors


# -- on a device


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
@pytest.mark.parametrize("scale", [0.1, 1.0, 1e4])  # the last has float64 keys
def test_devices_give_the_same_answers(geometry: str, scale: float, device: str) -> None:
    vectors = random_vectors(geometry, scale)
    expected = {word: vectors.neighbors(word) for word in vectors.words[:20]}
    there = vectors.on(device)
    assert there.device == device
    assert {word: there.neighbors(word) for word in expected} == expected
    assert there.neighbors_of(expected) == expected
    assert there.neighbors(vectors.points[3]) == vectors.neighbors(vectors.points[3])
    for count in (1, 500):
        found = there.analogy("w3", "w14", "w15", count=count)
        assert found == vectors.analogy("w3", "w14", "w15", count=count)
    products, others = vectors.similarities(vectors.points), there.similarities(vectors.points)
    assert products.dtype == others.dtype
    atol = 1e-6 * float(np.abs(products).max())
    np.testing.assert_allclose(others, products, rtol=0, atol=atol)
    itself = np.arange(300)[:, None]
    rows = there.nearest_rows(vectors.points, itself)
    np.testing.assert_array_equal(rows, vectors.nearest_rows(vectors.points, itself))


def test_a_device_shares_the_vectors(device: str) -> None:
    vectors = hyperboloid()
    there = vectors.on(device)
    assert vectors.device == "cpu"
    assert there.on(device) is there
    assert there.words is vectors.words
    assert there.coordinates is vectors.coordinates
    expected = vectors.neighbors("one")
    assert there.neighbors("one") == expected
    for copied in (copy.deepcopy(there), pickle.loads(pickle.dumps(there)), there.on("cpu")):
        assert copied.neighbors("one") == expected


def test_neighbors_of_many_words() -> None:
    vectors = hyperboloid()
    found = vectors.neighbors_of(["two", "base", "two"], 2)
    assert found == {word: vectors.neighbors(word, 2) for word in ("two", "base")}
    assert vectors.neighbors_of([]) == {}
    with pytest.raises(UnknownWordError, match=naming("four")):
        vectors.neighbors_of(["two", "four"])
    with pytest.raises(InputError, match=naming("two")):
        vectors.neighbors_of("two")


def test_neighbors_in_an_empty_vocabulary(device: str) -> None:
    vectors = WordVectors([], np.zeros((0, 2), dtype=np.float32)).on(device)
    point = np.array([0.0, 0.0, 1.0])
    assert vectors.neighbors(point) == []
    assert vectors.similarities(point[None]).shape == (1, 0)
    assert vectors.generality() == []
    with pytest.raises(InputError, match=naming("empty")):
        vectors.nearest_rows(point[None])


@pytest.mark.parametrize("at_least", [0, 10**9])
def test_nothing_is_found_if_all_words_are_excluded(device: str, at_least: int) -> None:
    vectors = hyperboloid().on(device).compacted(at_least=at_least)
    everything = np.arange(6)[None]
    assert vectors.nearest(vectors.points[:1], 3, everything)[0].rows.tolist() == []
    assert vectors.nearest_rows(vectors.points[:1], everything).tolist() == [0]


def test_auto_uses_a_gpu_for_many_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = hyperboloid()  # 12 coordinates
    monkeypatch.setattr(devices, "why_no_gpu", lambda: None)
    assert vectors.on("auto", questions=1).device == "cpu"
    assert vectors.on("auto", questions=WORTH_A_GPU // 12).device == "cpu"
    assert vectors.on("auto", questions=WORTH_A_GPU // 12 + 1).device == "cuda"
    assert vectors.on("auto").device == "cuda"
    monkeypatch.setattr(devices, "why_no_gpu", lambda: "there is none")
    assert vectors.on("auto", questions=WORTH_A_GPU).device == "cpu"


def test_few_questions_do_not_look_for_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "why_no_gpu", lambda: pytest.fail("loads PyTorch"))
    assert hyperboloid().on("auto", questions=100).device == "cpu"


def test_unknown_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OptionError, match=naming("device", "gpu", *devices.DEVICES)):
        hyperboloid().on("gpu")
    monkeypatch.setattr(devices, "find_spec", lambda _: None)
    with pytest.raises(MissingPackageError, match=naming("device", "cuda", "PyTorch")):
        hyperboloid().on("cuda")
    assert hyperboloid().on("auto").device == "cpu"
