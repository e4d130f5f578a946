"""Suggestions for misspelled names."""

import pytest

from hyperskip.spelling import close_matches

WORDS = ("the", "do", "dog", "elephant", "house", "those", "Paris", "NATO", "negative", "dot")


@pytest.mark.parametrize(
    ("word", "suggestions"),
    [
        ("dgo", ["dog", "do"]),  # swapped letters first, then in the order of the words
        ("Dgo", ["dog", "do"]),
        ("dig", ["dog"]),
        ("teh", ["the"]),
        ("hosue", ["house", "those"]),
        ("elefant", ["elephant"]),
        ("eelephant", ["elephant"]),
        ("lephant", ["elephant"]),
        ("elephantt", ["elephant"]),
        ("ELEPHANT", ["elephant"]),
        ("paris", ["Paris"]),
        ("pariss", ["Paris"]),
        ("Parsi", ["Paris"]),
        ("nato", ["NATO"]),
        ("NTAO", ["NATO"]),
        ("neg", ["negative"]),  # a beginning
        ("elephantine", ["elephant"]),
        ("x", []),
        ("", []),
        ("quark", []),
        ("dog" * 1000, []),
        ("\ud800\U0010ffff", []),
    ],
)
def test_suggestions(word: str, suggestions: list[str]) -> None:
    assert close_matches(word, WORDS) == suggestions
    assert close_matches(word, dict.fromkeys(WORDS)) == suggestions


def test_the_number_of_suggestions() -> None:
    words = [f"word{i}" for i in range(9)]
    assert close_matches("word", words) == words[:3]
    assert close_matches("word", words, 5) == words[:5]
    assert close_matches("wordings", words, 5) == words[:5]
    assert close_matches("word", []) == []


def test_words_with_lone_surrogates() -> None:
    assert close_matches("a\ud800bc", ["a\ud800bd", "abc"]) == ["a\ud800bd", "abc"]


def test_the_last_word_of_a_large_vocabulary() -> None:
    words = dict.fromkeys(f"{i:06}word" for i in range(400_000))
    assert close_matches("399999wrod", words)[0] == "399999word"
