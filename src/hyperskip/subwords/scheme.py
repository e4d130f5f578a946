"""Which rows of a table a word has: its n-grams, hashed into buckets."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import InputError
from hyperskip.subwords.hashes import MOST_BUCKETS, MOST_HASHES, fnv1a, murmur3
from hyperskip.subwords.ngrams import LONGEST_NGRAM, marked, ngrams

_FEW_BYTES = 1 << 20  # of n-grams that are hashed in plain Python, without the compiler


class WordBuckets(NamedTuple):
    """The buckets of words, one word after the other."""

    starts: npt.NDArray[np.int64]  # (words + 1,)
    buckets: npt.NDArray[np.int64]  # (n-grams of all words,)


@dataclass(frozen=True, kw_only=True)
class SubwordScheme:
    """How words are divided into n-grams, and which buckets the n-grams have.

    Args:
        shortest: Number of characters of the shortest n-grams; boundary marks count.
        longest: Number of characters of the longest n-grams.
        buckets: Number of buckets.
        hashes: 0: each n-gram has one bucket, by the hash of fastText. 1 to 4: it has this number
            of buckets, by the hash of floret, and the whole word is one of the n-grams.

    Raises:
        InputError: A number is out of range.
    """

    shortest: int
    longest: int
    buckets: int
    hashes: int = 0

    def __post_init__(self) -> None:
        for name, least, most in (
            ("shortest", 1 if self.hashes == 0 else 2, LONGEST_NGRAM),
            ("longest", self.shortest, LONGEST_NGRAM),
            ("buckets", 1, MOST_BUCKETS),
            ("hashes", 0, MOST_HASHES),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(
                    f"`{name}` of subwords must be a whole number, got {value!r}",
                    hint=f"pass a number between {least} and {most}",
                )
            if not least <= value <= most:
                raise InputError(
                    f"`{name}` of subwords must be between {least} and {most}, got {value}",
                    hint="choose another value",
                )

    @property
    def has_word_rows(self) -> bool:
        """Whether a word of the vocabulary has a part of its own, besides its n-grams."""
        return self.hashes == 0

    def as_dict(self) -> dict[str, Any]:
        """The numbers as plain values, to be stored."""
        return asdict(self)

    def buckets_of(self, words: Sequence[str]) -> WordBuckets:
        """The buckets of the n-grams of each word; a word may have none."""
        spellings = [word.encode("utf-8", "surrogatepass") for word in words]
        lengths = np.array([len(spelling) for spelling in spellings], dtype=np.int64)
        longest = np.minimum(lengths + 2, self.longest)  # with the marks
        if (lengths * longest**2).sum() // 2 > _FEW_BYTES:
            return self._compiled_buckets(b"".join(spellings), lengths)
        listed = [self._buckets_of_word(word) for word in words]
        starts = np.zeros(len(words) + 1, dtype=np.int64)
        np.cumsum([len(buckets) for buckets in listed], out=starts[1:])
        return WordBuckets(starts, np.array([b for of_word in listed for b in of_word], np.int64))

    def _buckets_of_word(self, word: str) -> list[int]:
        """The buckets of a word, in plain Python: the slow twin of the kernel."""
        spelled = [
            ngram.encode("utf-8", "surrogatepass")
            for ngram in ngrams(word, self.shortest, self.longest)
        ]
        if self.hashes == 0:
            return [fnv1a(ngram) % self.buckets for ngram in spelled]
        whole = marked(word).encode("utf-8", "surrogatepass")
        return [
            value % self.buckets
            for ngram in (whole, *spelled)
            for value in murmur3(ngram, self.hashes)
        ]

    def _compiled_buckets(self, letters: bytes, lengths: npt.NDArray[np.int64]) -> WordBuckets:
        from hyperskip.subwords.kernel import fill_buckets  # loads the compiler

        starts = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
        text = np.zeros(lengths.max(initial=0) + 2, dtype=np.uint8)
        ends = np.zeros(len(starts), dtype=np.int64)
        out = np.zeros(0, dtype=np.int64)
        numbers = self.shortest, self.longest, self.buckets, self.hashes
        data = np.frombuffer(letters, dtype=np.uint8)
        for _ in range(2):  # count, then list
            count = fill_buckets(data, starts, *numbers, text, ends[1:], out)
            out = out if len(out) else np.empty(count, dtype=np.int64)
        return WordBuckets(ends, out)
