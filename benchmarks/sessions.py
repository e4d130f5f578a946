"""Recall of the right items after training on sessions, with the defaults of hyperskip and gensim.

    make bench  # once, to install gensim
    .venv/bench/bin/python benchmarks/sessions.py

The sessions are those of grouped_sessions.py. Prints the share of the ten nearest items of an item
that are in its group (recall), for both programs in the same run, and the time of gensim divided by
the time of hyperskip. The first training of hyperskip is not timed: it may compile kernels.
"""

import argparse
import time

from gensim.models import Word2Vec
from grouped_sessions import Shape
from reporting import print_markdown

import hyperskip

NEAREST = 10


SHAPES = (
    Shape(20_000, 500, 25, 0.0, 0.0),
    Shape(20_000, 500, 25, 1.0, 0.3),
    Shape(20_000, 500, 10, 0.5, 0.5),
    Shape(20_000, 500, 25, 0.0, 0.75),
    Shape(5_000, 100, 5, 0.7, 0.5),
    Shape(100_000, 5_000, 100, 0.7, 0.4),
)


def ours(shape: Shape, sessions: list[list[str]], **options: int) -> tuple[float, float]:
    """Recall and seconds of hyperskip."""
    begin = time.perf_counter()
    vectors = hyperskip.train(sessions, **options)  # type: ignore[arg-type]
    seconds = time.perf_counter() - begin
    found = vectors.neighbors_of(vectors.words, NEAREST)
    return shape.recall(found, lambda item: [each.word for each in found[item]]), seconds


def gensims(shape: Shape, sessions: list[list[str]], *, skip_gram: bool) -> tuple[float, float]:
    """Recall and seconds of gensim."""
    begin = time.perf_counter()
    vectors = Word2Vec(sessions, sg=int(skip_gram), seed=1, workers=2).wv
    seconds = time.perf_counter() - begin
    nearest = {
        item: [other for other, _ in vectors.most_similar(item, topn=NEAREST)]
        for item in vectors.index_to_key
    }
    return shape.recall(nearest, nearest.__getitem__), seconds


def main() -> None:
    """Measure every shape and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="seed of the sessions")
    seed = parser.parse_args().seed
    ours(SHAPES[0], SHAPES[0].drawn(seed))
    rows = []
    for shape in SHAPES:
        sessions = shape.drawn(seed)
        recall, seconds = ours(shape, sessions)
        flat, _ = ours(shape, sessions, dimension=20)
        default, their_seconds = gensims(shape, sessions, skip_gram=False)
        skip_gram, _ = gensims(shape, sessions, skip_gram=True)
        ratio = f"{their_seconds / seconds:.1f}"
        rows.append((str(shape), *(f"{x:.3f}" for x in (recall, flat, default, skip_gram)), ratio))
    header = ("data", "hyperskip", "at 20 dimensions", "gensim", "gensim, skip-gram", "time ratio")
    print_markdown(header, rows)


if __name__ == "__main__":
    main()
