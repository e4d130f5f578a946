"""HyperskipVectorizer: documents as weighted centroids, and the conventions of scikit-learn."""

import pickle
import tracemalloc
import warnings
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from facts import naming
from sklearn.base import clone
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import hyperskip
from hyperskip import WordVectors, builtin
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.names import EUCLIDEAN, HYPERBOLOID
from hyperskip.learn import HyperskipVectorizer

TEXTS = ["The dog saw a cat.", "A cat!", "dog dog fish", "", "unknown things"]
WORDS = ["dog", "cat", "fish", "the", "saw"]
COUNTS = [40, 30, 20, 900, 10]
OPTIONS = {"tokenizer": "paper"}


def vectors(geometry: str = HYPERBOLOID, factors: int = 1, **changes: Any) -> WordVectors:
    numbers = np.random.default_rng(1).normal(0, 0.5, (len(WORDS), 4)).astype(np.float32)
    arguments: dict[str, Any] = {"counts": COUNTS, "options": OPTIONS}
    return WordVectors(WORDS, numbers, geometry=geometry, factors=factors, **arguments | changes)


# -- centroids, weights and coordinates


def test_a_document_is_the_weighted_centroid_of_its_words() -> None:
    model = vectors()
    vectorizer = HyperskipVectorizer(model, coordinates="point", center=False, smoothing=0.05)
    found = vectorizer.fit_transform(TEXTS)
    weights = 0.05 / (0.05 + np.array(COUNTS) / 1000)
    np.testing.assert_allclose(vectorizer.weights_, weights)
    rows = [3, 0, 4, 1]  # the dog saw cat
    expected = hyperboloid.centroid(model.points[rows], weights[rows])
    np.testing.assert_allclose(found[0], expected, atol=1e-12)
    np.testing.assert_allclose(found[1], model["cat"], atol=1e-12)
    repeated = hyperboloid.centroid(model.points[[0, 0, 2]], weights[[0, 0, 2]])
    np.testing.assert_allclose(found[2], repeated, atol=1e-12)


def test_weights_of_words_in_many_documents_are_small() -> None:
    vectorizer = HyperskipVectorizer(vectors(), weighting="idf").fit(TEXTS)
    in_documents = np.array([2, 2, 1, 1, 1])
    np.testing.assert_allclose(vectorizer.weights_, np.log(6 / (1 + in_documents)) + 1)
    vectorizer = HyperskipVectorizer(vectors(), weighting="uniform").fit(TEXTS)
    np.testing.assert_array_equal(vectorizer.weights_, 1)


def test_a_model_without_counts_takes_those_of_the_documents() -> None:
    vectorizer = HyperskipVectorizer(vectors(counts=None), smoothing=0.1).fit(TEXTS)
    shares = np.array([3, 2, 1, 1, 1]) / 8
    np.testing.assert_allclose(vectorizer.weights_, 0.1 / (0.1 + shares))


@pytest.mark.parametrize("named", [(HYPERBOLOID, 1), (HYPERBOLOID, 2), (EUCLIDEAN, 1)])
def test_centering_moves_the_center_to_the_base_point_and_keeps_distances(
    named: tuple[str, int],
) -> None:
    space = vectors(*named).space
    options: dict[str, Any] = {"coordinates": "point", "weighting": "uniform"}
    texts = ["dog", "cat", "the fish"]
    moved = HyperskipVectorizer(vectors(*named), **options).fit_transform(texts)
    found = HyperskipVectorizer(vectors(*named), center=False, **options).fit_transform(texts)
    distance = space.distance if space.is_curved else space.measures["distance"].dissimilarity
    np.testing.assert_allclose(distance(moved[1:], moved[0]), distance(found[1:], found[0]))
    words = HyperskipVectorizer(vectors(*named), **options).fit_transform(["dog", "cat", "fish"])
    np.testing.assert_allclose(space.radius(space.centroid(words)), 0, atol=1e-7)
    assert space.radius(space.centroid(found)) > 0.1


def test_coordinates_are_of_the_same_points() -> None:
    points = HyperskipVectorizer(vectors(), coordinates="point").fit_transform(TEXTS)
    assert points.shape == (5, 5)
    base = hyperboloid.base_point(4)
    for name, expected in {
        "tangent": hyperboloid.logarithm(base, points)[:, :-1],
        "klein": charts.to_klein(points),
        "ball": charts.to_ball(points),
    }.items():
        found = HyperskipVectorizer(vectors(), coordinates=name).fit_transform(TEXTS)
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_the_model_may_be_named() -> None:
    assert HyperskipVectorizer("small").fit_transform(TEXTS).shape == (5, 20)


@pytest.mark.parametrize(("space", "length"), [((HYPERBOLOID, 2), 6), ((EUCLIDEAN, 1), 4)])
@pytest.mark.parametrize("coordinates", ["klein", "ball"])
def test_other_spaces_have_tangent_vectors_and_points(
    space: tuple[str, int], length: int, coordinates: str
) -> None:
    model = vectors(*space)
    assert HyperskipVectorizer(model).fit_transform(TEXTS).shape == (5, 4)
    points = HyperskipVectorizer(model, coordinates="point").fit_transform(TEXTS)
    assert points.shape == (5, length)
    assert model.space.contains(points)
    with pytest.raises(hyperskip.GeometryError, match=naming(coordinates, "tangent")):
        HyperskipVectorizer(model, coordinates=coordinates).fit(TEXTS)


# -- documents


@pytest.mark.parametrize("coordinates", ["tangent", "klein", "ball", "point"])
def test_a_document_without_known_words_is_at_the_base_point(coordinates: str) -> None:
    vectorizer = HyperskipVectorizer(vectors(), coordinates=coordinates).fit(TEXTS)
    assert vectorizer.empty_documents_ == 2
    expected = np.zeros(vectorizer.get_feature_names_out().size)
    expected[4:] = 1  # the time of a point
    np.testing.assert_array_equal(vectorizer.transform([*TEXTS, []])[-3:], [expected] * 3)


def test_the_base_point_has_no_rounding_errors() -> None:
    numbers = np.random.default_rng(2).normal(0, 0.5, (20, 20)).astype(np.float32)
    words = [f"w{row}" for row in range(20)]
    for word in words:  # moving a center to the base point rounds for some of them
        vectorizer = HyperskipVectorizer(WordVectors(words, numbers)).fit([[word]])
        assert not vectorizer.transform([words, []])[1].any()


def test_many_unknown_documents_give_a_warning() -> None:
    vectorizer = HyperskipVectorizer(vectors()).fit(TEXTS)
    with pytest.warns(hyperskip.CorpusWarning, match=naming("2 of 3 documents")):
        vectorizer.transform(["chien", "chat", "fish"])
    with pytest.warns(hyperskip.CorpusWarning, match=naming("1 of 1 documents")):
        fitted = HyperskipVectorizer(vectors()).fit(["chien"])
    np.testing.assert_allclose(fitted.center_, [0, 0, 0, 0, 1])


@pytest.mark.parametrize("steps", [1, 2])
def test_fitting_and_transforming_give_one_warning_at_the_line_of_the_user(steps: int) -> None:
    step = HyperskipVectorizer(vectors())
    estimator = step if steps == 1 else make_pipeline(step, StandardScaler())
    with pytest.warns(hyperskip.CorpusWarning) as caught:
        estimator.fit_transform(["chien", "chat", "fish"])
    (warning,) = caught
    assert warning.filename == __file__


def kinds_of_documents() -> dict[str, Any]:
    return {
        "list": TEXTS,
        "tuple": tuple(TEXTS),
        "array": np.array(TEXTS),
        "objects": np.array(TEXTS, dtype=object),
        "pandas": pd.Series(TEXTS, index=list("vwxyz")),
        "pandas strings": pd.Series(TEXTS, dtype="string"),
        "polars": pl.Series(TEXTS),
        "generator": (text for text in TEXTS),
        "tokens": [
            ["The", "dog", "saw", "cat"],
            ("cat",),
            np.array("dog dog fish".split()),
            [],
            (),
        ],
        "arrow": pa.array(TEXTS),
        "mixed": [TEXTS[0], ["Cat"], *TEXTS[2:]],
    }


@pytest.mark.parametrize("kind", kinds_of_documents())
def test_documents_of_any_kind_give_the_same_numbers(kind: str) -> None:
    expected = HyperskipVectorizer(vectors()).fit_transform(TEXTS)
    found = HyperskipVectorizer(vectors()).fit_transform(kinds_of_documents()[kind])
    np.testing.assert_allclose(found, expected, atol=1e-12)
    fitted = HyperskipVectorizer(vectors()).fit(kinds_of_documents()[kind])
    np.testing.assert_allclose(fitted.transform(kinds_of_documents()[kind]), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("documents", "facts"),
    [
        ("one text", ["one text", "[text]"]),
        (b"bytes", ["bytes"]),
        (["dog", None], ["document 1", "None", "missing"]),
        (["dog", "cat", float("nan")], ["document 2", "nan", "missing"]),
        (["dog", pd.NA], ["document 1", "NA", "missing"]),
        (pd.Series(["dog", None], index=["a", "b"]), ["row 1", "'b'", "missing", "fillna"]),
        (pl.Series(["dog", None]), ["row 1", "missing", "fill_null"]),
        (["dog", b"cat"], ["document 1", "bytes", "decode"]),
        (["dog", 3], ["document 1", "3", "int"]),
        (["dog", {"text": "cat"}], ["document 1", "dict"]),
        ([["dog", 1.5]], ["document 0", "1.5", "float"]),
        (pd.DataFrame({"text": ["dog"]}), ["DataFrame", "(1, 1)", "frame['text']"]),
        (np.array([["dog"]]), ["ndarray", "(1, 1)"]),
        ({"dog": 1}, ["dict"]),
        (7, ["int"]),
        (iter(()), ["no documents", "exhausted"]),
    ],
)
def test_what_is_no_document_is_named(documents: Any, facts: list[str]) -> None:
    with pytest.raises(hyperskip.InputError, match=naming(*facts)):
        HyperskipVectorizer(vectors()).fit(documents)
    if "exhausted" not in facts:
        fitted = HyperskipVectorizer(vectors()).fit(TEXTS)
        with pytest.raises(hyperskip.InputError, match=naming(*facts)):
            fitted.transform(documents)


def test_an_integer_is_a_token() -> None:
    model = WordVectors(["1", "22"], np.eye(2, dtype=np.float32), counts=[1, 1])
    found = HyperskipVectorizer(model).fit_transform([[1, 22], np.array([22])])
    expected = HyperskipVectorizer(model).fit_transform([["1", "22"], ["22"]])
    np.testing.assert_array_equal(found, expected)


def test_no_documents_give_no_rows() -> None:
    assert HyperskipVectorizer(vectors()).fit(TEXTS).transform([]).shape == (0, 4)


def test_memory_does_not_grow_with_the_documents() -> None:
    vectorizer = HyperskipVectorizer(vectors()).fit(TEXTS)
    text = "the dog saw a cat and a fish " * 50

    def peak(count: int) -> int:
        documents = (text + str(number) for number in range(count))
        tracemalloc.start()
        output = vectorizer.fit(documents).transform(text + str(n) for n in range(count))
        assert output.shape == (count, 4)
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    few, many = peak(2000), peak(8000)
    assert many < 1.2 * few + 2 * 8000 * 4 * 8
    assert many < 8000 * len(text)  # less than the text


def test_the_output_is_in_memory_only_once() -> None:
    model = WordVectors(WORDS, np.ones((len(WORDS), 200), dtype=np.float32))
    vectorizer = HyperskipVectorizer(model).fit([WORDS])
    document = ["dog"] * 50

    def peak(count: int) -> int:
        tracemalloc.start()
        vectorizer.transform(document for _ in range(count))
        used = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return used

    few, more = 3000, 20_000
    assert peak(few + more) - peak(few) < 1.5 * more * 200 * 8


# -- training


@pytest.fixture(scope="module")
def sentences() -> list[str]:
    return list(islice(builtin.sentences(), 400))


def trained(**changes: Any) -> HyperskipVectorizer:
    arguments: dict[str, Any] = {
        "dimension": 3,
        "epochs": 2,
        "min_count": 1,
        "threads": 1,
        "progress": False,
    }
    arguments["options"] = {"subsample": 0}
    return HyperskipVectorizer(**arguments | changes)


def test_fit_trains_on_the_documents_with_the_chosen_options(sentences: list[str]) -> None:
    vectorizer = trained(window=3, seed=7, options={"negatives": 4, "subsample": 0}).fit(sentences)
    options = vectorizer.vectors_.options
    chosen = {"dimension": 3, "epochs": 2, "window": 3, "seed": 7, "negatives": 4, "threads": 1}
    assert chosen.items() <= options.items()
    assert vectorizer.vectors_.counts.sum() > 400
    from_model = HyperskipVectorizer(vectorizer.vectors_).fit(sentences)
    expected = vectorizer.transform(sentences)
    np.testing.assert_array_equal(from_model.transform(sentences), expected)
    again = trained(window=3, seed=7, options={"negatives": 4, "subsample": 0})
    np.testing.assert_array_equal(again.fit_transform(iter(sentences)), expected)


def letters(text: str) -> list[str]:
    return [letter for letter in text if letter != " "]


@pytest.mark.parametrize("tokenizer", ["whitespace", letters])
def test_the_tokenizer_of_training_splits_documents(tokenizer: Any) -> None:
    texts = ["Dog_1 b Dog_1 c", "b c Dog_1"] * 20
    vectorizer = trained(tokenizer=tokenizer).fit(texts)
    words = {"Dog_1", "b", "c"} if tokenizer == "whitespace" else set("Dog_1bc")
    assert set(vectorizer.vectors_.words) == words
    first, second = vectorizer.transform(["Dog_1", ["Dog_1"]])
    assert first.any()
    assert (first == second).all() == (tokenizer == "whitespace")
    copied = pickle.loads(pickle.dumps(vectorizer))
    np.testing.assert_array_equal(copied.transform(["Dog_1"])[0], first)


def test_a_damaged_model_is_refused() -> None:
    damaged = WordVectors(["dog", "cat"], np.array([[0.1, 0.2], [np.nan, 1.0]]))
    with pytest.raises(hyperskip.InputError, match=naming("'cat'", "not finite")):
        HyperskipVectorizer(damaged).fit([["dog"]])


@pytest.mark.parametrize("wrong", ["dog cat", 3, None, ["dog", None]])
def test_a_tokenizer_that_returns_no_list_of_words_is_named(wrong: Any) -> None:
    with pytest.raises(hyperskip.CorpusError, match=naming("`tokenizer`", "a dog", "a list")):
        HyperskipVectorizer(vectors(), tokenizer=lambda _: wrong).fit(["a dog"])


def test_a_model_without_a_recorded_tokenizer_takes_tokens_or_a_tokenizer() -> None:
    model = vectors(options=None)
    tokens = [["dog", "cat"], ["fish"]]
    expected = HyperskipVectorizer(model).fit_transform(tokens)
    with pytest.raises(hyperskip.OptionError, match=naming("`tokenizer`")):
        HyperskipVectorizer(model).fit(["dog cat"])
    found = HyperskipVectorizer(model, tokenizer="paper").fit_transform(["dog cat", "fish"])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    ("arguments", "facts"),
    [
        ({"weighting": "tfidf"}, ["`weighting`", "tfidf", "sif, idf or uniform"]),
        ({"coordinates": "disc"}, ["`coordinates`", "disc", "tangent"]),
        ({"smoothing": 0}, ["`smoothing`", "0"]),
        ({"center": "no"}, ["`center`", "'no'", "True or False"]),
        ({"model": 3}, ["`model`", "3"]),
        ({"model": vectors(), "dimension": 5}, ["`dimension`", "`model`"]),
        ({"model": vectors(), "options": {"rate": 0.1}}, ["`rate`", "`model`"]),
        ({"options": 3}, ["`options`", "3"]),
        ({"options": {"vector_size": 3}}, ["vector_size", "dimension"]),
        ({"dimension": 0}, ["`dimension`", "0"]),
        ({"tokenizer": "spaces"}, ["`tokenizer`", "spaces"]),
        ({"model": vectors(), "tokenizer": "spaces"}, ["`tokenizer`", "spaces", "a function"]),
        ({"dimension": 2, "options": {"dimension": 3}}, ["`dimension`", "`options`"]),
        ({"model": vectors(), "progress": "bar"}, ["`progress`", "bar"]),
    ],
)
def test_options_are_checked(arguments: dict[str, Any], facts: list[str]) -> None:
    with pytest.raises(hyperskip.OptionError, match=naming(*facts)):
        HyperskipVectorizer(**arguments).fit(["two words"] * 20)


def test_coordinates_are_checked_before_training(sentences: list[str]) -> None:
    def never() -> Iterator[str]:
        raise AssertionError("documents were read")
        yield ""

    with pytest.raises(hyperskip.GeometryError, match=naming("klein", "tangent")):
        trained(geometry=EUCLIDEAN, coordinates="klein").fit(never())


# -- the conventions of scikit-learn


def test_scikit_learn_accepts_the_estimator() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SkipTestWarning)  # checks with tables of numbers
        check_estimator(HyperskipVectorizer())


def test_an_unfitted_vectorizer_says_so() -> None:
    with pytest.raises(NotFittedError):
        HyperskipVectorizer(vectors()).transform(TEXTS)
    with pytest.raises(NotFittedError):
        HyperskipVectorizer(vectors()).get_feature_names_out()


def test_parameters_survive_cloning_without_a_copy_of_the_model() -> None:
    model = vectors()
    vectorizer = HyperskipVectorizer(model, weighting="idf", coordinates="ball").fit(TEXTS)
    copied = clone(vectorizer)
    assert copied.model is model
    assert not hasattr(copied, "vectors_")
    assert copied.get_params() == vectorizer.get_params()
    assert "weighting='idf'" in repr(copied)


def test_a_pickle_holds_the_model(tmp_path: Path) -> None:
    path = tmp_path / "model"
    vectors().save(path)
    vectorizer = HyperskipVectorizer(path).fit(TEXTS)
    expected = vectorizer.transform(TEXTS)
    path.unlink()
    np.testing.assert_array_equal(vectorizer.transform(TEXTS), expected)
    copied = pickle.loads(pickle.dumps(vectorizer))
    np.testing.assert_array_equal(copied.transform(TEXTS), expected)


def test_output_as_data_frames() -> None:
    vectorizer = HyperskipVectorizer(vectors()).set_output(transform="pandas")
    series = pd.Series(TEXTS, index=list("vwxyz"))
    frame = vectorizer.fit_transform(series)
    assert list(frame.index) == list("vwxyz")
    names = [f"hyperskipvectorizer{number}" for number in range(4)]
    assert list(frame.columns) == list(vectorizer.get_feature_names_out()) == names
    assert list(vectorizer.transform(iter(TEXTS)).index) == list(range(5))
    assert vectorizer.set_output(transform="polars").transform(TEXTS).shape == (5, 4)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_union_with_tf_idf_in_a_grid_search(sentences: list[str], jobs: int) -> None:
    labels = [len(sentence) % 2 for sentence in sentences]
    half = len(sentences) // 2
    union = FeatureUnion([("points", trained()), ("tf-idf", TfidfVectorizer())])
    pipeline = make_pipeline(union, LogisticRegression())
    grid = {
        "featureunion__points__weighting": ["sif", "uniform"],
        "featureunion__points__dimension": [2, 3],
    }
    search = GridSearchCV(pipeline, grid, cv=2, n_jobs=jobs, error_score="raise")
    search.fit(sentences[:half], labels[:half])
    assert search.predict(sentences[half:]).shape == (len(sentences) - half,)
    names = search.best_estimator_[0].get_feature_names_out()
    assert names[0] == "points__hyperskipvectorizer0"


def test_a_long_generator_is_transformed_in_batches(sentences: list[str]) -> None:
    vectorizer = HyperskipVectorizer(vectors()).fit(TEXTS)
    found = vectorizer.transform(islice(cycle(TEXTS), 150_000))
    np.testing.assert_array_equal(found[:5], found[-5:])
    np.testing.assert_array_equal(found[:5], vectorizer.transform(TEXTS))
