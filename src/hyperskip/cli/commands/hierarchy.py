"""Commands about broader and narrower words.

They are `hyperskip hypernyms`, `hyponyms`, `is-a`, `taxonomy`, `ancestors`, `descendants` and
`tree`. They need a model with a hierarchy, or one of a taxonomy, as `hyperskip graph` makes it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.declared_options import checked_option
from hyperskip.cli.parameters import AsJson, Count, Model
from hyperskip.cli.tables import print_table
from hyperskip.decimals import decimals
from hyperskip.errors import OptionError, alternatives
from hyperskip.pictures.request.request import FORMATS, PNG, SVG, TEXT_SIZE
from hyperskip.progress.messages import printable, say
from hyperskip.vectors.listed_words import COUNT

if TYPE_CHECKING:
    from hyperskip.vectors.listed_words import Kind, Relative
    from hyperskip.vectors.tree import Tree
    from hyperskip.vectors.word_vectors import WordVectors

_Words = Annotated[list[str], typer.Argument(metavar="WORD", help="The words to look up.")]
_Nodes = Annotated[list[str], typer.Argument(metavar="NODE", help="The nodes to look up.")]

_KIND_COLUMNS = ("score", "radius")
_RELATIVE_COLUMNS = ("score", "distance", "radius")
_BROADEST = replace(COUNT, help="draw the N broadest nodes", default=None)
_SUFFIXES = (".txt", ".json")
_PICTURES = tuple(f".{name}" for name in FORMATS)
_IMAGES = (f".{PNG}", f".{SVG}")


def hypernyms(
    model: Model, words: _Words, count: Count = COUNT.default, as_json: AsJson = False
) -> None:
    """List the broader words that each WORD is a kind of, best first.

    The score is that of `hyperskip is-a`. With a hierarchy, words with a score of at least 0.5 come
    first, and among them those that occur in similar contexts: the scores are not in order.

    The evidence is the number of relations about the listed word. A model of a graph has none.

    Example: hyperskip hypernyms model.safetensors dog
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    found = {word: vectors.hypernyms(word, count) for word in words}
    _print_kinds(found, vectors, as_json)


def hyponyms(
    model: Model, words: _Words, count: Count = COUNT.default, as_json: AsJson = False
) -> None:
    """List the narrower words that are a kind of each WORD, best first.

    The score is that of `hyperskip is-a`. With a hierarchy, words with a score of at least 0.5 come
    first, and among them those that occur in similar contexts: the scores are not in order.

    The evidence is the number of relations about the listed word. If it is 0, the word was placed
    by its neighbors. A model of a graph has none.

    Example: hyperskip hyponyms model.safetensors animal
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    found = {word: vectors.hyponyms(word, count) for word in words}
    _print_kinds(found, vectors, as_json)


def ancestors(
    model: Model, nodes: _Nodes, count: Count = COUNT.default, as_json: AsJson = False
) -> None:
    """List the broader nodes that each NODE is a kind of, best first.

    With a hierarchy, the order is that of `hyperskip hypernyms`.

    Example: hyperskip ancestors model.safetensors dog
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    found = {node: vectors.ancestors(node, count) for node in nodes}
    _warn_of_plain_text(vectors)
    _print_listed(found, _RELATIVE_COLUMNS, as_json)


def descendants(
    model: Model, nodes: _Nodes, count: Count = COUNT.default, as_json: AsJson = False
) -> None:
    """List the narrower nodes that are a kind of each NODE, best first.

    With a hierarchy, the order is that of `hyperskip hyponyms`.

    Example: hyperskip descendants model.safetensors mammal
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    found = {node: vectors.descendants(node, count) for node in nodes}
    _warn_of_plain_text(vectors)
    _print_listed(found, _RELATIVE_COLUMNS, as_json)


def _warn_of_plain_text(vectors: "WordVectors") -> None:
    """Warn if answers are only from the positions of words that were learned from text."""
    if not vectors.has_hierarchy and not vectors.is_of_graph:
        say(
            "warning: this model has no hierarchy, and hyperskip did not train it on a graph; so "
            "these answers say little about what is more general; `hyperskip add-hierarchy` adds "
            "a hierarchy to a model, and `hyperskip train --hierarchy` learns one"
        )


def _print_kinds(
    found: "Mapping[str, Sequence[Kind]]", vectors: "WordVectors", as_json: bool
) -> None:
    evidence = ("evidence",) if vectors.has_hierarchy else ()  # a model of a graph has none
    _print_listed(found, (*_KIND_COLUMNS, *evidence), as_json)


def _print_listed(
    found: "Mapping[str, Sequence[Kind | Relative]]", columns: tuple[str, ...], as_json: bool
) -> None:
    """Print what was found for each word: these columns in a table, or everything as JSON."""
    if as_json:
        plain = {word: [each._asdict() for each in listed] for word, listed in found.items()}
        print(json.dumps(plain, indent=2))
        return
    for word, listed in found.items():
        rows = [
            (each.word, *(_cell(getattr(each, column)) for column in columns)) for each in listed
        ]
        print_table((word, *columns), rows)


def _cell(value: float | int) -> str:
    return f"{value:,}" if isinstance(value, int) else decimals(value)


def is_a(
    model: Model,
    a: Annotated[str, typer.Argument(metavar="A", help="A word.")],
    b: Annotated[list[str], typer.Argument(metavar="B", help="The words that A may be a kind of.")],
    as_json: AsJson = False,
) -> None:
    """Print how likely A is a kind of B, for each B.

    With a hierarchy, the score is a probability.

    Without one, it is from -1 to 1: positive if B is broader than A, and greater if more likely.

    Example: hyperskip is-a model.safetensors dog mammal cat
    """
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    found = {other: vectors.is_a(a, other) for other in b}
    _warn_of_plain_text(vectors)
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
            help=f"Write the tree to a file ({alternatives(_SUFFIXES)}) instead of printing it.",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Draw the tree that a model has learned: of all nodes, or of each NODE and its ancestors.

    Example: hyperskip tree model.safetensors dog cat
    """
    from hyperskip.vectors.model_file import load

    suffix = _checked_suffix(output, model, _SUFFIXES)
    vectors = load(model)
    found = vectors.tree(words or None, count=count)
    _warn_of_plain_text(vectors)
    _write(found, output, suffix, as_json)


def taxonomy(
    model: Model,
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="The words to connect.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help=f"Write the tree to a file ({alternatives(_SUFFIXES + _PICTURES)}) instead of "
            "printing it.",
        ),
    ] = None,
    text_size: Annotated[float, checked_option(TEXT_SIZE)] = TEXT_SIZE.default,
    as_json: AsJson = False,
) -> None:
    """Draw a tree of words and of the broader words that connect them.

    Example: hyperskip taxonomy model.safetensors dog cat sparrow piano violin -o tree.svg
    """
    from hyperskip.vectors.model_file import load

    suffix = _checked_suffix(output, model, _SUFFIXES + _PICTURES)
    if text_size != TEXT_SIZE.default and suffix not in _IMAGES:
        raise OptionError(
            f"`text_size={text_size:g}` requires an image",
            hint=f"write the tree to a file that ends with {alternatives(_IMAGES)}: `output`",
        )
    _write(load(model).taxonomy(words), output, suffix, as_json, text_size)


def _checked_suffix(output: Path | None, model: Path, suffixes: tuple[str, ...]) -> str | None:
    """Check the file that a tree is written to, and return its suffix; None without a file."""
    from hyperskip.files.targets import check_writable

    if output is None:
        return None
    suffix = output.suffix.lower()
    if suffix not in suffixes:
        raise OptionError(
            f"--output must end with {alternatives(suffixes)}, got {output}",
            hint=f"name the file {output.with_suffix(suffixes[0]).name!r}",
        )
    check_writable(output, inputs=[model])
    return suffix


def _write(
    tree: "Tree",
    output: Path | None,
    suffix: str | None,
    as_json: bool,
    text_size: float = TEXT_SIZE.default,
) -> None:
    """Print a tree, or write it to a file with this suffix."""
    from hyperskip.files.writing import replacing

    if output is not None and suffix in _PICTURES:
        tree.plot(output, text_size=text_size)
        say(f"wrote {output}")
        return
    is_json = as_json if suffix is None else suffix == ".json"
    lines = [json.dumps(tree.to_dict(), indent=2)] if is_json else map(printable, tree.lines())
    if output is None:
        for line in lines:
            print(line)
        return
    with replacing(output) as temporary, temporary.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    say(f"wrote {output}")
