"""`hyperskip explore`: serve the explorer for the browser."""

import signal
from typing import Annotated

import typer

from hyperskip.cli.declared_options import checked_option
from hyperskip.cli.messages import counted, progress_output
from hyperskip.cli.parameters import Model, Projection
from hyperskip.cli.signals import EXIT_SIGNALLED
from hyperskip.explorer.port import PORT
from hyperskip.progress.messages import say
from hyperskip.projection.methods import MAP_WORDS, METHOD


def explore(
    model: Model,
    port: Annotated[int | None, checked_option(PORT)] = None,
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on; any address other than localhost makes the server "
            "reachable from your network.",
        ),
    ] = "localhost",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", metavar="", help="Open the page in a browser.")
    ] = True,
    words: Annotated[int, checked_option(MAP_WORDS, "--words", "-n")] = MAP_WORDS.default,
    projection: Projection = METHOD.default,
) -> None:
    """Explore a model in the browser: map, neighbors, analogies and paths.

    The first time, the map is computed and saved next to the model. Press Ctrl-C to stop.

    Example: hyperskip explore model.safetensors
    """
    from hyperskip.explorer.server.address import Address
    from hyperskip.explorer.server.app import make_app
    from hyperskip.explorer.server.server import open_browser, serve
    from hyperskip.progress.display import MapDisplay
    from hyperskip.projection.map_file import map_beside
    from hyperskip.vectors.model_file import load

    address = Address.bind(host, port)  # fails before the model is loaded
    with address.listening:
        vectors = load(model)
        say(f"loaded {counted(len(vectors))} of dimension {vectors.dimension}")
        with MapDisplay(progress_output()) as report:
            disc_map = map_beside(model, vectors, words=words, method=projection, report=report)
        say(f"mapped {counted(len(disc_map.rows))} ({disc_map.method}): {disc_map.fidelity}")
        app = make_app(vectors.compacted(), disc_map, name=model.name, allowed_hosts=address.names)
        if not address.is_local:
            say(f"warning: anyone who can reach {host} over the network can query this model")
        say(f"exploring at {address.url} (press Ctrl-C to stop)")
        if browser:
            open_browser(address.url)
        ended_by = serve(app, address.listening)
    if ended_by not in (None, signal.SIGINT):  # Ctrl-C is the usual way to stop
        raise typer.Exit(EXIT_SIGNALLED + ended_by)
