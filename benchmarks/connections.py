"""How long a visitor of the explorer waits while others misuse their connections.

    python benchmarks/connections.py [--sockets 1100] [--descriptors 1024] [--seconds 15]

A server on this machine may have that many open file descriptors, and gets more connections than
that: ones that send nothing, ones that send a byte of a request every other second, ones that ask
for the whole map and never read it, and ones that ask as fast as they get answers. Connections that
the server closes are opened again five seconds later. Meanwhile a visitor asks twenty questions a
second, each over a new connection. Prints the visitor's latencies, the server's memory, and how
much it wrote to stderr; then the memory before and after many requests over a few connections.
"""

import argparse
import asyncio
import contextlib
import multiprocessing
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from latency import Visitor, answered, exchanged, made_up, spelled
from reporting import print_markdown

from hyperskip import load
from hyperskip.explorer.server.app import make_app
from hyperskip.explorer.server.server import serve
from hyperskip.projection.map_file import map_beside
from hyperskip.projection.methods import TANGENT

RATE = 20  # questions a second of the visitor
ASKING = 200  # connections that ask as fast as they get answers
REOPENED_AFTER = 5  # seconds
CONNECTING = 5  # seconds until all connections were opened
KEPT = 8  # connections for many requests

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Misuse = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


# -- the server


def run_server(model: Path, descriptors: int) -> None:
    """Serve a model until the process is ended; the first line on stdout is the port."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    vectors = load(model).compacted()
    app = make_app(vectors, map_beside(model, vectors, method=TANGENT), name=model.name)
    listening = socket.create_server(("127.0.0.1", 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, hard))
    print(listening.getsockname()[1], flush=True)
    serve(app, listening)


@dataclass(frozen=True)
class Server:
    """A server in a process of its own."""

    process: int
    port: int
    errors: Path

    def megabytes(self) -> float:
        """Of memory, now."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1000


@contextmanager
def server_for(model: Path, descriptors: int) -> Iterator[Server]:
    """Start a server and wait until it is ready."""
    errors = model.with_name("stderr")
    command = [sys.executable, __file__, "--serve", str(model), "--descriptors", str(descriptors)]
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as process,
    ):
        assert process.stdout
        try:
            yield Server(process.pid, int(process.stdout.readline()), errors)
        finally:
            process.kill()


# -- what others do


async def send_nothing(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
    """Wait for the server to close."""
    await reader.read()


async def send_slowly(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send a byte of a request every other second."""
    for byte in b"GET /api/model HTTP/1.1\r\nHost: localhost\r\nX-Long: " + b"a" * 1000:
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(2)


async def read_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ask for the whole map, and take no more than a buffer of it."""
    writer.write(b"GET /api/points HTTP/1.1\r\nHost: localhost\r\n\r\n")
    transport = writer.transport
    assert isinstance(transport, asyncio.Transport)
    transport.pause_reading()
    while not reader.at_eof() and not transport.is_closing():
        await asyncio.sleep(2)
        writer.write(b"\r\n")  # to notice that the server closed
        await writer.drain()


async def ask_all_the_time(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Ask for neighbors as fast as there are answers."""
    visitor = Visitor(tuple(spelled(1000)), seed=1)
    while True:
        await exchanged(reader, writer, visitor.asked("neighbors"))


async def misused(port: int, misuse: Misuse, sockets: int) -> None:
    """Keep connections open from another address of this machine, until the process is ended."""

    async def keep_one() -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, RuntimeError):
                source = ("127.0.0.2", 0)
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=source)
                try:
                    await misuse(reader, writer)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(REOPENED_AFTER)

    await asyncio.gather(*(keep_one() for _ in range(sockets)))


def misuse_connections(port: int, misuse: Misuse, sockets: int) -> None:
    """In a process of its own, so that a visitor's latencies are not this one's."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(misused(port, misuse, sockets))


# -- the visitor


async def visited(port: int, visitor: Visitor, seconds: float) -> tuple[list[float], int]:
    """Ask at fixed times, each over a new connection: latencies in milliseconds, and failures."""
    began = time.perf_counter() + 0.1

    async def ask(due: float) -> float | None:
        await asyncio.sleep(due - time.perf_counter())
        try:
            await answered(port, visitor.question()[1])
        except (OSError, asyncio.IncompleteReadError, RuntimeError):
            return None
        return 1000 * (time.perf_counter() - due)

    asked = [ask(began + i / RATE) for i in range(int(RATE * seconds))]
    latencies = await asyncio.gather(*asked)
    return [value for value in latencies if value is not None], latencies.count(None)


def measured(
    server: Server, visitor: Visitor, misuse: Misuse | None, sockets: int, seconds: float
) -> list[str]:
    """A row of the table: latencies, failures, memory and what was written to stderr."""
    others = multiprocessing.get_context("spawn").Process(
        target=misuse_connections, args=(server.port, misuse, sockets)
    )
    if misuse is not None:
        others.start()
        time.sleep(CONNECTING)
    latencies, failed = asyncio.run(visited(server.port, visitor, seconds))
    shown = np.percentile(latencies, (50, 99, 100)) if latencies else (np.nan,) * 3
    memory, errors = server.megabytes(), server.errors.stat().st_size
    if misuse is not None:
        others.kill()
        others.join()
    return [*(f"{value:.1f}" for value in shown), str(failed), f"{memory:,.0f}", f"{errors:,}"]


async def asked_often(server: Server, visitor: Visitor, requests: int) -> list[list[str]]:
    """Rows of memory after some of the requests."""
    connections: list[Streams] = [
        await asyncio.open_connection("127.0.0.1", server.port) for _ in range(KEPT)
    ]

    async def ask(connection: Streams, count: int) -> None:
        for _ in range(count):
            await exchanged(*connection, visitor.asked("words"))

    rows = [["0", f"{server.megabytes():,.1f}"]]
    for part in range(1, 11):
        await asyncio.gather(*(ask(each, requests // (10 * KEPT)) for each in connections))
        rows.append([f"{part * (requests // (10 * KEPT)) * KEPT:,}", f"{server.megabytes():,.1f}"])
    for _, writer in connections:
        writer.close()
    return rows


def measure(model: Path, words: tuple[str, ...], arguments: argparse.Namespace) -> None:
    """Print both tables."""
    visitor = Visitor(words, seed=1)
    misuses: dict[str, tuple[Misuse | None, int]] = {
        "nothing": (None, 0),
        "send nothing": (send_nothing, arguments.sockets),
        "send a byte every 2 s": (send_slowly, arguments.sockets),
        "never read the map": (read_nothing, arguments.sockets),
        "ask all the time": (ask_all_the_time, min(ASKING, arguments.sockets)),
    }
    rows = []
    with server_for(model, arguments.descriptors) as server:
        for name, (misuse, sockets) in misuses.items():
            if arguments.only not in (None, name):
                continue
            row = measured(server, visitor, misuse, sockets, arguments.seconds)
            rows.append([name, str(sockets), *row])
    header = ["others", "sockets", "p50 ms", "p99 ms", "max ms", "failed", "MB", "stderr bytes"]
    print_markdown(header, rows)
    if arguments.requests:
        with server_for(model, arguments.descriptors) as server:
            print(flush=True)
            rows = asyncio.run(asked_often(server, visitor, arguments.requests))
        print_markdown(["requests", "MB"], rows)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sockets", type=int, default=1100)
    parser.add_argument("--descriptors", type=int, default=1024, help="of the server")
    parser.add_argument("--seconds", type=float, default=15, help="for each kind of misuse")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--only", help="one kind of misuse")
    parser.add_argument("--serve", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        run_server(arguments.serve, arguments.descriptors)
        return
    vectors = made_up(arguments.words, 20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        vectors.save(path)
        measure(path, vectors.words, arguments)


if __name__ == "__main__":
    main()
