"""Signals at many moments of every long-running command, which must end without noise or leftovers.

    python fuzzing/signals.py [--command NAME ...] [--moments N] [--times N] [--load N]

Each command runs once without a signal, to count the calls in its main thread. Then it runs many
times and receives SIGINT, SIGTERM or SIGHUP: at evenly spaced calls (`at_moment.py`), and at random
times from outside, also while its modules are loaded. A run fails if

- it prints a traceback, or an exception that Python ignored (noisy),
- it runs to its end as if there had been no signal (swallowed),
- it does not end (hung),
- it leaves temporary files, or an output that cannot be read (littered).
"""

import argparse
import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
AT_MOMENT = Path(__file__).parent / "at_moment.py"
SECONDS = 120.0  # to end after the signal, on a busy machine
SECONDS_TO_LOAD = 0.5
SECONDS_BETWEEN = 0.001  # between two signals
NOISE = re.compile(r"Traceback|Exception ignored|Fatal Python error|Segmentation|^\w+Error", re.M)
KINDS = ("quiet", "finished", "unsent", "noisy", "swallowed", "hung", "littered")
GOOD = ("quiet", "finished", "unsent")  # unsent: it ended before the moment
_LAST_SHARE = 0.15  # of all calls; after a signal in these, a command may finish its work


@dataclass(frozen=True)
class Command:
    """A command that runs in a folder with `text.txt`, `dump.xml`, `edges.tsv` and `model`."""

    arguments: str
    outputs: str  # glob of its outputs
    check: str | None = None  # a command that reads the output
    is_server: bool = False


COMMANDS = {
    "train": Command(
        "train text.txt -o new --dimension 8 --epochs 2 --min-count 1 --threads 2",
        "new",
        "info new",
    ),
    "train-deterministic": Command(
        "train text.txt -o new --dimension 8 --epochs 2 --min-count 1 --threads 2 --deterministic "
        "--checkpoint-minutes 0.0001",
        "new",
        "info new",
    ),
    "train-dump": Command(
        "train dump.xml -o new --dimension 4 --epochs 1 --min-count 1", "new", "info new"
    ),
    "train-subwords": Command(
        "train text.txt -o new --dimension 8 --epochs 2 --min-count 1 --threads 2 --subwords "
        "--phrases",
        "new",
        "info new",
    ),
    "graph": Command(
        "graph edges.tsv -o new --closure --epochs 20 --checkpoint-minutes 0.0001",
        "new",
        "info new",
    ),
    "encode": Command("encode text.txt -o new --threads 2", "new", "train new -o other --epochs 1"),
    "phrases": Command(
        "phrases text.txt -o new.tsv --threads 2",
        "new.tsv",
        "encode text.txt -o other --phrase-file new.tsv",
    ),
    "experiment": Command(
        "experiment text.txt -o new --dimensions 3 --rates 0.05 --models paper --similarity "
        "builtin --analogies builtin --epochs 1 --min-count 1",
        "new/report.html",
    ),
    "plot": Command("plot model -o new.png --projection fitted", "new.png"),
    "plot-page": Command("plot model -o new.html", "new.html"),
    "export": Command("export model new.txt", "new.txt", "import new.txt other"),
    "import": Command("import vectors.txt new", "new", "info new"),
    "evaluate": Command("evaluate model --similarity builtin --analogies builtin", "nothing"),
    "explore": Command("explore model --no-browser", "nothing", is_server=True),
}


# Ctrl-C while Python itself starts prints a traceback, which hyperskip cannot prevent. This program
# reports when that is over and the first line of hyperskip has run.
_STARTED = b"."
_START = (
    "import os, signal; from hyperskip.__main__ import main; "
    f"signal.signal(signal.SIGINT, signal.SIG_DFL); os.write(1, {_STARTED!r}); main()"
)


def program(*arguments: str) -> list[str]:
    """The command line that runs hyperskip."""
    return [sys.executable, "-m", "hyperskip", *arguments]


def prepare(folder: Path) -> None:
    """Create the inputs of all commands."""
    from hyperskip import builtin, export_vectors, load

    sentences = list(builtin.sentences(20_000))
    (folder / "text.txt").write_text("\n".join(sentences))
    (folder / "edges.tsv").write_text("".join(f"{i}\t{i // 3}\n" for i in range(1, 300)))
    pages = "".join(
        f"<page><title>{number}</title><ns>0</ns><revision><text>''{text}'' [[link]] "
        "{{template}}</text></revision></page>"
        for number, text in enumerate(sentences[:300])
    )
    dump = f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{pages}</mediawiki>'
    (folder / "dump.xml").write_text(dump)
    training = "train text.txt -o model --dimension 8 --epochs 1 --min-count 1"
    subprocess.run(program(*training.split()), cwd=folder, check=True, capture_output=True)
    export_vectors(load(folder / "model"), folder / "vectors.txt")


@dataclass(frozen=True)
class Injection:
    """A signal at a moment: a number of calls, or seconds after the start."""

    command: str
    signal: str
    moment: int = 0
    seconds: float = 0.0
    then: str | None = None  # a second signal right after the first

    @property
    def codes(self) -> set[int]:
        """The exit codes of a command that was ended by a signal."""
        numbers = [signal.Signals[name] for name in (self.signal, self.then) if name]
        codes = {code for number in numbers for code in (-number, 128 + number)}
        is_left = COMMANDS[self.command].is_server and signal.SIGINT in numbers
        return codes | {0} if is_left else codes


@dataclass(frozen=True)
class Outcome:
    """How a command ended."""

    kind: str
    said: str = ""


class Runner:
    """Runs commands, each in its own folder, with the same inputs."""

    def __init__(self, inputs: Path) -> None:
        self._inputs = inputs

    @contextlib.contextmanager
    def _folder(self) -> Iterator[tuple[Path, dict[str, str]]]:
        with tempfile.TemporaryDirectory(prefix="hyperskip-signals-") as name:
            folder, scratch = Path(name) / "work", Path(name) / "scratch"
            folder.mkdir()
            scratch.mkdir()
            for path in self._inputs.iterdir():
                (folder / path.name).symlink_to(path)
            yield folder, os.environ | {"TMPDIR": str(scratch)}

    def calls(self, name: str) -> int:
        """The number of calls of a run without a signal; for a server, until it has answered."""
        self._calls_now(name)  # compiles the kernels
        return self._calls_now(name)

    def _calls_now(self, name: str) -> int:
        with self._folder() as (folder, environment):
            count = folder.parent / "count"
            arguments = [*COMMANDS[name].arguments.split()]
            line = [sys.executable, str(AT_MOMENT), "SIGINT", "0", str(count), *arguments]
            process = _started(line, folder, environment)
            if COMMANDS[name].is_server:
                with _asking(folder):
                    _wait_for(lambda: "exploring at" in _said(folder))
                    time.sleep(1)
                    process.send_signal(signal.SIGINT)
            process.wait(SECONDS)
            if process.returncode:
                raise RuntimeError(f"{name} ended with {process.returncode}: {_said(folder)}")
            return int(count.read_text())

    def outcome(self, injection: Injection) -> Outcome:
        """Run a command, send the signal, and check what it leaves."""
        command = COMMANDS[injection.command]
        number = signal.Signals[injection.signal]
        arguments = command.arguments.split()
        with self._folder() as (folder, environment):
            if injection.moment:
                moment = [number.name, str(injection.moment), str(folder.parent / "count")]
                line = [sys.executable, str(AT_MOMENT), *moment, *arguments]
                process = _started(line, folder, environment)
            else:
                line = [sys.executable, "-c", _START, *arguments]
                process = _started(line, folder, environment)
                _wait_for(lambda: (folder.parent / "stdout").read_bytes().startswith(_STARTED))
            with _asking(folder) if command.is_server else contextlib.nullcontext():
                if not injection.moment:
                    time.sleep(injection.seconds)
                    os.killpg(process.pid, number)  # like a terminal
                    if injection.then:
                        time.sleep(SECONDS_BETWEEN)
                        os.killpg(process.pid, signal.Signals[injection.then])
                try:
                    process.wait(SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    return Outcome("hung", _said(folder))
            said = _said(folder)
            if NOISE.search(said):
                return Outcome("noisy", said)
            left = _litter(folder)
            if left:
                return Outcome("littered", f"{left}\n{said}")
            return self._ended(injection, process.returncode, folder, environment)

    def _ended(
        self, injection: Injection, code: int, folder: Path, environment: dict[str, str]
    ) -> Outcome:
        command = COMMANDS[injection.command]
        said = f"exit code {code}\n{_said(folder)}"
        has_output = bool(list(folder.glob(command.outputs)))
        kind = "quiet"
        if code not in injection.codes:
            if code != 0 or command.is_server or not (has_output or command.outputs == "nothing"):
                return Outcome("swallowed", said)
            kind = _kind_of_finish(injection, folder)
        if command.check and has_output:
            read = subprocess.run(
                program(*command.check.split()), cwd=folder, env=environment, capture_output=True
            )
            if read.returncode:
                return Outcome("littered", said + read.stderr.decode())
        return Outcome(kind, said)


def _kind_of_finish(injection: Injection, folder: Path) -> str:
    """Classify a run that finished its work, by how much work was left at the signal."""
    if not injection.moment:
        return "finished"
    calls = int((folder.parent / "count").read_text())
    if calls < injection.moment:
        return "unsent"
    return "finished" if injection.moment > (1 - _LAST_SHARE) * calls else "swallowed"


def _started(
    line: Sequence[str], folder: Path, environment: dict[str, str]
) -> subprocess.Popen[bytes]:
    with (
        (folder.parent / "stderr").open("wb") as said,
        (folder.parent / "stdout").open("wb") as out,
    ):
        return subprocess.Popen(
            line,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            stdout=out,
            stderr=said,
        )


def _said(folder: Path) -> str:
    return (folder.parent / "stderr").read_text(errors="replace")


def _litter(folder: Path) -> list[str]:
    """List temporary files; checkpoints and complete maps are meant to stay."""
    hidden = [str(path) for path in folder.rglob(".hyperskip-*")]
    return hidden + [str(path) for path in (folder.parent / "scratch").iterdir()]


def _wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError
        time.sleep(0.01)


@contextlib.contextmanager
def _asking(folder: Path) -> Iterator[None]:
    """Send requests to the server while the block runs."""
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            found = re.search(r"exploring at (http://127\.0\.0\.1:\d+/)", _said(folder))
            if found is None:
                over.wait(0.02)
                continue
            with contextlib.suppress(OSError):
                urllib.request.urlopen(found[1] + "api/neighbors?word=dog", timeout=5).read()

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield
    finally:
        over.set()
        asker.join()


def injections(
    name: str, calls: int, moments: int, times: int, *, seed: int
) -> Iterator[Injection]:
    """Choose evenly spaced calls, and random times, half of them while modules are loaded.

    At half of the random times, two signals are sent.
    """
    generator = random.Random(f"{seed} {name}")
    for number in range(moments):
        moment = 1 + int((number + generator.random()) * calls / moments)
        yield Injection(name, SIGNALS[number % len(SIGNALS)], moment=moment)
    for number in range(times):
        longest = SECONDS_TO_LOAD if number % 2 else 6 * SECONDS_TO_LOAD
        seconds = generator.uniform(0, longest)
        sent = SIGNALS[number // 2 % len(SIGNALS)]
        then = generator.choice(SIGNALS) if number % 4 < 2 else None
        yield Injection(name, sent, seconds=seconds, then=then)


def listen_to_signals() -> None:
    """Restore the default handlers for child processes, in case a shell ignores signals."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in SIGNALS[1:]:
        signal.signal(signal.Signals[name], signal.SIG_DFL)


@contextlib.contextmanager
def load(processes: int) -> Iterator[None]:
    """Keep the processors busy while the block runs."""
    line = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(line) for _ in range(processes)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def main() -> None:
    """Run all injections, print a table, and exit with 1 if one failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", action="append", choices=COMMANDS, help="default: all")
    parser.add_argument(
        "--moments", type=int, default=60, help="number of traced moments per command"
    )
    parser.add_argument("--times", type=int, default=20, help="number of random times per command")
    parser.add_argument(
        "--load", type=int, default=0, help="number of busy processes next to the commands"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    listen_to_signals()
    found = 0
    print("| command | calls | moments | " + " | ".join(KINDS) + " |")
    print("|---" * (len(KINDS) + 3) + "|", flush=True)
    with (
        tempfile.TemporaryDirectory(prefix="hyperskip-signals-") as inputs,
        load(arguments.load),
        ThreadPoolExecutor(arguments.workers) as pool,
    ):
        prepare(Path(inputs))
        runner = Runner(Path(inputs))
        for name in arguments.command or COMMANDS:
            calls = runner.calls(name)
            counts = arguments.moments, arguments.times
            tried = list(injections(name, calls, *counts, seed=arguments.seed))
            kinds: Counter[str] = Counter()
            for injection, outcome in zip(tried, pool.map(runner.outcome, tried), strict=True):
                kinds[outcome.kind] += 1
                if outcome.kind not in GOOD:
                    found += 1
                    print(f"{outcome.kind}: {injection}\n{outcome.said}", file=sys.stderr)
            row = " | ".join(str(kinds[kind]) for kind in KINDS)
            print(f"| {name} | {calls:,} | {len(tried)} | {row} |", flush=True)
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
