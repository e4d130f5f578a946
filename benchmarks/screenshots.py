"""Takes the screenshots of the explorer for README.md in a headless browser.

    python benchmarks/screenshots.py MODEL [--output docs/images]

MODEL must have the words `france`, `paris`, `italy`, `physics`, `river` and `music`, like any model
of encyclopedia text.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frames import browser, explorer

from hyperskip.projection.methods import MAP_WORDS


@dataclass(frozen=True)
class Shot:
    """A view of the explorer."""

    name: str  # of the file
    link: str  # the fragment of the URL that restores the view
    scheme: str = "light"
    width: int = 1280
    height: int = 800


SHOTS = (
    Shot("explorer", ""),
    Shot("explorer-word", "word=physics", scheme="dark"),
    Shot("explorer-analogy", "mode=analogy&word=france&word=paris&word=italy"),
    Shot("explorer-path", "mode=path&word=river&word=music", scheme="dark"),
    Shot("explorer-phone", "word=physics&color=frequency", width=390, height=844),
)


def main() -> None:
    """Take all screenshots."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--output", type=Path, default=Path("docs/images"))
    arguments = parser.parse_args()
    arguments.output.mkdir(parents=True, exist_ok=True)
    with explorer(arguments.model, MAP_WORDS.default) as url, browser(software=True) as started:
        for shot in SHOTS:
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
    page.wait_for_timeout(1000)
    page.screenshot(path=target)
    page.close()


if __name__ == "__main__":
    main()
