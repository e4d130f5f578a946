"""Pages for a browser (a placeholder)."""

import json
from collections.abc import Mapping


def picture_page(picture: Mapping[str, object]) -> str:
    """One self-contained html file."""
    data = json.dumps(picture).replace("<", "\\u003c")
    return f'<!doctype html><script type="application/json">{data}</script>'
