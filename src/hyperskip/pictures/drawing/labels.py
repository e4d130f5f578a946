"""Placement of labels: each is next to its point and overlaps no other, or is left out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hyperskip.geometry.arrays import Floats

_DISTANCES = 3  # number of distances from the point that are tried
_FARTHER, _COVERED = 0.4, 1.0  # cost of each step away from the point, and of covering a point


@dataclass(frozen=True)
class Box:
    """A rectangle, in pixels."""

    left: float
    bottom: float
    width: float
    height: float

    def overlaps(self, other: "Box") -> bool:
        """Whether the two rectangles share any area."""
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.bottom < other.bottom + other.height
            and other.bottom < self.bottom + self.height
        )

    def inside(self, other: "Box") -> bool:
        """Whether this rectangle is completely inside the other."""
        return (
            self.left >= other.left
            and self.bottom >= other.bottom
            and self.left + self.width <= other.left + other.width
            and self.bottom + self.height <= other.bottom + other.height
        )


def place_labels(
    anchors: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    frame: Box,
    gap: float | Sequence[float],
    taken: Sequence[Box] = (),
    lines: Sequence[tuple[float, float]] = (),
) -> list[Box | None]:
    """Place labels, in order of importance.

    Args:
        anchors: The points of the labels, the most important first. Labels cover points only if
            there is no other room.
        sizes: Width and height of each label.
        frame: The area for labels.
        gap: Distance between a point and its label, for all or for each.
        taken: Areas that labels must not overlap.
        lines: Points on lines, which are covered only if there is no other room.

    Returns:
        For each label, a box inside the frame that overlaps no other label, or None if there is no
        room.
    """
    points = np.array(anchors, dtype=np.float64).reshape(-1, 2)
    placed = np.empty((len(taken) + len(points), 4))  # left, bottom, right, top
    for i, box in enumerate(taken):
        placed[i] = box.left, box.bottom, box.left + box.width, box.bottom + box.height
    count = len(taken)
    avoided = np.concatenate([points, np.array(lines, dtype=np.float64).reshape(-1, 2)])
    dots = np.concatenate([avoided, avoided], axis=1)
    result: list[Box | None] = []
    gaps = np.broadcast_to(np.asarray(gap, dtype=np.float64), len(points))
    for point, (width, height), distance in zip(points, sizes, gaps, strict=True):
        boxes, cost = _candidates(point, width, height, float(distance))
        around = np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])[None]
        nearby = placed[:count][_overlap(around, placed[:count])[0]]
        free = _inside(boxes, frame) & ~_overlap(boxes, nearby).any(axis=1)
        boxes, cost = boxes[free], cost[free]
        if not len(boxes):
            result.append(None)
            continue
        covered = _overlap(boxes, dots[_overlap(around, dots)[0]]).sum(axis=1)
        best = boxes[np.argmin(cost + _COVERED * covered)]
        placed[count] = best
        count += 1
        result.append(Box(float(best[0]), float(best[1]), width, height))
    return result


def _candidates(point: Floats, width: float, height: float, gap: float) -> tuple[Floats, Floats]:
    """Return boxes (boxes, 4) around a point, and the cost of each.

    The order is right, left, above, below, then the corners, then the same farther away.
    """
    x, y = point
    corners: list[tuple[float, float]] = []
    for distance in (gap * step for step in range(1, _DISTANCES + 1)):
        right, left = x + distance, x - distance - width
        above, below = y + distance, y - distance - height
        middle_x, middle_y = x - width / 2, y - height / 2
        corners += [(right, middle_y), (left, middle_y), (middle_x, above), (middle_x, below)]
        corners += [(right, above), (left, above), (right, below), (left, below)]
    low = np.array(corners)
    order = np.arange(len(low))
    cost = _FARTHER * (order // 8) + 0.01 * (order % 8)
    return np.concatenate([low, low + np.array([width, height])], axis=1), cost


def _inside(boxes: Floats, frame: Box) -> npt.NDArray[np.bool_]:
    right, top = frame.left + frame.width, frame.bottom + frame.height
    inside: npt.NDArray[np.bool_] = (
        (boxes[:, 0] >= frame.left)
        & (boxes[:, 1] >= frame.bottom)
        & (boxes[:, 2] <= right)
        & (boxes[:, 3] <= top)
    )
    return inside


def _overlap(boxes: Floats, others: Floats) -> npt.NDArray[np.bool_]:
    """Return (boxes, others): which overlap; a point overlaps a box that it is inside of."""
    overlap: npt.NDArray[np.bool_] = (
        (boxes[:, None, 0] < others[None, :, 2])
        & (others[None, :, 0] < boxes[:, None, 2])
        & (boxes[:, None, 1] < others[None, :, 3])
        & (others[None, :, 1] < boxes[:, None, 3])
    )
    return overlap
