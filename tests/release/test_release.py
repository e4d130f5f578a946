"""Version, changelog and citation agree, and the files of a release are what they should be."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from release.check_wheel import SUPPORTED
from typer.main import get_command

from hyperskip.cli.main import app
from hyperskip.version import VERSION

ROOT = Path(__file__).parent.parent.parent


def citation() -> dict[str, Any]:
    yaml = pytest.importorskip("yaml")
    values: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return values


def test_the_citation_has_the_version() -> None:
    values = citation()
    assert values["cff-version"] == "1.2.0"
    assert str(values["version"]) == VERSION
    assert values["authors"] == [{"name": "The hyperskip authors"}]
    assert [author["family-names"] for author in values["references"][0]["authors"]] == [
        "Leimeister",
        "Wilson",
    ]


def test_the_changelog_has_a_section_for_the_next_release() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (\S+)", changelog, flags=re.MULTILINE)
    assert sections[0] in ("Unreleased", VERSION)


def instructions(name: str) -> list[str]:
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    return re.findall(rf"^{name} (.*)$", text, flags=re.MULTILINE)


def test_the_container_copies_files_that_exist_and_are_not_ignored() -> None:
    kept = re.findall(r"^!(\S+)$", (ROOT / ".dockerignore").read_text(), flags=re.MULTILINE)
    copied = [
        name
        for line in instructions("COPY")
        if not line.startswith("--from=")
        for name in line.split()[:-1]
    ]
    assert sorted(copied) == sorted(kept)
    assert all((ROOT / name).exists() for name in copied)


def test_the_commands_of_the_containers_are_valid() -> None:
    commands = [json.loads(line) for line in instructions("CMD")]
    assert [command[0] for command in commands] == ["explore", "train"]
    program: Any = get_command(app)
    for name, *arguments in commands:
        parameters = program.commands[name].params
        known = {option for each in parameters for option in each.opts + each.secondary_opts}
        assert {each for each in arguments if each.startswith("--")} <= {*known, "--help"}


def test_the_containers_run_without_special_rights_and_have_known_extras() -> None:
    assert instructions("USER") == ["hyperskip", "hyperskip"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = re.findall(r"\.whl\)\[(\w+)\]", (ROOT / "Containerfile").read_text())
    assert extras == ["explorer", "gpu"]
    assert set(extras) <= project["optional-dependencies"].keys()


def test_every_version_of_python_that_is_named_is_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    prefix = "Programming Language :: Python :: "
    named = [each.removeprefix(prefix) for each in project["classifiers"] if prefix in each]
    assert named == ["3", *SUPPORTED]
    assert project["requires-python"] == f">={SUPPORTED[0]}"
