"""`hyperskip download` and `hyperskip publish`, and names instead of files."""

import json
from pathlib import Path

import numpy as np
import pytest
from program import Program

import hyperskip
from hyperskip import WordVectors, builtin
from hyperskip.vectors.model_registry import NamedModel, checksum, registry_entry
from hyperskip.vectors.named_models import model_path


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
    registry.write_text(
        registry_entry(NamedModel("pets", model.name, checksum(model), "MIT", "Pets"))
    )
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
    assert "\nPets\n" in card
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
        ("--name", "-x"),
        ("--license", "no license!"),
        ("--url", "out/model"),
        ("--url", "s3://bucket/model"),
        ("--url", "https://host/a b"),
        ("--about", "two\nlines"),
        ("--about", "x" * 2001),
        ("--words", "0"),
    ],
)
def test_publish_refuses_bad_values(
    program: Program, tmp_path: Path, model: Path, option: str, value: str
) -> None:
    options = {"--name": "pets", "--license": "MIT"} | {option: value}
    given = [text for pair in options.items() for text in pair]
    shown = value[:100].replace("\n", r"\n")
    for source in (model, "absent"):  # options are checked before the model is looked up
        program("publish", source, "-o", tmp_path / "out", *given).check_refused(option, shown)
    assert not (tmp_path / "out").exists()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.fixture
def unscored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hyperskip.evaluation.evaluating.evaluate", lambda *_, **__: None)


GIVEN = ("--name", "pets", "--license", "MIT")


@pytest.mark.usefixtures("unscored")
def test_publish_replaces_an_earlier_publication_only(
    program: Program, tmp_path: Path, model: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "README.md").write_text("mine")
    program("publish", model, "-o", other, *GIVEN).check_refused("other", "is not empty", "pets")
    program("publish", model, "-o", tmp_path, *GIVEN).check_refused("it is also the input")
    assert contents(other) == {"README.md": b"mine"}
    assert program("publish", model, "-o", tmp_path / "out", *GIVEN).code == 0
    assert program("publish", model, "-o", tmp_path / "out", *GIVEN, "--words", 50).code == 0
    assert len(hyperskip.load(tmp_path / "out" / "model.safetensors")) == 50
    renamed = ("publish", model, "-o", tmp_path / "out", "--name", "cats", "--license", "MIT")
    program(*renamed).check_refused("no earlier publication of 'cats'")
    program(
        "publish", tmp_path / "out" / "model.safetensors", "-o", tmp_path / "out", *GIVEN
    ).check_refused("it is also the input")


@pytest.mark.usefixtures("unscored")
def test_publish_keeps_other_entries_of_a_registry(
    program: Program, tmp_path: Path, model: Path
) -> None:
    folder = tmp_path / "out"
    assert program("publish", model, "-o", folder, *GIVEN).code == 0
    registry = json.loads((folder / "models.json").read_text())
    registry["models"]["cats"] = registry["models"]["pets"]
    (folder / "models.json").write_text(json.dumps(registry))
    before = contents(folder)
    program("publish", model, "-o", folder, *GIVEN).check_refused("is not empty")
    assert contents(folder) == before


@pytest.mark.usefixtures("unscored")
def test_publish_writes_all_files_or_none(
    program: Program, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "out"
    assert program("publish", model, "-o", folder, *GIVEN).code == 0
    before = contents(folder)

    def fail(_: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hyperskip.vectors.sharing.publishing.registry_entry", fail)
    result = program("publish", model, "-o", folder, *GIVEN, "--words", 50)
    result.check_refused("No space left")
    assert contents(folder) == before
    program("publish", model, "-o", tmp_path / "new", *GIVEN).check_refused("No space left")
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("unscored")
def test_publish_keeps_the_most_frequent_words(program: Program, tmp_path: Path) -> None:
    vectors = WordVectors(["rare", "often", "mid"], np.eye(3, 2), counts=[1, 300, 20])
    vectors.save(tmp_path / "m.safetensors")
    folder = tmp_path / "out"
    assert (
        program("publish", tmp_path / "m.safetensors", "-o", folder, *GIVEN, "--words", 2).code == 0
    )
    assert hyperskip.load(folder / "model.safetensors").words == ("often", "mid")


def test_publish_without_evaluation_sets_warns(
    program: Program, tmp_path: Path, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offline(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr("pooch.retrieve", offline)
    result = program("publish", model, "-o", tmp_path / "out", *GIVEN)
    assert result.code == 0, result.err
    assert "warning: the card has no scores" in result.err
    assert "--data" in result.err
    card = (tmp_path / "out" / "README.md").read_text()
    assert "# pets\n" in card
    assert "hyperskip.load('model.safetensors')" in card
    assert "HYPERSKIP_MODELS" in card
    assert "hyperskip.load('pets')" in card
    assert "Evaluation" not in card
    program(
        "publish", model, "-o", tmp_path / "b", *GIVEN, "--data", tmp_path / "absent"
    ).check_refused("absent")


def test_a_file_is_not_taken_for_a_name(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small").write_text("something else")
    path = Path(program("download", "small").out.strip())
    assert path.stat().st_size > 4_000_000


@pytest.mark.usefixtures("unscored")
def test_the_card_of_a_graph_asks_for_one_of_its_nodes(program: Program, tmp_path: Path) -> None:
    edges = [("poodle", "dog"), ("dog", "animal"), ("cat", "animal")]
    vectors = hyperskip.embed_graph(edges, dimension=2, epochs=1, device="cpu")
    vectors.save(tmp_path / "m.safetensors")
    result = program("publish", tmp_path / "m.safetensors", "-o", tmp_path / "out", *GIVEN)
    assert result.code == 0, result.err
    card = (tmp_path / "out" / "README.md").read_text()
    assert f"vectors.neighbors('{vectors.words[0]}')" in card
    assert "| nodes | 4 |" in card
    assert "text" not in card.split("## ")[0].replace("context", "")
