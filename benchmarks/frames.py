"""Frame times of the explorer while its disc is dragged, in a headless browser.

    python benchmarks/frames.py [MODEL] [--words 50000] [--seconds 5] [--width 1280 --height 800]

Opens the explorer of a model, or of generated words in the plane, drags the disc all the time, and
prints the intervals between frames and the milliseconds of our script in each frame. It also prints
the browser's renderer: without a GPU, it is software, and the intervals do not tell how a laptop
would do, but the time of the script does.
"""

import argparse
import shutil
import socket
import statistics
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn

from hyperskip.explorer.server.app import make_app
from hyperskip.projection.map_file import map_beside
from hyperskip.projection.projecting import make_map
from hyperskip.vectors.model_file import load
from hyperskip.vectors.word_vectors import WordVectors

# Python presses the mouse button; the moves come from a script in the page, one in each frame, so
# that neither Python nor its connection to the browser is measured.
DRAG = """([x, y, reach, seconds]) => new Promise((resolve) => {
  const surface = document.getElementById("disc");
  const { frameTimes } = hyperskip.disc;
  const [frames, handling] = [[], []];
  frameTimes.length = 0;
  const step = (now) => {
    frames.push(now);
    const passed = (now - frames[0]) / 1000;
    if (passed > seconds) {
      resolve([frames, frameTimes, handling]);
      return;
    }
    const clientX = x + reach * Math.cos(2.5 * passed);
    const clientY = y + reach * Math.sin(5 * passed);
    const begin = performance.now();
    surface.dispatchEvent(new PointerEvent("pointermove", {
      pointerId: 1, pointerType: "mouse", clientX, clientY,
    }));
    handling.push(performance.now() - begin);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
SOFTWARE = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", nargs="?", type=Path)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=800)
    parser.add_argument("--software", action="store_true", help="draw without a GPU")
    arguments = parser.parse_args()
    with explorer(arguments.model, arguments.words) as url, browser(arguments.software) as started:
        page = started.new_page(viewport={"width": arguments.width, "height": arguments.height})
        page.goto(url)
        page.wait_for_selector("html[data-ready=true]", state="attached", timeout=120_000)
        report(page, arguments.seconds)


def generated_vectors(words: int) -> WordVectors:
    """Words spread over a disc of the hyperbolic plane."""
    rng = np.random.default_rng(1)
    radii = np.arccosh(1 + rng.uniform(0, 1, words) * (np.cosh(6) - 1))
    angles = rng.uniform(0, 2 * np.pi, words)
    points = np.sinh(radii)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    names = [f"word{number}" for number in range(words)]
    counts = (1e7 / np.arange(1, words + 1)).astype(np.int64)
    return WordVectors(names, points.astype(np.float32), counts=counts)


@contextmanager
def explorer(model: Path | None, words: int) -> Iterator[str]:
    """Serve an explorer on a free port; gives its address."""
    if model is None:
        vectors = generated_vectors(words)
        disc_map = make_map(vectors, np.arange(words))
    else:
        vectors = load(model)
        disc_map = map_beside(model, vectors, words=words)
    name = "generated words" if model is None else model.name
    app = make_app(vectors, disc_map, name=name)
    listening = socket.create_server(("127.0.0.1", 0))
    configuration = uvicorn.Config(app, log_level="warning", lifespan="off", ws="none")
    server = uvicorn.Server(configuration)
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
    server.should_exit = True
    thread.join(10)


@contextmanager
def browser(software: bool) -> Iterator[Any]:
    """Start headless Chromium."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser")
    arguments = ["--no-sandbox", "--ignore-gpu-blocklist", *(SOFTWARE if software else [])]
    with sync_playwright() as running:
        started = running.chromium.launch(executable_path=path, args=arguments)
        yield started
        started.close()


def report(page: Any, seconds: float) -> None:
    """Drag the disc, and print the times."""
    drag(page, 1.0)  # for just-in-time compilation and caches
    frames, drawing, handling = drag(page, seconds)
    intervals = [later - earlier for earlier, later in pairwise(frames)]
    shown = page.evaluate("() => hyperskip.disc.words.names.length")
    print(f"{shown:,} points, {page.evaluate('() => hyperskip.disc.painter.points.renderer')}")
    print(f"frames    {len(drawing) / seconds:6.1f} per second, interval {spread(intervals)}")
    print(f"script    {spread(drawing)} per frame, {spread(handling)} per move of the mouse")
    search = "() => { const begin = performance.now(); for (let i = 0; i < 20; i++)"
    search += " hyperskip.disc.wordAt([300 + i, 300]); return (performance.now() - begin) / 20; }"
    print(f"pointing  {page.evaluate(search):6.2f} ms to find the word under the pointer")


def drag(page: Any, seconds: float) -> Any:
    """Move the pressed mouse around the center of the disc."""
    box = page.locator("#disc").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    reach = 0.3 * min(box["width"], box["height"])
    page.mouse.move(x + reach, y)
    page.mouse.down()
    measured = page.evaluate(DRAG, [x, y, reach, seconds])
    page.mouse.up()
    return measured


def spread(values: list[float]) -> str:
    """The median and the 95th percentile."""
    return f"{statistics.median(values):6.2f} ms (95%: {np.percentile(values, 95):.2f})"


if __name__ == "__main__":
    main()
