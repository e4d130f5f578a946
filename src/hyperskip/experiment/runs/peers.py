"""Training other programs on the same text, each in a separate process.

The time is that of training alone, without reading the vocabulary. fastText reports it in its last
line (words/sec/thread), and gensim counts words and trains in two calls.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hyperskip.errors import MissingPackageError, PeerError
from hyperskip.experiment.design.peer_programs import FASTTEXT, GENSIM, PEERS
from hyperskip.experiment.runs.fasttext_training import FASTTEXT_ENVIRONMENT, run_fasttext
from hyperskip.experiment.runs.gensim_training import run_gensim
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


def check_installed(peer: str) -> None:
    """Check that a program is installed.

    Raises:
        MissingPackageError: It is not.
    """
    if find_spec(PEERS[peer].package) is None:
        raise MissingPackageError(PEERS[peer].title, "compare", f"`compare='{peer}'`")


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


def train_peer(peer: str, text: PeerText, options: SettledOptions) -> tuple[WordVectors, PeerCost]:
    """Train in a new process.

    Args:
        peer: The name of the program.
        text: The corpus.
        options: Options of training.

    Raises:
        PeerError: The program failed, for example with NaN.
    """
    with tempfile.TemporaryDirectory(prefix=f"{peer}-", dir=text.path.parent) as folder:
        request = {
            "peer": peer,
            "text": str(text.path),
            "trained": options.epochs * (text.words + text.lines),
            "folder": folder,
            "options": options.as_options(with_threads=True),
        }
        done = subprocess.run(
            [sys.executable, "-m", "hyperskip.experiment.runs.peers", json.dumps(request)],
            env=os.environ | (FASTTEXT_ENVIRONMENT if peer == FASTTEXT else {}),
            capture_output=True,
            text=True,
            errors="replace",
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
            raise PeerError(f"{PEERS[peer].title} failed: {last}")
        cost = PeerCost(**json.loads((Path(folder) / _COST).read_text()))
        vectors = import_vectors(
            Path(folder) / _OUTPUT, format="word2vec-binary", coordinates="euclidean"
        )
    return vectors, cost


def _train_fasttext(request: dict[str, Any], output: Path) -> PeerCost:
    options = request["options"]
    speed = run_fasttext(
        request["text"],
        output,
        dim=options["dimension"],
        ws=options["window"],
        neg=options["negatives"],
        t=options["subsample"] or 1.0,  # in fastText, 1 keeps every word and 0 keeps none
        minCount=1,  # rare words are already removed
        epoch=options["epochs"],
        thread=options["threads"],
        lr=options["rate"],
    ).words_per_second
    return PeerCost(request["trained"] / (max(speed, 1) * options["threads"]), request["trained"])


def _train_gensim(request: dict[str, Any], output: Path) -> PeerCost:
    options = request["options"]
    outcome = run_gensim(
        request["text"],
        output,
        vector_size=options["dimension"],
        window=options["window"],
        negative=options["negatives"],
        ns_exponent=options["power"],
        sample=options["subsample"],
        min_count=1,  # rare words are already removed
        epochs=options["epochs"],
        workers=options["threads"],
        alpha=options["rate"],
        seed=options["seed"],
    )
    return PeerCost(outcome.seconds, outcome.words)


_TRAINERS: dict[str, Callable[[dict[str, Any], Path], PeerCost]] = {
    FASTTEXT: _train_fasttext,
    GENSIM: _train_gensim,
}


def _train(request: dict[str, Any]) -> None:
    """Train in this process, and write vectors and cost to the folder."""
    folder = Path(request["folder"])
    cost = _TRAINERS[request["peer"]](request, folder / _OUTPUT)
    (folder / _COST).write_text(json.dumps(asdict(cost)))


if __name__ == "__main__":
    _train(json.loads(sys.argv[1]))
