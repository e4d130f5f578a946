"""`hyperskip train` with relations, and `hyperskip add-hierarchy`."""

from collections.abc import Callable
from pathlib import Path

import pytest
from program import Program

import hyperskip
from hyperskip import builtin

Check = Callable[..., None]
PAIRS = builtin.hypernym_pairs()
QUICK = ("--dimension", 5, "--epochs", 1, "--threads", 1)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    statements = [f"There are {broader}, such as {narrower}." for narrower, broader in PAIRS]
    path.write_text("\n".join([*builtin.sentences(20_000), *statements]))
    return path


@pytest.fixture
def relations(tmp_path: Path) -> Path:
    path = tmp_path / "relations.tsv"
    path.write_text("".join(f"{narrower}\t{broader}\t2\n" for narrower, broader in PAIRS))
    return path


def test_training_with_relations(
    program: Program, tmp_path: Path, text: Path, relations: Path
) -> None:
    model = tmp_path / "model.safetensors"
    arguments = ("--relations", relations, "--hierarchy-dimension", 7)
    result = program("train", text, "-o", model, *arguments, *QUICK)
    assert result.code == 0, result.err
    points = hyperskip.load(model).hierarchy
    assert points is not None
    assert points.dimension == 7
    known = f"{(points.evidence > 0).sum()} with relations"
    assert known in result.err


def test_relations_from_the_text(program: Program, tmp_path: Path, text: Path) -> None:
    model = tmp_path / "model.safetensors"
    result = program("train", text, "-o", model, "--hierarchy", *QUICK)
    assert result.code == 0, result.err
    assert hyperskip.load(model).has_hierarchy


def test_what_train_refuses(program: Program, tmp_path: Path, text: Path, relations: Path) -> None:
    model = tmp_path / "model.safetensors"

    def refused(*arguments: object, corpus: Path = text, output: Path = model) -> Check:
        result = program("train", corpus, "-o", output, *arguments)
        assert "training on" not in result.err
        assert "`" not in result.err
        return result.check_refused

    refused("--relations", relations, "--hierarchy")("--relations", "--hierarchy")
    refused("--hierarchy", "--cluster", "auto")("--hierarchy", "--cluster", "--relations")
    refused("--hierarchy-dimension", 5)("--hierarchy-dimension", "--relations", "--hierarchy")
    refused("--hierarchy", "--hierarchy-dimension", 1)("--hierarchy-dimension", 2, 1000, 1)
    refused("--relations", tmp_path / "no.tsv")("no.tsv")
    refused("--relations", relations, output=relations)("relations.tsv")
    relations.write_text("hund\ttier\t2\n")
    refused("--relations", relations)("relations", "vocabulary")
    relations.write_text("dog\tanimal\t2\ndog\tanimal\tmany\n")
    refused("--relations", relations)("relations.tsv")
    assert program("encode", text, "-o", tmp_path / "encoded").code == 0
    refused("--hierarchy", corpus=tmp_path / "encoded")("--hierarchy", "--relations")
    assert not model.exists()


def test_ctrl_c_while_relations_are_found(
    program: Program, tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hyperskip.text.relations.matcher.Matcher.find", interrupted)
    before = sorted(tmp_path.iterdir())
    result = program("train", text, "-o", tmp_path / "model.safetensors", "--hierarchy", *QUICK)
    assert "nothing was saved" in result.err
    assert "Traceback" not in result.err
    assert sorted(tmp_path.iterdir()) == before


def test_a_hierarchy_is_added_to_a_model(
    program: Program, tmp_path: Path, model_file: Path, relations: Path
) -> None:
    output = tmp_path / "with-hierarchy.safetensors"
    result = program("add-hierarchy", model_file, relations, "-o", output, "--dimension", 9)
    assert result.code == 0, result.err
    added, plain = hyperskip.load(output), hyperskip.load(model_file)
    assert added.hierarchy is not None
    assert added.hierarchy.dimension == 9
    assert added.coordinates.tobytes() == plain.coordinates.tobytes()
    assert f"{(added.hierarchy.evidence > 0).sum()} of them with relations" in result.err
    again = tmp_path / "again.safetensors"
    arguments = ("-o", again, "--dimension", 9, "--seed", 1)
    assert program("add-hierarchy", model_file, relations, *arguments).code == 0
    assert again.read_bytes() == output.read_bytes()


def test_what_add_hierarchy_refuses(
    program: Program, tmp_path: Path, model_file: Path, relations: Path
) -> None:
    output = tmp_path / "added.safetensors"

    def refused(*arguments: object) -> Check:
        result = program("add-hierarchy", *arguments)
        assert "`" not in result.err
        return result.check_refused

    refused(model_file, relations, "-o", output, "--dimension", 1)("--dimension", 2, 1000, 1)
    refused(model_file, relations, "-o", output, "--seed", -1)("--seed", 0, -1)
    refused(model_file, relations, "-o", output, "--patterns", "no.txt")("no.txt")
    refused(model_file, relations, "-o", model_file)(model_file.name)
    refused(model_file, relations, "-o", relations)("relations.tsv")
    refused(tmp_path / "no.safetensors", relations, "-o", output)("no.safetensors")
    refused(model_file, tmp_path / "no.tsv", "-o", output)("no.tsv")
    refused(relations, relations, "-o", output)("relations.tsv")
    relations.write_text("hund\ttier\t2\n")
    refused(model_file, relations, "-o", output)("vocabulary")
    relations.write_text("dog\tdog\t2\n")
    refused(model_file, relations, "-o", output)("RELATIONS")
    assert not output.exists()
