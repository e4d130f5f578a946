"""A tree of words, as `vectors.tree()` returns it."""

from __future__ import annotations  # help() shows Rows, not what it expands to

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperskip.errors import MissingPackageError
from hyperskip.geometry.arrays import Rows

if TYPE_CHECKING:
    import networkx


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """Words and their parents. `print(tree)` draws it.

    Attributes:
        words: The words, broadest first. The first is the root.
        parent_positions: (words,): position in `words` of the parent of each word; -1 for the
            root. The parent of a word comes before it.
    """

    words: tuple[str, ...]
    parent_positions: Rows

    def __repr__(self) -> str:
        words = "1 word" if len(self) == 1 else f"{len(self)} words"
        return f"<Tree: {words}, depth {self.depth}>"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __len__(self) -> int:
        return len(self.words)

    @property
    def root(self) -> str:
        """The broadest word."""
        return self.words[0]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every word with its parent, except for the root."""
        positions = self.parent_positions.tolist()
        return [
            (word, self.words[parent])
            for word, parent in zip(self.words, positions, strict=True)
            if parent >= 0
        ]

    @property
    def parents(self) -> dict[str, str]:
        """The parent of every word, except for the root."""
        return dict(self.pairs)

    @cached_property
    def depths(self) -> Rows:
        """Number of steps from each word to the root (words,)."""
        depths = np.zeros(len(self), dtype=np.int64)
        for position, parent in enumerate(self.parent_positions.tolist()):
            depths[position] = 0 if parent < 0 else depths[parent] + 1
        return depths

    @property
    def depth(self) -> int:
        """The greatest number of steps from a word to the root."""
        return int(self.depths.max())

    def lines(self) -> Iterator[str]:
        """Draw the tree: a line for each word, below its parent and indented."""
        children: list[list[int]] = [[] for _ in self.words]
        for position, parent in enumerate(self.parent_positions.tolist()):
            if parent >= 0:
                children[parent].append(position)
        # For each word: what precedes it on its line, and what precedes its children.
        waiting = [(0, "", "")]
        while waiting:
            position, before, below = waiting.pop()
            yield before + self.words[position]
            if children[position]:
                *others, last = children[position]
                waiting.append((last, below + "└── ", below + "    "))
                waiting += [(child, below + "├── ", below + "│   ") for child in reversed(others)]

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as plain values, for JSON: the root, and the parent of every word."""
        return {"root": self.root, "parents": self.parents}

    def to_networkx(self) -> networkx.DiGraph[str]:
        """Return a directed graph of NetworkX with an edge from every word to its parent.

        Raises:
            MissingPackageError: NetworkX is not installed.
        """
        try:
            import networkx
        except ImportError as error:
            raise MissingPackageError("networkx", None, "tree.to_networkx()") from error
        graph: networkx.DiGraph[str] = networkx.DiGraph()
        graph.add_nodes_from(self.words)
        graph.add_edges_from(self.pairs)
        return graph
