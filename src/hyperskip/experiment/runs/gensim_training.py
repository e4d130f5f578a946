"""Training with gensim. Imports little, so that benchmarks can measure gensim's memory."""

import time
from pathlib import Path
from typing import Any, NamedTuple


class GensimOutcome(NamedTuple):
    """The cost of a training."""

    seconds: float  # of training alone, without counting words
    words: int  # over all epochs, without rare words
    vocabulary: int


def run_gensim(text: str, output: Path, **settings: Any) -> GensimOutcome:
    """Train skip-gram on a file, gensim's fast path, and write word2vec's binary format.

    Args:
        text: The text file.
        output: The file to write.
        settings: Options by gensim's own names: vector_size, window, negative, ns_exponent, sample,
            min_count, epochs, alpha, workers, seed.
    """
    import numpy as np
    from gensim.models import Word2Vec

    model = Word2Vec(sg=1, **settings)
    model.build_vocab(corpus_file=text)
    began = time.perf_counter()
    model.train(
        corpus_file=text,
        total_words=model.corpus_total_words,
        total_examples=model.corpus_count,
        epochs=model.epochs,
    )
    seconds = time.perf_counter() - began
    if not np.isfinite(model.wv.vectors).all():
        raise RuntimeError("some of the vectors are not finite")
    model.wv.save_word2vec_format(str(output), binary=True)
    known = sum(model.wv.get_vecattr(word, "count") for word in model.wv.index_to_key)
    return GensimOutcome(seconds, model.epochs * int(known), len(model.wv))
