"""Speed of finding and joining phrases beside gensim's, and the memory of encoding with phrases.

    python benchmarks/phrases.py CORPUS [--gensim PYTHON] [--repeats 3] [--times 20] [--threads 2]

CORPUS is text of words between blanks, and PYTHON an interpreter that has gensim, by default this
one. Both programs find the phrases of the same lines and join them, with one thread. Times are of
these two steps only: the words have been read before, by hyperskip into a file of integers, by
gensim into lists in memory. CPU seconds are less affected by other work. The runs are interleaved,
and the joined texts must have the same number of words.

Memory is the peak of a process that does nothing but encode the corpus, with phrases and without,
once and several copies of it. For several copies, the minimum count and the threshold are such that
the phrases are those of one copy: otherwise every pair of rare words would be a phrase.
"""

import argparse
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from one_training import peak_bytes
from reporting import print_markdown, spread

from hyperskip import encode
from hyperskip.files.scratch import scratch_folder
from hyperskip.text.encoding.reading_pass import read_unfiltered
from hyperskip.text.options import TextOptions
from hyperskip.text.phrase_rules import DEFAULT
from hyperskip.text.phrases.passes import find_in

GENSIM = """
import json, sys, time
from gensim.models.phrases import ENGLISH_CONNECTOR_WORDS, Phrases
path, score, threshold, connectors, passes = json.loads(sys.argv[1])
with open(path, encoding="utf-8") as file:
    sentences = [words for line in file if (words := line.split())]
words = sum(map(len, sentences))
began, began_cpu = time.perf_counter(), time.process_time()
for _ in range(passes):
    model = Phrases(sentences, scoring=score, threshold=threshold, max_vocab_size=10**9,
                    connector_words=ENGLISH_CONNECTOR_WORDS if connectors else ())
    sentences = [model[sentence] for sentence in sentences]
print(json.dumps({
    "seconds": time.perf_counter() - began,
    "cpu_seconds": time.process_time() - began_cpu,
    "words": words,
    "joined": sum(map(len, sentences)),
}))
"""


def main() -> None:
    """Run the benchmark."""
    arguments = parsed_arguments()
    options = TextOptions(
        tokenizer="whitespace",
        phrases=True,
        phrase_score=arguments.score,
        phrase_connectors=arguments.connectors,
        phrase_passes=arguments.passes,
    )
    if arguments.peak is not None:
        print(peak_of_encoding(arguments, options if arguments.peak == "phrases" else None))
        return
    compare(arguments, options)
    for times in (1, arguments.times):
        for kind in ("words", "phrases"):
            command = [sys.executable, *sys.argv, "--peak", kind, "--times", str(times)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            peak = done.stdout.strip()
            print(f"peak memory of encoding, {times:2} x corpus, {kind}: {peak} MB", flush=True)


def parsed_arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--gensim", default=sys.executable, help="a Python that has gensim")
    parser.add_argument("--score", default="default")
    parser.add_argument("--connectors", choices=["english"])
    parser.add_argument("--passes", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    return parser.parse_args()


def compare(arguments: argparse.Namespace, options: TextOptions) -> None:
    """Run both programs in turns, and print their speeds."""
    ours(arguments, options)  # compiles the kernels, so that no round has to
    rounds = [
        (theirs(arguments, options), ours(arguments, options)) for _ in range(arguments.repeats)
    ]
    for gensim, hyperskip in rounds:
        if (gensim["words"], gensim["joined"]) != (hyperskip["words"], hyperskip["joined"]):
            sys.exit(f"the results differ: {gensim} and {hyperskip}")
    rows: list[list[str]] = [["gensim"], ["hyperskip"]]
    for seconds in ("seconds", "cpu_seconds"):
        speeds = [
            [run["words"] / run[seconds] / 1e6 for run in runs]
            for runs in zip(*rounds, strict=True)
        ]
        ratios = [one / other for other, one in zip(*speeds, strict=True)]
        rows[0] += [spread(speeds[0], ".2f"), "1"]
        rows[1] += [spread(speeds[1], ".2f"), spread(ratios, ".1f")]
    print_markdown(["", "million words/s", "ratio", "million words per CPU second", "ratio"], rows)


def ours(arguments: argparse.Namespace, options: TextOptions) -> dict[str, Any]:
    """Find and join phrases in a text that was read before."""
    with scratch_folder() as folder:
        _, text = read_unfiltered(
            arguments.corpus, options, folder, lambda _: None, threads=arguments.threads
        )
        words = text.token_count
        began, began_cpu = time.perf_counter(), time.process_time()
        find_in(text, options.phrase_rules, lambda _: None, join_all=True)
        return {
            "seconds": time.perf_counter() - began,
            "cpu_seconds": time.process_time() - began_cpu,
            "words": words,
            "joined": text.token_count,
        }


def theirs(arguments: argparse.Namespace, options: TextOptions) -> dict[str, Any]:
    """The same with gensim, in a new process."""
    rules = options.phrase_rules
    given = (
        str(arguments.corpus),
        rules.score,
        rules.threshold,
        bool(rules.connectors),
        rules.passes,
    )
    command = [arguments.gensim, "-c", GENSIM, json.dumps(given)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def peak_of_encoding(arguments: argparse.Namespace, options: TextOptions | None) -> int:
    """Encode copies of the corpus, and return the peak memory in megabytes."""
    times = arguments.times
    if options is None:
        options = TextOptions(tokenizer="whitespace")
    else:
        rules = options.phrase_rules
        options = replace(
            options,
            phrase_min_count=rules.min_count * times,
            phrase_threshold=rules.threshold / (times if rules.score == DEFAULT else 1),
        )
    with scratch_folder() as folder:
        encode([arguments.corpus] * times, folder / "kept", options=options, threads=2)
    return peak_bytes() // 10**6


if __name__ == "__main__":
    main()
