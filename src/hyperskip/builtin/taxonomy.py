"""The taxonomy of the built-in corpus: nouns with their hypernyms, countries, adjectives, verbs.

Each noun has exactly one parent, its hypernym, and lists the words that typically occur with it.
"""

import re
from functools import cache
from typing import NamedTuple

from hyperskip.builtin.data_files import lines


class Noun(NamedTuple):
    """A noun, with the words that are typical of it but not of its parent."""

    singular: str
    plural: str | None
    ancestors: tuple[str, ...]  # its hypernyms, nearest first
    rank: int  # 0 for the most frequent noun of its parent
    gender: str | None  # "male", "female", or None for most
    adjectives: tuple[str, ...]
    verbs: tuple[str, ...]
    things: tuple[str, ...]


class Country(NamedTuple):
    """A country, with the words that are typical of it."""

    name: str
    capital: str
    nationality: str
    sights: tuple[str, ...]
    specialities: tuple[str, ...]


class Adjective(NamedTuple):
    """An adjective, its degrees, and the nouns that it typically describes."""

    base: str
    comparative: str
    superlative: str
    things: tuple[str, ...]


class Verb(NamedTuple):
    """A verb, its past tense, and its typical objects."""

    present: str
    past: str
    preposition: str  # empty if the verb takes a direct object
    things: tuple[str, ...]


@cache
def nouns() -> dict[str, Noun]:
    """Every noun by its singular, parents before their children."""
    found: dict[str, Noun] = {}
    path: list[str] = []
    child_count: dict[str, int] = {}
    for line in lines("nouns.txt"):
        depth = (len(line) - len(line.lstrip())) // 2
        forms, words = line.split(":")
        adjectives, verbs, things = (tuple(field.split()) for field in words.split(";"))
        del path[depth:]
        parent = path[-1] if path else ""
        rank = child_count[parent] = child_count.get(parent, -1) + 1
        genders = ("male", "female") if len(forms.split()) == 2 else (None,)
        for form, gender in zip(forms.split(), genders, strict=True):
            singular, plural = form.split("/")
            found[singular] = Noun(
                singular,
                None if plural == "-" else plural,
                tuple(reversed(path)),
                rank,
                gender,
                adjectives,
                verbs,
                things,
            )
        path.append(forms.split("/")[0].strip())
    return found


@cache
def gender_pairs() -> tuple[tuple[str, str], ...]:
    """The male and female nouns that share a line of the file."""
    male = [noun.singular for noun in nouns().values() if noun.gender == "male"]
    female = [noun.singular for noun in nouns().values() if noun.gender == "female"]
    return tuple(zip(male, female, strict=True))


@cache
def countries() -> tuple[Country, ...]:
    """The countries, frequent ones first."""
    parsed = []
    for line in lines("countries.txt"):
        names, sights, specialities = re.split("[:;]", line)
        name, capital, nationality = names.split()
        parsed.append(
            Country(name, capital, nationality, tuple(sights.split()), tuple(specialities.split()))
        )
    return tuple(parsed)


@cache
def adjectives() -> tuple[Adjective, ...]:
    """The adjectives with their degrees."""
    parsed = []
    for line in lines("adjectives.txt"):
        degrees, things = line.split(":")
        base, comparative, superlative = degrees.split()
        parsed.append(Adjective(base, comparative, superlative, tuple(things.split())))
    return tuple(parsed)


@cache
def verbs() -> tuple[Verb, ...]:
    """The verbs with their past tense."""
    parsed = []
    for line in lines("verbs.txt"):
        head, things = line.split(":")
        present, past, preposition = head.split()
        parsed.append(
            Verb(present, past, "" if preposition == "-" else preposition, tuple(things.split()))
        )
    return tuple(parsed)
