"""Text classification with few labels: HyperskipVectorizer, tf-idf and means of other vectors.

    python benchmarks/classification.py DATA MODEL... [--means FILE...] [--labels 1000] [--splits 5]

DATA is a folder with trec-train, trec-test, subj and ag-news (.tsv, in any compression): a label
and a text in each line, separated by a tab. Each split draws the training texts at random, with the
shares of the labels kept; the test is the rest, or the given test set of TREC. Models are model
files, or vectors of other programs in word2vec's text format (with --means), of which documents are
plain means. The penalty C of every classifier that has one is chosen by cross-validation inside of
the training texts. Prints the mean accuracy over the splits and its standard deviation.
"""

import argparse
import statistics
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from reporting import print_markdown
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedShuffleSplit
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler
from texts import file_lines
from threadpoolctl import threadpool_limits

from hyperskip import WordVectors, import_vectors, load
from hyperskip.learn import (
    HorosphericalSVC,
    HyperbolicKNeighborsClassifier,
    HyperbolicLogisticRegression,
    HyperbolicNearestCentroid,
    HyperskipVectorizer,
)

PENALTIES = [0.001, 0.01, 0.1, 1.0, 10.0, 100.0]
NEIGHBORS = [5, 15, 30]
FOLDS = 3

Labels = npt.NDArray[np.str_]


class Split(NamedTuple):
    """Texts and labels to learn from, and to predict."""

    texts: list[str]
    labels: Labels
    test_texts: list[str]
    test_labels: Labels


# -- data


def labeled_texts(folder: Path, name: str) -> tuple[list[str], Labels]:
    """Read the texts and labels of a file, whose name may end with a compression."""
    path = next(folder.glob(f"{name}.tsv*"))
    lines = [line.rstrip("\n").split("\t", 1) for line in file_lines(path)]
    return [text for _, text in lines], np.array([label for label, _ in lines])


def splits(folder: Path, name: str, labels: int, count: int, seed: int) -> Iterator[Split]:
    """Draw splits of one of the data sets."""
    if name == "trec":
        texts, classes = labeled_texts(folder, "trec-train")
        test = labeled_texts(folder, "trec-test")
    else:
        texts, classes = labeled_texts(folder, name)
        test = None
    draws = StratifiedShuffleSplit(count, train_size=labels, random_state=seed)
    for chosen, rest in draws.split(classes, classes):
        others = ([texts[i] for i in rest], classes[rest]) if test is None else test
        yield Split([texts[i] for i in chosen], classes[chosen], *others)


# -- methods


def tuned(classifier: Any, grid: dict[str, Sequence[float]]) -> GridSearchCV:
    """Choose parameters by cross-validation inside of the training texts."""
    return GridSearchCV(classifier, grid, cv=FOLDS)


def logistic_regression() -> GridSearchCV:
    """Logistic regression of scikit-learn on standardized features."""
    classifier = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return tuned(classifier, {"logisticregression__C": PENALTIES})


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "logistic regression": logistic_regression,
    "HyperbolicLogisticRegression": lambda: tuned(HyperbolicLogisticRegression(), {"C": PENALTIES}),
    "HorosphericalSVC": lambda: tuned(HorosphericalSVC(), {"C": PENALTIES}),
    "HyperbolicNearestCentroid": HyperbolicNearestCentroid,
    "HyperbolicKNeighborsClassifier": lambda: tuned(
        HyperbolicKNeighborsClassifier(weights="distance"), {"n_neighbors": NEIGHBORS}
    ),
}


def tf_idf_scores(split: Split) -> dict[str, float]:
    """Accuracy of tf-idf with logistic regression: the defaults of scikit-learn."""
    pipeline = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=1000))
    pipeline.fit(split.texts, split.labels)
    return {"tf-idf, logistic regression": pipeline.score(split.test_texts, split.test_labels)}


def model_scores(vectors: WordVectors, split: Split) -> dict[str, float]:
    """Accuracy of each classifier on the points of documents, and of a union with tf-idf."""
    vectorizer = HyperskipVectorizer(vectors)
    rows = vectorizer.fit_transform(split.texts)
    test_rows = vectorizer.transform(split.test_texts)
    scores = {}
    for name, make in CLASSIFIERS.items():
        classifier = make().fit(rows, split.labels)
        scores[f"d {vectors.dimension}, {name}"] = classifier.score(test_rows, split.test_labels)
    union = with_tf_idf(vectors).fit(split.texts, split.labels)
    score = union.score(split.test_texts, split.test_labels)
    return scores | {f"d {vectors.dimension} and tf-idf, logistic regression": score}


def with_tf_idf(vectors: WordVectors) -> Any:
    """Logistic regression on tf-idf and on the tangent coordinates of documents."""
    points = HyperskipVectorizer(vectors)
    union = FeatureUnion([("points", points), ("tf-idf", TfidfVectorizer())])
    return make_pipeline(union, LogisticRegression(max_iter=1000))


def mean_scores(name: str, vectors: WordVectors, split: Split) -> dict[str, float]:
    """Accuracy of logistic regression on the plain means of the vectors of documents."""
    vectorizer = HyperskipVectorizer(vectors, weighting="uniform", tokenizer="paper")
    rows = vectorizer.fit_transform(split.texts)
    classifier = logistic_regression().fit(rows, split.labels)
    score = classifier.score(vectorizer.transform(split.test_texts), split.test_labels)
    return {f"d {vectors.dimension}, means of {name}, logistic regression": score}


# -- the command line


def main() -> None:
    """Measure everything on the command line's models and data."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("models", nargs="*", type=Path, metavar="MODEL")
    parser.add_argument("--means", nargs="*", type=Path, default=[], metavar="FILE")
    parser.add_argument("--sets", nargs="*", default=["trec", "subj", "ag-news"])
    parser.add_argument("--labels", type=int, default=1000)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore", ConvergenceWarning)
    models = [load(path) for path in arguments.models]
    others = {path: import_vectors(path, coordinates="euclidean") for path in arguments.means}
    found: dict[str, dict[str, list[float]]] = {}  # method, data set: scores
    start = time.monotonic()
    threadpool_limits(1)  # the matrices are small: more threads only wait for each other
    for data in arguments.sets:
        chosen = arguments.labels, arguments.splits, arguments.seed
        for split in splits(arguments.data, data, *chosen):
            scores = tf_idf_scores(split)
            for vectors in models:
                scores |= model_scores(vectors, split)
            for path, vectors in others.items():
                scores |= mean_scores(path.stem, vectors, split)
            for method, score in scores.items():
                found.setdefault(method, {}).setdefault(data, []).append(score)
    header = ["", *arguments.sets]
    rows = [
        [method, *(_mean_and_deviation(by_set[data]) for data in arguments.sets)]
        for method, by_set in found.items()
    ]
    print_markdown(header, rows)
    print(f"\n{arguments.labels} labels, {arguments.splits} splits, seed {arguments.seed}", end="")
    print(f"; {time.monotonic() - start:.0f} s")


def _mean_and_deviation(scores: Sequence[float]) -> str:
    deviation = statistics.stdev(scores) if len(scores) > 1 else 0.0
    return f"{statistics.mean(scores):.3f} ± {deviation:.3f}"


if __name__ == "__main__":
    main()
