"""Latency of the explorer for a visitor while other clients misuse their connections.

    python benchmarks/connections.py [--sockets 1100] [--descriptors 1024] [--seconds 15]

A server on this machine gets more connections than it may have open file descriptors. The other
clients send nothing, or a byte of a request every two seconds, or request the whole map and never
read it, or send requests as fast as they get answers. A connection that the server closes is opened
again five seconds later. At the same time, a visitor sends twenty requests per second, each over a
new connection. Prints the latencies of the visitor, the memory of the server, and the size of its
stderr; then its memory before and after many requests over a few connections.
"""

import argparse
import asyncio
import contextlib
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
from latency import Visitor, exchange, generated_vectors, generated_words, request
from reporting import print_markdown
from server_process import ServerProcess, server_process

RATE = 20  # requests per second of the visitor
BUSY_CONNECTIONS = 200  # that send requests as fast as they get answers
REOPENING_SECONDS = 5
CONNECTING_SECONDS = 5  # until all connections are open
KEPT_CONNECTIONS = 8  # for many requests

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Misuse = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


# -- the other clients


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
    """Request the whole map, and read no more than a buffer of it."""
    writer.write(b"GET /api/points HTTP/1.1\r\nHost: localhost\r\n\r\n")
    transport = writer.transport
    assert isinstance(transport, asyncio.Transport)
    transport.pause_reading()
    while not reader.at_eof() and not transport.is_closing():
        await asyncio.sleep(2)
        writer.write(b"\r\n")  # fails if the server has closed the connection
        await writer.drain()


async def request_all_the_time(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Request neighbors as fast as there are answers."""
    visitor = Visitor(tuple(generated_words(1000)), seed=1)
    while True:
        await exchange(reader, writer, visitor.path("neighbors"))


async def keep_connections(port: int, misuse: Misuse, sockets: int) -> None:
    """Keep connections open from another address of this machine, until the process ends."""

    async def keep_one() -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, RuntimeError):
                source = ("127.0.0.2", 0)
                reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=source)
                try:
                    await misuse(reader, writer)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(REOPENING_SECONDS)

    await asyncio.gather(*(keep_one() for _ in range(sockets)))


def misuse_connections(port: int, misuse: Misuse, sockets: int) -> None:
    """Keep connections open from a separate process, which does not delay the visitor."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(keep_connections(port, misuse, sockets))


# -- the visitor


async def visit(port: int, visitor: Visitor, seconds: float) -> tuple[list[float], int]:
    """Send requests at fixed times over new connections; latencies in ms, and failures."""
    began = time.perf_counter() + 0.1

    async def ask(due: float) -> float | None:
        await asyncio.sleep(due - time.perf_counter())
        try:
            await request(port, visitor.question()[1])
        except (OSError, asyncio.IncompleteReadError, RuntimeError):
            return None
        return 1000 * (time.perf_counter() - due)

    requests = [ask(began + i / RATE) for i in range(int(RATE * seconds))]
    latencies = await asyncio.gather(*requests)
    return [value for value in latencies if value is not None], latencies.count(None)


def measure_misuse(
    server: ServerProcess, visitor: Visitor, misuse: Misuse | None, sockets: int, seconds: float
) -> list[str]:
    """A row of the table: latencies, failures, memory and size of stderr."""
    others = multiprocessing.get_context("spawn").Process(
        target=misuse_connections, args=(server.port, misuse, sockets)
    )
    if misuse is not None:
        others.start()
        time.sleep(CONNECTING_SECONDS)
    latencies, failed = asyncio.run(visit(server.port, visitor, seconds))
    shown = np.percentile(latencies, (50, 99, 100)) if latencies else (np.nan,) * 3
    memory, errors = server.megabytes(), server.errors.stat().st_size
    if misuse is not None:
        others.kill()
        others.join()
    return [*(f"{value:.1f}" for value in shown), str(failed), f"{memory:,.0f}", f"{errors:,}"]


async def measure_memory(server: ServerProcess, visitor: Visitor, requests: int) -> list[list[str]]:
    """Rows of the table: memory after each tenth of the requests."""
    connections: list[Streams] = [
        await asyncio.open_connection("127.0.0.1", server.port) for _ in range(KEPT_CONNECTIONS)
    ]

    async def ask(connection: Streams, count: int) -> None:
        for _ in range(count):
            await exchange(*connection, visitor.path("words"))

    rows = [["0", f"{server.megabytes():,.1f}"]]
    count = requests // (10 * KEPT_CONNECTIONS)
    for part in range(1, 11):
        await asyncio.gather(*(ask(each, count) for each in connections))
        rows.append(
            [
                f"{part * count * KEPT_CONNECTIONS:,}",
                f"{server.megabytes():,.1f}",
            ]
        )
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
        "send requests all the time": (
            request_all_the_time,
            min(BUSY_CONNECTIONS, arguments.sockets),
        ),
    }
    rows = []
    with server_process(model, descriptors=arguments.descriptors) as server:
        for name, (misuse, sockets) in misuses.items():
            if arguments.only not in (None, name):
                continue
            row = measure_misuse(server, visitor, misuse, sockets, arguments.seconds)
            rows.append([name, str(sockets), *row])
    header = [
        "other clients",
        "sockets",
        "p50 ms",
        "p99 ms",
        "max ms",
        "failed",
        "MB",
        "stderr bytes",
    ]
    print_markdown(header, rows)
    if arguments.requests:
        with server_process(model, descriptors=arguments.descriptors) as server:
            print(flush=True)
            rows = asyncio.run(measure_memory(server, visitor, arguments.requests))
        print_markdown(["requests", "MB"], rows)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sockets", type=int, default=1100)
    parser.add_argument("--descriptors", type=int, default=1024, help="limit of the server")
    parser.add_argument("--seconds", type=float, default=15, help="for each kind of misuse")
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--only", help="one kind of misuse")
    arguments = parser.parse_args()
    vectors = generated_vectors(arguments.words, 20)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        vectors.save(path)
        measure(path, vectors.words, arguments)


if __name__ == "__main__":
    main()
