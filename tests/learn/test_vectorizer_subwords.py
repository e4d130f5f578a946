"""Documents with words outside the vocabulary of a model with subwords."""

import pickle

import numpy as np
import pytest
from facts import naming
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from subword_models import with_subwords

from hyperskip import CorpusWarning, OptionError
from hyperskip.learn import HyperskipVectorizer

VECTORS = with_subwords(options={"tokenizer": "paper"})
TEXTS = ["The dogs, doghouses!", "cats rivers", "doghousez catz", "qqqq"]


@pytest.mark.parametrize("weighting", ["sif", "idf", "uniform"])
def test_unknown_words_have_the_weight_of_a_word_that_does_not_occur(weighting: str) -> None:
    vectorizer = HyperskipVectorizer(
        VECTORS, weighting=weighting, coordinates="point", center=False
    )
    found = vectorizer.fit_transform(TEXTS)
    unseen = {"sif": 1.0, "idf": np.log(1 + len(TEXTS)) + 1, "uniform": 1.0}[weighting]
    assert vectorizer.composed_weight_ == pytest.approx(unseen)
    assert len(vectorizer.weights_) == len(VECTORS)
    words = ["dogs", "doghouses"]
    weights = np.array([vectorizer.weights_[VECTORS.index_of("dogs")], unseen])
    np.testing.assert_allclose(found[0], VECTORS.space.centroid(VECTORS[words], weights), atol=1e-9)
    composed = VECTORS.space.centroid(VECTORS[["doghousez", "catz"]])
    np.testing.assert_allclose(found[2], composed, atol=1e-9)
    assert vectorizer.empty_documents_ == 1
    assert vectorizer.composed_words_ == 3  # doghouses, doghousez, catz


def test_strict_leaves_unknown_words_out() -> None:
    strict = HyperskipVectorizer(VECTORS, strict=True)
    plain = HyperskipVectorizer(VECTORS.without_subwords())
    assert np.array_equal(strict.fit_transform(TEXTS), plain.fit_transform(TEXTS))
    assert strict.empty_documents_ == 2
    assert strict.composed_words_ == 0
    assert HyperskipVectorizer(VECTORS).fit(["catz", "catz dog"]).composed_words_ == 2
    with pytest.warns(CorpusWarning, match=naming("2 of 2 documents")):
        strict.transform(["doghousez", "catz"])
    with pytest.raises(OptionError, match=naming("`strict`", "'no'")):
        HyperskipVectorizer(VECTORS, strict="no").fit(TEXTS)  # type: ignore[arg-type]


def test_copies_compose_the_same_words() -> None:
    fitted = HyperskipVectorizer(VECTORS).fit(TEXTS)
    expected = fitted.transform(TEXTS)
    assert expected[2].any()
    copied = pickle.loads(pickle.dumps(fitted))
    assert np.array_equal(copied.transform(TEXTS), expected)
    again = clone(fitted)
    assert again.get_params()["strict"] is False
    assert np.array_equal(again.fit_transform(TEXTS), expected)
    assert clone(HyperskipVectorizer(strict=True)).strict is True


def test_pipelines_of_unknown_words() -> None:
    texts = ["doghousez", "dogz", "dogsy", "riverz", "riversy", "rivery"] * 3
    labels = [0, 0, 0, 1, 1, 1] * 3
    pipeline = make_pipeline(HyperskipVectorizer(VECTORS), LogisticRegression())
    assert cross_val_score(pipeline, texts, labels, cv=3).mean() == 1.0
