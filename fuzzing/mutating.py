"""Mutated seeds for one reader: a program that `run.py` starts and watches.

The input with a given number is always the same. The number of the current input is in a file, so
that the watching process knows it if this process hangs or dies.
"""

import argparse
import json
import mmap
import resource
import time
from pathlib import Path

import guard
from targets import TARGETS

_MOST_FINDINGS = 10  # of different kinds; then it stops


def main() -> None:
    """Read a range of inputs, and print the findings as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("reader", choices=TARGETS)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--inputs", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument(
        "--position", type=Path, required=True, help="a file of 8 bytes for the number"
    )
    parser.add_argument("--findings", type=Path, required=True)
    arguments = parser.parse_args()
    target = TARGETS[arguments.reader]
    target.read(target.hostile(0))  # loads and compiles what the limits should not include
    guard.limit_this_process()
    found: dict[str, str] = {}
    begin = time.monotonic()
    with arguments.position.open("rb+") as file, mmap.mmap(file.fileno(), 8) as position:
        number = arguments.first
        while number < arguments.first + arguments.inputs and len(found) < _MOST_FINDINGS:
            position[:] = number.to_bytes(8, "little")
            data = target.hostile(number)
            finding = guard.tried(target, data)
            if finding is not None and finding.kind not in found:
                data = guard.minimized(target, data, finding)
                guard.saved(arguments.findings, target.name, str(number), data)
                found[finding.kind] = str(finding)
            number += 1
            if time.monotonic() - begin > arguments.seconds:
                break
    summary = {
        "inputs": number - arguments.first,
        "seconds": time.monotonic() - begin,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "findings": list(found.values()),
    }
    print(json.dumps(summary))


if __name__ == "__main__":
    main()
