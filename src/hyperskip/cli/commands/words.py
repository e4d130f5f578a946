"""Commands that look up words in a model.

They are `hyperskip info`, `neighbors`, `analogy`, `distance`, `similarity` and `generality`. Tables
show words as they are in the vocabulary.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.declared_options import checked_option, completed_from
from hyperskip.cli.parameters import AsJson, Count, Device, Measure, Model, Strict
from hyperskip.cli.tables import print_table
from hyperskip.decimals import decimals
from hyperskip.devices import AUTO
from hyperskip.errors import UnknownWordError, shown
from hyperskip.geometry.names import PRODUCT, ROUTES
from hyperskip.progress.messages import say
from hyperskip.vectors.listed_words import COUNT

if TYPE_CHECKING:
    from hyperskip.vectors.listed_words import Neighbor
    from hyperskip.vectors.subword_table import SubwordTable
    from hyperskip.vectors.word_vectors import WordVectors

_Word = Annotated[str, typer.Argument(metavar="A", help="A word.")]
_OtherWords = Annotated[
    list[str], typer.Argument(metavar="B", help="The words that it is compared with.")
]

_MOST_EPOCHS = 50  # with a line of their own
_MOST_GENERAL = replace(COUNT, help="list the N words with the smallest radius", default=None)
_MOST_SPECIFIC = replace(COUNT, help="list the N words with the greatest radius", default=None)


def info(model: Model, as_json: AsJson = False) -> None:
    """Show what a model contains, how it was trained, and the loss of its epochs."""
    from hyperskip.training.options import with_current_options
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    options = with_current_options(vectors.options)
    facts: dict[str, Any] = {
        "words": len(vectors),
        "tokens": int(vectors.counts.sum()),
        "geometry": vectors.geometry,
        "dimension": vectors.dimension,
        "factors": vectors.factors,
        "most_frequent": list(vectors.words[:10]),
        "bytes": model.stat().st_size,
    }
    hierarchy = vectors.hierarchy
    if hierarchy is not None:
        facts["hierarchy_dimension"] = hierarchy.dimension
        facts["words_with_relations"] = int((hierarchy.evidence > 0).sum())
    if vectors.subwords is not None:
        facts |= _subword_facts(vectors.subwords)
    if as_json:
        history = [dict(epoch) for epoch in vectors.history]
        print(json.dumps(facts | {"options": options, "history": history}, indent=2))
        return
    rows = [(name.replace("_", " "), _shown(value)) for name, value in facts.items()]
    rows += _option_rows(options)
    if vectors.history:
        rows += [("", ""), ("Loss", "")]
    step = len(vectors.history) // _MOST_EPOCHS + 1
    shown = [*vectors.history[:-1:step], *vectors.history[-1:]]
    rows += [(f"  epoch {epoch['epoch']}", decimals(epoch["loss"])) for epoch in shown]
    print_table(("", str(model)), rows)


def _subword_facts(table: "SubwordTable") -> dict[str, int | str]:
    """Facts about the n-grams of a model: how words are divided, and how many vectors there are."""
    scheme = table.scheme
    return {
        "ngrams": f"{scheme.shortest} to {scheme.longest} characters",
        "ngram_hash": f"floret, {scheme.hashes} for each n-gram" if scheme.hashes else "fastText",
        "ngram_buckets": scheme.buckets,
        "ngram_vectors": len(table),
        "ngram_bytes": table.coordinates.nbytes + table.buckets.nbytes,
    }


def _option_rows(options: Mapping[str, Any]) -> list[tuple[str, str]]:
    """List the options of a training under the headings of its command's help."""
    from hyperskip.graphs.options import GraphOptions, HoldoutOptions
    from hyperskip.options import declarations
    from hyperskip.text.options import TextOptions
    from hyperskip.training.graph_options import learning_options
    from hyperskip.training.options import TrainingOptions
    from hyperskip.training.subword_options import SubwordOptions

    if "method" in options:  # of learning from a graph
        groups = {"Training": ["method", *learning_options()]}
        groups["Graph"] = [*declarations(GraphOptions), *declarations(HoldoutOptions), "edge_count"]
    else:
        groups = {"Training": list(declarations(TrainingOptions))}
        groups["Subwords"] = list(declarations(SubwordOptions))
        groups["Text"] = list(declarations(TextOptions))
    known = {name for names in groups.values() for name in names}
    groups["Other options"] = [name for name in options if name not in known]
    rows: list[tuple[str, str]] = []
    for title, names in groups.items():
        # None: the option does not apply to this geometry or schedule.
        found = [
            (f"  {name.replace('_', '-')}", _shown(options[name]))
            for name in names
            if options.get(name) is not None
        ]
        rows += [("", ""), (title, ""), *found] if found else []
    return rows


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def neighbors(
    model: Model,
    words: Annotated[list[str], typer.Argument(metavar="WORD", help="The words to look up.")],
    count: Count = COUNT.default,
    measure: Measure = PRODUCT,
    device: Device = AUTO,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """List the words nearest to each WORD.

    Example: hyperskip neighbors model.safetensors dog cat
    """
    vectors = _loaded(model, strict).measured_by(measure).on(device, questions=len(words))
    found = vectors.neighbors_of(_asked(vectors, words), count)
    if as_json:
        print(json.dumps({word: _plain(nearest) for word, nearest in found.items()}, indent=2))
        return
    for word, nearest in found.items():
        print_neighbors(word, nearest, measure)


def analogy(
    model: Model,
    a: Annotated[str, typer.Argument(metavar="A", help="First word of the known pair.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Second word of the known pair.")],
    c: Annotated[str, typer.Argument(metavar="C", help="First word of the other pair.")],
    route: Annotated[
        str,
        typer.Option(
            metavar="|".join(ROUTES),
            help=f"{ROUTES[0]} transports the relation of A and B to C; {ROUTES[1]} transports the "
            "relation of A and C to B. Both are the same for Euclidean vectors.",
            autocompletion=completed_from(ROUTES),
        ),
    ] = ROUTES[0],
    count: Count = COUNT.default,
    measure: Measure = PRODUCT,
    device: Device = AUTO,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Complete an analogy: A is to B as C is to what?

    Example: hyperskip analogy model.safetensors france paris italy
    """
    vectors = _loaded(model, strict).measured_by(measure).on(device, questions=1)
    a, b, c = _asked(vectors, (a, b, c))
    answers = vectors.analogy(a, b, c, route=route, count=count)
    if as_json:
        query = {"a": a, "b": b, "c": c, "route": route, "measure": measure}
        print(json.dumps(query | {"answers": _plain(answers)}, indent=2))
        return
    print_neighbors(f"{a} : {b} = {c} : ?", answers, measure)


def distance(
    model: Model, a: _Word, b: _OtherWords, strict: Strict = False, as_json: AsJson = False
) -> None:
    """Print the distance from A to each B: hyperbolic, or 1 - cosine for Euclidean vectors.

    Example: hyperskip distance model.safetensors dog cat car
    """
    vectors = _loaded(model, strict)
    a, *others = _asked(vectors, (a, *b))
    found = {other: vectors.distance(a, other) for other in others}
    if as_json:
        print(json.dumps({"word": a, "distances": found}, indent=2))
        return
    print_table((a, "distance"), [(word, decimals(value)) for word, value in found.items()])


def similarity(
    model: Model,
    a: _Word,
    b: _OtherWords,
    measure: Measure = PRODUCT,
    strict: Strict = False,
    as_json: AsJson = False,
) -> None:
    """Print the similarity of A with each B; a greater number means more similar.

    Example: hyperskip similarity model.safetensors dog cat car
    """
    vectors = _loaded(model, strict).measured_by(measure)
    a, *others = _asked(vectors, (a, *b))
    found = {other: vectors.similarity(a, other) for other in others}
    if as_json:
        print(json.dumps({"word": a, "measure": measure, "similarities": found}, indent=2))
        return
    rows = [(word, decimals(value)) for word, value in found.items()]
    print_table((a, f"similarity ({measure})"), rows)


def _loaded(model: Path, strict: bool) -> "WordVectors":
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    return vectors.without_subwords() if strict else vectors


def _asked(vectors: "WordVectors", words: Sequence[str]) -> list[str]:
    """Return words as the vocabulary has them: in a lower-case vocabulary, Dog is dog.

    Words outside the vocabulary stay as they are, and a note says that they are composed.
    """
    from hyperskip.vectors.word_points import MAY_BE_COMPOSED

    try:
        found = vectors.find(words)
    except UnknownWordError as error:
        if error.hint is not None and error.hint.endswith(MAY_BE_COMPOSED):
            error.hint += ": leave out `strict=True`"
        raise
    for word, count in dict(zip(words, found.ngram_counts.tolist(), strict=True)).items():
        if count:
            mean = "that of one n-gram" if count == 1 else f"the mean of {count:,} n-gram vectors"
            say(f"note: {shown(word)} is not in the vocabulary; its vector is {mean}")
    rows = zip(words, found.rows.tolist(), found.in_vocabulary.tolist(), strict=True)
    return [vectors.words[row] if is_word else word for word, row, is_word in rows]


def generality(
    model: Model,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD", help="The words to sort.")
    ] = None,
    general: Annotated[int | None, checked_option(_MOST_GENERAL)] = None,
    special: Annotated[int | None, checked_option(_MOST_SPECIFIC)] = None,
    as_json: AsJson = False,
) -> None:
    """Sort words by their distance from the base point (radius), smallest first.

    In a model with a hierarchy, or of a taxonomy, this is from general to specific.

    In any other model, it is not: word frequency says more about generality than the radius.

    Without words and options, list the ten smallest and the ten greatest radii.

    Example: hyperskip generality model.safetensors poodle animal dog
    """
    from hyperskip.vectors.model_file import load

    if not words and general is None and special is None:
        general = special = COUNT.default
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
    titles = {"most general": "smallest radius", "most special": "greatest radius"}
    if vectors.has_hierarchy:
        titles = {"most special": "most specific"}
    for title, listed in found.items():
        rows = [(word.word, decimals(word.radius), f"{word.rank:,}") for word in listed]
        title = titles.get(title, title)  # the JSON keys have stayed
        print_table((title, "radius", f"rank of {len(vectors):,}"), rows)


def _plain(nearest: "list[Neighbor]") -> list[dict[str, object]]:
    return [neighbor._asdict() for neighbor in nearest]


def print_neighbors(title: str, nearest: "list[Neighbor]", measure: str) -> None:
    """Print a table of nearest words."""
    rows = [(found.word, decimals(found.distance), decimals(found.similarity)) for found in nearest]
    print_table((title, "distance", f"similarity ({measure})"), rows)
