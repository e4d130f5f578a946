"""`hyperskip explore`: serve the explorer for the browser."""

import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.declared_options import (
    checked_option,
    command_of,
    option_parameters,
    parameter,
)
from hyperskip.cli.messages import counted, progress_output
from hyperskip.cli.parameters import Model, Projection, Strict
from hyperskip.cli.signals import EXIT_SIGNALLED
from hyperskip.errors import OptionError, some_of
from hyperskip.explorer.port import PORT
from hyperskip.graphs.options import GraphOptions
from hyperskip.progress.messages import say
from hyperskip.projection.methods import MAP_WORDS, METHOD

if TYPE_CHECKING:
    from hyperskip.graphs.word_graph import WordGraph
    from hyperskip.vectors.word_vectors import WordVectors

_GRAPH = "Graph"
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
    words = Annotated[int, checked_option(MAP_WORDS, "--words", "-n")]
    return command_of(
        explore,
        [
            parameter("model", Model),
            parameter("port", Annotated[int | None, checked_option(PORT)], None),
            parameter("host", host, "localhost"),
            parameter("browser", browser, True),
            parameter("words", words, MAP_WORDS.default),
            parameter("projection", Projection, METHOD.default),
            parameter("strict", Strict, False),
            parameter("edges", edges, None),
            *option_parameters(_GRAPH, GraphOptions, without=_WITHOUT),
        ],
        "Explore a model in the browser: map, neighbors, analogies and paths.\n\n"
        "The first time, the map is computed and saved next to the model. Press Ctrl-C to stop.\n\n"
        "Example: hyperskip explore model.safetensors\n\n"
        "Example: hyperskip explore animals.safetensors --edges animals.tsv",
    )


def explore(
    model: Path,
    *,
    host: str,
    browser: bool,
    words: int,
    projection: str,
    strict: bool,
    port: int | None = None,
    edges: str | None = None,
    **options: Any,
) -> None:
    """Serve the explorer until it is stopped."""
    from hyperskip.explorer.server.address import Address
    from hyperskip.explorer.server.app import make_app
    from hyperskip.explorer.server.server import open_browser, serve
    from hyperskip.progress.display import MapDisplay
    from hyperskip.projection.centering import centered_on
    from hyperskip.projection.disc_map import away_from_rim
    from hyperskip.projection.map_file import map_beside
    from hyperskip.vectors.model_file import load

    if options and edges is None:
        name = next(iter(options))
        raise OptionError(f"`{name}` requires `edges`", hint=f"leave `{name}` out, or add `edges`")
    address = Address.bind(host, port)  # fails before the model is loaded
    with address.listening:
        vectors = load(model)
        if strict:
            vectors = vectors.without_subwords()
        say(f"loaded {counted(len(vectors))} of dimension {vectors.dimension}")
        graph = None if edges is None else _read_edges(edges, vectors, options)
        with MapDisplay(progress_output()) as report:
            disc_map = map_beside(model, vectors, words=words, method=projection, report=report)
        say(f"mapped {counted(len(disc_map.rows))} ({disc_map.method}): {disc_map.fidelity}")
        if graph is not None and graph.main_root is not None:
            disc_map = centered_on(disc_map, vectors, vectors[vectors.words[graph.main_root]])
        if graph is not None:
            disc_map = away_from_rim(disc_map)
        if disc_map.scale < 1.0:
            say(f"distances from the center are drawn at {disc_map.scale:.0%} of their length")
        app = make_app(
            vectors.compacted(), disc_map, name=model.name, graph=graph, allowed_hosts=address.names
        )
        if not address.is_local:
            say(f"warning: anyone who can reach {host} over the network can query this model")
        say(f"exploring at {address.url} (press Ctrl-C to stop)")
        if browser:
            open_browser(address.url)
        ended_by = serve(app, address.listening)
    if ended_by not in (None, signal.SIGINT):  # Ctrl-C is the usual way to stop
        raise typer.Exit(EXIT_SIGNALLED + ended_by)


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
