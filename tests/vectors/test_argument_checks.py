"""Every wrong argument of a public method raises one of our errors."""

import contextlib
import doctest
import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given
from hypothesis import strategies as st
from subword_models import with_subwords

import hyperskip
from hyperskip import HierarchyPoints
from hyperskip.errors import HyperskipError, InputError, OptionError, UnknownWordError
from hyperskip.vectors import word_vectors
from hyperskip.vectors.word_vectors import WordVectors

VECTORS = WordVectors(["dog", "cat", "car"], np.eye(3, dtype=np.float32))
HIERARCHY = WordVectors(
    ["dog", "cat", "car"],
    np.eye(3),
    hierarchy=HierarchyPoints(np.tri(3), slope=1.0, offset=0.0, evidence=[1, 2, 0]),
)

WRONG: list[Any] = [
    *(None, True, 3, -1, 2.5, float("nan"), 1j, b"dog", "", "dgo", object(), int, len),
    *(
        [],
        ["dog"],
        ["dog", 3],
        [None],
        [[0], [1, 2]],
        [[]],
        {},
        {"dog": 1},
        {"dog"},
        ("dog", "cat"),
    ),
    *(np.array(3), np.array(["dog"]), np.zeros(4), np.full(4, np.nan), np.zeros((2, 4))),
    *(np.array([1.5]), np.array([True]), np.array([2**63], dtype=np.uint64), np.zeros(4, complex)),
    *(np.array([object()]), np.array([]), np.zeros((0, 4)), np.array("dog"), range(2), iter([1])),
]
METHODS = [
    "analogy", "analogy_points", "ancestors", "centroid", "centroids", "centroids_of_rows",
    "compacted", "descendants", "distance", "distance_of_rows", "find", "generality", "get",
    "hypernyms", "hyponyms", "index_of", "is_a", "is_a_of_rows", "known_form", "known_rows",
    "lowest_common_ancestor", "measured_by", "most_similar", "moved_words", "nearest",
    "nearest_rows", "nearest_words", "neighbors", "neighbors_of", "on", "path", "points_of_rows",
    "radius",
    "rows_of", "similarities", "similarity", "similarity_of_rows", "subset", "taxonomy",
    "to_pandas", "tree",
]  # fmt: skip
VALID: dict[str, Any] = {
    "word": "dog",
    "words": ["dog", "cat"],
    "count": 2,
    "route": "Z",
    "points": VECTORS.points[:1],
    "excluded": np.array([[0]]),
    "rows": np.array([0]),
    "starts": [0, 1],
    "weights": None,
    "documents": [["dog", "cat"], []],
    "skip_unknown": True,
    "any_case": True,
    "positive": ["dog", "cat"],
    "negative": ["car"],
    "default": None,
    "first": np.array([0]),
    "second": np.array([1]),
    "device": "cpu",
    "questions": 1,
    "at_least": 10**9,
    "other": VECTORS,
    "neighbors": 2,
}


def valid(method: str, parameter: str) -> Any:
    if method == "measured_by":
        return "product"
    if method == "to_pandas":
        return True
    if method == "moved_words" and parameter == "words":
        return 3
    if method == "tree" and parameter == "count":
        return None  # `words` are given
    if parameter in ("a", "b", "c"):
        return np.array([0]) if method == "analogy_points" else "dog"
    return VALID[parameter]


def test_every_method_is_covered() -> None:
    functions = inspect.getmembers(WordVectors, inspect.isfunction)
    public = {name for name, _ in functions if not name.startswith("_")}
    shared = {"from_pretrained", "push_to_hub", "save_pretrained"}
    written = {"export_explorer", "plot", "save"}
    assert public == {*METHODS, "without_subwords", *written, *shared}


VARIANTS = {
    "hyperboloid": VECTORS,
    "euclidean": WordVectors(["dog", "cat", "car"], np.eye(3), geometry="euclidean"),
    "product": WordVectors(["dog", "cat", "car"], np.eye(3), factors=3),
    "by angle": VECTORS.measured_by("angle"),
    "compact": VECTORS.compacted(at_least=0),
    "empty": WordVectors([], np.zeros((0, 3))),
    "damaged": WordVectors(["dog", "cat"], np.array([[1, 2, 3], [1, np.nan, 2]])),
    "hierarchy": HIERARCHY,
    "subwords": with_subwords(["dog", "cat", "car"], dimension=3),
    "graph": WordVectors(["dog", "cat", "car"], np.eye(3), options={"edge_count": 2}),
}


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("method", METHODS)
def test_wrong_values_raise_our_errors(method: str, variant: str) -> None:
    function: Callable[..., object] = getattr(VARIANTS[variant], method)
    names = list(inspect.signature(function).parameters)
    if variant in ("hierarchy", "graph"):
        function(**{name: valid(method, name) for name in names})
    for changed, value in itertools.product(names, WRONG):
        given_values = {name: valid(method, name) for name in names} | {changed: value}
        try:
            function(**given_values)
        except HyperskipError:
            continue
        except Exception as error:
            pytest.fail(f"{method}({changed}={value!r}): {error!r}")


@pytest.mark.parametrize("method", METHODS)
@given(data=st.data())
def test_random_values_raise_our_errors(method: str, data: st.DataObject) -> None:
    scalars = st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.binary()
    )
    values = st.recursive(scalars, lambda items: st.lists(items, max_size=3), max_leaves=5)
    vectors = data.draw(st.sampled_from([VECTORS, HIERARCHY]))
    function: Callable[..., object] = getattr(vectors, method)
    names = list(inspect.signature(function).parameters)
    changed = data.draw(st.sampled_from(names))
    value = data.draw(values)
    if changed == "count" and isinstance(value, int) and value > 1000:
        value = 1000  # more points of a path would fill the memory
    with contextlib.suppress(HyperskipError):
        function(**{name: valid(method, name) for name in names} | {changed: value})


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"words": "abc"}, ["list", "'abc'"]),
        ({"words": 3}, ["words", 3]),
        ({"words": ["a", 2, "c"]}, [2, "int"]),
        ({"coordinates": None}, ["coordinates", "(3, dimension)"]),
        ({"coordinates": [["x"], ["y"], ["z"]]}, ["coordinates", "numbers"]),
        ({"coordinates": [[1], [1, 2], [3]]}, ["coordinates", "(3, dimension)"]),
        ({"coordinates": np.zeros((3, 2), dtype=complex)}, ["coordinates", "complex128"]),
        ({"counts": [1.5, 2, 3]}, ["counts", "whole numbers", "float64"]),
        ({"counts": "abc"}, ["counts", "(3,)"]),
        ({"geometry": 5}, ["geometry", 5]),
        ({"geometry": ["hyperboloid"]}, ["geometry"]),
        ({"factors": "2"}, ["factors", "'2'"]),
        ({"options": 5}, ["options", "dict", 5]),
        ({"options": [1]}, ["options", "dict"]),
        ({"history": 5}, ["history", 5]),
        ({"history": [5]}, ["history", "dict", 5]),
        ({"hierarchy": 5}, ["hierarchy", "HierarchyPoints", 5]),
    ],
)
def test_wrong_arguments_of_the_constructor(arguments: dict[str, Any], facts: list[object]) -> None:
    values: dict[str, Any] = {"words": ["a", "b", "c"], "coordinates": np.zeros((3, 2))}
    with pytest.raises(InputError, match=naming(*facts)):
        WordVectors(**values | arguments)


def test_lists_are_converted_to_arrays() -> None:
    vectors = WordVectors(("a", "b"), [[1, 2], [3, 4]], counts=[5, 6])
    assert vectors.coordinates.dtype == np.float32
    assert vectors.counts.tolist() == [5, 6]


@pytest.mark.parametrize(
    ("question", "error", "facts"),
    [
        (lambda: VECTORS.neighbors(["dog"]), InputError, ["dog", "neighbors_of"]),
        (lambda: VECTORS.neighbors(3), InputError, ["word", "point", 3]),
        (lambda: VECTORS.distance("dog", None), InputError, ["word", "point", "None"]),  # type: ignore[arg-type]
        (lambda: VECTORS.known_rows("dog"), InputError, ["list", "['dog']"]),
        (lambda: VECTORS.neighbors("dog", True), OptionError, ["count", "True"]),
        (lambda: VECTORS.path("dog", "cat", 2.5), OptionError, ["count", 2.5]),  # type: ignore[arg-type]
        (lambda: VECTORS.subset([3]), InputError, ["rows_of", "0 to 2"]),  # type: ignore[list-item]
        (lambda: VECTORS.index_of(1), InputError, [1, "vectors.words[row]"]),  # type: ignore[arg-type]
        (lambda: VECTORS.rows_of(["dog", "dgo"]), UnknownWordError, ["dgo", "dog"]),
        (lambda: VECTORS.nearest(np.full((1, 4), np.nan)), InputError, ["finite"]),
        (lambda: VECTORS.centroid("dog"), InputError, ["list", "vectors['dog']"]),
        (lambda: VECTORS.centroid("a dog"), InputError, ["list", "text.split()"]),
        (lambda: VECTORS.get(["dog"]), InputError, ["dog", "vectors[words]"]),  # type: ignore[arg-type]
    ],
)
def test_errors_say_what_to_do(
    question: Callable[[], object], error: type[HyperskipError], facts: list[object]
) -> None:
    with pytest.raises(error, match=naming(*facts)):
        question()


@pytest.mark.parametrize("path", [None, 5, b"model", ["model"], "a\0b", "model\ud800/"])
def test_invalid_paths(path: Any) -> None:
    for function in (VECTORS.save, hyperskip.load, hyperskip.import_vectors):
        with pytest.raises(InputError):
            function(path)
    with pytest.raises(InputError):
        hyperskip.export_vectors(VECTORS, path, format="npz")


def test_other_types_are_not_in_the_vocabulary() -> None:
    for value in WRONG:
        assert value not in VECTORS


def test_the_example_in_the_docstring() -> None:
    found = doctest.DocTestFinder(recurse=False).find(word_vectors.WordVectors, "WordVectors")
    assert found[0].examples
    for example in found:
        assert doctest.DocTestRunner().run(example).failed == 0
