"""Examples are questions that the model answers right."""

import numpy as np
from api_client import Ask
from right_models import right_model

from hyperskip import WordVectors
from hyperskip.explorer.answers.examples import examples_of


def test_analogies_are_answered_right() -> None:
    model = right_model()
    examples = examples_of(model, np.arange(len(model)))
    assert examples.analogies == [("france", "paris", "italy")]
    assert {"man", "woman", "king", "queen"} <= set(model.words)  # known, but answered wrongly
    assert model.analogy("france", "paris", "italy", count=1)[0].word == "rome"
    assert model.analogy("man", "woman", "king", count=1)[0].word != "queen"


def test_words_have_a_related_word_nearby() -> None:
    model = right_model()
    examples = examples_of(model, np.arange(len(model)))
    assert examples.words[0] == "music"
    assert "song" in [near.word for near in model.neighbors("music", 5)]
    assert {"river", "lake"} <= set(model.words)
    assert "river" not in examples.words


def test_examples_are_on_the_map() -> None:
    model = right_model()
    rows = np.array([row for row, word in enumerate(model.words) if word not in ("rome", "music")])
    examples = examples_of(model, rows)
    assert examples.analogies == []
    assert "music" not in examples.words


def test_other_models_have_examples_whose_nearest_words_are_mutual() -> None:
    points = np.random.default_rng(4).normal(size=(40, 3)).astype(np.float32)
    model = WordVectors([f"産{number}" for number in range(40)], points)
    examples = examples_of(model, np.arange(40))
    assert examples.analogies == []
    assert len(examples.words) == 5
    for word in examples.words:
        nearest = model.neighbors(word, 1)[0].word
        assert model.neighbors(nearest, 1)[0].word == word


def test_function_words_are_no_examples() -> None:
    rng = np.random.default_rng(4)
    words = ["the", "of", "and", "which", *(f"noun{number}" for number in range(36))]
    points = rng.normal(size=(40, 3)).astype(np.float32)
    points[1], points[3] = 1.001 * points[0], 1.001 * points[2]  # nearest to each other
    examples = examples_of(WordVectors(words, points), np.arange(40))
    assert len(examples.words) == 5
    assert not set(examples.words) & set(words[:4])


def test_one_word_is_no_example() -> None:
    model = WordVectors(["music"], np.ones((1, 2), dtype=np.float32))
    assert examples_of(model, np.arange(1)) == ([], [])


def test_the_examples_of_the_api(ask: Ask, trained: WordVectors) -> None:
    examples = ask("/api/examples")
    assert len(examples["words"]) == 5
    assert all(word in trained.words for word in examples["words"])
    assert all(word in trained.words for words in examples["analogies"] for word in words)
