"""Embed a graph with one program, in a new process, to measure its time and its peak of memory.

    python one_embedding.py JSON

PecanPy and gensim may need other versions of NumPy than hyperskip, so each program is imported only
when it is used, and the interpreter may be that of another environment.
"""

import json
import resource
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

OURS, THEIRS = "hyperskip", "pecanpy + gensim"


@dataclass(frozen=True, kw_only=True)
class Embedding:
    """What to do; all options mean the same for both programs."""

    program: str
    edges: str  # a file: two node numbers and a tab on each line
    output: str  # an .npy file with the coordinates of each node
    nodes: int
    dimension: int
    walks: int
    walk_length: int
    window: int
    epochs: int
    threads: int
    seed: int
    p: float = 1.0
    q: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of the whole process, from the edges in a file to the vectors in a file."""

    seconds: float
    cpu_seconds: float
    peak_bytes: int


def run(embedding: Embedding, python: str = sys.executable) -> Cost:
    """Embed in a new process, with this interpreter."""
    began = time.perf_counter()
    command = [python, __file__, json.dumps(asdict(embedding))]
    process = subprocess.run(command, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if process.returncode:
        sys.exit(f"{embedding.program} failed:\n{process.stderr}")
    return Cost(seconds=seconds, **json.loads(process.stdout.splitlines()[-1]))


def embed_with_hyperskip(embedding: Embedding) -> tuple[list[str], Any]:
    """Names and spatial coordinates of nodes, (nodes, dimension)."""
    from pathlib import Path

    from hyperskip import embed_graph

    vectors = embed_graph(
        Path(embedding.edges),
        method="walks",
        directed=False,
        dimension=embedding.dimension,
        walks=embedding.walks,
        walk_length=embedding.walk_length,
        p=embedding.p,
        q=embedding.q,
        window=embedding.window,
        shrink_window=True,  # as gensim does
        epochs=embedding.epochs,
        threads=embedding.threads,
        seed=embedding.seed,
        progress=False,
    )
    return list(vectors.words), vectors.coordinates


def embed_with_pecanpy(embedding: Embedding) -> tuple[list[str], Any]:
    """Names and coordinates of nodes, (nodes, dimension), in the mode that PecanPy recommends."""
    from pecanpy import pecanpy

    is_biased = (embedding.p, embedding.q) != (1.0, 1.0)
    kind = pecanpy.SparseOTF if is_biased else pecanpy.FirstOrderUnweighted
    graph = kind(
        p=embedding.p, q=embedding.q, workers=embedding.threads, random_state=embedding.seed
    )
    graph.read_edg(embedding.edges, weighted=False, directed=False)
    coordinates = graph.embed(
        dim=embedding.dimension,
        num_walks=embedding.walks,
        walk_length=embedding.walk_length,
        window_size=embedding.window,
        epochs=embedding.epochs,
    )
    return list(graph.nodes), coordinates


PROGRAMS = {OURS: embed_with_hyperskip, THEIRS: embed_with_pecanpy}


def main() -> None:
    """Embed, save the coordinates by node number, and print the cost as JSON."""
    embedding = Embedding(**json.loads(sys.argv[1]))
    names, coordinates = PROGRAMS[embedding.program](embedding)
    ordered = np.zeros((embedding.nodes, embedding.dimension), dtype=np.float32)
    ordered[[int(name) for name in names]] = coordinates
    np.save(embedding.output, ordered)
    usage = resource.getrusage(resource.RUSAGE_SELF)
    cost = {
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "peak_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
    print(json.dumps(cost))


if __name__ == "__main__":
    main()
