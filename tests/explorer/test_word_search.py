"""Search by letters anywhere in words, and by regular expressions."""

import random
import re

import pytest
from api_client import Ask, Client

from hyperskip.errors import OptionError
from hyperskip.explorer.answers.prefixes import PrefixIndex
from hyperskip.explorer.answers.word_search import WordSearch

WORDS = [
    "york", "the", "new_york", "Paris", "yorkshire", "unhappiness", "un", "ness", "kindness",
    "unkindness", "größe", "a\nb", "", "x.y", "New Yorker", "abba", "1999", "日本", "\ud800",
]  # fmt: skip


def found(text: str, limit: int = 100, words: list[str] = WORDS) -> list[str]:
    result = WordSearch(words, PrefixIndex(words), seconds=60).find(text, limit)
    assert result.searched == len(words)
    return [words[row] for row in result.rows]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("york", ["york", "yorkshire", "new_york", "New Yorker"]),
        ("PARIS", ["Paris"]),
        ("aris", ["Paris"]),
        ("w york", ["new_york", "New Yorker"]),
        ("ness", ["ness", "unhappiness", "kindness", "unkindness"]),
        ("össe", ["größe"]),
        (".", ["x.y"]),
        ("k\nt", []),
        ("\nb", ["a\nb"]),
        ("/", []),
        ("//", []),
        ("本", ["日本"]),
        ("zzz", []),
    ],
)
def test_words_contain_the_text_and_those_that_start_with_it_come_first(
    text: str, expected: list[str]
) -> None:
    assert found(text) == expected
    assert found(text, 2) == expected[:2]


@pytest.mark.parametrize(
    "pattern",
    [
        *("^un.*ness$", "UN", "^(un|kind)ness", "^un(kind|happi)?ness$", "o+r", "[x-z]", "[^a-z]"),
        *(r"\d", r"^\D+$", r"\.", r"^\w+$", r"\s", "^.{2}$", "^.{2,4}$", "s{2}", "(ab|ba){2}", "^"),
        *(
            "$",
            "^$",
            "(a*)*b",
            "(a|a)*$",
            "n{0}e",
            "e{2,}|ss",
            "[]x]",
            "[a-]",
            r"[\d_]",
            "a|",
            "()",
        ),
        *("Y.RK", "[P]a", "ris?$", "(?:new)_", r"\x2e|z"[4:], "ork*?s", "日.", "un{1,2}?h", "ß"),
    ],
)
def test_regular_expressions_match_as_those_of_python(pattern: str) -> None:
    plain = [word for word in WORDS if "\n" not in word and "ß" not in word]
    expected = [
        word for word in plain if re.search(pattern.replace("ß", "ss"), word, re.IGNORECASE)
    ]
    assert found(f"/{pattern}/", words=plain) == expected
    assert found(f"/{pattern}/", 1, words=plain) == expected[:1]


def test_random_expressions_match_as_those_of_python() -> None:
    draw = random.Random(5)
    words = ["".join(draw.choices("ab", k=draw.randrange(8))) for _ in range(200)]
    search = WordSearch(words, PrefixIndex(words), seconds=60)

    def expression(depth: int) -> str:
        kinds = [
            lambda: draw.choice(["a", "b", ".", "[ab]", "[^a]", "^", "$"]),
            lambda: expression(depth - 1) + expression(depth - 1),
            lambda: f"({expression(depth - 1)}|{expression(depth - 1)})",
            lambda: f"({expression(depth - 1)}){draw.choice(['*', '+', '?', '{2}', '{1,3}'])}",
        ]
        return kinds[0]() if depth == 0 else draw.choice(kinds)()

    for _ in range(300):
        pattern = expression(3)
        expected = [row for row, word in enumerate(words) if re.search(pattern, word)]
        assert search.find(f"/{pattern}/", 1000).rows == expected, pattern


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", "ends too early|without"), ("a)", "without"), ("[a", "ends too early"),
        ("*a", "repeats nothing"), ("a{3,2}", "has"), ("a{x}", "has"), ("a{1000}", "has"),
        (r"(a)\1", "uses"), ("(?=a)", "uses"), (r"\b", "uses"), ("[z-a]", "range"),
        ("\\", "ends too early"), ("a" * 201, "characters"), ("(" * 60 + ")" * 60, "nested"),
        ("((a{50}){50}){50}", "too long"), ("a{", "ends too early"),
    ],
)  # fmt: skip
def test_other_expressions_are_refused(pattern: str, problem: str) -> None:
    with pytest.raises(OptionError, match=problem):
        found(f"/{pattern}/")


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+b", "^(a?){60}a{60}$", "(.*.*)*x"])
def test_no_expression_backtracks(pattern: str) -> None:
    words = ["a" * 5000 + "!", "b"]
    assert found(f"/{pattern}/", words=words) == []


def test_an_expression_with_too_many_states_is_refused_or_cut() -> None:
    words = ["".join(random.Random(seed).choices("ab", k=400)) for seed in range(300)]
    search = WordSearch(words, PrefixIndex(words), seconds=60)
    with pytest.raises(OptionError, match="too complicated"):
        search.find("/a.{60}c/", 5)


def test_what_was_not_searched_in_time_is_said() -> None:
    search = WordSearch(WORDS, PrefixIndex(WORDS), seconds=0)
    assert search.find("/o/", 5) == ([], 0)


def test_the_search_of_the_api(ask: Ask, client: Client) -> None:
    answer = ask("/api/search", text="OG", limit=3)
    assert all("og" in word["word"] for word in answer["words"])
    assert answer["searched"] == ask("/api/model")["words"]
    matching = [word["word"] for word in ask("/api/search", text="/^dogs?$/")["words"]]
    assert sorted(matching) == ["dog", "dogs"]
    refused = client.get("/api/search", params={"text": "/(/"})
    assert refused.status_code == 400
    assert "regular expression" in refused.json()["error"]
