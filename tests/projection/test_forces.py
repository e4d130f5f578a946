"""The kernels of a map agree with their slow twins."""

import numpy as np
import pytest

from hyperskip.geometry.arrays import Floats
from hyperskip.projection import kernels, reference
from hyperskip.projection.neighbor_graph import NeighborGraph, Pulls, pulls_between

SEED = 77


@pytest.fixture
def places() -> Floats:
    random = np.random.default_rng(5)
    angles, radii = random.uniform(0, 2 * np.pi, 40), np.tanh(random.uniform(0, 4, 40) / 2)
    return np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))


@pytest.fixture
def pulls() -> Pulls:
    random = np.random.default_rng(6)
    rows = np.array([random.permutation(np.delete(np.arange(40), i))[:5] for i in range(40)])
    distances = np.sort(random.uniform(0.5, 2.0, (40, 5)), axis=1)
    return pulls_between(NeighborGraph(rows, distances))


@pytest.mark.parametrize("radial", [True, False])
def test_forces_agree_with_the_twin(places: Floats, pulls: Pulls, radial: bool) -> None:
    law = kernels.ForceLaw(
        scale=0.3, noise=0.2, repulsion=50.0, negatives=7, gravity=0.1, radial=radial
    )
    found = np.full_like(places, np.nan)
    arguments = (pulls.starts, pulls.words, pulls.strengths, law, SEED, found)
    kernels.forces(places, 0, 25, *arguments)
    kernels.forces(places, 25, 40, *arguments)
    z = reference.as_complex(places)
    expected = [reference.force_on(word, z, pulls, law, SEED) for word in range(40)]
    np.testing.assert_allclose(reference.as_complex(found), expected, rtol=1e-7, atol=1e-8)


def test_a_force_is_the_gradient_of_the_log_likelihood(places: Floats, pulls: Pulls) -> None:
    """Check it by finite differences along geodesics."""
    law = kernels.ForceLaw(
        scale=0.5, noise=0.2, repulsion=30.0, negatives=9, gravity=0.0, radial=True
    )
    z, word = reference.as_complex(places), 3
    some = slice(pulls.starts[word], pulls.starts[word + 1])
    negatives = reference.negatives_of(word, 40, law, SEED)

    def log_likelihood(place: complex) -> float:
        def similarity(others: reference.Complex) -> Floats:
            distances = 2 * np.arctanh(np.abs(reference.seen_from(place, others)))
            return np.asarray(1 / (1 + (distances / law.scale) ** 2))

        near, far = similarity(z[pulls.words[some]]), similarity(z[negatives])
        pulled = np.sum(pulls.strengths[some] * np.log(near / (near + law.noise)))
        pushed = np.mean(np.log(law.noise / (far + law.noise))) * law.repulsion
        return float(pulled + pushed)

    force = reference.force_on(word, z, pulls, law, SEED) / law.scale
    for direction in (1, 1j):
        ahead, behind = (reference.moved(z[word], sign * 1e-6 * direction) for sign in (1, -1))
        slope = (log_likelihood(ahead) - log_likelihood(behind)) / 2e-6
        assert slope == pytest.approx((force * np.conj(direction)).real, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("radial", [True, False])
def test_moves_agree_with_the_twin(places: Floats, radial: bool) -> None:
    """Several steps, with momentum, gains that grow and shrink, bounded steps, and the rim."""
    random = np.random.default_rng(8)
    rule = kernels.StepRule(rate=0.3, momentum=0.8, longest=0.5, rim=0.95, radial=radial)
    speeds, gains, moved = np.zeros_like(places), np.ones_like(places), places.copy()
    words = [(z, 0j, 1 + 1j) for z in reference.as_complex(places)]
    for _ in range(6):
        found = random.normal(size=places.shape)
        kernels.move(moved, speeds, gains, found, rule)
        words = [
            reference.stepped(*word, force, rule)
            for word, force in zip(words, reference.as_complex(found), strict=True)
        ]
        for numbers, expected in zip((moved, speeds, gains), zip(*words, strict=True), strict=True):
            np.testing.assert_allclose(reference.as_complex(numbers), expected, atol=1e-9)


def test_a_move_follows_the_geodesic(places: Floats) -> None:
    found = np.random.default_rng(1).normal(size=places.shape)
    speeds, gains, moved = np.zeros_like(places), np.ones_like(places), places.copy()
    rule = kernels.StepRule(rate=0.1, momentum=0.5, longest=100.0, rim=1.0, radial=True)
    kernels.move(moved, speeds, gains, found, rule)
    # Speeds were 0, so no force has the sign of its speed, and all gains shrink.
    assert (gains == 0.8).all()
    speed = 0.1 * 0.8 * reference.as_complex(found)
    expected = [
        reference.moved(z, v) for z, v in zip(reference.as_complex(places), speed, strict=True)
    ]
    np.testing.assert_allclose(reference.as_complex(moved), expected, atol=1e-11)
    before, after = reference.as_complex(places), reference.as_complex(moved)
    steps = [
        2 * np.arctanh(abs(reference.seen_from(z, w))) for z, w in zip(before, after, strict=True)
    ]
    np.testing.assert_allclose(steps, np.abs(speed), atol=1e-9)


def test_moves_are_bounded(places: Floats) -> None:
    found = 1e6 * np.ones_like(places)
    arguments = (np.zeros_like(places), np.ones_like(places), found)
    rule = kernels.StepRule(rate=1.0, momentum=0.5, longest=0.25, rim=0.9, radial=True)
    moved = places.copy()
    kernels.move(moved, *arguments, rule)
    assert np.linalg.norm(moved, axis=1).max() <= 0.9 + 1e-12
    kept = places.copy()
    kernels.move(kept, *arguments, rule._replace(radial=False))
    radii = np.linalg.norm(places, axis=1)
    np.testing.assert_allclose(np.linalg.norm(kept, axis=1), radii, atol=1e-11)


def test_the_greatest_of_each_row() -> None:
    numbers = np.random.default_rng(2).normal(size=(30, 200)).astype(np.float32)
    numbers[3] = 1.0  # all equal
    columns = np.empty((30, 7), dtype=np.int64)
    kernels.greatest_of_each(numbers, columns)
    np.testing.assert_array_equal(columns, reference.greatest_of_each(numbers, 7))
