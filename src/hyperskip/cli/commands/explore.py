"""`hyperskip explore`: serve the explorer for the browser."""

import inspect
import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    checked_option,
    command_of,
    declared_parameter,
    option_parameters,
    parameter,
)
from hyperskip.cli.messages import counted, progress_output
from hyperskip.cli.parameters import Model, Projection, Strict, model_file
from hyperskip.cli.signals import EXIT_SIGNALLED
from hyperskip.errors import OptionError, some_of
from hyperskip.explorer.export.options import NEIGHBORS
from hyperskip.explorer.port import PORT
from hyperskip.graphs.options import GraphOptions
from hyperskip.progress.messages import say
from hyperskip.projection.methods import MAP_WORDS, METHOD

if TYPE_CHECKING:
    from hyperskip.explorer.answers.queries import Queries
    from hyperskip.graphs.word_graph import WordGraph
    from hyperskip.projection.disc_map import DiscMap
    from hyperskip.vectors.word_vectors import WordVectors

_GRAPH, _EXPORT = "Graph", "Export"
_LOCAL = "localhost"
_WITHOUT = ("weighted", "closure")  # options of reading that make no difference here


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every option of reading edges."""
    host = Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on; any address other than localhost makes the server "
            "reachable from your network.",
        ),
    ]
    browser = Annotated[
        bool, typer.Option("--browser/--no-browser", metavar="", help="Open the page in a browser.")
    ]
    edges = Annotated[
        str | None,
        typer.Option(
            metavar="EDGES",
            help="Show the edges of a graph or taxonomy, and parents and children of words: a "
            "table with a child and its parent on each line, JSON Lines or a tree of text.",
            rich_help_panel=_GRAPH,
        ),
    ]
    compare = Annotated[
        Path | None,
        typer.Option(
            metavar="OTHER",
            callback=model_file,
            help="Compare with another model, of any dimension and geometry: neighbors in both, "
            "both maps, and the words that moved most.",
        ),
    ]
    words = Annotated[int, checked_option(MAP_WORDS, "--words", "-n")]
    return command_of(
        explore,
        [
            parameter("model", Model),
            parameter("port", Annotated[int | None, checked_option(PORT)], None),
            parameter("host", host, _LOCAL),
            parameter("browser", browser, True),
            parameter("words", words, MAP_WORDS.default),
            parameter("projection", Projection, METHOD.default),
            parameter("strict", Strict, False),
            parameter("compare", compare, None),
            parameter("edges", edges, None),
            *option_parameters(_GRAPH, GraphOptions, without=_WITHOUT),
            *_export_parameters(),
        ],
        "Explore a model in the browser: map, neighbors, analogies and paths.\n\n"
        "The first time, the map is computed and saved next to the model. Press Ctrl-C to stop.\n\n"
        "Example: hyperskip explore model.safetensors\n\n"
        "Example: hyperskip explore animals.safetensors --edges animals.tsv\n\n"
        "Example: hyperskip explore early.safetensors --compare late.safetensors\n\n"
        "Example: hyperskip explore model.safetensors --export words.html",
    )


def _export_parameters() -> list[inspect.Parameter]:
    export = Annotated[
        Path | None,
        typer.Option(
            metavar="PATH",
            help="Write the explorer to files instead of serving it: one page that opens without a "
            "server if the path ends in .html, otherwise a folder for any web server.",
            rich_help_panel=_EXPORT,
        ),
    ]
    force = Annotated[
        bool,
        typer.Option(
            "--force",
            metavar="",
            help="Replace a folder that was exported before.",
            rich_help_panel=_EXPORT,
        ),
    ]
    return [
        parameter("export", export, None),
        declared_parameter("neighbors", NEIGHBORS, _EXPORT),
        parameter("force", force, False),
    ]


def explore(
    model: Path,
    *,
    host: str,
    browser: bool,
    words: int,
    projection: str,
    strict: bool,
    force: bool,
    port: int | None = None,
    edges: str | None = None,
    compare: Path | None = None,
    export: Path | None = None,
    neighbors: int | None = None,
    **options: Any,
) -> None:
    """Serve the explorer until it is stopped, or export it."""
    if options and edges is None:
        raise _requires(next(iter(options)), "edges")
    if export is not None and compare is not None:
        raise OptionError(
            "`export` does not include a comparison", hint="leave `compare` or `export` out"
        )
    if export is not None:
        if port is not None or host != _LOCAL or not browser:
            raise OptionError(
                "`port`, `host` and `browser` are of the server, which `export` does not start",
                hint="leave them out",
            )
        count = NEIGHBORS.default if neighbors is None else neighbors
        NEIGHBORS.checked("neighbors", count)
        _export(model, export, words, projection, edges, options, neighbors=count, force=force)
        return
    if neighbors is not None or force:
        raise _requires("force" if force else "neighbors", "export")
    from hyperskip.explorer.arranging import arranged_for
    from hyperskip.explorer.server.address import Address
    from hyperskip.explorer.server.app import make_app
    from hyperskip.explorer.server.server import open_browser, serve

    address = Address.bind(host, port)  # fails before the model is loaded
    with address.listening:
        vectors = _loaded(model, strict=strict)
        other_vectors = None if compare is None else _loaded(compare, strict=strict)
        graph = None if edges is None else _read_edges(edges, vectors, options)
        disc_map = arranged_for(graph, _mapped(model, vectors, words, projection), vectors)
        if disc_map.scale < 1.0:
            say(f"distances from the center are drawn at {disc_map.scale:.0%} of their length")
        other = None
        if compare is not None and other_vectors is not None:
            other = _compared(compare, other_vectors, words, projection)
        app = make_app(
            vectors.compacted(), disc_map, name=model.name, graph=graph, compared=other,
            allowed_hosts=address.names,
        )  # fmt: skip
        if not address.is_local:
            say(f"warning: anyone who can reach {host} over the network can query this model")
        say(f"exploring at {address.url} (press Ctrl-C to stop)")
        if browser:
            open_browser(address.url)
        ended_by = serve(app, address.listening)
    if ended_by not in (None, signal.SIGINT):  # Ctrl-C is the usual way to stop
        raise typer.Exit(EXIT_SIGNALLED + ended_by)


def _export(
    model: Path,
    target: Path,
    words: int,
    projection: str,
    edges: str | None,
    options: dict[str, Any],
    *,
    neighbors: int,
    force: bool,
) -> None:
    from hyperskip.explorer.export.exporting import check_export_target, export_explorer
    from hyperskip.progress.display import ExportDisplay

    check_export_target(target, force=force, inputs=[model])
    vectors = _loaded(model, strict=True)
    disc_map = _mapped(model, vectors, words, projection)
    shown = vectors.subset(disc_map.rows)
    graph = None if edges is None else _read_edges(edges, shown, options)
    with ExportDisplay(progress_output()) as report:
        size = export_explorer(
            shown, disc_map, target, name=model.name, graph=graph, neighbors=neighbors,
            words_in_model=len(vectors), force=force, report=report,
        )  # fmt: skip
    say(f"wrote {target}: {counted(len(disc_map.rows))}, {size / 1e6:,.1f} MB")


def _requires(name: str, other: str) -> OptionError:
    return OptionError(f"`{name}` requires `{other}`", hint=f"leave `{name}` out, or add `{other}`")


def _compared(model: Path, vectors: "WordVectors", words: int, projection: str) -> "Queries":
    from hyperskip.explorer.answers.queries import Queries

    disc_map = _mapped(model, vectors, words, projection)
    return Queries(vectors.compacted(), disc_map, model.name)


def _loaded(model: Path, *, strict: bool) -> "WordVectors":
    from hyperskip.vectors.model_file import load

    vectors = load(model)
    if strict:
        vectors = vectors.without_subwords()
    say(f"loaded {counted(len(vectors))} of dimension {vectors.dimension}")
    return vectors


def _mapped(model: Path, vectors: "WordVectors", words: int, projection: str) -> "DiscMap":
    from hyperskip.progress.display import MapDisplay
    from hyperskip.projection.map_file import map_beside

    with MapDisplay(progress_output()) as report:
        disc_map = map_beside(model, vectors, words=words, method=projection, report=report)
    say(f"mapped {counted(len(disc_map.rows))} ({disc_map.method}): {disc_map.fidelity}")
    return disc_map


def _read_edges(edges: str, vectors: "WordVectors", options: dict[str, Any]) -> "WordGraph":
    from hyperskip.graphs.reading.edges import read_graph
    from hyperskip.graphs.word_graph import WordGraph

    given = read_graph(edges, GraphOptions(**options))
    graph = WordGraph(given, vectors.known_rows(given.names), vectors.words)
    say(f"read {counted(given.edge_count, 'edge')}, {graph.edges.edge_count:,} of them direct")
    if graph.left_out:
        names = some_of(graph.left_out)
        say(f"{counted(len(graph.left_out), 'node')} not in the model: {names}")
    return graph
