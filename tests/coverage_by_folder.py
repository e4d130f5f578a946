"""Prints the coverage measured by `make test-random`, for each folder of the package."""

import io
from collections import Counter, defaultdict
from contextlib import redirect_stdout
from json import loads
from pathlib import Path

from coverage import Coverage

COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def by_folder(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, Counter[str]]:
    """The sums of the counts of each folder, from a JSON report of coverage."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name, file in files.items():
        found[Path(name).parent.as_posix()].update({key: file["summary"][key] for key in COUNTS})
    return dict(sorted(found.items()))


def line(name: str, counts: Counter[str]) -> str:
    """A line of the table."""
    covered = counts["covered_lines"] + counts["covered_branches"]
    total = counts["num_statements"] + counts["num_branches"]
    share = covered / total if total else 1.0
    return f"{name:32} {counts['num_statements']:7,} {counts['num_branches']:7,} {share:8.1%}"


def main() -> None:
    """Print the table."""
    measured = Coverage()
    measured.load()
    with redirect_stdout(io.StringIO()) as written:
        measured.json_report(outfile="-")
    folders = by_folder(loads(written.getvalue())["files"])
    print(f"{'folder':32} {'lines':>7} {'branch.':>7} {'covered':>8}")
    for name, counts in folders.items():
        print(line(name, counts))
    print(line("all", sum(folders.values(), Counter())))


if __name__ == "__main__":
    main()
