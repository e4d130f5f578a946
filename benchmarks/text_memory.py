"""Memory of encoding by kind of text, optionally compared with another version of hyperskip.

    python benchmarks/text_memory.py [--megabytes 100] [--words 10000000] [--against OTHER/src]

The texts are random: letters without spaces, words of about 10 kB and of about 1 MB, short words
that are all different (--words of them), and Zipf's word frequencies. --corpus adds your own text.
Each is encoded by `hyperskip.encode` in a new process, with all words kept (min_count=1). The text
of different words is also encoded with --limit as the vocabulary limit.

Memory is the peak of the process minus its memory before encoding, with the kernel loaded. With
--against, the source folder of another version is measured in turns; ratios are this version / the
other version. Seconds are CPU time, and `same` says whether all encoded files are equal.
"""

import argparse
import hashlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from one_training import peak_bytes
from reporting import print_markdown, spread
from texts import zipf_lines

_MEGABYTE = 1_000_000
_LINE_WORDS = 10_000
_ORDINARY_WORDS = 200_000


@dataclass(frozen=True)
class Cost:
    """The cost of encoding a text."""

    peak_bytes: int  # above the start
    seconds: float  # of the CPU
    words: int
    checksum: str  # of the encoded files, without the header, which contains times


def main() -> None:
    """Run the benchmark; or, in the new process, encode one text."""
    if len(sys.argv) == 3 and sys.argv[1] == "--one":
        print(json.dumps(asdict(encoded_cost(**json.loads(sys.argv[2])))))
        return
    arguments = parsed_arguments()
    sources = [Path(__file__).parents[1] / "src"]
    if arguments.against:
        sources.append(arguments.against.absolute())
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as name:
        path = Path(name, "text")
        rows = []
        for kind, write in kinds(arguments).items():
            write(path)
            limits = [arguments.limit] if kind.startswith("different") else []
            for limit in [None, *limits]:
                options = {"min_count": 1} | ({"vocabulary_limit": limit} if limit else {})
                costs = [
                    [measured(path, source, options) for source in sources]
                    for _ in range(arguments.rounds)
                ]
                rows.append(row(f"{kind}, limit {limit:,}" if limit else kind, path, costs))
    header = ("text", "MB", "peak, MB", "share of text", "bytes per word", "CPU, s")
    ratios = ("x other peak", "x other CPU", "same") if arguments.against else ()
    print_markdown((*header, *ratios), rows)


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, default=100, help="of the texts with long words")
    parser.add_argument("--words", type=int, default=10_000_000, help="that are all different")
    parser.add_argument("--limit", type=int, default=1_000_000, help="a vocabulary limit to try")
    parser.add_argument("--corpus", type=Path, help="your own text, measured as well")
    parser.add_argument("--against", type=Path, help="the src folder of another version")
    parser.add_argument("--rounds", type=int, default=1)
    return parser.parse_args(given)


def kinds(arguments: argparse.Namespace) -> dict[str, Callable[[Path], None]]:
    """The functions that write the texts, by name."""
    size = arguments.megabytes * _MEGABYTE

    def written(parts: Callable[[], Iterator[bytes]]) -> Callable[[Path], None]:
        def write(path: Path) -> None:
            with path.open("wb") as file:
                file.writelines(parts())

        return write

    def linked(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.symlink_to(arguments.corpus.absolute())

    return {
        "no spaces": written(lambda: long_words(size, size)),
        "words of 10 kB": written(lambda: long_words(size, 10_000)),
        "words of 1 MB": written(lambda: long_words(size, _MEGABYTE)),
        "different words": written(lambda: different_words(arguments.words)),
        "ordinary": written(lambda: ordinary(size)),
    } | ({arguments.corpus.name: linked} if arguments.corpus else {})


def long_words(size: int, length: int) -> Iterator[bytes]:
    """Random letters, `size` in all, with a space in every `length`."""
    generator = np.random.default_rng(1)
    for begin in range(0, size, _MEGABYTE):
        letters = generator.integers(ord("a"), ord("z") + 1, _MEGABYTE, dtype=np.uint8)
        first_blank = (length - 1 - begin) % length
        letters[first_blank::length] = ord(" ")
        yield letters.tobytes()


def different_words(count: int) -> Iterator[bytes]:
    """Words of up to 9 letters, each one once."""
    for begin in range(0, count, _LINE_WORDS):
        # Multiplying by an odd number modulo 2^32 gives a different result for each number.
        words = (
            f"w{i * 2654435761 % (1 << 32):x}"
            for i in range(begin, min(begin + _LINE_WORDS, count))
        )
        yield " ".join(words).encode() + b"\n"


def ordinary(size: int) -> Iterator[bytes]:
    """Lines with Zipf's word frequencies."""
    written = 0
    for line in zipf_lines(_ORDINARY_WORDS):
        yield line.encode() + b"\n"
        written += len(line) + 1
        if written >= size:
            return


def measured(path: Path, source: Path, options: dict[str, Any]) -> Cost:
    """Encode a text in a new process, with the hyperskip in a source folder."""
    command = [sys.executable, __file__, "--one", json.dumps({"path": str(path), **options})]
    environment = os.environ | {"PYTHONPATH": str(source)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return Cost(**json.loads(done.stdout))


def encoded_cost(path: str, **options: Any) -> Cost:
    """Encode a text, and return the cost."""
    import hyperskip

    words = [f"w{i}" for i in range(1000)]
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as folder:
        texts = (" ".join(words) for _ in range(1000))
        hyperskip.encode(texts, Path(folder, "first"), min_count=1)  # compiles or loads the kernel
        before, began = peak_bytes(), time.process_time()
        corpus = hyperskip.encode(path, Path(folder, "kept"), **options)
        seconds = time.process_time() - began
        checksum = hashlib.sha256()
        for file in sorted(Path(folder, "kept").iterdir()):
            if file.suffix != ".json":
                with file.open("rb") as stream:
                    checksum.update(hashlib.file_digest(stream, "sha256").digest())
        peak = peak_bytes() - before
    return Cost(peak, seconds, len(corpus.vocabulary), checksum.hexdigest())


def row(kind: str, path: Path, rounds: list[list[Cost]]) -> list[str]:
    """A row of the table."""
    size = path.stat().st_size
    peaks = [costs[0].peak_bytes for costs in rounds]
    cells = [
        kind,
        f"{size / 1e6:.0f}",
        spread([peak / 1e6 for peak in peaks], ".0f"),
        f"{statistics.median(peaks) / size:.2f}",
        f"{statistics.median(peaks) / rounds[0][0].words:,.0f}",
        spread([costs[0].seconds for costs in rounds], ".1f"),
    ]
    if len(rounds[0]) > 1:
        cells += [
            spread([mine.peak_bytes / other.peak_bytes for mine, other in rounds], ".2f"),
            spread([mine.seconds / other.seconds for mine, other in rounds], ".2f"),
            "yes" if all(mine.checksum == other.checksum for mine, other in rounds) else "no",
        ]
    return cells


if __name__ == "__main__":
    main()
