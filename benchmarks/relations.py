"""Speed of extracting relations, compared with a plain regular expression, and its memory.

    python benchmarks/relations.py CORPUS [--repeats 3] [--times 20] [--threads 2]

The regular expression finds "X such as A, B and C" and "A, B and other X" in one thread. Variants
are interleaved; times are from opening the text to the counted pairs. Memory is the peak of a
process that does nothing else, for the corpus once and for several copies of it; the worker
processes are not included.
"""

import argparse
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from one_training import peak_bytes
from reporting import print_markdown, spread

from hyperskip import extract_relations
from hyperskip.files.compression import open_decompressed

WORD = r"[^\W\d_][\w'-]+"
LIST = rf"{WORD}(?:, {WORD})*(?:,? (?:and|or) {WORD})?"
SUCH_AS = re.compile(rf"({WORD}),? such as ({LIST})")
AND_OTHER = re.compile(rf"({WORD}(?:, {WORD})*),? (?:and|or) other ({WORD})")
SEPARATOR = re.compile(r",? (?:and|or) |, ")


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peak", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peak:
        extract_relations([arguments.corpus] * arguments.times, threads=arguments.threads)
        print(peak_bytes() // 10**6)
        return
    compare(arguments.corpus, arguments.threads, arguments.repeats)
    for times in (1, arguments.times):
        command = [sys.executable, __file__, arguments.corpus, "--peak", "--times", str(times)]
        peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(f"peak memory, {times:2} x corpus: {peak} MB", flush=True)


def compare(corpus: Path, threads: int, repeats: int) -> None:
    """Run the variants in turns, and print their speeds."""
    with open_decompressed(corpus) as (stream, _):
        words = sum(len(line.split()) for line in stream)
    variants: dict[str, Callable[[], int]] = {
        "regular expression": lambda: plain(corpus),
        "hyperskip, 1 process": lambda: len(extract_relations(corpus, threads=1)),
        f"hyperskip, {threads} processes": lambda: len(extract_relations(corpus, threads=threads)),
    }
    speeds: dict[str, list[float]] = {name: [] for name in variants}
    pairs: dict[str, int] = {}
    for _ in range(repeats):
        for name, extract in variants.items():
            began = time.perf_counter()
            pairs[name] = extract()
            speeds[name].append(words / (time.perf_counter() - began) / 1e6)
    first = speeds["regular expression"]
    print_markdown(
        ["", "different pairs", "million words/s", "ratio"],
        [
            [
                name,
                f"{pairs[name]:,}",
                spread(found, ".2f"),
                spread([one / other for one, other in zip(found, first, strict=True)], ".2f"),
            ]
            for name, found in speeds.items()
        ],
    )


def plain(corpus: Path) -> int:
    """Count pairs with the regular expression; returns the number of different ones."""
    counts: Counter[tuple[str, str]] = Counter()
    with open_decompressed(corpus) as (stream, _):
        for line in stream:
            text = line.decode()
            for match in SUCH_AS.finditer(text):
                counts.update((word, match[1]) for word in SEPARATOR.split(match[2]))
            for match in AND_OTHER.finditer(text):
                counts.update((word, match[2]) for word in SEPARATOR.split(match[1]))
    return len(counts)


if __name__ == "__main__":
    main()
