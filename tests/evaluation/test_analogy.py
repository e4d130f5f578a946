import numpy as np
import pytest

from hyperskip import WordVectors
from hyperskip.builtin import BUILTIN
from hyperskip.evaluation.analogy import AnalogyScore, Question, evaluate_analogies
from hyperskip.evaluation.datasets import analogy_questions


@pytest.mark.parametrize("route", ["Z", "Z'"])
@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_a_batch_has_the_same_answers_as_single_questions(
    trained: WordVectors, route: str, geometry: str, device: str
) -> None:
    vectors = WordVectors(trained.words, trained.coordinates, geometry=geometry)
    questions = {name: asked[:20] for name, asked in analogy_questions(BUILTIN).items()}
    report = evaluate_analogies(vectors.on(device), questions, route, questions_at_once=7)
    for name, asked in questions.items():
        correct = sum(
            vectors.analogy(q.a, q.b, q.c, route=route, count=1)[0].word == q.d for q in asked
        )
        assert report.sections[name] == AnalogyScore(correct, 20, 20, 20)
    assert report.total == report.semantic + report.syntactic
    assert report.syntactic.total == 80


def test_unknown_words_are_counted_both_ways() -> None:
    words = ["man", "woman", "king", "queen", "rock"]
    coordinates = np.array([[0, 0], [0, 1], [2, 0], [2, 1], [-9, 9]], dtype=np.float32)
    vectors = WordVectors(words, coordinates, geometry="euclidean")
    questions = [
        Question("Man", "WOMAN", "king", "queen"),  # known in lower case
        Question("man", "woman", "king", "empress"),  # the answer is unknown
        Question("man", "woman", "emperor", "queen"),  # left out
    ]
    score = evaluate_analogies(vectors, {"gender": questions}, "Z").total
    assert (score.asked, score.answerable, score.total) == (2, 1, 3)
    assert score.correct == 1
    assert score.accuracy == 1.0
    assert score.accuracy_unknown_wrong == 0.5


def test_the_words_of_the_question_are_never_the_answer() -> None:
    words = ["a", "b", "c", "far"]
    coordinates = np.array([[0.1, 0], [0.2, 0], [0.3, 0], [-5, 5]], dtype=np.float32)
    vectors = WordVectors(words, coordinates)
    score = evaluate_analogies(vectors, {"s": [Question("a", "b", "c", "far")]}, "Z").total
    assert score.correct == 1


def test_no_questions_have_no_accuracy() -> None:
    vectors = WordVectors(["a"], np.zeros((1, 2), dtype=np.float32))
    report = evaluate_analogies(vectors, {"s": [Question("x", "y", "z", "w")]}, "Z")
    assert report.total.accuracy is None
    assert report.total.accuracy_unknown_wrong is None


def test_vectors_without_words_answer_no_question() -> None:
    vectors = WordVectors([], np.zeros((0, 2), dtype=np.float32))
    score = evaluate_analogies(vectors, {"s": [Question("x", "y", "z", "w")]}, "Z").total
    assert (score.asked, score.total) == (0, 1)
