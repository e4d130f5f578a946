"""Selecting an area of the map in the browser, and the words that must be in it."""

import numpy as np
import numpy.typing as npt
from visits import Pair, Visit

Corners = list[Pair]
Points = npt.NDArray[np.float64]

_PLACES = """() => {
  const { words, visible } = hyperskip.disc;
  return words.names.map((name, i) => [i, ...hyperskip.disc.clientOf(words.placeOf(i))])
    .filter(([i]) => visible(i));
}"""


def star(opened: Visit, *, share: float = 0.6, tips: int = 5) -> Corners:
    """A star around the middle of the map, with a share of its size."""
    x, y = opened.middle()
    reach = share * opened.js("() => hyperskip.disc.painter.frame")
    turns = np.arange(2 * tips) * np.pi / tips
    lengths = np.where(np.arange(2 * tips) % 2 == 0, reach, 0.55 * reach)
    return [
        (x + length * np.cos(turn), y + length * np.sin(turn))
        for turn, length in zip(turns, lengths, strict=True)
    ]


def draw(opened: Visit, corners: Corners) -> None:
    """Draw a closed line with the mouse, after pressing the tool's button."""
    opened.page.locator("#select-area").click()
    opened.page.mouse.move(*corners[0])
    opened.page.mouse.down()
    for corner in corners[1:]:
        opened.page.mouse.move(*corner)
    opened.page.mouse.up()


class Fingers:
    """Fingers on the screen: `touch("touchStart", ...)`, `"touchMove"` and `"touchEnd"`."""

    def __init__(self, opened: Visit) -> None:
        self._session = opened.context.new_cdp_session(opened.page)

    def touch(self, kind: str, *points: Pair) -> None:
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def turns_around(corners: Corners, points: Points) -> npt.NDArray[np.int64]:
    """How many times a polygon winds around each point: the sum of the angles of its sides."""
    away = np.array(corners)[None, :, :] - points[:, None, :]
    angles = np.arctan2(away[:, :, 1], away[:, :, 0])
    steps = np.diff(angles, axis=1, append=angles[:, :1])
    steps = (steps + np.pi) % (2 * np.pi) - np.pi
    turns: npt.NDArray[np.int64] = np.rint(steps.sum(axis=1) / (2 * np.pi)).astype(np.int64)
    return turns


def words_inside(opened: Visit, corners: Corners) -> list[str]:
    """The visible words inside a polygon on the page, the most frequent first."""
    found = np.array(opened.js(_PLACES))
    inside = turns_around(corners, found[:, 1:]) != 0
    names = opened.js("() => hyperskip.disc.words.names")
    return [names[int(index)] for index in found[inside, 0]]


def listed(opened: Visit) -> list[str]:
    """The words of the list in the panel; the full ones, as long words are shown in part."""
    words: list[str] = opened.js(
        "() => [...document.querySelectorAll('.area-words .word')].map((word) => word.title)"
    )
    return words
