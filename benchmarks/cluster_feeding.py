"""Speed of reading and tokenizing on a Ray cluster: by Ray Data, and by our own parts.

    python benchmarks/cluster_feeding.py CORPUS [--repeats 5] [--cluster auto]

CORPUS is a plain text file. All variants scan it with the same kernel and leave the integers in the
object store of Ray: Ray Data from lines, Ray Data from files of 4 MB that hold the same text (which
an actual corpus would have to be cut into first), and our parts of the file. `encoded` is all that
`hyperskip.train` does before training: our parts, one vocabulary, and final ids. Variants are
interleaved. Each runs twice in its turn, and the second time counts, because processes that Ray
has just started load the compiled kernel first.

Ray Data requires two packages that hyperskip does not: pip install 'ray[data]'.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reporting import print_markdown, spread

from hyperskip.cluster.connection import connected
from hyperskip.cluster.nodes import Cluster
from hyperskip.text.encoding.cluster.encoder import ClusterEncoder
from hyperskip.text.encoding.cluster.parts import cut_into_parts, default_part_bytes
from hyperskip.text.encoding.cluster.scanned_parts import scanner_for
from hyperskip.text.encoding.cluster.tasks import Scanning, scan_part
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES
from hyperskip.text.reading.sources import source_file

FILE_BYTES = 1 << 22
BATCH_LINES = 4096

Variant = Callable[[], object]


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--cluster", default="auto")
    arguments = parser.parse_args()
    with connected(arguments.cluster) as cluster, tempfile.TemporaryDirectory() as folder:
        compare(arguments.corpus, cluster, Path(folder), arguments.repeats)


def compare(corpus: Path, cluster: Cluster, folder: Path, repeats: int) -> None:
    """Run the variants in turns, and print their speeds."""
    files = folder / "files"
    files.mkdir()
    for number, text in enumerate(cut_at_lines(corpus, FILE_BYTES)):
        (files / f"{number:06}.txt").write_bytes(text)
    variants: dict[str, Variant] = {
        "Ray Data, lines": lambda: by_lines(corpus),
        "Ray Data, files": lambda: by_files(files),
        "our parts": lambda: by_parts(corpus, cluster),
        "our parts, encoded": lambda: encoded(corpus, cluster, folder),
    }
    speeds: dict[str, list[float]] = {name: [] for name in variants}
    words = encoded(corpus, cluster, folder)
    for _ in range(repeats):
        for name, variant in variants.items():
            variant()
            started = time.perf_counter()
            variant()
            speeds[name].append(words / 1e6 / (time.perf_counter() - started))
    rows = [
        [
            name,
            spread(found, ".2f"),
            spread(
                [one / other for one, other in zip(found, speeds["our parts"], strict=True)], ".2f"
            ),
        ]
        for name, found in speeds.items()
    ]
    print_markdown(["", "million words/s", "of our parts"], rows)


def cut_at_lines(corpus: Path, size: int) -> list[bytes]:
    """Cut a text into pieces that end at newlines."""
    text = corpus.read_bytes()
    pieces = []
    begin = 0
    while begin < len(text):
        end = text.find(b"\n", begin + size) + 1 or len(text)
        pieces.append(text[begin:end])
        begin = end
    return pieces


def by_lines(corpus: Path) -> object:
    """Ray Data reads lines, which are joined again for the scanner."""
    import ray.data

    def scan(batch: dict[str, Any]) -> dict[str, Any]:
        return scanned("\n".join(batch["text"]).encode())

    return ray.data.read_text(str(corpus)).map_batches(scan, batch_size=BATCH_LINES).materialize()


def by_files(folder: Path) -> object:
    """Ray Data reads whole files."""
    import ray.data

    def scan(batch: dict[str, Any]) -> dict[str, Any]:
        return scanned(b"".join(batch["bytes"]))

    files = ray.data.read_binary_files(str(folder))
    return files.map_batches(scan, batch_size=1).materialize()


def scanned(text: bytes) -> dict[str, Any]:
    """Scan a batch: one row, whose columns are arrays as bytes."""
    scan, _ = scanner_for(TextOptions().word_rules, compiled=True)
    found = scan(text)
    return {name: [getattr(found, name).tobytes()] for name in found._fields}


def by_parts(corpus: Path, cluster: Cluster) -> object:
    """Our tasks read and scan parts of the file."""
    import ray

    options = TextOptions()
    source = source_file(corpus)
    assert source is not None
    cpus = sum(node.cpus for node in cluster.nodes())
    size = default_part_bytes(source.size, cpus)
    scanning = ray.put(Scanning(options, DEFAULT_SIZES, size, True, {}))
    task = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(scan_part)
    results = [
        task.remote(part, scanning) for part in cut_into_parts([corpus], [source], options, size)
    ]
    references = [reference for result in results for reference in result]
    return ray.wait(references, num_returns=len(references))


def encoded(corpus: Path, cluster: Cluster, folder: Path) -> int:
    """Our encoder, complete; returns the number of words."""
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        options = TextOptions(min_count=1)
        return ClusterEncoder(corpus, options, Path(temporary), cluster).into_shards().token_count


if __name__ == "__main__":
    main()
