"""A directed graph as a taxonomy: direct parents and children, depths, sizes and branches."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from hyperskip.graphs.condensation import Condensation, Numbers, condense, joined_ranges
from hyperskip.graphs.graph import Graph, Nodes
from hyperskip.graphs.reduction import transitive_reduction

NO_NODE = -1  # the main parent of a root, and the branch of a node above all branches

_LARGEST_SHARE = 1 / 3  # a branch with a larger share of the nodes is divided
_SMALLEST_SHARE = 0.01  # a branch with a smaller share of the nodes is left out
_LEAST_KEPT = 0.75  # share of the nodes of all branches that must remain after a division


class Taxonomy:
    """Parents and children in a directed graph.

    Only direct edges count (see `transitive_reduction`). A node with several parents has a main
    parent, the deepest of them, so that each node has one path to a root. If nodes are in a cycle,
    the first of them is the main parent of the others.

    Args:
        graph: A directed graph; a transitive closure is fine.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = transitive_reduction(graph)
        condensed = condense(self.graph)
        self.depths: Nodes = condensed.depths[condensed.components]
        self.main_parents, is_first = _main_parents(condensed)
        # A node of a cycle is below the first one.
        self._below_order: Numbers = np.argsort(2 * self.depths + ~is_first, kind="stable")
        self._parents = _Lists(self.graph.sources, self.graph.targets, len(graph))
        self._children = _Lists(self.graph.targets, self.graph.sources, len(graph))

    def __len__(self) -> int:
        return len(self.graph)

    @cached_property
    def sizes(self) -> Numbers:
        """The number of nodes below each node, by main parents only."""
        sizes, parents = [0] * len(self), self.main_parents.tolist()
        for node in reversed(self._below_order.tolist()):
            if (parent := parents[node]) != NO_NODE:
                sizes[parent] += sizes[node] + 1
        return np.array(sizes, dtype=np.int64)

    @cached_property
    def by_importance(self) -> Numbers:
        """All nodes, those with the most nodes below them first; then the less deep ones."""
        return np.lexsort((self.depths, -self.sizes)).astype(np.int64)

    @property
    def roots(self) -> Numbers:
        """The nodes without a main parent, the one with the most nodes below it first."""
        order = self.by_importance
        roots: Numbers = order[self.main_parents[order] == NO_NODE]
        return roots

    def parents(self, node: int) -> list[int]:
        """Return the direct parents of a node, the main parent first."""
        main = self.main_parents[node]
        return sorted(self._parents.of(node), key=lambda parent: parent != main)

    def children(self, node: int) -> list[int]:
        """Return the direct children of a node, those with the most nodes below them first."""
        return sorted(self._children.of(node), key=lambda child: -self.sizes[child])

    def among(self, nodes: Numbers) -> Graph:
        """Return the direct edges between some nodes: as if there were no others.

        If all paths from a node to an ancestor lead over other nodes, an edge replaces them.
        """
        is_one = np.zeros(len(self), dtype=np.bool_)
        is_one[nodes] = True
        edges: list[tuple[int, int]] = []
        for node in nodes.tolist():
            waiting, seen = self._parents.of(node), {node}
            while waiting:
                if (above := waiting.pop()) in seen:
                    continue
                seen.add(above)
                if is_one[above]:
                    edges.append((node, above))
                else:
                    waiting += self._parents.of(above)
        sources, targets = np.array(sorted(edges), dtype=np.int32).reshape(-1, 2).T
        return transitive_reduction(Graph(self.graph.names, sources, targets))

    def path(self, node: int) -> list[int]:
        """Return the main parents from a root down to a node, and the node."""
        path = [node]
        while (parent := int(self.main_parents[path[-1]])) != NO_NODE:
            path.append(parent)
        return path[::-1]

    def descendants(self, node: int) -> int:
        """Return the number of nodes below a node, by all parents."""
        seen = np.zeros(len(self), dtype=np.bool_)
        seen[node] = True
        level = np.array([node])
        while len(level):
            below = self._children.of_all(level)
            level = np.unique(below[~seen[below]])
            seen[level] = True
        return int(seen.sum()) - 1

    def branches(self, most: int) -> "Branches":
        """Return the largest subtrees.

        The roots are divided into their children, and so on, while a subtree has more than a third
        of all nodes. Small subtrees are left out.

        Args:
            most: Maximum number of branches.
        """
        size_of = self.sizes + 1
        count = len(np.union1d(self.graph.sources, self.graph.targets))
        smallest = max(2.0, _SMALLEST_SHARE * count)
        tops = [root for root in self.roots.tolist() if size_of[root] >= smallest][:most]
        while tops and size_of[tops[0]] > _LARGEST_SHARE * count:
            children = [
                child
                for child in self._children.of(tops[0])
                if self.main_parents[child] == tops[0] and size_of[child] >= smallest
            ]
            divided = sorted([*tops[1:], *children], key=lambda top: -size_of[top])[:most]
            if size_of[divided].sum() < _LEAST_KEPT * size_of[tops].sum():
                break
            tops = divided
        return Branches(tuple(tops), self._branch_of(tops))

    def _branch_of(self, tops: list[int]) -> Nodes:
        branches, parents = [NO_NODE] * len(self), self.main_parents.tolist()
        for number, top in enumerate(tops):
            branches[top] = number
        for node in self._below_order.tolist():
            if branches[node] == NO_NODE and (parent := parents[node]) != NO_NODE:
                branches[node] = branches[parent]
        return np.array(branches, dtype=np.int32)


@dataclass(frozen=True)
class Branches:
    """Subtrees of a taxonomy that do not overlap, the largest first."""

    tops: tuple[int, ...]  # the uppermost node of each
    of_nodes: Nodes  # (nodes,): index of the branch of each node; NO_NODE: in none of them


class _Lists:
    """A list of nodes for each node."""

    def __init__(self, owners: Nodes, members: Nodes, count: int) -> None:
        self._ends = np.concatenate(([0], np.cumsum(np.bincount(owners, minlength=count))))
        self._members = members[np.argsort(owners, kind="stable")]

    def of(self, node: int) -> list[int]:
        nodes: list[int] = self._members[self._ends[node] : self._ends[node + 1]].tolist()
        return nodes

    def of_all(self, nodes: Numbers) -> Nodes:
        begins = self._ends[nodes]
        return self._members[joined_ranges(begins, self._ends[nodes + 1] - begins)]


def _main_parents(condensed: Condensation) -> tuple[Nodes, npt.NDArray[np.bool_]]:
    """Return the main parent of each node, and whether it is the first node of its component."""
    components, count = condensed.components, len(condensed.sizes)
    first = np.zeros(count, dtype=np.int32)
    first[components[::-1]] = np.arange(len(components) - 1, -1, -1)
    above = np.full(count, NO_NODE, dtype=np.int32)
    by_depth = np.argsort(condensed.depths[condensed.targets], kind="stable")
    above[condensed.sources[by_depth]] = first[condensed.targets[by_depth]]  # the last one remains
    firsts = first[components]
    is_first = firsts == np.arange(len(components))
    return np.where(is_first, above[components], firsts).astype(np.int32), is_first
