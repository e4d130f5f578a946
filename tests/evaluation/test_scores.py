import json

import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.evaluation.datasets import (
    BUILTIN,
    analogy_questions,
    hypernymy_pairs,
    similarity_pairs,
)
from hyperskip.evaluation.scores import evaluate


def test_everything_at_once(trained: WordVectors) -> None:
    pairs, questions = similarity_pairs(BUILTIN), analogy_questions(BUILTIN)
    scores = evaluate(
        trained,
        {"one": pairs, "two": pairs[::3]},
        {"a": questions, "b": questions},
        hypernymy_pairs(BUILTIN),
    )
    plain = json.loads(json.dumps(scores.as_dict()))
    assert list(plain["similarity"]) == ["product", "angle"]
    for by_measure in plain["similarity"].values():
        found = [by_measure["sets"][name]["found"] for name in ("one", "two")]
        values = [by_measure["sets"][name]["spearman"] for name in ("one", "two")]
        assert by_measure["average"] == pytest.approx(np.average(values, weights=found))
    assert scores.average == plain["similarity"]["product"]["average"]
    assert list(plain["analogy"]) == ["product"]
    by_route = plain["analogy"]["product"]["Z"]
    assert by_route["sections"]["a/gender"] == by_route["sections"]["b/gender"]
    assert by_route["syntactic"]["total"] == 2 * 1062
    assert by_route["total"] == 2 * sum(map(len, questions.values()))
    assert plain["hypernymy"]["builtin"]["figure"] == "average precision"
    assert "angle-radius" in plain["hypernymy"]["builtin"]["agreement"]


def test_the_chosen_measure_stands_beside_the_paper_s(trained: WordVectors) -> None:
    pairs = {BUILTIN: similarity_pairs(BUILTIN)}
    questions = {BUILTIN: {"gender": analogy_questions(BUILTIN)["gender"]}}
    paper = evaluate(trained, pairs, questions)
    for measure in ("distance", "angle"):
        scores = evaluate(trained.measured_by(measure), pairs, questions)
        assert list(scores.similarity) == list(scores.analogy) == ["product", measure]
        assert scores.analogy["product"] == paper.analogy["product"]
        assert scores.average == paper.average
    by_distance = evaluate(trained.measured_by("distance"), pairs, questions)
    assert by_distance.average_by("distance") == pytest.approx(paper.average)
    assert by_distance.analogy["distance"] == paper.analogy["product"]


def test_what_was_not_asked_for_is_left_out(trained: WordVectors) -> None:
    assert evaluate(trained, {}, {}).as_dict() == {}
    assert evaluate(trained, {}, {}).average is None


def test_in_flat_space_both_routes_are_one(trained: WordVectors) -> None:
    flat = WordVectors(trained.words, trained.coordinates, geometry="euclidean")
    pairs = {BUILTIN: similarity_pairs(BUILTIN)}
    scores = evaluate(flat, pairs, {"builtin": analogy_questions(BUILTIN)})
    assert scores.analogy["product"]["Z"] == scores.analogy["product"]["Z'"]
    assert list(scores.similarity) == ["product"]  # the angle is the same
