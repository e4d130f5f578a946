"""Speed, memory and quality of learning a graph once with one program, in a new process.

A new process is needed to measure the peak of memory, which is read before the vectors are scored.
The time is that of training alone, without imports, reading the edges and compiling kernels.
"""

import contextlib
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from one_training import peak_bytes

# This module imports little, because the memory of the process is measured.


@dataclass(frozen=True, kw_only=True)
class Embedding:
    """What to learn; the options mean the same for both programs."""

    program: str  # a key of PROGRAMS
    edges: str  # a file: a child, a tab, and its parent on each line
    dimension: int
    negatives: int | None  # None: the program's default
    epochs: int | None
    seconds: float  # after which gensim stops, even within an epoch
    threads: int  # gensim has one
    device: str  # gensim has the CPU only
    seed: int
    is_scored: bool


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The cost of learning, and what was learned."""

    relations: int  # edges that were trained, over all epochs
    edges: int
    negatives: int
    seconds: float
    cpu_seconds: float  # of all threads
    peak_bytes: int = 0
    mean_rank: float | None = None
    precision: float | None = None  # MAP

    @property
    def epochs(self) -> float:
        """Number of passes over the edges."""
        return self.relations / self.edges


def run(embedding: Embedding) -> Outcome:
    """Learn in a new process."""
    process = subprocess.run(
        [sys.executable, __file__, json.dumps(asdict(embedding))], capture_output=True, text=True
    )
    if process.returncode:
        sys.exit(f"{embedding.program} failed:\n{process.stderr}")
    return Outcome(**json.loads(process.stdout))


def of_hyperskip(embedding: Embedding) -> tuple[Outcome, Any]:
    """Learn with hyperskip, by ranking."""
    from hyperskip import embed_graph
    from hyperskip.training.run.state import EpochSummary
    from hyperskip.training.run.training_events import Progress

    epochs: list[EpochSummary] = []
    ends: list[tuple[float, float]] = []  # of each epoch: wall clock and CPU time

    def report(event: Progress) -> None:
        if isinstance(event, EpochSummary):
            epochs.append(event)
            ends.append((time.perf_counter(), time.process_time()))

    vectors = embed_graph(
        embedding.edges,
        dimension=embedding.dimension,
        negatives=embedding.negatives,
        epochs=embedding.epochs,
        threads=embedding.threads,
        device=embedding.device,
        seed=embedding.seed,
        report=report,
    )
    # The first epoch is left out: reading and compiling come before its end.
    (begin, cpu_begin), (end, cpu_end) = ends[0], ends[-1]
    share = (len(ends) - 1) / len(ends)
    outcome = Outcome(
        relations=sum(epoch.pairs for epoch in epochs),
        edges=vectors.options["edge_count"],
        negatives=vectors.options["negatives"],
        seconds=(end - begin) / share,
        cpu_seconds=(cpu_end - cpu_begin) / share,
    )
    return outcome, vectors


def of_gensim(embedding: Embedding) -> tuple[Outcome, Any]:
    """Learn with gensim: its burn-in, then the epochs, or until the time is over."""
    from gensim.models.poincare import PoincareModel, PoincareRelations

    class TimeIsOverError(Exception):
        pass

    class TimedModel(PoincareModel):  # type: ignore[misc]
        """Counts relations, and stops in time."""

        relations, end = 0, float("inf")

        def _train_on_batch(self, relations: Any, *given: Any, **options: Any) -> Any:
            if time.perf_counter() > self.end:
                raise TimeIsOverError
            self.relations += len(relations)
            return super()._train_on_batch(relations, *given, **options)

    negatives = 10 if embedding.negatives is None else embedding.negatives
    relations = PoincareRelations(embedding.edges, delimiter="\t")
    model = TimedModel(relations, size=embedding.dimension, negative=negatives, seed=embedding.seed)
    begin, cpu_begin = time.perf_counter(), time.process_time()
    model.end = begin + embedding.seconds
    with contextlib.suppress(TimeIsOverError):
        model.train(50 if embedding.epochs is None else embedding.epochs)
    outcome = Outcome(
        relations=model.relations,
        edges=len(model.all_relations),
        negatives=negatives,
        seconds=time.perf_counter() - begin,
        cpu_seconds=time.process_time() - cpu_begin,
    )
    return outcome, model.kv


PROGRAMS: dict[str, Callable[[Embedding], tuple[Outcome, Any]]] = {
    "hyperskip": of_hyperskip,
    "gensim": of_gensim,
}


def scored(embedding: Embedding, outcome: Outcome, vectors: Any) -> Outcome:
    """Add the scores of the reconstruction."""
    from hyperskip import WordVectors, evaluate, geometry

    if embedding.program == "gensim":
        points = geometry.from_ball(vectors.vectors)
        vectors = WordVectors(vectors.index_to_key, points[:, :-1])
    graph = evaluate(vectors, edges=embedding.edges).graph
    assert graph is not None
    score = graph.tasks["reconstruction"]
    return replace(outcome, mean_rank=score.mean_rank, precision=score.mean_average_precision)


def main() -> None:
    """Learn in this process as the argument says, and print the outcome."""
    embedding = Embedding(**json.loads(sys.argv[1]))
    outcome, vectors = PROGRAMS[embedding.program](embedding)
    outcome = replace(outcome, peak_bytes=peak_bytes())
    if embedding.is_scored:
        outcome = scored(embedding, outcome, vectors)
    print(json.dumps(asdict(outcome)))


if __name__ == "__main__":
    main()
