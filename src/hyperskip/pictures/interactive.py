"""A scene as one self-contained HTML page that can be dragged, zoomed and searched."""

import unicodedata
from html import escape
from typing import Any

from hyperskip.page.assets import picture_page
from hyperskip.pictures.scene import Analogy, Scene

_REPLACEMENT = "\ufffd"
# Control characters that change the direction of all text after them, also outside the word.
_BIDIRECTIONAL = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def html_page(scene: Scene) -> str:
    """Return the page."""
    return picture_page(picture_data(scene))


def html_frame(scene: Scene, height: int = 640) -> str:
    """Return the page in a frame whose scripts cannot access the surrounding page."""
    return (
        f'<iframe title="{escape(for_browser(scene.title) or "words on the Poincaré disc")}" '
        f'sandbox="allow-scripts" style="width:100%;height:{height}px;border:0" '
        f'srcdoc="{escape(html_page(scene))}"></iframe>'
    )


def picture_data(scene: Scene) -> dict[str, Any]:
    """Return the scene as plain values, in the form that the page's scripts read."""
    words = [for_browser(word) for word in scene.words]
    return {
        "title": for_browser(scene.title),
        "words": words,
        "labels": [for_browser(label) for label in scene.labels],
        "x": scene.places[:, 0].tolist(),
        "y": scene.places[:, 1].tolist(),
        "counts": None if scene.counts is None else scene.counts.tolist(),
        "radii": None if scene.radii is None else scene.radii.round(4).tolist(),
        "has_hierarchy": scene.has_hierarchy,
        "importance": None if scene.importance is None else scene.importance.round(4).tolist(),
        "depths": None if scene.depths is None else scene.depths.astype(int).tolist(),
        "by_depth": scene.by_depth,
        "groups": None if scene.groups is None else list(scene.groups),
        "group_names": [for_browser(name) for name in scene.group_names],
        "edges": [list(edge) for edge in scene.edges],
        "neighbors": [[[i, round(far, 4)] for i, far in nearest] for nearest in scene.neighbors],
        "analogy": None if scene.analogy is None else _analogy_data(scene.analogy, words),
        "scale": scene.scale,
        "method": scene.method,
        "fidelity": {"neighbors": scene.fidelity.neighbors, "radii": scene.fidelity.radii},
        "by_hierarchy": scene.by_hierarchy,
    }


def _analogy_data(analogy: Analogy, words: list[str]) -> dict[str, Any]:
    routes = {
        route.name: {
            "x": route.place[0],
            "y": route.place[1],
            "answers": [
                {"word": words[i], "distance": round(distance, 4), "index": i}
                for i, distance in route.answers
            ],
        }
        for route in analogy.routes
    }
    return {"a": analogy.a, "b": analogy.b, "c": analogy.c, "routes": routes}


def for_browser(text: str) -> str:
    """Return the text without control characters, and without surrogates, which UTF-8 lacks."""
    return "".join(_REPLACEMENT if _is_control(letter) else letter for letter in text)


def _is_control(letter: str) -> bool:
    return letter in _BIDIRECTIONAL or unicodedata.category(letter) in ("Cc", "Cs")
