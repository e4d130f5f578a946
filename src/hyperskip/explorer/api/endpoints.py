"""What can be asked for over HTTP: each address with its parameters and its answer."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hyperskip.explorer.answers.questions import Questions
from hyperskip.explorer.api.parameters import (
    COUNT,
    MEASURE,
    POINTS,
    PREFIX,
    STEPS,
    SUGGESTED,
    VIEW_RADIUS,
    Parameter,
    X,
    Y,
    word,
)


@dataclass(frozen=True)
class Endpoint:
    """An address of the API."""

    path: str
    summary: str
    answer: Callable[..., dict[str, Any] | bytes]  # of questions and the parameters, by name
    answer_schema: str  # in openapi.py
    parameters: tuple[Parameter, ...] = ()

    @property
    def takes_words(self) -> bool:
        """Whether a word may turn out to be unknown."""
        return any(p.kind is str and p.default is None for p in self.parameters)


ENDPOINTS = (
    Endpoint("/api/model", "What the model is", Questions.model, "Model"),
    Endpoint(
        "/api/points",
        "Words of the map, or of a part of it",
        Questions.points,
        "Points",
        (X, Y, VIEW_RADIUS, POINTS),
    ),
    Endpoint("/api/words", "Words that begin so", Questions.words, "Words", (PREFIX, SUGGESTED)),
    Endpoint(
        "/api/word",
        "One word",
        Questions.word,
        "Word",
        (word("word", "A word of the vocabulary.", "dog"),),
    ),
    Endpoint(
        "/api/neighbors",
        "The nearest words to a word",
        Questions.neighbors,
        "Neighbors",
        (word("word", "A word of the vocabulary.", "dog"), COUNT, MEASURE),
    ),
    Endpoint(
        "/api/distance",
        "How far apart two words are",
        Questions.distance,
        "Distance",
        (word("a", "A word of the vocabulary.", "dog"), word("b", "Another.", "cat")),
    ),
    Endpoint(
        "/api/analogy",
        "The fourth word of an analogy: a is to b as c is to it",
        Questions.analogy,
        "Analogy",
        (
            word("a", "What b belongs to.", "france"),
            word("b", "What belongs to a.", "paris"),
            word("c", "What the answer belongs to.", "italy"),
            COUNT,
        ),
    ),
    Endpoint(
        "/api/path",
        "The straight way from one word to another, and the words along it",
        Questions.path,
        "Path",
        (word("a", "Where it begins.", "dog"), word("b", "Where it ends.", "city"), STEPS),
    ),
)
