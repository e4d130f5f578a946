"""Labels that do not overlap: each word takes the best free place beside its point, or none."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_ROUNDS = 3  # how often to look farther away before giving a label up


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
        """Whether this rectangle lies wholly in the other."""
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
    gap: float,
) -> list[Box | None]:
    """Give each label a place, the first ones first.

    Args:
        anchors: The points that the labels belong to, the most important first.
        sizes: Width and height of each label.
        frame: Where labels may stand.
        gap: Distance between a point and its label.

    Returns:
        For each label a box inside the frame that overlaps no other label's, or None for lack of
        room.
    """
    placed: list[Box] = []
    result: list[Box | None] = []
    for anchor, size in zip(anchors, sizes, strict=True):
        free = (
            box
            for box in _places(anchor, size, gap)
            if box.inside(frame) and not any(box.overlaps(other) for other in placed)
        )
        box = next(free, None)
        result.append(box)
        if box is not None:
            placed.append(box)
    return result


def _places(anchor: tuple[float, float], size: tuple[float, float], gap: float) -> Iterator[Box]:
    """Places around a point: right, left, above, below, then the corners, then farther away."""
    x, y = anchor
    width, height = size
    for distance in (gap * step for step in range(1, _ROUNDS + 1)):
        right, left = x + distance, x - distance - width
        above, below = y + distance, y - distance - height
        middle_x, middle_y = x - width / 2, y - height / 2
        yield Box(right, middle_y, width, height)
        yield Box(left, middle_y, width, height)
        yield Box(middle_x, above, width, height)
        yield Box(middle_x, below, width, height)
        yield Box(right, above, width, height)
        yield Box(left, above, width, height)
        yield Box(right, below, width, height)
        yield Box(left, below, width, height)
