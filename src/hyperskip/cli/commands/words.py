"""`hyperskip info`, `neighbors`, `analogy` and `generality`: questions to a model."""

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

MEASURES_HELP = (
    "product: the paper's, Minkowski's (the cosine of Euclidean vectors); distance: the negative "
    "distance; angle: the cosine of the angle at the base point."
)
Measure = Annotated[
    str,
    typer.Option(metavar="product|distance|angle", help=f"What nearness goes by. {MEASURES_HELP}"),
]


def info(model: Model, as_json: AsJson = False) -> None:
    """Say what is in a model file: words, geometry, options and the loss of each epoch."""
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    facts = {
        "words": len(vectors),
        "tokens": int(vectors.counts.sum()),
        "geometry": vectors.geometry,
        "dimension": vectors.dimension,
        "factors": vectors.factors,
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
    measure: Measure = "product",
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """List the nearest words to each WORD."""
    from hyperskip.vectors.model_file import load

    vectors = load(model).measured_by(measure).on(device, questions=len(words))
    found = vectors.neighbors_of(words, count)
    if as_json:
        print(json.dumps({word: _plain(nearest) for word, nearest in found.items()}, indent=2))
        return
    for word, nearest in found.items():
        print_neighbors(word, nearest, measure)


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
    measure: Measure = "product",
    device: Device = AUTO,
    as_json: AsJson = False,
) -> None:
    """Complete the analogy: A is to B as C is to ... ?"""
    from hyperskip.vectors.model_file import load

    vectors = load(model).measured_by(measure).on(device, questions=1)
    answers = vectors.analogy(a, b, c, route=route, count=count)
    if as_json:
        query = {"a": a, "b": b, "c": c, "route": route, "measure": measure}
        print(json.dumps(query | {"answers": _plain(answers)}, indent=2))
        return
    print_neighbors(f"{a} : {b} = {c} : ?", answers, measure)


def generality(
    model: Model,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD", help="Words to put in order.")
    ] = None,
    general: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="List the N most general words.")
    ] = None,
    special: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="List the N most special words.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Put words in order, from general to special: by their radius, general words first.

    Without words and options, the ten most general and the ten most special words are listed.
    """
    from hyperskip.vectors.model_file import load

    if not words and general is None and special is None:
        general = special = 10
    vectors = load(model)
    found = {"words": vectors.generality(words)} if words else {}
    if general or special:
        everything = vectors.generality()
        found |= {"most general": everything[:general]} if general else {}
        found |= {"most special": everything[-special:]} if special else {}
    if as_json:
        plain = {title: [word._asdict() for word in listed] for title, listed in found.items()}
        print(json.dumps(plain, indent=2))
        return
    for title, listed in found.items():
        rows = [(word.word, number(word.radius), f"{word.rank:,}") for word in listed]
        print_table((title, "radius", f"place among {len(vectors):,}"), rows)


def _plain(nearest: "list[Neighbor]") -> list[dict[str, object]]:
    return [neighbor._asdict() for neighbor in nearest]


def print_neighbors(title: str, nearest: "list[Neighbor]", measure: str) -> None:
    """Print a table of words near something."""
    rows = [(found.word, number(found.distance), number(found.similarity)) for found in nearest]
    print_table((title, "distance", f"similarity ({measure})"), rows)
