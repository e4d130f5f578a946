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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from email.parser import Parser
from functools import partial
from pathlib import Path

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"newest": "highest", "lowest": "lowest-direct"}
ALL_EXTRAS = ("explorer", "learn", "parquet", "pictures", "segmentation", "wikipedia")
COMPILED = ("mwparserfromhell",)  # has no binary for every supported Python
LONGEST = 600  # seconds of one command
OPTIONS = ("--dimension", "5", "--epochs", "2", "--min-count", "1")
WRITE_TEXTS = """
from pathlib import Path
import pyarrow, pyarrow.parquet
texts = ["the red cat sees a blue bird", "the old dog sees a house"] * 100
pyarrow.parquet.write_table(pyarrow.table({"text": texts}), "text.parquet")
pages = "".join(f"<page><title>{i}</title><ns>0</ns><revision><text>{t}</text></revision></page>"
                for i, t in enumerate(texts))
Path("dump.xml").write_text(f"<mediawiki>{pages}</mediawiki>")
Path("japanese.txt").write_text("私は学生です。猫が好きです。" * 50, encoding="utf-8")
"""
CLASSIFY = """
import hyperskip
from hyperskip.learn import HyperbolicLogisticRegression, HyperskipVectorizer
texts, labels = ["red cat", "blue bird", "old dog", "the house"] * 5, [0, 0, 1, 1] * 5
points = HyperskipVectorizer(hyperskip.load("m.safetensors")).fit_transform(texts)
assert HyperbolicLogisticRegression().fit(points, labels).score(points, labels) > 0.5
"""
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


def requirements(wheel: Path, extras: Sequence[str]) -> Iterator[str]:
    """The requirements of the wheel and of its extras, without the markers of the extras."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(name).decode("utf-8"))
    for line in metadata.get_all("Requires-Dist", []):
        needed, _, marker = line.partition(";")
        if "extra ==" not in marker:
            yield line
        elif extras and re.search(rf"extra == ['\"]({'|'.join(extras)})['\"]", marker):
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
    hyperskip = partial(run, program, folder=folder, variables=variables)
    hyperskip("--version")
    line = "the red cat and the dog see a blue bird near the old house\n"
    (folder / "text.txt").write_text(line * 300, encoding="utf-8")
    begin = time.perf_counter()
    hyperskip("train", "text.txt", "-o", "m.safetensors", *OPTIONS)
    seconds = time.perf_counter() - begin
    hyperskip("info", "m.safetensors")
    hyperskip("neighbors", "m.safetensors", "cat")
    if "animal" not in hyperskip("hypernyms", "small", "dog"):
        sys.exit("the small model does not say that a dog is an animal")
    hyperskip("demo", "-o", "demo")
    (model,) = (folder / "demo").glob("*.safetensors")
    hyperskip("evaluate", model, *"--similarity builtin --analogies builtin".split())
    return seconds


def use_extras(environment: Path, folder: Path) -> None:
    """Use every extra that does not need a GPU, a cluster or the network, in an empty folder."""
    variables = {"HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    run(environment / "bin" / "python", "-c", WRITE_TEXTS, folder=folder, variables=variables)
    hyperskip = partial(run, environment / "bin" / "hyperskip", folder=folder, variables=variables)
    hyperskip("train", "text.parquet", "-o", "m.safetensors", "--column", "text", *OPTIONS)
    hyperskip("train", "dump.xml", "-o", "wikipedia.safetensors", *OPTIONS)
    hyperskip("train", "japanese.txt", "-o", "japanese.safetensors", "--tokenizer", "icu", *OPTIONS)
    hyperskip("plot", "m.safetensors", "-o", "words.svg")
    run(environment / "bin" / "python", "-c", CLASSIFY, folder=folder, variables=variables)
    ask_explorer(environment / "bin" / "hyperskip", folder, variables)


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


def install(
    environment: Path,
    python: Path,
    wheel: Path,
    extras: Sequence[str],
    dependencies: str,
    variables: dict[str, str],
) -> float:
    """Install the wheel with the newest or lowest dependencies; return the seconds."""
    run(tool("uv"), "venv", "--python", python, environment, variables=variables)
    wanted = environment / "requirements.txt"
    needed = list(requirements(wheel, extras))
    wanted.write_text("\n".join(needed), encoding="utf-8")
    # The lowest version is the lowest with a binary for this Python.
    names = {re.split(r"[^\w.-]", line)[0] for line in needed} - {*COMPILED}
    binary = [part for name in sorted(names) for part in ("--only-binary", name)]
    command: list[str | Path]
    command = [tool("uv"), "pip", "install", "--python", environment / "bin" / "python"]
    begin = time.perf_counter()
    resolution = ["--resolution", RESOLUTIONS[dependencies], *binary]
    run(*command, *resolution, "--requirement", wanted, variables=variables)
    run(*command, "--no-deps", wheel, variables=variables)
    return time.perf_counter() - begin


def check(python: str, path: Path, name: str, wheel: Path, variables: dict[str, str]) -> Row:
    """Install the wheel in a bare environment, and use it in an empty folder."""
    with tempfile.TemporaryDirectory(prefix="hyperskip-release-") as temporary:
        environment, empty = Path(temporary, "environment"), Path(temporary, "empty")
        empty.mkdir()
        seconds = install(environment, path, wheel, (), name, variables)
        installed = size_of(environment) / 1e6
        training = use(environment / "bin" / "hyperskip", empty)
        return Row(python, name, installed, seconds, training)


def check_extras(path: Path, name: str, wheel: Path, variables: dict[str, str]) -> None:
    """Install the wheel with its extras, and use them."""
    with tempfile.TemporaryDirectory(prefix="hyperskip-release-") as temporary:
        environment, empty = Path(temporary, "environment"), Path(temporary, "empty")
        empty.mkdir()
        install(environment, path, wheel, ALL_EXTRAS, name, variables)
        use_extras(environment, empty)


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
    found = {version: interpreter(version) for version in chosen.python}
    if not any(found.values()):
        sys.exit(f"none of Python {', '.join(found)} is installed, so nothing was checked")
    for version, path in found.items():
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
            check_extras(path, name, wheel, variables)
            print(f"{version:6}  {name:12}  extras work: {', '.join(ALL_EXTRAS)}", flush=True)
    print(CHECKLIST)


if __name__ == "__main__":
    main()
