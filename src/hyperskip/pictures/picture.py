"""A picture of words, to show in a notebook or to save."""

import os
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hyperskip.errors import MissingPackageError
from hyperskip.files.writing import replacing
from hyperskip.options import checked_path
from hyperskip.pictures.interactive import html_frame, html_page
from hyperskip.pictures.request.choosing import choose
from hyperskip.pictures.request.request import (
    HTML,
    PNG,
    SVG,
    PictureRequest,
    check_format,
    check_looks,
    format_of,
)
from hyperskip.pictures.scene import Scene, compose
from hyperskip.projection.map_events import Report, ignore
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Picture:
    """Words on the Poincaré disc; a notebook shows it as an interactive page or an image.

    Args:
        scene: The content.
        dark: Whether images have a dark background; a page follows the browser.
        format: What a notebook shows: 'png', 'svg' or 'html'. If None, the page, with an image for
            notebooks that cannot show pages.
        text_size: Size of labels and dots in images, relative to the usual one.
    """

    scene: Scene
    dark: bool = False
    format: str | None = None
    text_size: float = 1.0

    def __repr__(self) -> str:
        return f"<Picture: {len(self.scene.words)} words, method {self.scene.method}>"

    def figure(self) -> "Figure":
        """Return the picture as a matplotlib figure, without a window.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        from hyperskip.pictures.drawing.disc import disc_figure
        from hyperskip.pictures.drawing.theme import DARK, LIGHT

        return disc_figure(self.scene, DARK if self.dark else LIGHT, self.text_size)

    def html(self) -> str:
        """Return the interactive picture as one self-contained HTML page."""
        return html_page(self.scene)

    def to_bytes(self, format: str) -> bytes:  # noqa: A002
        """Return the picture in a format; the same picture gives the same bytes."""
        check_format(format)
        if format == HTML:
            return self.html().encode()
        from hyperskip.pictures.drawing.canvas import image_bytes

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            data = image_bytes(self.figure(), format, editable=True)
        if caught:  # matplotlib warns about each letter that its fonts lack
            warnings.warn(f"{len(caught)} times: {caught[0].message}", stacklevel=2)
        return data

    def save(self, path: str | os.PathLike[str], *, format: str | None = None) -> None:  # noqa: A002
        """Write the picture to a file, completely or not at all.

        Args:
            path: The file.
            format: 'png', 'svg' or 'html'. Default: by the extension of the file.

        Raises:
            OptionError: There is no such format, or the extension contradicts it.
            OutputError: The file cannot be written.
            MissingPackageError: An image needs matplotlib, and it is not installed.
        """
        target = checked_path("path", path)
        chosen = format_of(target, format)
        check_looks(chosen, dark=self.dark, text_size=self.text_size)
        data = self.to_bytes(chosen)
        with replacing(target) as temporary:
            temporary.write_bytes(data)

    def _repr_html_(self) -> str | None:
        return html_frame(self.scene) if self.format in (None, HTML) else None

    def _repr_svg_(self) -> str | None:
        return self.to_bytes(SVG).decode() if self.format == SVG else None

    def _repr_png_(self) -> bytes | None:
        if self.format == PNG:
            return self.to_bytes(PNG)
        try:
            return self.to_bytes(PNG) if self.format is None else None
        except MissingPackageError:
            return None  # the notebook shows the page


def draw(vectors: WordVectors, request: PictureRequest, report: Report = ignore) -> Picture:
    """Draw the picture that a request asks for, and save it if the request names a file.

    Args:
        vectors: The model.
        request: What to draw.
        report: Called with the progress of the projection.
    """
    choice = choose(vectors, request)
    scene = compose(
        vectors,
        choice,
        title=request.title,
        method=request.projection,
        center=request.center,
        report=report,
    )
    picture = Picture(scene, request.dark, request.format, request.text_size)
    if request.path is not None:
        picture.save(request.path, format=request.format)
    return picture
