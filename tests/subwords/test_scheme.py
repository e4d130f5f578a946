"""The n-grams of words and their buckets: known answers, and the kernel against its twin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperskip import InputError
from hyperskip.subwords import scheme as scheme_module
from hyperskip.subwords.hashes import fnv1a, murmur3
from hyperskip.subwords.ngrams import ngrams
from hyperskip.subwords.scheme import SubwordScheme

SCHEMES = [
    SubwordScheme(shortest=3, longest=6, buckets=2_000_000),
    SubwordScheme(shortest=1, longest=2, buckets=7),
    SubwordScheme(shortest=5, longest=5, buckets=1),
    SubwordScheme(shortest=3, longest=6, buckets=2**31),
    SubwordScheme(shortest=3, longest=6, buckets=50_000, hashes=2),
    SubwordScheme(shortest=2, longest=40, buckets=1000, hashes=4),
]


def test_ngrams_of_a_word() -> None:
    assert list(ngrams("dog", 3, 4)) == ["<do", "<dog", "dog", "dog>", "og>"]


def test_a_mark_alone_is_not_an_ngram() -> None:
    assert list(ngrams("ab", 1, 2)) == ["<a", "a", "ab", "b", "b>"]


def test_a_short_word_may_have_no_ngrams() -> None:
    assert list(ngrams("a", 4, 6)) == []
    assert list(ngrams("", 3, 6)) == []


def test_characters_are_code_points() -> None:
    assert list(ngrams("über", 3, 3)) == ["<üb", "übe", "ber", "er>"]
    assert list(ngrams("e\u0301", 3, 3)) == ["<e\u0301", "e\u0301>"]


# The order is that of fastText 0.9.2, and the buckets are those of its get_subwords.
FASTTEXT_BUCKETS = {
    "dog": [494342, 302387, 1410679, 1623817, 1002517, 431263],
    "über": [
        *(1793082, 1664269, 716781, 820905, 255527, 904527, 1599331, 485366, 900056, 742840),
    ],
    "a": [1087600],
}
# Values of MurmurHash3 as spaCy 3.8 and floret 0.10 use it.
MURMUR_VALUES = {
    "": [3262466624, 277172068, 371838263, 1319709105],
    "<do": [3572789708, 3706471346, 1243318337, 2723766675],
    "über": [4223525188, 3326046326, 901689158, 1066209231],
    "a" * 15: [3962637220, 795055802, 2105126950, 3960111576],
    "b" * 16: [1247364718, 279477725, 2085016122, 2153482247],
    "c" * 33: [513865767, 2758970243, 2199981795, 4189275505],
}


@pytest.mark.parametrize("word", FASTTEXT_BUCKETS)
def test_buckets_are_those_of_fasttext(word: str) -> None:
    scheme = SubwordScheme(shortest=3, longest=6, buckets=2_000_000)
    assert scheme.buckets_of([word]).buckets.tolist() == FASTTEXT_BUCKETS[word]


@pytest.mark.parametrize("text", MURMUR_VALUES)
def test_murmur3(text: str) -> None:
    assert murmur3(text.encode(), 4) == MURMUR_VALUES[text]
    assert murmur3(text.encode(), 1) == MURMUR_VALUES[text][:1]


def test_the_whole_word_comes_first_with_the_hashes_of_floret() -> None:
    scheme = SubwordScheme(shortest=3, longest=6, buckets=1000, hashes=2)
    buckets = scheme.buckets_of(["dog"]).buckets.tolist()
    assert buckets[:2] == [value % 1000 for value in murmur3(b"<dog>", 2)]
    assert len(buckets) == 2 * (1 + 6)
    assert not scheme.has_word_rows


def test_fnv1a_extends_the_sign_of_bytes() -> None:
    plain = 2166136261 ^ 0xFFFFFFC3
    assert fnv1a(b"\xc3") == plain * 16777619 % 2**32


def assert_twins_agree(scheme: SubwordScheme, words: list[str]) -> None:
    plain = scheme.buckets_of(words)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scheme_module, "_FEW_BYTES", -1)
        compiled = scheme.buckets_of(words)
    assert compiled.starts.tolist() == plain.starts.tolist()
    assert compiled.buckets.tolist() == plain.buckets.tolist()
    assert compiled.buckets.dtype == plain.buckets.dtype == np.int64


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_kernel_agrees_with_plain_python_on_unusual_words(scheme: SubwordScheme) -> None:
    words = [
        "",
        "a",
        "dog",
        "日本語",
        "e\u0301\u0301",
        "\u0301",
        "\ud800x",
        "שלום",
        "👩‍👩‍👧",
        "x" * 70,
    ]
    assert_twins_agree(scheme, words)
    assert_twins_agree(scheme, [])


@given(st.lists(st.text(max_size=30), max_size=5), st.sampled_from(SCHEMES))
def test_the_kernel_agrees_with_plain_python(words: list[str], scheme: SubwordScheme) -> None:
    assert_twins_agree(scheme, words)


def test_a_word_of_a_megabyte() -> None:
    scheme = SubwordScheme(shortest=3, longest=6, buckets=1000)
    starts, buckets = scheme.buckets_of(["x" * 1_000_000])
    assert starts.tolist() == [0, len(buckets)]
    assert len(buckets) == sum(1_000_002 - n + 1 for n in range(3, 7))
    assert len(set(buckets.tolist())) < 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shortest": 0}, "`shortest` of subwords must be between 1 and 100, got 0"),
        ({"shortest": 7}, "`longest` of subwords must be between 7 and 100, got 6"),
        ({"shortest": 1, "hashes": 1}, "`shortest` of subwords must be between 2 and 100, got 1"),
        ({"buckets": 0}, "`buckets` of subwords must be between 1 and 2147483648, got 0"),
        ({"hashes": 5}, "`hashes` of subwords must be between 0 and 4, got 5"),
        ({"longest": 6.0}, "`longest` of subwords must be a whole number, got 6.0"),
        ({"longest": True}, "`longest` of subwords must be a whole number, got True"),
    ],
)
def test_bad_numbers_are_refused(change: dict[str, int], message: str) -> None:
    numbers = {"shortest": 3, "longest": 6, "buckets": 1000} | change
    with pytest.raises(InputError, match=message):
        SubwordScheme(**numbers)


def test_one_word_with_very_many_ngrams_is_left_to_the_kernel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_slow(*_: object) -> None:
        raise AssertionError("plain Python would take many seconds")

    scheme = SubwordScheme(shortest=1, longest=100, buckets=1000)
    monkeypatch.setattr(SubwordScheme, "_buckets_of_word", too_slow)
    starts, buckets = scheme.buckets_of(["x" * 5000])
    assert starts.tolist() == [0, len(buckets)]
