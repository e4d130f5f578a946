"""Words that start with a prefix."""

from hyperskip.explorer.answers.prefixes import PrefixIndex


def test_words_with_a_prefix_are_sorted_by_frequency() -> None:
    words = ["to", "Tea", "ten", "the", "TEA", "straße", "strasse", "", "te\U0010ffff"]
    prefixes = PrefixIndex(words)
    for prefix in ("", "t", "te", "TE", "tea", "the", "strass", "ß", "zz", "te\U0010ffff"):
        expected = [
            row for row, word in enumerate(words) if word.casefold().startswith(prefix.casefold())
        ]
        assert prefixes.rows(prefix, 100) == expected
        assert prefixes.rows(prefix, 2) == expected[:2]


def test_a_prefix_with_blanks_finds_phrases() -> None:
    prefixes = PrefixIndex(["new", "New_York", "new yorker", "newyork", "new_york_city", "new_"])
    assert prefixes.rows("new yo", 100) == [1, 2, 4]
    assert prefixes.rows("new york c", 100) == [4]
    assert prefixes.rows("new ", 100) == [1, 2, 4, 5]
    assert prefixes.rows("new_yo", 100) == [1, 4]
    assert prefixes.rows("new yo", 2) == [1, 2]
