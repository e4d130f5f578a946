"""Endpoints of the API: each path with its parameters, its answer and the schema of that."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.api.parameters import (
    COUNT,
    LENS_COUNT,
    MEASURE,
    POINTS,
    PREFIX,
    STEPS,
    SUGGESTIONS,
    TEXT,
    VIEW_RADIUS,
    Parameter,
    X,
    Y,
    word,
)

WORD = word("word", "A word of the vocabulary.", "dog")
ANY_WORD = word("word", "A word of the vocabulary; or any word, if the model has subwords.", "dog")


@dataclass(frozen=True)
class Endpoint:
    """A path of the API."""

    path: str
    summary: str
    answer: Callable[..., dict[str, Any] | bytes]  # takes the queries and the parameters by name
    answer_schema: str  # name of a schema in openapi.py
    parameters: tuple[Parameter, ...] = ()

    @property
    def takes_words(self) -> bool:
        """Whether an answer may be that a word is unknown."""
        return any(parameter.is_required for parameter in self.parameters)

    @property
    def defaults(self) -> dict[str, Any] | None:
        """The default of each parameter, or None if one is required."""
        if any(parameter.is_required for parameter in self.parameters):
            return None
        return {parameter.name: parameter.declaration.default for parameter in self.parameters}


def _model(queries: Queries) -> dict[str, Any]:
    limits = {
        "count": COUNT,
        "lens": LENS_COUNT,
        "steps": STEPS,
        "suggestions": SUGGESTIONS,
        "points": POINTS,
        "radius": VIEW_RADIUS,
        "letters": WORD,
    }
    largest = {name: parameter.largest for name, parameter in limits.items()}
    return {**queries.model(), "limits": largest}


ENDPOINTS = (
    Endpoint("/api/model", "The model and its map", _model, "Model"),
    Endpoint(
        "/api/examples",
        "Questions that the model answers right, to begin with",
        Queries.examples,
        "Examples",
    ),
    Endpoint(
        "/api/points",
        "Words on the map, or on a part of it",
        Queries.points,
        "Points",
        (X, Y, VIEW_RADIUS, POINTS),
    ),
    Endpoint(
        "/api/words", "Words with a given prefix", Queries.words, "Words", (PREFIX, SUGGESTIONS)
    ),
    Endpoint(
        "/api/search",
        "Words that contain a text, or match a regular expression",
        Queries.search,
        "Found",
        (TEXT, SUGGESTIONS),
    ),
    Endpoint("/api/word", "One word", Queries.word, "Word", (ANY_WORD,)),
    Endpoint(
        "/api/neighbors",
        "The nearest words to a word",
        Queries.neighbors,
        "Neighbors",
        (ANY_WORD, COUNT, MEASURE),
    ),
    Endpoint(
        "/api/lens",
        "The nearest words to a word, laid out around it at true distances",
        Queries.lens,
        "Lens",
        (ANY_WORD, LENS_COUNT, MEASURE),
    ),
    Endpoint("/api/edges", "The edges between words on the map", Queries.edges, "Edges"),
    Endpoint(
        "/api/relatives",
        "The parents and children of a word, and its path from the root",
        Queries.relatives,
        "Relatives",
        (WORD, COUNT),
    ),
    Endpoint(
        "/api/hierarchy",
        "What a word is a kind of, and its kinds",
        Queries.hierarchy,
        "Hierarchy",
        (WORD, COUNT),
    ),
    Endpoint(
        "/api/compare",
        "The nearest words to a word in both models, by the angle",
        Queries.compare,
        "Comparison",
        (ANY_WORD, COUNT),
    ),
    Endpoint(
        "/api/moved",
        "Frequent words that moved most between both models",
        Queries.moved,
        "MovedWords",
        (SUGGESTIONS,),
    ),
    Endpoint(
        "/api/compared-points",
        "Words on the map of the other model",
        Queries.compared_points,
        "Points",
    ),
    Endpoint(
        "/api/distance",
        "The distance between two words",
        Queries.distance,
        "Distance",
        (word("a", "A word.", "dog"), word("b", "Another word.", "cat")),
    ),
    Endpoint(
        "/api/analogy",
        "The fourth word of an analogy: a is to b as c is to what?",
        Queries.analogy,
        "Analogy",
        (
            word("a", "First word of the known pair.", "france"),
            word("b", "Second word of the known pair.", "paris"),
            word("c", "First word of the pair to complete.", "italy"),
            COUNT,
        ),
    ),
    Endpoint(
        "/api/path",
        "The geodesic from one word to another, and the words along it",
        Queries.path,
        "Path",
        (word("a", "Start of the path.", "dog"), word("b", "End of the path.", "city"), STEPS),
    ),
)
