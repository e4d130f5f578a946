"""Latency of the explorer under a steady load, compared with plain search.

    python benchmarks/latency.py [MODEL] [--words 400000] [--rate 50] [--seconds 30] [--rounds 2]

A model with fewer words is extended with copies of its words, moved a little; without a model, one
is generated from clusters. Two servers run, one of them with plain search (all float32 products),
and get requests in turns. Requests are sent at fixed times, whether or not earlier ones were
answered (an open loop). A latency counts from the time at which a request was due, so that it
includes the time in a queue. Prints percentiles for each kind of request, the share of neighbors
that both servers agree on, the time until a server was ready, and its memory.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
from reporting import print_markdown
from server_process import COMPACT, PEAK, PLAIN, server_process

from hyperskip import WordVectors, load

PERCENTILES = (50, 95, 99, 100)
# Number of requests of each kind in a hundred.
MIX = {"neighbors": 35, "analogy": 20, "words": 20, "distance": 15, "points": 10}

Latencies = dict[str, list[float]]  # milliseconds, by kind of request


# -- the model


def generated_vectors(words: int, dimension: int, seed: int = 1) -> WordVectors:
    """Words in clusters of clusters, about as far from the base point as trained words."""
    generator = np.random.default_rng(seed)
    topics = generator.normal(0, 0.07, (50, dimension))
    kinds = topics[generator.integers(0, len(topics), 5000)]
    kinds += generator.normal(0, 0.05, kinds.shape)
    values = kinds[generator.integers(0, len(kinds), words)]
    values += generator.normal(0, 0.03, values.shape)
    counts = (1e7 / np.arange(1, words + 1)).astype(np.int64)
    return WordVectors(generated_words(words), values.astype(np.float32), counts=counts)


def extended(vectors: WordVectors, words: int, seed: int = 1) -> WordVectors:
    """Add noisy copies of the words until there are this number of words."""
    missing = words - len(vectors)
    if missing <= 0:
        return vectors
    generator = np.random.default_rng(seed)
    values = np.asarray(vectors.coordinates)
    noise = generator.normal(0, 0.3 * values.std(), (missing, values.shape[1]))
    copies = values[generator.integers(0, len(values), missing)] + noise
    return WordVectors(
        [*vectors.words, *(f"{word}§" for word in generated_words(missing))],
        np.concatenate((values, copies.astype(np.float32))),
        counts=np.concatenate((vectors.counts, np.ones(missing, dtype=np.int64))),
        geometry=vectors.geometry,
        factors=vectors.factors,
    )


def generated_words(count: int) -> list[str]:
    """Different words of at least four letters, spread over the alphabet."""
    letters = "etaoinshrdlu"
    words = []
    for number in range(count):
        rest, word = number, ""
        while rest or len(word) < 4:
            rest, letter = divmod(rest, len(letters))
            word += letters[letter]
        words.append(word + str(len(word)))
    return words


# -- the requests


class Visitor:
    """Makes requests: half of the words are frequent ones, half are drawn uniformly."""

    def __init__(self, words: tuple[str, ...], seed: int) -> None:
        self._words = words
        self._random = np.random.default_rng(seed)

    def question(self) -> tuple[str, str]:
        """The kind and the path of a request."""
        kind = str(self._random.choice(list(MIX), p=np.array(list(MIX.values())) / 100))
        return kind, self.path(kind)

    def path(self, kind: str) -> str:
        """The path of a request of this kind."""
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


async def request(port: int, path: str) -> bytes:
    """Send a request over a new connection, and return the answer."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        return await exchange(reader, writer, path)
    finally:
        writer.close()


async def exchange(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> bytes:
    """Send a request and return the answer; a minimal client, which leaves cores to the server."""
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    head = await reader.readuntil(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{path}: {head.splitlines()[0].decode()}")
    length = int(head.lower().split(b"content-length:")[1].split()[0])
    return await reader.readexactly(length)


async def load_server(
    port: int, questions: list[tuple[str, str]], rate: float, connections: int
) -> Latencies:
    """Send requests at fixed times, and measure latencies from these times."""
    free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
    for _ in range(connections):
        free.put_nowait(await asyncio.open_connection("127.0.0.1", port))
    latencies: Latencies = defaultdict(list)
    began = time.perf_counter() + 0.1

    async def ask(kind: str, path: str, due: float) -> None:
        await asyncio.sleep(due - time.perf_counter())
        connection = await free.get()
        await exchange(*connection, path)
        free.put_nowait(connection)
        latencies[kind].append(1000 * (time.perf_counter() - due))

    await asyncio.gather(
        *(ask(kind, path, began + i / rate) for i, (kind, path) in enumerate(questions))
    )
    while not free.empty():
        free.get_nowait()[1].close()
    return latencies


async def agreement(ports: tuple[int, int], paths: list[str]) -> float:
    """The share of the second server's answers that the first server finds, too."""
    shares = []
    for path in paths:
        found, expected = [words_near(json.loads(await request(port, path))) for port in ports]
        shares.append(len(found & expected) / len(expected))
    return float(np.mean(shares))


def words_near(answer: dict[str, list[dict[str, str]]]) -> set[str]:
    """The words in an answer with neighbors, or with an analogy by route Z."""
    routes: object = answer.get("routes")
    near = routes["Z"]["answers"] if isinstance(routes, dict) else answer["neighbors"]
    return {word["word"] for word in near}


# -- the report


def percentiles(values: list[float]) -> list[float]:
    """The percentiles that are shown."""
    return [float(value) for value in np.percentile(values, PERCENTILES)]


def print_report(measured: dict[str, Latencies]) -> None:
    """Print a table of latencies for each server, and the ratios between them."""
    for search, latencies in measured.items():
        everything = [value for values in latencies.values() for value in values]
        rows = [
            [kind, f"{len(values):,}", *(f"{value:.1f}" for value in percentiles(values))]
            for kind, values in [*sorted(latencies.items()), ("all", everything)]
        ]
        print(f"\n{search} search, milliseconds:")
        print_markdown(["request", "number", "p50", "p95", "p99", "max"], rows)
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
    print(f"\nlatency of plain search / compact search: {shown}", flush=True)


def measure(model: Path, words: tuple[str, ...], arguments: argparse.Namespace) -> None:
    """Send requests to both servers in turns, and print the results."""
    with (
        server_process(model, search=COMPACT) as compact,
        server_process(model, search=PLAIN) as plain,
    ):
        servers = {COMPACT: compact, PLAIN: plain}
        visitor = Visitor(words, arguments.seed)
        for kind in ("neighbors", "analogy"):
            paths = [visitor.path(kind) for _ in range(arguments.checked)]
            share = asyncio.run(agreement((compact.port, plain.port), paths))
            print(f"recall@10 of {kind}: {share:.4f} ({arguments.checked} requests)", flush=True)
        measured: dict[str, Latencies] = {search: defaultdict(list) for search in servers}
        for turn in range(arguments.rounds):
            for search, server in servers.items():
                visitor = Visitor(words, arguments.seed + 1 + turn)  # the same for both
                count = int(arguments.rate * arguments.seconds / arguments.rounds)
                questions = [visitor.question() for _ in range(count)]
                latencies = asyncio.run(
                    load_server(server.port, questions, arguments.rate, arguments.connections)
                )
                for kind, values in latencies.items():
                    measured[search][kind] += values
        for search, server in servers.items():
            print(
                f"{search}: search ready in {server.search_seconds:.1f} s, "
                f"server ready in {server.seconds:.1f} s; {server.megabytes(PEAK):,.0f} MB"
            )
        print_report(measured)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("model", type=Path, nargs="?")
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimension", type=int, default=100, help="of a generated model")
    parser.add_argument("--rate", type=float, default=50, help="requests per second")
    parser.add_argument("--seconds", type=float, default=30, help="of load for each server")
    parser.add_argument("--rounds", type=int, default=2, help="turns of each server")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--checked", type=int, default=100, help="number of answers to compare")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.model is None:
        vectors = generated_vectors(arguments.words, arguments.dimension)
    else:
        vectors = extended(load(arguments.model), arguments.words)
    print(f"{len(vectors):,} words of dimension {vectors.dimension}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.safetensors"
        vectors.save(path)
        measure(path, vectors.words, arguments)


if __name__ == "__main__":
    main()
