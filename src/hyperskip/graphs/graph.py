"""A graph as arrays: the names of its nodes, and its edges as pairs of node numbers."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from hyperskip.errors import GraphError, shown

if TYPE_CHECKING:
    from hyperskip.graphs.closure import GraphSummary

Nodes = npt.NDArray[np.int32]


@dataclass(frozen=True, eq=False, repr=False)
class Graph:
    """Nodes and edges.

    Edge i leads from node sources[i] to node targets[i]. In a taxonomy, the source is the narrower
    node (the child) and the target is the broader one (the parent): "dog is a mammal". An
    undirected graph has each edge once, in either direction. No edge occurs twice, and no edge
    leads from a node to itself. `hyperskip.read_graph` sorts edges by source, then by target.

    Attributes:
        names: The name of each node, each at most once.
        sources: The node that each edge starts from.
        targets: The node that each edge leads to.
        weights: The weight of each edge, greater than 0; None: all are 1.
        directed: Whether the direction of edges has a meaning.
        self_loops: Number of edges that were left out because they lead from a node to itself.
        duplicates: Number of edges that were left out because they occurred before. Their weights
            were added.
    """

    names: tuple[str, ...]
    sources: Nodes  # (edges,)
    targets: Nodes  # (edges,)
    weights: npt.NDArray[np.float64] | None = None  # (edges,)
    directed: bool = True
    self_loops: int = 0
    duplicates: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        if len(set(self.names)) != len(self.names):
            raise GraphError("a name occurs twice in `names`", hint="give each node its own name")
        for name in ("sources", "targets"):
            nodes = np.asarray(getattr(self, name), dtype=None if len(self.sources) else np.int32)
            if nodes.dtype.kind not in "iu" or nodes.shape != (len(self.sources),):
                raise GraphError(
                    f"`{name}` is an array of {nodes.dtype} with the shape {nodes.shape}",
                    hint="pass two arrays of integers with one number for each edge",
                )
            if len(nodes) and not 0 <= nodes.min() <= nodes.max() < len(self.names):
                raise GraphError(
                    f"`{name}` has numbers from {nodes.min()} to {nodes.max()}, but there are "
                    f"{len(self.names)} nodes",
                    hint="the number of a node is its index in `names`, from 0",
                )
            object.__setattr__(self, name, nodes.astype(np.int32, copy=False))
        if self.weights is not None:
            weights = np.asarray(self.weights, dtype=np.float64)
            if (
                weights.shape != self.sources.shape
                or not (np.isfinite(weights) & (weights > 0)).all()
            ):
                raise GraphError(
                    f"`weights` is {shown(self.weights)}",
                    hint="pass one number greater than 0 for each edge",
                )
            object.__setattr__(self, "weights", weights)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weighted = "" if self.weights is None else ", weighted"
        return f"Graph(nodes={len(self)}, edges={self.edge_count}, {kind}{weighted})"

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def summary(self) -> "GraphSummary":
        """What the graph looks like: its size, components, roots, depth and cycles."""
        from hyperskip.graphs.closure import describe

        return describe(self)

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return len(self.sources)
