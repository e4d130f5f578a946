"""Slow twins of the kernels of a map, word by word and in complex numbers, for reading."""

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.projection.forces import ForceLaw
from hyperskip.projection.kernels import StepRule
from hyperskip.projection.neighbor_graph import Pulls

Complex = npt.NDArray[np.complex128]


def seen_from(z: complex, others: Complex) -> Complex:
    """Other places as seen from z: vectors of length tanh(distance / 2)."""
    return np.asarray((others - z) / (1 - np.conj(z) * others))


def similarities(z: complex, others: Complex, law: ForceLaw) -> Floats:
    """1 / (1 + (2 sinh(d / 2) / scale)²) for the distances d from z."""
    distances = 2 * np.arctanh(np.abs(seen_from(z, others)))
    return np.asarray(1 / (1 + (2 * np.sinh(distances / 2) / law.scale) ** 2))


def log_likelihood(places: Complex, pulls: Pulls, law: ForceLaw) -> float:
    """The log-likelihood of t-SNE: a pair of words is drawn in proportion to its similarity."""
    pulled, total = 0.0, 0.0
    for word, z in enumerate(places):
        some = slice(pulls.starts[word], pulls.starts[word + 1])
        near = similarities(z, places[pulls.words[some]], law)
        pulled += np.sum(pulls.strengths[some] / pulls.strengths.sum() * np.log(near))
        total += similarities(z, np.delete(places, word), law).sum()
    return float(pulled - np.log(total))


def forces(places: Complex, pulls: Pulls, law: ForceLaw, exaggeration: float = 1.0) -> Complex:
    """The gradient of the log-likelihood at every place, in units of the scale."""
    total = sum(similarities(z, np.delete(places, i), law).sum() for i, z in enumerate(places))

    def gradients(z: complex, others: Complex) -> Complex:
        """Of the logarithms of the similarities: toward the others."""
        seen = seen_from(z, others)
        lengths = np.abs(seen)
        directions = np.divide(seen, lengths, out=np.zeros_like(seen), where=lengths > 0)
        # d log(similarity) / d distance = -2 similarity sinh(distance) / scale²
        steepness = 2 * np.sinh(2 * np.arctanh(lengths)) / law.scale**2
        return np.asarray(similarities(z, others, law) * steepness * directions)

    found = []
    for word, z in enumerate(places):
        some = slice(pulls.starts[word], pulls.starts[word + 1])
        strengths = exaggeration * pulls.strengths[some] / pulls.strengths.sum()
        pull = np.sum(strengths * gradients(z, places[pulls.words[some]]))
        push = np.sum(similarities(z, places, law) * gradients(z, places)) / total
        found.append(2 * law.scale * (pull - push))  # each pair occurs in both orders
    return np.array(found)


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
