from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.image import imread

from hyperskip import WordVectors
from hyperskip.errors import GeometryError, OptionError, OutputError, UnknownWordError
from hyperskip.geometry import from_ball, hyperboloid
from hyperskip.pictures.disc import Decoration, draw_disc
from hyperskip.projection.tangent import project_to_disc

GENERATOR = np.random.default_rng(5)


def test_two_dimensions_keep_every_distance() -> None:
    points = hyperboloid.random_points(GENERATOR, 30, 2, 1.5)
    drawn = from_ball(project_to_disc(points))
    np.testing.assert_allclose(
        hyperboloid.distance(drawn[:, None], drawn[None]),
        hyperboloid.distance(points[:, None], points[None]),
        atol=1e-6,
    )


@pytest.mark.parametrize("dimension", [1, 3, 20])
def test_distances_from_the_centre_never_grow(dimension: int) -> None:
    points = hyperboloid.random_points(GENERATOR, 40, dimension, 1.0)
    drawn = from_ball(project_to_disc(points))
    centre = hyperboloid.centroid(points)
    seen = hyperboloid.distance(hyperboloid.base_point(2), drawn)
    assert (seen <= hyperboloid.distance(centre, points) + 1e-9).all()
    assert seen.max() > 0.5


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture_is_drawn(trained: WordVectors, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"map.{suffix}"
    decoration = Decoration(
        title="words $of$ <many>", categories={"dog": "animal"}, edges=[("dog", "cat")]
    )
    draw_disc(trained, path, ["dog", "cat", "dog", *trained.words[:50]], decoration)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    if suffix == "png":
        image = imread(path)
        assert image.shape[0] > 1000
        assert len(np.unique(image.reshape(-1, image.shape[-1]), axis=0)) > 50
    else:
        assert "<svg" in path.read_text()


def test_odd_words_are_drawn_as_text(tmp_path: Path) -> None:
    words = ["$x^2$", "a_b$", "<script>", "é", r"\frac{", "\x1b[31mred", "\ud800", "a\nb"]
    coordinates = GENERATOR.normal(size=(len(words), 3)).astype(np.float32)
    odd = Decoration(title="\x01 $ \udcff")
    draw_disc(WordVectors(words, coordinates), tmp_path / "odd.svg", words, odd)
    assert "<script>" not in (tmp_path / "odd.svg").read_text()
    ElementTree.parse(tmp_path / "odd.svg")  # well-formed


def test_letters_without_a_glyph_give_one_warning(tmp_path: Path) -> None:
    words = ["日本", "中国", "한국"]
    coordinates = GENERATOR.normal(size=(3, 2)).astype(np.float32)
    with pytest.warns(UserWarning, match="times: Glyph") as caught:
        draw_disc(WordVectors(words, coordinates), tmp_path / "cjk.png", words)
    assert len(caught) == 1


def test_damaged_vectors_are_not_drawn(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "b"], np.full((2, 3), np.nan, dtype=np.float32))
    with pytest.raises(GeometryError, match="not finite"):
        draw_disc(vectors, tmp_path / "map.png", ["a", "b"])


def test_the_same_vectors_give_the_same_picture(trained: WordVectors, tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg"):
        draw_disc(trained, tmp_path / name, trained.words[:20])
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def test_what_cannot_be_drawn(trained: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"must be \.png or \.svg"):
        draw_disc(trained, tmp_path / "map.gif", ["dog", "cat"])
    with pytest.raises(OptionError, match="1 words were chosen"):
        draw_disc(trained, tmp_path / "map.png", ["dog", "dog"])
    with pytest.raises(UnknownWordError):
        draw_disc(trained, tmp_path / "map.png", ["dog", "doge"])
    with pytest.raises(OutputError):
        draw_disc(trained, tmp_path / "none" / "map.png", ["dog", "cat"])
    flat = WordVectors(["a", "b"], np.ones((2, 2), dtype=np.float32), geometry="euclidean")
    with pytest.raises(GeometryError):
        draw_disc(flat, tmp_path / "map.png", ["a", "b"])
    assert not list(tmp_path.iterdir())
