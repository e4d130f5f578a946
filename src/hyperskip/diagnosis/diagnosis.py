"""The whole examination; whatever is broken becomes a problem, and never an error.

Errors are what makes training or a chosen setting fail: a required package that is missing or has a
wrong version, kernels that cannot be compiled, and a variable that names something unusable.
Everything else is a warning, such as a cache that cannot be written.
"""

import platform
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

from hyperskip.diagnosis.caches import CACHES, Cache
from hyperskip.diagnosis.computer import Computer, examine_computer
from hyperskip.diagnosis.packages import (
    Extra,
    Package,
    extras,
    required_packages,
    requirements,
)
from hyperskip.diagnosis.problems import ERROR, WARNING, Problems
from hyperskip.diagnosis.speed import Speed, measure_speed
from hyperskip.version import VERSION

_UPGRADE = "pip install --upgrade hyperskip"


@dataclass(frozen=True)
class Diagnosis:
    """What was found.

    Attributes:
        version: The version of hyperskip.
        folder: The folder that hyperskip is imported from.
        python: The version of Python.
        executable: The program that runs it.
        system: The operating system and the processor.
        packages: What hyperskip requires.
        extras: Its extras for users.
        computer: The devices; None if they could not be examined.
        caches: The folders with what can be made or downloaded again, by their contents.
        speed: The result of a short training; None if it failed or was left out.
        problems: What is wrong.
    """

    version: str
    folder: str
    python: str
    executable: str
    system: str
    packages: tuple[Package, ...]
    extras: tuple[Extra, ...]
    computer: Computer | None
    caches: dict[str, Cache]
    speed: Speed | None
    problems: Problems

    def as_dict(self) -> dict[str, Any]:
        """All facts, for JSON."""
        facts = asdict(self)
        for extra, fields in zip(self.extras, facts["extras"], strict=True):
            fields |= {"state": extra.state, "command": extra.command}
        return facts


def diagnose(*, speed: bool = True) -> Diagnosis:
    """Examine this installation of hyperskip, and the machine.

    Args:
        speed: Whether to train for some seconds.
    """
    problems = Problems()
    packages, optional = _examine_packages(problems)
    computer = problems.caught(
        "the device could not be examined",
        lambda: examine_computer(problems),
        "check the installation of PyTorch, or use the CPU: --device cpu",
    )
    _examine_settings(problems)
    measured = None
    if speed:
        measured = problems.caught("training failed", measure_speed)
    return Diagnosis(
        version=VERSION,
        folder=str(Path(__file__).parents[1]),
        python=platform.python_version(),
        executable=sys.executable,
        system=platform.platform(),
        packages=packages,
        extras=optional,
        computer=computer,
        caches=_examine_caches(problems),
        speed=measured,
        problems=problems,
    )


def _examine_packages(problems: Problems) -> tuple[tuple[Package, ...], tuple[Extra, ...]]:
    try:
        lines = requirements()
    except PackageNotFoundError:
        message = "hyperskip is not installed, so it is unknown which packages it requires"
        problems.add(WARNING, message, "pip install -e . in the folder of the sources")
        return (), ()
    topic = "the packages could not be examined"
    packages = problems.caught(topic, lambda: required_packages(lines))
    if packages is None:
        return (), ()
    for package in packages:
        if package.installed is None:
            problems.add(ERROR, f"the package {package.name} is missing", _UPGRADE)
        elif not package.fits:
            message = f"{package} does not fit: {package.required} is required"
            problems.add(ERROR, message, _UPGRADE)
        else:
            problems.caught(f"{package.name} cannot be loaded", package.load)
    return tuple(packages), tuple(extras(lines))


def _examine_settings(problems: Problems) -> None:
    """Use what the environment variables of hyperskip name."""

    def use_data() -> None:
        from hyperskip.evaluation.known_sets import SIMILARITY_SETS
        from hyperskip.evaluation.set_files import check_folder

        check_folder(SIMILARITY_SETS, None)

    def use_models() -> None:
        from hyperskip.vectors.model_registry import named_models

        named_models()

    settings: dict[str, Callable[[], None]] = {
        "evaluation sets cannot be found": use_data,
        "models cannot be found by their names": use_models,
    }
    for topic, use in settings.items():
        problems.caught(topic, use)


def _examine_caches(problems: Problems) -> dict[str, Cache]:
    found = {}
    for name, examine in CACHES.items():
        topic = f"the cache of {name} could not be examined"
        advice = "check the folder, and the variable HOME"
        cache = problems.caught(topic, examine, advice, WARNING)
        if cache is None:
            continue
        found[name] = cache
        if cache.why_read_only is not None:
            message = f"the cache of {name} cannot be written: {cache.why_read_only}"
            problems.add(WARNING, message, cache.advice)
    return found
