import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from facts import naming
from hierarchies import with_hierarchy
from matplotlib.font_manager import fontManager
from matplotlib.image import imread

from hyperskip import Picture, WordVectors
from hyperskip.errors import GeometryError, OptionError, OutputError, UnknownWordError
from hyperskip.pictures.drawing.ground import seen_distance
from hyperskip.projection.methods import CHOICES

GENERATOR = np.random.default_rng(5)


@pytest.mark.parametrize("method", CHOICES)
def test_every_projection_is_drawn_and_named(trained: WordVectors, method: str) -> None:
    pictures = [trained.plot(near="dog", projection=method) for _ in range(2)]
    assert method in ("auto", pictures[0].scene.method)
    assert pictures[0].to_bytes("svg") == pictures[1].to_bytes("svg")


def test_euclidean_vectors_support_some_methods() -> None:
    coordinates = GENERATOR.normal(size=(30, 5)).astype(np.float32)
    flat = WordVectors([f"w{i}" for i in range(30)], coordinates, geometry="euclidean")
    for asked in ({}, {"near": "w1"}, {"analogy": ("w1", "w2", "w3")}):
        assert not flat.plot(**asked).scene.is_exact
    with pytest.raises(GeometryError, match=naming("projection", "fitted", "polar", "tangent")):
        flat.plot(projection="geodesic")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture_is_drawn(trained: WordVectors, tmp_path: Path, suffix: str, dark: bool) -> None:
    path = tmp_path / f"map.{suffix}"
    words = ["dog", "cat", "dog", *trained.words[:50]]
    title = "words $of$ <many>"
    trained.plot(words, categories={"dog": "_$animal$"}, title=title, dark=dark, path=path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if suffix == "png":
        image = imread(path)
        assert image.shape[0] > 1000
        some = image[::4, ::4].reshape(-1, image.shape[-1])
        assert len(np.unique(some, axis=0)) > 50
        assert (image[0, 0, :3].mean() < 0.5) == dark
    else:
        assert "<svg" in path.read_text()


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"near": ["dog", "car", "cat"]},
        {"analogy": ("france", "paris", "italy")},
        {"analogy": ("dog", "dog", "dog")},
        {"categories": "builtin"},
        {"categories": {word: f"category {i}" for i, word in enumerate(("dog", "cat", "car"))}},
    ],
)
def test_the_same_picture_has_the_same_bytes(
    trained: WordVectors, asked: dict[str, object]
) -> None:
    first, second = (trained.plot(**asked).to_bytes("svg") for _ in range(2))  # type: ignore[arg-type]
    assert first == second
    ElementTree.fromstring(first)


def test_odd_words_are_drawn_as_text(tmp_path: Path) -> None:
    words = ["$x^2$", "a_b$", "<script>", "é", r"\frac{", "\x1b[31mred", "\ud800", "a\nb", ""]
    words += ["שלום", "مرحبا", "x\u202ey", "_x", "w" * 300]
    coordinates = GENERATOR.normal(size=(len(words), 3)).astype(np.float32)
    vectors = WordVectors(words, coordinates)
    odd = {word: word for word in words}
    vectors.plot(categories=odd, title="\x01 $ \udcff", path=tmp_path / "odd.svg")
    assert "<script>" not in (tmp_path / "odd.svg").read_text()
    ElementTree.parse(tmp_path / "odd.svg")  # well-formed
    vectors.plot(categories=odd, title="\x01 \udcff</script>", path=tmp_path / "odd.html")
    assert "\x1b" not in (tmp_path / "odd.html").read_text(encoding="utf-8")


def test_the_text_of_an_svg_image_is_text(trained: WordVectors) -> None:
    svg = trained.plot(near="dog", count=3, title="around the dog").to_bytes("svg").decode()
    found = re.findall(r"<text ([^>]*)>([^<]*)</text>", svg)
    texts = [text for _, text in found]
    assert {"dog", "around the dog"} <= set(texts)
    words = {near.word for near in trained.neighbors("dog", 3)}
    assert all(texts.count(word) == 1 for word in words)
    assert all("sans-serif" in style and "Verdana" in style for style, _ in found)


def test_letters_without_a_glyph_give_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = [font for font in fontManager.ttflist if font.name == "DejaVu Sans"]
    monkeypatch.setattr(fontManager, "ttflist", only)
    words = ["日本", "中国", "한국"]
    coordinates = GENERATOR.normal(size=(3, 2)).astype(np.float32)
    with pytest.warns(UserWarning, match="Glyph") as caught:  # the wording of matplotlib
        WordVectors(words, coordinates).plot(path=tmp_path / "cjk.png")
    assert len(caught) == 1


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_words_all_at_one_point(dimension: int) -> None:
    coordinates = np.full((30, dimension), 0.5, dtype=np.float32)
    words = [f"word{i}" for i in range(30)]
    assert b"<svg" in WordVectors(words, coordinates).plot().to_bytes("svg")


@pytest.mark.parametrize("farthest", [1e-6, 0.02, 0.5, 2.0, 9.0, 30.0])
def test_words_fill_the_picture(farthest: float) -> None:
    angles = np.linspace(0, 6, 20)
    around = np.sinh(farthest) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    words = [f"word{i}" for i in range(20)]
    picture = WordVectors(words, around.astype(np.float32)).plot()
    drawn = np.linalg.norm(picture.scene.places, axis=1).max()
    (axes,) = picture.figure().axes
    seen = axes.get_xlim()[1]
    assert drawn < seen
    if farthest > 1e-3:
        assert drawn > 0.5 * seen
    numbers = [text.get_text() for text in axes.texts if text.get_text() not in words]
    assert len(numbers) <= 7
    magnified = seen_distance(picture.scene)
    assert (magnified is None) == (not 1e-3 < drawn < 0.6)


@pytest.mark.parametrize("dimension", [1, 2, 5])
def test_words_that_rounding_puts_on_the_rim(dimension: int) -> None:
    coordinates = np.zeros((4, dimension), dtype=np.float32)
    far = 1e30
    coordinates[:, 0] = [far, -far, far / 10, 1.0]
    vectors = WordVectors(list("abcd"), coordinates)
    assert b"<svg" in vectors.plot(near="a").to_bytes("svg")
    assert (np.linalg.norm(vectors.plot().scene.places, axis=1) < 1).all()


@pytest.mark.slow
def test_thousands_of_words(tmp_path: Path) -> None:
    words = [f"word{i}" for i in range(5000)]
    coordinates = GENERATOR.normal(size=(5000, 2)).astype(np.float32)
    WordVectors(words, coordinates).plot(words, path=tmp_path / "many.png")
    assert (tmp_path / "many.png").stat().st_size > 100_000


def test_damaged_vectors_are_not_drawn(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "b"], np.full((2, 3), np.nan, dtype=np.float32))
    with pytest.raises(GeometryError):
        vectors.plot(["a", "b"], path=tmp_path / "map.png")


def test_a_figure_has_no_window(trained: WordVectors) -> None:
    from matplotlib import pyplot, rcParams

    before = dict(rcParams)
    figure = trained.plot(near="dog").figure()
    assert figure.axes
    assert not pyplot.get_fignums()
    assert dict(rcParams) == before


def test_impossible_requests(trained: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=naming("map.gif", ".png", ".svg", ".html")):
        trained.plot(["dog", "cat"], path=tmp_path / "map.gif")
    with pytest.raises(OptionError, match=naming("projection", "umap", *CHOICES)):
        trained.plot(["dog", "cat"], projection="umap", path=tmp_path / "map.png")
    with pytest.raises(OptionError, match=naming(1)):
        trained.plot(["dog", "dog"], path=tmp_path / "map.png")
    with pytest.raises(UnknownWordError):
        trained.plot(["dog", "doge"], path=tmp_path / "map.png")
    with pytest.raises(OutputError):
        trained.plot(["dog", "cat"], path=tmp_path / "none" / "map.png")
    assert not list(tmp_path.iterdir())


def test_the_legend_says_whether_radii_mean_generality() -> None:
    plain = WordVectors([f"w{i}" for i in range(30)], np.random.default_rng(1).normal(size=(30, 3)))
    hierarchical = with_hierarchy(plain, {"w1": "w0", "w2": "w0"})
    assert {"small radius", "large radius"} <= texts_of(plain.plot())
    shown = hierarchical.plot()
    assert {"general", "specific"} <= texts_of(shown)
    assert any("general words are in the middle" in text for text in texts_of(shown))
    assert shown.scene.numbers.tolist() == hierarchical.hierarchy_radii.tolist()
    assert np.linalg.norm(shown.scene.places, axis=1).argmin() == 0
    for other in (hierarchical.plot(center="w5"), hierarchical.plot(projection="fitted")):
        assert not any("in the middle" in text for text in texts_of(other))


def texts_of(picture: Picture) -> set[str]:
    return {text.get_text() for text in picture.figure().texts}
