"""The kernels of ranking, on the CPU and on a GPU, do the same as the reference."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from interpreted_kernels import need_triton
from ranking_samples import CEILINGS, RATES, SEED, Sample, sample

from hyperskip.devices import CPU, CUDA
from hyperskip.training.backend import Backend
from hyperskip.training.kernel_settings import ranking_settings
from hyperskip.training.objective.ranking import GROUP, train_batches
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.ranking_state import steps_of

CASES = [
    pytest.param({"geometry": "hyperboloid", "scale": 0.01}, id="near the base point"),
    pytest.param({"geometry": "hyperboloid", "weighted": True}, id="weighted"),
    pytest.param({"geometry": "hyperboloid", "negatives": 500}, id="all nodes are samples"),
    pytest.param({"geometry": "hyperboloid", "dimension": 2, "scale": 8.0}, id="far out"),
    pytest.param({"geometry": "hyperboloid", "dimension": 17}, id="seventeen dimensions"),
    pytest.param({"geometry": "euclidean"}, id="euclidean"),
    pytest.param(
        {"geometry": "hyperboloid", "dimension": 2, "lists": GROUP + 3, "batch": GROUP + 3},
        id="two groups",
    ),
]
DEVICES = pytest.mark.parametrize("device", [CPU, CUDA])


def backend(
    given: Sample, state: Parameters | None = None, fixed: npt.NDArray[np.bool_] | None = None
) -> Backend:
    """The backend of the device of the plan, before training or with a state of it."""
    start = state or InitialParameters(given.points, None, 0.0)
    fixed = given.nodes().fixed.astype(np.bool_) if fixed is None else fixed
    if given.plan.device == CPU:
        from hyperskip.training.cpu.ranking_backend import RankingBackend

        on_cpu = RankingBackend(start, given.plan, fixed, given.levels)
        on_cpu.compile()
        return on_cpu
    need_triton()
    from hyperskip.training.gpu.ranking_backend import GpuRankingBackend

    return GpuRankingBackend(start, given.plan, fixed, given.levels)


def train(trained: Backend, given: Sample, times: int = 1) -> float:
    """Train on the lists several times; returns the loss of the last time."""
    for _ in range(times):
        outcome = trained.train_block(
            given.lists, RATES, SEED, worker=0, burn_in=False, ceilings=CEILINGS
        )
    return outcome.loss


@DEVICES
@pytest.mark.parametrize("case", CASES)
def test_kernels_agree_with_the_reference(device: str, case: dict[str, Any]) -> None:
    check_against_reference(sample(**case, device=device))


def test_a_program_may_have_several_chunks_of_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    need_triton()
    from hyperskip.training.gpu import ranking_backend

    monkeypatch.setattr(ranking_backend, "_MOST_PARTS", 1)
    check_against_reference(sample("hyperboloid", device=CUDA))


def check_against_reference(given: Sample) -> None:
    """Train with the kernels and with the reference, and compare the states of all nodes."""
    expected = given.nodes()
    settings = ranking_settings(given.plan)
    lists = given.lists.shuffled(SEED)
    for _ in range(2):  # nodes that had no gradient the first time make up for missed steps
        steps = steps_of(expected.moments)
        loss = train_batches(expected, lists, settings, RATES, CEILINGS, int(SEED), steps)
    trained = backend(given)
    assert train(trained, given, times=2) == pytest.approx(loss, rel=1e-5)
    result = trained.parameters()
    assert result.moments is not None
    scale = max(1.0, float(np.abs(given.points).max()))
    np.testing.assert_allclose(result.centers, expected.points, atol=2e-5 * scale)
    moved = expected.fixed == 0
    largest = np.maximum(np.abs(expected.moments).max(axis=0), 1e-30)
    moments, expected_moments = result.moments[moved], expected.moments[moved]
    np.testing.assert_allclose(moments / largest, expected_moments / largest, rtol=1e-4, atol=2e-5)
    assert (result.centers[~moved] == given.points[~moved]).all()


@DEVICES
def test_no_node_passes_its_ceiling(device: str) -> None:
    given = sample("hyperboloid", dimension=3, scale=20.0, device=device)
    trained = backend(given)
    train(trained, given, times=2)
    radii = np.arcsinh(np.linalg.norm(trained.parameters().centers.astype(np.float64), axis=1))
    moved = np.setdiff1d(given.lists.sources, np.arange(5))
    assert (radii[moved] <= CEILINGS[1] * given.levels[moved] + 1e-4).all()


def test_the_number_of_threads_does_not_matter() -> None:
    results = []
    for threads in (1, 2):
        given = sample("hyperboloid", threads=threads, lists=8 * GROUP, batch=4 * GROUP)
        trained = backend(given)
        train(trained, given, times=3)
        results.append(trained.parameters())
    first, second = results
    assert first.moments is not None
    assert second.moments is not None
    assert (first.centers == second.centers).all()
    assert (first.moments == second.moments).all()


@DEVICES
def test_a_copied_state_continues_with_the_same_bytes(device: str) -> None:
    given = sample("hyperboloid", device=device)
    whole = backend(given)
    train(whole, given, times=2)
    half = backend(given)
    train(half, given)
    resumed = backend(given, half.parameters())
    train(resumed, given)
    assert (resumed.parameters().centers == whole.parameters().centers).all()


@DEVICES
def test_steps_of_fixed_nodes_are_counted(device: str) -> None:
    """The second list of targets has fixed nodes only, so that no node moves in the last step."""
    given = sample("hyperboloid", device=device, negatives=1, lists=2, batch=1)
    fixed = np.arange(len(given.points)) != given.lists.shuffled(SEED).sources[0]
    trained = backend(given, fixed=fixed)
    train(trained, given)
    state = trained.parameters()
    assert state.moments is not None
    assert (state.moments[fixed, -1] == 2).all()
    assert state.moments[~fixed, -1] == 1


@DEVICES
def test_the_loss_of_a_very_far_target_is_finite(device: str) -> None:
    given = sample("hyperboloid", scale=20.0, curvature=1e-4, device=device)
    assert np.isfinite(train(backend(given), given))


@DEVICES
def test_placed_nodes_are_trained_from_their_new_position(device: str) -> None:
    given = sample("hyperboloid", device=device)
    moved = backend(given)
    nodes = np.arange(len(given.points))
    elsewhere = given.points[::-1].copy()
    placed = np.concatenate((elsewhere, given.nodes().moments), axis=1)[None]
    moved.place(nodes, placed)
    assert (moved.coordinates(slice(None)) == placed).all()
    direct = backend(given._replace(points=elsewhere))
    assert train(moved, given) == train(direct, given)
