"""Phrases in encoded corpora and in trainings: options, what is stored, and freshness."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

import hyperskip
from hyperskip.errors import (
    CorpusError,
    CorpusWarning,
    NewerFileError,
    OptionError,
    StaleCorpusError,
)
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions

TEXT = ["in new york", "new york was big", "the new house", "york is old", "big old house"] * 5
FOUND: dict[str, Any] = {"phrases": True, "phrase_threshold": 0.4}
QUICK: dict[str, Any] = {"dimension": 3, "epochs": 1, "threads": 1, "subsample": 0}


@pytest.fixture
def phrase_file(tmp_path: Path) -> Path:
    path = tmp_path / "phrases.tsv"
    hyperskip.find_phrases(TEXT, phrase_threshold=0.4).save(path)
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT))
    return path


def sentences_of(corpus: EncodedCorpus) -> list[str]:
    words = corpus.vocabulary.words
    ends = pairwise(corpus.sentence_starts)
    return [" ".join(words[i] for i in corpus.tokens[begin:end]) for begin, end in ends]


def header_of(folder: Path) -> dict[str, Any]:
    header: dict[str, Any] = json.loads((folder / ENCODED_HEADER).read_text())
    return header


def test_phrases_are_words_of_the_corpus(tmp_path: Path) -> None:
    corpus = hyperskip.encode(TEXT, tmp_path / "kept", min_count=1, **FOUND)
    assert sentences_of(corpus)[:3] == ["in new_york", "new_york was big", "the new house"]
    counts = dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.tolist(), strict=True))
    assert (counts["new_york"], counts["new"], counts["york"]) == (10, 5, 5)


def test_rare_words_are_dropped_after_joining(tmp_path: Path) -> None:
    corpus = hyperskip.encode(TEXT, tmp_path / "kept", min_count=6, **FOUND)
    assert set(corpus.vocabulary.words) == {"new_york", "big", "house", "old"}


def test_a_file_of_phrases_joins_the_same(tmp_path: Path, phrase_file: Path) -> None:
    found = hyperskip.encode(TEXT, tmp_path / "found", min_count=1, **FOUND)
    given = hyperskip.encode(TEXT, tmp_path / "given", min_count=1, phrase_file=str(phrase_file))
    assert sentences_of(found) == sentences_of(given)
    assert found.vocabulary.words == given.vocabulary.words
    large = hyperskip.encode(TEXT * 2000, tmp_path / "large", phrase_file=str(phrase_file))
    assert sentences_of(large) == sentences_of(found) * 2000


def test_words_of_a_file_that_the_text_does_not_have(tmp_path: Path) -> None:
    path = tmp_path / "phrases.txt"
    path.write_text("san francisco\nnew house\nthe new house party\n")
    corpus = hyperskip.encode(TEXT, tmp_path / "kept", min_count=1, phrase_file=str(path))
    assert "new_house" in corpus.vocabulary.words
    assert not {"san", "party", "san_francisco"} & set(corpus.vocabulary.words)
    with (
        pytest.warns(CorpusWarning, match="none of the phrases"),
        pytest.raises(CorpusError, match="only one distinct word"),
    ):
        hyperskip.encode([["a", "a"]] * 9, tmp_path / "one", min_count=1, phrase_file=str(path))


@pytest.mark.parametrize("content", ["", "words\tscore\n", "New York\n"])
@pytest.mark.parametrize("copies", [1, 2000])  # plain, compiled
def test_a_file_without_phrases_of_the_text_is_reported(
    tmp_path: Path, content: str, copies: int
) -> None:
    path = tmp_path / "phrases.txt"
    path.write_text(content)
    with pytest.warns(CorpusWarning, match=naming("no words are joined", "`phrase_file`")):
        hyperskip.encode(TEXT * copies, tmp_path / "kept", phrase_file=str(path))


def test_words_with_the_delimiter_are_the_same_as_phrases(tmp_path: Path) -> None:
    documents = [["new", "york", "big"], ["new_york", "old"]] * 9 + [["new"], ["york"]] * 3
    options: dict[str, Any] = {"phrases": True, "phrase_threshold": 0.5}
    corpus = hyperskip.encode(documents, tmp_path / "kept", min_count=1, **options)
    assert dict(zip(corpus.vocabulary.words, corpus.vocabulary.counts.tolist(), strict=True)) == {
        "new_york": 18,
        "big": 9,
        "old": 9,
        "new": 3,
        "york": 3,
    }


def test_what_is_stored(tmp_path: Path, phrase_file: Path) -> None:
    hyperskip.encode(TEXT, tmp_path / "plain")
    hyperskip.encode(TEXT, tmp_path / "found", **FOUND, phrase_connectors="of the")
    hyperskip.encode(TEXT, tmp_path / "given", phrase_file=phrase_file)  # type: ignore[arg-type]
    plain, found, given = (header_of(tmp_path / name) for name in ("plain", "found", "given"))
    assert [each["format_version"] for each in (plain, found, given)] == [1, 3, 3]
    assert found["options"] == plain["options"] | {
        "phrases": True,
        "phrase_threshold": 0.4,
        "phrase_connectors": "of the",
    }
    assert given["options"] == plain["options"] | {"phrase_file": str(phrase_file)}
    assert given["phrase_file"]["path"] == str(phrase_file)
    assert "phrase_file" not in found
    for name in ("found", "given"):
        opened = hyperskip.open_encoded(tmp_path / name)
        vectors = hyperskip.train(opened, **QUICK)
        assert vectors.options | header_of(tmp_path / name)["options"] == vectors.options
        vectors.save(tmp_path / "model.safetensors")
        assert hyperskip.load(tmp_path / "model.safetensors").options == vectors.options


def test_options_must_be_those_of_the_encoded_corpus(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    hyperskip.encode(TEXT, folder, **FOUND)
    hyperskip.train(folder, **FOUND, **QUICK)
    with pytest.raises(OptionError, match=naming("`phrase_threshold`", "2.0", "0.4")):
        hyperskip.train(folder, **FOUND | {"phrase_threshold": 2.0}, **QUICK)
    hyperskip.encode(TEXT, tmp_path / "default", phrases=True)
    hyperskip.train(tmp_path / "default", phrases=True, phrase_threshold=10.0, **QUICK)


def test_a_changed_phrase_file_makes_a_corpus_stale(
    tmp_path: Path, text: Path, phrase_file: Path
) -> None:
    folder = tmp_path / "kept"
    hyperskip.encode(text, folder, phrase_file=str(phrase_file))
    hyperskip.open_encoded(folder)
    with phrase_file.open("a") as file:
        file.write("old house\n")
    with pytest.raises(StaleCorpusError, match=naming("phrases.tsv", "--force")):
        hyperskip.open_encoded(folder)
    phrase_file.unlink()
    hyperskip.open_encoded(folder)


def test_a_phrase_file_is_the_same_by_any_path(
    tmp_path: Path, phrase_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    corpus = hyperskip.encode(TEXT * 5, "kept", min_count=1, phrase_file=phrase_file.name)
    options: dict[str, Any] = {"dimension": 2, "epochs": 1, "checkpoints": "checkpoints"}
    link = tmp_path / "link.tsv"
    link.symlink_to(phrase_file)
    for number, path in enumerate((f"./{phrase_file.name}", str(phrase_file), link.name)):
        hyperskip.train(corpus, **options, phrase_file=path, resume=number > 0)
    for path in (f"./{phrase_file.name}", str(phrase_file)):  # of text that is not encoded
        hyperskip.train(TEXT * 5, **options, min_count=1, phrase_file=path, resume=True)
    other = tmp_path / "other.tsv"
    other.write_text("old house\n")
    with pytest.raises(OptionError, match=naming("`phrase_file`", "other.tsv")):
        hyperskip.train(corpus, **options, phrase_file=str(other), resume=True)
    with pytest.raises(OptionError, match=naming("`phrase_file`", "other.tsv")):
        hyperskip.train(TEXT * 5, **options, min_count=1, phrase_file=str(other), resume=True)


def test_a_missing_phrase_file_is_reported_before_the_text_is_read(tmp_path: Path) -> None:
    def documents() -> Any:
        raise AssertionError("the text was read")
        yield

    with pytest.raises(CorpusError, match=naming("missing.tsv")):
        hyperskip.encode(documents(), tmp_path / "kept", phrase_file="missing.tsv")
    with pytest.raises(CorpusError, match=naming("missing.tsv")):
        hyperskip.train(documents(), phrase_file="missing.tsv")
    assert not (tmp_path / "kept").exists()


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("phrase_score", "npmi"),
        ("phrase_threshold", 5.0),
        ("phrase_min_count", 2),
        ("phrase_connectors", "english"),
        ("phrase_passes", 2),
        ("phrase_limit", 1000),
    ],
)
def test_options_that_need_phrases(option: str, value: Any) -> None:
    with pytest.raises(OptionError, match=naming(f"`{option}={value!r}`", "`phrases=True`")):
        TextOptions(**{option: value})
    with pytest.raises(
        OptionError, match=naming(f"`{option}={value!r}`", "`phrases=True`")
    ) as error:
        TextOptions(**{option: value}, phrase_file="phrases.tsv")
    assert "add" not in str(error.value)  # both cannot be given together
    assert getattr(TextOptions(**{option: value}, phrases=True), option) == value


def test_options_that_contradict_each_other() -> None:
    with pytest.raises(OptionError, match=naming("`phrases=True`", "`phrase_file`", "together")):
        TextOptions(phrases=True, phrase_file="phrases.tsv")
    with pytest.raises(OptionError, match=naming("`phrase_file`", "path")):
        TextOptions(phrase_file=5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=naming("`phrase_passes`", "between 1 and 10", "11")):
        TextOptions(phrases=True, phrase_passes=11)
    assert repr(TextOptions(phrases=True)) == "TextOptions(phrases=True)"


def test_other_phrases_than_those_of_an_encoded_text(tmp_path: Path) -> None:
    plain = hyperskip.encode(TEXT, tmp_path / "plain")
    for name, value in (("phrases", True), ("phrase_file", "phrases.tsv")):
        options: dict[str, Any] = {name: value}
        with pytest.raises(OptionError, match=naming("encoded without it", f"leave out `{name}`")):
            hyperskip.train(plain, **options, **QUICK)


def test_training_resumes_with_phrases(tmp_path: Path) -> None:
    options = QUICK | FOUND | {"min_count": 1, "checkpoints": tmp_path / "checkpoints"}
    whole = hyperskip.train(TEXT, **options)
    again = hyperskip.train(TEXT, resume=True, **options)
    np.testing.assert_array_equal(whole.coordinates, again.coordinates)
    assert "new_york" in again.words
    with pytest.raises(OptionError):
        hyperskip.train(TEXT, resume=True, **options | {"phrase_threshold": 100.0})


@pytest.mark.filterwarnings("ignore:there are only 2 relations")
def test_relations_are_found_in_the_same_text(tmp_path: Path) -> None:
    path = tmp_path / "phrases.txt"
    path.write_text("polar bear\npolar bears\n")
    text = ["Animals such as polar bears and dogs.", "A polar bear and other animals."] * 20
    options: dict[str, Any] = {"min_count": 1, "phrase_file": str(path)}
    vectors = hyperskip.train(text, hierarchy=True, **options, **QUICK)
    assert {"polar_bear", "polar_bears"} <= set(vectors.words)
    assert vectors.has_hierarchy
    assert "animals" in [kind.word for kind in vectors.hypernyms("polar bear")]


def test_a_phrase_is_looked_up_with_blanks() -> None:
    vectors = hyperskip.train(TEXT, min_count=1, **FOUND, **QUICK)
    np.testing.assert_array_equal(vectors["New York"], vectors["new_york"])
    assert vectors.neighbors("new york") == vectors.neighbors("new_york")
    assert vectors.analogy("new york", "big", "old") == vectors.analogy("new_york", "big", "old")


def test_a_folder_of_a_later_version_is_not_damaged(tmp_path: Path) -> None:
    hyperskip.encode(TEXT, tmp_path / "kept", **FOUND)
    path = tmp_path / "kept" / ENCODED_HEADER
    path.write_text(path.read_text().replace('"format_version": 3', '"format_version": 4'))
    with pytest.raises(NewerFileError):
        hyperskip.open_encoded(tmp_path / "kept")
