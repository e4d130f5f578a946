"""The tokenizers and their options."""

from typing import Any

import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st

import hyperskip
from hyperskip.errors import CorpusError, OptionError
from hyperskip.text.options import TextOptions
from hyperskip.text.word_rules import WordRules, word_rules
from hyperskip.text.words import tokens
from hyperskip.text.words.tokens import (
    paper_tokens,
    recorded_tokenizer,
    tokenizer_for,
    whitespace_tokens,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The CAT sat.", ["the", "cat", "sat"]),
        ("3rd 42 2nd", []),
        ("a I x", []),
        ("b2b c3po 4you", ["b2b", "c3po"]),
        ("state-of-the-art", ["state", "of", "the", "art"]),
        ("It's", ["it"]),
        ("snake_case", ["snake", "case"]),
        ("Zürich, Škoda; naïve ÉTÉ", ["zürich", "škoda", "naïve", "été"]),
        ("Москва — столица", ["москва", "столица"]),
        ("日本語 です", ["日本語", "です"]),
        ("हिन्दी", ["हिन्दी"]),  # vowel signs are marks and belong to their letters
        ("e\u0301te\u0301", ["e\u0301te\u0301"]),  # so are decomposed accents
        ("٣rd ٤٢", []),  # digits of any script
        ("", []),
        ("\x00\ufffd \u200b", []),
    ],
)
def test_the_paper_tokenizer(text: str, expected: list[str]) -> None:
    assert paper_tokens(text) == expected


@settings(max_examples=300)
@given(st.text(st.characters(codec="ascii")))
def test_the_ascii_rule_equals_the_unicode_rule(text: str) -> None:
    assert paper_tokens(text) == tokens._UNICODE_WORD.findall(text.lower())


@settings(max_examples=300)
@given(st.text())
def test_paper_tokens_obey_the_paper(text: str) -> None:
    for token in paper_tokens(text):
        assert len(token) >= 2
        assert token == token.lower()
        assert not token[0].isdigit()
        assert not any(character.isspace() for character in token)


def test_text_of_one_letter_words_says_that_they_are_too_short() -> None:
    with pytest.raises(CorpusError, match=naming("`tokenizer='paper'`", "two letters or digits")):
        hyperskip.train(["a b"])
    with pytest.raises(CorpusError) as error:
        hyperskip.train([""], tokenizer="whitespace")
    assert "letters" not in str(error.value)


def test_whitespace_keeps_everything_between_blanks() -> None:
    text = " It's  3rd\tA_b\u00a0c item_1 B00-XYZ1 "
    assert whitespace_tokens(text) == ["It's", "3rd", "A_b", "c", "item_1", "B00-XYZ1"]
    lower = recorded_tokenizer({"tokenizer": "whitespace", "lowercase": True})
    assert lower(text) == ["it's", "3rd", "a_b", "c", "item_1", "b00-xyz1"]


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ({"lowercase": False}, "The US, us", ["The", "US", "us"]),
        ({"lowercase": False}, "ÉTÉ été", ["ÉTÉ", "été"]),
        ({"numbers": "keep"}, "In 1984, the 3rd of 7", ["in", "1984", "the", "3rd", "of"]),
        ({"numbers": "keep"}, "3.14 1,000.5 10. 2,x ٤٢", ["3.14", "1,000.5", "10", "٤٢"]),
        ({"numbers": "keep"}, "v1.2 a.b", ["v1.2"]),
        ({"apostrophes": "keep"}, "Don't! l’homme 'tis dogs'", ["don't", "l'homme", "tis", "dogs"]),
        ({"apostrophes": "keep"}, "п'ять п’ять пʼять", ["п'ять"] * 3),
        ({"apostrophes": "keep"}, "rock'n'roll well-known", ["rock'n'roll", "well", "known"]),
        ({"apostrophes": "keep"}, "3'rd a''bc", ["bc"]),
        ({"hyphens": "keep"}, "well-known -- x‐ray pre-", ["well-known", "x-ray", "pre"]),
        ({"hyphens": "keep"}, "B00-XYZ1", ["b00-xyz1"]),
        ({"hyphens": "keep"}, "20-year-old it's", ["it"]),
        ({"hyphens": "keep", "numbers": "keep"}, "20-year-old 3.5-in", ["20-year-old", "3.5-in"]),
        ({"normalize": "nfc"}, "cafe\u0301 ﬁne", ["caf\u00e9", "ﬁne"]),
        ({"normalize": "nfkc"}, "cafe\u0301 ﬁne ＡＢＣ", ["caf\u00e9", "fine", "abc"]),
    ],
)  # fmt: skip
def test_options_of_the_paper_tokenizer(
    options: dict[str, Any], text: str, expected: list[str]
) -> None:
    assert tokenizer_for(TextOptions(**options).word_rules)(text) == expected


@settings(max_examples=200)
@given(st.text(st.characters(codec="ascii") | st.sampled_from("a1'-.,")), st.data())
def test_options_give_the_same_words_for_ascii_as_for_unicode(
    text: str, data: st.DataObject
) -> None:
    options: dict[str, Any] = {
        name: data.draw(st.sampled_from(["keep", None]))
        for name in ("numbers", "apostrophes", "hyphens")
    }
    lowercase = data.draw(st.booleans())
    tokenize = tokenizer_for(TextOptions(lowercase=lowercase, **options).word_rules)
    assert [*tokenize(text), "où"] == tokenize(f"{text} où")


@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0301\uff9e"])
def test_normalization_takes_linear_time(marks: str) -> None:
    """With Python alone, this text would take an hour."""
    tokenize = tokenizer_for(TextOptions(normalize="nfkc").word_rules)
    (word,) = tokenize("a" + marks * 500_000)
    assert len(word) > 1_000_000
    assert tokenize("a" + "\u0301" * 30) == ["á" + "\u0301" * 29]


def test_values_that_equal_the_defaults_change_nothing() -> None:
    explicit = TextOptions(
        lowercase=True, numbers="drop", apostrophes="split", hyphens="split", normalize="none"
    )
    assert explicit.word_rules == WordRules()
    assert explicit.as_dict() == TextOptions().as_dict()
    assert tokenizer_for(explicit.word_rules) is paper_tokens
    assert TextOptions(normalize="NFC").normalize == "nfc"
    chosen = TextOptions(lowercase=False, hyphens="keep").as_dict()
    assert chosen == TextOptions().as_dict() | {"lowercase": False, "hyphens": "keep"}


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"tokenizer": "whitespace", "numbers": "keep"}, ["`numbers='keep'`", "'whitespace'"]),
        ({"tokenizer": "icu", "hyphens": "split"}, ["`hyphens='split'`", "'icu'"]),
        ({"tokenizer": str.split, "lowercase": True}, ["`lowercase=True`", "function"]),
        ({"tokenizer": "spacy"}, ["`tokenizer`", "paper", "icu", "in Python a function"]),
        ({"tokenizer": 3}, ["`tokenizer`", 3]),
        ({"numbers": "zero"}, ["`numbers`", "drop", "keep", "'zero'"]),
        ({"lowercase": "no"}, ["`lowercase`", "'no'"]),
        ({"normalize": "nfd"}, ["`normalize`", "nfc", "nfkc"]),
    ],
)
def test_options_that_the_tokenizer_does_not_have(
    options: dict[str, Any], facts: list[object]
) -> None:
    with pytest.raises(OptionError) as error:
        TextOptions(**options)
    for fact in facts:
        assert str(fact) in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我爱北京天安门，2024年iPhone很贵。", "我 爱 北京 天安门 年 iphone 很 贵"),
        ("東京は日本の首都です。", "東京 は 日本 の 首都 です"),
        ("ฉันรักประเทศไทย", "ฉัน รัก ประเทศไทย"),
        ("សួស្តីពិភពលោក", "សួស្តី ពិភពលោក"),
        ("ສະບາຍດີຊາວໂລກ", "ສະບາຍດີ ຊາວໂລກ"),
        ("မင်္ဂလာပါကမ္ဘာလောက", "မင်္ဂလာ ပါ ကမ္ဘာ လောက"),
        ("I don’t like 3.14, item_1 or well-known C++ 😀", "i don't like item_1 or well known c"),
        ("x\ud800y 東京", "x y 東京"),
        ("", ""),
    ],
)
def test_icu_finds_words_of_any_script(text: str, expected: str) -> None:
    assert recorded_tokenizer({"tokenizer": "icu"})(text) == expected.split()


def test_options_of_icu() -> None:
    options = {"tokenizer": "icu", "numbers": "keep", "lowercase": False, "normalize": "nfkc"}
    found = recorded_tokenizer(options)("In 2024年 the 3rd ＡＢＣ, 3.14!")
    assert found == ["In", "2024", "年", "the", "3rd", "ABC", "3.14"]


def test_a_model_says_how_its_text_was_tokenized() -> None:
    old = {"tokenizer": "paper", "min_count": 5, "dimension": 3, "layer": None}
    assert recorded_tokenizer(old) is paper_tokens
    assert recorded_tokenizer(old | {"lowercase": False})("The cat") == ["The", "cat"]
    assert recorded_tokenizer({"tokenizer": "whitespace"})("A 1") == ["A", "1"]
    with pytest.raises(OptionError, match=naming("`tokenizer`")):
        recorded_tokenizer({})
    with pytest.raises(OptionError, match=naming("function spacy.split", "`tokenizer`")):
        recorded_tokenizer({"tokenizer": "function spacy.split"})
    damages: list[object] = ["other", 3, [], {}]
    for damaged in damages:
        with pytest.raises(OptionError, match="`tokenizer`"):
            recorded_tokenizer({"tokenizer": damaged})
    with pytest.raises(OptionError, match="`numbers`"):
        recorded_tokenizer(old | {"numbers": ["drop"]})
    with pytest.raises(OptionError, match="itself"):
        tokenizer_for(word_rules({"tokenizer": "function spacy.split"}))
