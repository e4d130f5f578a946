"""The options stored in a model, in groups and in plain words."""

from collections.abc import Mapping
from typing import Any

# By group: the name of each option, and what it is in plain words.
GROUPS: dict[str, dict[str, str]] = {
    "Text": {
        "tokenizer": "tokenizer",
        "min_count": "minimum count of a word",
        "column": "column with the text",
        "encoding_errors": "invalid bytes",
        "vocabulary_limit": "distinct words in memory at most",
    },
    "Model": {
        "geometry": "geometry",
        "dimension": "dimension",
        "factors": "hyperboloids in the product",
        "curvature": "curvature",
        "theta": "theta",
        "learn_theta": "theta is learned",
        "tied": "one vector for each word",
        "layer": "vectors kept of two",
        "initial_deviation": "standard deviation of the start",
        "freeze": "initial model fixed",
    },
    "Samples": {
        "schedule": "schedule",
        "window": "context words on each side",
        "shrink_window": "window drawn from 1 to that",
        "subsample": "subsampling above a share of",
        "negatives": "negative samples for a pair",
        "shared_negatives": "negative samples for a tile",
        "power": "power of counts for negatives",
    },
    "Learning": {
        "epochs": "epochs",
        "rate": "learning rate at the start",
        "end_rate": "learning rate at the end",
        "burn_in_epochs": "burn-in epochs before",
        "burn_in_rate": "learning rate of the burn-in",
        "max_step": "longest step",
        "locking": "words locked during updates",
    },
    "Computation": {
        "device": "device",
        "threads": "threads",
        "deterministic": "deterministic",
        "seed": "seed",
    },
}


def rows_of(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Rows of a table: a title and the options of each group, without those that do not apply."""
    known = {name for labels in GROUPS.values() for name in labels}
    others = {name: name for name in options if name not in known}
    rows: list[tuple[str, str]] = []
    for title, labels in (*GROUPS.items(), ("Other", others)):
        found = [
            (f"  {label}", shown(options[name]))
            for name, label in labels.items()
            if options.get(name) is not None
        ]
        rows += [("", ""), (title, ""), *found] if found else []
    return rows


def shown(value: object) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
