"""Training fastText on the same text, in a separate process.

It trains without subwords: each word has one vector. The time is the one that fastText reports in
its last line (words/sec/thread), which does not include reading the vocabulary.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hyperskip.errors import MissingPackageError, PeerError
from hyperskip.experiment.runs.fasttext_training import FASTTEXT_ENVIRONMENT, run_fasttext
from hyperskip.files.failures import not_writable
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.settled_options import SettledOptions
from hyperskip.vectors.exchange.importing import import_vectors
from hyperskip.vectors.word_vectors import WordVectors

_LONGEST_LINE = 1000  # words; fastText cuts lines at 1,024
_TOKENS_AT_ONCE = 1 << 20
_OUTPUT, _COST = "vectors.bin", "cost.json"


@dataclass(frozen=True)
class PeerText:
    """The corpus as a text file with the words of the vocabulary, separated by spaces."""

    path: Path
    words: int
    lines: int


@dataclass(frozen=True)
class PeerCost:
    """The cost of a training."""

    seconds: float
    words: int  # over all epochs


def check_fasttext() -> None:
    """Check that fastText is installed.

    Raises:
        MissingPackageError: It is not.
    """
    if find_spec("fasttext") is None:
        raise MissingPackageError("fastText", "compare", "`compare='fasttext'`")


def write_peer_text(encoded: EncodedCorpus, path: Path) -> PeerText:
    """Write the corpus for other programs, without rare words and with long lines cut.

    Raises:
        OutputError: The file cannot be written.
    """
    lines = 0
    try:
        with path.open("w", encoding="utf-8", errors="replace") as file:
            for line in _lines(encoded):
                file.write(" ".join(line) + "\n")
                lines += 1
    except OSError as error:
        raise not_writable(path, error) from error
    return PeerText(path, encoded.token_count, lines)


def _lines(encoded: EncodedCorpus) -> Iterator[list[str]]:
    words, total = encoded.vocabulary.words, encoded.token_count
    for begin in range(0, total, _TOKENS_AT_ONCE):
        end = min(begin + _TOKENS_AT_ONCE, total)
        ids = encoded.stretch(begin, end).tolist()
        starts = [start - begin for start in encoded.starts_within(begin, end).tolist()]
        # This also cuts the sentence at the end of each chunk: once in a million words.
        for first, last in zip([0, *starts], [*starts, len(ids)], strict=True):
            for at in range(first, last, _LONGEST_LINE):
                yield [words[word] for word in ids[at : min(at + _LONGEST_LINE, last)]]


def train_fasttext(text: PeerText, options: SettledOptions) -> tuple[WordVectors, PeerCost]:
    """Train in a new process, with the environment that fastText needs.

    Args:
        text: The corpus.
        options: Options of training.

    Raises:
        PeerError: fastText failed, for example with NaN.
    """
    with tempfile.TemporaryDirectory(prefix="fasttext-", dir=text.path.parent) as folder:
        request = {
            "text": str(text.path),
            "trained": options.epochs * (text.words + text.lines),
            "folder": folder,
            "options": options.as_options(with_threads=True),
        }
        done = subprocess.run(
            [sys.executable, "-m", "hyperskip.experiment.runs.peers", json.dumps(request)],
            env=os.environ | FASTTEXT_ENVIRONMENT,
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise PeerError(f"fastText failed: {last}")
        cost = PeerCost(**json.loads((Path(folder) / _COST).read_text()))
        vectors = import_vectors(
            Path(folder) / _OUTPUT, format="word2vec-binary", coordinates="euclidean"
        )
    return vectors, cost


def _train(request: dict[str, Any]) -> None:
    """Train in this process, and write vectors and cost to the folder."""
    options = request["options"]
    folder = Path(request["folder"])
    speed = run_fasttext(
        request["text"],
        folder / _OUTPUT,
        dim=options["dimension"],
        ws=options["window"],
        neg=options["negatives"],
        t=options["subsample"] or 1.0,  # in fastText, 1 keeps every word and 0 keeps none
        minCount=1,  # rare words are already removed
        epoch=options["epochs"],
        thread=options["threads"],
        lr=options["rate"],
    ).words_per_second
    seconds = request["trained"] / (max(speed, 1) * options["threads"])
    cost = PeerCost(seconds, request["trained"])
    (folder / _COST).write_text(json.dumps(asdict(cost)))


if __name__ == "__main__":
    _train(json.loads(sys.argv[1]))
