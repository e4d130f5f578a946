"""Time and memory of the job of docs/wikipedia.md: gigabytes of text on one server.

    python benchmarks/large_text.py CORPUS [--gigabytes 10] [--folder DIR] [--epochs cuda=10 cpu=1]

The text is copies of the corpus, a plain text with words of lower-case letters. In each copy, some
long words get another ending, so that the vocabulary grows with the text as it does in natural
text. The commands `hyperskip encode` and `hyperskip train` then run as a user types them, each in
a new process. Times include the start of the process and compilation, so use an empty cache of
kernels to see those of the first training. The folder needs about 1.7 times the size of the text.
"""

import argparse
import multiprocessing
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from reporting import print_markdown

_LETTERS = 26
_GIGABYTE = 10**9


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--gigabytes", type=float, default=10.0)
    parser.add_argument("--folder", type=Path, help="where the text is written for a while")
    parser.add_argument(
        "--epochs", nargs="+", default=["cuda=10", "cpu=1"], metavar="DEVICE=N", help="trainings"
    )
    parser.add_argument("--dimension", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-", dir=arguments.folder) as name:
        folder = Path(name)
        texts = write_copies(arguments.corpus, folder / "texts", arguments.gigabytes)
        encode = ["encode", f"{texts}/*.txt", "-o", "encoded", "--min-count", "15"]
        rows = [timed(encode, folder)]
        shutil.rmtree(texts)
        for training in arguments.epochs:
            device, epochs = training.split("=")
            train = ["train", "encoded", "-o", f"{device}.safetensors", "--device", device]
            options = ["--epochs", epochs, "--dimension", str(arguments.dimension)]
            rows.append(timed([*train, *options], folder))
        print_markdown(("command", "seconds", "CPU seconds", "peak of memory, GB"), rows)


def write_copies(corpus: Path, folder: Path, gigabytes: float) -> Path:
    """Write as many copies of a text as have this size in all, and return their folder."""
    folder.mkdir()
    copies = max(1, round(gigabytes * _GIGABYTE / corpus.stat().st_size))
    with multiprocessing.Pool() as pool:
        sizes = pool.map(partial(write_copy, corpus, folder), range(copies), chunksize=1)
    print(f"{copies} copies, {sum(sizes) / _GIGABYTE:.2f} GB", flush=True)
    return folder


def write_copy(corpus: Path, folder: Path, number: int) -> int:
    """Write one copy, where some long words have an ending of this number; return its size."""
    first = chr(ord("a") + number % _LETTERS)
    ending = chr(ord("a") + number // _LETTERS % _LETTERS) + first
    words = re.compile(rf"\b({first}\w{{5}}(?:\w\w)*)\b".encode())
    text = words.sub(rb"\1" + ending.encode() * 2, corpus.read_bytes())
    return (folder / f"{number:04}.txt").write_bytes(text)


def timed(arguments: list[str], folder: Path) -> list[str]:
    """Run a command of hyperskip in this folder, and return a row of the table."""
    begin = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "hyperskip", *arguments], cwd=folder)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    if process.returncode:
        sys.exit(f"`hyperskip {' '.join(arguments)}` failed")
    return [
        f"`{' '.join(arguments).replace(f'{folder}/', '')}`",
        f"{seconds:.1f}",
        f"{usage.ru_utime + usage.ru_stime:.1f}",
        f"{peak(usage) / _GIGABYTE:.2f}",
    ]


def peak(usage: resource.struct_rusage) -> int:
    """The peak of memory in bytes; macOS counts bytes and Linux counts KiB."""
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    main()
