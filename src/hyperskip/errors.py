"""Every exception that hyperskip raises on purpose, and every warning that it gives.

HyperskipError
├── InputError                what the user gave cannot be used (the command line exits with 2)
│   ├── OptionError           an option is outside its range, or contradicts another (also a
│   │                         ValueError)
│   ├── CorpusError           text or edges that are missing, unreadable or empty
│   │   ├── GraphError        edges that are malformed, or a graph that an operation cannot use
│   │   └── StaleCorpusError  an encoded corpus whose text has changed since it was encoded
│   ├── VectorFileError       a model or vector file that is missing, damaged or not of its format
│   ├── NewerFileError        a file of any kind that a later version of hyperskip has written
│   ├── DatasetError          an evaluation set that is missing, unreadable or malformed
│   ├── OutputError           a place that cannot be written to
│   │   └── BusyError         ... because another process or thread is writing to it
│   ├── GeometryError         an operation that these vectors' geometry does not have, or numbers
│   │                         that are not a point of it (also a ValueError)
│   ├── ClusterError          a Ray cluster that cannot be used, or that failed
│   ├── MissingPackageError   an optional package that is not installed (also an ImportError)
│   └── UnknownWordError      a word that is not in the vocabulary (also a KeyError)
├── DivergenceError           training diverged: NaN, words too far out, or a far too high loss
└── PeerError                 another program that we compare with failed

HyperskipWarning              (a UserWarning)
├── CorpusWarning             text that was read, but not all of it as it should be
├── VectorFileWarning         a vector file or checkpoint of which a part was left out
├── DatasetWarning            an evaluation set that is missing and was left out
├── OutputWarning             a file that could not be written; the work continues without it
└── TrainingWarning           options or a text from which the vectors will be poor
"""

import sys
import warnings
from collections.abc import Iterable, Sequence
from types import FrameType
from typing import Any, ClassVar

from hyperskip.documentation import address_of

_CALL_ESTIMATORS = ("sklearn", "joblib")  # packages between an estimator and the user's line
_LONGEST_SHOWN = 100  # characters of a value in a message


class HyperskipError(Exception):
    """Base class of all errors: a message that names the value, and a hint on what to do next.

    Args:
        message: What is wrong.
        hint: What to do next.
        page: The page of the documentation that explains it, such as "training.html#input".
            Default: that of the class, if it has one. The attribute `page` is its address, and
            tracebacks show it in a note.
    """

    explained_on: ClassVar[str | None] = None

    def __init__(self, message: str, *, hint: str | None = None, page: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        page = page or self.explained_on
        self.page = None if page is None else address_of(page)
        if self.page is not None:
            self.add_note(f"see: {self.page}")

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\nhint: {self.hint}"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what the error holds, since constructors take other arguments."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(
    kind: type[HyperskipError], args: tuple[object, ...], attributes: dict[str, Any]
) -> HyperskipError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(attributes)
    return error


class InputError(HyperskipError):
    """What the user gave cannot be used."""

    explained_on = "python.html#functions"


class OptionError(InputError, ValueError):
    """An option is outside its range, or contradicts another."""


class CorpusError(InputError):
    """Text or edges that are missing, unreadable or empty."""

    explained_on = "training.html#input"


class GraphError(CorpusError):
    """Edges that are malformed, or a graph that an operation cannot use."""

    explained_on = "graphs.html"


class StaleCorpusError(CorpusError):
    """An encoded corpus whose text has changed since it was encoded."""

    explained_on = "training.html#encode-once-train-often"


class VectorFileError(InputError):
    """A model or vector file that is missing, damaged or not of its format."""

    explained_on = "formats.html"


class NewerFileError(InputError):
    """A file that a later version of hyperskip has written.

    It may be a model, a checkpoint, an encoded corpus, an experiment, a map or a registry of
    models. It is not damaged.
    """

    explained_on = "formats.html"


class DatasetError(InputError):
    """An evaluation set that is missing, unreadable or malformed."""

    explained_on = "using.html#evaluate"


class OutputError(InputError):
    """A place that cannot be written to."""

    explained_on = "troubleshooting.html#the-output-cannot-be-written"


class BusyError(OutputError):
    """A place that another process or thread is writing to."""


class GeometryError(InputError, ValueError):
    """An operation that these vectors' geometry does not have, or numbers that are no point."""

    explained_on = "python.html#geometry"


class ClusterError(InputError):
    """A Ray cluster that cannot be used, or that failed; names the node if it is known."""

    explained_on = "scaling.html"


class MissingPackageError(InputError, ImportError):
    """An optional package that is not installed.

    Args:
        package: The package, as it is called in prose.
        extra: The extra of hyperskip that installs it; None for a package without an extra.
        purpose: What requires the package, such as "drawing pictures".
        page: The page that explains how to install it, if not that of all extras.
    """

    explained_on = "overview.html#install"

    def __init__(
        self, package: str, extra: str | None, purpose: str, *, page: str | None = None
    ) -> None:
        hint = install_command(extra) if extra else f"pip install {package}"
        super().__init__(f"{purpose} requires {package}", hint=hint, page=page)
        self.package = package
        self.extra = extra


class UnknownWordError(InputError, KeyError):
    """A word that is not in the vocabulary, with the words that look most like it.

    Args:
        word: The word.
        suggestions: The words of the vocabulary that look most like it.
        reason: Why it is not in the vocabulary, and what to do, if that is known.
        advice: What else the caller can do.
        place: Where the word is, such as "document 3"; empty if there is only one place.
    """

    explained_on = "using.html#neighbors-and-analogies"

    def __init__(
        self,
        word: str,
        *,
        suggestions: Sequence[str] = (),
        reason: str = "",
        advice: str = "",
        place: str = "",
    ) -> None:
        if reason:
            hint = f"{reason}; {advice}" if advice else reason
        elif suggestions:
            alike = ", ".join(repr(suggestion) for suggestion in suggestions)
            hint = f"did you mean {alike}? {advice}".rstrip()
        else:
            hint = advice or (
                "it is not in the training text, or too rare there: train with a smaller minimum "
                "count to keep rarer words"
            )
        of_place = f" of {place}" if place else ""
        super().__init__(f"the word {shown(word)}{of_place} is not in the vocabulary", hint=hint)
        self.word = word
        self.suggestions = tuple(suggestions)


class DivergenceError(HyperskipError):
    """Training diverged.

    Numbers are not finite, words are too far out for float32, or the loss is far worse than that of
    untrained vectors.
    """

    explained_on = "training.html#options-that-change-the-model"


class PeerError(HyperskipError):
    """Another program that we compare with failed."""

    explained_on = "experiments.html#fasttext-and-gensim"


class HyperskipWarning(UserWarning):
    """Base class of all warnings: the work continues, but the result may not be what was wanted."""


class CorpusWarning(HyperskipWarning):
    """Text that was read, but not all of it as it should be."""


class VectorFileWarning(HyperskipWarning):
    """A vector file or checkpoint of which a part was left out."""


class DatasetWarning(HyperskipWarning):
    """An evaluation set that is missing and was left out."""


class OutputWarning(HyperskipWarning):
    """A file that could not be written; the work continues without it."""


class TrainingWarning(HyperskipWarning):
    """Options or a text from which the vectors will be poor."""


def warn(message: str, category: type[HyperskipWarning]) -> None:
    """Issue a warning that points at the line that called this package, also by scikit-learn."""
    frame: FrameType | None = sys._getframe(1)
    caller = sys._getframe(1)
    while frame is not None:
        if _package(frame) == __name__.partition(".")[0]:
            caller = frame.f_back or frame
        frame = frame.f_back
    while _package(caller) in _CALL_ESTIMATORS and caller.f_back is not None:
        caller = caller.f_back
    warnings.warn_explicit(
        message,
        category,
        filename=caller.f_code.co_filename,
        lineno=caller.f_lineno,
        module=str(caller.f_globals.get("__name__")),
        registry=caller.f_globals.setdefault("__warningregistry__", {}),
    )


def _package(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__")).partition(".")[0]


def install_command(extra: str) -> str:
    """The command that installs an extra of hyperskip."""
    return f"pip install 'hyperskip[{extra}]'"


def upgrade_command(extra: str) -> str:
    """The command that installs newer packages of an extra."""
    return f"pip install --upgrade 'hyperskip[{extra}]'"


def alternatives(choices: Iterable[str]) -> str:
    """Write choices as messages do: "a, b or c"."""
    *others, last = choices
    return f"{', '.join(others)} or {last}" if others else last


def some_of(names: Sequence[str], most: int = 3) -> str:
    """Write names as messages do: "'a', 'b', 'c' and 12 more"."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(shown(name) for name in names[:most]) + more


def shown(value: object) -> str:
    """Return a value as messages show it, shortened if it is long."""
    if isinstance(value, str) and len(value) > _LONGEST_SHOWN:
        return repr(value[:_LONGEST_SHOWN]) + "..."
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "..."
