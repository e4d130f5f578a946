"""The benchmark of latency, with too few words to measure anything."""

import subprocess
import sys
from pathlib import Path

import latency
import numpy as np
import pytest
from api_client import Client

from hyperskip import WordVectors

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "latency.py"


def test_added_words_are_near_others(trained: WordVectors) -> None:
    more = latency.extended(trained, len(trained) + 100)
    assert len(more) == len(set(more.words)) == len(trained) + 100
    np.testing.assert_array_equal(more.coordinates[: len(trained)], trained.coordinates)
    assert latency.extended(trained, 10) is trained
    assert len(set(latency.generated_vectors(3000, 4).words)) == 3000


def test_all_queries_have_answers(client: Client, trained: WordVectors) -> None:
    visitor = latency.Visitor(trained.words, seed=1)
    asked = [visitor.question() for _ in range(200)]
    assert {kind for kind, _ in asked} == set(latency.MIX)
    assert sum(latency.MIX.values()) == 100
    for _, path in asked:
        assert client.get(path).status_code == 200


@pytest.mark.slow
def test_it_runs() -> None:
    arguments = "--words 300 --dimension 4 --seconds 0.5 --rounds 1 --checked 3".split()
    done = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert "recall@10 of neighbors: 1.0000" in done.stdout
    assert "latency of plain search / compact search: p50" in done.stdout
