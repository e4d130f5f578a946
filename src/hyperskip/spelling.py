"""Suggestions for a name that does not exist: words of a vocabulary, options, commands.

Names within a few edits of the misspelled one come first, then names that begin like it.
"""

import math
from collections.abc import Collection

_LONGEST_WORD = 64  # letters; longer ones are slow to compare, and not a spelling mistake
_MOST_EDITS = 3
_SHORTEST_BEGINNING = 3  # letters

# An edit weighs as much as a word that is exp(6) = 400 times as rare: in a vocabulary of 400,000
# words, the intended word is then the first suggestion most often.
_EDIT_WEIGHT = 6.0


def close_matches(word: str, candidates: Collection[str], count: int = 3) -> list[str]:
    """Find the candidates that are spelled most like a word.

    An edit is a missing, additional or wrong letter, or two neighboring letters in the wrong
    order. At most one edit for every three letters is allowed, and never more than three. Letter
    case does not matter. For 400,000 candidates this takes about 30 ms.

    Args:
        word: The misspelled word.
        candidates: The known words, most frequent first. Pass a dict or a set if there are many.
        count: The largest number of suggestions.

    Returns:
        The best suggestions first: few edits, and frequent words. If no candidate is similar
        enough, the ones that begin with at least half of the word.
    """
    if len(word) > _LONGEST_WORD:
        return []
    cases = dict.fromkeys((word.lower(), word.upper(), word.title()))
    same_letters = [case for case in cases if case in candidates]
    if same_letters:
        return same_letters[:count]
    forms = dict.fromkeys((word.lower(), word))
    names = list(candidates)
    return _within_few_edits(forms, names, count) or _beginning_alike(forms, names, count)


def _within_few_edits(forms: Collection[str], names: list[str], count: int) -> list[str]:
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    costs: dict[int, float] = {}
    for form in forms:
        edits_allowed = min(_MOST_EDITS, (len(form) + 1) // 3)
        letters = sorted(form)
        for name, edits, row in extract(
            form, names, scorer=OSA.distance, score_cutoff=edits_allowed, limit=None
        ):
            # Swapped letters are the most common mistake: they count as half an edit.
            weighted = edits - 0.5 if edits and sorted(name) == letters else edits
            cost = _EDIT_WEIGHT * weighted + math.log(row + 10)  # words of rank n occur ~ 1/n times
            costs[row] = min(cost, costs.get(row, math.inf))
    return [names[row] for row in sorted(costs, key=costs.__getitem__)[:count]]


def _beginning_alike(forms: Collection[str], names: list[str], count: int) -> list[str]:
    from rapidfuzz.distance import Prefix
    from rapidfuzz.process import extract

    ranked = []
    for form in forms:
        letters_needed = max(_SHORTEST_BEGINNING, -(-len(form) // 2))
        found = extract(
            form, names, scorer=Prefix.similarity, score_cutoff=letters_needed, limit=count
        )
        ranked += [(-letters, row) for _, letters, row in found]
    rows = dict.fromkeys(row for _, row in sorted(ranked))
    return [names[row] for row in rows][:count]
