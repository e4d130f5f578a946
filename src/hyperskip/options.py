"""Declared options: the allowed values of each are written once and checked in one place.

A group of options is a frozen, keyword-only dataclass derived from `Options`, with fields made by
`option`. The command line and the HTTP API read the same declarations.
"""

import dataclasses
import functools
import inspect
import math
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from pathlib import Path
from typing import Any, ParamSpec, Self, TypeVar

from hyperskip.errors import InputError, OptionError, alternatives, shown

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

# What gensim, fastText, word2vec, scikit-learn, poincare-embeddings and node2vec call the same.
_OTHER_PROGRAMS = {
    "rate": ("lr", "learning_rate", "alpha", "start_alpha", "eta"),
    "end_rate": ("min_alpha", "end_alpha", "min_lr"),
    "dimension": ("vector_size", "size", "dim", "dimensions", "embedding_dim", "n_components"),
    "threads": ("workers", "thread", "n_jobs", "num_threads", "train_threads"),
    "epochs": ("iter", "epoch", "n_iter", "max_iter", "num_epochs"),
    "negatives": ("negative", "neg", "negs", "num_negative"),
    "batch": ("batch_size", "batchsize"),
    "geometry": ("manifold",),
    "walks": ("num_walks", "n_walks", "number_walks", "walks_per_node"),
    "walk_length": ("walk_len",),
    "edges": ("train_data", "relations", "edge_list", "dset"),
    "window": ("ws", "window_size", "context_size"),
    "min_count": ("minCount", "mincount", "min_freq", "min_word_count"),
    "subsample": ("sample", "t", "sampling"),
    "subword_min": ("minn", "min_n"),
    "subword_max": ("maxn", "max_n"),
    "buckets": ("bucket",),
    "vocabulary_limit": ("max_vocab_size", "max_vocab"),
    "phrase_score": ("scoring",),
    "phrase_threshold": ("threshold",),
    "phrase_connectors": ("connector_words", "common_terms"),
    "power": ("ns_exponent", "noise_exponent"),
    "seed": ("random_state", "random_seed"),
    "burn_in_epochs": ("burn_in", "burnin"),
    "burn_in_rate": ("burn_in_alpha",),
    "initial_deviation": ("init_range", "init_std"),
    "corpus": ("sentences", "input", "corpus_file", "corpus_iterable", "text", "documents"),
    "checkpoints": ("checkpoint", "checkpoint_dir"),
    "init": ("pretrained_vectors", "pretrainedVectors", "model"),
    "lowercase": ("lower", "do_lower_case", "keep_case"),  # the last one is of the command line
    "progress": ("verbose", "show_progress", "progress_bar", "print_every"),
    "report": ("callback", "callbacks"),
    "count": ("topn", "top_n", "topk", "top_k", "k", "n_neighbors"),
}
_THEIR_NAMES = {theirs: ours for ours, names in _OTHER_PROGRAMS.items() for theirs in names}


_FUNCTION = "function "


def function_name(function: Callable[..., object]) -> str:
    """Return the name of a function, as it is stored with options: "function module.name"."""
    while isinstance(function, functools.partial):
        function = function.func
    named = function if hasattr(function, "__qualname__") else type(function)
    module = getattr(named, "__module__", None) or type(getattr(named, "__self__", None)).__module__
    return f"{_FUNCTION}{module}.{named.__qualname__}"


def is_function_name(value: object) -> bool:
    """Whether a stored value is the name of a function."""
    return isinstance(value, str) and value.startswith(_FUNCTION)


def checked_path(name: str, path: object) -> Path:
    """Return a path as a Path.

    Args:
        name: The argument, named in the error.
        path: Its value.

    Raises:
        InputError: It is neither a string nor a Path, or it is empty.
    """
    text = path.__fspath__() if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        got = f"{shown(path)} ({type(path).__name__})"
        raise InputError(
            f"`{name}` must be a string or a pathlib.Path, got {got}",
            hint="pass the name of a file or folder",
        )
    if not text:
        raise InputError(f"`{name}` is an empty string", hint="pass the name of a file or folder")
    return Path(text)


@dataclass(frozen=True, kw_only=True)
class Range:
    """The values a number may take; a bound of None is open."""

    at_least: float | None = None
    above: float | None = None
    at_most: float | None = None

    def admits(self, value: float) -> bool:
        """Whether the value is finite and within the bounds."""
        return (
            (isinstance(value, int) or math.isfinite(value))
            and (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.at_most is None or value <= self.at_most)
        )

    def __str__(self) -> str:
        if self.at_least is not None and self.at_most is not None:
            return f"between {_number(self.at_least)} and {_number(self.at_most)}"
        bounds = [
            f"{words} {_number(bound)}"
            for words, bound in (
                ("greater than", self.above),
                ("at least", self.at_least),
                ("at most", self.at_most),
            )
            if bound is not None
        ]
        return " and ".join(bounds)


def _number(bound: float) -> str:
    return str(bound) if isinstance(bound, int) else format(bound, "g")


@dataclass(frozen=True, kw_only=True)
class Declaration:
    """What an option may hold, and what it means.

    Args:
        kind: The type of its values.
        help: What it is for.
        default: The value that is used if none is chosen; None if `rule` decides.
        rule: The default in words, if it depends on other options or on the text.
        limits: The range of a number.
        length: The range of the length of a string.
        choices: The only values, if they are few.
        aliases: Other names of values, such as earlier ones, with the value of each.
        optional: Whether the field is None until a value is chosen.
        noun: A name for `kind` in errors, if it is not a number, a string or True or False.
        functions: Whether a function is allowed, too, or the name that `function_name` gave it.
    """

    kind: type
    help: str
    default: Any = None
    rule: str = ""
    limits: Range | None = None
    length: Range | None = None
    choices: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict)
    optional: bool = False
    noun: str = ""
    functions: bool = False

    @property
    def default_in_words(self) -> str:
        """The default as help texts show it; empty if there is none, or if it is false."""
        if self.rule or self.default is None or self.default is False:
            return self.rule
        return format(self.default, "g") if self.kind is float else str(self.default)

    def checked(self, name: str, value: Any) -> Any:
        """Return the value as a plain Python one.

        Raises:
            OptionError: It has the wrong type, is out of range or is not among the choices.
        """
        if value is None and self.optional:
            return None
        if self.functions and (callable(value) or is_function_name(value)):
            return value
        if not self._has_kind(value):
            raise self.refusal(name, value)
        try:
            # As the declared type: an integer rate becomes a float, NumPy's numbers Python's.
            plain = self.kind(value) if self.limits else self.current(value)
        except OverflowError as error:  # an integer that no float can hold
            raise self.refusal(name, value) from error
        if (
            (self.choices and plain not in self.choices)
            or (self.limits and not self.limits.admits(plain))
            or (self.length and not self.length.admits(len(plain)))
        ):
            raise self.refusal(name, value)
        return plain

    def current(self, value: Any) -> Any:
        """Return a value that was given by another name, and any other value as it is."""
        return self.aliases.get(value, value) if isinstance(value, str) else value

    def _has_kind(self, value: object) -> bool:
        """Whether the type fits; NumPy's numbers count as numbers, booleans do not."""
        if self.kind is bool or isinstance(value, bool):
            return self.kind is bool and isinstance(value, bool)
        kinds: dict[type, type] = {int: Integral, float: Real}
        return isinstance(value, kinds.get(self.kind, self.kind))

    def allowed(self) -> str:
        """Describe the allowed values."""
        if self.choices:
            functions = ", or in Python a function" if self.functions else ""
            return f"{alternatives(self.choices)}{functions}"
        if self.length:
            return self.noun or f"a string with a length {self.length}"
        nouns = {int: "a whole number", float: "a number", bool: "True or False", str: "a string"}
        limits = str(self.limits or "")
        of = "of " if limits.startswith("at ") else ""  # a whole number of at least 1
        return f"{self.noun or nouns[self.kind]} {of}{limits}".rstrip()

    def refusal(self, name: str, value: object) -> OptionError:
        """Return the error for a value that is not allowed."""
        hint = f"`{name}`: {self.help}"
        if self.default_in_words:
            hint = f"leave out `{name}` for the default: {self.default_in_words}"
        return OptionError(f"`{name}` must be {self.allowed()}, got {shown(value)}", hint=hint)


def option(
    default: Any,
    kind: type,
    help: str,  # noqa: A002 - the word that the command line uses
    *,
    at_least: float | None = None,
    above: float | None = None,
    at_most: float | None = None,
    choices: tuple[str, ...] = (),
    aliases: Mapping[str, str] | None = None,
    optional: bool = False,
    rule: str = "",
    noun: str = "",
    functions: bool = False,
) -> Any:
    """Declare a field of an options group; the arguments are those of `Declaration`."""
    limits = None
    if kind in (int, float):
        limits = Range(at_least=at_least, above=above, at_most=at_most)
    declaration = Declaration(
        kind=kind,
        help=help,
        default=default,
        rule=rule,
        limits=limits,
        choices=choices,
        aliases=aliases or {},
        optional=optional,
        noun=noun,
        functions=functions,
    )
    return option_of(declaration)


def option_of(declaration: Declaration, **changes: Any) -> Any:
    """Declare a field by a declaration that other places share; changes replace parts of it."""
    declaration = dataclasses.replace(declaration, **changes)
    default = None if declaration.optional else declaration.default
    return field(default=default, metadata={"declaration": declaration})


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base class of every options group: checks each field against its declaration."""

    def __new__(cls, **values: Any) -> Self:
        """Raise an error for an unknown name; it names the option that was probably meant."""
        check_names(values, cls)
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for name, declaration in declarations(type(self)).items():
            object.__setattr__(self, name, declaration.checked(name, getattr(self, name)))

    def as_dict(self) -> dict[str, Any]:
        """Return the options as plain values, to be stored with the vectors."""
        return dataclasses.asdict(self)


def declarations(group: type[Options]) -> dict[str, Declaration]:
    """Return the declaration of each field of a group, in order."""
    return {field.name: field.metadata["declaration"] for field in dataclasses.fields(group)}


def check_names(names: Iterable[str], *groups: type[Options]) -> None:
    """Check that each name is an option of these groups.

    Raises:
        OptionError: One is not; the error names the option that was probably meant.
    """
    known = [name for group in groups for name in declarations(group)]
    for name in names:
        if name not in known:
            names = f"the names are {', '.join(known)}"
            raise OptionError(f"there is no option {name!r}", hint=_meant(name, known) or names)


def check_report(report: object) -> None:
    """Check the argument `report`, which is called with progress events.

    Raises:
        OptionError: It is neither a function nor None.
    """
    if report is not None and not callable(report):
        raise OptionError(
            f"`report` must be a function or None, got {shown(report)}",
            hint="it is called with each progress event: `report=print` prints them",
        )


def check_progress(progress: object) -> None:
    """Check the argument `progress`, which switches progress on and off.

    Raises:
        OptionError: It is not True, False or None.
    """
    if progress is not None and not isinstance(progress, bool):
        raise OptionError(
            f"`progress` must be True, False or None, got {shown(progress)}",
            hint="leave it out to see progress in a terminal or a notebook; a function that is "
            "called with each progress event is passed as `report`",
        )


def named_arguments(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Decorate a function so that an unknown keyword is answered with the one that was meant.

    The signature stays what it is: type checkers and editors see every argument.
    """
    parameters = list(inspect.signature(function).parameters)
    is_method = parameters[:1] == ["self"]
    known = parameters[1:] if is_method else parameters

    @functools.wraps(function)
    def checked(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Result:
        for name in kwargs:
            if name not in known:
                owner = f"{type(args[0]).__name__}." if is_method else ""
                called = f"hyperskip.{owner}{function.__name__}"
                raise OptionError(
                    f"{called} has no argument {name!r}",
                    hint=_meant(name, known) or f"help({called}) describes {', '.join(known)}",
                )
        return function(*args, **kwargs)

    return checked


def our_name(name: str) -> str | None:
    """Return our name for an option of gensim, fastText, word2vec or scikit-learn."""
    return _THEIR_NAMES.get(name)


def _meant(name: str, known: list[str]) -> str | None:
    """Ask for the known name that was probably meant; None if there is no such name."""
    from hyperskip.spelling import close_matches

    ours = our_name(name)
    suggestions = [ours] if ours in known else close_matches(name, known)
    if suggestions:
        return f"did you mean {alternatives([f'`{name}`' for name in suggestions])}?"
    return None
