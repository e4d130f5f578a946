"""How long the explorer takes to answer, under a steady load, beside the same with plain search.

    python benchmarks/latency.py [MODEL] [--words 400000] [--rate 50] [--seconds 30] [--rounds 2]

A model with fewer words is filled up with copies of its words, moved a little; without a model, one
is made up of clusters. Two servers run, one of which searches plainly (all float32 products); they
are loaded in turns. Requests are sent at fixed times, whatever the answers (an open loop), and a
latency counts from the time at which its request was due: what waits in a queue is counted, too.
Prints percentiles of each kind of question, the share of neighbors that both servers agree on, the
time until a server was ready, and its memory.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from reporting import print_markdown

from hyperskip import WordVectors, load
from hyperskip.explorer.server.address import Address
from hyperskip.explorer.server.app import make_app
from hyperskip.explorer.server.server import serve
from hyperskip.projection.map_file import map_beside
from hyperskip.projection.methods import TANGENT

COMPACT, PLAIN = "compact", "plain"
PERCENTILES = (50, 95, 99, 100)
# Of a hundred questions, how many are of each kind.
MIX = {"neighbors": 35, "analogy": 20, "words": 20, "distance": 15, "points": 10}

Latencies = dict[str, list[float]]  # milliseconds, by kind of question


# -- the model


def made_up(words: int, dimension: int, seed: int = 1) -> WordVectors:
    """Words in clusters of clusters, as far from the base point as trained ones are."""
    generator = np.random.default_rng(seed)
    topics = generator.normal(0, 0.07, (50, dimension))
    kinds = topics[generator.integers(0, len(topics), 5000)]
    kinds += generator.normal(0, 0.05, kinds.shape)
    values = kinds[generator.integers(0, len(kinds), words)]
    values += generator.normal(0, 0.03, values.shape)
    counts = (1e7 / np.arange(1, words + 1)).astype(np.int64)
    return WordVectors(spelled(words), values.astype(np.float32), counts=counts)


def filled_up(vectors: WordVectors, words: int, seed: int = 1) -> WordVectors:
    """The vectors, and copies of their words with some noise until there are so many."""
    missing = words - len(vectors)
    if missing <= 0:
        return vectors
    generator = np.random.default_rng(seed)
    values = np.asarray(vectors.coordinates)
    noise = generator.normal(0, 0.3 * values.std(), (missing, values.shape[1]))
    copies = values[generator.integers(0, len(values), missing)] + noise
    return WordVectors(
        [*vectors.words, *(f"{word}§" for word in spelled(missing))],
        np.concatenate((values, copies.astype(np.float32))),
        counts=np.concatenate((vectors.counts, np.ones(missing, dtype=np.int64))),
        geometry=vectors.geometry,
        factors=vectors.factors,
    )


def spelled(count: int) -> list[str]:
    """So many different words of four letters or more, spread over the alphabet."""
    letters = "etaoinshrdlu"
    words = []
    for number in range(count):
        rest, word = number, ""
        while rest or len(word) < 4:
            rest, letter = divmod(rest, len(letters))
            word += letters[letter]
        words.append(word + str(len(word)))
    return words


# -- the servers


def run_server(model: Path, search: str) -> None:
    """Serve a model until the process is ended; the first line on stdout is about it."""
    began = time.perf_counter()
    vectors = load(model)
    if search == COMPACT:
        vectors = vectors.compacted()
    disc_map = map_beside(model, vectors, method=TANGENT)  # made by the first server, for both
    mapped = time.perf_counter()
    vectors.neighbors(vectors.words[0])
    ready = time.perf_counter() - mapped
    app = make_app(vectors, disc_map, name=model.name)
    address = Address.bind("127.0.0.1", None)
    about = {
        "port": address.port,
        "search_seconds": ready,
        "seconds": time.perf_counter() - began,
    }
    print(json.dumps(about), flush=True)
    serve(app, address.listening)


@dataclass(frozen=True)
class Server:
    """A server in a process of its own."""

    process: int
    port: int
    search_seconds: float
    seconds: float

    def megabytes(self) -> float:
        """Of memory, at most so far; the model's file is shared with others, and counted too."""
        status = Path(f"/proc/{self.process}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) / 1000


@contextmanager
def server_for(model: Path, search: str) -> Iterator[Server]:
    """Start a server and wait until it is ready."""
    command = [sys.executable, __file__, str(model), "--serve", search]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield Server(process.pid, **json.loads(process.stdout.readline()))
        finally:
            process.kill()


# -- the questions


class Visitor:
    """Thinks of questions: frequent words more often, but every word now and then."""

    def __init__(self, words: tuple[str, ...], seed: int) -> None:
        self._words = words
        self._random = np.random.default_rng(seed)

    def question(self) -> tuple[str, str]:
        """A kind of question, and its address."""
        kind = str(self._random.choice(list(MIX), p=np.array(list(MIX.values())) / 100))
        return kind, self.asked(kind)

    def asked(self, kind: str) -> str:
        """The address of a question of this kind."""
        makers: dict[str, Callable[[], dict[str, object]]] = {
            "neighbors": lambda: {"word": self._word(), "count": 10},
            "analogy": lambda: {"a": self._word(), "b": self._word(), "c": self._word()},
            "words": lambda: {"prefix": self._word()[: self._random.integers(1, 4)]},
            "distance": lambda: {"a": self._word(), "b": self._word()},
            "points": self._view,
        }
        return f"/api/{kind}?{urlencode(makers[kind]())}"

    def _word(self) -> str:
        if self._random.random() < 0.5:
            row = int(len(self._words) ** self._random.random()) - 1
        else:
            row = int(self._random.integers(len(self._words)))
        return self._words[row]

    def _view(self) -> dict[str, object]:
        x, y = self._random.uniform(-0.5, 0.5, 2).round(4)
        return {"x": x, "y": y, "radius": 1.0, "limit": 2000}


async def answered(port: int, path: str) -> bytes:
    """The answer to one question, over a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await exchanged(reader, writer, path)
    finally:
        writer.close()


async def exchanged(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> bytes:
    """Send a question and read its answer; a client as light as can be, for it shares the cores."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{path}: {head.splitlines()[0].decode()}")
    length = int(head.lower().split(b"content-length:")[1].split()[0])
    return await reader.readexactly(length)


async def loaded(
    port: int, questions: list[tuple[str, str]], rate: float, connections: int
) -> Latencies:
    """Ask at fixed times, and measure from those times on."""
    free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    for _ in range(connections):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    latencies: Latencies = defaultdict(list)
    began = time.perf_counter() + 0.1

    async def ask(kind: str, path: str, due: float) -> None:
        await asyncio.sleep(due - time.perf_counter())
        connection = await free.get()
        await exchanged(*connection, path)
        free.put_nowait(connection)
        latencies[kind].append(1000 * (time.perf_counter() - due))

    await asyncio.gather(
        *(ask(kind, path, began + i / rate) for i, (kind, path) in enumerate(questions))
    )
    while not free.empty():
        free.get_nowait()[1].close()
    return latencies


async def agreement(ports: tuple[int, int], paths: list[str]) -> float:
    """Of the words near something, the share that the first server finds of the second's."""
    shares = []
    for path in paths:
        found, expected = [words_near(json.loads(await answered(port, path))) for port in ports]
        shares.append(len(found & expected) / len(expected))
    return float(np.mean(shares))


def words_near(answer: dict[str, list[dict[str, str]]]) -> set[str]:
    """The words in an answer to a question for neighbors or an analogy, by one route."""
    routes: object = answer.get("routes")
    near = routes["Z"]["answers"] if isinstance(routes, dict) else answer["neighbors"]
    return {word["word"] for word in near}


# -- the report


def percentiles(values: list[float]) -> list[float]:
    """The percentiles that are shown."""
    return [float(value) for value in np.percentile(values, PERCENTILES)]


def print_report(measured: dict[str, Latencies]) -> None:
    """Print a table of latencies for each server, and how they compare."""
    for search, latencies in measured.items():
        everything = [value for values in latencies.values() for value in values]
        rows = [
            [kind, f"{len(values):,}", *(f"{value:.1f}" for value in percentiles(values))]
            for kind, values in [*sorted(latencies.items()), ("all", everything)]
        ]
        print(f"\n{search} search, milliseconds:")
        print_markdown(["question", "asked", "p50", "p95", "p99", "max"], rows)
    ratios = [
        one / other
        for one, other in zip(
            *(
                percentiles([value for values in measured[search].values() for value in values])
                for search in (PLAIN, COMPACT)
            ),
            strict=True,
        )
    ]
    shown = ", ".join(
        f"{name} {ratio:.1f}"
        for name, ratio in zip(("p50", "p95", "p99", "max"), ratios, strict=True)
    )
    print(f"\nplain takes so many times as long: {shown}", flush=True)


def measure(model: Path, words: tuple[str, ...], arguments: argparse.Namespace) -> None:
    """Load both servers in turns, and print what was measured."""
    with server_for(model, COMPACT) as compact, server_for(model, PLAIN) as plain:
        servers = {COMPACT: compact, PLAIN: plain}
        visitor = Visitor(words, arguments.seed)
        for kind in ("neighbors", "analogy"):
            paths = [visitor.asked(kind) for _ in range(arguments.checked)]
            share = asyncio.run(agreement((compact.port, plain.port), paths))
            print(f"recall@10 of {kind}: {share:.4f} ({arguments.checked} questions)", flush=True)
        measured: dict[str, Latencies] = {search: defaultdict(list) for search in servers}
        for turn in range(arguments.rounds):
            for search, server in servers.items():
                visitor = Visitor(words, arguments.seed + 1 + turn)  # the same for both
                asked = int(arguments.rate * arguments.seconds / arguments.rounds)
                questions = [visitor.question() for _ in range(asked)]
                latencies = asyncio.run(
                    loaded(server.port, questions, arguments.rate, arguments.connections)
                )
                for kind, values in latencies.items():
                    measured[search][kind] += values
        for search, server in servers.items():
            print(
                f"{search}: search ready in {server.search_seconds:.1f} s, "
                f"all in {server.seconds:.1f} s; {server.megabytes():,.0f} MB"
            )
        print_report(measured)


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimension", type=int, default=100, help="of a model that is made up")
    parser.add_argument("--rate", type=float, default=50, help="questions a second")
    parser.add_argument("--seconds", type=float, default=30, help="of load for each server")
    parser.add_argument("--rounds", type=int, default=2, help="turns that the servers take")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--checked", type=int, default=100, help="answers that are compared")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", choices=(COMPACT, PLAIN), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.serve:
        run_server(arguments.model, arguments.serve)
        return
    if arguments.model is None:
        vectors = made_up(arguments.words, arguments.dimension)
    else:
        vectors = filled_up(load(arguments.model), arguments.words)
    print(f"{len(vectors):,} words of dimension {vectors.dimension}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        vectors.save(path)
        measure(path, vectors.words, arguments)


if __name__ == "__main__":
    main()
