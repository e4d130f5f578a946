"""The paper's model on real text; needs HYPERSKIP_CORPUS and HYPERSKIP_DATA, and minutes."""

import os
from pathlib import Path
from typing import Any

import pytest

from hyperskip import train
from hyperskip.evaluation.evaluating import evaluate
from hyperskip.evaluation.known_sets import SIMILARITY_SETS
from hyperskip.geometry.names import PRODUCT


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.skipif("HYPERSKIP_CORPUS" not in os.environ, reason="HYPERSKIP_CORPUS is not set")
@pytest.mark.parametrize(
    ("options", "similarity", "analogy"),
    [
        ({"schedule": "pairwise", "rate": 0.05}, 0.48, 0.10),
        ({"schedule": "window"}, 0.50, 0.12),
    ],
    ids=["pairwise", "window"],
)
def test_the_paper_on_seventeen_million_words_of_wikipedia(
    options: dict[str, Any], similarity: float, analogy: float
) -> None:
    corpus = Path(os.environ["HYPERSKIP_CORPUS"])
    vectors = train(corpus, preset="paper", dimension=20, **options)
    scores = evaluate(vectors, similarity=SIMILARITY_SETS, analogies="google")
    z, z_prime = (report.total.accuracy or 0.0 for report in scores.analogy[PRODUCT].values())
    assert scores.average is not None
    assert scores.average >= similarity
    assert z >= analogy
    assert z_prime < z / 3
