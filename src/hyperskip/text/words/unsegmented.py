"""Text of scripts without blanks, such as Chinese or Thai, whose phrases were taken for words."""

from collections.abc import Iterable

import numpy as np
import regex

from hyperskip.text.words.lexicon import Lexicon
from hyperskip.text.words.scan import words_of

# ICU has dictionaries for these scripts.
_WITHOUT_BLANKS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"
)
_LONG_BYTES = 30  # ten characters of these scripts; words of other scripts are rarely as long
_LARGE_SHARE = 0.1  # of the text
_EXAMINED_WORDS = 1000


def is_unsegmented(lexicon: Lexicon) -> bool:
    """Whether much of the text is in words that are long and of a script without blanks."""
    bytes_of_words = lexicon.lengths * lexicon.counts
    long_words = np.flatnonzero(lexicon.lengths >= _LONG_BYTES)
    if bytes_of_words[long_words].sum() <= _LARGE_SHARE * bytes_of_words.sum():
        return False
    return have_no_blanks(words_of(*lexicon.spelled(long_words[:_EXAMINED_WORDS])))


def have_no_blanks(words: Iterable[str]) -> bool:
    """Whether more than half of the characters of words are of scripts without blanks."""
    text = "".join(words)
    return 2 * len(_WITHOUT_BLANKS.findall(text)) > len(text)
