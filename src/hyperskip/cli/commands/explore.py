"""`hyperskip explore`: a model in the browser."""

import signal
from typing import Annotated

import typer

from hyperskip.cli.commands.plot import Projection
from hyperskip.cli.commands.words import Model
from hyperskip.cli.messages import counted, say
from hyperskip.cli.signals import EXIT_SIGNALLED


def explore(
    model: Model,
    port: Annotated[
        int | None,
        typer.Option(help="Where to listen, 1 to 65535. Default: 8400, or any free one."),
    ] = None,
    host: Annotated[
        str,
        typer.Option(help="The address to listen at; others than localhost let others ask, too."),
    ] = "localhost",
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")
    ] = True,
    words: Annotated[
        int,
        typer.Option(
            "--words", "-n", help="How many words to map, the most frequent: 1 to 50,000."
        ),
    ] = 50_000,
    projection: Projection = "auto",
) -> None:
    """Explore a model in the browser: its map, neighbors, analogies and paths. Ctrl-C ends it."""
    from hyperskip.cli.progress.map import MapDisplay
    from hyperskip.explorer.server.address import Address
    from hyperskip.explorer.server.app import make_app
    from hyperskip.explorer.server.server import open_browser, serve
    from hyperskip.projection.map_file import check_words, map_beside
    from hyperskip.projection.methods import check_method
    from hyperskip.vectors.model_file import load

    check_method(projection)
    check_words(words)
    address = Address.bind(host, port)  # before all the work
    with address.listening:
        vectors = load(model)
        say(f"loaded {counted(len(vectors))} of dimension {vectors.dimension}")
        with MapDisplay() as report:
            disc_map = map_beside(model, vectors, words=words, method=projection, report=report)
        say(f"mapped {counted(len(disc_map.rows))} ({disc_map.method}): {disc_map.fidelity}")
        app = make_app(vectors.compacted(), disc_map, name=model.name, allowed_hosts=address.names)
        if not address.is_local:
            say(f"warning: everyone who reaches {host} over the network can ask")
        say(f"exploring at {address.url} - Ctrl-C ends it")
        if browser:
            open_browser(address.url)
        ended_by = serve(app, address.listening)
    if ended_by not in (None, signal.SIGINT):  # Ctrl-C is how one leaves the explorer
        raise typer.Exit(EXIT_SIGNALLED + ended_by)
