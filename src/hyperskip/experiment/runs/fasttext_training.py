"""A training by the real fastText; imports nothing else, as its memory may be measured."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

# With fewer than ten threads, fastText 0.9.3 leaves a part of its first matrix as malloc gave it
# (a tenth of it a thread is filled). Zeros learn; what was freed before can be anything, and often
# ends in "Encountered NaN". glibc fills what it gives with the complement of this byte: zeros.
FASTTEXT_ENVIRONMENT = {"MALLOC_PERTURB_": "255"}


class FasttextOutcome(NamedTuple):
    """What fastText says of a training."""

    words_per_second: int  # and thread, from when the vocabulary is read to the end
    vocabulary: int


def run_fasttext(text: str, output: Path, **settings: Any) -> FasttextOutcome:
    """Train without subwords, and write words with their rows, in word2vec's binary form.

    Args:
        text: The file.
        output: Where the vectors go.
        settings: By fastText's own names: dim, ws, neg, t, minCount, epoch, lr, thread. There is no
            seed: only its supervised training takes one.
    """
    import fasttext

    with _captured_stderr() as said:
        model = fasttext.train_unsupervised(
            text,
            model="skipgram",
            loss="ns",
            minn=0,  # with maxn=0: a word is one vector, and there are no buckets
            maxn=0,
            verbose=1,  # 2 would print, and look at the clock, while it trains
            **settings,
        )
        said.seek(0)
        speed = int(re.findall(r"words/sec/thread: *(\d+)", said.read())[-1])
    words, rows = model.get_words(), model.get_input_matrix()
    with output.open("wb") as file:
        file.write(b"%d %d\n" % rows.shape)
        for word, row in zip(words, rows, strict=True):
            file.write(b"%b %b\n" % (word.encode(), row.astype("<f4").tobytes()))
    return FasttextOutcome(speed, len(words))


@contextmanager
def _captured_stderr() -> Iterator[IO[str]]:
    """Collect what is written to stderr, from C++ too."""
    with tempfile.TemporaryFile("w+") as file:
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
