"""CPU time of the first training: compilation with an empty kernel cache, by kernel.

    python benchmarks/compilation.py [--megabytes 3] [--repeats 3] [--option schedule=pairwise ...]

Trains on random text in a new process with an empty cache, and then in another one with the filled
cache. Prints the CPU seconds of imports, of the compilation of each kernel, and of the training, as
medians with their range. A text below one megabyte is read without the compiled scanner.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from numba.core import event
from reporting import print_markdown, spread
from texts import write_text, zipf_lines

WORDS, WORD_BYTES = 3000, 4.5


class CompilationTimes(event.Listener):
    """CPU seconds of the compilation of each kernel, with all functions that it calls."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self._starts: list[float] = []

    def on_start(self, _: Any) -> None:
        """Note the start; compilations are nested."""
        self._starts.append(time.process_time())

    def on_end(self, ended: Any) -> None:
        """Add the time of a kernel, not of what it calls."""
        start = self._starts.pop()
        if not self._starts:
            name = ended.data["dispatcher"].py_func.__name__
            self.seconds[name] += time.process_time() - start


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument(
        "--option", action="append", default=[], help="of hyperskip.train: name=value"
    )
    parser.add_argument("--text", type=Path, help=argparse.SUPPRESS)  # in the new processes
    arguments = parser.parse_args()
    if arguments.text:
        print(json.dumps(measured_training(arguments.text, arguments.option)))
        return
    runs: tuple[list[Any], list[Any]] = [], []
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "text.txt")
        write_text(zipf_lines(WORDS), text, words=int(arguments.megabytes * 1e6 / WORD_BYTES))
        for repeat in range(arguments.repeats):
            cache = Path(folder, f"cache-{repeat}")
            for results in runs:
                results.append(in_new_process(text, arguments.option, cache))
    rows = [
        [name, *(spread([run.get(name, 0.0) for run in results], ".2f") for results in runs)]
        for name in runs[0][0]
    ]
    print_markdown(["CPU seconds", "empty cache", "filled cache"], rows)


def in_new_process(text: Path, options: list[str], cache: Path) -> Any:
    """Measure one training in a new process."""
    command = [sys.executable, __file__, "--text", str(text)]
    for option in options:
        command += ["--option", option]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def measured_training(text: Path, options: list[str]) -> dict[str, float]:
    """Train once, and return CPU seconds: of imports, of each kernel and of the training."""
    import hyperskip

    train = hyperskip.train  # imported when first used
    imports = time.process_time()
    times = CompilationTimes()
    chosen = {name: value_of(value) for name, _, value in (o.partition("=") for o in options)}
    with event.install_listener("numba:compile", times):
        train(text, **{"epochs": 1, "threads": 1, "device": "cpu", **chosen})
    training = time.process_time() - imports
    return {
        "imports": imports,
        **times.seconds,
        "all kernels": sum(times.seconds.values()),
        "training, with all kernels": training,
        "process": imports + training,
    }


def value_of(text: str) -> Any:
    """A number or a truth value if the text is one, otherwise the text."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


if __name__ == "__main__":
    main()
