"""A page in the browser, with the messages and requests that it caused."""

import io
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np

Pair = tuple[float, float]

_SECONDS = 60.0  # only reached if a page hangs


@dataclass
class Visit:
    """An open page; `expected` are parts of messages that may appear in the console."""

    page: Any
    context: Any
    origin: str
    expected: tuple[str, ...]
    problems: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    @classmethod
    def opened(
        cls, browser: Any, url: str, expected: tuple[str, ...], options: dict[str, Any]
    ) -> "Visit":
        """Open a page, prepare it with `before`, and wait for it unless `ready=False`."""
        before = options.pop("before", None)
        ready = options.pop("ready", True)
        settings = {"viewport": {"width": 960, "height": 640}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**settings, **options})
        context.set_default_timeout(1000 * _SECONDS)
        parts = urlsplit(url)
        visit = cls(context.new_page(), context, f"{parts.scheme}://{parts.netloc}", expected)
        visit.page.on("console", lambda message: visit._note(message.type, message.text))
        visit.page.on("pageerror", lambda error: visit._note("error", str(error)))
        visit.page.on("dialog", lambda dialog: visit._note("error", f"dialog {dialog.message}"))
        visit.page.on("request", lambda request: visit.requests.append(request.url))
        if before is not None:
            before(visit.page)
        visit.page.goto(url)
        if ready:
            visit.wait_until_ready()
        return visit

    def wait_until_ready(self) -> None:
        self.page.wait_for_selector("html[data-ready=true]", state="attached")

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "GL Driver Message" not in text:
            self.problems.append(f"{kind}: {text}")

    def close(self) -> None:
        self.context.close()

    def check(self) -> None:
        """Check for unexpected messages and for requests to other servers."""
        unexpected = [
            problem
            for problem in self.problems
            if not any(part in problem for part in self.expected)
        ]
        assert unexpected == [], unexpected
        foreign = [
            url for url in self.requests if not url.startswith((self.origin, "data:", "blob:"))
        ]
        assert foreign == []

    # -- parts of the page

    def js(self, expression: str, argument: object = None) -> Any:
        return self.page.evaluate(expression, argument)

    def until(self, expression: str, what: str) -> None:
        """Wait until an expression is true; the page's policy forbids the browser's own wait."""
        end = time.monotonic() + _SECONDS
        while not self.js(expression):
            assert time.monotonic() < end, f"timed out: {what}"
            self.page.wait_for_timeout(30)

    def place_at(self, x: float, y: float) -> Pair:
        return tuple(self.js("at => hyperskip.disc.placeAt(at)", [x, y]))

    def client_of(self, place: Pair) -> Pair:
        return tuple(self.js("place => hyperskip.disc.clientOf(place)", list(place)))

    def client_of_word(self, word: str) -> Pair:
        place = "word => hyperskip.disc.words.placeOf(hyperskip.disc.words.indexOf(word))"
        return self.client_of(self.js(place, word))

    @property
    def center(self) -> Pair:
        return tuple(self.js("() => hyperskip.disc.view.center"))

    @property
    def scale(self) -> float:
        return float(self.js("() => hyperskip.disc.view.scale"))

    @property
    def selected(self) -> str:
        return str(self.page.locator(".card-word").inner_text())

    @property
    def about(self) -> str:
        """The measurements of the map, which are shown on request."""
        details = self.page.locator("#about details")
        if details.get_attribute("open") is None:
            details.locator("summary").click()
        return str(details.inner_text())

    def middle(self) -> Pair:
        box = self.page.locator("#disc").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


Open = Callable[..., Visit]


def pixels(visit: Visit) -> np.ndarray[Any, Any]:
    """The pixels of the disc, (height, width, 3)."""
    from matplotlib.image import imread

    box = visit.page.locator("#disc").bounding_box()
    picture: np.ndarray[Any, Any] = imread(io.BytesIO(visit.page.screenshot(clip=box)))
    return picture[:, :, :3]


def colorful(visit: Visit) -> int:
    """The number of pixels of the disc that are not nearly gray."""
    picture = pixels(visit)
    return int((np.ptp(picture, axis=2) > 0.25).sum())


def eventually(is_so: Callable[[], bool]) -> None:
    """Wait until a condition is true: drawing takes a frame, or several on a busy machine."""
    end = time.monotonic() + _SECONDS
    while not is_so():
        assert time.monotonic() < end, "timed out"
        time.sleep(0.1)


def contrast(first: list[float], second: list[float]) -> float:
    """The contrast of two colors by WCAG, from 1 to 21."""

    def luminance(color: list[float]) -> float:
        parts = np.array(color) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted([luminance(first), luminance(second)], reverse=True)
    return (high + 0.05) / (low + 0.05)
