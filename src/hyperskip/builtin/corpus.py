"""The built-in corpus: simple English sentences about the words of the taxonomy.

A scene is a noun, a country, an adjective or a verb with its templates, filled from tables of
words. Consecutive sentences stay on one topic for a while, as the sentences of a paragraph do.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from random import Random
from typing import NamedTuple, TypeVar

from hyperskip.builtin import taxonomy
from hyperskip.builtin.taxonomy import Adjective, Country, Noun, Verb

# In the templates about nouns, {any}, {any_one} (where "clothing" will not do) and {any_many} are
# the noun or one of its hypernyms, so that a general word meets every context of its hyponyms;
# {noun} and {nouns} are the noun itself, {peer} and {peers} others under the same hypernym. A
# template that has both the singular and the plural, or both of a couple, keeps the two close
# together, as they are in real text.
ANIMAL = """
the {adjective} {any} can {do} beside the {thing}
this {any} is {adjective} and {it} can {do} near the {thing}
every {any_one} has {its} {thing} where {it} can {do}
once upon a time {an_adjective} {any_one} began to {do} near the {thing}
{a_noun} is {a_hypernym} that can {do} near the {thing}
the {noun} was afraid of the {peer} beside the {thing}
the {any} tried to {do} and hurt {itself} near the {thing}
the {adjective} {any_many} can {do} beside the {thing}
these {any_many} are {adjective} and they can {do} near the {thing}
many {any_many} have their {thing} where they can {do}
several {adjective} {any_many} began to {do} near the {thing}
{nouns} are {hypernyms} that can {do} near the {thing}
like all {nouns} this {noun} is {adjective} and can {do}
this {noun} was one of the many {nouns} near the {thing}
of all these {nouns} only one {noun} began to {do}
{an_adjective} {noun} came to the {thing} with two other {nouns}
the {nouns} {do} near the {thing} and the {noun} can {do} too
most {nouns} are near the {thing} but that {noun} is too {adjective}
{a_noun} rests among the other {nouns} near the {thing}
when one {noun} starts to {do} all the {nouns} {do}
where there is one {noun} there are more {nouns} near the {thing}
it was {a_noun} and not {a_peer} or {a_peer} near the {thing}
{peers} {nouns} {peers} and other {hypernyms} can {do}
"""
ANIMAL_MASS = """
the {adjective} {any} can {do} near the {thing}
the {noun} and the {peer} are {adjective} and they {do}
some {any} {do} close to the {thing}
the {noun} is {a_hypernym} that likes to {do}
{we} know how the {any} can {do} by the {thing}
"""

PERSON = """
{name} is {an_adjective} {any} and {it} can {do} near {its} {thing}
the {adjective} {any} said {it} would {do} with {its} {thing}
the {any} told {name} all about {its} {thing}
{it} is the {any} who can {do} with {name}
{name} is a {human} who wants to be {an_any} and {do}
the {any} hurt {itself} at the {thing} and {it} had to {do}
every {noun} is {a_hypernym} and {it} has {its} {thing}
this {any} is {an_adjective} {human} and {it} can {do}
{peers} {nouns} {peers} and other {hypernyms} can {do}
{name} the {any} showed {its} {thing} and {it} was {adjective}
the {adjective} {any_many} can {do} beside the {thing} with the {humans}
these {any_many} are {adjective} and they can {do} near the {thing}
{nouns} and {peers} are {adjective} {hypernyms} with their {thing}
several {adjective} {any_many} were near the {thing} and began to {do}
many {any_many} have their {thing} where they can {do}
like all {nouns} this {noun} is {adjective} and {it} can {do}
this {noun} was one of the many {nouns} near the {thing}
{name} the {noun} came to the {thing} with two other {nouns}
of all these {nouns} only one {noun} began to {do}
most {nouns} are near the {thing} but that {noun} is too {adjective}
when one {noun} starts to {do} all the {nouns} {do}
where there is one {noun} there are more {nouns} near the {thing}
{name} is the {noun} among these {nouns} who can {do}
"""
COUPLE = """
the {noun} and {its} {partner} have the same {thing}
the {noun} and the {partner} {do} together
the {noun} or the {partner} can be {adjective} near the {thing}
the {noun} likes the {partner} and the {adjective} {thing}
"""

OBJECT = """
{somebody} can {do} the {adjective} {any} near the {thing}
{name} wants to {do} {an_any} with the {thing}
this {any} is {adjective} and it is beside the {thing}
{a_noun} is {a_hypernym} that {somebody} can {do}
there is {an_adjective} {any_one} next to the {thing}
{somebody} can {do} {a_noun} or {a_peer} with the {thing}
every {any_one} has its {thing} and {somebody} can {do} it
{somebody} can {do} the {adjective} {any_many} near the {thing}
{name} wants to {do} many {any_many} with the {thing}
these {any_many} are {adjective} and they are beside the {thing}
{nouns} are {hypernyms} that {somebody} can {do}
there are several {adjective} {any_many} next to the {thing}
{somebody} can {do} {nouns} or {peers} with the {thing}
all {any_many} have their {thing} and {somebody} can {do} them
like all {nouns} this {noun} is {adjective} and {somebody} can {do} it
this {noun} was one of the many {nouns} near the {thing}
of all these {nouns} only one {noun} is {adjective}
{name} has to {do} {an_adjective} {noun} and two other {nouns}
{somebody} can {do} each {noun} of all the {nouns} near the {thing}
most {nouns} are near the {thing} but that {noun} is too {adjective}
among the {nouns} there was {an_adjective} {noun} with the {thing}
one {noun} is {adjective} and the other {nouns} are not
where there is one {noun} there are more {nouns} near the {thing}
it was {a_noun} and not {a_peer} or {a_peer} near the {thing}
{peers} {nouns} {peers} and other {hypernyms} are {adjective}
{name} has {an_adjective} {noun} but wants to {do} more {nouns}
"""
OBJECT_MASS = """
{somebody} can {do} the {adjective} {any} with the {thing}
some {any} is {adjective} and {somebody} can {do} it
{noun} is a kind of {hypernym} and it is {adjective}
{name} likes {noun} and {peer} near the {thing}
a little {adjective} {any} is left beside the {thing}
{somebody} can {do} {noun} or {peer} with the {thing}
there is plenty of {any} by the {thing}
"""
WEATHER_MASS = """
the {adjective} {any} will {do} over the {thing}
the {noun} and the {peer} {do} near the {thing}
{adjective} {any} is the {hypernym} that {somebody} should expect today
after the {any} came {adjective} {peer} over the {thing}
the {hypernym} was bad and the {noun} was {adjective}
when the {any} starts to {do} {somebody} looks for the {thing}
"""
COLOUR_MASS = """
the {thing} is {any} and the other one is {peer}
{name} likes the {adjective} {any} of the {thing}
{noun} is {an_adjective} {hypernym} like {peer}
{somebody} can {do} the {hypernym} {noun} for the {thing}
the {any} {thing} looks {adjective} next to the {peer} one
a {hypernym} between {noun} and {peer} is {adjective}
"""
MATERIAL_MASS = """
the {thing} is made of {adjective} {any}
{somebody} can {do} {any} for the {thing}
{noun} is {an_adjective} {hypernym} like {peer}
{name} has {an_adjective} {thing} of {noun} and {peer}
the {any} of the {thing} is {adjective}
{somebody} can {do} the {hypernym} because {any} is {adjective}
"""
SPORT_MASS = """
{somebody} can {do} {any} with the {thing}
{noun} is {an_adjective} {hypernym} like {peer}
{name} likes {adjective} {any} more than {peer}
the {any} was {adjective} because of the {thing}
{somebody} can {do} {noun} or {peer} on sunday
{name} came to the {thing} to {do} the {adjective} {any}
"""

COUNTRY = """
{capital} is the capital of {country} and the city has {a_city_thing}
in {country} the city of {capital} has {a_city_thing} near the {sight}
{capital} is a city in {country} with {speciality} and {a_city_thing}
the {city_thing} of {capital} is full of {nationality} {speciality}
{name} went to {capital} in {country} for the {city_thing}
the {city_thing} and the {city_thing} of {capital} are famous in {country}
the city of {capital} is a crowded place with {a_city_thing}
the {institution} of {country} is in {capital}
{country} is a country near the {sight} with {a_country_thing}
{country} and {other_country} are countries that share a border
the country {country} has {a_country_thing} and {nationality} {speciality}
the {institution} of {country} and the {nationality} {citizen} changed after the war
{country} is a place near the {sight} with {speciality}
{name} is {a_nationality} {citizen} and comes from {country}
the {nationality} {citizen} in {country} likes {speciality}
{a_nationality} {citizen} in {capital} likes {speciality}
the {nationality} {citizen} from {capital} knows the {sight}
the {nationality} {citizen} and the {other_nationality} {citizen} are friends
"""
CITY_THINGS = [
    "mayor",
    "metro",
    "suburb",
    "skyline",
    "airport",
    "boulevard",
    "university",
    "square",
    "cafe",
    "tunnel",
]
INSTITUTIONS = ["government", "president", "parliament", "ministry"]
COUNTRY_THINGS = [*INSTITUTIONS, "border", "army", "economy", "population", "coast"]
CITIZENS = [
    "ambassador",
    "citizen",
    "writer",
    "journalist",
    "student",
    "merchant",
    "diplomat",
    "singer",
]

ADJECTIVE = """
the {thing} is very {base} and the {thing} is not
this {thing} is too {base} for {name}
it was quite {base} near the {thing}
there were {base} {things} and {base} {things}
the {things} look rather {base} today
these {things} were so {base} that {somebody} had to smile
the {thing} is much {comparative} than the {thing}
nothing is {comparative} than the {things}
the {things} grew even {comparative} than before
this {thing} is a little {comparative} than {name} thought
the {things} are {base} but the {things} are even {comparative} than that
it was {base} before but now it is much {comparative}
this is the {superlative} {thing} in the world
{name} has the {superlative} {things} of them all
the {thing} is {base} but this one is the {superlative} in the world
the {superlative} {things} of all are not very {base}
it is {a_base} {thing} but not the {superlative} of all
"""

VERB = """
{we} {present} {object} every day
{we} often {present} {object} now
{we} always {present} {object} and {object} on monday
{name} can {present} {object} today
please {present} {object} and {present} {object} tomorrow
{we} usually {present} {object} in the morning
{name} will {present} {object} soon
{we} {past} {object} yesterday
{name} {past} {object} and {object} last week
{we} {past} {object} three years ago
{name} once {past} {object} when it was late
last night {we} {past} {object} again
{we} suddenly {past} {object} and went home
in those days {name} {past} {object}
they {past} {object} last year and they still {present} {object}
we {present} {object} today as we {past} {object} in the past
"""

OPENERS = """
of course, in fact, perhaps, sometimes, as a rule, it is said that, people say that, here, indeed,
in the story, we know that, at last, still, as always
"""
SOMEBODY = ["somebody", "everybody", "nobody", "anybody"]
WE = ["they", "we", "you"]

PRONOUNS = {
    "male": ("he", "his", "himself"),
    "female": ("she", "her", "herself"),
    "neuter": ("it", "its", "itself"),
}
NAMES = {
    "male": taxonomy.MALE_NAMES.split(),
    "female": taxonomy.FEMALE_NAMES.split(),
    "neuter": [*taxonomy.MALE_NAMES.split(), *taxonomy.FEMALE_NAMES.split()],
}
HUMAN = {"male": ["man", "lad", "fellow"], "female": ["woman", "lass", "maiden"], "neuter": []}
HUMANS = {"male": ["men", "boys"], "female": ["women", "girls"], "neuter": []}

# By the top of the outline: the templates for what has a plural, and for what has none.
NOUN_TEMPLATES = {
    "animal": (ANIMAL + COUPLE, ANIMAL_MASS),
    "person": (PERSON + COUPLE, ""),
    "weather": (ANIMAL, WEATHER_MASS),
    "colour": (OBJECT, COLOUR_MASS),
    "material": (OBJECT, MATERIAL_MASS),
    "sport": (OBJECT, SPORT_MASS),
}
OBJECT_TEMPLATES = (OBJECT, OBJECT_MASS)

# How often a noun, its parent, its grandparent ... are drawn where any of them would do.
NEARER_MORE_OFTEN = (8, 2, 2, 1)
# How often, in comparison, the topics are taken up that are not about the nouns of one parent.
COUNTRY_WEIGHT, ADJECTIVE_WEIGHT, VERB_WEIGHT = 150, 130, 85
SCENE_CHANGE = 0.5  # the chance that the next sentence is about another word of the topic

Table = Sequence[str]  # words, each as often as it is likely
Item = TypeVar("Item")


class Template(NamedTuple):
    """A sentence with holes, and the table that fills each hole."""

    text: str
    tables: tuple[Table, ...]


Scene = Sequence[Template]


def sentences(word_count: int = 1_500_000, seed: int = 1) -> Iterator[str]:
    """Write the corpus, the same for the same seed on every machine.

    Args:
        word_count: Stop after the first sentence that reaches this number of words.
        seed: Another seed gives another corpus over the same words.

    Yields:
        Sentences of lower-case words, separated by single spaces, without punctuation.
    """
    # `random()` is the only generator function whose values Python promises to keep.
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
            words = [table[int(random() * len(table))] for table in tables]
            sentence = openers[int(random() * len(openers))] + text % tuple(words)
            written += sentence.count(" ") + 1
            yield sentence
            if written >= word_count:
                return


@cache
def _topics() -> Sequence[Sequence[Scene]]:
    """Every topic as often as it is likely, each with its scenes as often as they are likely."""
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
    """Mostly nothing, now and then a phrase that opens a sentence."""
    phrases = [f"{phrase.strip()} " for phrase in OPENERS.split(",")]
    return phrases + [""] * (8 * len(phrases))


def _noun_scenes() -> list[list[Scene]]:
    """For every noun that has children, its own scene and theirs."""
    families: dict[str, list[Scene]] = {}
    for noun in taxonomy.nouns().values():
        scene = _noun_scene(noun)
        for parent in (*noun.ancestors[:1], noun.singular):
            families.setdefault(parent, []).append(scene)
    return [scenes for scenes in families.values() if len(scenes) > 1]


def _noun_scene(noun: Noun) -> Scene:
    """Sentences about a noun; about a person of either gender, once for each of them."""
    top = (noun.singular, *noun.ancestors)[-1]
    countable, mass = NOUN_TEMPLATES.get(top, OBJECT_TEMPLATES)
    genders = [noun.gender or "neuter"]
    if top == "person" and noun.gender is None:
        genders = ["male", "female"]
    templates = mass if noun.plural is None else countable
    return [filled for gender in genders for filled in _fill(templates, _noun_tables(noun, gender))]


def _noun_tables(noun: Noun, gender: str) -> Mapping[str, Table]:
    """What fills the slots of the templates about a noun."""
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
    """Words of a noun and its hypernyms, and now and then a word of a peer.

    Were no word ever shared with a peer, a noun's own words would be its nearest neighbours, and
    not the nouns that are like it.
    """
    words = attrgetter(field)
    own = [word for noun in mentions for word in words(noun)]
    foreign = [word for peer in peers for word in words(peer)]
    return own * (1 + len(peers) // 8) + foreign


def _people_tables(gender: str) -> Mapping[str, Table]:
    """Pronouns and names that agree, and somebody."""
    it, its, itself = PRONOUNS[gender]
    return {
        "it": [it],
        "its": [its],
        "itself": [itself],
        "name": NAMES[gender],
        "human": HUMAN[gender],
        "humans": HUMANS[gender],
        "somebody": SOMEBODY,
        "we": WE,
    }


def _country_scene(country: Country) -> Scene:
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
        "city_thing": CITY_THINGS,
        "a_city_thing": [_with_article(thing) for thing in CITY_THINGS],
        "institution": INSTITUTIONS,
        "country_thing": COUNTRY_THINGS,
        "a_country_thing": [_with_article(thing) for thing in COUNTRY_THINGS],
        "citizen": CITIZENS,
        **_people_tables("neuter"),
    }
    return _fill(COUNTRY, tables)


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
    return _fill(ADJECTIVE, tables)


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
    return _fill(VERB, tables)


def _nouns_below(tops: Sequence[str]) -> list[Noun]:
    """These nouns and everything that is a kind of one of them, general words more often."""
    return [
        mention
        for noun in taxonomy.nouns().values()
        if not set(tops).isdisjoint((noun.singular, *noun.ancestors))
        for mention in _weighted(_lineage(noun), NEARER_MORE_OFTEN)
    ]


def _lineage(noun: Noun) -> list[Noun]:
    """The noun and its hypernyms."""
    return [noun, *(taxonomy.nouns()[name] for name in noun.ancestors)]


def _fill(templates: str, tables: Mapping[str, Table]) -> list[Template]:
    """Join templates, one a line, with their tables; leave out those that a table is empty for."""
    filled = []
    for line in filter(None, templates.splitlines()):
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
    vowel = word[0] in "aeiou" and word not in taxonomy.CONSONANT_SOUND
    return f"{'an' if vowel or word in taxonomy.VOWEL_SOUND else 'a'} {word}"


def _ranked(items: Sequence[Item]) -> list[Item]:
    """Earlier items more often, as in Zipf's law, but flattened: the last must be learnt too."""
    return _repeat((item, round(120 / (rank + 12))) for rank, item in enumerate(items))


def _weighted(items: Sequence[Item], weights: Sequence[int]) -> list[Item]:
    return _repeat(zip(items, weights, strict=False))


def _repeat(items: Iterable[tuple[Item, int]]) -> list[Item]:
    """Every item as often as its weight says: picking from a list is the fastest weighted draw."""
    return [item for item, weight in items for _ in range(weight)]
