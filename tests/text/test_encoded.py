import errno
import os
import tracemalloc
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from plans import corpus_of

from hyperskip.errors import CorpusError, OutputError
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.encoding.encoding_events import EncodingEvent, EncodingProgress
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes


def sentences_of(corpus: EncodedCorpus) -> list[list[str]]:
    words = corpus.vocabulary.words
    starts = corpus.sentence_starts
    return [[words[i] for i in corpus.tokens[begin:end]] for begin, end in pairwise(starts)]


def encode_plain(
    corpus: Any, folder: Path, sizes: Sizes = DEFAULT_SIZES, **options: Any
) -> EncodedCorpus:
    return encode_into(corpus, TextOptions(**{"min_count": 1, **options}), folder, sizes=sizes)


def test_words_are_counted_and_ordered(tmp_path: Path) -> None:
    corpus = encode_plain(["the cat saw the dog", "", "the dog ran"], tmp_path)
    assert corpus.vocabulary.words == (
        "the",
        "dog",
        "cat",
        "saw",
        "ran",
    )  # ties: first seen first
    assert corpus.vocabulary.counts.tolist() == [3, 2, 1, 1, 1]
    assert corpus.vocabulary.total == 8
    assert sentences_of(corpus) == [["the", "cat", "saw", "the", "dog"], ["the", "dog", "ran"]]
    assert isinstance(corpus.tokens, np.memmap)
    assert isinstance(corpus.sentence_starts, np.memmap)


def test_the_repr_is_short(tmp_path: Path) -> None:
    corpus = encode_plain(["the cat saw the dog", "the dog ran"], tmp_path)
    shown = repr(corpus)
    assert shown == f"EncodedCorpus(words=5, tokens=8, sentences=2, folder={str(tmp_path)!r})"
    assert repr(corpus.vocabulary) == "Vocabulary(words=5, tokens=8)"


def test_rare_words_and_sentences_of_rare_words_are_dropped(tmp_path: Path) -> None:
    corpus = encode_plain(["aa bb cc", "dd ee", "cc bb", "ff"], tmp_path, min_count=2)
    assert sentences_of(corpus) == [["bb", "cc"], ["cc", "bb"]]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sentence-starts.i64", "tokens.i32"]


@settings(max_examples=60)
@given(
    st.lists(st.lists(st.sampled_from("aa bb cc dd ee ff gg".split()), max_size=12), min_size=1),
    st.integers(1, 4),
    st.integers(1, 9),
)
def test_encoding_equals_a_literal_filter(
    tmp_path_factory: pytest.TempPathFactory, sentences: list[list[str]], least: int, flush: int
) -> None:
    counts: dict[str, int] = {}
    for word in (word for sentence in sentences for word in sentence):
        counts[word] = counts.get(word, 0) + 1
    kept = [[word for word in sentence if counts[word] >= least] for sentence in sentences]
    expected = [sentence for sentence in kept if sentence]
    folder, sizes = tmp_path_factory.mktemp("corpus"), Sizes(tokens_in_memory=flush)
    if len({word for sentence in kept for word in sentence}) < 2:
        with pytest.raises(CorpusError):
            encode_plain(sentences, folder, sizes, min_count=least)
    else:
        assert sentences_of(encode_plain(sentences, folder, sizes, min_count=least)) == expected


def test_files_strings_tokens_and_generators_give_the_same(tmp_path: Path) -> None:
    lines = ["the cat sat on the mat", "the dog sat"]
    one, two = tmp_path / "one.txt", tmp_path / "two.txt"
    one.write_text(lines[0])
    two.write_text(lines[1])
    sources: list[Any] = [
        lines,
        (line for line in lines),
        [line.split() for line in lines],
        [tuple(line.split()) for line in lines],
        [one, two],
        f"{tmp_path}/*.txt",
    ]
    results = []
    for i, source in enumerate(sources):
        folder = tmp_path / f"out{i}"
        folder.mkdir()
        results.append(sentences_of(encode_plain(source, folder)))
    assert all(result == [line.split() for line in lines] for result in results)


def test_token_lists_are_not_tokenized_again(tmp_path: Path) -> None:
    corpus = encode_plain([["New York", "3rd", "a"], ["", "\n", "a"]], tmp_path)
    assert sentences_of(corpus) == [["New York", "3rd", "a"], ["", "\n", "a"]]


def test_a_single_line_is_a_single_sentence(tmp_path: Path) -> None:
    (tmp_path / "text8").write_text("one two three " * 200_000)  # several chunks
    corpus = encode_plain(tmp_path / "text8", tmp_path)
    assert corpus.sentence_starts.tolist() == [0, 600_000]


@pytest.mark.parametrize(
    ("corpus", "options", "facts"),
    [
        ([], {}, []),
        (5, {}, ["int"]),
        ([Path(__file__), 5], {}, ["int"]),
        (["", "  "], {}, ["tokenizer='whitespace'"]),
        (["1 2 3"], {}, ["tokenizer='whitespace'"]),
        (["word word"], {}, []),
        (["the cat sat"], {"min_count": 9}, [9, 0, 3, "min_count"]),
        ([["a", 3.5]], {}, ["document 0", "3.5 (float)", "token 1"]),
        ([b"bytes"], {}, ["bytes"]),
        ([None, "x"], {}, ["document 0", "None"]),
        (["text here", None], {}, ["document 1", "None"]),
    ],
)
def test_corpora_that_cannot_be_used(
    tmp_path: Path, corpus: Iterable[Any], options: dict[str, Any], facts: list[object]
) -> None:
    with pytest.raises(CorpusError, match=naming(*facts)) as caught:
        encode_plain(corpus, tmp_path, **options)
    assert caught.value.hint


def test_a_list_of_file_names_is_not_a_list_of_texts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text")
    with pytest.raises(CorpusError, match=naming(tmp_path / "a.txt", "pathlib.Path")):
        encode_plain([str(tmp_path / "a.txt")], tmp_path)


@pytest.mark.parametrize("corpus", ["word " * 2000, "two\nlines", "\0"])
def test_a_text_is_not_a_path(tmp_path: Path, corpus: str) -> None:
    with pytest.raises(CorpusError, match=naming("train([text])")):
        encode_plain(corpus, tmp_path)


def test_a_long_first_document_is_not_a_file_name(tmp_path: Path) -> None:
    corpus = encode_plain(["日本語 " * 60, "日本語 です"], tmp_path)
    assert corpus.vocabulary.words == ("日本語", "です")


def test_errors_of_the_users_own_iterable_pass_through(tmp_path: Path) -> None:
    def documents() -> Iterable[str]:
        yield "one two"
        raise FileNotFoundError("mine")

    with pytest.raises(FileNotFoundError, match="mine"):
        encode_plain(documents(), tmp_path)


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=naming(tmp_path)):
        encode_plain(["one two"], tmp_path / "none")

    (tmp_path / "provisional-tokens.i32").symlink_to("/dev/full")
    with pytest.raises(OutputError, match=naming(os.strerror(errno.ENOSPC), "TMPDIR")):
        encode_plain([["one", "two"]] * 10_000, tmp_path)


def test_memory_holds_the_vocabulary_and_not_the_corpus(tmp_path: Path) -> None:
    sizes, options = Sizes(tokens_in_memory=10_000), TextOptions(min_count=1)
    line = " ".join(f"word{i}" for i in range(1000))

    def peak(lines: int) -> int:
        tracemalloc.start()
        try:
            text = (line for _ in range(lines))
            # Each thread holds a piece.
            corpus = encode_into(text, options, tmp_path, threads=2, sizes=sizes)
            assert len(corpus.tokens) == lines * 1000
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(300)  # loads modules
    assert peak(2000) < peak(500) + 1_000_000  # less than the 6 MB of additional integers


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("some words here\n" * 200_000)
    seen: list[EncodingEvent] = []
    encode_into(path, TextOptions(), tmp_path, seen.append)
    assert isinstance(seen[-1], EncodingProgress)
    assert seen[-1].bytes_read == seen[-1].bytes_total == path.stat().st_size
    assert seen[-1].tokens == 600_000


def test_the_checksum_is_the_one_that_checkpoints_and_experiments_store() -> None:
    stored = "17d50da13d173425f19f13c17db214af3a4c8858c396b0e62b83e2ba23f39c5c"
    assert corpus_of([3, 5, 7] * 1000).checksum() == stored
    assert corpus_of([3, 5, 8] * 1000).checksum() != stored
