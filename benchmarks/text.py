"""Speed of encoding by number of threads, compared with plain Python, and its memory.

    python benchmarks/text.py CORPUS [--repeats 3] [--times 20] [--threads 2]

Words are those of the paper's tokenizer. Variants are interleaved; times are from opening the text
to the encoded corpus, in a process that has already loaded the compiled kernel. Memory is the peak
of a process that does nothing else, for the corpus once and for several copies of it.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from one_training import peak_bytes

from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.encoding.encoding_events import EncodingEvent, EncodingProgress
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes

ALL_PLAIN = 1 << 60


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
        print_peak(arguments.corpus, arguments.times)
        return
    compare(arguments.corpus, arguments.threads, arguments.repeats)
    for times in (1, arguments.times):
        command = [sys.executable, __file__, arguments.corpus, "--peak", "--times", str(times)]
        peak = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
        print(f"peak memory, {times:2} x corpus: {peak} MB", flush=True)


def compare(corpus: Path, threads: int, repeats: int) -> None:
    """Run the variants in turns, and print their speeds."""
    small = DEFAULT_SIZES.small_bytes
    variants = {
        "plain Python": (ALL_PLAIN, 1),
        "kernel, 1 thread": (small, 1),
        f"kernel, {threads} threads": (small, threads),
    }
    measure([corpus], *variants["kernel, 1 thread"])  # compiles, or loads
    speeds: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(repeats):
        for name, (plain_bytes, count) in variants.items():
            speeds[name].append(measure([corpus], plain_bytes, count))
    for name, found in speeds.items():
        ratios = [one / plain for one, plain in zip(found, speeds["plain Python"], strict=True)]
        print(
            f"{name:18} {statistics.median(found) / 1e6:6.2f} million words/s "
            f"({min(found) / 1e6:.2f}-{max(found) / 1e6:.2f})   "
            f"x {statistics.median(ratios):.1f} ({min(ratios):.1f}-{max(ratios):.1f})",
            flush=True,
        )


def measure(corpus: list[Path], plain_bytes: int, threads: int) -> float:
    """Words per second of one run."""
    words = 0

    def report(progress: EncodingEvent) -> None:
        nonlocal words
        if isinstance(progress, EncodingProgress):
            words = progress.tokens

    sizes = Sizes(small_bytes=plain_bytes)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        encode_into(corpus, TextOptions(), Path(folder), report, threads=threads, sizes=sizes)
        return words / (time.perf_counter() - began)


def print_peak(corpus: Path, times: int) -> None:
    """Encode several copies of the corpus, and print the peak memory of this process in MB."""
    measure([corpus] * times, DEFAULT_SIZES.small_bytes, 2)
    print(peak_bytes() // 10**6)


if __name__ == "__main__":
    main()
