"""Slow twins of the kernels of a map, word by word and in complex numbers, for reading."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.projection.kernels import ForceLaw, StepRule
from hyperskip.projection.neighbor_graph import Pulls

Complex = npt.NDArray[np.complex128]

_STEP, _BITS = 0x9E3779B97F4A7C15, (1 << 64) - 1


def mixed(counter: int) -> int:
    """64 random bits from a counter: the finalizer of SplitMix64."""
    bits = counter & _BITS
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & _BITS
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & _BITS
    return bits ^ (bits >> 31)


def negatives_of(word: int, words: int, law: ForceLaw, seed: int) -> list[int]:
    """The random words that repel a word in a step."""
    counter = mixed(seed + _STEP * word)
    draws = [mixed(counter + _STEP * (draw + 1)) for draw in range(law.negatives)]
    return [((draw >> 32) * words) >> 32 for draw in draws]


def seen_from(z: complex, others: Complex) -> Complex:
    """Other places as seen from z: vectors of length tanh(distance / 2)."""
    return np.asarray((others - z) / (1 - np.conj(z) * others))


def force_on(word: int, places: Complex, pulls: Pulls, law: ForceLaw, seed: int) -> complex:
    """Gradient, at a word's place, of the log-likelihood of its neighbors and negatives.

    A word of similarity q = 1 / (1 + (d / scale)²) is a neighbor with probability q / (q + noise)
    and a negative with probability noise / (q + noise).
    """
    z = places[word]
    some = slice(pulls.starts[word], pulls.starts[word + 1])
    negatives = np.array(negatives_of(word, len(places), law, seed))
    neighbors = pulls.words[some]

    def forces(others: npt.NDArray[np.integer], *, are_neighbors: bool) -> Complex:
        seen = seen_from(z, places[others])
        lengths = np.abs(seen)
        directions = np.divide(seen, lengths, out=np.zeros_like(seen), where=lengths > 0)
        distances = 2 * np.arctanh(lengths)
        similarity = 1 / (1 + (distances / law.scale) ** 2)
        # d log(q) / d distance = -2 distance q / scale²
        steepness = 2 * distances * similarity / law.scale**2
        share = law.noise if are_neighbors else -similarity
        return np.asarray(steepness * share / (similarity + law.noise) * directions)

    pull = np.sum(pulls.strengths[some] * forces(neighbors, are_neighbors=True))
    push = np.sum(forces(negatives, are_neighbors=False)) * law.repulsion / law.negatives
    force = complex(pull + push) * law.scale  # in units of the scale
    outward = z / abs(z) if z else 0j
    force -= 2 * law.gravity / law.scale * outward
    if not law.radial:
        force -= outward * (force * np.conj(outward)).real
    return force


def stepped(
    z: complex, speed: complex, gains: complex, force: complex, rule: StepRule
) -> tuple[complex, complex, complex]:
    """Place, speed and gains (one per axis) of a word after a step along its force."""

    def axis(speed: float, gain: float, force: float) -> tuple[float, float]:
        gain = min(gain + 0.2, 4.0) if force * speed > 0 else max(0.8 * gain, 0.05)
        return rule.momentum * speed + rule.rate * gain * force, gain

    speed_x, gain_x = axis(speed.real, gains.real, force.real)
    speed_y, gain_y = axis(speed.imag, gains.imag, force.imag)
    speed = complex(speed_x, speed_y)
    if abs(speed) > rule.longest:
        speed *= rule.longest / abs(speed)
    place = moved(z, speed)
    bound = min(abs(place), rule.rim) if rule.radial else abs(z)
    place = place * bound / abs(place) if place else place
    return place, speed, complex(gain_x, gain_y)


def greatest_of_each(numbers: Matrix, count: int) -> Rows:
    """(rows, count): columns of the greatest numbers in each row; of equal numbers, the first."""
    return np.argsort(-numbers, axis=1, kind="stable")[:, :count]


def moved(z: complex, speed: complex) -> complex:
    """The place at the end of the geodesic from z in the direction of a speed, as long as it is."""
    length = abs(speed)
    step = np.tanh(length / 2) * speed / length if length else 0j
    return complex((z + step) / (1 + np.conj(z) * step))


def as_complex(places: Floats) -> Complex:
    """Places (words, 2) as complex numbers in the unit disc."""
    return np.asarray(places[:, 0] + 1j * places[:, 1])
