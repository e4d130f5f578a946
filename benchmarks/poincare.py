"""Speed, memory and quality of ranking, next to gensim's PoincareModel, on the same edges.

    make bench  # once, to install gensim
    .venv/bench/bin/python benchmarks/poincare.py [EDGES] [--closure] [--seconds 30] [--rounds 3]
        [--negatives 10 1024]

Without a file, the edges are the closure of a random tree, as large as WordNet's mammals. A round
runs each program once in a new process, so that other work on the machine affects all of them.
Prints medians with minimum and maximum over the rounds, and the same for the ratios within each
round.

- gensim learns with its defaults: 10 negative samples, 10 epochs of burn-in and the 50 epochs of
  its documentation, or until `--seconds` are over. It has one thread.
- hyperskip learns with the same number of negative samples, or with those of `--negatives`, and
  with its own defaults. The same number compares the speed only: it is too small for hyperskip to
  learn a large graph well.
- relations/s: edges that were trained, over all epochs, per second of training alone. Each relation
  is compared with that many negative samples. gensim draws them for each relation; hyperskip draws
  them for each source, and all edges of the source share them.
- relations per CPU second: the same, per second of a core; hardly affected by other work.
- peak: the peak memory of the process.
- mean rank and MAP: the reconstruction of the edges, by Nickel & Kiela's protocol.
"""

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from one_ranking import Embedding, Outcome, run
from reporting import print_markdown, spread

from hyperskip.devices import CPU, CUDA, core_count
from hyperskip.graphs.graph import Graph
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph

OURS, OURS_BY_DEFAULT, THEIRS = "hyperskip", "hyperskip, defaults", "gensim"
NEGATIVES = 10  # of gensim
TREE_NODES = 1180  # as many as mammals
MIB = 1 << 20


def parsed_arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The arguments of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("edges", type=Path, nargs="?", help="a file: a child and its parent")
    parser.add_argument("--closure", action="store_true", help="learn the transitive closure")
    parser.add_argument("--dimension", type=int, default=10)
    parser.add_argument("--negatives", type=int, nargs="+", default=[NEGATIVES], metavar="N")
    parser.add_argument("--epochs", type=int, help="of all programs, at least 2")
    parser.add_argument("--seconds", type=float, default=30.0, help="after which gensim stops")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=0, help="of hyperskip; 0: all cores")
    parser.add_argument("--device", choices=(CPU, CUDA), default=CPU, help="of hyperskip")
    parser.add_argument("--no-scores", action="store_true", help="measure speed and memory only")
    return parser.parse_args(given)


def random_tree(nodes: int, seed: int = 1) -> list[tuple[str, str]]:
    """Edges to parents; each parent is a random earlier node."""
    draws = np.random.default_rng(seed).random(nodes)
    return [(f"n{child}", f"n{int(draws[child] * child)}") for child in range(1, nodes)]


def written(graph: Graph, path: Path) -> Path:
    """The edges in a file that both programs read."""
    pairs = zip(graph.sources.tolist(), graph.targets.tolist(), strict=True)
    with path.open("w", encoding="utf-8") as file:
        file.writelines(f"{graph.names[child]}\t{graph.names[parent]}\n" for child, parent in pairs)
    return path


def embeddings(edges: Path, arguments: argparse.Namespace, seed: int) -> dict[str, Embedding]:
    """What to learn in a round, by name."""

    def embedding(program: str, negatives: int | None) -> Embedding:
        return Embedding(
            program=program,
            edges=str(edges),
            dimension=arguments.dimension,
            negatives=negatives,
            epochs=arguments.epochs,
            seconds=arguments.seconds,
            threads=arguments.threads or core_count(),
            device=arguments.device,
            seed=seed,
            is_scored=not arguments.no_scores,
        )

    return {
        **{f"{OURS}, {count}": embedding("hyperskip", count) for count in arguments.negatives},
        OURS_BY_DEFAULT: embedding("hyperskip", None),
        THEIRS: embedding("gensim", NEGATIVES),
    }


# The columns of the table; more is better in the first two, and less in the third.
MEASURES: dict[str, tuple[Callable[[Outcome], float], str]] = {
    "relations/s": (lambda each: each.relations / each.seconds, ",.0f"),
    "relations per CPU second": (lambda each: each.relations / each.cpu_seconds, ",.0f"),
    "peak (MiB)": (lambda each: each.peak_bytes / MIB, ",.0f"),
    "seconds": (lambda each: each.seconds, ".1f"),
    "epochs": (lambda each: each.epochs, ".1f"),
}
COMPARED = ("relations/s", "relations per CPU second", "peak (MiB)")


def ratios(runs: dict[str, list[Outcome]], name: str) -> dict[str, list[float]]:
    """How many times the numbers of gensim those of another row are, within each round."""
    return {
        measure: [
            of(ours) / of(theirs) for ours, theirs in zip(runs[name], runs[THEIRS], strict=True)
        ]
        for measure, (of, _) in MEASURES.items()
        if measure in COMPARED
    }


def print_runs(runs: dict[str, list[Outcome]]) -> None:
    """Print a table of all measures, and one of the ratios."""
    rows = []
    for name, outcomes in runs.items():
        row = [name, f"{outcomes[0].negatives:,}"]
        row += [spread([of(each) for each in outcomes], form) for of, form in MEASURES.values()]
        for values, form in (
            ([each.mean_rank for each in outcomes], ".2f"),
            ([each.precision for each in outcomes], ".3f"),
        ):
            known = [value for value in values if value is not None]
            row.append(spread(known, form) if known else "")
        rows.append(row)
    print_markdown(["", "negatives", *MEASURES, "mean rank", "MAP"], rows)
    print("\nTimes gensim:\n")
    print_markdown(
        ["", *COMPARED],
        [
            [name, *(spread(each, ".3g") for each in ratios(runs, name).values())]
            for name in runs
            if name != THEIRS
        ],
    )


def main() -> None:
    """Run all programs in rounds, and print what they cost and learned."""
    arguments = parsed_arguments()
    if arguments.edges is None:
        graph = read_graph(random_tree(TREE_NODES), GraphOptions(closure=True))
    else:
        graph = read_graph(arguments.edges, GraphOptions(closure=arguments.closure))
    print(f"{graph}, dimension {arguments.dimension}, {core_count()} cores", flush=True)
    runs: dict[str, list[Outcome]] = {}
    with tempfile.TemporaryDirectory() as folder:
        edges = written(graph, Path(folder) / "edges.tsv")
        for seed in range(1, arguments.rounds + 1):
            for name, embedding in embeddings(edges, arguments, seed).items():
                runs.setdefault(name, []).append(run(embedding))
            load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
            print(f"round {seed} of {arguments.rounds}: load {load}", flush=True)
    print()
    print_runs(runs)


if __name__ == "__main__":
    main()
