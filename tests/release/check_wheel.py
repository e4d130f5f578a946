"""Install the wheel in bare environments, use it there, and print sizes and times.

`make release-check` runs it after building the packages. It needs uv and twine.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path

SUPPORTED = ("3.11", "3.12", "3.13")
RESOLUTIONS = {"newest": "highest", "lowest": "lowest-direct"}
EXTRA = "explorer"
LONGEST = 600  # seconds of one command
CHECKLIST = """The packages are good. What is left, see "Releasing" in CONTRIBUTING.md:
- the version in src/hyperskip/version.py and CITATION.cff
- CHANGELOG.md: the version and the date instead of "Unreleased"
- CITATION.cff: date-released
- the tag, and the upload of the files in dist/"""


@dataclass(frozen=True)
class Row:
    """What was measured in one environment."""

    python: str
    dependencies: str
    installed_mb: float
    install_seconds: float
    first_training_seconds: float


def run(
    *command: str | Path, folder: Path | None = None, variables: Mapping[str, str] | None = None
) -> str:
    """Run a command and return its output; show the output if it fails."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=folder,
        env=os.environ | dict(variables or {}),
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def tool(name: str) -> Path:
    """A program in the environment of this script."""
    return Path(sys.executable).with_name(name)


def index() -> dict[str, str]:
    """The package index of pip, which uv does not read from the configuration of pip."""
    command = [sys.executable, "-m", "pip", "config", "get", "global.index-url"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if found.returncode or "UV_INDEX_URL" in os.environ or "UV_DEFAULT_INDEX" in os.environ:
        return {}
    return {"UV_DEFAULT_INDEX": found.stdout.strip()}


def interpreter(version: str) -> Path | None:
    """An installed Python of a version, from pyenv or the path."""
    kept = sorted(Path.home().glob(f".pyenv/versions/{version}*/bin/python{version}"))
    found = str(kept[-1]) if kept else shutil.which(f"python{version}")
    return None if found is None else Path(found)


def requirements(wheel: Path) -> Iterator[str]:
    """The requirements of the wheel and of its extra, without the marker of the extra."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode("utf-8"))
    for line in metadata.get_all("Requires-Dist", []):
        needed, _, marker = line.partition(";")
        if "extra ==" not in marker:
            yield line
        elif re.search(rf"extra == ['\"]{EXTRA}['\"]", marker):
            yield needed.strip()


def check_content(wheel: Path) -> None:
    """Check that the wheel contains the package, its metadata and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    folders = {name.split("/")[0] for name in names}
    foreign = {name for name in folders if name != "hyperskip" and not name.endswith(".dist-info")}
    if foreign or any("/tests/" in name or "/test_" in name for name in names):
        sys.exit(f"the wheel contains more than the package: {sorted(foreign) or 'tests'}")


def check_source(source: Path, wheel: Path, work: Path, variables: dict[str, str]) -> None:
    """Check that the unpacked source distribution builds the same wheel."""
    with tarfile.open(source) as archive:
        archive.extractall(work / "source", filter="data")
    (unpacked,) = (work / "source").iterdir()
    run(tool("uv"), "build", "--wheel", "--out-dir", work / "again", unpacked, variables=variables)
    with zipfile.ZipFile(wheel) as first, zipfile.ZipFile(work / "again" / wheel.name) as second:
        before = {name: first.read(name) for name in first.namelist()}
        after = {name: second.read(name) for name in second.namelist()}
    if before != after:
        sys.exit("the source distribution builds another wheel")


def size_of(folder: Path) -> int:
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


def use(program: Path, folder: Path) -> float:
    """Train, ask and evaluate in an empty folder; return the seconds of the first training."""
    variables = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    run(program, "--version", folder=folder, variables=variables)
    line = "the red cat and the dog see a blue bird near the old house\n"
    (folder / "text.txt").write_text(line * 300, encoding="utf-8")
    begin = time.perf_counter()
    options = "--dimension 5 --epochs 2 --min-count 1".split()
    run(
        program,
        "train",
        "text.txt",
        "-o",
        "m.safetensors",
        *options,
        folder=folder,
        variables=variables,
    )
    seconds = time.perf_counter() - begin
    run(program, "info", "m.safetensors", folder=folder, variables=variables)
    run(program, "neighbors", "m.safetensors", "cat", folder=folder, variables=variables)
    run(program, "demo", "-o", "demo", folder=folder, variables=variables)
    (model,) = (folder / "demo").glob("*.safetensors")
    sets = "--similarity builtin --analogies builtin".split()
    run(program, "evaluate", model, *sets, folder=folder, variables=variables)
    ask_explorer(program, folder, variables)
    return seconds


def ask_explorer(program: Path, folder: Path, variables: dict[str, str]) -> None:
    """Start the explorer, ask it about its model, and stop it."""
    command = [str(program), "explore", "m.safetensors", "--no-browser"]
    with (
        (folder / "explorer.log").open("w+") as log,
        subprocess.Popen(
            command, cwd=folder, env=os.environ | variables, stdout=log, stderr=subprocess.STDOUT
        ) as server,
    ):
        try:
            end = time.monotonic() + LONGEST
            address = None
            while address is None and server.poll() is None and time.monotonic() < end:
                time.sleep(0.1)
                text = (folder / "explorer.log").read_text(encoding="utf-8")
                address = re.search(r"http://127\.0\.0\.1:\d+|http://localhost:\d+", text)
            if address is None:
                sys.exit(f"the explorer did not start:\n{text}")
            with urllib.request.urlopen(f"{address[0]}/api/model", timeout=60) as answer:
                json.load(answer)
        finally:
            server.terminate()


def check(python: str, path: Path, name: str, wheel: Path, variables: dict[str, str]) -> Row:
    """Install the wheel with the newest or lowest dependencies, and use it."""
    with tempfile.TemporaryDirectory(prefix="hyperskip-release-") as temporary:
        work = Path(temporary)
        wanted = work / "requirements.txt"
        wanted.write_text("\n".join(requirements(wheel)), encoding="utf-8")
        environment = work / "environment"
        run(tool("uv"), "venv", "--python", path, environment, variables=variables)
        before = size_of(environment)
        install: list[str | Path]
        install = [tool("uv"), "pip", "install", "--python", environment / "bin" / "python"]
        begin = time.perf_counter()
        resolution = ["--resolution", RESOLUTIONS[name], "--only-binary", ":all:"]
        run(*install, *resolution, "--requirement", wanted, variables=variables)
        run(*install, "--no-deps", wheel, variables=variables)
        seconds = time.perf_counter() - begin
        installed = (size_of(environment) - before) / 1e6
        empty = work / "empty"
        empty.mkdir()
        training = use(environment / "bin" / "hyperskip", empty)
        return Row(python, name, installed, seconds, training)


def main() -> None:
    """Check the packages in a folder."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("dist", type=Path, help="folder with one wheel and one .tar.gz")
    parser.add_argument("--python", nargs="*", default=SUPPORTED, metavar="3.X")
    parser.add_argument("--dependencies", nargs="*", default=RESOLUTIONS, choices=RESOLUTIONS)
    chosen = parser.parse_args()
    (wheel,) = chosen.dist.resolve().glob("*.whl")
    (source,) = chosen.dist.resolve().glob("*.tar.gz")
    variables = index()
    check_content(wheel)
    run(tool("twine"), "check", "--strict", wheel, source)
    with tempfile.TemporaryDirectory(prefix="hyperskip-release-") as work:
        check_source(source, wheel, Path(work), variables)
    print(f"wheel {wheel.stat().st_size / 1e6:.1f} MB, source {source.stat().st_size / 1e6:.1f} MB")
    print("python  dependencies  installed MB  install s  first training s")
    for version in chosen.python:
        path = interpreter(version)
        if path is None:
            print(f"{version:6}  is not installed: not checked")
            continue
        for name in chosen.dependencies:
            row = check(version, path, name, wheel, variables)
            print(
                f"{row.python:6}  {row.dependencies:12}  {row.installed_mb:12.0f}  "
                f"{row.install_seconds:9.1f}  {row.first_training_seconds:16.1f}",
                flush=True,
            )
    print(CHECKLIST)


if __name__ == "__main__":
    main()
