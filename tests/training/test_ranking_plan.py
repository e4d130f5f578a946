"""The plan of `ranking`: defaults for a graph, and what contradicts."""

import math
from typing import Any

import pytest
from facts import naming

from hyperskip.devices import CPU
from hyperskip.errors import OptionError
from hyperskip.options import declarations
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import RankingPlan, plan_ranking


def planned(
    *, nodes: int = 82_115, lists: int = 90_000, start_radius: float = 0.0, **options: Any
) -> RankingPlan:
    return plan_ranking(
        RankingOptions(**options), CPU, nodes=nodes, lists=lists, start_radius=start_radius
    )


def test_every_option_is_stored() -> None:
    plan = planned(threads=3)
    assert plan.as_options(with_threads=True).keys() >= declarations(RankingOptions).keys()
    assert "threads" not in plan.as_options(with_threads=False)
    flat = planned(geometry="euclidean").as_options(with_threads=False)
    assert (flat["curvature"], flat["max_radius"]) == (None, None)


def test_sharpness_follows_from_the_curvature() -> None:
    assert planned(curvature=0.25).sharpness == 2.0
    assert planned(geometry="euclidean").sharpness == 1.0


def test_small_graphs_have_small_batches_few_samples_and_many_epochs() -> None:
    large, small = planned(), planned(nodes=160, lists=159)
    assert large.batch > small.batch
    assert large.negatives > small.negatives == 160
    assert large.epochs < small.epochs
    chosen = planned(nodes=160, lists=159, batch=7, negatives=50, epochs=3)
    assert (chosen.batch, chosen.negatives, chosen.epochs) == (7, 50, 3)


def test_the_ceiling_rises_to_the_largest_radius() -> None:
    plan = planned(max_radius=6.0, epochs=10)
    ceilings = [plan.ceiling_at(epoch, 0.5) for epoch in range(10)]
    assert ceilings == sorted(ceilings)
    assert ceilings[0] < 2.0
    assert plan.ceiling_at(9, 1.0) == 6.0
    assert planned(start_radius=20.0).ceiling_at(0, 0.0) == 20.0  # nodes of a model do not fall
    assert planned(geometry="euclidean").ceiling_at(0, 0.0) == math.inf


def test_fewer_dimensions_need_more_room() -> None:
    radii = [planned(dimension=dimension).max_radius for dimension in (2, 3, 5, 10, 100)]
    assert radii == sorted(radii, reverse=True)


def test_the_loss_of_guessing_is_that_of_equal_scores() -> None:
    assert planned(negatives=9).loss_of_guessing(burn_in=False) == pytest.approx(math.log(10))
    assert planned().starts_by_guessing
    assert planned(geometry="euclidean").starts_by_guessing
    assert not planned(initial_deviation=1.0).starts_by_guessing
    assert not planned(dimension=2, start_radius=9.0).starts_by_guessing


def test_threads_never_matter() -> None:
    assert planned(deterministic=False).deterministic
    assert not planned().threads_matter


def test_the_rate_grows_for_a_moment_and_falls_linearly() -> None:
    plan = planned(epochs=100, rate=0.8, end_rate=0.4)
    assert 0.0 < plan.rate_at(0, 0.0) < plan.rate_at(1, 0.0) < plan.rate_at(2, 0.0)
    assert plan.rate_at(50, 0.0) == pytest.approx(0.6)
    assert plan.rate_at(99, 1.0) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"curvature": 0.1, "geometry": "euclidean"}, ("curvature", "geometry")),
        ({"max_radius": 5.0, "geometry": "euclidean"}, ("max_radius", "geometry")),
        ({"rate": 0.1, "end_rate": 0.2}, ("end_rate", 0.2, "rate", 0.1)),
        ({"end_rate": 0.5}, ("end_rate", 0.5, "rate")),
        ({"negatives": 0}, ("negatives", 0)),
        ({"batch": 0}, ("batch", 0)),
        ({"max_radius": 18.0}, ("max_radius", 18)),
        ({"dimension": 1.5}, ("dimension", 1.5)),
        ({"window": 5}, ("window",)),
    ],
)
def test_contradictions_are_refused(options: dict[str, Any], facts: tuple[object, ...]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        RankingOptions(**options)
