"""Shared models: a folder with a card, and the Hugging Face Hub behind its real client."""

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from hub_server import TOKEN, Hub, hub_server
from subword_models import with_subwords

import hyperskip
from hyperskip import (
    InputError,
    MissingPackageError,
    OptionError,
    OutputError,
    VectorFileError,
    WordVectors,
)

NAME = "user/animals"


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub on this machine, with an empty cache of its own."""
    pytest.importorskip("huggingface_hub")
    from huggingface_hub import constants

    with hub_server() as running:
        monkeypatch.setattr(constants, "ENDPOINT", running.address)
        monkeypatch.setattr(
            constants,
            "HUGGINGFACE_CO_URL_TEMPLATE",
            running.address + "/{repo_id}/resolve/{revision}/{filename}",
        )
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_PROGRESS_BARS", True)
        monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "token"))
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
        yield running


def assert_same(read: WordVectors, vectors: WordVectors) -> None:
    assert read.words == vectors.words
    assert dict(read.options) == dict(vectors.options)
    np.testing.assert_array_equal(read.coordinates, vectors.coordinates)


# -- folders


def test_a_folder(trained: WordVectors, tmp_path: Path) -> None:
    folder = tmp_path / "animals"
    trained.save_pretrained(folder)
    assert sorted(path.name for path in folder.iterdir()) == [
        *("README.md", "config.json", "model.safetensors"),
    ]
    assert_same(hyperskip.from_pretrained(folder), trained)
    assert_same(WordVectors.from_pretrained(str(folder)), trained)
    assert_same(hyperskip.load(folder / "model.safetensors"), trained)


def test_a_card_has_the_figures(trained: WordVectors, tmp_path: Path) -> None:
    scores = hyperskip.evaluate(trained, similarity="builtin", analogies="builtin")
    trained.save_pretrained(tmp_path, scores=scores)
    card = (tmp_path / "README.md").read_text()
    assert re.match(r"---\nlibrary_name: hyperskip\ntags:\n(- .+\n)+---\n", card)
    loss = f"{trained.history[-1]['loss']:.4f}"
    facts = f"{len(trained):,}", "hyperboloid", "Minkowski", loss, "builtin", "Spearman by product"
    assert re.search(naming(*facts), card), card
    assert f"| dimension | {trained.dimension} |" in card
    assert "| epochs | 4 |" in card
    assert "license" not in card
    code = re.search(r"```python\n(.*?)```", card, re.DOTALL)
    assert code is not None
    lines = code.group(1).splitlines()
    assert len(lines) == 3
    script = code.group(1).replace(repr(tmp_path.name), repr(str(tmp_path)))
    exec(script, {})


def test_a_card_names_the_ngrams(tmp_path: Path) -> None:
    vectors = with_subwords()
    vectors.save_pretrained(tmp_path)
    assert vectors.subwords is not None
    row = f"| vectors of n-grams | {len(vectors.subwords):,} |"
    assert row in (tmp_path / "README.md").read_text()
    assert np.array_equal(hyperskip.from_pretrained(tmp_path)["dogz"], vectors["dogz"])


def test_a_card_that_is_there_is_kept(trained: WordVectors, tmp_path: Path) -> None:
    card, other = tmp_path / "README.md", tmp_path / "notes"
    for path in (card, other):
        path.write_text("mine")
    trained.save_pretrained(tmp_path)
    assert card.read_text() == other.read_text() == "mine"
    trained.save_pretrained(tmp_path, replace_card=True)
    assert "library_name: hyperskip" in card.read_text()
    assert other.read_text() == "mine"


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    damaged = WordVectors(["a"], [[np.nan, 1.0]])
    with pytest.raises(InputError, match=naming("a")):
        damaged.save_pretrained(tmp_path / "folder")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_a_card_without_training(tmp_path: Path, geometry: str) -> None:
    vectors = WordVectors(["a|b\n", "c"], [[1.0, 2.0], [3.0, 4.0]], geometry=geometry)
    vectors.save_pretrained(tmp_path)
    card = (tmp_path / "README.md").read_text()
    assert re.search(naming(geometry), card)
    assert "## Training" not in card
    assert ("cosine" in card) == (geometry == "euclidean")


def test_folders_that_cannot_be_used(trained: WordVectors, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    for folder in (file, file / "inside"):
        with pytest.raises(OutputError, match=naming(folder)):
            trained.save_pretrained(folder)
    with pytest.raises(InputError, match=naming("scores", "int")):
        trained.save_pretrained(tmp_path / "out", scores=3)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == [file]
    (tmp_path / "empty").mkdir()
    with pytest.raises(VectorFileError, match=naming("model.safetensors", "save_pretrained")):
        hyperskip.from_pretrained(tmp_path / "empty")
    with pytest.raises(VectorFileError, match=naming(file, "hyperskip.load")):
        hyperskip.from_pretrained(str(file))
    with pytest.raises(InputError, match=naming("revision", "v1")):
        hyperskip.from_pretrained(tmp_path, revision="v1")
    with pytest.raises(VectorFileError):
        hyperskip.from_pretrained(tmp_path / "missing")
    for name in ("../missing", "./missing", "missing", "a/b/c", "user/"):
        with pytest.raises(VectorFileError, match=naming(name, "user/name")):
            hyperskip.from_pretrained(name)
    with pytest.raises(OptionError, match=naming("revison", "revision")):
        hyperskip.from_pretrained(NAME, revison="main")  # type: ignore[call-arg]
    with pytest.raises(OptionError, match=naming("privat", "private")):
        trained.push_to_hub(NAME, privat=True)  # type: ignore[call-arg]


# -- the Hub


def test_push_and_load(hub: Hub, trained: WordVectors) -> None:
    url = trained.push_to_hub(NAME, token=TOKEN, message="A first model")
    assert url == f"{hub.address}/{NAME}"
    assert sorted(hub.files[NAME]["main"]) == ["README.md", "config.json", "model.safetensors"]
    assert f"hyperskip.from_pretrained('{NAME}')".encode() in hub.files[NAME]["main"]["README.md"]
    assert hub.messages == ["A first model"]
    assert not hub.private
    assert_same(hyperskip.from_pretrained(NAME), trained)


def test_the_guide(
    hub: Hub, trained: WordVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)
    guide = (Path(__file__).parents[2] / "docs" / "exporting.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {"hyperskip": hyperskip, "vectors": trained}
    exec(guide.split("## Hugging Face")[1].split("```python")[1].split("```")[0], names)
    assert_same(names["vectors"], trained)
    assert b"## Evaluation" in hub.files["user/name"]["main"]["README.md"]
    assert_same(hyperskip.from_pretrained("folder"), trained)


def test_a_private_repository(hub: Hub, trained: WordVectors) -> None:
    trained.push_to_hub(NAME, token=TOKEN, private=True)
    assert hub.private == {NAME}
    with pytest.raises(VectorFileError, match=naming(NAME, "private", "token")):
        hyperskip.from_pretrained(NAME)
    assert_same(hyperskip.from_pretrained(NAME, token=TOKEN), trained)


def test_a_card_on_the_hub_is_kept(hub: Hub, trained: WordVectors) -> None:
    hub.files[NAME] = {"main": {"README.md": b"mine"}}
    trained.push_to_hub(NAME, token=TOKEN)
    assert hub.files[NAME]["main"]["README.md"] == b"mine"
    trained.push_to_hub(NAME, token=TOKEN, replace_card=True)
    assert b"hyperskip" in hub.files[NAME]["main"]["README.md"]


def test_revisions(hub: Hub, trained: WordVectors) -> None:
    half = trained.subset(np.arange(10))
    trained.push_to_hub(NAME, token=TOKEN)
    hub.files[NAME]["v1"] = {}
    half.push_to_hub(NAME, token=TOKEN, revision="v1")
    assert_same(hyperskip.from_pretrained(NAME, revision="v1"), half)
    assert_same(hyperskip.from_pretrained(NAME), trained)
    with pytest.raises(VectorFileError, match=naming(NAME, "v2", "revision")):
        hyperskip.from_pretrained(NAME, revision="v2")


def test_errors_of_the_hub(hub: Hub, trained: WordVectors) -> None:
    with pytest.raises(VectorFileError, match=naming(NAME)):
        hyperskip.from_pretrained(NAME)
    with pytest.raises(OutputError, match=naming(NAME, "token")):
        trained.push_to_hub(NAME)
    with pytest.raises(OutputError, match=naming(NAME, "Invalid credentials", "token")):
        trained.push_to_hub(NAME, token="hf_wrong")
    assert not hub.files
    hub.files[NAME] = {"main": {}}
    with pytest.raises(VectorFileError, match=naming(NAME, "model")):
        hyperskip.from_pretrained(NAME)
    hub.files[NAME]["main"]["model.safetensors"] = b"not a model"
    with pytest.raises(VectorFileError, match=naming("model.safetensors")):
        hyperskip.from_pretrained(NAME)
    for name in ("user", "user/--", "a/b/c"):
        with pytest.raises(OutputError, match=naming(name)):
            trained.push_to_hub(name, token=TOKEN)


def test_without_a_connection(
    hub: Hub, trained: WordVectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    trained.push_to_hub(NAME, token=TOKEN)
    assert_same(hyperskip.from_pretrained(NAME), trained)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert_same(hyperskip.from_pretrained(NAME), trained)  # from the cache
    with pytest.raises(VectorFileError, match=naming("user/other", "HF_HUB_OFFLINE")):
        hyperskip.from_pretrained("user/other")
    with pytest.raises(OutputError, match=naming("HF_HUB_OFFLINE")):
        trained.push_to_hub(NAME, token=TOKEN)


def test_a_hub_that_does_not_answer(
    trained: WordVectors, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("huggingface_hub")
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    template = "http://127.0.0.1:9/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    begin = time.monotonic()
    with pytest.raises(VectorFileError, match=naming("user/missing", "cannot be reached")):
        hyperskip.from_pretrained("user/missing")
    assert time.monotonic() - begin < 15  # it does not try again, which would take 23 s
    assert not capfd.readouterr().err
    with pytest.raises(OutputError, match=naming("HF_ENDPOINT")):
        trained.push_to_hub(NAME, token=TOKEN)


def test_without_the_client(trained: WordVectors, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingPackageError, match=naming("hyperskip[hub]")):
        hyperskip.from_pretrained(NAME)
    with pytest.raises(MissingPackageError, match=naming("hyperskip[hub]")):
        trained.push_to_hub(NAME)
