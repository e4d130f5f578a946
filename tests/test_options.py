import re
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any

import numpy as np
import pytest
from facts import naming

from hyperskip.errors import OptionError
from hyperskip.options import Options, declarations, option
from hyperskip.text.options import TextOptions
from hyperskip.training.options import PRESETS, TrainingOptions, on_top_of
from hyperskip.training.trainer import split_options


@dataclass(frozen=True, kw_only=True)
class Example(Options):
    whole: int = option(1, int, "a whole number", at_least=1, at_most=9)
    real: float = option(0.5, float, "a number", above=0, at_most=1)
    name: str = option("a", str, "a name", choices=("a", "b"))
    flag: bool = option(False, bool, "a flag")
    maybe: float | None = option(None, float, "a number or nothing", at_least=0, optional=True)


@pytest.mark.parametrize(
    "good",
    [{"whole": 9}, {"real": 1}, {"real": 1e-300}, {"name": "b"}, {"flag": True}, {"maybe": 0.0}],
)
def test_values_inside_are_taken(good: dict[str, object]) -> None:
    (name, value), *_ = good.items()
    assert getattr(Example(**good), name) == value  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("bad", "allowed"),
    [
        ({"whole": 0}, (1, 9)),
        ({"whole": 10}, (1, 9)),
        ({"whole": 1.0}, (1, 9)),
        ({"whole": True}, (1, 9)),
        ({"whole": "1"}, (1, 9)),
        ({"whole": None}, (1, 9)),
        ({"real": 0}, (0, 1)),
        ({"real": float("nan")}, (0, 1)),
        ({"real": float("inf")}, (0, 1)),
        ({"name": "c"}, ("a", "b")),
        ({"flag": 1}, ("True", "False")),
        ({"maybe": -1.0}, (0,)),
    ],
)
def test_values_outside_are_refused_with_value_and_range(
    bad: dict[str, object], allowed: tuple[object, ...]
) -> None:
    ((name, value),) = bad.items()
    with pytest.raises(OptionError) as caught:
        Example(**bad)  # type: ignore[arg-type]
    assert re.search(naming(f"`{name}`", *allowed, repr(value)), caught.value.message)


def test_numpy_numbers_become_plain_ones() -> None:
    example = Example(whole=np.int64(3), real=np.float32(0.5))  # type: ignore[arg-type]
    assert type(example.whole) is int
    assert type(example.real) is float
    with pytest.raises(OptionError, match=naming("whole", 10**400)):
        Example(whole=10**400)


def test_bounds_are_shown_exactly() -> None:
    with pytest.raises(OptionError, match=naming("seed", -1, 9223372036854775807)):
        TrainingOptions(seed=-1)


def test_options_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        Example().whole = 2  # type: ignore[misc]


@pytest.mark.parametrize("group", [TextOptions, TrainingOptions])
def test_every_option_has_help_and_every_number_a_range(group: type[Options]) -> None:
    for name, declaration in declarations(group).items():
        assert declaration.help, name
        if declaration.kind in (int, float):
            assert declaration.limits is not None, name
            assert declaration.limits.at_most is not None, name


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
@pytest.mark.parametrize("changes", [{}, {"burn_in_epochs": 2}, {"tied": False}, {"tied": True}])
def test_options_survive_a_round_trip(geometry: str, changes: dict[str, Any]) -> None:
    options = TrainingOptions(geometry=geometry, **changes)
    assert TrainingOptions(**options.as_dict()) == options
    assert replace(options, seed=2).seed == 2


def test_what_depends_on_the_geometry_is_filled_in() -> None:
    hyperbolic = TrainingOptions()
    assert (hyperbolic.tied, hyperbolic.initial_deviation, hyperbolic.layer) == (True, 0.01, None)
    flat = TrainingOptions(geometry="euclidean")
    assert (flat.theta, flat.curvature, flat.initial_deviation) == (None, None, None)
    assert (flat.tied, flat.layer) == (False, "centers")
    assert TrainingOptions(threads=0).threads >= 1


@pytest.mark.parametrize(
    ("dimension", "theta", "curvature", "negatives"),
    [
        *[(1, 1.0, 0.5, 20), (5, 1.0, 0.5, 20), (20, 3.0, 0.5, 20), (50, 4.32, 0.2, 10)],
        *[(100, 5.32, 0.1, 10), (1000, 8.64, 0.01, 10), (4096, 10.68, 10 / 4096, 10)],
    ],
)
def test_what_depends_on_the_dimension_is_filled_in(
    dimension: int, theta: float, curvature: float, negatives: int
) -> None:
    options = TrainingOptions(dimension=dimension)
    assert (options.theta, options.curvature, options.negatives) == (theta, curvature, negatives)
    chosen = TrainingOptions(dimension=dimension, theta=3.0, curvature=1.0, negatives=4)
    assert (chosen.theta, chosen.curvature, chosen.negatives) == (3.0, 1.0, 4)


def test_subsampling_depends_on_the_length_of_the_text() -> None:
    assert TrainingOptions().with_usual_subsample(5_000_000).kept_share == 1e-5
    assert TrainingOptions().with_usual_subsample(4_999_999).kept_share == 1e-4
    assert TrainingOptions(subsample=0).with_usual_subsample(5_000_000).kept_share == 0


@pytest.mark.parametrize(
    "contradiction",
    [
        {"geometry": "euclidean", "factors": 2},
        {"geometry": "euclidean", "curvature": 0.5},
        {"factors": 3},
        {"factors": 2, "schedule": "pairwise"},
        {"layer": "centroid"},
        {"layer": "contexts", "tied": False, "freeze": True},
        {"geometry": "euclidean", "theta": 3.0},
        {"geometry": "euclidean", "learn_theta": True},
        {"rate": 0.01, "end_rate": 0.05},
        {"burn_in_rate": 0.1},
    ],
)
def test_contradictions_are_refused(contradiction: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        TrainingOptions(**contradiction)  # type: ignore[arg-type]


def test_the_paper_preset_is_appendix_a2() -> None:
    text, training, _ = split_options(on_top_of("paper", {}))
    assert (text.min_count, text.tokenizer) == (15, "paper")
    assert (training.window, training.negatives, training.subsample) == (10, 10, 1e-5)
    assert (training.theta, training.tied, training.initial_deviation) == (3.0, True, 0.01)
    assert (training.epochs, training.end_rate, training.max_step) == (3, 0.0, 1.0)
    assert (training.curvature, training.factors) == (1.0, 1)
    assert training.schedule == "pairwise"
    assert not training.shrink_window


def test_the_paper_preset_says_all_that_matters() -> None:
    """So that no default of ours gets into it."""
    left = ("geometry", "dimension", "rate", "seed", "device", "threads", "deterministic")
    others = ("locking", "freeze", "burn_in_rate")
    for geometry, without in (
        ("hyperboloid", {"layer"}),  # there is one vector a word
        ("euclidean", {"curvature", "theta", "initial_deviation"}),
    ):
        values = on_top_of("paper", {"geometry": geometry, "schedule": "window"})
        silent = set(declarations(TrainingOptions)) - set(values) - {*left, *others}
        assert silent == without


@pytest.mark.parametrize("name", PRESETS)
def test_presets_work_everywhere(name: str) -> None:
    for geometry in ("hyperboloid", "euclidean"):
        for schedule in ("window", "pairwise"):
            for tied in (True, False):
                chosen = {"geometry": geometry, "schedule": schedule, "tied": tied}
                _, training, _ = split_options(on_top_of(name, chosen))
                assert (training.geometry, training.tied) == (geometry, tied)


def test_what_is_chosen_goes_before_a_preset() -> None:
    chosen = {"theta": 4.0, "window": 2, "curvature": 0.5}
    assert chosen.items() <= on_top_of("paper", chosen).items()


def test_unknown_names_are_refused() -> None:
    with pytest.raises(OptionError, match=naming("preset", "papr", *PRESETS)):
        on_top_of("papr", {})
    with pytest.raises(OptionError, match=naming("dimensions", "dimension")):
        split_options({"dimensions": 3})
