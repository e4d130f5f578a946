"""Places of the words of a tree: in rows and columns for an image, and on the Poincaré disc."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.vectors.tree import Tree

ROW = 27.0  # pixels from one leaf to the next
LABEL = 9.0  # pixels from a dot to its label
_BETWEEN = 0.4  # rows between leaves with different parents
_COLUMN = 46.0  # pixels from the longest label of a level to the dots of the next
_FEW_LEAVES = 30  # more are placed on both sides of the root
_STEP = 1.1  # distance on the disc from a word to its children, along the radius


@dataclass(frozen=True)
class TreeLayout:
    """Places of words in pixels, from the upper left corner; labels never overlap.

    The label of a word begins next to its dot. That of a root between two sides is in the middle.
    """

    places: Floats  # (words, 2): of the dots
    sides: Floats  # (words,): 1 if children are to the right, -1 to the left, 0 on both sides
    width: float
    height: float


class Branches:
    """The children and leaves of each word of a tree.

    Args:
        tree: A tree, or several trees whose roots have no parents.
    """

    def __init__(self, tree: Tree) -> None:
        self.depths = tree.depths
        self.children: list[list[int]] = [[] for _ in tree.words]
        self.roots: list[int] = []
        self.parents: list[int] = tree.parent_positions.tolist()
        for word, parent in enumerate(self.parents):
            (self.roots if parent < 0 else self.children[parent]).append(word)
        self.leaves: Rows = np.array([not below for below in self.children], dtype=np.int64)
        self.below: Rows = np.zeros(len(tree), dtype=np.int64)  # number of words below each
        for word in reversed(range(len(tree))):  # children come after their parents
            if (parent := self.parents[word]) >= 0:
                self.leaves[parent] += self.leaves[word]
                self.below[parent] += self.below[word] + 1

    @property
    def tops(self) -> list[int]:
        """The first words from the root that have both siblings and children."""
        level = self.roots
        while len(level) == 1:
            level = self.children[level[0]]
        return [word for word in level if self.children[word]]

    def subtree(self, top: int) -> list[int]:
        """Return a word and all words below it, each before its children, as they are listed."""
        found, waiting = [], [top]
        while waiting:
            found.append(waiting.pop())
            waiting += reversed(self.children[found[-1]])
        return found


def rows_and_columns(tree: Tree, widths: Floats, text_size: float = 1.0) -> TreeLayout:
    """Place every leaf in a row, parents in the middle of their children, and levels in columns.

    The root is at the left. If there are many leaves, it is between two sides with about as many
    leaves. The next level begins after the longest label of all parents in a level, and the label
    of a leaf is alone in its row, so labels never overlap.

    Args:
        tree: The tree.
        widths: (words,): of the labels, in pixels.
        text_size: Size of labels, to which rows and gaps are adapted.
    """
    gap = text_size * LABEL
    branches = Branches(tree)
    root = branches.roots[0] if len(branches.roots) == 1 else None
    tops = branches.roots if root is None else branches.children[root]
    is_large = int(branches.leaves[branches.roots].sum()) > _FEW_LEAVES
    right, left = _halves(branches, tops) if is_large else (tops, [])
    sides = np.zeros(len(tree)) if left else np.ones(len(tree))
    rows = np.zeros(len(tree))
    x = np.zeros(len(tree))
    if root is None:
        begin = _COLUMN / 2 if left else 0.0
    else:
        begin = widths[root] / 2 + gap if left else widths[root] + 2 * gap
        begin += _COLUMN
    reach, height = [0.0, 0.0], 1.0  # of the labels to the right and to the left; rows
    for number, (half, side) in enumerate(((right, 1.0), (left, -1.0))):
        words = np.array([word for top in half for word in branches.subtree(top)], dtype=np.int64)
        if not len(words):
            continue
        sides[words] = side
        used = _place_rows(branches, words, rows)
        columns = _columns(branches, words, widths, begin, gap)
        x[words] = side * columns
        reach[number] = float((columns + gap + widths[words]).max())
        height = max(height, used)
    _center_sides(rows, sides, height)
    if root is not None:
        middle = (height - 1.0) / 2
        rows[root] = middle if left or not tops else (rows[tops[0]] + rows[tops[-1]]) / 2
        reach[0] = max(reach[0], widths[root] / 2 if left else gap + widths[root])
        reach[1] = max(reach[1], widths[root] / 2 if left else 0.0)
    row = text_size * ROW
    places = np.column_stack([x + reach[1], row * (rows + 0.5)])
    return TreeLayout(places, sides, sum(reach), row * height)


def _halves(branches: Branches, tops: list[int]) -> tuple[list[int], list[int]]:
    """Divide the branches into two groups with about as many leaves, in the order of the tree."""
    chosen: tuple[list[int], list[int]] = ([], [])
    sizes = [0, 0]
    for top in sorted(tops, key=lambda top: -branches.leaves[top]):
        lighter = 0 if sizes[0] <= sizes[1] else 1
        chosen[lighter].append(top)
        sizes[lighter] += int(branches.leaves[top])
    return sorted(chosen[0]), sorted(chosen[1])


def _place_rows(branches: Branches, words: Rows, rows: Floats) -> float:
    """Set the rows of words, which are in the order of their subtrees; return how many are used."""
    row, last_parent = -1.0, None
    for word in words.tolist():
        if branches.children[word]:
            continue
        parent = branches.parents[word]
        row += 1.0 if last_parent in (None, parent) else 1.0 + _BETWEEN
        rows[word], last_parent = row, parent
    for word in reversed(words.tolist()):
        if below := branches.children[word]:
            rows[word] = (rows[below[0]] + rows[below[-1]]) / 2
    return row + 1.0


def _columns(branches: Branches, words: Rows, widths: Floats, begin: float, gap: float) -> Floats:
    """Return the distance of the dots of words from the root (words,), in pixels."""
    levels = branches.depths[words] - branches.depths[words].min()
    is_parent = np.array([bool(branches.children[word]) for word in words.tolist()])
    starts = [begin]
    for level in range(int(levels.max())):
        longest = float(widths[words[(levels == level) & is_parent]].max())
        starts.append(starts[-1] + 2 * gap + longest + _COLUMN)
    return np.asarray(np.array(starts)[levels])


def _center_sides(rows: Floats, sides: Floats, height: float) -> None:
    """Move the side with fewer rows to the middle."""
    for side in (1.0, -1.0):
        if (of_side := sides == side).any():
            rows[of_side] += (height - 1.0 - rows[of_side].max()) / 2


def disc_places(branches: Branches) -> Floats:
    """Return places (words, 2) on the disc: every subtree in a sector, by its number of leaves."""
    places = np.zeros((len(branches.children), 2))
    waiting: list[tuple[Sequence[int], float, float]] = [(branches.roots, 0.0, 2 * math.pi)]
    several = len(branches.roots) > 1
    while waiting:
        words, begin, end = waiting.pop()
        leaves = branches.leaves[words]
        ends = begin + (end - begin) * np.cumsum(leaves) / leaves.sum()
        begins = np.concatenate([[begin], ends[:-1]])
        for word, first, last in zip(words, begins.tolist(), ends.tolist(), strict=True):
            angle = (first + last) / 2
            length = math.tanh(_STEP * (int(branches.depths[word]) + several) / 2)
            places[word] = length * math.cos(angle), length * math.sin(angle)
            if branches.children[word]:
                waiting.append((branches.children[word], first, last))
    return places
