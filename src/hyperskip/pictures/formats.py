"""The formats of pictures, told by a name or by a file's ending."""

from pathlib import Path

from hyperskip.errors import OptionError

PNG, SVG, HTML = "png", "svg", "html"
FORMATS = (PNG, SVG, HTML)


def check_format(format: str | None) -> None:  # noqa: A002
    """Refuse a format that there is not."""
    if format is not None and format not in FORMATS:
        raise OptionError(f"format is {format!r}", hint=f"format takes {', '.join(FORMATS)}")


def format_of(path: Path, format: str | None = None) -> str:  # noqa: A002
    """The format that a file shall have.

    Raises:
        OptionError: Nothing says which, or its ending says another than `format`.
    """
    check_format(format)
    ending = path.suffix[1:].lower()
    if format is None:
        if ending not in FORMATS:
            raise OptionError(
                f"the picture's file is {str(path)!r}",
                hint="let it end in .png, .svg or .html; a name without an ending takes a format",
            )
        return ending
    if ending and ending != format:
        raise OptionError(
            f"format is {format!r}, but the picture's file is {str(path)!r}",
            hint=f"name it {path.with_suffix('.' + format).name!r}, or leave the format out",
        )
    return format
