"""Words outside the vocabulary in evaluation: composed, counted, or left out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from subword_models import WORDS, with_subwords

from hyperskip import OptionError, evaluate
from hyperskip.evaluation.analogy import Question, evaluate_analogies
from hyperskip.evaluation.similarity import RatedPair, evaluate_similarity
from hyperskip.rank_correlation import spearman

FEW_PAIRS = pytest.mark.filterwarnings("ignore:.*pairs of.*:hyperskip.DatasetWarning")
VECTORS = with_subwords()
PAIRS = [
    RatedPair("dog", "dogs", 9.0),
    RatedPair("Dog", "doghouses", 7.0),
    RatedPair("catz", "doghouses", 3.0),
    RatedPair("river", "house", 1.0),
    RatedPair("river", "qqqq", 2.0),
]
QUESTIONS = [
    Question("dog", "dogs", "cat", "cats"),
    Question("dogz", "dogs", "cat", "cats"),
    Question("dogz", "dogs", "catz", "cats"),
    Question("dogz", "doghousez", "catz", "cathouse"),
    Question("dogz", "dogs", "cat", "doghouses"),  # the answer is not in the vocabulary
    Question("qqqq", "dogs", "cat", "cats"),  # left out
]


def test_similarity_counts_composed_words() -> None:
    score = evaluate_similarity(VECTORS, PAIRS)
    expected = [VECTORS.similarity(pair.first, pair.second) for pair in PAIRS[:4]]
    assert score.spearman == spearman(np.array(expected), np.array([9.0, 7.0, 3.0, 1.0]))
    assert (score.found, score.composed, score.pairs) == (4, 2, 5)
    assert score.as_dict()["composed"] == 2


def test_strict_scores_are_those_of_a_model_without_subwords() -> None:
    strict = evaluate_similarity(VECTORS.without_subwords(), PAIRS)
    assert (strict.found, strict.composed, strict.pairs) == (2, None, 5)
    assert list(strict.as_dict()) == ["spearman", "found", "pairs"]


@pytest.mark.parametrize("route", ["Z", "Z'"])
def test_analogies_are_those_of_single_questions(route: str, device: str) -> None:
    report = evaluate_analogies(VECTORS.on(device), {"s": QUESTIONS}, route, questions_at_once=1)
    correct = sum(
        VECTORS.analogy(q.a, q.b, q.c, route=route, count=1)[0].word == q.d for q in QUESTIONS[:5]
    )
    score = report.total
    assert (score.correct, score.asked, score.answerable, score.total) == (correct, 5, 4, 6)
    assert score.composed == 4
    assert report.semantic.composed == 4
    assert report.syntactic.composed is None  # no questions
    assert score.as_dict()["composed"] == 4
    strict = evaluate_analogies(VECTORS.without_subwords(), {"s": QUESTIONS}, route).total
    assert (strict.asked, strict.answerable, strict.composed) == (1, 1, None)
    assert "composed" not in strict.as_dict()


def sets_in(folder: Path) -> dict[str, Any]:
    lines = {
        "similarity": [f"{pair.first} {pair.second} {pair.score}" for pair in PAIRS],
        "analogies": [": words", *(" ".join(question) for question in QUESTIONS)],
        "hypernymy": [f"{word} house {int(word != 'river')}" for word in (*WORDS, "dogz")],
    }
    for name, listed in lines.items():
        (folder / name).write_text("\n".join(listed) + "\n")
    return {name: folder / name for name in lines}


@FEW_PAIRS
def test_tables_show_composed_words_of_models_with_subwords(tmp_path: Path) -> None:
    sets = sets_in(tmp_path)
    scores = evaluate(VECTORS, **sets)
    similarity, *analogies, hypernymy = scores.tables(sections=True)
    assert similarity.header[-3:] == ("found", "composed", "pairs")
    assert similarity.rows[0][-3:] == ("4", "2", "5")
    for table in analogies:
        assert table.header[-3:] == ("asked", "composed", "total")
        assert [row[-2] for row in table.rows] == ["4", "4", "0", "4"]
    assert "composed" not in hypernymy.header  # scored on the vocabulary
    assert hypernymy.rows[0][-3:-1] == ("10", "11")
    for table in scores.tables(sections=True):
        assert {len(row) for row in table.rows} == {len(table.header)}


@FEW_PAIRS
def test_strict_evaluation(tmp_path: Path) -> None:
    sets = sets_in(tmp_path)
    strict = evaluate(VECTORS, strict=True, **sets)
    plain = evaluate(VECTORS.without_subwords(), **sets)
    assert strict.as_dict() == plain.as_dict()
    assert "composed" not in str(strict.as_dict())
    assert [table.header for table in strict.tables()] == [table.header for table in plain.tables()]
    with pytest.raises(OptionError, match=naming("`strict`", "'yes'")):
        evaluate(VECTORS, strict="yes", **sets)  # type: ignore[arg-type]
