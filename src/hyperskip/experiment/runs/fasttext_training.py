"""Training with fastText. Imports little, so that benchmarks can measure fastText's memory."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

# Each thread of fastText 0.9.3 initializes a tenth of its input matrix, so that with fewer than ten
# threads a part is never initialized. Reused memory there often ends in "Encountered NaN"; zeros do
# not. With this setting, malloc in glibc fills memory with the complement of 255, which is 0.
FASTTEXT_ENVIRONMENT = {"MALLOC_PERTURB_": "255"}


class FasttextOutcome(NamedTuple):
    """What fastText reports about a training."""

    words_per_second: int  # per thread, without reading the vocabulary
    vocabulary: int


def run_fasttext(text: str, output: Path, **settings: Any) -> FasttextOutcome:
    """Train without subwords, and write the vectors in word2vec's binary format.

    Args:
        text: The text file.
        output: The file to write.
        settings: Options by fastText's own names: dim, ws, neg, t, minCount, epoch, lr, thread.
            There is no seed: only fastText's supervised training has one.
    """
    import fasttext

    with _captured_stderr() as captured:
        model = fasttext.train_unsupervised(
            text,
            model="skipgram",
            loss="ns",
            minn=0,  # with maxn=0: no subwords, and no memory for them
            maxn=0,
            verbose=1,  # 2 prints progress, which costs time
            **settings,
        )
        captured.seek(0)
        speed = int(re.findall(r"words/sec/thread: *(\d+)", captured.read())[-1])
    words, rows = model.get_words(), model.get_input_matrix()
    with output.open("wb") as file:
        file.write(b"%d %d\n" % rows.shape)
        for word, row in zip(words, rows, strict=True):
            file.write(b"%b %b\n" % (word.encode(), row.astype("<f4").tobytes()))
    return FasttextOutcome(speed, len(words))


@contextmanager
def _captured_stderr() -> Iterator[IO[str]]:
    """Collect the output on stderr, including that of C++ code."""
    with tempfile.TemporaryFile("w+") as file:
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield file
        finally:
            os.dup2(stderr, 2)
            os.close(stderr)
