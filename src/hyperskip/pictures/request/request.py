"""The request for a picture: the one declaration of its parameters, checked before any work."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperskip.builtin import BUILTIN
from hyperskip.errors import MissingPackageError, OptionError
from hyperskip.files.targets import check_writable
from hyperskip.graphs.options import GraphOptions
from hyperskip.options import Declaration, Options, Range, declarations, option, option_of
from hyperskip.pictures.request.categories import Taxonomy, taxonomy_of
from hyperskip.projection.methods import METHOD

if TYPE_CHECKING:
    from hyperskip.graphs.graph import Graph

MOST_WORDS = 5000
FREQUENT, NEAREST, ANSWERS, NODES = 150, 20, 8, 2000  # default numbers of words

PNG, SVG, HTML = "png", "svg", "html"
FORMATS = (PNG, SVG, HTML)

RADIUS, DEPTH, BRANCH = "radius", "depth", "branch"
COLORS = (RADIUS, DEPTH, BRANCH)

TEXT_SIZE = Declaration(
    kind=float,
    help="size of labels and dots, relative to the usual one (png and svg only)",
    default=1.0,
    limits=Range(at_least=0.5, at_most=3),
)

_LIST = "a list of words"
_OF_EDGES = ("columns", "delimiter", "order", "directed")  # how to read edges


def _option_of_edges(name: str) -> Any:
    declaration = declarations(GraphOptions)[name]
    return option_of(declaration, help=f"of `edges`: {declaration.help}", optional=True)


@dataclass(frozen=True, kw_only=True)
class PictureRequest(Options):
    """What a picture shows, and how; by default, the most frequent words.

    The fields are the arguments of `WordVectors.plot()` and the options of `hyperskip plot`.

    Raises:
        OptionError: A value is not allowed, or two of them contradict each other.
        InputError: The categories cannot be read.
        OutputError: The file cannot be written.
        MissingPackageError: An image was requested, and matplotlib is not installed.
    """

    words: Iterable[str] | None = option(None, tuple, "words to draw", optional=True, noun=_LIST)
    near: str | Iterable[str] | None = option(
        None, tuple, "words to draw with their nearest words", optional=True, noun=_LIST
    )
    analogy: Iterable[str] | None = option(
        None,
        tuple,
        "the words A, B and C of an analogy to draw, A : B = C : ?, with words near both answers",
        optional=True,
        noun=_LIST,
    )
    categories: Mapping[str, str] | str | os.PathLike[str] | None = option(
        None,
        object,
        "draw words in colors by category: a file with a word, a tab and a category on each line, "
        "optionally followed by a tab and the parent of the word; or builtin for the built-in "
        "taxonomy",
        optional=True,
        noun="a dictionary of words and categories, a file or 'builtin'",
    )
    edges: Any = option(
        None,
        object,
        "draw the nodes and edges of a graph or taxonomy: a file with a child, a tab and a parent "
        "on each line; edges that follow from others are left out",
        optional=True,
    )
    columns: str | None = _option_of_edges("columns")
    delimiter: str | None = _option_of_edges("delimiter")
    order: str | None = _option_of_edges("order")
    directed: bool | None = _option_of_edges("directed")
    color: str | None = option(
        None,
        str,
        "colors of words: radius (in the hierarchy, if the model has one: how general a word is); "
        "or, with `edges`, depth (number of steps from a root) or branch (the largest subtrees)",
        rule="branch with edges, otherwise radius",
        choices=COLORS,
        optional=True,
    )
    center: str | None = option(
        None,
        str,
        "word in the middle of the disc",
        rule="the root of edges, otherwise the most general words of a hierarchy or the centroid "
        "of all words",
        optional=True,
    )
    count: int | None = option(
        None,
        int,
        "number of words: frequent words, nearest words of each `near`, answers of each route of "
        "`analogy`, words of `categories`, or nodes of `edges`",
        rule=f"{FREQUENT} frequent words, {NEAREST} nearest words, {ANSWERS} answers, "
        f"all words of categories, {NODES} nodes",
        at_least=1,
        at_most=MOST_WORDS,
        optional=True,
    )
    title: str = option("", str, "title above the picture")
    projection: str = option_of(METHOD)
    dark: bool = option(False, bool, "use a dark background (png and svg only)")
    text_size: float = option_of(TEXT_SIZE)
    path: str | os.PathLike[str] | None = option(
        None, os.PathLike, "the .png, .svg or .html file to write", optional=True, noun="a path"
    )
    format: str | None = option(
        None,
        str,
        "format of the picture",
        rule="by the extension of the file",
        choices=FORMATS,
        optional=True,
    )

    def __post_init__(self) -> None:
        for name in ("words", "near", "analogy"):
            object.__setattr__(self, name, _as_tuple(name, getattr(self, name)))
        if isinstance(self.path, str):
            object.__setattr__(self, "path", Path(self.path))
        super().__post_init__()
        self._check_words()
        self._check_edges()
        self._check_file()
        self.taxonomy, self.graph  # noqa: B018 - reads them, or fails, before there are vectors

    @cached_property
    def taxonomy(self) -> Taxonomy | None:
        """The categories."""
        return None if self.categories is None else taxonomy_of(self.categories)

    @cached_property
    def graph(self) -> "Graph | None":
        """The edges."""
        if self.edges is None:
            return None
        from hyperskip.graphs.reading.edges import read_graph
        from hyperskip.vectors.tree import Tree

        edges = self.edges.pairs if isinstance(self.edges, Tree) else self.edges
        given = {name: getattr(self, name) for name in _OF_EDGES}
        chosen: Any = {name: value for name, value in given.items() if value is not None}
        return read_graph(edges, GraphOptions(**chosen))

    @property
    def _files(self) -> list[Path]:
        """The files that are read."""
        given = (self.categories, self.edges)
        return [
            Path(file) for file in given if isinstance(file, str | os.PathLike) and file != BUILTIN
        ]

    def _check_words(self) -> None:
        if self.analogy is not None and len(tuple(self.analogy)) != 3:
            raise OptionError(
                f"`analogy` must be three words, got {len(tuple(self.analogy))}",
                hint="for A : B = C : ? give A, B and C",
            )
        others = {"words": self.words, "near": self.near, "categories": self.categories is not None}
        for name, is_given in others.items():
            if self.analogy is not None and is_given:
                raise OptionError(
                    f"`analogy` cannot be combined with `{name}`",
                    hint="an analogy determines the words and colors: leave one of them out",
                )
        if self.near and self.categories is not None:
            raise OptionError(
                "`near` cannot be combined with `categories`",
                hint="colors show either neighborhoods or categories: leave one of them out",
            )
        if self.count is not None and self.words and not self.near:
            raise OptionError(
                f"`count={self.count}` cannot be combined with `words`",
                hint="leave `count` out: all words that are given are drawn",
            )

    def _check_edges(self) -> None:
        others = {"near": self.near, "analogy": self.analogy, "categories": self.categories}
        for name, value in others.items():
            for other in ("edges", "color"):
                if value is not None and getattr(self, other) is not None:
                    raise OptionError(
                        f"`{other}` cannot be combined with `{name}`",
                        hint=f"`{name}` determines the lines and colors: leave one of them out",
                    )
        if self.edges is not None:
            return
        if self.color in (DEPTH, BRANCH):
            raise OptionError(
                f"`color='{self.color}'` requires `edges`",
                hint="give the edges of the graph, or choose `color='radius'`",
            )
        for name in _OF_EDGES:
            if getattr(self, name) is not None:
                raise OptionError(f"`{name}` requires `edges`", hint=f"leave `{name}` out")

    def _check_file(self) -> None:
        path = None if self.path is None else Path(self.path)
        chosen = self.format if path is None else format_of(path, self.format)
        check_looks(chosen, dark=self.dark, text_size=self.text_size)
        if path is not None:
            check_writable(path, inputs=self._files)
        if chosen in (PNG, SVG):
            check_matplotlib()


_declared = declarations(PictureRequest)


def _as_tuple(name: str, words: object) -> object:
    """Return the words as a tuple; `near` may be one word."""
    if isinstance(words, str):
        return (words,) if name == "near" else words
    return tuple(words) if isinstance(words, Iterable) else words


def format_of(path: Path, format: str | None = None) -> str:  # noqa: A002
    """Return the format of a file.

    Raises:
        OptionError: The file name does not tell the format, or contradicts it.
    """
    check_format(format)
    extension = path.suffix[1:].lower()
    if format is None:
        if extension not in FORMATS:
            raise OptionError(
                f"the file name {str(path)!r} does not tell the format of the picture",
                hint="use the extension .png, .svg or .html, or choose a `format`",
            )
        return extension
    if extension and extension != format:
        raise OptionError(
            f"`format='{format}'` contradicts the file name {str(path)!r}",
            hint=f"name the file {path.with_suffix('.' + format).name!r}, or leave `format` out",
        )
    return format


def check_matplotlib() -> None:
    """Check that images can be drawn.

    Raises:
        MissingPackageError: matplotlib is not installed.
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingPackageError("matplotlib", "pictures", "drawing png and svg images") from error


def check_format(format: str | None) -> None:  # noqa: A002
    """Check the name of a format.

    Raises:
        OptionError: There is no such format.
    """
    _declared["format"].checked("format", format)


def check_looks(format: str | None, *, dark: bool, text_size: float) -> None:  # noqa: A002
    """Check that a dark background and another size of text are possible.

    Raises:
        OptionError: The format is html, where the browser chooses the background and the size.
    """
    if dark and format == HTML:
        raise OptionError(
            "`dark=True` is not possible for an html picture",
            hint="leave `dark` out: the page follows the color scheme of the browser",
        )
    if text_size != TEXT_SIZE.default and format == HTML:
        raise OptionError(
            f"`text_size={text_size:g}` is not possible for an html picture",
            hint="leave `text_size` out, and zoom the page in the browser; or draw a png or svg",
        )
