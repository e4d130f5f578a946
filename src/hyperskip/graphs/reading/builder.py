"""A graph from batches of edges: names become numbers, and each edge is kept once."""

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GraphError, shown
from hyperskip.graphs.condensation import Numbers, as_keys, from_keys, is_first
from hyperskip.graphs.graph import Graph, Nodes
from hyperskip.graphs.reading.batches import Batch, Place
from hyperskip.text.reading.documents import is_missing

Weights = npt.NDArray[np.float64]

_LONGEST_NAME = 1 << 12  # characters
_FEWEST_SORTED = 1 << 22  # edges; duplicates are dropped when there are more new ones


class GraphBuilder:
    """Collects edges; memory depends on the number of nodes and of different edges.

    A name is a string. An integer stands for its decimal notation. A missing or empty parent means
    that the child has none: the child becomes a node, without an edge.

    Args:
        directed: Whether the direction of edges has a meaning.
        weighted: Whether batches have weights.
    """

    def __init__(self, *, directed: bool, weighted: bool) -> None:
        self.directed = directed
        self._numbers = _Numbering()
        self._keys = np.zeros(0, dtype=np.int64)  # sorted, each once
        self._weights: Weights | None = np.zeros(0) if weighted else None
        self._new_keys: list[Numbers] = []
        self._new_weights: list[Weights] = []
        self._new_count = 0
        self._self_loops = 0
        self._duplicates = 0

    def add_nodes(self, names: Iterable[str]) -> None:
        """Add nodes, which need not have edges.

        Raises:
            GraphError: A name is empty or too long.
        """
        numbers = self._numbered(list(names), lambda index: f"node {index} (counted from 0)")
        if numbers.min(initial=0) < 0:
            raise GraphError("the name of a node is empty", hint="give each node a name")

    def add(self, batch: Batch) -> None:
        """Add edges.

        Raises:
            GraphError: A node is not a name, or a weight is not greater than 0 and finite.
        """
        columns = (_as_names(nodes, batch.place) for nodes in (batch.sources, batch.targets))
        pairs = list(chain.from_iterable(zip(*columns, strict=True)))
        numbers = self._numbered(pairs, lambda index: batch.place(index // 2))
        sources, targets = numbers[::2], numbers[1::2]
        if sources.min(initial=0) < 0:
            raise GraphError(
                f"{batch.place(int((sources < 0).argmax()))} has an empty name as its child",
                hint="give each node a name; only a parent may be empty, which means there is none",
            )
        weights = None
        if self._weights is not None and batch.weights is not None:
            weights = _as_weights(batch, targets >= 0)
        self.add_numbers(sources, targets, weights)

    def add_numbers(
        self, sources: Nodes | Numbers, targets: Nodes | Numbers, weights: Weights | None
    ) -> None:
        """Add edges between nodes given by their numbers; a target of -1 stands for no edge."""
        loops = sources == targets
        kept = ~loops & (targets >= 0)
        self._self_loops += int(loops.sum())
        if not kept.all():
            sources, targets = sources[kept], targets[kept]
            weights = None if weights is None else weights[kept]
        if not self.directed:
            sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
        self._new_keys.append(as_keys(sources, targets))
        if self._weights is not None:
            self._new_weights.append(np.ones(len(sources)) if weights is None else weights)
        self._new_count += len(sources)
        if self._new_count > max(_FEWEST_SORTED, len(self._keys)):
            self._drop_duplicates()

    def graph(self) -> Graph:
        """The graph of all edges so far.

        Raises:
            GraphError: The sum of the weights of duplicates is not finite.
        """
        self._drop_duplicates()
        if self._weights is not None and not np.isfinite(self._weights).all():
            raise GraphError(
                "the sum of the weights of an edge that occurs several times is too large",
                hint="divide all weights by the same number",
            )
        sources, targets = from_keys(self._keys)
        return Graph(
            self._numbers.names(),
            sources,
            targets,
            self._weights,
            self.directed,
            self._self_loops,
            self._duplicates,
        )

    def _drop_duplicates(self) -> None:
        keys = np.concatenate((self._keys, *self._new_keys))
        self._new_keys.clear()
        before = len(keys)
        if self._weights is None:
            keys.sort()
            first = is_first(keys)
        else:
            weights = np.concatenate((self._weights, *self._new_weights))
            self._new_weights.clear()
            order = np.argsort(keys, kind="stable")
            keys = keys[order]
            first = is_first(keys)
            with np.errstate(over="ignore"):  # `graph` reports it
                self._weights = np.add.reduceat(weights[order], np.flatnonzero(first))
        self._keys = keys[first]
        self._duplicates += before - len(self._keys)
        self._new_count = 0

    def _numbered(self, names: list[str], place: Place) -> Numbers:
        try:
            return np.fromiter(map(self._numbers.__getitem__, names), np.int64, len(names))
        except _NameError as error:
            index = names.index(error.name)
            raise GraphError(f"{place(index)} has {error}", hint=error.hint) from None


class _NameError(Exception):
    """A name that no node can have."""

    def __init__(self, name: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.name = name
        self.hint = hint


class _Numbering(dict[str, int]):
    """Numbers names in order of their first lookup; the empty name has the number -1."""

    def __init__(self) -> None:
        super().__init__({"": -1})

    def __missing__(self, name: str) -> int:
        if len(name) > _LONGEST_NAME:
            raise _NameError(
                name,
                f"a name of {len(name):,} characters, more than {_LONGEST_NAME:,}: {shown(name)}",
                "if the columns are separated by another character, pass it as `delimiter`",
            )
        if not name.isascii():
            try:
                name.encode()
            except UnicodeEncodeError:
                raise _NameError(
                    name,
                    f"the name {shown(name)}, which contains half of a surrogate pair",
                    "correct the name: it must be valid Unicode",
                ) from None
        number = self[name] = len(self) - 1
        return number

    def names(self) -> tuple[str, ...]:
        """All names, in order of their numbers."""
        names = iter(self)
        next(names)  # the empty one
        return tuple(names)


def _as_names(values: Sequence[Any], place: Place) -> list[str]:
    kinds = set(map(type, values))
    if kinds <= {str}:
        return list(values)
    try:
        if kinds == {int}:
            return list(map(str, values))
        return [_as_name(value, index, place) for index, value in enumerate(values)]
    except ValueError:
        raise GraphError(
            f"{place(0)}, or one after it, has an integer of thousands of digits",
            hint="give nodes shorter names",
        ) from None


def _as_name(value: Any, index: int, place: Place) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    if is_missing(value):
        return ""
    # A column of integers with missing values is a column of floats in pandas.
    is_integer = isinstance(value, Integral) and not isinstance(value, bool)
    if is_integer or (isinstance(value, float) and value.is_integer()):
        return str(int(value))
    raise GraphError(
        f"{place(index)} has the node {shown(value)} ({type(value).__name__})",
        hint="nodes are strings or integers",
    )


def _as_weights(batch: Batch, needed: npt.NDArray[np.bool_]) -> Weights:
    """The weights as numbers; those that are not needed may have any value."""
    given = batch.weights or ()
    if not needed.all():
        given = [weight if used else 1 for weight, used in zip(given, needed, strict=True)]
    weights = np.array([_as_number(weight) for weight in given])
    wrong = ~(np.isfinite(weights) & (weights > 0))
    if wrong.any():
        index = int(wrong.argmax())
        source, target, weight = map(shown, (part[index] for part in (*batch[:2], given)))
        raise GraphError(
            f"{batch.place(index)}, {source} to {target}, has the weight {weight}",
            hint="a weight is a number greater than 0; leave out the edge, or use `weighted=False`",
        )
    return weights


def _as_number(weight: Any) -> float:
    try:
        return float(weight)
    except (TypeError, ValueError, OverflowError):
        return math.nan
