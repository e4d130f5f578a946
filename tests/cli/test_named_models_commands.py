"""`hyperskip download` and `hyperskip publish`, and names instead of files."""

import json
from pathlib import Path

import pytest
from program import Program

import hyperskip
from hyperskip import WordVectors, builtin
from hyperskip.vectors.named_models import model_path, registry_entry


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.safetensors"
    hyperskip.train(builtin.sentences(3_000), dimension=3, epochs=1, device="cpu").save(path)
    return path


@pytest.fixture
def sets(tmp_path: Path) -> Path:
    folder = tmp_path / "eval"
    folder.mkdir()
    (folder / "EN-WS-353-ALL.txt").write_text("dog cat 7\ndog car 1\ncat car 2\n")
    return folder


def test_a_name_is_a_model(program: Program) -> None:
    result = program("neighbors", "small", "dog", "-n", 3)
    assert result.code == 0, result.err
    assert "cat" in result.out


def test_a_comparison_takes_names(
    program: Program, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = tmp_path / "models.json"
    registry.write_text(registry_entry("pets", model, model.name, "MIT", "Pets"))
    monkeypatch.setenv("HYPERSKIP_MODELS", str(registry))
    monkeypatch.chdir(tmp_path)
    loaded: list[Path] = []

    def load(path: Path, **_: object) -> None:
        loaded.append(path)
        if len(loaded) == 2:
            raise hyperskip.InputError("both are loaded", hint="stop here")

    monkeypatch.setattr("hyperskip.cli.commands.explore._loaded", load)
    program("explore", model, "--compare", "pets", "--no-browser").check_refused("both are loaded")
    assert loaded == [model, model_path("pets")]


def test_names_are_listed(program: Program) -> None:
    result = program("download")
    assert result.code == 0, result.err
    assert result.out.splitlines()[1].startswith("small\t")
    (listed,) = json.loads(program("download", "--json").out)
    assert listed["license"] == "CC-BY-SA-4.0"


def test_the_path_is_printed(program: Program) -> None:
    path = Path(program("download", "small").out.strip())
    assert path.is_file()
    assert json.loads(program("download", "small", "--json").out)["path"] == str(path)


def test_an_unknown_name_is_refused(program: Program) -> None:
    program("download", "smal").check_refused("smal", "small")
    program("neighbors", "smal", "dog").check_refused("smal", "hyperskip download")


@pytest.mark.filterwarnings("ignore::hyperskip.DatasetWarning")
def test_publish_writes_a_model_a_card_and_a_registry(
    program: Program, tmp_path: Path, model: Path, sets: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    result = program(
        *("publish", model, "-o", folder, "--name", "pets", "--license", "CC-BY-SA-4.0"),
        *("--words", 100, "--compact", "--about", "Pets", "--data", sets),
    )
    assert result.code == 0, result.err
    assert sorted(path.name for path in folder.iterdir() if path.suffix) == [
        *("README.md", "config.json", "model.safetensors", "models.json")
    ]
    card = (folder / "README.md").read_text()
    assert "license: cc-by-sa-4.0" in card
    assert "| ws353 |" in card
    monkeypatch.setenv("HYPERSKIP_MODELS", str(folder / "models.json"))
    loaded: WordVectors = hyperskip.load("pets")
    assert loaded.words == hyperskip.load(model).words[:100]
    assert "pets\tPets\tCC-BY-SA-4.0" in program("download").out


def test_publish_evaluates_what_it_writes(
    program: Program, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluated: list[WordVectors] = []

    def evaluate(vectors: WordVectors, **_: object) -> None:
        evaluated.append(vectors)

    monkeypatch.setattr("hyperskip.evaluation.evaluating.evaluate", evaluate)
    given = "publish", model, "-o", tmp_path / "out", "--name", "pets", "--license", "MIT"
    assert program(*given, "--compact").code == 0
    written = hyperskip.load(tmp_path / "out" / "model.safetensors")
    assert (evaluated[0].coordinates == written.coordinates).all()
    assert (written.coordinates != hyperskip.load(model).coordinates).any()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--name", "a/b"),
        ("--name", ""),
        ("--license", "no license!"),
        ("--url", "out/model"),
        ("--words", "0"),
    ],
)
def test_publish_refuses_bad_values(
    program: Program, tmp_path: Path, model: Path, option: str, value: str
) -> None:
    options = {"--name": "pets", "--license": "MIT"} | {option: value}
    given = [text for pair in options.items() for text in pair]
    program("publish", model, "-o", tmp_path / "out", *given).check_refused(option, value)
    assert not (tmp_path / "out").exists()
