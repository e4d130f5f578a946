"""The program without an optional package, in a process of its own."""

import subprocess
import sys


def run_without(package: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run hyperskip as if the package were not installed."""
    script = f"import sys; sys.modules[{package!r}] = None; import hyperskip.__main__ as program; "
    return subprocess.run(
        [sys.executable, "-c", script + "program.main()", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=120,
    )


def run_python_without(package: str, script: str) -> subprocess.CompletedProcess[str]:
    """Run a Python script as if the package were not installed."""
    return subprocess.run(
        [sys.executable, "-c", f"import sys; sys.modules[{package!r}] = None\n{script}"],
        capture_output=True,
        text=True,
        timeout=120,
    )
