"""Every command and every line of Python in docs/pictures.md works."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from program import Program

from hyperskip import add_hierarchy, builtin

DOCUMENT = (Path(__file__).parents[2] / "docs" / "pictures.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture
def _in_folder(model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("model", "animals"):
        shutil.copyfile(model_file, f"{name}.safetensors")
    add_hierarchy(model_file, builtin.hypernym_pairs()).save("hierarchy.safetensors")
    edges = "".join(f"{child}\t{parent}\n" for child, parent in builtin.hypernym_pairs())
    for name in ("animals", "mammals"):
        Path(f"{name}.tsv").write_text(edges)
    Path("taxonomy.tsv").write_text("animal\tanimal\ndog\tanimal\tanimal\ncar\tvehicle\n")


@pytest.mark.slow
@pytest.mark.usefixtures("_in_folder")
def test_the_commands(program: Program) -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(commands) >= 10
    for command in commands:
        name, *arguments = shlex.split(command)
        assert name == "hyperskip"
        result = program(*arguments)
        assert result.code == 0, f"{command}\n{result.err}"
        written = Path(arguments[arguments.index("-o") + 1])
        if arguments[0] == "taxonomy" and written.suffix == ".svg":  # small: words are text
            assert "</text>" in written.read_text(encoding="utf-8")
        else:
            assert written.stat().st_size > 10_000


@pytest.mark.usefixtures("_in_folder")
def test_the_python() -> None:
    (code,) = blocks("python")
    names: dict[str, object] = {}
    exec(compile(code, "pictures.md", "exec"), names)
    assert repr(names["picture"]).startswith("<Picture: 21 words")
    assert Path("dog.html").exists()
