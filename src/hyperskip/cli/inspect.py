"""`hyperskip info`, `neighbors` and `analogy`: questions to a model."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.tables import number, print_table
from hyperskip.devices import AUTO, DEVICES, check_device

if TYPE_CHECKING:
    from hyperskip.vectors.word_vectors import Neighbor

Model = Annotated[Path, typer.Argument(metavar="MODEL", help="A model file.")]
Count = Annotated[int, typer.Option("--count", "-n", min=1, help="How many words to list.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _checked(device: str) -> str:
    check_device(device)
    return device


Device = Annotated[
    str,
    typer.Option(
        metavar="|".join(DEVICES),
        callback=_checked,
        help="What computes: auto takes the GPU where there is one and the questions are many.",
    ),
]


def info(model: Model, as_json: AsJson = False) -> None:
    """Say what is in a model file: words, geometry, options and the loss of each epoch."""
    from hyperskip.vectors.store import load

    vectors = load(model)
    facts = {
        "words": len(vectors),
        "tokens": int(vectors.counts.sum()),
        "geometry": vectors.geometry,
        "dimension": vectors.dimension,
        "most_frequent": list(vectors.words[:10]),
        "bytes": model.stat().st_size,
    }
    if as_json:
        history = [dict(epoch) for epoch in vectors.history]
        print(json.dumps(facts | {"options": dict(vectors.options), "history": history}, indent=2))
        return
    rows = [(name, _shown(value)) for name, value in facts.items()]
    rows += [(f"option {name}", _shown(value)) for name, value in vectors.options.items()]
    rows += [
        (f"loss of epoch {epoch['epoch']}", number(epoch["loss"])) for epoch in vectors.history
    ]
    print_table(("", str(model)), rows)


def _shown(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return f"{value:,}" if type(value) is int else str(value)


def neighbors(
    model: Model,
    words: Annotated[list[str], typer.Argument(metavar="WORD...", help="Words to look up.")],
    count: Count = 10,
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """List the nearest words to each WORD."""
    from hyperskip.vectors.store import load

    found = load(model).on(device, questions=len(words)).neighbors_of(words, count)
    if as_json:
        print(json.dumps({word: _plain(nearest) for word, nearest in found.items()}, indent=2))
        return
    for word, nearest in found.items():
        print_neighbors(word, nearest)


def analogy(
    model: Model,
    a: Annotated[str, typer.Argument(metavar="A")],
    b: Annotated[str, typer.Argument(metavar="B")],
    c: Annotated[str, typer.Argument(metavar="C")],
    route: Annotated[
        str,
        typer.Option(help="Z carries the relation A to B over to C; Z' carries A to C over to B."),
    ] = "Z",
    count: Count = 10,
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """Complete the analogy: A is to B as C is to ... ?"""
    from hyperskip.vectors.store import load

    vectors = load(model).on(device, questions=1)
    answers = vectors.analogy(a, b, c, route=route, count=count)
    if as_json:
        query = {"a": a, "b": b, "c": c, "route": route}
        print(json.dumps(query | {"answers": _plain(answers)}, indent=2))
        return
    print_neighbors(f"{a} : {b} = {c} : ?", answers)


def _plain(nearest: "list[Neighbor]") -> list[dict[str, object]]:
    return [neighbor._asdict() for neighbor in nearest]


def print_neighbors(title: str, nearest: "list[Neighbor]") -> None:
    """Print a table of words near something."""
    rows = [(found.word, number(found.distance), number(found.similarity)) for found in nearest]
    print_table((title, "distance", "similarity"), rows)
