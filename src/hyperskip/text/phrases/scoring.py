"""The scores of phrases: how much more often their words occur together than by chance."""

from math import log

import numpy as np
import numpy.typing as npt

from hyperskip.text.phrase_rules import NPMI, PhraseRules
from hyperskip.text.phrases.blocks import Candidates

_ROUNDING = 1 + 1e-6

Scores = npt.NDArray[np.float64]


def scores_of(candidates: Candidates, rules: PhraseRules, token_count: int) -> Scores:
    """Return the score of each candidate.

    `default` is (n(ab) - min_count) / (n(a) n(b)) times the number of different words and
    candidates (Mikolov et al., Distributed Representations of Words and Phrases, 2013). `npmi` is
    the normalized pointwise mutual information, ln(p(ab) / (p(a) p(b))) / -ln p(ab), between -1 and
    1 (Bouma, 2009). The operations and their order are those of gensim, so the numbers are, too.

    Args:
        candidates: Each occurs at least `rules.min_count` times.
        rules: How phrases are found.
        token_count: The number of words of the text.
    """
    if rules.score == NPMI:
        return _npmi(candidates, token_count)
    product = candidates.first_counts.astype(np.float64) * candidates.last_counts
    return (candidates.counts - rules.min_count) / product * candidates.distinct


def greatest_products(
    counts: npt.NDArray[np.int64], rules: PhraseRules, distinct: int, token_count: int
) -> Scores:
    """Return n(a) n(b), for each count of a candidate, above which its score is too low.

    The result is slightly too high, so that rounding does not matter.
    """
    exact: Scores = counts.astype(np.float64)
    if rules.score == NPMI:
        exact = np.power(exact / token_count, 1 + rules.threshold)
        return exact * (_ROUNDING * float(token_count) ** 2)
    return (exact - rules.min_count) * (_ROUNDING * distinct / rules.threshold)


def _npmi(candidates: Candidates, token_count: int) -> Scores:
    # The logarithm of Python: that of NumPy may differ in the last digit.
    total = float(token_count)
    columns = candidates.counts, candidates.first_counts, candidates.last_counts
    shares = zip(*((column / total).tolist() for column in columns), strict=True)
    values = (log(both / (first * last)) / -log(both) for both, first, last in shares)
    return np.fromiter(values, np.float64, len(candidates.counts))
