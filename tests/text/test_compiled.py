"""The kernel gives the same words and ids as plain Python."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperskip.errors import CorpusError
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Piece, Sizes
from hyperskip.text.word_rules import WordRules, word_rules
from hyperskip.text.words.compiled import CompiledLexicon, CompiledScanner
from hyperskip.text.words.lexicon import Lexicon, PlainLexicon
from hyperskip.text.words.scan import Scan, Scanner, words_of

TOKENIZERS = ("paper", "whitespace")
KEPT = dict.fromkeys(("numbers", "apostrophes", "hyphens"), "keep")
RULES: tuple[dict[str, Any], ...] = (
    {"tokenizer": "paper"},
    {"tokenizer": "paper", "lowercase": False, "normalize": "nfc", **KEPT},
    {"tokenizer": "paper", "apostrophes": "keep", "hyphens": "keep"},
    {"tokenizer": "paper", "numbers": "keep", "normalize": "nfkc"},
    {"tokenizer": "whitespace"},
    {"tokenizer": "whitespace", "lowercase": True, "normalize": "nfkc"},
)
# Letters whose lower-case form is longer, shorter, several letters, or depends on adjacent letters;
# marks, joiners, digits of other scripts, all kinds of blanks, surrogates, and the ends of ranges.
HOSTILE = (
    "aZ09_'.-,’ʼ‐"
    ": \n\r\t\0\x0b\x1c\x85\xa0\xad\u2028\u3000\ufeff\u200b\u200d\u0301\u0307\u0345\u0903"
    "ÀßẞİıŉΣσςΑαΆͅǅȺKÅⅧⅷⒶⓐ²½٣५éЖжაᲐꙮꭰᎠאبहि日本ﬁ\ufffd\ud800\udfff\uffff"
    "\U00010400\U0001d400\U0001e900\U0001f600\U00020000\U000e0100\U0010ffff"
)


@pytest.fixture(scope="module", params=RULES, ids=lambda rules: "-".join(map(str, rules.values())))
def pair(request: pytest.FixtureRequest) -> tuple[Scanner, CompiledScanner]:
    rules = word_rules(request.param)
    return Scanner(rules), CompiledScanner(rules)


def assert_same(one: Scan, other: Scan) -> None:
    for name in Scan._fields:
        first, second = getattr(one, name), getattr(other, name)
        assert first.dtype == second.dtype, name
        assert first.tolist() == second.tolist(), name


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@settings(max_examples=500)
@given(text=st.text(st.sampled_from(HOSTILE) | st.sampled_from("aB1'-., "), max_size=60))
def test_hostile_text(pair: tuple[Scanner, CompiledScanner], text: str) -> None:
    plain, fast = pair
    assert_same(fast.scan(utf8(text)), plain.scan(utf8(text)))


@settings(max_examples=300)
@given(text=st.text())
def test_any_text(pair: tuple[Scanner, CompiledScanner], text: str) -> None:
    plain, fast = pair
    assert_same(fast.scan(utf8(text)), plain.scan(utf8(text)))


def test_every_code_point(pair: tuple[Scanner, CompiledScanner]) -> None:
    plain, fast = pair
    assigned = [*range(0x32400), *range(0xE0000, 0xE0200), *range(0x10FFF0, 0x110000)]
    for begin in range(0, len(assigned), 20_000):
        points = map(chr, assigned[begin : begin + 20_000])
        piece = utf8("".join(f"{point} b{point}c\nd{point}{point} " for point in points))
        assert_same(fast.scan(piece), plain.scan(piece))


def test_more_distinct_words_than_in_ordinary_text(
    pair: tuple[Scanner, CompiledScanner],
) -> None:
    plain, fast = pair
    piece = utf8(" ".join(f"w{i:x}" for i in range(60_000)) + " w1 w2")
    assert_same(fast.scan(piece), plain.scan(piece))


def words_in(lexicon: Lexicon, ids: npt.NDArray[np.int64]) -> list[str]:
    return list(words_of(*lexicon.spelled(ids)))


WORDS = st.sampled_from(["", "\n", "a", "b", "ab", "ba", "é", "\ud800", "日本", "word " * 9])
PIECES = st.lists(st.lists(st.lists(WORDS, max_size=6), max_size=4), max_size=8)


@settings(max_examples=200)
@given(before=PIECES, after=PIECES, data=st.data())
def test_the_lexicon(before: list[Piece], after: list[Piece], data: st.DataObject) -> None:
    scanner = Scanner(WordRules())
    first, plain = PlainLexicon(), PlainLexicon()
    for piece in before:
        first.add(scanner.scan(piece))
        plain.add(scanner.scan(piece))
    fast = CompiledLexicon(first)
    for pieces in (after, before, after):
        for piece in pieces:
            assert fast.add(scanner.scan(piece)).tolist() == plain.add(scanner.scan(piece)).tolist()
        size = len(plain.counts)
        assert fast.counts.tolist() == plain.counts.tolist()
        assert fast.lengths.tolist() == plain.lengths.tolist()
        assert fast.letter_bytes == plain.letter_bytes == sum(plain.lengths)
        assert words_in(fast, np.arange(size)) == words_in(plain, np.arange(size))
        kept = np.array(
            sorted(data.draw(st.sets(st.integers(0, size - 1)))) if size else [], dtype=np.int64
        )
        fast.keep(kept)
        plain.keep(kept)


def test_the_lexicon_grows() -> None:
    scanner = Scanner(word_rules({"tokenizer": "whitespace"}))
    plain, fast = PlainLexicon(), CompiledLexicon(PlainLexicon())
    for begin in range(0, 200_000, 40_000):
        scan = scanner.scan(utf8(" ".join(f"w{i}" for i in range(begin, begin + 50_000))))
        assert fast.add(scan).tolist() == plain.add(scan).tolist()
    everything = np.arange(210_000)
    assert words_in(fast, everything) == words_in(plain, everything)


def everything_in(corpus: EncodedCorpus) -> tuple[Any, ...]:
    return (
        corpus.vocabulary.words,
        corpus.vocabulary.counts.tolist(),
        corpus.tokens.tolist(),
        corpus.sentence_starts.tolist(),
        corpus.pruned,
    )


def results(
    corpus: Callable[[], Any], folder: Path, piece_bytes: int = 1 << 20, **options: Any
) -> list[tuple[Any, ...]]:
    """Encode with Python alone, then with the kernel on several numbers of threads."""
    found = []
    text_options = TextOptions(**{"min_count": 1, **options})
    for small, threads in ((1 << 60, 1), (0, 1), (0, 2), (0, 7), (300, 2)):
        sizes = Sizes(piece_bytes=piece_bytes, small_bytes=small)
        made = encode_into(corpus(), text_options, folder, threads=threads, sizes=sizes)
        found.append(everything_in(made))
    return found


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("size", [1, 7, 100, 1 << 20])
def test_files_in_pieces(tmp_path: Path, tokenizer: str, size: int) -> None:
    generator = random.Random(size)
    letters = HOSTILE.encode("utf-8", "ignore").decode()
    text = "".join(generator.choices(letters, k=4000)) + "\r\nΟΔΟΣ.\nΑ İx\n\n\n last"
    (tmp_path / "one").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (tmp_path / "two").write_bytes(text.encode()[::-1])  # invalid UTF-8
    found = results(
        lambda: [tmp_path / "one", tmp_path / "two"],
        tmp_path,
        size,
        tokenizer=tokenizer,
        encoding_errors="replace",
    )
    assert len(found[0][2]) > 100
    assert all(result == found[0] for result in found)


def test_documents_of_every_kind(tmp_path: Path) -> None:
    documents = [
        "one two\nthree",
        ["as", "it is", "\n", ""],
        "ΟΔΟΣ \ud800x",
        "",
        ["one"],
        "two one",
    ]
    found = results(lambda: documents * 200, tmp_path, tokenizer="whitespace")
    assert all(result == found[0] for result in found)
    assert found[0][0][:2] == ("one", "two")


def test_errors_are_the_same_with_threads(tmp_path: Path) -> None:
    path, sizes = tmp_path / "bad.txt", Sizes(piece_bytes=100, small_bytes=200)
    path.write_bytes(b"good words here\n" * 100 + b"bad \xff byte\n" * 100)
    with pytest.raises(CorpusError, match=naming(path, "UTF-8", "0xff", 1604)):
        encode_into(path, TextOptions(), tmp_path, threads=3, sizes=sizes)


def test_the_kernel_runs_without_the_compiler() -> None:
    code = (
        "from hyperskip.text.words.compiled import *; from hyperskip.text.words.lexicon import *;"
        "text = 'Ünï 日本語 \U00010400\U00010400 ΟΔΟΣ two two\\n'.encode();"
        "scanner, lexicon = compiled(WordRules(), PlainLexicon()); scan = scanner.scan(text);"
        "ids = lexicon.add(scan); lexicon.keep(ids[-1:]); "
        "assert lexicon.spelled(ids[:1])[0].tobytes() == b'two';"
        "print([a.tolist() for a in scan] == [a.tolist() for a in Scanner(WordRules()).scan(text)])"
    )
    command = [sys.executable, "-W", "ignore:overflow", "-c", code]  # a hash overflows on purpose
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.stdout == "True\n", done.stderr


def test_pruning_does_not_depend_on_threads(tmp_path: Path) -> None:
    generator = random.Random(1)
    lines = (
        " ".join(f"w{int(generator.paretovariate(0.4)) % 20_000}" for _ in range(20))
        for _ in range(2000)
    )
    (tmp_path / "text").write_text("\n".join(lines))
    found = results(lambda: tmp_path / "text", tmp_path, 2000, vocabulary_limit=1000)
    assert all(result == found[0] for result in found)
    words, counts, tokens, _, pruned = found[0]
    assert len(words) <= 1400  # a piece may add a few hundred at once
    assert pruned.words > 1000
    assert np.bincount(tokens).tolist() == counts
    assert len(tokens) + pruned.tokens == 40_000
    assert 1 <= pruned.highest_count < counts[100]


def test_pruning_by_letters_does_not_depend_on_threads(tmp_path: Path) -> None:
    generator = random.Random(1)
    words = ["".join(generator.choices("abcé", k=generator.randrange(2, 2000))) for _ in range(300)]
    (tmp_path / "text").write_text(" ".join(generator.choices(words, k=1000)), encoding="utf-8")
    found = results(lambda: tmp_path / "text", tmp_path, 2000, vocabulary_limit=1000)
    assert all(result == found[0] for result in found)
    assert sum(len(word.encode()) for word in found[0][0]) < 32_000 + 10_000
    assert found[0][4].words > 300
