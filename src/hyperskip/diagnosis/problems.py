"""What is wrong with an installation, and what to do about it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from hyperskip.errors import HyperskipError

Result = TypeVar("Result")

ERROR, WARNING = "error", "warning"
REINSTALL = "pip install --upgrade --force-reinstall hyperskip"

_LONGEST = 200  # characters of an error that are shown


@dataclass(frozen=True)
class Problem:
    """Something that is broken (an error), or that may surprise (a warning).

    Attributes:
        kind: ERROR or WARNING.
        message: What is wrong.
        advice: What to do next.
    """

    kind: str
    message: str
    advice: str


class Problems(list[Problem]):
    """All problems that were found."""

    def add(self, kind: str, message: str, advice: str) -> None:
        """Add a problem."""
        self.append(Problem(kind, message, advice))

    @property
    def are_serious(self) -> bool:
        """Whether something is broken."""
        return any(problem.kind == ERROR for problem in self)

    def caught(
        self, topic: str, examine: Callable[[], Result], advice: str = REINSTALL, kind: str = ERROR
    ) -> Result | None:
        """Return what a function returns; if it fails in any way, add a problem and return None.

        Args:
            topic: What cannot be done if the function fails.
            examine: The function.
            advice: What to do next, unless the error says so.
            kind: The kind of the problem; a package that cannot be loaded is always an error.
        """
        try:
            return examine()
        except HyperskipError as error:
            self.add(kind, f"{topic}: {error.message}", error.hint or advice)
        except ImportError as error:
            self.add(ERROR, f"{topic}: {_described(error)}", REINSTALL)
        except Exception as error:  # a broken package can raise anything
            self.add(kind, f"{topic}: {_described(error)}", advice)
        return None


def _described(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0][:_LONGEST]}" if lines else type(error).__name__
