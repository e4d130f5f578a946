"""Takes the screenshots of the explorer for the documentation in a headless browser.

    python benchmarks/screenshots.py MODEL [--output docs/images]
    python benchmarks/screenshots.py --url http://localhost:8400/ --overview NAME [--output FOLDER]

MODEL must have the words `japan`, `tokyo`, `germany`, `physics`, `river` and `music`, like any
model of encyclopedia text. With `--overview`, only the whole map is taken, light, dark and on a
phone, of any model. With `--url`, the explorer is one that is already running, for example with
`--edges`.
"""

import argparse
import math
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frames import browser, explorer

from hyperskip.projection.methods import MAP_WORDS

WORDS = MAP_WORDS.default


@dataclass(frozen=True)
class Shot:
    """A view of the explorer."""

    name: str  # of the file
    link: str  # the fragment of the URL that restores the view
    scheme: str = "light"
    width: int = 1280
    height: int = 800
    area: bool = False  # select an area of the map


SHOTS = (
    Shot("explorer", ""),
    Shot("explorer-word", "word=physics", scheme="dark"),
    Shot("explorer-analogy", "mode=analogy&word=japan&word=tokyo&word=germany"),
    Shot("explorer-path", "mode=path&word=river&word=music", scheme="dark"),
    Shot("explorer-area", "", area=True),
    Shot("explorer-phone", "word=physics&color=frequency", width=390, height=844),
)


def overview(name: str) -> tuple[Shot, ...]:
    """The whole map."""
    return (
        Shot(f"{name}-light", ""),
        Shot(f"{name}-dark", "", scheme="dark"),
        Shot(f"{name}-phone", "", width=390, height=844),
    )


def main() -> None:
    """Take all screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("model", type=Path, nargs="?")
    source.add_argument("--url", help="address of an explorer that is running")
    parser.add_argument("--overview", metavar="NAME", help="take only the whole map, as NAME-...")
    parser.add_argument("--output", type=Path, default=Path("docs/images"))
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    running = nullcontext(arguments.url) if arguments.url else explorer(arguments.model, WORDS)
    with running as url, browser(software=True) as started:
        for shot in overview(arguments.overview) if arguments.overview else SHOTS:
            target = arguments.output / f"{shot.name}.png"
            take_screenshot(started, url, shot, target)
            print(target)


def take_screenshot(started: Any, url: str, shot: Shot, target: Path) -> None:
    """Open a view, and save it when nothing moves any more."""
    page = started.new_page(
        viewport={"width": shot.width, "height": shot.height},
        color_scheme=shot.scheme,
        reduced_motion="reduce",
    )
    page.goto(f"{url}#{shot.link}")
    page.wait_for_selector("html[data-ready=true]", state="attached", timeout=120_000)
    page.wait_for_load_state("networkidle")
    if shot.area:
        select_area(page)
    page.wait_for_timeout(1000)
    page.screenshot(path=target)
    page.close()


def select_area(page: Any) -> None:
    """Draw a line around words in the upper right of the map."""
    box = page.locator("#disc").bounding_box()
    side = min(box["width"], box["height"])
    x, y = box["x"] + box["width"] / 2 + 0.12 * side, box["y"] + box["height"] / 2 - 0.12 * side
    line = [
        (
            x + 0.18 * side * math.cos(turn),
            y + 0.15 * side * math.sin(turn) * (1 + 0.2 * math.cos(turn)),
        )
        for turn in (step * math.pi / 24 for step in range(48))
    ]
    page.locator("#select-area").click()
    page.mouse.move(*line[0])
    page.mouse.down()
    for corner in line[1:]:
        page.mouse.move(*corner)
    page.mouse.up()
    page.mouse.move(0, 0)


if __name__ == "__main__":
    main()
