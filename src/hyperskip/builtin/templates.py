"""The sentences of the built-in corpus, with slots in braces, and lists of words to fill them."""

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
