"""A tree of words, as `vectors.tree()` and `vectors.taxonomy()` return it."""

from __future__ import annotations  # help() shows Rows, not what it expands to

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperskip.errors import MissingPackageError
from hyperskip.geometry.arrays import Rows
from hyperskip.options import named_arguments

if TYPE_CHECKING:
    import networkx

    from hyperskip.pictures.picture import Picture


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """Words and their parents. `print(tree)` draws it.

    A taxonomy of words that have no broader word in common has several roots.

    Attributes:
        words: The words, broadest first. The first is a root.
        parent_positions: (words,): position in `words` of the parent of each word; -1 for a root.
            The parent of a word comes before it.
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
    def roots(self) -> tuple[str, ...]:
        """The words without a parent, broadest first."""
        pairs = zip(self.words, self.parent_positions.tolist(), strict=True)
        return tuple(word for word, parent in pairs if parent < 0)

    @property
    def root(self) -> str | None:
        """The only word without a parent; None if there are several."""
        return self.words[0] if len(self.roots) == 1 else None

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Every word with its parent, except for roots."""
        positions = self.parent_positions.tolist()
        return [
            (word, self.words[parent])
            for word, parent in zip(self.words, positions, strict=True)
            if parent >= 0
        ]

    @property
    def parents(self) -> dict[str, str]:
        """The parent of every word, except for roots."""
        return dict(self.pairs)

    @cached_property
    def depths(self) -> Rows:
        """Number of steps from each word to its root (words,)."""
        depths = np.zeros(len(self), dtype=np.int64)
        for position, parent in enumerate(self.parent_positions.tolist()):
            depths[position] = 0 if parent < 0 else depths[parent] + 1
        return depths

    @property
    def depth(self) -> int:
        """The greatest number of steps from a word to its root."""
        return int(self.depths.max())

    def lines(self) -> Iterator[str]:
        """Draw the tree: a line for each word, below its parent and indented."""
        children: list[list[int]] = [[] for _ in self.words]
        roots: list[int] = []
        for position, parent in enumerate(self.parent_positions.tolist()):
            (roots if parent < 0 else children[parent]).append(position)
        # For each word: what precedes it on its line, and what precedes its children.
        waiting = [(root, "", "") for root in reversed(roots)]
        while waiting:
            position, before, below = waiting.pop()
            yield before + self.words[position]
            if children[position]:
                *others, last = children[position]
                waiting.append((last, below + "└── ", below + "    "))
                waiting += [(child, below + "├── ", below + "│   ") for child in reversed(others)]

    def without_single_children(self, words: Collection[str]) -> Tree:
        """Return the tree without words that have fewer than two children, except for some words.

        Args:
            words: The words to keep, which include all leaves.
        """
        parents = self.parent_positions.tolist()
        children = np.bincount(
            self.parent_positions[self.parent_positions >= 0], minlength=len(self)
        )
        is_kept = (children >= 2) | np.isin(self.words, list(words))
        positions = np.cumsum(is_kept) - 1
        above: list[int] = []  # of each word, itself included: the nearest that is kept, or -1
        for position, parent in enumerate(parents):
            next_above = above[parent] if parent >= 0 else -1
            above.append(int(positions[position]) if is_kept[position] else next_above)
        kept = np.flatnonzero(is_kept).tolist()
        return Tree(
            tuple(self.words[position] for position in kept),
            np.array([above[parents[i]] if parents[i] >= 0 else -1 for i in kept], dtype=np.int64),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the tree as plain values, for JSON: the root, and the parent of every word.

        If there are several roots, "root" is None, and "roots" lists them.
        """
        roots = {} if self.root is not None else {"roots": list(self.roots)}
        return {"root": self.root, **roots, "parents": self.parents}

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

    @named_arguments
    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        format: str | None = None,  # noqa: A002
        dark: bool = False,
        title: str = "",
        text_size: float = 1.0,
    ) -> Picture:
        """Draw the tree.

        Args:
            path: A file to write.
            format: "png", "svg" or "html", for the file and for notebooks. By default, the suffix
                of the file decides.
            dark: Whether images have a dark background.
            title: A line above the picture.
            text_size: The size of labels and dots in images, relative to the usual one: 0.5 to 3.

        Returns:
            The picture. A notebook displays it; it can also be saved.

        Raises:
            OptionError: There is no such format, or the suffix contradicts it.
            OutputError: The file cannot be written.
            MissingPackageError: matplotlib is not installed.
        """
        from hyperskip.pictures.tree_picture import draw_tree

        return draw_tree(
            self, path=path, format=format, dark=dark, title=title, text_size=text_size
        )
