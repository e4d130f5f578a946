"""The paper's model on real text; needs HYPERSKIP_CORPUS and HYPERSKIP_DATA, and minutes."""

import os
from pathlib import Path

import pytest

from hyperskip import train
from hyperskip.evaluation.datasets import SIMILARITY_SETS, analogy_questions, similarity_pairs
from hyperskip.evaluation.scores import evaluate


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif("HYPERSKIP_CORPUS" not in os.environ, reason="HYPERSKIP_CORPUS is not set")
def test_the_paper_on_seventeen_million_words_of_wikipedia() -> None:
    vectors = train(Path(os.environ["HYPERSKIP_CORPUS"]), preset="paper", dimension=20, rate=0.05)
    scores = evaluate(
        vectors,
        {name: similarity_pairs(name) for name in SIMILARITY_SETS},
        {"google": analogy_questions("google")},
    )
    z, z_prime = (report.total.accuracy or 0.0 for report in scores.analogy.values())
    assert scores.average is not None
    assert scores.average >= 0.48
    assert z >= 0.10
    assert z_prime < z / 3
