"""Presets: sets of option values with a name."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hyperskip.geometry.names import EUCLIDEAN, HYPERBOLOID
from hyperskip.options import Declaration, declarations
from hyperskip.training.options import CENTERS, PAIRWISE, WINDOW, TrainingOptions


@dataclass(frozen=True)
class Preset:
    """Option values with a name.

    Args:
        always: Values that do not depend on other options.
        conditional: Values that depend on another option: the name of that option, its value, and
            the option values that apply then.
    """

    always: Mapping[str, Any] = field(default_factory=dict)
    conditional: tuple[tuple[str, Any, Mapping[str, Any]], ...] = ()


PRESETS = {
    "default": Preset(),
    # Appendix A.2. What the paper does not mention (power, full window) is taken from the authors'
    # program. Every value that influences the vectors is listed, so that a change of our defaults
    # does not change the preset.
    "paper": Preset(
        {
            "schedule": PAIRWISE,
            "min_count": 15,
            "tokenizer": "paper",
            "factors": 1,
            "window": 10,
            "shrink_window": False,
            "negatives": 10,
            "power": 0.5,
            "subsample": 1e-5,
            "epochs": 3,
            "burn_in_epochs": 0,
            "end_rate": 0.0,
            "learn_theta": False,
            "max_step": 1.0,
        },
        conditional=(
            (
                "geometry",
                HYPERBOLOID,
                {"curvature": 1.0, "theta": 3.0, "tied": True, "initial_deviation": 0.01},
            ),
            ("geometry", EUCLIDEAN, {"tied": False}),
            (
                "schedule",
                WINDOW,
                {"shared_negatives": 128, "distance_decay": 0.0, "rate_power": 0.0},
            ),
            ("tied", False, {"layer": CENTERS}),
        ),
    ),
}


PRESET = Declaration(
    kind=str,
    help="set of default values: hyperskip's own (default), or those of the paper's appendix A.2 "
    "(paper)",
    default="default",
    choices=tuple(PRESETS),
)


def with_preset(name: str, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Add the values of a preset to chosen ones, which win.

    Raises:
        OptionError: There is no preset of this name.
    """
    PRESET.checked("preset", name)
    values = dict(PRESETS[name].always) | dict(chosen)
    declared = declarations(TrainingOptions)
    for option_name, value, belonging in PRESETS[name].conditional:
        if values.get(option_name, declared[option_name].default) == value:
            values = dict(belonging) | values
    return values
