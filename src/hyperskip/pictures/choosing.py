"""Which words a picture shows, and what they have to do with each other.

A request is what the user asked for, checked before there are vectors; a choice is its answer.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from numbers import Integral

from hyperskip.errors import InputError, OptionError
from hyperskip.geometry.spaces import ROUTES
from hyperskip.pictures.categories import Taxonomy, taxonomy_of
from hyperskip.pictures.scene import Edge
from hyperskip.vectors.word_vectors import Neighbor, WordVectors

MOST_WORDS = 5000
FREQUENT, NEAREST, ANSWERS = 150, 20, 8  # how many, if nobody says
_WITHOUT_GROUP = "other"


@dataclass(frozen=True, kw_only=True)
class Choice:
    """Words of a picture, the most important first."""

    words: tuple[str, ...]
    leading: int = 0  # how many of the first words the picture is about
    groups: tuple[int, ...] | None = None
    group_names: tuple[str, ...] = ()
    edges: tuple[Edge, ...] = ()
    question: tuple[str, str, str] | None = None  # of an analogy
    answers: Mapping[str, Sequence[Neighbor]] | None = None  # by route
    left_out: int = 0  # how many words were asked for that the vectors do not know


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a picture shall show; with nothing asked for, the most frequent words.

    Args:
        words: These words.
        near: Each of these words with its nearest words.
        analogy: The words of a : b = c : ?, and the words nearest to both answers.
        categories: Gives the colors: of `words`, or else of all that it names.
        count: How many frequent words, or neighbors or answers each, or words of the categories.

    Raises:
        OptionError: They contradict each other, or count is out of range.
        InputError: The categories cannot be read.
    """

    words: Sequence[str] | None = None
    near: Sequence[str] | None = None
    analogy: tuple[str, str, str] | None = None
    categories: Taxonomy | None = None
    count: int | None = None

    def __post_init__(self) -> None:
        if self.analogy is not None and len(self.analogy) != 3:
            raise OptionError(
                f"the analogy has {len(self.analogy)} words", hint="give three: a : b = c : ?"
            )
        if self.analogy is not None and (self.words or self.near or self.categories):
            raise OptionError(
                "a picture of an analogy was asked for, and other words, too",
                hint="analogy chooses its words and colors: leave words, near, categories out",
            )
        if self.near and self.categories:
            raise OptionError(
                "colors were asked for by neighborhood (near) and by category (categories)",
                hint="leave one of them out",
            )
        if self.count is None:
            return
        whole = isinstance(self.count, Integral) and not isinstance(self.count, bool)
        if not whole or not 1 <= self.count <= MOST_WORDS:
            raise OptionError(
                f"count is {self.count!r}", hint=f"count takes a whole number, 1 to {MOST_WORDS:,}"
            )
        if self.words and not self.near:
            raise OptionError(
                f"count is {self.count}, but the words are given",
                hint="leave count out; it says how many frequent, near or listed words there are",
            )

    @classmethod
    def of(
        cls,
        *,
        words: Iterable[str] | None,
        near: str | Iterable[str] | None,
        analogy: Iterable[str] | None,
        categories: Mapping[str, str] | str | os.PathLike[str] | None,
        count: int | None,
    ) -> "Request":
        """The same from what is convenient to write."""
        for given in (words, analogy):
            if isinstance(given, str):
                raise InputError(
                    f"{given!r} is one word", hint="give a list of words, or `near` for neighbors"
                )
        for given in (words, near, analogy):
            if given is not None and not isinstance(given, Iterable):
                raise InputError(f"{given!r} is no list of words", hint="give a list of words")
        question = None if analogy is None else tuple(analogy)
        return cls(
            words=None if words is None else tuple(words),
            near=(near,) if isinstance(near, str) else None if near is None else tuple(near),
            analogy=question,  # type: ignore[arg-type]  # how many there are is checked there
            categories=None if categories is None else taxonomy_of(categories),
            count=count,
        )

    def choose(self, vectors: WordVectors) -> Choice:
        """The words that the request means.

        Raises:
            UnknownWordError: A word is not in the vocabulary.
            OptionError: They are fewer than two, or too many.
        """
        choice = self._chosen(vectors)
        if len(choice.words) < 2:
            unknown = f"; {choice.left_out} are not in the vocabulary" if choice.left_out else ""
            raise OptionError(
                f"{len(choice.words)} of the words can be drawn{unknown}",
                hint="a picture takes at least two words that the model knows",
            )
        if len(choice.words) > MOST_WORDS:
            raise OptionError(
                f"{len(choice.words):,} words were chosen",
                hint=f"a picture takes at most {MOST_WORDS:,}; --count can make them fewer",
            )
        return choice

    def _chosen(self, vectors: WordVectors) -> Choice:
        if self.analogy is not None:
            return around_analogy(vectors, self.analogy, self.count or ANSWERS)
        if self.near is not None:
            return neighborhoods(vectors, self.near, self.count or NEAREST, self.words or ())
        if self.categories is not None:
            return categorised(vectors, self.categories, self.words, self.count)
        if self.words is not None:
            return Choice(words=known(vectors, self.words))
        return Choice(words=vectors.words[: self.count or FREQUENT])


def known(vectors: WordVectors, words: Iterable[str]) -> tuple[str, ...]:
    """The words, each once.

    Raises:
        UnknownWordError: One of them is not in the vocabulary.
    """
    distinct = tuple(dict.fromkeys(words))
    for word in distinct:
        vectors.index_of(word)
    return distinct


def neighborhoods(
    vectors: WordVectors, near: Iterable[str], count: int, others: Iterable[str] = ()
) -> Choice:
    """Words with their nearest words, each in the group of the word that it is nearest to."""
    centers = known(vectors, near)
    nearest = vectors.neighbors_of(centers, count)
    # The nearest of each come before the second nearest of any.
    by_place = zip_longest(*nearest.values())
    found = [neighbor.word for place in by_place for neighbor in place if neighbor is not None]
    words = tuple(dict.fromkeys([*centers, *found, *known(vectors, others)]))
    row = {word: i for i, word in enumerate(words)}
    closest: dict[str, tuple[float, int]] = {}
    for group, center in enumerate(centers):
        for neighbor in nearest[center]:
            place = (neighbor.distance, group)
            closest[neighbor.word] = min(place, closest.get(neighbor.word, place))
    closest |= {center: (0.0, group) for group, center in enumerate(centers)}
    alone = (0.0, len(centers))
    groups = tuple(closest.get(word, alone)[1] for word in words)
    return Choice(
        words=words,
        leading=len(centers),
        groups=groups,
        group_names=centers + ((_WITHOUT_GROUP,) if alone[1] in groups else ()),
        edges=tuple((row[word], row[near.word]) for word in centers for near in nearest[word]),
    )


def around_analogy(vectors: WordVectors, question: tuple[str, str, str], count: int) -> Choice:
    """The words of an analogy and those nearest to its answers."""
    a, b, c = question
    answers = {route: vectors.analogy(a, b, c, route=route, count=count) for route in ROUTES}
    asked = known(vectors, question)
    found = [answer.word for place in zip(*answers.values(), strict=True) for answer in place]
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
        question=question,
        answers=answers,
    )


def categorised(
    vectors: WordVectors, taxonomy: Taxonomy, words: Sequence[str] | None, count: int | None
) -> Choice:
    """Words in the colors of their categories: the given ones, or all that have one.

    Of the latter, those that the vectors do not know are left out.
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
    above = {parent for parent, _ in edges}
    return Choice(
        words=shown,
        leading=next((i for i in range(len(shown)) if i not in above), len(shown)),
        groups=tuple(number[category] for category in categories),
        group_names=names,
        edges=edges,
        left_out=0 if words is not None else list(form_of.values()).count(None),
    )
