"""What parts and merges cost on this machine, for `cluster_model.py`.

The parts of the text and the steps of a merge are measured with `NodeTraining` in this process,
without Ray: seconds for each part, for each word, and for each of its coordinates. The calls of a
merge and the bandwidth between two nodes are measured on local nodes of Ray.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from cluster import local_nodes, ray_settings
from cluster_model import Costs, LinearCost
from texts import write_text, zipf_lines

from hyperskip.devices import CPU
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.training.blocks import FOR_THREADS, Block, cut_into_blocks
from hyperskip.training.cluster.node_text import TokenSource
from hyperskip.training.cluster.node_training import NodeTask, NodeTraining, Share
from hyperskip.training.cluster.rounds import cut_into_parts
from hyperskip.training.options import TrainingOptions
from hyperskip.training.plan import plan_training
from hyperskip.training.start.random_positions import random_parameters

# Bytes of objects; those below 100 kB do not go through the object stores of nodes.
STORED, LARGE = 1 << 17, 1 << 25


def measured_nodes(
    dimensions: Sequence[int] = (16, 128), words: int = 20_000
) -> dict[str, LinearCost | float]:
    """Measure parts of the text, and the steps of a merge at two dimensions, without Ray."""
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name:
        folder = Path(name)
        write_text(zipf_lines(words), folder / "text.txt", words=50 * words)
        options = TextOptions(tokenizer="whitespace", min_count=1)
        encoded = encode_into(folder / "text.txt", options, folder)
        timed = [_timed_merge(encoded, dimension) for dimension in dimensions]
        part = _timed_part(encoded)
    return {"part": part} | {
        step: _line(
            [(dimension, times[step]) for dimension, times in zip(dimensions, timed, strict=True)]
        )
        for step in timed[0]
    }


def _line(points: Sequence[tuple[int, float]]) -> LinearCost:
    """The line through two points, with no negative part."""
    (first, low), (second, high) = points
    slope = max((high - low) / (second - first), 0.0)
    return LinearCost(max(low - slope * first, 0.0), slope)


def _started(encoded: EncodedCorpus, dimension: int) -> tuple[NodeTraining, list[Block]]:
    """A node with one thread, and the blocks of the text."""
    plan = plan_training(TrainingOptions(dimension=dimension, threads=1), encoded, CPU)
    counts = encoded.vocabulary.counts
    blocks = list(cut_into_blocks(encoded.sentence_starts, FOR_THREADS))
    task = NodeTask(
        plan=plan,
        counts=counts,
        contexts=float(plan.window),
        tokens=TokenSource.of(encoded),
        longest=max(block.end - block.begin for block in blocks),
        fixed=None,
        starts_from_model=False,
    )
    node = NodeTraining("bench", 1, 1 << 62, task, random_parameters(len(counts), plan))
    return node, blocks


def _timed_part(encoded: EncodedCorpus) -> float:
    """Seconds for each part into which a block is cut, the least of several times."""
    node, blocks = _started(encoded, dimension=16)
    starts = encoded.starts_within(1, encoded.token_count)
    parts = cut_into_parts(blocks, (blocks[0].end - blocks[0].begin) // 8, len(blocks))
    few, many = (
        _least(partial(node.train, Share(0, tuple(each), starts)), 8) for each in (blocks, parts)
    )
    return max(many - few, 0.0) / (len(parts) - len(blocks))


def _timed_merge(encoded: EncodedCorpus, dimension: int) -> dict[str, float]:
    """Seconds for each word of each step of a merge, the least of several times."""
    node, blocks = _started(encoded, dimension)
    counts = encoded.vocabulary.counts
    starts = encoded.starts_within(1, encoded.token_count)
    none = _least(lambda: node.moved(1, complete=True)) / len(counts)
    node.train(Share(0, tuple(blocks), starts))
    (piece,) = node.moved(1, complete=True)
    moved = len(piece.words)
    merged = node.merge(piece)
    all_words = _least(lambda: node.moved(1, complete=True))

    def place() -> None:
        node.place(merged, rank=0, complete=True)
        node.commit()

    one, four = (_least(partial(node.merge, *[piece] * count)) for count in (1, 4))
    return {
        "compared": none,
        "selected": max(all_words - none * len(counts), 0.0) / moved,
        "merged": max(four - one, 0.0) / 3 / moved,
        "placed": _least(place) / moved,
    }


def _times(work: Callable[[], object], repeats: int) -> list[float]:
    """Seconds of several calls."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return times


def _least(work: Callable[[], object], repeats: int = 20) -> float:
    """The shortest time of several calls."""
    return min(_times(work, repeats))


def measured_ray(node_counts: Sequence[int] = (2, 4)) -> dict[str, Any]:
    """Measure the calls of a merge, and the bandwidth between local nodes."""
    timed = {count: _timed_calls(count) for count in node_counts}
    fewer, more = min(timed), max(timed)
    of_pair = max((timed[more].calls - timed[fewer].calls) / (more**2 - fewer**2), 0.0)
    return {
        "calls": max(timed[fewer].calls - of_pair * fewer**2, 0.0),
        "calls_of_pair": of_pair,
        "stored": timed[fewer].stored,
        "local": {count: each.exchange for count, each in timed.items()},
        "bandwidth": timed[fewer].bandwidth,
    }


class RayTimes(NamedTuple):
    """What Ray needs on local nodes."""

    calls: float  # seconds of a merge with objects that are too small for the object stores
    exchange: float  # the same with objects in the object stores
    stored: float  # seconds for one object that another node reads, if there are several
    bandwidth: float  # bytes/s from one node to another


def _timed_calls(nodes: int, objects: int = 10) -> RayTimes:
    """Measure the calls of a merge with one actor on each node."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    class Echo:
        def pieces(self, count: int, size: int) -> Any:
            made = tuple(np.zeros(size, dtype=np.uint8) for _ in range(count))
            return made if count > 1 else made[0]

        def joined(self, size: int, *_: Any) -> Any:
            return np.zeros(size, dtype=np.uint8)

    with local_nodes(nodes, 1) as address:
        ray.init(address=address, configure_logging=False, log_to_driver=False)
        try:
            actors = [
                ray.remote(Echo)
                .options(
                    num_cpus=1,
                    scheduling_strategy=NodeAffinitySchedulingStrategy(node["NodeID"], soft=False),
                )
                .remote()
                for node in ray.nodes()
            ]

            def exchange(size: int) -> None:
                pieces = [
                    actor.pieces.options(num_returns=nodes).remote(nodes, size) for actor in actors
                ]
                merged = [
                    actor.joined.remote(size, *(of_node[index] for of_node in pieces))
                    for index, actor in enumerate(actors)
                ]
                ray.get([actor.joined.remote(0, *merged) for actor in actors])

            def send(count: int, size: int, reader: int) -> None:
                made = [actors[0].pieces.remote(1, size) for _ in range(count)]
                ray.get(actors[reader].joined.remote(0, *made))

            exchange(STORED)  # the first calls take longer
            for reader in (0, 1):
                send(1, LARGE, reader)
            there, here = (_least(partial(send, 1, LARGE, reader), 5) for reader in (1, 0))
            return RayTimes(
                statistics.median(_times(partial(exchange, 0), 20)),
                statistics.median(_times(partial(exchange, STORED), 20)),
                statistics.median(_times(partial(send, objects, STORED, 1), 10)) / objects,
                LARGE / max(there - here, 1e-6),
            )
        finally:
            ray.shutdown()


def measured_costs() -> Costs:
    """Measure all costs on this machine."""
    with ray_settings():
        return Costs.from_json(measured_nodes() | measured_ray())


def kept_costs(path: Path | None) -> Costs:
    """The costs in a file; or measured ones, which are written to it."""
    if path is not None and path.exists():
        return Costs.from_json(json.loads(path.read_text()))
    costs = measured_costs()
    if path is not None:
        path.write_text(json.dumps(asdict(costs), indent=2) + "\n")
    return costs
