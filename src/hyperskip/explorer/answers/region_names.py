"""Names of regions: frequent nouns that are typical of a region, and never function words.

If the model has a hierarchy, broader terms that many words of a region share are preferred.
In any language, function words are the frequent words whose nearest words are not near, as they
occur with words of all kinds. In English, lists and endings also exclude pronouns, verbs and
adjectives.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from hyperskip.explorer.answers.regions import Regions
from hyperskip.explorer.answers.shared_terms import term_weights
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.text.relations.pattern_file import ENGLISH, read_language
from hyperskip.text.relations.word_classes import TERM, Singulars, TokenTraits

_WORDS = (2, 2, 1)  # in the names of each level
_LEAST_LETTERS = 3
_LONGEST = 40  # characters
_FREQUENCY_WEIGHT = 0.2  # of a standard deviation of the logarithm, beside a cosine
_TERM_WEIGHT = 0.3  # of the most distinctive broader term of a region, beside a cosine
_COMMON_BEGINNING = 4  # letters of words that would repeat each other in a name
_FREQUENT_SHARE = 18  # words for each one that may be a function word
_NEIGHBORS = 30
_COMPARED = 10_000  # the most frequent words, among which neighbors are searched
_BATCH = 512  # words
_SPREAD = 0.2  # share of other words whose neighbors are as far away as those of function words


def name_regions(
    words: Sequence[str],
    counts: Rows,
    directions: Floats,
    regions: Regions,
    terms: Rows | Sequence[int] = (),
) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return the words that name each region of each level. No word is used twice.

    A region without a fit word has no name.

    Args:
        words: The words of the map, the most frequent first.
        counts: Their counts (words,); all 0 if unknown.
        directions: Their unit vectors (words, dimension).
        regions: The regions of these words.
        terms: The broader terms of the most frequent words, by index; -1 for none.
    """
    scores = _FREQUENCY_WEIGHT * _standardized(_log_frequencies(counts))
    is_fit = content_words(words, directions) & [_is_readable(word) for word in words]
    centered = unit(directions - directions.mean(axis=0))
    broader = np.asarray(terms, dtype=np.int64)
    names = []
    for level, word_count in zip(range(len(regions.levels)), _WORDS, strict=False):
        of_words = regions.at(level)
        chosen = []
        for region, (shared, weights) in enumerate(term_weights(broader, regions, level)):
            members = np.flatnonzero(of_words == region)
            candidates = np.union1d(members, shared)
            fit = scores[candidates] + centered[candidates] @ unit(centered[members].mean(axis=0))
            fit[np.searchsorted(candidates, shared)] += _TERM_WEIGHT * weights
            best = candidates[np.argsort(-fit, kind="stable")]
            chosen.append(_distinct(words, best[is_fit[best]], word_count))
            is_fit[chosen[-1]] = False  # no other region has these words
        names.append(tuple(tuple(words[index] for index in indices) for indices in chosen))
    return tuple(names)


def unit(vectors: Floats) -> Floats:
    """Return vectors (..., dimension) of length 1; a zero vector stays 0."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.maximum(lengths, np.finfo(np.float64).tiny))


def _log_frequencies(counts: Rows) -> Floats:
    ranks = np.arange(1, len(counts) + 1)
    return np.asarray(np.log1p(counts) if counts.any() else -np.log(ranks), dtype=np.float64)


def _standardized(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / (values.std() or 1.0))


def _is_readable(word: str) -> bool:
    """Whether a word can be read on a map: letters, without control characters."""
    letters = sum(map(str.isalpha, word[:_LONGEST]))
    return len(word) <= _LONGEST and word.isprintable() and letters >= _LEAST_LETTERS


def _distinct(words: Sequence[str], best: Rows, count: int) -> list[int]:
    """Return the best words that begin with different letters, at most `count` of them."""
    chosen: dict[str, int] = {}  # by beginning
    for index in best.tolist():
        if len(chosen) == count:
            break
        chosen.setdefault(words[index][:_COMMON_BEGINNING], index)
    return list(chosen.values())


def content_words(words: Sequence[str], directions: Floats) -> npt.NDArray[np.bool_]:
    """Return which words (words,) are no function words, and in English nouns."""
    language = read_language(ENGLISH)
    traits = TokenTraits(language, Singulars(language), names=False)
    return ~function_words(directions) & [bool(traits[word] & TERM) for word in words]


def function_words(directions: Floats) -> npt.NDArray[np.bool_]:
    """Return which words (words,) are function words; the most frequent words come first."""
    count = len(directions)
    frequent = count // _FREQUENT_SHARE
    is_spread = np.zeros(count, dtype=bool)
    compared = min(count, _COMPARED)
    if frequent == 0:
        return is_spread
    # An even sample of the other words is enough for a quantile.
    sample = np.unique(np.linspace(frequent, compared - 1, frequent).astype(np.int64))
    near = min(_NEIGHBORS, max(1, count // 20))
    asked = np.concatenate([np.arange(frequent), sample])
    parts = np.array_split(asked, 1 + len(asked) // _BATCH)
    nearest = np.concatenate([_similarity_of_nearest(directions, part, near) for part in parts])
    limit = np.quantile(nearest[frequent:], _SPREAD)
    is_spread[:frequent] = nearest[:frequent] < limit
    return is_spread


def _similarity_of_nearest(directions: Floats, asked: Rows, near: int) -> Floats:
    """Return the mean cosine of words (asked,) with the words that are nearest to each."""
    similar = directions[asked] @ directions[:_COMPARED].T
    similar[np.arange(len(asked)), asked] = -np.inf
    similar.partition(similar.shape[1] - near, axis=1)
    return np.asarray(similar[:, -near:].mean(axis=1))
