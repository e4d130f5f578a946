"""Every command and every line of Python in the README and in the guides works."""

import bz2
import gzip
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.main import get_command
from wiki_dumps import dump, page

import hyperskip
from hyperskip import SubwordScheme, SubwordTable, WordVectors, builtin
from hyperskip.cli.main import app
from hyperskip.evaluation.known_sets import ANALOGY_SETS, HYPERNYMY_SETS, SIMILARITY_SETS

ROOT = Path(__file__).parent.parent
DOCUMENTS = ("README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
EXPLORE = re.compile(r"hyperskip explore (?!.*--export)")  # runs until it is interrupted
FEW_PAIRS = "warning: subsampling leaves"  # of the built-in corpus, with values for real texts
PROGRAMS = Path(sys.executable).parent


def blocks(document: str, language: str) -> list[str]:
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)


def commands(document: str) -> list[str]:
    lines = [line for block in blocks(document, "sh") for line in block.splitlines()]
    return [line for line in lines if re.search(r"(^|\| )hyperskip |^python ", line)]


def commands_that_are_not_run(document: str) -> list[list[str]]:
    """The arguments of those that need a GPU, a cluster, a server or a large text."""
    text = "".join(blocks(document, "bash")).replace("\\\n", " ")
    lines = [shlex.split(line, comments=True) for line in text.splitlines()]
    typed = [line[line.index("hyperskip") + 1 :] for line in lines if "hyperskip" in line]
    return [line[: line.index(">")] if ">" in line else line for line in typed]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the documents mention."""
    folder = tmp_path_factory.mktemp("readme")
    text = "\n".join(builtin.sentences(150_000))
    (folder / "corpus.txt").write_text(text)
    (folder / "more.txt").write_text(text + "\nthe wolfhound is a dog" * 50)  # with a new word
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text(text)
    rows = (f'{i},"{line}",{len(line) % 2}\n' for i, line in enumerate(text.split("\n")))
    table = "id,text,topic\n" + "".join(rows)
    (folder / "articles.csv.gz").write_bytes(gzip.compress(table.encode()))
    (folder / "sessions.txt").write_text("item_1 item_7 B00-XYZ1\nitem_7 item_2\n" * 10)
    (folder / "animals.tsv").write_text("poodle\tdog\ndog\tmammal\nmammal\tanimal\n")
    (folder / "friends.tsv").write_text("ann\tbob\nbob\tcarl\ncarl\tann\ncarl\tdora\n")
    (folder / "friends.edg").write_text("ann bob\nbob carl\ncarl ann\ncarl dora\n")
    (folder / "closure.tsv").write_text("dog.n.01\tanimal.n.01\ncat.n.01\tanimal.n.01\n")
    (folder / "wordnet").mkdir()
    (folder / "wordnet" / "noun_closure.csv").write_text(
        "id1,id2,weight\ndog,animal,1\ncat,animal,1\n"
    )
    (folder / "more.tsv").write_text("whippet\tdog\nwhippet\tmammal\nwhippet\tanimal\n")
    records = "".join(json.dumps({"text": line}) + "\n" for line in text.split("\n"))
    (folder / "articles.jsonl").write_text(records)
    pages = (page(f"p{i}", "\n\n".join(text.split("\n")[i::10])) for i in range(10))
    compressed = bz2.compress(dump(pages).encode())
    for name in ("enwiki-pages-articles", "wiki"):
        (folder / f"{name}.xml.bz2").write_bytes(compressed)
    (folder / "eval").mkdir()
    for named in SIMILARITY_SETS.values():
        (folder / "eval" / named.files[0]).write_text("dog cat 7\ndog car 1\ncat car 2\n")
    for named in ANALOGY_SETS.values():
        (folder / "eval" / named.files[0]).write_text(": capitals\nFrance Paris Italy Rome\n")
    for named in HYPERNYMY_SETS.values():
        (folder / "eval" / named.files[0]).write_text("dog animal True\nanimal dog False\n")
    vectors = hyperskip.train(builtin.sentences(150_000), dimension=5, epochs=1, device="cpu")
    (folder / "demo").mkdir()
    for name in ("model", "demo/demo", "late"):
        vectors.save(folder / f"{name}.safetensors")
    for name, hashes in (("ngrams", 0), ("floret", 2)):
        _with_ngrams(vectors, hashes).save(folder / f"{name}.safetensors")
    return folder


@pytest.fixture
def folder(files: Path, tmp_path: Path) -> Path:
    """A copy of these files for one document, which may write any others."""
    return Path(shutil.copytree(files, tmp_path / "files"))


def _with_ngrams(vectors: WordVectors, hashes: int) -> WordVectors:
    scheme = SubwordScheme(shortest=3, longest=5, buckets=1000, hashes=hashes)
    rows = np.random.default_rng(1).normal(size=(scheme.buckets, vectors.dimension))
    table = SubwordTable(scheme, np.arange(scheme.buckets), rows)
    coordinates = table.compose(vectors.words).coordinates
    return WordVectors(vectors.words, coordinates, subwords=table)


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """Our programs first, evaluation sets on disk, and no screen for a browser."""
    kept = {name: os.environ[name] for name in os.environ if not name.endswith("DISPLAY")}
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    return kept | {"PATH": path, "HYPERSKIP_DATA": str(folder / "eval")}


@pytest.mark.parametrize(
    ("document", "least"),
    [
        ("README.md", 3),
        ("docs/recommendations.md", 1),
        ("docs/pretrained.md", 4),
        ("docs/relations.md", 1),
        ("docs/subwords.md", 2),
        ("docs/explorer.md", 1),
        ("docs/index.md", 3),
        ("docs/gpu.md", 2),
        ("docs/start.md", 6),
        ("docs/troubleshooting.md", 1),
        ("docs/when-hyperbolic-helps.md", 4),
        pytest.param("docs/choose.md", 3, marks=pytest.mark.slow),
        pytest.param("docs/wikipedia.md", 10, marks=pytest.mark.slow),
        pytest.param("docs/migrating.md", 9, marks=pytest.mark.slow),
        pytest.param("docs/hierarchy.md", 8, marks=pytest.mark.slow),
        pytest.param("docs/phrases.md", 4, marks=pytest.mark.slow),
        pytest.param("docs/graphs.md", 15, marks=pytest.mark.slow),
        pytest.param("docs/training.md", 10, marks=pytest.mark.slow),
        pytest.param("docs/using.md", 12, marks=pytest.mark.slow),
        pytest.param("docs/evaluation.md", 2, marks=pytest.mark.slow),
        pytest.param("docs/exporting.md", 8, marks=pytest.mark.slow),
        pytest.param("docs/experiments.md", 1, marks=pytest.mark.slow),
    ],
)
def test_the_commands(folder: Path, environment: dict[str, str], document: str, least: int) -> None:
    ending = [each for each in commands(document) if not EXPLORE.match(each)]
    assert len(ending) >= least
    for command in ending:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        lines = done.stderr.splitlines()
        warned = [line for line in lines if "warning" in line and FEW_PAIRS not in line]
        assert not warned, f"{command}\n{done.stderr}"


# Those of docs/exporting.md and docs/scikit-learn.md are tested with the libraries that they use.
@pytest.mark.parametrize(
    "document",
    [
        "README.md",
        pytest.param("docs/choose.md", marks=pytest.mark.slow),
        "docs/evaluation.md",
        "docs/explorer.md",
        "docs/gpu.md",
        "docs/graphs.md",
        "docs/hierarchy.md",
        "docs/migrating.md",
        "docs/phrases.md",
        "docs/pretrained.md",
        "docs/python.md",
        "docs/recommendations.md",
        "docs/start.md",
        "docs/relations.md",
        "docs/subwords.md",
        "docs/training.md",
        "docs/wikipedia.md",
    ],
)
def test_the_python(folder: Path, monkeypatch: pytest.MonkeyPatch, document: str) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HYPERSKIP_DATA", str(folder / "eval"))
    code = "".join(blocks(document, "python"))
    names: dict[str, object] = {}
    exec(compile(code, document, "exec"), names)
    made = "relations" if document == "docs/relations.md" else "vectors"
    assert re.match("<WordVectors: |<Relations: ", repr(names[made]))


@pytest.mark.parametrize("document", [each for each in DOCUMENTS if blocks(each, "bash")])
def test_commands_that_are_not_run_are_valid(
    document: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hyperskip.cli.parameters.check_device", lambda _: None)
    program: Any = get_command(app)
    for name, *arguments in commands_that_are_not_run(document):
        program.commands[name].make_context(name, arguments)


@pytest.mark.parametrize("document", [each for each in DOCUMENTS if blocks(each, "py")])
def test_python_that_is_not_run_is_that_of_other_programs(document: str) -> None:
    for block in blocks(document, "py"):
        compile(block, document, "exec")
        assert "hyperskip" not in block


def test_the_explorer_answers_until_it_is_interrupted(
    folder: Path, environment: dict[str, str]
) -> None:
    (command,) = filter(EXPLORE.match, commands("README.md"))
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


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make (\S+)`", (ROOT / "README.md").read_text(encoding="utf-8")):
        assert re.search(rf"^{target}:", makefile, flags=re.MULTILINE)


def test_the_extras_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for document in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        extras = set(re.findall(r"hyperskip\[(\w+)\]", document.read_text(encoding="utf-8")))
        assert extras <= set(project["optional-dependencies"]), document


def test_every_exception_is_documented() -> None:
    text = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    for name in dir(hyperskip):
        if name.endswith(("Error", "Warning")):
            assert re.search(rf"\b{name}\b", text), name
