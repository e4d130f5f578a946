"""What follows from counts: probabilities of tokens and negative samples, weights and rates.

Probabilities are stored as 32-bit thresholds: 32 random bits are below the threshold with the
desired probability. Since kernels and reference compare integers, they make exactly the same
decisions.
"""

import numpy as np
import numpy.typing as npt

_CERTAIN = 2**32 - 1
# With the rate 1, a pair or a negative sample moves a word by this share of the way to where it no
# longer pushes it; from the study in docs/model.md.
_CURVED_APPROACH, _FLAT_APPROACH = 0.65, 0.05


def keep_thresholds(
    counts: npt.NDArray[np.int64], subsample: float
) -> npt.NDArray[np.uint32]:  # (words,)
    """Probability that subsampling keeps a word: min(1, sqrt(t/f) + t/f) for the frequency f."""
    if subsample == 0:
        return np.full(len(counts), _CERTAIN, dtype=np.uint32)
    share = subsample * counts.sum() / counts
    return _thresholds(np.sqrt(share) + share)


def expected_survivors(
    counts: npt.NDArray[np.int64], subsample: float
) -> npt.NDArray[np.float64]:  # (words,)
    """Expected number of tokens of each word after subsampling."""
    return np.asarray(counts * (keep_thresholds(counts, subsample) / _CERTAIN))


def distance_weights(window: int, decay: float) -> npt.NDArray[np.float64]:  # (window + 1,)
    """The weight of a pair by the distance of its words: distance^-decay."""
    distances = np.arange(1, window + 1, dtype=np.float64)
    return np.concatenate(([0.0], distances**-decay))


def word_rates(
    counts: npt.NDArray[np.int64], subsample: float, power: float
) -> npt.NDArray[np.float64]:  # (words,)
    """Factors of the learning rate: (n / its median)^-power for n tokens after subsampling.

    A rare word moves less often, so it should move farther. Factors are between 1/4 and 4.
    """
    survivors = np.maximum(expected_survivors(counts, subsample), 1e-300)
    factors = (survivors / np.median(survivors)) ** -power
    return np.asarray(np.clip(factors, 0.25, 4.0))


def contexts_on_a_side(
    sentence_starts: npt.NDArray[np.int64] | range,
    counts: npt.NDArray[np.int64],
    subsample: float,
    weights: npt.NDArray[np.float64],
) -> float:
    """Average weight of the context words before a word, after subsampling.

    It is estimated from the first million sentences, as if subsampling shortened all of them alike.

    Args:
        sentence_starts: Starts of sentences, and the end.
        counts: How often each word occurs in the text.
        subsample: Threshold of subsampling.
        weights: The weight of a context by its distance: (window + 1,).
    """
    kept_share = float(expected_survivors(counts, subsample).sum() / counts.sum())
    if kept_share == 0:
        return 0.0
    lengths, sentences = np.unique(np.diff(sentence_starts[:1_000_001]), return_counts=True)
    lengths = lengths * kept_share
    # In a sentence of n words, n - k words have a word k places before them.
    distances = np.arange(len(weights))
    before = sum(
        int(count) * float(weights @ np.maximum(length - distances, 0.0))
        for length, count in zip(lengths, sentences, strict=True)
    )
    return before / float(lengths @ sentences)


def chance_of_a_repeat(counts: npt.NDArray[np.int64], subsample: float) -> float:
    """Probability that two tokens after subsampling are the same word."""
    shares = _shares(counts, subsample)
    return max(float(shares @ shares), 1e-9)


def _shares(counts: npt.NDArray[np.int64], subsample: float) -> npt.NDArray[np.float64]:
    kept = expected_survivors(counts, subsample)
    return np.asarray(kept / max(kept.sum(), 1e-9))


def tiles_of_a_round(tile: int, repeat: float, most: int) -> int:
    """Number of tiles that may be computed before words move: a power of two.

    More tiles use more of a device, but a word that several tiles push from the same position moves
    too far. According to the study in docs/measurements.md this does no harm as long as a center
    has, on average, less than 3/4 other centers with the same word in its round.

    Args:
        tile: Number of centers in a tile.
        repeat: Probability that two centers are the same word.
        most: The largest number of tiles.
    """
    return power_of_two_up_to(int(min(most, 0.75 / (repeat * tile))))


def power_of_two_up_to(number: int) -> int:
    """The greatest power of two that is at most this number, or 1."""
    return 1 << max(number, 1).bit_length() - 1


def loads(
    counts: npt.NDArray[np.int64], subsample: float, centers: int, *, curved: bool
) -> npt.NDArray[np.float64]:  # (words,)
    """How strongly a round pushes each word, for the rate 1 and one push by each center.

    Pairs and negative samples push a word toward a position where they no longer push it. If they
    push one after another, each push is weaker than the one before, and together they move the word
    by the share 1 - exp(-x) of the way, where x is the number of pushes times the share of one. If
    all of them push from the same position, they move it by x, which may be far too much. Damped
    rounds therefore multiply the sum by (1 - exp(-x)) / x. x is the load times the rate of the
    word, the average weight of the contexts of a center, and one more than the number of negative
    samples.

    Args:
        counts: How often each word occurs in the text.
        subsample: Threshold of subsampling.
        centers: Number of centers in a round.
        curved: Whether words are points of a hyperboloid.
    """
    return (_CURVED_APPROACH if curved else _FLAT_APPROACH) * centers * _shares(counts, subsample)


def noise_table(counts: npt.NDArray[np.int64], power: float) -> npt.NDArray[np.uint32]:
    """Alias table (Vose) of the distribution count^power over words.

    Returns:
        (words, 2): draw a row i uniformly, and 32 random bits; the sample is i if the bits are at
        most the first column, and otherwise the word in the second column.
    """
    weights = counts.astype(np.float64) ** power
    scaled = (weights / weights.sum() * len(weights)).tolist()
    accept = [1.0] * len(scaled)
    alias = list(range(len(scaled)))
    small = [i for i, weight in enumerate(scaled) if weight < 1.0]
    large = [i for i, weight in enumerate(scaled) if weight >= 1.0]
    while small and large:
        poor, rich = small.pop(), large[-1]
        accept[poor], alias[poor] = scaled[poor], rich
        scaled[rich] -= 1.0 - scaled[poor]
        if scaled[rich] < 1.0:
            small.append(large.pop())
    table = np.column_stack((_thresholds(np.array(accept)), np.array(alias, dtype=np.uint32)))
    return np.asarray(table)


def _thresholds(probability: npt.NDArray[np.float64]) -> npt.NDArray[np.uint32]:
    return np.asarray(np.rint(np.minimum(probability, 1.0) * _CERTAIN), dtype=np.uint32)
