"""A page in the browser, and what the browser said about it."""

import io
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np

Pair = tuple[float, float]

_SECONDS = 60.0  # only a page that hangs takes so long


@dataclass
class Visit:
    """A page that is open; `expected` are parts of messages that the console may show."""

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
        """A new page, when it has loaded; `before` may prepare it, `ready=False` does not wait."""
        before = options.pop("before", None)
        ready = options.pop("ready", True)
        settings = {"viewport": {"width": 960, "height": 640}, "reduced_motion": "reduce"}
        context = browser.new_context(**{**settings, **options})
        context.set_default_timeout(1000 * _SECONDS)
        parts = urlsplit(url)
        visit = cls(context.new_page(), context, f"{parts.scheme}://{parts.netloc}", expected)
        visit.page.on("console", lambda message: visit._heard(message.type, message.text))
        visit.page.on("pageerror", lambda error: visit._heard("error", str(error)))
        visit.page.on("dialog", lambda dialog: visit._heard("error", f"dialog {dialog.message}"))
        visit.page.on("request", lambda request: visit.requests.append(request.url))
        if before is not None:
            before(visit.page)
        visit.page.goto(url)
        if ready:
            visit.wait_until_ready()
        return visit

    def wait_until_ready(self) -> None:
        self.page.wait_for_selector("html[data-ready=true]", state="attached")

    def _heard(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "GL Driver Message" not in text:
            self.problems.append(f"{kind}: {text}")

    def close(self) -> None:
        self.context.close()

    def check(self) -> None:
        """No errors, no violations of the policy, and no request to anybody else."""
        unexpected = [
            problem
            for problem in self.problems
            if not any(part in problem for part in self.expected)
        ]
        assert unexpected == []
        foreign = [
            url for url in self.requests if not url.startswith((self.origin, "data:", "blob:"))
        ]
        assert foreign == []

    # -- the page's own parts

    def js(self, expression: str, argument: object = None) -> Any:
        return self.page.evaluate(expression, argument)

    def until(self, expression: str, what: str) -> None:
        """Wait for an expression to be true; the policy forbids the browser to do it for us."""
        end = time.monotonic() + _SECONDS
        while not self.js(expression):
            assert time.monotonic() < end, f"waited in vain: {what}"
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

    def middle(self) -> Pair:
        box = self.page.locator("#disc").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


Open = Callable[..., Visit]


def pixels(visit: Visit) -> np.ndarray[Any, Any]:
    """The disc as it is seen, (height, width, 3)."""
    from matplotlib.image import imread

    box = visit.page.locator("#disc").bounding_box()
    picture: np.ndarray[Any, Any] = imread(io.BytesIO(visit.page.screenshot(clip=box)))
    return picture[:, :, :3]


def colorful(visit: Visit) -> int:
    """How many pixels of the disc are neither grey nor nearly so."""
    picture = pixels(visit)
    return int((np.ptp(picture, axis=2) > 0.25).sum())


def eventually(is_so: Callable[[], bool]) -> None:
    """Look again and again: what is drawn comes a frame later, or on a busy machine several."""
    end = time.monotonic() + _SECONDS
    while not is_so():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.1)
