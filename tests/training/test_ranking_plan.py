"""The plan of `ranking`: defaults for a graph, and what contradicts."""

import math
from typing import Any

import pytest
from facts import naming

from hyperskip.devices import CPU, CUDA
from hyperskip.errors import OptionError
from hyperskip.options import declarations
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import RankingPlan, plan_ranking


def planned(nodes: int = 82_115, edges: int = 743_241, **options: Any) -> RankingPlan:
    return plan_ranking(RankingOptions(**options), nodes=nodes, edges=edges)


def test_every_option_is_stored_in_the_order_of_its_declaration() -> None:
    plan = planned(threads=3)
    assert list(plan.as_options(with_threads=True)) == list(declarations(RankingOptions))
    assert "threads" not in plan.as_options(with_threads=False)
    assert planned(geometry="euclidean").as_options(with_threads=False)["curvature"] is None


def test_sharpness_follows_from_the_curvature() -> None:
    assert planned(curvature=0.25).sharpness == 2.0
    assert planned(geometry="euclidean").sharpness == 1.0


def test_small_graphs_have_small_batches_and_few_negative_samples() -> None:
    large, small = planned(), planned(nodes=160, edges=3200)
    assert (large.batch, large.negatives) == (16384, 200)
    assert (small.batch, small.negatives) == (100, 40)
    assert planned(nodes=2, edges=1).negatives == 1
    assert planned(nodes=160, edges=3200, batch=7, negatives=50).batch == 7


def test_a_block_has_sixteen_batches() -> None:
    assert planned(batch=100).block_size.largest == 2 * 16 * 100


def test_the_loss_of_guessing_is_that_of_equal_scores() -> None:
    assert planned(negatives=9).loss_of_guessing(burn_in=False) == pytest.approx(math.log(10))
    assert planned().starts_by_guessing
    assert not planned(initial_deviation=1.0).starts_by_guessing


def test_the_cpu_is_always_deterministic() -> None:
    assert plan_ranking(RankingOptions(), device=CPU).deterministic
    assert not plan_ranking(RankingOptions(), device=CUDA).deterministic
    assert not planned().threads_matter


def test_the_rate_falls_linearly() -> None:
    plan = planned(epochs=4, rate=0.8, end_rate=0.4)
    assert plan.rate_at(0, 0.0) == 0.8
    assert plan.rate_at(2, 0.0) == pytest.approx(0.6)
    assert plan.rate_at(3, 1.0) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"curvature": 0.1, "geometry": "euclidean"}, ("curvature", "geometry")),
        ({"rate": 0.1, "end_rate": 0.2}, ("end_rate", 0.2, "rate", 0.1)),
        ({"end_rate": 0.5}, ("end_rate", 0.5, "rate")),
        ({"negatives": 0}, ("negatives", 0)),
        ({"batch": 0}, ("batch", 0)),
        ({"dimension": 1.5}, ("dimension", 1.5)),
        ({"window": 5}, ("window",)),
    ],
)
def test_contradictions_are_refused(options: dict[str, Any], facts: tuple[object, ...]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        RankingOptions(**options)
