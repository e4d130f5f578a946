"""The packages that hyperskip requires, as its own metadata names them, and what is installed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import TYPE_CHECKING

from hyperskip.errors import install_command, upgrade_command

if TYPE_CHECKING:
    from packaging.requirements import Requirement

NAME = "hyperskip"
COMPLETE, PARTLY, MISSING = "complete", "partly", "missing"

# The extras for users, in the order of README.md, and what each is for.
EXTRAS = {
    "learn": "scikit-learn",
    "pictures": "png and svg pictures",
    "explorer": "the explorer in the browser",
    "wikipedia": "Wikipedia dumps",
    "parquet": "Parquet files",
    "segmentation": "words of Chinese, Japanese or Thai",
    "hub": "models on Hugging Face",
    "gpu": "training on an NVIDIA GPU",
    "cluster": "training on a Ray cluster",
}


@dataclass(frozen=True)
class Package:
    """A package that hyperskip, or one of its extras, requires.

    Attributes:
        name: The name of the package.
        required: The versions that are allowed, such as ">=2.0"; empty if all are.
        installed: The version that is installed; None if there is none.
        fits: Whether the installed version is allowed.
    """

    name: str
    required: str
    installed: str | None
    fits: bool

    def __str__(self) -> str:
        return f"{self.name} {self.installed or 'is missing'}"

    def load(self) -> None:
        """Import the package, as the required ones are named: backports-zstd is backports.zstd.

        Raises:
            ImportError: It is damaged, or made for another machine; other errors are possible, too.
        """
        import_module(self.name.replace("-", "."))


@dataclass(frozen=True)
class Extra:
    """An extra of hyperskip.

    Attributes:
        name: The name of the extra.
        purpose: What it is for.
        packages: What it installs.
    """

    name: str
    purpose: str
    packages: tuple[Package, ...]

    @property
    def state(self) -> str:
        """COMPLETE, PARTLY or MISSING."""
        if all(package.fits for package in self.packages):
            return COMPLETE
        installed = [package for package in self.packages if package.installed is not None]
        return PARTLY if installed else MISSING

    @property
    def command(self) -> str:
        """The command that completes it; empty if it is complete."""
        if self.state == COMPLETE:
            return ""
        outdated = any(package.installed and not package.fits for package in self.packages)
        return upgrade_command(self.name) if outdated else install_command(self.name)


def requirements() -> list[str]:
    """The requirements of hyperskip and of its extras, from the metadata of the package.

    Raises:
        PackageNotFoundError: hyperskip is not installed, but imported from its sources.
    """
    return metadata.requires(NAME) or []


def required_packages(lines: Sequence[str]) -> list[Package]:
    """The packages that are always required."""
    return [_package(each) for each in _requirements(lines, extra="")]


def extras(lines: Sequence[str]) -> list[Extra]:
    """The extras for users that the requirements name."""
    always = {each.name for each in _requirements(lines, extra="")}
    found = []
    for name, purpose in EXTRAS.items():
        own = [each for each in _requirements(lines, name) if each.name not in always]
        if own:
            found.append(Extra(name, purpose, tuple(map(_package, own))))
    return found


def _requirements(lines: Sequence[str], extra: str) -> "Iterator[Requirement]":
    """The requirements that apply to this machine, with an extra or (if it is empty) without."""
    from packaging.requirements import Requirement

    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def _package(requirement: "Requirement") -> Package:
    try:
        installed = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return Package(requirement.name, str(requirement.specifier), None, fits=False)
    fits = requirement.specifier.contains(installed, prereleases=True)
    return Package(requirement.name, str(requirement.specifier), installed, fits)
