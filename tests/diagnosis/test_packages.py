"""Required packages and extras follow from the metadata of hyperskip."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from hyperskip.diagnosis import diagnosis, packages
from hyperskip.diagnosis.diagnosis import diagnose
from hyperskip.diagnosis.packages import COMPLETE, EXTRAS, MISSING, PARTLY, Package

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LINES = [
    "numpy>=2.0",
    "numba>=999",
    "nothing-of-the-kind",
    "backports-zstd>=1.0; python_version < '3'",
    "numpy; extra == 'learn'",
    "regex; extra == 'parquet'",
    "typer>=999; extra == 'gpu'",
    "regex; extra == 'gpu'",
    "regex; extra == 'hub'",
    "no-such-package; extra == 'hub'",
    "no-such-package; extra == 'wikipedia'",
    "no-such-package; extra == 'dev'",
]


def test_versions_are_compared_with_what_is_required() -> None:
    numpy, numba, nothing = packages.required_packages(LINES)
    assert (numpy.required, numpy.fits) == (">=2.0", True)
    assert (numba.required, numba.fits) == (">=999", False)
    assert numba.installed is not None
    assert nothing == Package("nothing-of-the-kind", "", None, fits=False)


def test_extras_are_complete_or_not() -> None:
    found = {extra.name: extra for extra in packages.extras(LINES)}
    assert {name: extra.state for name, extra in found.items()} == {
        "parquet": COMPLETE,
        "gpu": PARTLY,
        "hub": PARTLY,
        "wikipedia": MISSING,
    }
    assert found["parquet"].command == ""
    assert found["gpu"].command == "pip install --upgrade 'hyperskip[gpu]'"
    assert found["hub"].command == "pip install 'hyperskip[hub]'"
    assert found["wikipedia"].command == "pip install 'hyperskip[wikipedia]'"


def test_the_extras_are_those_of_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert list(EXTRAS) == [
        name for name in re.findall(r"hyperskip\[(\w+)\]", text) if name != "all"
    ]
    assert set(EXTRAS) <= set(PROJECT["optional-dependencies"])
    (everything,) = PROJECT["optional-dependencies"]["all"]
    assert set(re.findall(r"\w+", everything)) - {"hyperskip"} < set(EXTRAS)


def test_required_packages_can_be_loaded_by_their_names() -> None:
    for package in packages.required_packages(PROJECT["dependencies"]):
        package.load()


def test_wrong_packages_are_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "requirements", lambda: LINES)
    found = diagnose(speed=False)
    messages = [problem.message for problem in found.problems]
    assert len(messages) == 2
    assert re.match(r"numba \S+ does not fit: >=999 is required", messages[0])
    assert messages[1] == "the package nothing-of-the-kind is missing"
    assert found.problems.are_serious


def test_sources_that_are_not_installed_are_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: str) -> None:
        raise PackageNotFoundError("hyperskip")

    monkeypatch.setattr("importlib.metadata.requires", fail)
    found = diagnose(speed=False)
    assert not found.packages
    assert not found.problems.are_serious
    assert "not installed" in found.problems[0].message
