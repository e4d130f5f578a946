"""Sample answers of the explorer's API."""

from collections.abc import Callable
from typing import Any

ONE_WORD = {
    "rows": [0], "words": ["alone"], "x": [0.0], "y": [0.0], "counts": [5], "radii": [0.0],
    "clusters": [0], "regions": [0], "in_view": 1,
}  # fmt: skip


def model_of(words: int, **changed: object) -> dict[str, object]:
    model = {
        "name": "made up", "words": words, "mapped": words, "dimension": 20, "factors": 1,
        "geometry": "hyperboloid", "counts_known": True, "limits": {}, "graph": None,
        "measures": ["product"],
        "clusters": [{"name": "alone", "size": words}],
        "regions": [[{"words": ["alone"], "size": words, "x": 0.0, "y": 0.0, "parent": None}]],
        "map": {
            "method": "fitted", "scale": 1, "fidelity": {"neighbors": 0.31, "radii": 0.9},
            "tried": {},
        },
    }  # fmt: skip
    return model | changed


def answering(**answers: object) -> Callable[[Any], None]:
    """Answer requests to the API with these answers."""

    def answer(route: Any) -> None:
        name = route.request.url.split("/api/")[1].split("?")[0]
        route.fulfill(json=answers[name])

    def prepare(page: Any) -> None:
        for name in answers:
            page.route(f"**/api/{name}*", answer)

    return prepare


def lens_of(word: dict[str, Any]) -> dict[str, Any]:
    """The lens of a word without neighbors."""
    near = {"word": word, "measure": "product", "neighbors": []}
    return {**near, "x": [0.0], "y": [0.0], "kept": 1.0, "shown": "distance", "rings": []}
