"""A picture of words, to look at in a notebook or to save."""

import os
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hyperskip.errors import OptionError
from hyperskip.files.targets import check_writable
from hyperskip.pictures.choosing import Request
from hyperskip.pictures.composing import compose
from hyperskip.pictures.disc import disc_figure
from hyperskip.pictures.formats import HTML, PNG, SVG, check_format, format_of
from hyperskip.pictures.interactive import html_frame, html_page
from hyperskip.pictures.saving import picture_bytes, save_picture
from hyperskip.pictures.scene import Scene
from hyperskip.pictures.theme import DARK, LIGHT
from hyperskip.projection.disc_map import check_method
from hyperskip.projection.events import Report, ignore
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """Words on the Poincaré disc. A notebook shows it: interactive, or else as an image.

    Args:
        scene: What is on it.
        dark: Whether images have a dark ground; the page does as its browser does.
        format: What a notebook shows: `png`, `svg` or `html`; if None, the page, and with it an
            image for those that do not show pages.
    """

    scene: Scene
    dark: bool = False
    format: str | None = None

    def __repr__(self) -> str:
        return f"<Picture: {len(self.scene.words)} words, method {self.scene.method}>"

    def figure(self) -> "Figure":
        """The picture as a matplotlib figure, which no window knows of."""
        return disc_figure(self.scene, DARK if self.dark else LIGHT)

    def html(self) -> str:
        """The interactive picture: one page that needs nothing else."""
        return html_page(self.scene)

    def to_bytes(self, format: str) -> bytes:  # noqa: A002
        """The picture in a format; the same picture has the same bytes."""
        check_format(format)
        if format == HTML:
            return self.html().encode()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            data = picture_bytes(self.figure(), format)
        if caught:  # matplotlib gives one for a letter that its fonts do not have
            warnings.warn(f"{len(caught)} times: {caught[0].message}", stacklevel=2)
        return data

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> None:  # noqa: A002
        """Write the picture, whole or not at all.

        Args:
            path: The file.
            format: `png`, `svg` or `html`; by default, what the file's ending says.

        Raises:
            OptionError: There is no such format, or the file's ending says another.
            OutputError: The file cannot be written.
        """
        target = Path(path)
        chosen = format_of(target, format)
        check_ground(chosen, dark=self.dark)
        save_picture(self.to_bytes(chosen), target)

    def _repr_html_(self) -> str | None:
        return html_frame(self.scene) if self.format in (None, HTML) else None

    def _repr_svg_(self) -> str | None:
        return self.to_bytes(SVG).decode() if self.format == SVG else None

    def _repr_png_(self) -> bytes | None:
        return self.to_bytes(PNG) if self.format in (None, PNG) else None


def check_ground(format: str | None, *, dark: bool) -> None:  # noqa: A002
    """Refuse a dark ground where the reader's browser chooses it.

    Raises:
        OptionError: It is an html file.
    """
    if dark and format == HTML:
        raise OptionError(
            "a dark ground was asked for, for an html file",
            hint="leave dark out: the page is as dark as its browser asks for",
        )


def picture_of(
    vectors: WordVectors,
    request: Request,
    *,
    title: str = "",
    projection: str = "auto",
    dark: bool = False,
    format: str | None = None,  # noqa: A002
    report: Report = ignore,
) -> Picture:
    """The picture that a request asks for."""
    choice = request.choose(vectors)
    scene = compose(vectors, choice, title=title, method=projection, report=report)
    return Picture(scene, dark, format)


def plot(
    vectors: WordVectors,
    words: Iterable[str] | None = None,
    *,
    near: str | Iterable[str] | None = None,
    analogy: Iterable[str] | None = None,
    categories: Mapping[str, str] | str | os.PathLike[str] | None = None,
    count: int | None = None,
    title: str = "",
    projection: str = "auto",
    dark: bool = False,
    path: str | os.PathLike[str] | None = None,
    format: str | None = None,  # noqa: A002
) -> Picture:
    """Draw words on the Poincaré disc; see `WordVectors.plot`."""
    request = Request.of(
        words=words, near=near, analogy=analogy, categories=categories, count=count
    )
    check_format(format)
    check_method(projection)
    chosen = format if path is None else format_of(Path(path), format)
    check_ground(chosen, dark=dark)
    if path is not None:
        check_writable(Path(path))
    picture = picture_of(
        vectors, request, title=title, projection=projection, dark=dark, format=format
    )
    if path is not None:
        picture.save(path, format=format)
    return picture
