"""`hyperskip` without arguments shows what to do first, and shells complete what is typed."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from program import Program

from hyperskip.cli.main import app
from hyperskip.devices import DEVICES
from hyperskip.documentation import DOCUMENTATION

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "hyperskip")


def test_the_first_steps_fit_a_small_terminal(program: Program) -> None:
    result = program()
    assert result.code == 0
    assert not result.err
    lines = result.out.splitlines()
    assert len(lines) <= 23  # the prompt is below them
    assert max(map(len, lines)) <= 80
    assert DOCUMENTATION in result.out
    assert "hyperskip --help" in result.out


def test_the_first_steps_name_commands_that_exist(program: Program) -> None:
    named = re.findall(r"^  hyperskip (\w+)", program().out, flags=re.MULTILINE)
    help_text = program("--help").out
    assert len(named) == 4
    assert all(re.search(rf"^\W*{name}\b", help_text, re.MULTILINE) for name in named)


def test_the_first_steps_load_nothing_heavy() -> None:
    script = (
        "import sys, hyperskip.__main__ as program\n"
        "try:\n    program.main()\n"
        "finally:\n    print({'numpy', 'numba'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "set()", done.stderr


def test_the_package_names_the_same_address() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["urls"]["Documentation"] == DOCUMENTATION


def completions(line: str) -> list[str]:
    """What bash is told to offer at the end of a line."""
    environment = os.environ | {
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(shlex.split(line)) - (not line.endswith(" "))),
        "_HYPERSKIP_COMPLETE": "complete_bash",
    }
    done = subprocess.run(PROGRAM, env=environment, capture_output=True, text=True)
    assert done.returncode == 0
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("hyperskip tr", ["train", "tree"]),
        ("hyperskip train corpus.txt --dimens", ["--dimension"]),
        ("hyperskip train corpus.txt --schedule w", ["window"]),
        ("hyperskip train corpus.txt --vector-size 3 --schedule p", ["pairwise"]),  # of gensim
        ("hyperskip train corpus.txt --device ", list(DEVICES)),
        ("hyperskip neighbors model dog --device ", list(DEVICES)),
        ("hyperskip neighbors away dog --device ", list(DEVICES)),  # without downloading it
        ("hyperskip neighbors model dog --count many --measure a", ["angle"]),
        ("hyperskip export model out --for gen", ["gensim"]),
        ("hyperskip evaluate model --similarity b", ["builtin"]),
        ("hyperskip download ", ["small", "away"]),
        ("hyperskip --version tr", ["train", "tree"]),
        ("hyperskip train corp", []),  # the shell completes files
    ],
)
def test_a_line_is_completed(
    line: str, expected: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {
        "location": "https://example.invalid/m",
        "sha256": "0" * 64,
        "license": "",
        "about": "",
    }
    registry = {"format_version": 1, "models": {"away": fields}}
    (tmp_path / "models.json").write_text(json.dumps(registry))
    monkeypatch.setenv("HYPERSKIP_MODELS", str(tmp_path / "models.json"))
    assert completions(line) == expected


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_has_a_script(shell: str) -> None:
    environment = os.environ | {"_HYPERSKIP_COMPLETE": f"source_{shell}"}
    done = subprocess.run(PROGRAM, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "_HYPERSKIP_COMPLETE" in done.stdout
    assert f"complete_{shell}" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_the_script(tmp_path: Path) -> None:
    installed = tmp_path / "hyperskip"
    installed.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    installed.chmod(0o755)
    script = (
        'eval "$(_HYPERSKIP_COMPLETE=source_bash hyperskip)"\n'
        "complete -p hyperskip\n"
        "COMP_WORDS=(hyperskip tr) COMP_CWORD=1\n"
        "_hyperskip_completion hyperskip\n"
        'echo "${COMPREPLY[@]}"\n'
    )
    environment = os.environ | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    registered, offered = done.stdout.splitlines()
    assert "-o default" in registered  # files
    assert offered == "train tree"


def test_help_offers_completion(program: Program) -> None:
    assert app.info.name == "hyperskip"  # which the variable of the shell is named after
    assert "--install-completion" in program("--help").out
