"""The integers of an encoded corpus, written to files part by part."""

import contextlib
from pathlib import Path
from typing import IO

import numpy as np
import numpy.typing as npt

from hyperskip.text.encoding.integers import IntegerFile
from hyperskip.text.encoding.unfiltered_corpus import STARTS_NAME, TOKENS_NAME, writing_to


class IntegersWriter:
    """Writes the word ids and the sentence starts of parts, in order.

    Args:
        folder: An existing folder for the files.

    Raises:
        OutputError: The folder cannot be written; also raised by all methods.
    """

    def __init__(self, folder: Path) -> None:
        self.token_count = 0
        self._folder = folder
        self._last_start = 0
        with writing_to(folder), contextlib.ExitStack() as opened:
            self._tokens: IO[bytes] = opened.enter_context((folder / TOKENS_NAME).open("wb"))
            self._starts: IO[bytes] = opened.enter_context((folder / STARTS_NAME).open("wb"))
            self._starts.write(bytes(8))  # the first sentence starts at 0
            opened.pop_all()  # `__exit__` closes them

    def __enter__(self) -> "IntegersWriter":
        return self

    def __exit__(self, *_: object) -> None:
        for file in (self._tokens, self._starts):
            with contextlib.suppress(OSError):  # `files` reports an error of writing
                file.close()

    def add_sentences(self, count: int, breaks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Write the sentence starts of the next part.

        Args:
            count: The number of tokens of the part.
            breaks: The number of its tokens before the end of each document; ascending, distinct.

        Returns:
            The starts of sentences in the part, relative to its first token.
        """
        first = self.token_count
        begins_sentence = self._last_start == first  # also if it is the start of the text
        starts = breaks + first
        starts = starts[starts > self._last_start]
        with writing_to(self._folder):
            self._starts.write(starts.data)
        if len(starts):
            self._last_start = int(starts[-1])
        self.token_count += count
        within = starts[starts < self.token_count] - first
        return np.concatenate(([0], within)) if begins_sentence else within

    def write_tokens(self, ids: npt.NDArray[np.int32]) -> None:
        """Write the word ids of the next part."""
        with writing_to(self._folder):
            self._tokens.write(ids.data)

    def files(
        self, *, with_tokens: bool
    ) -> tuple[IntegerFile[np.int32] | None, IntegerFile[np.int64]]:
        """End the last sentence, and open the files; None if the word ids were not written."""
        with writing_to(self._folder):
            if self._last_start != self.token_count:
                self._starts.write(np.int64(self.token_count).tobytes())
            self._tokens.close()
            self._starts.close()
            path = self._folder / TOKENS_NAME
            if not with_tokens:
                path.unlink()
            return (
                IntegerFile(path, np.int32) if with_tokens else None,
                IntegerFile(self._folder / STARTS_NAME, np.int64),
            )
