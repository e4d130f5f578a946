"""Balanced trees, whose ancestors and depths are known from the names of their nodes."""

import numpy as np
import numpy.typing as npt

from hyperskip import WordVectors, geometry


def balanced_tree(branches: int, depth: int) -> list[tuple[str, str]]:
    """Edges from each child to its parent; the child r.0.2 of r.0 has the depth 2."""
    edges, level = [], ["r"]
    for _ in range(depth):
        children = [(f"{parent}.{i}", parent) for parent in level for i in range(branches)]
        edges += children
        level = [child for child, _ in children]
    return edges


def ancestors(node: str) -> list[str]:
    """All ancestors of a node, from the root down."""
    parts = node.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def depths(words: tuple[str, ...]) -> npt.NDArray[np.int64]:
    """The depth of each node."""
    return np.array([word.count(".") for word in words])


def reconstruction(vectors: WordVectors) -> tuple[float, float]:
    """Mean rank and mean average precision of all ancestors among all other nodes."""
    points = vectors.space.points(vectors.coordinates)
    ranks, precisions = [], []
    for row, word in enumerate(vectors.words):
        rows = [vectors.words.index(ancestor) for ancestor in ancestors(word)]
        if rows:
            distances = vectors.space.distance(points, points[row])
            distances[row] = np.inf
            places = np.sort(np.argsort(np.argsort(distances))[rows])
            before = np.arange(len(places))
            ranks += list(places - before + 1)
            precisions.append(((before + 1) / (places + 1)).mean())
    return float(np.mean(ranks)), float(np.mean(precisions))


def tree_in_the_plane(edges: list[tuple[str, str]], length: float = 2.5) -> WordVectors:
    """A tree in the hyperbolic plane by Sarkar's construction: all edges have the same length.

    The root is the base point. Around each node, its neighbors lie at equal angles. Edges from
    children to their parents come in the order of their depth.
    """
    root = edges[0][1]
    children: dict[str, list[str]] = {}
    for child, parent in edges:
        children.setdefault(parent, []).append(child)
    disc, towards_parent = {root: 0j}, {root: np.pi}
    for parent, below in children.items():
        center = disc[parent]
        step = 2 * np.pi / (len(below) + (parent != root))
        for i, child in enumerate(below):
            angle = towards_parent[parent] + step * (i + 1)
            seen = np.tanh(length / 2) * np.exp(1j * angle)
            disc[child] = (seen + center) / (1 + np.conj(center) * seen)
            back = (center - disc[child]) / (1 - np.conj(disc[child]) * center)
            towards_parent[child] = float(np.angle(back))
    ball = np.array([(z.real, z.imag) for z in disc.values()])
    return WordVectors(list(disc), geometry.from_ball(ball)[:, :-1])
