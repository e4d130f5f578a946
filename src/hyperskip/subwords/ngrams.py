"""The character n-grams of a word between boundary marks, in plain Python."""

from collections.abc import Iterator

BEGIN, END = "<", ">"  # marks around a word, so that "<re" is a prefix and "ed>" a suffix
LONGEST_NGRAM = 100  # characters that can be asked for


def marked(word: str) -> str:
    """The word between its boundary marks."""
    return f"{BEGIN}{word}{END}"


def ngrams(word: str, shortest: int, longest: int) -> Iterator[str]:
    """The n-grams of a word with its marks, by their beginning and then by their length.

    A mark alone is not an n-gram. An n-gram that occurs twice is given twice. A character is a
    Unicode code point.
    """
    text = marked(word)
    for begin in range(len(text)):
        for end in range(begin + shortest, min(begin + longest, len(text)) + 1):
            is_mark = end - begin == 1 and (begin == 0 or end == len(text))
            if not is_mark:
                yield text[begin:end]
