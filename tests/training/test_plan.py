"""The plan of a training: what follows from options, text and device, and how it is stored."""

import warnings
from dataclasses import asdict, fields
from typing import Any

import numpy as np
import pytest
from facts import naming
from plans import corpus_of, planned

from hyperskip.devices import CPU, CUDA
from hyperskip.errors import OptionError, TrainingWarning
from hyperskip.options import declarations
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import TrainingPlan, plan_training
from hyperskip.training.settled_options import settled_options
from hyperskip.training.walk_options import WalkTrainingOptions

# The options that are stored in models and checkpoints.
STORED: dict[str, Any] = {
    "geometry": "hyperboloid", "schedule": "window", "dimension": 6, "factors": 1,
    "curvature": 0.25, "window": 7, "shrink_window": False, "distance_decay": 1.0, "negatives": 40,
    "shared_negatives": 128, "power": 0.45, "subsample": 0.001, "epochs": 3, "rate": 0.033,
    "rate_power": 0.2, "end_rate": 0.0, "burn_in_epochs": 0, "burn_in_rate": None, "theta": 0.39,
    "learn_theta": False, "max_step": 1.0, "tied": True, "layer": None,
    "initial_deviation": 0.01, "locking": False, "freeze": False, "deterministic": False,
    "device": "cpu", "threads": 1, "seed": 1,
}  # fmt: skip
STORED_FLAT = STORED | {
    "geometry": "euclidean", "curvature": None, "negatives": 20, "rate": 0.1, "theta": None,
    "tied": False, "layer": "centres", "initial_deviation": None,
}  # fmt: skip
STORED_PAIRWISE = STORED | {
    "schedule": "pairwise", "distance_decay": None, "shared_negatives": None, "rate": 0.05,
    "rate_power": None,
}  # fmt: skip


@pytest.mark.parametrize("stored", [STORED, STORED_FLAT, STORED_PAIRWISE])
def test_a_plan_is_stored_as_before(stored: dict[str, Any]) -> None:
    chosen = {"geometry", "schedule", "dimension", "subsample", "epochs", "rate", "threads"}
    plan = planned(**{name: stored[name] for name in chosen})
    now = stored | {"layer": stored["layer"] and "centers"}
    assert plan.as_options(with_threads=True) == now
    assert list(plan.as_options(with_threads=True)) == list(stored)
    assert "threads" not in plan.as_options(with_threads=False)


@pytest.mark.parametrize("stored", [STORED, STORED_FLAT, STORED_PAIRWISE])
def test_stored_options_make_the_same_plan(stored: dict[str, Any]) -> None:
    plan = planned(**stored)
    assert planned(**plan.as_options(with_threads=True)) == plan


def test_a_plan_has_every_option_and_leaves_none_open() -> None:
    names = [field.name for field in fields(TrainingPlan)]
    assert names == [*declarations(TrainingOptions), "subwords"]
    for options in ({}, {"geometry": "euclidean"}, {"schedule": "pairwise"}):
        plan = planned(**options)
        for name in declarations(TrainingOptions):
            assert type(getattr(plan, name)) is TrainingPlan.__dataclass_fields__[name].type, name


def test_defaults_depend_on_the_geometry() -> None:
    curved, flat = planned(dimension=50), planned(geometry="euclidean")
    assert (curved.tied, curved.initial_deviation) == (True, 0.01)
    assert (flat.tied, flat.layer, flat.sharpness) == (False, "centers", 1.0)
    assert (flat.theta, flat.initial_deviation) == (0.0, 0.0)
    assert planned(threads=0).threads >= 1


@pytest.mark.parametrize(
    ("dimension", "theta", "curvature", "negatives"),
    [
        *[(1, 0.0, 0.25, 40), (5, 0.0, 0.25, 40), (10, 1.5, 0.25, 40), (20, 3.0, 0.25, 40)],
        *[(50, 4.32, 0.14, 20), (100, 5.32, 0.07, 20), (1000, 6.19, 0.007, 20)],
        (4096, 6.19, 7 / 4096, 20),
    ],
)
def test_defaults_depend_on_the_dimension(
    dimension: int, theta: float, curvature: float, negatives: int
) -> None:
    plan = planned(dimension=dimension)
    assert (plan.theta, plan.curvature, plan.negatives) == (theta, curvature, negatives)
    chosen = planned(dimension=dimension, theta=3.0, curvature=1.0, negatives=4)
    assert (chosen.theta, chosen.curvature, chosen.negatives) == (3.0, 1.0, 4)


def test_contexts_of_small_vocabularies_have_the_same_weight() -> None:
    def decay(words: int, **options: Any) -> float:
        return plan_training(TrainingOptions(**options), corpus_of([2], words), CPU).distance_decay

    assert (decay(9_999), decay(10_000)) == (0.0, 1.0)
    assert decay(9_999, distance_decay=0.5) == decay(10_000, distance_decay=0.5) == 0.5
    assert decay(10_000, schedule="pairwise") == 0.0


def test_walks_have_defaults_of_their_own() -> None:
    plan = plan_training(WalkTrainingOptions(dimension=20), corpus_of([2], 40_000), CPU)
    assert (plan.theta, plan.curvature, plan.negatives, plan.power) == (1.5, 0.5, 20, 0.5)
    assert (plan.distance_decay, plan.rate_power) == (0.0, 0.0)


def test_subsampling_depends_on_the_text() -> None:
    def subsample(tokens: int, words: int, **options: Any) -> float:
        text = corpus_of([tokens], words)
        return plan_training(TrainingOptions(**options), text, CPU).subsample

    assert (subsample(5_000_000, 40_000), subsample(4_999_999, 40_000)) == (1e-5, 1e-4)
    assert subsample(5_000_000, 500) == subsample(1000, 500) == 6e-4
    with pytest.warns(TrainingWarning, match=naming("subsample", 1e-5)):
        assert subsample(5_000, 500, subsample=1e-5) == 1e-5
    assert subsample(5_000_000, 40_000, subsample=0) == 0


@pytest.mark.parametrize(
    ("words", "theta"), [(2, 0.0), (256, 0.0), (500, 0.82), (5000, 3.64), (20_000, 5.32)]
)
def test_the_default_theta_depends_on_the_vocabulary(words: int, theta: float) -> None:
    def planned_theta(**options: Any) -> float:
        return plan_training(TrainingOptions(**options), corpus_of([2], words), CPU).theta

    assert planned_theta() == theta
    assert planned_theta(dimension=10) == min(1.5, theta)
    assert planned_theta(theta=4.0) == 4.0
    assert planned_theta(geometry="euclidean") == 0.0


def test_the_default_rate_depends_on_the_contexts() -> None:
    def rate(length: int, **options: Any) -> float:
        text = corpus_of([length] * 10)
        return plan_training(TrainingOptions(subsample=0, **options), text, CPU).rate

    assert rate(2) == 0.08
    assert rate(1000, window=4) == pytest.approx(0.02, rel=0.01)
    assert rate(1000, window=4, shrink_window=True) == pytest.approx(0.032, rel=0.01)
    assert rate(1000, window=4, geometry="euclidean") == pytest.approx(0.0625, rel=0.02)
    assert rate(1000, window=4, distance_decay=1.0) == pytest.approx(0.08 / (25 / 12), rel=0.02)
    assert (rate(2, dimension=5), rate(2, dimension=9)) == (0.04, 0.072)
    assert rate(2, dimension=5, geometry="euclidean") == 0.25
    assert rate(1000, schedule="pairwise") == 0.05
    with pytest.raises(OptionError, match=naming("end_rate", 0.5, 0.08, "rate")):
        rate(2, end_rate=0.5)


def test_the_burn_in_has_the_learning_rate() -> None:
    assert planned(burn_in_epochs=1).burn_in_rate == planned().rate
    assert planned(burn_in_epochs=1, rate=0.02).burn_in_rate == 0.02
    assert planned(burn_in_epochs=1, burn_in_rate=0.3).burn_in_rate == 0.3
    assert planned(burn_in_epochs=1).as_options(with_threads=False)["burn_in_rate"] == 0.08


def test_what_needs_a_text_is_not_settled_without_one() -> None:
    values = asdict(settled_options(TrainingOptions(burn_in_epochs=1)))
    assert {name for name, value in values.items() if value is None} == {
        *("distance_decay", "subsample", "rate", "burn_in_rate", "layer"),
    }
    assert settled_options(TrainingOptions(schedule="pairwise")).rate == 0.05


def test_a_warning_about_the_rate_points_at_the_caller() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        plan_training(TrainingOptions(rate=5.0), corpus_of([2]), CPU)
    (warning,) = caught
    assert warning.category is TrainingWarning
    assert warning.filename == __file__


def test_threads_matter_where_they_race() -> None:
    assert planned().threads_matter
    assert not planned(deterministic=True).threads_matter
    assert not planned(device=CUDA).threads_matter


def test_kernels_get_the_settings_of_the_plan() -> None:
    from hyperskip.training.kernel_settings import cpu_settings

    settings = cpu_settings(planned(factors=4, curvature=0.25, negatives=25), burn_in=False)
    assert (settings.hyperbolic, settings.dimension, settings.sharpness) == (True, 25, 4.0)
    assert np.isscalar(settings.max_step)
    assert cpu_settings(planned(negatives=25), burn_in=True).negatives == 2
    assert cpu_settings(planned(negatives=5), burn_in=True).negatives == 1
