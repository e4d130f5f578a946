"""The explorer's web server: answers requests until a signal ends it."""

import contextlib
import os
import socket
import sys
import threading
import webbrowser

import uvicorn
from starlette.applications import Starlette
from threadpoolctl import threadpool_limits

from hyperskip.explorer.server.connections import (
    Limits,
    Server,
    connection_factory,
    descriptor_limit,
    in_chunks,
)
from hyperskip.interruption import Interruption

_SHUTDOWN_SECONDS = 1  # for requests that are being answered


def serve(app: Starlette, listening: socket.socket, limits: Limits | None = None) -> int | None:
    """Answer requests until a signal ends it, and return the signal's number.

    A signal is only recorded, also before the server is ready and after it has ended: an exception
    raised by a signal handler inside the event loop could be printed, lost, or block the shutdown.

    Args:
        app: The application, from `make_app()`.
        listening: The socket.
        limits: Limits of connections. Default: derived from the number of file descriptors.
    """
    limits = limits or Limits.for_descriptors(descriptor_limit())
    configuration = uvicorn.Config(
        in_chunks(app),
        http=connection_factory(limits, app.state.headers),
        backlog=limits.backlog,
        timeout_keep_alive=limits.keep_alive_seconds,
        log_level="error",  # mistakes of clients are reported to the clients
        access_log=False,
        lifespan="off",
        ws="none",
        server_header=False,
        timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
    )
    server = Server(configuration)

    def stop() -> None:
        server.should_exit = True

    # Several threads answer requests. If each matrix product started more threads, they would
    # wait for each other.
    with Interruption(stop) as interruption, threadpool_limits(limits=1, user_api="blas"):
        server.run(sockets=[listening])
    return interruption.requested


def open_browser(url: str) -> None:
    """Open a page in the user's graphical browser, if there is one."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return  # a browser in the terminal would take the terminal over
    with contextlib.suppress(RuntimeError):  # no thread can be started; the URL was printed
        threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
