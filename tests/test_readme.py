"""Every command and every line of Python in the README works."""

import bz2
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from dumps import dump, page

from hyperskip import builtin
from hyperskip.evaluation.datasets import ANALOGY_SETS, HYPERNYMY_SETS, SIMILARITY_SETS

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readme")
    text = "\n".join(builtin.sentences(150_000))
    (folder / "corpus.txt").write_text(text)
    (folder / "more.txt").write_text(text)
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text(text)
    table = "id,text\n" + "".join(f'{i},"{line}"\n' for i, line in enumerate(text.split("\n")))
    (folder / "articles.csv.gz").write_bytes(gzip.compress(table.encode()))
    pages = (page(f"p{i}", "\n\n".join(text.split("\n")[i::10])) for i in range(10))
    (folder / "enwiki-pages-articles.xml.bz2").write_bytes(bz2.compress(dump(pages).encode()))
    (folder / "eval").mkdir()
    for named in SIMILARITY_SETS.values():
        (folder / "eval" / named.files[0]).write_text("dog cat 7\ndog car 1\ncat car 2\n")
    for named in ANALOGY_SETS.values():
        (folder / "eval" / named.files[0]).write_text(": capitals\nFrance Paris Italy Rome\n")
    for named in HYPERNYMY_SETS.values():
        (folder / "eval" / named.files[0]).write_text("dog animal True\nanimal dog False\n")
    return folder


@pytest.mark.slow
def test_the_commands(folder: Path) -> None:
    commands = [line for block in blocks("") for line in block.splitlines() if "hyperskip " in line]
    assert len(commands) >= 12
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command in commands:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=folder,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert "warning" not in done.stderr, f"{command}\n{done.stderr}"


def test_the_python(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (code,) = blocks("python")
    names: dict[str, object] = {}
    exec(compile(code, "README.md", "exec"), names)
    assert repr(names["vectors"]).startswith("<WordVectors: ")


def test_the_make_targets_exist() -> None:
    makefile = (Path(__file__).parent.parent / "Makefile").read_text()
    for target in re.findall(r"^make (\S+)", README, flags=re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", README):
        if not target.startswith("http"):
            assert (Path(__file__).parent.parent / target).exists(), target


def test_the_explorer_answers_until_it_is_interrupted(folder: Path) -> None:
    (command,) = (line for block in blocks("sh") for line in block.splitlines())
    programs = Path(sys.executable).parent
    if not (folder / "model.safetensors").exists():  # the other commands have not been run
        train = ["train", "corpus.txt", "-o", "model.safetensors", "--epochs", "1"]
        subprocess.run([programs / "hyperskip", *train], cwd=folder, check=True)
    no_screen = {name: os.environ[name] for name in os.environ if not name.endswith("DISPLAY")}
    environment = no_screen | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    with subprocess.Popen(
        command.split(), cwd=folder, env=environment, stderr=subprocess.PIPE, text=True
    ) as explorer:
        try:
            assert explorer.stderr is not None
            found = (re.search(r"http://\S+", line) for line in explorer.stderr)
            address = next(match[0] for match in found if match)
            with urllib.request.urlopen(f"{address}api/neighbors?word=dog") as answer:
                assert json.load(answer)["word"]["word"] == "dog"
        finally:
            explorer.send_signal(signal.SIGINT)
            assert explorer.wait(20) == 0
