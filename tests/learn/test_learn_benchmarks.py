"""The parts of the benchmarks of estimators that can be tested: data, splits and methods."""

import lzma
from collections import Counter
from pathlib import Path

import classification
import numpy as np
import pytest
import vectorizer

from hyperskip import WordVectors
from hyperskip.learn import HyperskipVectorizer

WORDS = ["dog", "cat", "car", "bus"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    lines = [f"{i % 2}\t{WORDS[2 * (i % 2)]} and {WORDS[i % 4]} {i}\n" for i in range(160)]
    for name in ("trec-train", "trec-test", "subj"):
        (tmp_path / f"{name}.tsv.xz").write_bytes(lzma.compress("".join(lines).encode()))
    return tmp_path


@pytest.fixture
def vectors() -> WordVectors:
    numbers = np.array([[1, 0.1], [0.9, -0.1], [-1, 0.1], [-0.9, -0.1]], dtype=np.float32)
    return WordVectors(WORDS, numbers, counts=[1] * 4, options={"tokenizer": "paper"})


@pytest.mark.parametrize(("name", "tested"), [("trec", 160), ("subj", 130)])
def test_splits_keep_the_shares_of_labels(data: Path, name: str, tested: int) -> None:
    first, second = classification.splits(data, name, labels=30, count=2, seed=1)
    for split in (first, second):
        assert Counter(split.labels) == {"0": 15, "1": 15}
        assert len(split.texts) == 30
        assert len(split.test_texts) == len(split.test_labels) == tested
        if name == "subj":
            assert not set(split.texts) & set(split.test_texts)
    assert first.texts != second.texts


def test_every_method_learns_an_easy_task(data: Path, vectors: WordVectors) -> None:
    (split,) = classification.splits(data, "subj", labels=60, count=1, seed=1)
    scores = (
        classification.tf_idf_scores(split)
        | classification.model_scores(vectors, split)
        | classification.mean_scores("vectors", vectors, split)
    )
    assert len(scores) == 3 + len(classification.CLASSIFIERS)
    assert all(score == 1 for score in scores.values()), scores


def test_speed_and_memory_of_a_vectorizer(vectors: WordVectors) -> None:
    texts = ["dog cat", "car"] * 10
    fitted = HyperskipVectorizer(vectors).fit(texts)
    speeds = vectorizer.measured_speeds({"ours": fitted}, texts, words=30, rounds=2)
    assert len(speeds["ours"]) == 2
    assert all(speed > 0 for speed in speeds["ours"])
    assert vectorizer.memory_row(fitted, texts, 1000)[0] == "1000"
