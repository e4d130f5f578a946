"""The built-in corpus: simple English sentences about the words of the taxonomy.

A scene is the set of templates about one noun, country, adjective or verb, with the tables of words
that fill them. Several consecutive sentences stay on one topic, as in a paragraph.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from random import Random
from typing import NamedTuple, TypeVar

from hyperskip.builtin import taxonomy
from hyperskip.builtin.data_files import sections, words
from hyperskip.builtin.taxonomy import Adjective, Country, Noun, Verb

SOMEBODY = ["somebody", "everybody", "nobody", "anybody"]
WE = ["they", "we", "you"]

PRONOUNS = {
    "male": ("he", "his", "himself"),
    "female": ("she", "her", "herself"),
    "neuter": ("it", "its", "itself"),
}
NAMES = {
    "male": ("male names",),
    "female": ("female names",),
    "neuter": ("male names", "female names"),
}  # sections of words.txt
HUMAN = {"male": ["man", "lad", "fellow"], "female": ["woman", "lass", "maiden"], "neuter": []}
HUMANS = {"male": ["men", "boys"], "female": ["women", "girls"], "neuter": []}

# Words whose article does not follow from their first letter.
CONSONANT_SOUND = {"ewe", "ukrainian", "uniformed", "university", "useful", "utensil"}
VOWEL_SOUND = {"heir", "heiress", "honest"}

# The sections of templates.txt for each top of the taxonomy: for nouns with and without a plural.
NOUN_TEMPLATES = {
    "animal": (("animal", "couple"), ("animal mass",)),
    "person": (("person", "couple"), ()),
    "weather": (("animal",), ("weather mass",)),
    "colour": (("object",), ("colour mass",)),
    "material": (("object",), ("material mass",)),
    "sport": (("object",), ("sport mass",)),
}
OBJECT_TEMPLATES = (("object",), ("object mass",))

# Weights of a noun, its parent, its grandparent ... in slots that take any of them.
NEARER_MORE_OFTEN = (8, 2, 2, 1)
# Weights of the topics that are not about nouns, relative to those of nouns.
COUNTRY_WEIGHT, ADJECTIVE_WEIGHT, VERB_WEIGHT = 150, 130, 85
SCENE_CHANGE = 0.5  # the probability that the next sentence is about another word of the topic

Table = Sequence[str]  # words, each repeated according to its weight
Item = TypeVar("Item")


class Template(NamedTuple):
    """A sentence with slots, and the table that fills each slot."""

    text: str
    tables: tuple[Table, ...]


Scene = Sequence[Template]


def sentences(word_count: int = 1_500_000, seed: int = 1) -> Iterator[str]:
    """Generate the corpus; the same seed gives the same corpus on every machine.

    Args:
        word_count: Number of words after which the corpus ends, with the sentence.
        seed: Seed of the random generator.

    Yields:
        Sentences of lower-case words, separated by single spaces, without punctuation.
    """
    # Python guarantees the same values in all versions for `random()` only.
    random = Random(seed).random
    topics = _topics()
    openers = _openers()
    written = 0
    while written < word_count:
        topic = topics[int(random() * len(topics))]
        scene = topic[int(random() * len(topic))]
        for _ in range(3 + int(random() * 5)):
            if random() < SCENE_CHANGE:
                scene = topic[int(random() * len(topic))]
            text, tables = scene[int(random() * len(scene))]
            fillers = tuple(table[int(random() * len(table))] for table in tables)
            sentence = openers[int(random() * len(openers))] + text % fillers
            written += sentence.count(" ") + 1
            yield sentence
            if written >= word_count:
                return


@cache
def _topics() -> Sequence[Sequence[Scene]]:
    """Every topic, repeated according to its weight, with its scenes, repeated likewise."""
    topics = [(_ranked(scenes), 2 + len(scenes)) for scenes in _noun_scenes()]
    countries = [_country_scene(country) for country in taxonomy.countries()]
    adjectives = [_adjective_scene(adjective) for adjective in taxonomy.adjectives()]
    verbs = [_verb_scene(verb) for verb in taxonomy.verbs()]
    topics.append((_ranked(countries), COUNTRY_WEIGHT))
    topics.append((_ranked(adjectives), ADJECTIVE_WEIGHT))
    topics.append((_ranked(verbs), VERB_WEIGHT))
    return _repeat(topics)


@cache
def _openers() -> Table:
    """The openers of sentences: a phrase for one sentence in nine, nothing for the others."""
    phrases = [f"{phrase} " for phrase in sections("words.txt")["openers"]]
    return phrases + [""] * (8 * len(phrases))


def _noun_scenes() -> list[list[Scene]]:
    """For every noun with children, its own scene and the scenes of its children."""
    families: dict[str, list[Scene]] = {}
    for noun in taxonomy.nouns().values():
        scene = _noun_scene(noun)
        for parent in (*noun.ancestors[:1], noun.singular):
            families.setdefault(parent, []).append(scene)
    return [scenes for scenes in families.values() if len(scenes) > 1]


def _noun_scene(noun: Noun) -> Scene:
    """The templates about a noun; for a person without a gender, once for each gender."""
    top = (noun.singular, *noun.ancestors)[-1]
    countable, mass = NOUN_TEMPLATES.get(top, OBJECT_TEMPLATES)
    genders = [noun.gender or "neuter"]
    if top == "person" and noun.gender is None:
        genders = ["male", "female"]
    chosen = mass if noun.plural is None else countable
    return [filled for gender in genders for filled in _fill(chosen, _noun_tables(noun, gender))]


def _noun_tables(noun: Noun, gender: str) -> Mapping[str, Table]:
    """The words for each slot of the templates about a noun."""
    lineage = _lineage(noun)
    hypernyms = _weighted(lineage[1:], NEARER_MORE_OFTEN)
    mentions = _weighted(lineage, NEARER_MORE_OFTEN)
    peers = _peers(noun)
    adjectives = _typical_words("adjectives", mentions, peers)
    return {
        "noun": [noun.singular],
        "a_noun": [_with_article(noun.singular)],
        "nouns": _plurals([noun]),
        "any": _singulars(mentions),
        "an_any": [_with_article(each.singular) for each in mentions if each.plural],
        "any_one": _singulars(each for each in mentions if each.plural),
        "any_many": _plurals(mentions),
        "hypernym": _singulars(hypernyms),
        "a_hypernym": [_as_a_kind(each) for each in hypernyms],
        "hypernyms": _plurals(hypernyms),
        "peer": _singulars(_ranked(peers)),
        "a_peer": [_with_article(each.singular) for each in _ranked(peers) if each.plural],
        "peers": _plurals(_ranked(peers)),
        "partner": [each.singular for each in peers if each.gender and each.rank == noun.rank],
        "adjective": adjectives,
        "an_adjective": [_with_article(adjective) for adjective in adjectives],
        "do": [verb for each in mentions for verb in each.verbs],
        "thing": _typical_words("things", mentions, peers),
        **_people_tables(gender),
    }


def _peers(noun: Noun) -> list[Noun]:
    """The other nouns under the same parent."""
    return [
        other
        for other in taxonomy.nouns().values()
        if noun.ancestors and other.ancestors == noun.ancestors and other is not noun
    ]


def _typical_words(field: str, mentions: Sequence[Noun], peers: Sequence[Noun]) -> Table:
    """Words of a noun and its hypernyms, and some words of its peers.

    Without words shared with peers, the nearest neighbors of a noun would be its typical words
    instead of similar nouns.
    """
    typical = attrgetter(field)
    own = [word for noun in mentions for word in typical(noun)]
    foreign = [word for peer in peers for word in typical(peer)]
    return own * (1 + len(peers) // 8) + foreign


def _people_tables(gender: str) -> Mapping[str, Table]:
    """Pronouns and names of one gender, and words for anybody."""
    it, its, itself = PRONOUNS[gender]
    return {
        "it": [it],
        "its": [its],
        "itself": [itself],
        "name": [name for section in NAMES[gender] for name in words(section)],
        "human": HUMAN[gender],
        "humans": HUMANS[gender],
        "somebody": SOMEBODY,
        "we": WE,
    }


def _country_scene(country: Country) -> Scene:
    institutions, city_things = words("institutions"), words("city things")
    country_things = [*institutions, *words("country things")]
    others = [other for other in taxonomy.countries() if other is not country]
    tables = {
        "country": [country.name],
        "capital": [country.capital],
        "nationality": [country.nationality],
        "a_nationality": [_with_article(country.nationality)],
        "sight": country.sights,
        "speciality": country.specialities,
        "other_country": [other.name for other in others],
        "other_nationality": [other.nationality for other in others],
        "city_thing": city_things,
        "a_city_thing": [_with_article(thing) for thing in city_things],
        "institution": institutions,
        "country_thing": country_things,
        "a_country_thing": [_with_article(thing) for thing in country_things],
        "citizen": words("citizens"),
        **_people_tables("neuter"),
    }
    return _fill(["country"], tables)


def _adjective_scene(adjective: Adjective) -> Scene:
    tables = {
        "base": [adjective.base],
        "a_base": [_with_article(adjective.base)],
        "comparative": [adjective.comparative],
        "superlative": [adjective.superlative],
        "thing": _singulars(_nouns_below(adjective.things)),
        "things": _plurals(_nouns_below(adjective.things)),
        **_people_tables("neuter"),
    }
    return _fill(["adjective"], tables)


def _verb_scene(verb: Verb) -> Scene:
    nouns = _nouns_below(verb.things)
    tables = {
        "present": [verb.present],
        "past": [verb.past],
        "object": [
            f"{verb.preposition} the {word}".strip()
            for word in [*_singulars(nouns), *_plurals(nouns)]
        ],
        **_people_tables("neuter"),
    }
    return _fill(["verb"], tables)


def _nouns_below(tops: Sequence[str]) -> list[Noun]:
    """These nouns and all their hyponyms; general words more often."""
    return [
        mention
        for noun in taxonomy.nouns().values()
        if not set(tops).isdisjoint((noun.singular, *noun.ancestors))
        for mention in _weighted(_lineage(noun), NEARER_MORE_OFTEN)
    ]


def _lineage(noun: Noun) -> list[Noun]:
    """The noun and its hypernyms."""
    return [noun, *(taxonomy.nouns()[name] for name in noun.ancestors)]


def _fill(titles: Iterable[str], tables: Mapping[str, Table]) -> list[Template]:
    """Join the templates of some sections with their tables; skip those with an empty table."""
    filled = []
    for line in (line for title in titles for line in sections("templates.txt")[title]):
        slots = re.findall(r"{(\w+)}", line)
        if all(tables[slot] for slot in slots):
            text = re.sub(r"{\w+}", "%s", line)
            filled.append(Template(text, tuple(tables[slot] for slot in slots)))
    return filled


def _singulars(nouns: Iterable[Noun]) -> Table:
    return [noun.singular for noun in nouns]


def _plurals(nouns: Iterable[Noun]) -> Table:
    return [noun.plural for noun in nouns if noun.plural]


def _as_a_kind(noun: Noun) -> str:
    return _with_article(noun.singular) if noun.plural else f"a kind of {noun.singular}"


def _with_article(word: str) -> str:
    vowel = word[0] in "aeiou" and word not in CONSONANT_SOUND
    return f"{'an' if vowel or word in VOWEL_SOUND else 'a'} {word}"


def _ranked(items: Sequence[Item]) -> list[Item]:
    """Earlier items more often, as in Zipf's law, but flatter: the last must be learned too."""
    return _repeat((item, round(120 / (rank + 12))) for rank, item in enumerate(items))


def _weighted(items: Sequence[Item], weights: Sequence[int]) -> list[Item]:
    return _repeat(zip(items, weights, strict=False))


def _repeat(items: Iterable[tuple[Item, int]]) -> list[Item]:
    """Repeat items by weight: indexing a list is the fastest weighted draw."""
    return [item for item, weight in items for _ in range(weight)]
