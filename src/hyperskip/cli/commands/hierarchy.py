"""Commands about broader and narrower words: `hyperskip ancestors`, `descendants`, `is-a`, `tree`.

They are meant for models of taxonomies, as `hyperskip graph` makes them.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.declared_options import checked_option
from hyperskip.cli.parameters import AsJson, Count, Model
from hyperskip.cli.tables import print_table
from hyperskip.decimals import decimals
from hyperskip.errors import OptionError
from hyperskip.progress.messages import printable, say
from hyperskip.vectors.listed_words import COUNT

if TYPE_CHECKING:
    from hyperskip.vectors.listed_words import Relative

_Nodes = Annotated[list[str], typer.Argument(metavar="NODE", help="The nodes to look up.")]

_BROADEST = replace(COUNT, help="draw the N broadest nodes", default=None)
_SUFFIXES = (".txt", ".json")


def ancestors(
    model: Model, nodes: _Nodes, count: Count = COUNT.default, as_json: AsJson = False
) -> None:
    """List the broader nodes that each NODE is a kind of, best first.

    Example: hyperskip ancestors model.safetensors dog
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    _print({node: vectors.ancestors(node, count) for node in nodes}, as_json)


def descendants(
    model: Model, nodes: _Nodes, count: Count = COUNT.default, as_json: AsJson = False
) -> None:
    """List the narrower nodes that are a kind of each NODE, best first.

    Example: hyperskip descendants model.safetensors mammal
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    _print({node: vectors.descendants(node, count) for node in nodes}, as_json)


def _print(found: "dict[str, list[Relative]]", as_json: bool) -> None:
    if as_json:
        plain = {
            node: [relative._asdict() for relative in listed] for node, listed in found.items()
        }
        print(json.dumps(plain, indent=2))
        return
    for node, listed in found.items():
        rows = [
            (relative.word, *map(decimals, (relative.score, relative.distance, relative.radius)))
            for relative in listed
        ]
        print_table((node, "score", "distance", "radius"), rows)


def is_a(
    model: Model,
    a: Annotated[str, typer.Argument(metavar="A", help="A node.")],
    b: Annotated[list[str], typer.Argument(metavar="B", help="The nodes that A may be a kind of.")],
    as_json: AsJson = False,
) -> None:
    """Print a score of "A is a kind of B", from -1 to 1, for each B.

    It is positive if B is broader than A. Greater means more likely; it is not a probability.

    Example: hyperskip is-a model.safetensors dog mammal cat
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    found = {other: vectors.is_a(a, other) for other in b}
    if as_json:
        print(json.dumps({"node": a, "scores": found}, indent=2))
        return
    print_table((a, "score"), [(word, decimals(score)) for word, score in found.items()])


def tree(
    model: Model,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="NODE", help="The nodes to draw, with their ancestors."),
    ] = None,
    count: Annotated[int | None, checked_option(_BROADEST, "--count", "-n")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write the tree to a file ({' or '.join(_SUFFIXES)}) instead of printing it.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw the tree that a model has learned: of all nodes, or of each NODE and its ancestors.

    Example: hyperskip tree model.safetensors dog cat
    """
    from hyperskip.files.targets import check_writable
    from hyperskip.files.writing import replacing
    from hyperskip.vectors.model_file import load

    if output is not None:
        if output.suffix.lower() not in _SUFFIXES:
            raise OptionError(
                f"--output must end with {' or '.join(_SUFFIXES)}, got {output}",
                hint=f"name the file {output.with_suffix(_SUFFIXES[0]).name!r}",
            )
        check_writable(output, inputs=[model])
        as_json = output.suffix.lower() == ".json"
    found = load(model).tree(words or None, count=count)
    lines = [json.dumps(found.to_dict(), indent=2)] if as_json else map(printable, found.lines())
    if output is None:
        for line in lines:
            print(line)
        return
    with replacing(output) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    say(f"wrote {output}")
