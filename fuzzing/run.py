"""Hostile input for every reader: it may raise only a HyperskipError, in little time and memory.

    python fuzzing/run.py [--reader NAME ...] [--engine mutations|atheris] [--inputs N]

Two engines generate inputs. `mutations` edits small valid files from hyperskip's own writers, with
knowledge of their structure (`mutations.py`, `seeds.py`); the input with a given number is always
the same. `atheris` is guided by code coverage. Readers are functions of bytes (`targets.py`). Each
runs in its own process (`mutating.py`, `guided.py`), with limits on memory and on the time for each
input (`guard.py`). A finding is saved as a file, minimized if possible, and the exit code is 1.
After the fix, move the file to tests/regressions/READER.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import guard
from targets import TARGETS

ENGINES = {"mutations": 120_000, "atheris": 40_000}  # with the number of inputs per reader

_FOLDER = Path(__file__).parent
_SECONDS_TO_START = 120.0
_MOST_CRASHES = 10  # of the reading process; then it stops
_SECONDS_WITHOUT_PROGRESS = 4 * guard.SECONDS_PER_INPUT  # alarms do not interrupt compiled code
_ATHERIS_MEMORY_MIB = 2048
_STATISTIC = re.compile(r"stat::(\w+):\s+(\d+)")
_RAISED = re.compile(r"^(?:\w+\.)*\w*(?:Error|Exception|Interrupt)\b.*|^.*ERROR: libFuzzer.*", re.M)


@dataclass
class Report:
    """The results of one reader and engine."""

    reader: str
    engine: str
    wanted: int
    inputs: int = 0
    seconds: float = 0.0
    peak_mib: int = 0
    findings: list[str] = field(default_factory=list)


def by_mutations(name: str, inputs: int, seconds: float, findings: Path) -> Report:
    """Run mutated seeds; after an input that crashes or blocks the process, continue."""
    report = Report(name, "mutations", inputs)
    with tempfile.NamedTemporaryFile() as position:
        position.write(bytes(8))
        position.flush()
        first = 0
        while first < inputs and report.seconds < seconds and len(report.findings) < _MOST_CRASHES:
            command = [
                *(sys.executable, str(_FOLDER / "mutating.py"), name),
                *("--first", str(first), "--inputs", str(inputs - first)),
                *("--seconds", str(seconds - report.seconds)),
                *("--position", position.name, "--findings", str(findings)),
            ]
            begin = time.monotonic()
            output, ended = watched(command, Path(position.name))
            if ended is None:
                summary = json.loads(output.splitlines()[-1])
                report.inputs += summary["inputs"]
                report.seconds += summary["seconds"]
                report.peak_mib = max(report.peak_mib, summary["peak_mib"])
                report.findings += summary["findings"]
                return report
            number = int.from_bytes(Path(position.name).read_bytes(), "little")
            guard.saved(findings, name, str(number), TARGETS[name].hostile(number))
            report.findings.append(f"the process {ended}, at input {number}")
            report.inputs += number + 1 - first
            report.seconds += time.monotonic() - begin
            first = number + 1
    return report


def watched(
    command: Sequence[str], position: Path, *, seconds_to_start: float = _SECONDS_TO_START
) -> tuple[str, str | None]:
    """Run a process; returns its output, and how it ended if it failed."""
    before, patience = position.read_bytes(), seconds_to_start
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        while True:
            try:
                output, _ = process.communicate(timeout=patience)
            except subprocess.TimeoutExpired:
                now = position.read_bytes()
                if now == before:
                    process.kill()
                    return "", f"hung for {patience:g} s"
                before, patience = now, _SECONDS_WITHOUT_PROGRESS
                continue
            except BaseException:
                process.kill()
                raise
            return output, None if process.returncode == 0 else f"ended with {process.returncode}"


def by_atheris(name: str, inputs: int, seconds: float, findings: Path) -> Report:
    """Run atheris, starting from the seeds and a few mutations of them."""
    report = Report(name, "atheris", inputs)
    findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        for number in range(50):
            data = TARGETS[name].hostile(number)
            (Path(corpus) / str(number)).write_bytes(data[: TARGETS[name].longest])
        options = {
            "runs": inputs,
            "seed": 1,
            "max_total_time": max(1, round(seconds)),
            "max_len": TARGETS[name].longest,
            "timeout": round(2 * guard.SECONDS_PER_INPUT),
            "rss_limit_mb": _ATHERIS_MEMORY_MIB,
            "artifact_prefix": f"{findings}/{name}-",
            "print_final_stats": 1,
            "verbosity": 0,
        }
        flags = [f"-{option}={value}" for option, value in options.items()]
        command = [sys.executable, str(_FOLDER / "guided.py"), name, *flags, corpus]
        begin = time.monotonic()
        ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        report.seconds = time.monotonic() - begin
    output = ended.stdout.decode("utf-8", "replace")
    statistics = {statistic: int(value) for statistic, value in _STATISTIC.findall(output)}
    report.inputs = statistics.get("number_of_executed_units", 0)
    report.peak_mib = statistics.get("peak_rss_mb", 0)
    if ended.returncode:
        reasons = _RAISED.findall(output) or [output[-500:]]
        report.findings.append(" | ".join(reasons[-2:]) + f" (ended with {ended.returncode})")
    return report


_RUNNERS = {"mutations": by_mutations, "atheris": by_atheris}


def reports(arguments: argparse.Namespace) -> Iterator[Report]:
    """Run the selected readers and engines in parallel, and report in order."""
    jobs = [
        (engine, name)
        for name in arguments.reader or TARGETS
        for engine in ([arguments.engine] if arguments.engine else ENGINES)
    ]

    def run(job: tuple[str, str]) -> Report:
        engine, name = job
        inputs = arguments.inputs or ENGINES[engine]
        return _RUNNERS[engine](name, inputs, arguments.seconds_limit, arguments.findings)

    with ThreadPoolExecutor(arguments.processes) as pool:
        yield from pool.map(run, jobs)


def main() -> None:
    """Fuzz, print one line per reader and engine, and exit with 1 if there are findings."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reader", action="append", choices=TARGETS, help="default: all")
    parser.add_argument("--engine", choices=ENGINES, help="default: both")
    parser.add_argument("--inputs", type=int, help=f"per reader and engine; default: {ENGINES}")
    parser.add_argument("--seconds-limit", type=float, default=600.0, help="per reader and engine")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--findings", type=Path, default=Path("fuzzing/findings"))
    arguments = parser.parse_args()
    print(f"{'reader':16}{'engine':10}{'inputs':>9}{'per second':>12}{'peak MiB':>10}  findings")
    failed = False
    for report in reports(arguments):
        rate = report.inputs / report.seconds if report.seconds else 0.0
        print(
            f"{report.reader:16}{report.engine:10}{report.inputs:>9,}{rate:>12,.0f}"
            f"{report.peak_mib:>10,}  {len(report.findings)}",
            flush=True,
        )
        for found in report.findings:
            print(f"    {found}")
        if report.inputs < report.wanted and not report.findings:
            print(f"    only {report.inputs:,} of {report.wanted:,} inputs within the time limit")
        failed = failed or bool(report.findings) or report.inputs < report.wanted
    if failed:
        print(f"findings are in {arguments.findings}")
        sys.exit(1)


if __name__ == "__main__":
    main()
