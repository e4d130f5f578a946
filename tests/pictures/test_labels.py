import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperskip.pictures.drawing.labels import Box, place_labels

FRAME = Box(0, 0, 400, 400)
places = st.tuples(st.floats(0, 400), st.floats(0, 400))


@settings(max_examples=100)
@given(st.lists(places, max_size=40))
def test_no_two_labels_overlap(anchors: list[tuple[float, float]]) -> None:
    boxes = place_labels(anchors, [(40.0, 10.0)] * len(anchors), FRAME, gap=4)
    placed = [box for box in boxes if box is not None]
    assert not any(a.overlaps(b) for i, a in enumerate(placed) for b in placed[:i])
    assert all(box.inside(FRAME) for box in placed)


def test_important_labels_are_placed_first() -> None:
    boxes = place_labels([(200, 200)] * 60, [(60.0, 12.0)] * 60, FRAME, gap=4)
    assert boxes[0] == Box(204, 194, 60, 12)
    assert sum(box is not None for box in boxes) >= 4
    assert boxes[-1] is None


def test_lines_and_occupied_areas_are_avoided() -> None:
    size = [(60.0, 12.0)]
    across = [(float(x), 200.0) for x in range(200, 300, 5)]
    assert place_labels([(200, 200)], size, FRAME, gap=4, lines=across) == [Box(136, 194, 60, 12)]
    right = Box(200, 190, 100, 20)
    assert place_labels([(200, 200)], size, FRAME, gap=4, taken=[right]) == [Box(136, 194, 60, 12)]
    everywhere = [(float(x), float(y)) for x in range(0, 400, 5) for y in range(0, 400, 5)]
    assert place_labels([(200, 200)], size, FRAME, gap=4, lines=everywhere) != [None]


def test_overlap_is_symmetric_and_excludes_touching() -> None:
    generator = np.random.default_rng(1)
    for _ in range(200):
        a, b = (Box(*generator.integers(0, 9, 2), *generator.integers(1, 5, 2)) for _ in range(2))
        assert a.overlaps(b) == b.overlaps(a)
    assert not Box(0, 0, 2, 2).overlaps(Box(2, 0, 2, 2))
    assert Box(0, 0, 2, 2).overlaps(Box(1, 1, 2, 2))
