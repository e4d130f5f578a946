"""The exported explorer in a real browser: from disk, and below a path of a web server."""

import json
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hierarchies import with_hierarchy
from page_models import HOSTILE, NAMED, graph_of, vectors_of
from visits import Open, Visit

from hyperskip import WordVectors
from hyperskip.explorer.answers.queries import Queries
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.projection.projecting import make_map

WORDS = [*NAMED.split(), "new_york", *(f"word{number}" for number in range(40))]
KINDS = {"dog": "of", "cat": "of", "dogs": "of", "king": "the", "man": "the"}


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Do not print requests."""


@pytest.fixture(scope="module")
def model() -> WordVectors:
    return with_hierarchy(vectors_of(WORDS), KINDS)


@pytest.fixture(scope="module")
def graph(model: WordVectors) -> WordGraph:
    return graph_of(model)


@pytest.fixture(scope="module")
def one_file(model: WordVectors, graph: WordGraph, tmp_path_factory: Any) -> str:
    """The URL of an export in one file, opened from disk."""
    path: Path = tmp_path_factory.mktemp("export") / "words.html"
    model.export_explorer(path, edges=graph.edges, name="one")
    return path.as_uri()


@pytest.fixture(scope="module")
def folder(model: WordVectors, graph: WordGraph, tmp_path_factory: Any) -> Iterator[str]:
    """The URL of an export in a folder, below a path of a web server."""
    root: Path = tmp_path_factory.mktemp("export")
    (root / "a" / "b").mkdir(parents=True)
    model.export_explorer(root / "a" / "b" / "site", edges=graph.edges, name="folder")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(root)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/a/b/site/"
    server.shutdown()
    thread.join(20)
    server.server_close()


@pytest.fixture(params=["one_file", "folder"])
def exported(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


def answer(visit: Visit, name: str, **parameters: object) -> Any:
    """What the page's own interface answers."""
    ask = """async ([name, parameters]) => {
        const { ask } = await import("hyperskip/api");
        return ask(name, parameters);
    }"""
    return visit.js(ask, [name, parameters])


def test_answers_are_those_of_the_server(
    visit: Open, exported: str, model: WordVectors, graph: WordGraph
) -> None:
    opened = visit(exported)
    stored = answer(opened, "points")
    queries = Queries(model, make_map(model, np.arange(len(model))), "same", graph)
    for word in WORDS:
        near = answer(opened, "neighbors", word=word, count=12)
        expected = queries.neighbors(word, 12, "product")
        assert [one["word"] for one in near["neighbors"]] == [
            one["word"] for one in expected["neighbors"]
        ]
        for one, other in zip(near["neighbors"], expected["neighbors"], strict=True):
            assert one["distance"] == pytest.approx(other["distance"], abs=5e-4)
        for name in ("count", "radius", "rank", "cluster"):
            assert near["word"][name] == expected["word"][name], (word, name)
        relatives, expected = (
            answer(opened, "relatives", word=word, count=30),
            queries.relatives(word, 30),
        )
        for name in ("depth", "below", "branch", "parent_count", "child_count"):
            assert relatives[name] == expected[name], (word, name)
        for name in ("path", "parents", "children"):
            assert [one["word"] for one in relatives[name]] == [
                one["word"] for one in expected[name]
            ]
        kinds, expected = (
            answer(opened, "hierarchy", word=word, count=6),
            queries.hierarchy(word, 6),
        )
        assert kinds["evidence"] == expected["evidence"]
        assert [one["word"] for one in kinds["chain"]] == [one["word"] for one in expected["chain"]]
        for name in ("hypernyms", "hyponyms"):
            likely = [one for one in expected[name] if one["score"] >= 0.5]
            assert [one["word"] for one in kinds[name]] == [one["word"] for one in likely]
    assert sorted(stored["words"]) == sorted(WORDS)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("DOG", ["dog", "dogs"]),
        ("new yo", ["new_york"]),
        ("york", ["new_york"]),
        ("/^(dog|cat)s?$/", ["dog", "cat", "dogs"]),
    ],
)
def test_search(visit: Open, exported: str, text: str, found: list[str]) -> None:
    words = answer(visit(exported), "search", text=text, limit=8)["words"]
    assert {one["word"] for one in words} == set(found)


def test_a_bad_pattern_is_explained(visit: Open, one_file: str) -> None:
    opened = visit(one_file)
    opened.page.locator("#search .field").fill("/(/")
    opened.page.locator("#search .search-note", has_text="regular expression").wait_for()


def test_by_keyboard_alone(visit: Open, exported: str) -> None:
    opened = visit(exported)
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("fran")
    opened.page.wait_for_selector("#search [role=option]")
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "france"
    assert "word=france" in opened.js("() => { hyperskip.link.write(); return location.hash; }")


def test_by_mouse(visit: Open, exported: str) -> None:
    opened = visit(exported)
    opened.js("() => hyperskip.goTo('dog')")
    opened.page.wait_for_selector(".card-word")
    opened.page.locator(".near .near-word").first.click()
    opened.until("() => document.querySelector('.card-word').innerText !== 'dog'", "another word")


def test_what_needs_the_model_is_left_out(visit: Open, exported: str) -> None:
    opened = visit(exported + "#mode=analogy&word=dog&word=dogs&word=cat")
    for mode in ("Analogy", "Path"):
        assert opened.page.get_by_text(mode, exact=True).locator("visible=true").count() == 0
    assert opened.page.locator(".modes").is_hidden()
    assert opened.js("() => hyperskip.mode") == "explore"
    assert "without the model" in opened.page.locator(".exported").inner_text()
    opened.js("() => hyperskip.goTo('dog')")
    opened.page.wait_for_selector(".card-word")
    assert opened.page.locator("#measure").is_hidden()
    options = opened.page.locator("#count option").all_inner_texts()
    assert options == ["6", "12", "25"]


def test_similar_words_are_suggested_for_an_unknown_one(visit: Open, one_file: str) -> None:
    opened = visit(one_file)
    opened.page.locator("#search .field").fill("frnace")
    opened.page.keyboard.press("Enter")
    opened.page.locator("#notice").get_by_role("button", name="france").click()
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "france"


def test_a_link_opens_the_same_view(visit: Open, exported: str) -> None:
    opened = visit(exported + "#word=Dog&count=6&theme=dark&color=frequency")
    assert opened.selected == "dog"
    assert opened.page.locator(".near").last.locator("li").count() == 6
    assert opened.js("() => document.documentElement.dataset.theme") == "dark"


def test_on_a_phone(visit: Open, one_file: str) -> None:
    opened = visit(one_file + "#word=dog", viewport={"width": 390, "height": 844}, has_touch=True)
    assert opened.selected == "dog"
    assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
    opened.page.locator(".near .near-word").first.tap()
    opened.until("() => document.querySelector('.card-word').innerText !== 'dog'", "another word")


def test_missing_data_can_be_loaded_again(visit: Open, folder: str) -> None:
    opened = visit(
        folder,
        before=lambda page: page.route("**/hyperskip-explorer.json", lambda route: route.abort()),
        expected=("ERR_FAILED",),
        ready=False,
    )
    retry = opened.page.get_by_role("button", name="Retry")
    retry.wait_for()
    opened.page.unroute("**/hyperskip-explorer.json")
    retry.click()
    opened.wait_until_ready()


def test_words_are_never_markup(visit: Open, tmp_path: Path) -> None:
    words = [*HOSTILE, "</script><script>alert(3)</script>", "y" * 10_000, *NAMED.split()]
    vectors_of(words).export_explorer(tmp_path / "words.html", name="<b>model</b>")
    opened = visit((tmp_path / "words.html").as_uri())
    for word in words[:7]:
        opened.js("word => { hyperskip.goTo(word); }", word)
        opened.until(
            f"() => document.querySelector('.card-word .word')?.title === {json.dumps(word)}", word
        )
        assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("script").count() == 3
    assert opened.page.locator("#model-name").inner_text() == "<b>model</b>"


@pytest.mark.parametrize("measure", ["product", "angle"])
def test_numbers_are_those_of_the_measure(visit: Open, tmp_path: Path, measure: str) -> None:
    rng = np.random.default_rng(3)
    words = NAMED.split()
    vectors = WordVectors(words, rng.normal(size=(len(words), 3)).astype(np.float32))
    measured = vectors.measured_by(measure)
    measured.export_explorer(tmp_path / "words.html")
    opened = visit((tmp_path / "words.html").as_uri() + "#word=dog")
    texts = opened.page.locator(".near .number").all_inner_texts()
    expected = measured.neighbors("dog", len(texts))
    name = "similarity" if measure == "angle" else "distance"
    for text, neighbor in zip(texts, expected, strict=True):
        assert float(text) == pytest.approx(getattr(neighbor, name), abs=1e-3)
