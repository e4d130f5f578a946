import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hyperskip.text.words import tokens
from hyperskip.text.words.tokens import paper_tokens, whitespace_tokens


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


def test_whitespace_keeps_everything_between_blanks() -> None:
    assert whitespace_tokens(" It's  3rd\tA_b\u00a0c ") == ["It's", "3rd", "A_b", "c"]
