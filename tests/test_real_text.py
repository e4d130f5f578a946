"""The paper's model on real text; needs HYPERSKIP_CORPUS and HYPERSKIP_DATA, and minutes."""

import os
from pathlib import Path

import pytest

from hyperskip import train
from hyperskip.evaluation.analogy import evaluate_analogies
from hyperskip.evaluation.datasets import SIMILARITY_SETS, analogy_questions, similarity_pairs
from hyperskip.evaluation.similarity import average_spearman, evaluate_similarity


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif("HYPERSKIP_CORPUS" not in os.environ, reason="HYPERSKIP_CORPUS is not set")
def test_the_paper_on_seventeen_million_words_of_wikipedia() -> None:
    vectors = train(Path(os.environ["HYPERSKIP_CORPUS"]), preset="paper", dimension=20, rate=0.05)
    scores = [evaluate_similarity(vectors, similarity_pairs(name)) for name in SIMILARITY_SETS]
    average = average_spearman(scores)
    z, z_prime = (
        evaluate_analogies(vectors, analogy_questions("google"), route).total.accuracy
        for route in ("Z", "Z'")
    )
    assert average is not None
    assert z is not None
    assert z_prime is not None
    assert average >= 0.48
    assert z >= 0.10
    assert z_prime < z / 3
