"""A browser, a server with a small model, and visits that must not log errors."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import uvicorn
from hierarchies import with_chain, with_hierarchy
from page_models import HOSTILE, NAMED, graph_of, vectors_of
from right_models import right_model
from subword_models import with_subwords
from visits import Open, Visit

from hyperskip import WordVectors
from hyperskip.explorer.answers.queries import Queries
from hyperskip.explorer.server.app import make_app
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.page.assets import picture_page
from hyperskip.projection.projecting import make_map


class Served:
    """Run an explorer on a free port, in a thread."""

    def __init__(
        self,
        vectors: WordVectors,
        name: str,
        graph: WordGraph | None = None,
        compared: Queries | None = None,
    ) -> None:
        disc_map = make_map(vectors, np.arange(len(vectors)))
        app = make_app(vectors, disc_map, name=name, graph=graph, compared=compared)
        self._server = uvicorn.Server(
            uvicorn.Config(app, port=0, log_level="warning", lifespan="off", ws="none")
        )
        self._thread = threading.Thread(target=self._server.run, daemon=True)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.02)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/"

    def stop(self) -> None:
        self._server.should_exit = True
        self._thread.join(20)


@pytest.fixture(scope="module")
def served(browser: object) -> Iterator[str]:
    """The URL of an explorer with about 300 words."""
    words = NAMED.split() + [f"word{number}" for number in range(280)]
    explorer = Served(vectors_of(words), "small")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_large(browser: object) -> Iterator[str]:
    """The URL of an explorer with enough words for three levels of regions."""
    rng = np.random.default_rng(4)
    radii, angles = rng.uniform(0.1, 3.0, 4000), rng.uniform(0, 2 * np.pi, 4000)
    points = np.sinh(radii)[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    words = [*HOSTILE, "x" * 10_000]
    words += ["".join(chr(97 + i // 26**p % 26) for p in range(3)) + "ing" for i in range(3994)]
    counts = np.arange(4000, 0, -1)
    explorer = Served(WordVectors(words, points.astype(np.float32), counts=counts), "large")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_hostile(browser: object) -> Iterator[str]:
    explorer = Served(vectors_of([*HOSTILE, *NAMED.split()]), "<b>model</b>")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module", params=[True])
def served_graph(browser: object, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of an explorer with the edges of a graph; the parameter: whether it is directed."""
    vectors = vectors_of(NAMED.split() + [f"word{number}" for number in range(280)])
    explorer = Served(vectors, "graph", graph_of(vectors, directed=request.param))
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_hierarchy(browser: object) -> Iterator[str]:
    """The URL of an explorer with a hierarchy; nothing is stated about "man"."""
    words = NAMED.split() + [f"word{number}" for number in range(80)]
    kinds = {"dog": "of", "cat": "of", "dogs": "of", "king": "the", "man": "the"}
    explorer = Served(with_hierarchy(vectors_of(words), kinds), "hierarchy")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_ladder(browser: object) -> Iterator[str]:
    """The URL of an explorer in which each word is a kind of one other."""
    vectors = vectors_of(NAMED.split() + [f"word{number}" for number in range(80)])
    explorer = Served(with_chain(vectors, ["the", "of", "dog", "cat", "dogs"]), "ladder")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_hostile_ladder(browser: object) -> Iterator[str]:
    """The URL of an explorer in which "dog" is a kind of hostile words."""
    words = [*HOSTILE, "x" * 10_000, *NAMED.split()]
    chain = [HOSTILE[0], HOSTILE[2], "x" * 10_000, "dog"]
    explorer = Served(with_chain(vectors_of(words), chain), "hostile")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def subword_model() -> WordVectors:
    return with_subwords(NAMED.split() + [f"word{number}" for number in range(40)], dimension=2)


@pytest.fixture(scope="module")
def served_subwords(browser: object, subword_model: WordVectors) -> Iterator[str]:
    """The URL of an explorer of a model with subwords."""
    explorer = Served(subword_model, "subwords")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_subwords_hierarchy(browser: object, subword_model: WordVectors) -> Iterator[str]:
    """The URL of an explorer of a model with subwords and a hierarchy."""
    explorer = Served(with_hierarchy(subword_model, {"dog": "of", "cat": "of"}), "both")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def space_model() -> WordVectors:
    """Words in three dimensions, whose neighbors differ by each measure."""
    rng = np.random.default_rng(3)
    words = NAMED.split() + [f"word{number}" for number in range(60)]
    lengths = rng.uniform(0.1, 8.0, (len(words), 1))
    return WordVectors(words, (lengths * rng.normal(size=(len(words), 3))).astype(np.float32))


@pytest.fixture(scope="module")
def served_space(browser: object, space_model: WordVectors) -> Iterator[str]:
    explorer = Served(space_model, "space")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_compared(browser: object) -> Iterator[str]:
    """The URL of an explorer with two models, each with words that the other one does not have."""
    words = [*NAMED.split(), *(f"word{number}" for number in range(60))]
    first = vectors_of([*words, *HOSTILE, "z" * 10_000])
    second = vectors_of([*words[::-1], *HOSTILE, "newer"], seed=6)
    other = Queries(second, make_map(second, np.arange(len(second))), "<i>late</i>")
    explorer = Served(first, "early", compared=other)
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_hostile_space(browser: object) -> Iterator[str]:
    """The URL of an explorer with hostile words in three dimensions."""
    words = [*HOSTILE, "x" * 10_000, *NAMED.split()]
    rng = np.random.default_rng(3)
    points = rng.normal(size=(len(words), 3)).astype(np.float32)
    explorer = Served(WordVectors(words, points), "<b>model</b>")
    yield explorer.url
    explorer.stop()


@pytest.fixture(scope="module")
def served_right(browser: object) -> Iterator[str]:
    """The URL of an explorer that answers some questions right."""
    explorer = Served(right_model(), "right")
    yield explorer.url
    explorer.stop()


@pytest.fixture
def visit(browser: Any, served: str) -> Iterator[Open]:
    """Open pages; after the test, the browser must have logged no errors."""
    visits: list[Visit] = []

    def opened(address: str = "", *, expected: tuple[str, ...] = (), **options: Any) -> Visit:
        url = address if "://" in address else served + address
        visits.append(Visit.opened(browser, url, expected, options))
        return visits[-1]

    yield opened
    for each in visits:
        each.close()
    for each in visits:
        each.check()


@pytest.fixture
def shown(visit: Open, tmp_path: Path) -> Open:
    """Open a picture as a file."""

    def opened(picture: dict[str, Any], **options: Any) -> Visit:
        path = tmp_path / "picture.html"
        path.write_text(picture_page(picture), encoding="utf-8")
        return visit(path.as_uri(), **options)

    return opened
