"""The kernels of a map agree with their slow twins."""

import numpy as np
import pytest

from hyperskip.geometry.arrays import Floats
from hyperskip.projection import kernels, reference
from hyperskip.projection.forces import ForceLaw, Forces
from hyperskip.projection.neighbor_graph import NeighborGraph, Pulls, pulls_between
from hyperskip.thread_pool import ThreadPool


def ring(words: int) -> Pulls:
    """Each word attracts the next one."""
    rows = (np.arange(words)[:, None] + 1) % words
    return Pulls(np.arange(words + 1), rows.ravel().astype(np.int32), np.ones(words))


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


def forces_at(
    places: Floats, pulls: Pulls, law: ForceLaw, exaggeration: float = 1.0, threads: int = 2
) -> reference.Complex:
    with ThreadPool(threads) as pool:
        return reference.as_complex(Forces(pulls, law, pool).at(places, exaggeration))


@pytest.mark.parametrize("exaggeration", [1.0, 4.0])
def test_forces_agree_with_the_twin(places: Floats, pulls: Pulls, exaggeration: float) -> None:
    law = ForceLaw(scale=0.3, opening=0.0)
    expected = reference.forces(reference.as_complex(places), pulls, law, exaggeration)
    found = forces_at(places, pulls, law, exaggeration)
    np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-9)


def test_forces_are_the_gradient_of_the_log_likelihood(places: Floats, pulls: Pulls) -> None:
    """Check it by finite differences along geodesics."""
    law, word = ForceLaw(scale=0.5), 3
    z = reference.as_complex(places)

    def at(place: complex) -> float:
        moved = z.copy()
        moved[word] = place
        return reference.log_likelihood(moved, pulls, law)

    force = reference.forces(z, pulls, law)[word] / law.scale
    for direction in (1, 1j):
        ahead, behind = (reference.moved(z[word], sign * 1e-5 * direction) for sign in (1, -1))
        slope = (at(ahead) - at(behind)) / 2e-5
        assert slope == pytest.approx((force * np.conj(direction)).real, rel=1e-5, abs=1e-8)


@pytest.mark.parametrize("words", [2, 16, 17, 33, 500])
def test_a_tree_leads_to_every_word_once(words: int) -> None:
    places = np.tanh(np.random.default_rng(1).normal(size=(words, 2))) / 2
    graph = ring(words)
    found = forces_at(places, graph, ForceLaw(scale=0.2, opening=0.0))
    expected = reference.forces(reference.as_complex(places), graph, ForceLaw(scale=0.2))
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)


def test_words_that_are_far_away_count_as_one_place() -> None:
    """The sums are then nearly exact, also near the rim, and do not depend on threads."""
    random, words = np.random.default_rng(2), 2000
    angles, radii = random.uniform(0, 2 * np.pi, words), np.tanh(random.uniform(0, 6, words) / 2)
    places = np.column_stack((radii * np.cos(angles), radii * np.sin(angles)))
    exact, near, again = (
        forces_at(places, ring(words), ForceLaw(scale=0.3, opening=opening), 0.0, threads)
        for opening, threads in ((0.0, 2), (0.5, 2), (0.5, 1))
    )
    assert 0 < np.linalg.norm(near - exact) < 0.03 * np.linalg.norm(exact)
    assert near.tobytes() == again.tobytes()


def test_words_at_the_same_place_do_not_repel_each_other() -> None:
    assert not forces_at(np.zeros((40, 2)), ring(40), ForceLaw(scale=0.3)).any()


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
