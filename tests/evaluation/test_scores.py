import json

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.evaluation.datasets import BUILTIN, analogy_questions, similarity_pairs
from hyperskip.evaluation.scores import evaluate


def test_everything_at_once(trained: WordVectors) -> None:
    pairs, questions = similarity_pairs(BUILTIN), analogy_questions(BUILTIN)
    scores = evaluate(trained, {"one": pairs, "two": pairs[::3]}, {"a": questions, "b": questions})
    plain = json.loads(json.dumps(scores.as_dict()))
    found = [plain["similarity"]["sets"][name]["found"] for name in ("one", "two")]
    values = [plain["similarity"]["sets"][name]["spearman"] for name in ("one", "two")]
    assert plain["similarity"]["average"] == pytest.approx(np.average(values, weights=found))
    sections = plain["analogy"]["Z"]["sections"]
    assert sections["a/gender"] == sections["b/gender"]
    assert plain["analogy"]["Z"]["syntactic"]["total"] == 2 * 1062
    assert plain["analogy"]["Z"]["total"] == 2 * sum(map(len, questions.values()))


def test_what_was_not_asked_for_is_left_out(trained: WordVectors) -> None:
    assert evaluate(trained, {}, {}).as_dict() == {}
    assert evaluate(trained, {}, {}).average is None


def test_in_flat_space_both_routes_are_one(trained: WordVectors) -> None:
    flat = WordVectors(trained.words, trained.coordinates, geometry="euclidean")
    scores = evaluate(flat, {}, {"builtin": analogy_questions(BUILTIN)})
    assert scores.analogy["Z"] == scores.analogy["Z'"]
