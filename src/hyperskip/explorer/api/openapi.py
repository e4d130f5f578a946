"""The OpenAPI 3.1 description of the API, derived from its endpoints and parameters."""

from typing import Any

from hyperskip.explorer.api.endpoints import ENDPOINTS, Endpoint
from hyperskip.geometry.names import GEOMETRIES, MEASURES, ROUTES
from hyperskip.version import VERSION

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_WHOLE_OR_NULL: Schema = {"type": ["integer", "null"]}  # null if the graph is undirected
_NUMBER: Schema = {"type": "number"}
_NUMBER_OR_NULL: Schema = {"type": ["number", "null"]}  # null if it is not finite


def _object(**properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


_WORD: dict[str, Schema] = {
    "word": _TEXT,
    "row": {
        "type": ["integer", "null"],
        "minimum": 0,
        "description": "Rank by frequency, from 0; null for words outside the vocabulary.",
    },
    "count": {
        "type": ["integer", "null"],
        "minimum": 0,
        "description": "Number of occurrences; null if unknown.",
    },
    "radius": {
        "type": ["number", "null"],
        "description": "Distance from the base point. If the model has a hierarchy, it is the "
        "radius in the hierarchy: the smaller, the more general the word. Words outside the "
        "vocabulary have none in a hierarchy.",
    },
    "rank": {
        "type": ["integer", "null"],
        "minimum": 1,
        "description": "Rank by radius; 1 is the word with the smallest radius. Words outside the "
        "vocabulary have none.",
    },
    "x": {"type": "number", "description": "Position on the disc."},
    "y": {"type": "number", "description": "Position on the disc."},
    "mapped": {
        "type": "boolean",
        "description": "Whether it is on the map; if not, it is placed between its neighbors.",
    },
    "cluster": {
        "type": ["integer", "null"],
        "description": "Index into the clusters of the model; null for words outside the "
        "vocabulary.",
    },
    "ngrams": {
        "type": ["integer", "null"],
        "minimum": 1,
        "description": "For a word outside the vocabulary: the number of n-gram vectors that its "
        "vector is the mean of. Null for words of the vocabulary.",
    },
}
_FIDELITY = _object(neighbors=_NUMBER_OR_NULL, radii=_NUMBER_OR_NULL)

_GRAPH = {
    **_object(
        directed={"type": "boolean"},
        nodes=_WHOLE,
        edges={"type": "integer", "description": "Number of direct edges."},
        depth=_WHOLE_OR_NULL,
        root={"type": ["string", "null"], "description": "The word that most words are below."},
        branches=_list(_object(name=_TEXT, size=_WHOLE)),
    ),
    "type": ["object", "null"],
    "description": "The graph whose edges are shown; null if there is none.",
}

_MODEL = _object(
    name=_TEXT,
    words=_WHOLE,
    mapped=_WHOLE,
    dimension=_WHOLE,
    geometry={"type": "string", "enum": list(GEOMETRIES)},
    is_curved={
        "type": "boolean",
        "description": "Whether the space is hyperbolic or a product of hyperbolic spaces.",
    },
    factors=_WHOLE,
    measures=_list({"type": "string", "enum": list(MEASURES)}),
    counts_known={"type": "boolean"},
    has_hierarchy={
        "type": "boolean",
        "description": "Whether the model has a hierarchy: radii mean generality.",
    },
    has_subwords={
        "type": "boolean",
        "description": "Whether words outside the vocabulary are composed from n-grams.",
    },
    map=_object(
        method=_TEXT,
        scale={
            "type": "number",
            "description": "Distances from the center of the map, relative to the space.",
        },
        by_hierarchy={
            "type": "boolean",
            "description": "Whether general words are in the middle of the map.",
        },
        fidelity=_FIDELITY,
        tried={"type": "object", "additionalProperties": _FIDELITY},
    ),
    clusters={
        **_list(_object(name=_TEXT, size=_WHOLE)),
        "description": "The largest regions, those of the first level.",
    },
    regions={
        **_list(
            _list(
                _object(
                    words={**_list(_TEXT), "description": "The words that name it."},
                    size={"type": "integer", "description": "Number of words on the map."},
                    x={"type": "number", "description": "Position of the name on the disc."},
                    y=_NUMBER,
                    parent={
                        "type": ["integer", "null"],
                        "description": "The region of the level before that contains it.",
                    },
                )
            )
        ),
        "description": "Regions of the map in up to three levels, the largest first.",
    },
    graph=_GRAPH,
)

_SCHEMAS: dict[str, Schema] = {
    "Word": _object(**_WORD),
    "Near": _object(**_WORD, distance=_NUMBER_OR_NULL, similarity=_NUMBER_OR_NULL),
    "Model": {
        **_MODEL,
        "properties": {
            **_MODEL["properties"],
            "compared": {
                **_MODEL,
                "type": ["object", "null"],
                "properties": {
                    **_MODEL["properties"],
                    "common": {
                        "type": "integer",
                        "description": "Number of words that both models have.",
                    },
                },
                "description": "The other model; null if there is none.",
            },
            "limits": {"type": "object", "additionalProperties": _NUMBER},
        },
        "required": [*_MODEL["required"], "compared", "limits"],
    },
    "Examples": _object(
        analogies={
            **_list(_list(_TEXT)),
            "description": "Words a, b and c of analogies that the first route answers right.",
        },
        words={
            **_list(_TEXT),
            "description": "Words with a related word among their nearest ones.",
        },
    ),
    "Points": _object(
        rows=_list(_WHOLE),
        words=_list(_TEXT),
        x=_list(_NUMBER),
        y=_list(_NUMBER),
        counts=_list({"type": ["integer", "null"]}),
        radii=_list(_NUMBER),
        clusters=_list(_WHOLE),
        regions={
            **_list(_WHOLE),
            "description": "The region of the last level that contains each word.",
        },
        in_view={"type": "integer", "description": "Number of words in the view, returned or not."},
    ),
    "Edges": {
        **_object(sources=_list(_WHOLE), targets=_list(_WHOLE)),
        "description": "Children and parents, by their indices in all points. The other columns "
        "describe each point; they are missing if there is no graph.",
        "properties": {
            "sources": _list(_WHOLE),
            "targets": _list(_WHOLE),
            "importance": _list(_NUMBER),
            "labels": _list(_TEXT),
            "depths": {"type": ["array", "null"], "items": _WHOLE},
            "branches": {
                "type": ["array", "null"],
                "items": _WHOLE,
                "description": "Index into the branches of the graph; -1 for none.",
            },
        },
    },
    "Relatives": _object(
        word=_ref("Word"),
        depth=_WHOLE_OR_NULL,
        below={"type": "integer", "description": "Number of words below it, by all paths."},
        branch={"type": ["string", "null"]},
        parent_count=_WHOLE,
        child_count=_WHOLE,
        path=_list(_ref("Word")),
        parents=_list(_ref("Word")),
        children=_list(_ref("Word")),
    ),
    "Kind": _object(
        **_WORD,
        score={
            "type": "number",
            "minimum": 0,
            "maximum": 1,
            "description": "Probability that the narrower word is a kind of the broader one.",
        },
    ),
    "Hierarchy": _object(
        word=_ref("Word"),
        evidence={
            "type": "integer",
            "minimum": 0,
            "description": "Number of relations that the text states about the word; if it is 0, "
            "the answer was inferred from similar words.",
        },
        chain={
            **_list(_ref("Kind")),
            "description": "The best hypernym of the word, the best hypernym of that, and so on, "
            "6 words at most. Each score is that of one step.",
        },
        hypernyms=_list(_ref("Kind")),
        hyponyms=_list(_ref("Kind")),
    ),
    "Words": _object(words=_list(_ref("Word"))),
    "Found": _object(
        words=_list(_ref("Word")),
        searched={
            "type": "integer",
            "description": "Number of words that were searched, the most frequent first. If it is "
            "less than the number of all words, the regular expression took too long.",
        },
    ),
    "Neighbors": _object(word=_ref("Word"), measure=_TEXT, neighbors=_list(_ref("Near"))),
    "Compared": _object(
        **_WORD,
        distance=_NUMBER_OR_NULL,
        similarity={"type": ["number", "null"], "description": "The cosine."},
        shared={
            "type": "boolean",
            "description": "Whether it is in the list of the other model, too.",
        },
        in_other={"type": "boolean", "description": "Whether the other model has the word."},
    ),
    "Comparison": _object(
        models={
            **_list(
                {
                    **_object(word=_ref("Word"), measure=_TEXT, neighbors=_list(_ref("Compared"))),
                    "type": ["object", "null"],
                }
            ),
            "description": "The model and the other one; null for one without the word.",
        }
    ),
    "MovedWords": _object(
        words=_list(
            _object(
                word=_TEXT,
                change={
                    "type": "number",
                    "description": "The mean cosine of its neighbors in one model with each other "
                    "in the other model, minus their mean cosine with the word there; the mean of "
                    "both directions.",
                },
                shared={
                    "type": "integer",
                    "description": "Number of its 25 nearest words that both models have.",
                },
            )
        )
    ),
    "Lens": _object(
        word=_ref("Word"),
        measure=_TEXT,
        neighbors=_list(_ref("Near")),
        x={
            **_list(_NUMBER),
            "description": "Positions on the lens: of the word, which is 0, and of its neighbors.",
        },
        y=_list(_NUMBER),
        kept={
            "type": "number",
            "description": "Share of the ten nearest words of each word, among the words of the "
            "lens, that are also among its ten nearest on the lens.",
        },
        shown={
            "type": "string",
            "enum": ["distance", "cosine", "dissimilarity"],
            "description": "What the rings show: distances from the word, cosines, or on a product "
            "of hyperboloids the sum of cosh(distance) - 1.",
        },
        rings={
            **_list(
                _object(
                    value=_NUMBER,
                    radius={
                        "type": "number",
                        "description": "Hyperbolic distance from the middle of the disc.",
                    },
                )
            ),
            "description": "Rings at round values. Their scale is linear and begins at the "
            "nearest word.",
        },
    ),
    "Distance": _object(
        a=_ref("Word"),
        b=_ref("Word"),
        distance=_NUMBER_OR_NULL,
        similarity=_object(product=_NUMBER_OR_NULL, angle=_NUMBER_OR_NULL),
    ),
    "Analogy": _object(
        a=_ref("Word"),
        b=_ref("Word"),
        c=_ref("Word"),
        routes=_object(
            **dict.fromkeys(ROUTES, _object(x=_NUMBER, y=_NUMBER, answers=_list(_ref("Near"))))
        ),
    ),
    "Path": _object(
        a=_ref("Word"),
        b=_ref("Word"),
        distance=_NUMBER_OR_NULL,
        steps=_list(
            _object(
                t=_NUMBER,
                x=_NUMBER,
                y=_NUMBER,
                word={
                    "anyOf": [_ref("Word"), {"type": "null"}],
                    "description": "A word that no other step has. The words between the ends are "
                    "those with the smallest sum of distances from their steps. Null if there are "
                    "fewer words than steps.",
                },
                nearest={**_list(_ref("Near")), "description": "The words nearest to the step."},
            )
        ),
    ),
    "Error": {
        **_object(error=_TEXT),
        "properties": {"error": _TEXT, "hint": _TEXT, "suggestions": _list(_TEXT), "word": _TEXT},
    },
}


def description() -> Schema:
    """Return the OpenAPI document."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "hyperskip explorer",
            "version": VERSION,
            "description": "Queries about word vectors, answered on this machine.",
        },
        "paths": {endpoint.path: {"get": _operation(endpoint)} for endpoint in ENDPOINTS},
        "components": {"schemas": _SCHEMAS},
    }


def _operation(endpoint: Endpoint) -> Schema:
    responses = {
        "200": _response("The answer.", endpoint.answer_schema),
        "400": _response("A parameter is missing, unknown, repeated or out of range.", "Error"),
        "503": _response("Too many requests at the same time; try again in a second.", "Error"),
    }
    if endpoint.takes_words:
        responses["404"] = _response("A word is unknown; similar words are suggested.", "Error")
    return {
        "operationId": endpoint.path.removeprefix("/api/"),
        "summary": endpoint.summary,
        "parameters": [
            {
                "name": parameter.name,
                "in": "query",
                "description": parameter.declaration.help,
                "required": parameter.is_required,
                "schema": parameter.schema(),
                "example": parameter.example,
            }
            for parameter in endpoint.parameters
        ],
        "responses": dict(sorted(responses.items())),
    }


def _response(description: str, schema: str) -> Schema:
    content = {"application/json": {"schema": _ref(schema)}}
    return {"description": description, "content": content}
