import html
import json
import re
from pathlib import Path

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.errors import OptionError
from hyperskip.geometry import charts, hyperboloid
from hyperskip.geometry.names import ROUTES
from hyperskip.pictures.drawing.text import for_font, wrapped
from hyperskip.pictures.interactive import for_browser, picture_data
from hyperskip.pictures.request.request import format_of


@pytest.fixture(scope="module")
def flat() -> WordVectors:
    """Forty words in the hyperbolic plane."""
    coordinates = np.random.default_rng(2).normal(size=(40, 2)).astype(np.float32)
    return WordVectors([f"w{i}" for i in range(40)], coordinates)


def test_the_data_of_an_interactive_picture(trained: WordVectors) -> None:
    picture = trained.plot(near=["dog", "car"], count=5, title="two words")
    data = json.loads(json.dumps(picture_data(picture.scene)))
    words = data["words"]
    count = len(words)
    assert data["title"] == "two words"
    assert data["group_names"] == ["dog", "car"]
    assert all(len(data[name]) == count for name in ("x", "y", "counts", "radii", "groups"))
    assert (np.hypot(data["x"], data["y"]) < 1).all()
    assert data["analogy"] is None
    assert set(data["fidelity"]) == {"neighbors", "radii"}
    assert data["radii"][0] == pytest.approx(trained.radius("dog"), abs=1e-4)
    assert {(words[a], words[b]) for a, b in data["edges"]} >= {
        ("dog", near.word) for near in trained.neighbors("dog", 5)
    }
    others = [word for word in trained.words if word in words]
    nearest = min(
        (word for word in others if word != "dog"), key=lambda w: trained.distance("dog", w)
    )
    i, distance = data["neighbors"][0][0]
    assert words[i] == nearest
    assert distance == pytest.approx(trained.distance("dog", nearest), abs=1e-4)
    assert all(len(found) == min(10, count - 1) for found in data["neighbors"])


def test_in_two_dimensions_an_analogy_is_exact(flat: WordVectors) -> None:
    scene = flat.plot(analogy=("w1", "w2", "w3"), count=4).scene
    assert scene.is_exact
    assert scene.counts is None
    assert scene.analogy is not None
    data = picture_data(scene)["analogy"]
    assert (data["a"], data["b"], data["c"]) == (0, 1, 2)
    for route, drawn in zip(ROUTES, scene.analogy.routes, strict=True):
        answers = flat.analogy("w1", "w2", "w3", route=route, count=4)
        assert [answer["word"] for answer in data["routes"][route]["answers"]] == [
            answer.word for answer in answers
        ]
        rows = [np.array([flat.index_of(word)]) for word in ("w1", "w2", "w3")]
        point = flat.analogy_points(rows[0], rows[1], rows[2], route)[0]
        on_disc = charts.from_ball(np.array(drawn.place))
        for i, _ in drawn.answers:
            assert hyperboloid.distance(charts.from_ball(scene.places[i]), on_disc) == (
                pytest.approx(flat.distance(scene.words[i], point), abs=1e-5)
            )


def test_the_fidelity_is_described(trained: WordVectors) -> None:
    scene = trained.plot(count=30).scene
    assert re.fullmatch(r"\d+% of the nearest neighbors are kept", str(scene.fidelity))
    assert not scene.is_exact


def test_a_notebook_gets_the_page_and_an_image(flat: WordVectors) -> None:
    picture = flat.plot(title='a "title" <b>')
    shown = picture._repr_html_()
    assert shown is not None
    assert shown.startswith('<iframe title="a &quot;title&quot; &lt;b&gt;" sandbox="allow-scripts"')
    inside = re.fullmatch(r'.* srcdoc="([^"]*)"></iframe>', shown, flags=re.DOTALL)
    assert inside is not None
    assert html.unescape(inside[1]) == picture.html()
    png = picture._repr_png_()
    assert png is not None
    assert png.startswith(b"\x89PNG")
    assert picture._repr_svg_() is None
    assert repr(picture) == "<Picture: 40 words, method exact>"


@pytest.mark.parametrize("chosen", ["png", "svg", "html"])
def test_a_notebook_shows_the_chosen_format(flat: WordVectors, chosen: str) -> None:
    picture = flat.plot(format=chosen)
    shown = {
        "png": picture._repr_png_(), "svg": picture._repr_svg_(), "html": picture._repr_html_()
    }  # fmt: skip
    assert [name for name, data in shown.items() if data is not None] == [chosen]


def test_saving(flat: WordVectors, tmp_path: Path) -> None:
    picture = flat.plot()
    picture.save(tmp_path / "map.PNG")
    picture.save(tmp_path / "map", format="html")
    assert (tmp_path / "map.PNG").read_bytes() == picture.to_bytes("png")
    assert (tmp_path / "map").read_text(encoding="utf-8") == picture.html()
    with pytest.raises(OptionError, match=naming("dark", "html")):
        flat.plot(dark=True, format="html")
    with pytest.raises(OptionError, match=naming("dark", "html")):
        flat.plot(dark=True, path=tmp_path / "dark.html")
    with pytest.raises(OptionError, match=naming("format", "gif", "png", "svg", "html")):
        flat.plot(format="gif")
    assert len(list(tmp_path.iterdir())) == 2


def test_a_format_that_contradicts_the_extension() -> None:
    assert format_of(Path("map.svg")) == "svg"
    assert format_of(Path("map"), "svg") == "svg"
    assert format_of(Path("map.SVG"), "svg") == "svg"
    for name in ("map.png", "map.gif"):
        with pytest.raises(OptionError, match=naming("format", "svg", name, "map.svg")):
            format_of(Path(name), "svg")
    for name in ("map", "map.gif", ".png"):
        with pytest.raises(OptionError, match=naming(name, ".png", ".svg", ".html")):
            format_of(Path(name))


def test_letters() -> None:
    assert for_font("a\x1b\u200d\ud800b") == "a\ufffd\ufffd\ufffdb"
    assert for_browser("a\x1b\u202e\ud800\u200db") == "a\ufffd\ufffd\ufffd\u200db"  # keeps joiners
    assert wrapped("", 10, 2) == ""
    assert wrapped("one two three four", 8, 2) == "one two\nthree …"
    assert max(map(len, wrapped("w" * 500, 40, 3).split("\n"))) <= 40
