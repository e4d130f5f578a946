"""The words that a picture shows, and how they relate to each other."""

from collections.abc import Iterable
from itertools import zip_longest

from hyperskip.errors import OptionError, some_of
from hyperskip.geometry.names import ROUTES
from hyperskip.pictures.request.categories import Taxonomy
from hyperskip.pictures.request.choice import Choice
from hyperskip.pictures.request.graph_nodes import graph_nodes
from hyperskip.pictures.request.request import (
    ANSWERS,
    FREQUENT,
    MOST_WORDS,
    NEAREST,
    PictureRequest,
)
from hyperskip.vectors.word_vectors import WordVectors

_WITHOUT_GROUP = "other"


def choose(vectors: WordVectors, request: PictureRequest) -> Choice:
    """Choose the words that a request asks for.

    Raises:
        UnknownWordError: A word is not in the vocabulary.
        OptionError: There are fewer than two words, or too many.
    """
    choice = _chosen(vectors, request)
    left_out = choice.left_out
    if len(choice.words) < 2:
        is_from_file = left_out and not request.words
        unknown = f"; not in the vocabulary: {some_of(left_out)}" if is_from_file else ""
        raise OptionError(
            f"a picture needs two words or more, got {len(choice.words)}{unknown}",
            hint="choose words of the vocabulary",
        )
    if len(choice.words) > MOST_WORDS:
        raise OptionError(
            f"a picture shows at most {MOST_WORDS:,} words, got {len(choice.words):,}",
            hint="choose fewer words, or limit their number with `count`",
        )
    return choice


def _chosen(vectors: WordVectors, request: PictureRequest) -> Choice:
    if request.analogy is not None:
        a, b, c = request.analogy
        return around_analogy(vectors, (a, b, c), request.count or ANSWERS)
    if request.near is not None:
        return neighborhoods(vectors, request.near, request.count or NEAREST, request.words or ())
    if request.graph is not None:
        return graph_nodes(vectors, request.graph, request)
    if request.taxonomy is not None:
        return categorized(vectors, request.taxonomy, request.words, request.count)
    if request.words is not None:
        return Choice(words=known(vectors, request.words))
    return Choice(words=vectors.words[: request.count or FREQUENT])


def known(vectors: WordVectors, words: Iterable[str]) -> tuple[str, ...]:
    """Return the words as the vocabulary has them, without repetitions.

    Raises:
        UnknownWordError: A word is not in the vocabulary.
    """
    return tuple(dict.fromkeys(vectors.words[row] for row in vectors.rows_of(words).tolist()))


def neighborhoods(
    vectors: WordVectors, near: Iterable[str], count: int, others: Iterable[str] = ()
) -> Choice:
    """Choose words and their nearest words; each is in the group of the word it is nearest to."""
    centers = known(vectors, near)
    nearest = vectors.neighbors_of(centers, count)
    # The nearest word of each center comes before the second nearest of any.
    by_rank = zip_longest(*nearest.values())
    found = [neighbor.word for rank in by_rank for neighbor in rank if neighbor is not None]
    words = tuple(dict.fromkeys([*centers, *found, *known(vectors, others)]))
    row = {word: i for i, word in enumerate(words)}
    closest: dict[str, tuple[float, int]] = {}
    for group, center in enumerate(centers):
        for neighbor in nearest[center]:
            candidate = (neighbor.distance, group)
            closest[neighbor.word] = min(candidate, closest.get(neighbor.word, candidate))
    closest |= {center: (0.0, group) for group, center in enumerate(centers)}
    without_group = (0.0, len(centers))
    groups = tuple(closest.get(word, without_group)[1] for word in words)
    return Choice(
        words=words,
        leading=len(centers),
        groups=groups,
        group_names=centers + ((_WITHOUT_GROUP,) if len(centers) in groups else ()),
        edges=tuple((row[word], row[near.word]) for word in centers for near in nearest[word]),
    )


def around_analogy(vectors: WordVectors, question: tuple[str, str, str], count: int) -> Choice:
    """Choose the words of an analogy and the words nearest to its answers."""
    a, b, c = (vectors.words[row] for row in vectors.rows_of(question).tolist())
    answers = {route: vectors.analogy(a, b, c, route=route, count=count) for route in ROUTES}
    asked = known(vectors, (a, b, c))
    found = [answer.word for rank in zip(*answers.values(), strict=True) for answer in rank]
    words = tuple(dict.fromkeys([*asked, *found]))
    groups = {word: len(ROUTES) for word in asked}
    for group, route in enumerate(ROUTES):
        for answer in answers[route]:
            groups.setdefault(answer.word, group)
    return Choice(
        words=words,
        leading=len(asked),
        groups=tuple(groups[word] for word in words),
        group_names=(*(f"near {route}" for route in ROUTES), f"{a} : {b} = {c} : ?"),
        question=(a, b, c),
        answers=answers,
    )


def categorized(
    vectors: WordVectors, taxonomy: Taxonomy, words: Iterable[str] | None, count: int | None
) -> Choice:
    """Choose words and group them by category; by default, all words with a category.

    Words with a category that are not in the vocabulary are left out.
    """
    form_of = {word: vectors.known_form(word) for word in taxonomy.words}
    if words is not None:
        shown = known(vectors, words)
    else:
        forms = dict.fromkeys(form for form in form_of.values() if form is not None)
        shown = tuple(forms)[:count]
    row = {word: i for i, word in enumerate(shown)}
    category_of = {form_of[word]: category for word, category in taxonomy.categories.items()}
    categories = [category_of.get(word, _WITHOUT_GROUP) for word in shown]
    names = tuple(dict.fromkeys(categories))
    number = {name: i for i, name in enumerate(names)}
    parents = [(form_of[parent], form_of[word]) for word, parent in taxonomy.parents]
    edges = tuple((row[a], row[b]) for a, b in parents if a in row and b in row and a != b)
    parent_rows = {parent for parent, _ in edges}
    unknown = tuple(word for word, form in form_of.items() if form is None)
    return Choice(
        words=shown,
        leading=next((i for i in range(len(shown)) if i not in parent_rows), len(shown)),
        groups=tuple(number[category] for category in categories),
        group_names=names,
        edges=edges,
        left_out=unknown if words is None else (),
    )
