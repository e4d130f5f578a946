"""Questions about the built-in corpus: similarity pairs, analogies and hypernyms.

They follow from the taxonomy, so that the correct answer to every question is known.
"""

from collections.abc import Sequence

from hyperskip.builtin import taxonomy
from hyperskip.builtin.data_files import words

Analogy = tuple[str, str, str, str]

UNRELATED = 8  # the distance of words without a common hypernym; all others are smaller
PAIRS_OF_A_GRADE = 70


def categories() -> dict[str, str]:
    """The top-level category of every noun, singular and plural, country and capital."""
    top: dict[str, str] = {}
    for word, path in _ancestors().items():
        top[word] = (word, *path)[-1]
    for noun in taxonomy.nouns().values():
        if noun.plural:
            top[noun.plural] = top[noun.singular]
    return top


def hypernym_pairs() -> list[tuple[str, str]]:
    """Pairs (hyponym, hypernym), direct and indirect: (poodle, dog), (poodle, animal), ..."""
    return [(word, ancestor) for word, path in _ancestors().items() for ancestor in path]


def hypernymy_pairs() -> list[tuple[str, str, bool]]:
    """Pairs, and whether the first is a kind of the second.

    For each true pair, there are two false ones: the reversed pair, and one whose second word is a
    hypernym of other words.
    """
    pairs = hypernym_pairs()
    ancestors = _ancestors()
    hypernyms = sorted({hypernym for _, hypernym in pairs})
    answers = [(hyponym, hypernym, True) for hyponym, hypernym in pairs]
    answers += [(hypernym, hyponym, False) for hyponym, hypernym in pairs]
    for index, (hyponym, _) in enumerate(pairs):
        related = {hyponym, *ancestors[hyponym]}
        others = [word for word in hypernyms if word not in related]
        answers.append((hyponym, others[index % len(others)], False))
    return answers


def analogy_questions() -> dict[str, list[Analogy]]:
    """Questions a : b = c : d by section; the names of syntactic sections start with "gram"."""
    countries = taxonomy.countries()
    nouns = taxonomy.nouns()
    adjectives = taxonomy.adjectives()
    sections = {
        "capital-of-country": [(country.name, country.capital) for country in countries],
        "nationality": [(country.name, country.nationality) for country in countries],
        "gender": list(taxonomy.gender_pairs()),
        "gram1-plural": [(word, nouns[word].plural or "") for word in words("plural questions")],
        "gram2-comparative": [(each.base, each.comparative) for each in adjectives],
        "gram3-superlative": [(each.base, each.superlative) for each in adjectives],
        "gram4-past-tense": [(verb.present, verb.past) for verb in taxonomy.verbs()],
    }
    return {name: _cross(pairs) for name, pairs in sections.items()}


def similarity_pairs() -> list[tuple[str, str, float]]:
    """Pairs of words, graded from 0 to 10 by their distance in the taxonomy.

    A word and its parent have grade 10, two children of one parent 8.57, and so on. Two words
    without a common hypernym have grade 0.
    """
    ancestors = _ancestors()
    below = [word for word, path in ancestors.items() if path]
    by_distance: dict[int, list[tuple[str, str]]] = {}
    for index, first in enumerate(below):
        for second in below[index + 1 :]:
            distance = _path_length(first, second, ancestors)
            by_distance.setdefault(distance, []).append((first, second))
    return [
        (first, second, round(10 * (1 - (distance - 1) / (UNRELATED - 1)), 2))
        for distance, pairs in sorted(by_distance.items())
        for first, second in _spread(pairs, PAIRS_OF_A_GRADE)
    ]


def _ancestors() -> dict[str, tuple[str, ...]]:
    """The hypernyms of every noun, country and capital, nearest first."""
    ancestors = {noun.singular: noun.ancestors for noun in taxonomy.nouns().values()}
    for country in taxonomy.countries():
        ancestors[country.name] = ("country", "place")
        ancestors[country.capital] = ("city", "place")
    return ancestors


def _path_length(first: str, second: str, ancestors: dict[str, tuple[str, ...]]) -> int:
    """Count the steps between two words through their nearest common hypernym."""
    up = (first, *ancestors[first])
    down = (second, *ancestors[second])
    for steps, word in enumerate(up):
        if word in down:
            return steps + down.index(word)
    return UNRELATED


def _spread(items: Sequence[tuple[str, str]], count: int) -> list[tuple[str, str]]:
    """Take evenly spaced items, so that all parts of the taxonomy are represented."""
    count = min(count, len(items))
    return [items[index * len(items) // count] for index in range(count)]


def _cross(pairs: Sequence[tuple[str, str]], partners: int = 6) -> list[Analogy]:
    """Combine every pair with the same number of other pairs, spread over the section."""
    size = len(pairs)
    return [
        (*pairs[index], *pairs[(index + 1 + step * (size - 1) // partners) % size])
        for index in range(size)
        for step in range(partners)
    ]
