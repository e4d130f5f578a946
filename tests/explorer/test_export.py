"""The exported explorer without a browser: its files, its sizes and its errors."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from program import Program

from hyperskip import OptionError, OutputError, WordVectors
from hyperskip.explorer.export.stored_lists import StoredLists
from hyperskip.files.known_folders import EXPLORER_DATA


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    rng = np.random.default_rng(2)
    words = ["</script><script>alert(1)</script>", "\u202eabc", *(f"w{i}" for i in range(38))]
    return WordVectors(words, rng.normal(size=(40, 2)).astype(np.float32))


@pytest.fixture
def model(vectors: WordVectors, tmp_path: Path) -> Path:
    vectors.save(tmp_path / "model.safetensors")
    return tmp_path / "model.safetensors"


def data_in(page: str) -> Any:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(text)


def array_in(data: Any, name: str) -> np.ndarray[Any, Any]:
    stored = data["arrays"][name]
    return np.frombuffer(base64.b64decode(stored["base64"]), dtype=stored["type"])


def test_one_file_has_the_words_and_their_neighbors(vectors: WordVectors, tmp_path: Path) -> None:
    vectors.export_explorer(tmp_path / "words.html", words=30, neighbors=4, name="mine")
    page = (tmp_path / "words.html").read_text(encoding="utf-8")
    data = data_in(page)
    shown = vectors.subset(np.arange(30))
    assert data["words"] == list(shown.words)
    assert data["model"]["name"] == "mine"
    assert data["model"]["exported"] == {"of_words": 40}
    members = array_in(data, "neighbors").reshape(30, 4)
    for row, nearest in enumerate(members.tolist()):
        expected = [neighbor.word for neighbor in shown.neighbors(shown.words[row], 4)]
        assert [data["words"][one] for one in nearest] == expected
    assert page.count("<script") == 3  # import map, data, entry
    policy = re.search('http-equiv="Content-Security-Policy" content="(.*?)"', page)
    assert policy is not None
    assert "default-src &#x27;none&#x27;" in policy[1]
    assert "connect-src &#x27;none&#x27;" in policy[1]
    assert "unsafe" not in policy[1]


def test_numbers_are_rounded_to_steps_of_their_range() -> None:
    numbers = np.array([-0.5, 0.25, 2.0])
    lists = StoredLists([[3], [], [1, 2]], numbers)
    arrays = lists.arrays("near")
    assert arrays["near_ends"].tolist() == [1, 1, 3]
    assert arrays["near"].tolist() == [3, 1, 2]
    least, greatest = lists.range
    restored = least + arrays["near_numbers"] / 65_535 * (greatest - least)
    np.testing.assert_allclose(restored, numbers, atol=2.5 / 65_535)


def test_a_folder_is_replaced_only_by_force(vectors: WordVectors, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    vectors.export_explorer(folder)
    assert {path.name for path in folder.iterdir()} == {"index.html", EXPLORER_DATA, "page", "data"}
    with pytest.raises(OutputError, match=naming(folder, "force=True")):
        vectors.export_explorer(folder)
    vectors.export_explorer(folder, words=7, force=True)
    assert len(json.loads((folder / EXPLORER_DATA).read_bytes())["words"]) == 7
    (folder / "data" / "mine.txt").write_text("kept")
    with pytest.raises(OutputError, match=naming("mine.txt")):
        vectors.export_explorer(folder, force=True)
    assert (folder / "data" / "mine.txt").read_text() == "kept"


@pytest.mark.parametrize("force", [False, True])
def test_another_folder_is_never_replaced(
    vectors: WordVectors, tmp_path: Path, force: bool
) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(OutputError, match=naming(tmp_path)):
        vectors.export_explorer(tmp_path, force=force)
    assert (tmp_path / "index.html").read_text() == "mine"


def test_an_empty_folder_may_be_used(vectors: WordVectors, tmp_path: Path) -> None:
    vectors.export_explorer(tmp_path)
    assert (tmp_path / EXPLORER_DATA).is_file()


def test_paths_in_a_folder_are_relative(vectors: WordVectors, tmp_path: Path) -> None:
    vectors.export_explorer(tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert not re.findall(r'(?:src|href)="/', page)
    imports = json.loads(re.findall('"importmap">(.*?)<', page)[0])["imports"]
    assert imports["hyperskip/api"] == "./page/stored_api.js"
    for address in imports.values():
        assert (tmp_path / "site" / address).is_file()


@pytest.mark.parametrize(
    ("wrong", "facts"),
    [({"words": 0}, (0,)), ({"neighbors": 101}, (101, 100)), ({"projection": "flat"}, ("flat",))],
)
def test_arguments_out_of_range_are_refused(
    vectors: WordVectors, tmp_path: Path, wrong: dict[str, Any], facts: tuple[object, ...]
) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        vectors.export_explorer(tmp_path / "words.html", **wrong)
    assert list(tmp_path.iterdir()) == []


def test_the_command_says_how_large_the_export_is(program: Program, model: Path) -> None:
    target = model.with_name("words.html")
    result = program("explore", model, "--export", target, "-n", 20, "--neighbors", 6)
    assert result.code == 0, result.err
    size = f"{target.stat().st_size / 1e6:,.1f}"
    assert re.search(naming(f"{target}: 20 words", size), result.err)
    assert len(data_in(target.read_text())["words"]) == 20


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        (["--neighbors", 5], ("--neighbors", "--export")),
        (["--force"], ("--force", "--export")),
        (["--export", "words.html", "--neighbors", 0], ("--neighbors", 0, 1)),
        (["--export", "missing/words.html"], ("missing",)),
        (["--export", "words.html", "--order", "child-parent"], ("--order", "--edges")),
    ],
)
def test_the_command_refuses_what_it_cannot_do(
    program: Program,
    model: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[object],
    facts: tuple[object, ...],
) -> None:
    monkeypatch.chdir(model.parent)
    program("explore", model, *options).check_refused(*facts)
    assert [path.name for path in model.parent.iterdir()] == [model.name]


def test_a_missing_model_is_named(program: Program, tmp_path: Path) -> None:
    result = program("explore", tmp_path / "none", "--export", tmp_path / "words.html")
    result.check_refused(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


def test_the_model_is_not_replaced(program: Program, vectors: WordVectors, tmp_path: Path) -> None:
    vectors.save(tmp_path / "model.html")
    result = program("explore", tmp_path / "model.html", "--export", tmp_path / "model.html")
    result.check_refused(tmp_path / "model.html")
