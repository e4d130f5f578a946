"""The folder of an encoded corpus: equal to the text, never stale, and never trusted blindly."""

import errno
import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from signatures import check_keywords

import hyperskip
from hyperskip import builtin, train
from hyperskip.errors import (
    CorpusError,
    NewerFileError,
    OptionError,
    OutputError,
    StaleCorpusError,
)
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.text.encoding import corpus_folder, freshness
from hyperskip.text.encoding.corpus_folder import open_encoded
from hyperskip.text.encoding.encoder import encode
from hyperskip.text.options import TextOptions

QUICK: dict[str, Any] = {"dimension": 3, "epochs": 1, "threads": 1, "subsample": 1e-3}


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(builtin.sentences(20_000)))
    return path


@pytest.fixture
def kept(text: Path, tmp_path: Path) -> Path:
    encode(text, tmp_path / "kept")
    return tmp_path / "kept"


def test_a_delimiter_is_stored_if_it_was_chosen(tmp_path: Path) -> None:
    text = [["a", "b"]] * 5
    encode(text, tmp_path / "old")
    header = json.loads((tmp_path / "old" / ENCODED_HEADER).read_text())
    assert "delimiter" not in header["options"]  # as in older versions
    assert open_encoded(tmp_path / "old").options.delimiter is None
    (tmp_path / "table.csv").write_text("id;text\n" + "1;some words\n" * 5)
    encode(tmp_path / "table.csv", tmp_path / "new", column="text", delimiter=";")
    corpus = open_encoded(tmp_path / "new")
    assert (corpus.options.column, corpus.options.delimiter) == ("text", ";")
    with pytest.raises(OptionError, match=naming("`delimiter`", "'|'", "';'")):
        train(corpus, delimiter="|")


def test_training_on_it_equals_training_on_the_text(text: Path, kept: Path) -> None:
    expected = train(text, **QUICK)
    for corpus in (kept, str(kept), [kept], open_encoded(kept)):
        vectors = train(corpus, **QUICK)
        assert vectors.words == expected.words
        assert (vectors.coordinates == expected.coordinates).all()
        assert vectors.options == expected.options


def test_words_of_any_kind_survive(tmp_path: Path) -> None:
    documents = [["", "\n", "a b", "\ud800", "日本"], ["\n", "", "é"]]
    made = hyperskip.encode(documents, tmp_path / "kept", min_count=1)
    again = hyperskip.open_encoded(tmp_path / "kept")
    assert again.vocabulary.words == made.vocabulary.words
    assert set(again.vocabulary.words) == {"", "\n", "a b", "\ud800", "日本", "é"}
    assert again.tokens.tolist() == made.tokens.tolist()
    assert again.sentence_starts.tolist() == [0, 5, 8]
    assert again.sources == ()


def test_a_changed_text_is_noticed(text: Path, kept: Path) -> None:
    status = text.stat()
    os.utime(text, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    with pytest.raises(StaleCorpusError, match=naming(text, kept, "force=True")):
        train(kept, **QUICK)
    os.utime(text, ns=(status.st_atime_ns, status.st_mtime_ns))
    open_encoded(kept)
    with text.open("a") as file:
        file.write("more")
    os.utime(text, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(StaleCorpusError, match=naming(text, kept)):
        open_encoded(kept)
    text.unlink()
    open_encoded(kept)  # a deleted text cannot be newer


def test_a_new_file_in_a_folder_is_noticed(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    text.rename(folder / "a.txt")
    monkeypatch.chdir(tmp_path)
    for corpus in ("texts", "texts/*.txt"):
        encode(corpus, tmp_path / "kept", force=True)
        (folder / "b.md").touch()
        if corpus == "texts/*.txt":
            open_encoded("kept")  # the glob does not match it
        (folder / "b.txt").touch()
        with pytest.raises(StaleCorpusError, match=r"texts/b\.(md|txt)\b") as caught:
            open_encoded("kept")
        assert "kept" in caught.value.message
        (folder / "b.txt").unlink()
        (folder / "b.md").unlink()
        open_encoded("kept")
    (folder / "a.txt").unlink()
    open_encoded("kept")


def test_a_glob_is_found_from_a_folder_that_looks_like_one(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "texts [1]"
    folder.mkdir()
    text.rename(folder / "a.txt")
    monkeypatch.chdir(folder)
    for corpus in ("*.txt", "a.txt"):
        encode(corpus, tmp_path / "kept", force=True)
        open_encoded(tmp_path / "kept")
    encode("*.txt", tmp_path / "kept", force=True)
    (folder / "b.txt").touch()
    with pytest.raises(StaleCorpusError, match=naming(folder / "b.txt", tmp_path / "kept")):
        open_encoded(tmp_path / "kept")


def test_a_single_deleted_file_is_noticed(text: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("more text")
    encode([text, other], tmp_path / "kept")
    other.unlink()
    with pytest.raises(StaleCorpusError, match=naming(other, tmp_path / "kept", "force=True")):
        open_encoded(tmp_path / "kept")
    text.unlink()
    open_encoded(tmp_path / "kept")


def test_changed_rules_are_noticed(text: Path, kept: Path) -> None:
    change_header(rules={"version": 99, "unicode": "16.0"})(kept)
    with pytest.raises(StaleCorpusError, match=naming(kept, 99, "16.0", "force=True")):
        open_encoded(kept)
    text.unlink()
    open_encoded(kept)


def test_options_are_typed_and_documented_keywords(tmp_path: Path) -> None:
    own = ["corpus", "folder", "options", "force", "threads", "cluster", "report", "progress"]
    check_keywords(encode, own, TextOptions)
    text = ["One two one", "two One"]
    for corpus in (
        encode(text, tmp_path / "a", min_count=2, tokenizer="whitespace"),
        encode(text, tmp_path / "b", options=TextOptions(min_count=2, tokenizer="whitespace")),
        encode(text, tmp_path / "c", options=TextOptions(tokenizer="whitespace"), min_count=2),
    ):
        assert corpus.options == TextOptions(min_count=2, tokenizer="whitespace")
    with pytest.raises(OptionError, match=naming("minCount", "min_count")):
        encode(text, tmp_path / "d", minCount=2)  # type: ignore[call-arg]
    with pytest.raises(OptionError, match=naming("options", "TextOptions")):
        encode(text, tmp_path / "d", options={"min_count": 2})  # type: ignore[arg-type]
    assert not (tmp_path / "d").exists()


def test_other_options_are_refused(kept: Path) -> None:
    with pytest.raises(OptionError, match=naming("min_count", 7, 5)):
        train(kept, min_count=7, **QUICK)
    with pytest.raises(OptionError, match=naming("min_count", 15, 5)):
        train(kept, preset="paper", **QUICK)
    with pytest.raises(OptionError, match=naming("column", "x")):
        train(kept, column="x", **QUICK)
    with pytest.raises(OptionError, match=naming("dimension", "encode")):
        encode(["a b"], kept, dimension=3)  # type: ignore[call-arg]
    with pytest.raises(OptionError, match=naming("threads", -1, 0, 1024)):
        encode(["a b"], kept, threads=-1)
    train(kept, preset="paper", min_count=5, **QUICK)


def test_existing_files_are_not_deleted(text: Path, kept: Path, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=naming(kept, "force=True")):
        encode(text, kept)
    encode(text, kept, force=True, min_count=9)
    assert open_encoded(kept).options.min_count == 9
    (kept / "model.safetensors").touch()
    with pytest.raises(OutputError, match=naming(kept / "model.safetensors")) as caught:
        encode(text, kept, force=True)
    assert caught.value.hint
    assert (kept / "model.safetensors").exists()
    (tmp_path / "mine").mkdir()
    encode(text, tmp_path / "mine")  # empty: fine
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "photo").touch()
    for force in (False, True):
        for place in (tmp_path / "other", text, tmp_path / "none" / "kept"):
            with pytest.raises(OutputError, match=naming(place)):
                encode(text, place, force=force)


def test_an_interrupted_encoding_leaves_nothing(text: Path, kept: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in tmp_path.iterdir())

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    def fail() -> Any:
        yield "one two"
        raise FileNotFoundError("mine")

    for name, force in (("new", False), ("kept", True)):
        with pytest.raises(KeyboardInterrupt):
            encode(text, tmp_path / name, force=force, report=interrupt)
        with pytest.raises(FileNotFoundError, match="mine"):
            encode(fail(), tmp_path / name, force=force)
        with pytest.raises(CorpusError):
            encode(["one"], tmp_path / name, force=force)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    open_encoded(kept)


def test_a_full_disk_is_named_by_the_place_that_was_given(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = os.strerror(errno.ENOSPC)

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, full)

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises(OutputError, match=naming(tmp_path, full)):
        encode(text, tmp_path / "kept")
    assert list(tmp_path.iterdir()) == [text]


def test_an_encoded_corpus_is_not_text(text: Path, kept: Path, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=naming(kept)):
        train([text, kept], **QUICK)
    with pytest.raises(CorpusError, match=naming(kept)):
        encode(kept, tmp_path / "again")
    with pytest.raises(CorpusError, match=naming(tmp_path, "hyperskip encode")):
        open_encoded(tmp_path)
    encode(tmp_path, tmp_path / "again")  # encoded corpora in the folder are left out
    assert open_encoded(tmp_path / "again").tokens.tolist() == open_encoded(kept).tokens.tolist()


def change_header(**values: Any) -> Callable[[Path], None]:
    """Change the header, with a valid checksum."""

    def change(folder: Path) -> None:
        about = json.loads((folder / ENCODED_HEADER).read_text()) | values
        about["checksum"] = corpus_folder.checksum_of(about, folder)
        (folder / ENCODED_HEADER).write_text(json.dumps(about))

    return change


def change_number(
    name: str, kind: type[Any], place: int | slice, value: int
) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        numbers = np.fromfile(folder / name, dtype=kind)
        numbers[place] = value
        numbers.tofile(folder / name)
        change_header()(folder)

    return change


@pytest.mark.parametrize(
    ("damage", "facts"),
    [
        (change_header(tokens=10**15), ["tokens.i32", 4 * 10**15]),
        (change_header(words=10**15), ["word-starts.i64", 8 * 10**15 + 8]),
        (change_header(words=-1), ["word-starts.i64", 0]),
        (change_header(words="many"), []),
        (change_header(sentences=0), ["sentence-starts.i64", 8]),
        (change_header(sentences=None), []),
        (change_header(options={"min_count": 0}), ["min_count", 0]),
        (change_header(options={"unknown": 0}), ["unknown"]),
        (change_header(options=[]), []),
        (change_header(sources=[{"path": 3}]), []),
        (change_header(given=None), []),
        (change_header(format_version=0), [0]),
        (change_header(byte_order="middle"), ["middle", sys.byteorder]),
        (change_header(format="other"), [ENCODED_HEADER]),
        (change_number("tokens.i32", np.int32, 7, 10**9), ["tokens.i32"]),
        (change_number("tokens.i32", np.int32, -1, -1), ["tokens.i32"]),
        (change_number("tokens.i32", np.int32, 7, 150), ["word-counts.i64"]),
        (change_number("sentence-starts.i64", np.int64, 3, 0), ["sentence-starts.i64"]),
        (
            change_number("sentence-starts.i64", np.int64, 0, 1),
            ["sentence-starts.i64", "tokens.i32"],
        ),
        (change_number("word-starts.i64", np.int64, 2, 10**12), ["word-starts.i64"]),
        (change_number("word-starts.i64", np.int64, slice(1, 3), 0), ["words.utf8"]),
        (change_number("words.utf8", np.uint8, 0, 0xFF), []),
        (change_number("word-counts.i64", np.int64, 0, 10**12), ["word-counts.i64", "tokens.i32"]),
        (change_number("word-counts.i64", np.int64, 1, -5), ["word-counts.i64"]),
        (lambda folder: (folder / ENCODED_HEADER).write_bytes(b"\xff\xfe"), []),
        (lambda folder: (folder / ENCODED_HEADER).write_text("[" * 100_000), []),
        (lambda folder: (folder / ENCODED_HEADER).write_text("3"), [ENCODED_HEADER]),
        (lambda folder: (folder / ENCODED_HEADER).write_text("{}"), [ENCODED_HEADER]),
        (lambda folder: (folder / "words.utf8").write_bytes(b"short"), ["words.utf8", 5]),
    ],
)
def test_damage_is_named(kept: Path, damage: Callable[[Path], None], facts: list[object]) -> None:
    damage(kept)
    with pytest.raises(CorpusError, match=naming(kept, *facts)) as caught:
        train(kept, **QUICK)
    assert not isinstance(caught.value, StaleCorpusError)
    assert caught.value.hint


def test_a_later_version_is_not_reported_as_damage(kept: Path) -> None:
    change_header(format_version=4, words=None, byte_order=3, tokens="many")(kept)
    before = {path: path.read_bytes() for path in kept.iterdir()}
    for use in (open_encoded, lambda folder: train(folder, **QUICK)):
        with pytest.raises(NewerFileError, match="has format version 4"):
            use(kept)
    with pytest.raises(OutputError, match="already"):
        encode([["other", "words"]] * 5, kept)
    assert {path: path.read_bytes() for path in kept.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "version", "stored"),
    [
        ({}, 1, {}),
        ({"tokenizer": "whitespace"}, 1, {"tokenizer": "whitespace"}),
        ({"lowercase": True}, 1, {}),
        ({"lowercase": False}, 2, {"lowercase": False}),
        ({"hyphens": "keep", "normalize": "nfc"}, 2, {"hyphens": "keep", "normalize": "nfc"}),
        ({"tokenizer": "icu"}, 2, {"tokenizer": "icu"}),
    ],
)
def test_the_header_has_a_later_version_only_for_later_options(
    text: Path, tmp_path: Path, options: dict[str, Any], version: int, stored: dict[str, Any]
) -> None:
    """Versions without these options must not take them for damage; other folders stay the same."""
    made = encode(text, tmp_path / "kept", **options)
    header = json.loads((tmp_path / "kept" / ENCODED_HEADER).read_text())
    assert header["format_version"] == version
    first = {
        "tokenizer": "paper",
        "min_count": 5,
        "column": None,
        "encoding_errors": "strict",
        "vocabulary_limit": 20_000_000,
    }
    assert header["options"] == first | stored
    assert header["rules"].keys() - {"icu"} == {"version", "unicode"}
    assert ("icu" in header["rules"]) == (options.get("tokenizer") == "icu")
    assert open_encoded(tmp_path / "kept").options.word_rules == made.options.word_rules
    vectors = train(tmp_path / "kept", **options, **QUICK)
    assert first | stored == {name: vectors.options[name] for name in first | stored}
    assert not {"lowercase", "hyphens", "normalize"} - stored.keys() & vectors.options.keys()


def test_options_of_words_must_agree(text: Path, tmp_path: Path) -> None:
    encode(text, tmp_path / "kept", lowercase=False)
    train(tmp_path / "kept", tokenizer="paper", apostrophes="split", **QUICK)
    for options in ({"lowercase": True}, {"numbers": "keep"}, {"tokenizer": "whitespace"}):
        (name,) = options
        with pytest.raises(OptionError, match=naming(f"`{name}`", "encoded")):
            train(tmp_path / "kept", **options, **QUICK)


def test_another_version_of_icu_is_noticed(
    text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encode(text, tmp_path / "kept", tokenizer="icu")
    monkeypatch.setattr(freshness, "icu_version", lambda: None)  # it is not installed
    open_encoded(tmp_path / "kept")
    monkeypatch.setattr(freshness, "icu_version", lambda: "1000.1")
    with pytest.raises(StaleCorpusError, match=naming("rules", "1000.1")):
        open_encoded(tmp_path / "kept")


def test_any_file_may_be_damaged(kept: Path) -> None:
    generator = random.Random(1)
    for path in sorted(kept.iterdir()):
        whole = path.read_bytes()
        path.write_bytes(whole[:-1])
        with pytest.raises(CorpusError):
            open_encoded(kept)
        path.write_bytes(whole + b"\0")
        with pytest.raises(CorpusError):
            open_encoded(kept)
        if not path.name.startswith("sentence"):  # they have no checksum
            for _ in range(20):
                place = generator.randrange(len(whole))
                changed = bytearray(whole)
                changed[place] ^= 1 << generator.randrange(7)
                path.write_bytes(changed)
                if path.name == ENCODED_HEADER and json_or_none(changed) == json.loads(whole):
                    continue  # white space
                with pytest.raises((CorpusError, NewerFileError)):
                    open_encoded(kept)
        path.unlink()
        with pytest.raises(CorpusError):
            open_encoded(kept)
        path.write_bytes(whole)
    open_encoded(kept)


def json_or_none(data: bytearray) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None
