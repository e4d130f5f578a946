"""A picture of a tree of words: an image with all labels, or an interactive tree on the disc."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hyperskip.errors import OptionError
from hyperskip.graphs.node_names import labels_of
from hyperskip.pictures.picture import Picture
from hyperskip.pictures.request.choice import NO_GROUP
from hyperskip.pictures.request.request import PictureRequest
from hyperskip.pictures.scene import Scene
from hyperskip.pictures.tree_layout import Branches, disc_places
from hyperskip.projection.disc_map import Fidelity
from hyperskip.projection.methods import EXACT
from hyperskip.vectors.tree import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_WORDS = 1000


@dataclass(frozen=True, kw_only=True, repr=False)
class TreePicture(Picture):
    """A tree: images have the root at the left or in the middle, a page shows it on the disc.

    Args:
        tree: The tree that the scene shows.
    """

    tree: Tree

    def __repr__(self) -> str:
        return f"<Picture: a tree of {len(self.tree)} words>"

    def figure(self) -> "Figure":
        """Return the tree as a matplotlib figure, without a window.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        from hyperskip.pictures.drawing.theme import DARK, LIGHT
        from hyperskip.pictures.drawing.tree import tree_figure

        return tree_figure(self.tree, self.scene, DARK if self.dark else LIGHT, self.text_size)


def draw_tree(
    tree: Tree,
    *,
    path: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002
    dark: bool = False,
    title: str = "",
    text_size: float = 1.0,
) -> Picture:
    """Draw a tree of words.

    Args:
        tree: The tree.
        path: A file to write.
        format: 'png', 'svg' or 'html', for the file and for notebooks. By default, the extension
            of the file decides, and a notebook shows the interactive picture.
        dark: Whether images have a dark background.
        title: A line above the picture.
        text_size: Size of labels and dots in images, relative to the usual one.

    Raises:
        OptionError: The tree has too many words, or the arguments contradict each other.
        OutputError: The file cannot be written.
        MissingPackageError: An image was requested, and matplotlib is not installed.
    """
    request = PictureRequest(path=path, format=format, dark=dark, title=title, text_size=text_size)
    if len(tree) > MOST_WORDS:
        raise OptionError(
            f"a picture of a tree shows at most {MOST_WORDS:,} words, got {len(tree):,}",
            hint="draw a tree of fewer words",
        )
    scene = tree_scene(tree, title)
    picture = TreePicture(scene, request.dark, request.format, request.text_size, tree=tree)
    if request.path is not None:
        picture.save(request.path, format=request.format)
    return picture


def tree_scene(tree: Tree, title: str = "") -> Scene:
    """Return the words of a tree on the disc, with the words that have most words below first."""
    branches = Branches(tree)
    importance = np.sqrt(branches.below / max(int(branches.below.max()), 1))
    groups = np.full(len(tree), NO_GROUP)
    for number, top in enumerate(branches.tops):
        groups[branches.subtree(top)] = number
    positions = tree.parent_positions.tolist()
    return Scene(
        title=title,
        words=tree.words,
        labels=labels_of(tree.words),
        places=disc_places(branches),
        radii=None,
        has_hierarchy=False,
        counts=None,
        leading=0,
        groups=tuple(groups.tolist()) if branches.tops else None,
        group_names=labels_of([tree.words[top] for top in branches.tops]),
        edges=tuple((child, parent) for child, parent in enumerate(positions) if parent >= 0),
        neighbors=((),) * len(tree),
        analogy=None,
        importance=importance,
        depths=branches.depths.astype(np.float64),
        by_depth=not branches.tops,
        left_out=(),
        dimension=2,
        scale=1.0,
        method=EXACT,
        fidelity=Fidelity(1.0, 1.0),
        by_hierarchy=False,
    )
