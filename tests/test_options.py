import re
from dataclasses import FrozenInstanceError, dataclass, replace
from typing import Any

import numpy as np
import pytest
from facts import naming

from hyperskip.errors import OptionError
from hyperskip.options import Options, declarations, option
from hyperskip.text.options import TextOptions
from hyperskip.training.arguments import split_options
from hyperskip.training.options import TrainingOptions, with_current_options
from hyperskip.training.presets import PRESETS, with_preset


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
    with pytest.raises(OptionError, match=naming("whole", 1, 9)) as caught:
        Example(whole=10**400)
    assert len(caught.value.message) < 200
    with pytest.raises(OptionError, match=naming("real", 0, 1)):
        Example(real=10**400)


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


def test_options_hold_only_what_was_chosen() -> None:
    options = TrainingOptions(rate=0.1, tied=False)
    assert options.chosen() == {"rate": 0.1, "tied": False}
    assert repr(options) == "TrainingOptions(rate=0.1, tied=False)"
    assert repr(TrainingOptions()) == "TrainingOptions()"
    assert options.with_defaults()["dimension"] == 100
    assert options.with_defaults()["theta"] is None  # a rule decides


def test_every_option_has_a_default_or_a_rule_in_words() -> None:
    for name, declaration in declarations(TrainingOptions).items():
        assert declaration.optional, name
        assert (declaration.default is None) == bool(declaration.rule), name


def test_choices_that_were_renamed_are_still_accepted() -> None:
    assert TrainingOptions(layer="centres", tied=False).layer == "centers"
    stored = {"layer": "centres", "tied": False, "column": "centres", "old": [1]}
    assert with_current_options(stored) == stored | {"layer": "centers"}


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
        {"rate": None, "end_rate": 0.06, "schedule": "pairwise"},
        {"burn_in_rate": 0.1},
        {"locking": True},
        {"deterministic": True, "schedule": "pairwise"},
        {"shared_negatives": 9, "schedule": "pairwise"},
    ],
)
def test_contradictions_are_refused(contradiction: dict[str, object]) -> None:
    with pytest.raises(OptionError):
        TrainingOptions(**contradiction)  # type: ignore[arg-type]


def test_the_paper_preset_is_appendix_a2() -> None:
    text, training, *_ = split_options(with_preset("paper", {}))
    assert (text.min_count, text.tokenizer) == (15, "paper")
    assert (training.window, training.negatives, training.subsample) == (10, 10, 1e-5)
    assert (training.theta, training.tied, training.initial_deviation) == (3.0, True, 0.01)
    assert (training.epochs, training.end_rate, training.max_step) == (3, 0.0, 1.0)
    assert (training.curvature, training.factors) == (1.0, 1)
    assert training.schedule == "pairwise"
    assert not training.shrink_window


def test_the_paper_preset_says_all_that_matters() -> None:
    """A change of our defaults must not change the preset."""
    left = ("geometry", "dimension", "rate", "seed", "device", "threads", "deterministic")
    others = ("locking", "freeze", "burn_in_rate")
    for geometry, without in (
        ("hyperboloid", {"layer"}),  # each word has one vector
        ("euclidean", {"curvature", "theta", "initial_deviation"}),
    ):
        values = with_preset("paper", {"geometry": geometry, "schedule": "window"})
        silent = set(declarations(TrainingOptions)) - set(values) - {*left, *others}
        assert silent == without


@pytest.mark.parametrize("name", PRESETS)
def test_presets_work_everywhere(name: str) -> None:
    for geometry in ("hyperboloid", "euclidean"):
        for schedule in ("window", "pairwise"):
            for tied in (True, False):
                chosen = {"geometry": geometry, "schedule": schedule, "tied": tied}
                _, training, *_ = split_options(with_preset(name, chosen))
                assert (training.geometry, training.tied) == (geometry, tied)


def test_what_is_chosen_goes_before_a_preset() -> None:
    chosen = {"theta": 4.0, "window": 2, "curvature": 0.5}
    assert chosen.items() <= with_preset("paper", chosen).items()


def test_unknown_names_are_refused() -> None:
    with pytest.raises(OptionError, match=naming("preset", "papr", *PRESETS)):
        with_preset("papr", {})
    with pytest.raises(OptionError, match=naming("dimensions", "dimension")):
        split_options({"dimensions": 3})
