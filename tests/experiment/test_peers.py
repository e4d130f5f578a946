"""Other programs in an experiment: fakes that do not train, and the real ones if installed."""

import os
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from program import Program

from hyperskip import builtin, encode
from hyperskip.experiment import ExperimentOptions, experiment, run_experiment
from hyperskip.experiment.design.peer_programs import PEERS
from hyperskip.experiment.experiment_events import Planned, Progress
from hyperskip.experiment.results.records import Record
from hyperskip.experiment.runs import peers

TINY = ExperimentOptions(
    dimensions=(2,),
    epochs=(2,),
    models=("default",),
    compare=tuple(PEERS),
    similarity=("builtin",),
    analogies=("builtin",),
    hypernymy=("builtin",),
    shared={"subsample": 1e-3, "min_count": 5, "threads": 1, "window": 3, "negatives": 4},
)
FAKES = {
    "fasttext.py": """
import os
import numpy as np

class Model:
    def __init__(self, words, dim):
        self.words, self.dim = words, dim
    def get_words(self):
        return self.words
    def get_input_matrix(self):
        return np.random.default_rng(1).normal(size=(len(self.words), self.dim)).astype("f4")

def train_unsupervised(path, *, dim, lr, minn, maxn, ws, neg, t, minCount, epoch, **options):
    assert minn == maxn == 0
    assert (ws, neg, t, minCount, epoch) == (3, 4, 1e-3, 1, 2)
    if lr == 0.02:
        raise RuntimeError("Encountered NaN.")
    os.write(2, b"Progress: 100% words/sec/thread:    2000 lr: 0\\n")
    return Model(sorted(set(open(path).read().split())), dim)
""",
    # Without this file, an installed gensim would be found instead.
    "gensim/__init__.py": "",
    "gensim/models.py": """
from collections import Counter
import numpy as np

class Vectors:
    def get_vecattr(self, word, name):
        return self.counts[word]
    def __len__(self):
        return len(self.index_to_key)
    def save_word2vec_format(self, path, binary):
        assert binary
        with open(path, "wb") as file:
            file.write(b"%d %d\\n" % self.vectors.shape)
            for word, row in zip(self.index_to_key, self.vectors):
                file.write(word.encode() + b" " + row.tobytes())

class Word2Vec:
    def __init__(self, *, sg, vector_size, epochs, alpha, seed, **options):
        assert sg == 1
        assert options == {"window": 3, "negative": 4, "ns_exponent": 0.5, "sample": 1e-3,
                           "min_count": 1, "workers": 1}
        self.dimension, self.epochs, self.alpha, self.seed = vector_size, epochs, alpha, seed
        self.corpus_count = self.corpus_total_words = 1
    def build_vocab(self, *, corpus_file):
        self.wv = Vectors()
        self.wv.counts = Counter(open(corpus_file).read().split())
        self.wv.index_to_key = list(self.wv.counts)
    def train(self, *, corpus_file, total_words, total_examples, epochs):
        size = (len(self.wv), self.dimension)
        self.wv.vectors = np.random.default_rng(self.seed).normal(size=size).astype("f4")
        if self.alpha == 0.02:
            self.wv.vectors[0] = np.nan
""",
}


@pytest.fixture
def fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fakes that do not train, but are called, timed and read like the real programs."""
    for name, text in FAKES.items():
        (tmp_path / "fake" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "fake" / name).write_text(text)
    source = str(Path(peers.__file__).parents[2])
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "fake"), source, *sys.path]))
    monkeypatch.setattr(peers, "find_spec", lambda _: True)


@pytest.mark.parametrize("peer", PEERS)
def test_a_program_must_be_installed(
    program: Program, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, peer: str
) -> None:
    monkeypatch.setattr(peers, "find_spec", lambda name: None if name == peer else True)
    result = program(
        *("experiment", corpus, "-o", tmp_path / "out", "--similarity", "builtin"),
        *("--compare", ",".join(PEERS)),
    )
    result.check_refused(f"--compare {peer}", PEERS[peer].title, "pip install 'hyperskip[compare]'")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("fakes")
def test_programs_are_compared(corpus: Path, tmp_path: Path) -> None:
    found = run_experiment(corpus, tmp_path / "out", TINY)
    assert [record.name for record in found.records] == [
        "default-d2-epochs2-rateusual-seed1",
        "fasttext-d2-epochs2-rate0.05-seed1",
        "gensim-d2-epochs2-rate0.025-seed1",
    ]
    ours, fasttext, gensim = found.records
    frequency = ("hypernymy", "builtin", "agreement", "frequency")
    for theirs in (fasttext, gensim):
        assert theirs.geometry == "euclidean"
        assert theirs.average is not None
        assert theirs.score(*frequency) == ours.score(*frequency)  # their words have counts, too
        assert f'<td class="name">{theirs.model}</td>' in found.report.read_text()
    assert fasttext.words_per_second == pytest.approx(2000)
    assert gensim.seconds is not None


@pytest.mark.usefixtures("fakes")
def test_the_best_rate_of_a_program_is_chosen_and_failures_are_reported(
    corpus: Path, tmp_path: Path
) -> None:
    options = replace(TINY, models=("default",), peer_rates=(0.1, 0.02))
    found = run_experiment(corpus, tmp_path / "out", options)
    failures = {record.name: record.failure for record in found.records if record.failure}
    assert failures == {
        "fasttext-d2-epochs2-rate0.02-seed1": "fastText failed: RuntimeError: Encountered NaN.",
        "gensim-d2-epochs2-rate0.02-seed1": "gensim failed: RuntimeError: some of the vectors are "
        "not finite",
    }
    assert [(choice.model, choice.rate) for choice in found.choices][1:] == [
        ("fasttext", 0.1),
        ("gensim", 0.1),
    ]
    text = (tmp_path / "out" / "report.md").read_text()
    assert "the best of the rates 0.1, 0.02" in text
    assert "Encountered NaN" in text


@pytest.mark.usefixtures("fakes")
def test_equal_time(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # As if our training took a quarter of the time of the fake.
    monkeypatch.setattr(
        experiment,
        "_mean_seconds",
        lambda _, model: {(2, 2): 4.0 if model == "fasttext" else 1.0},
    )
    options = replace(TINY, compare=("fasttext",), equal_time=True)
    found = run_experiment(corpus, tmp_path / "out", options)
    longer = found.records[-1]
    assert longer.name == "equal-time-d2-epochs2-rateusual-seed1"
    assert (longer.epochs, longer.compared_epochs) == (8, 2)
    assert [choice.epochs for choice in found.choices] == [2, 2, 2]
    events: list[Progress] = []
    run_experiment(corpus, tmp_path / "out", options, report=events.append)
    assert [event for event in events if isinstance(event, Planned)] == [Planned(3, 3, ())]
    assert len(events) == 1


def test_the_text_for_other_programs_is_what_training_sees(tmp_path: Path) -> None:
    text = [["a", "b", "rare"], ["b", "a"] * 1200, ["a"]]
    encoded = encode(text, tmp_path / "kept", min_count=2)
    written = peers.write_peer_text(encoded, tmp_path / "text.txt")
    lines = written.path.read_text().splitlines()
    assert [len(line.split()) for line in lines] == [2, 1000, 1000, 400, 1]
    assert " ".join(lines).split() == ["a", "b", *["b", "a"] * 1200, "a"]
    assert (written.words, written.lines) == (2403, 5)


@pytest.mark.slow
@pytest.mark.parametrize("peer", PEERS)
def test_real_programs_learn(tmp_path: Path, peer: str) -> None:
    if find_spec(PEERS[peer].package) is None:
        pytest.skip(f"{peer} is not installed")
    text = tmp_path / "corpus.txt"
    text.write_text("\n".join(builtin.sentences(200_000)))
    shared: dict[str, Any] = {"subsample": 1e-3, "min_count": 5, "threads": 1, "window": 5}
    options = replace(TINY, dimensions=(20,), epochs=(1, 8), compare=(peer,), shared=shared)
    found = run_experiment(text, tmp_path / "out", options)
    theirs: list[Record] = [record for record in found.records if record.model == peer]
    short, long = (record.average or 0.0 for record in theirs)
    assert long > max(short, 0.3)
    assert all((record.seconds or 0) > 0 for record in theirs)
    assert all(record.machine[peer] for record in theirs)
    again: list[Progress] = []
    run_experiment(text, tmp_path / "out", options, report=again.append)
    assert len(again) == 1  # nothing is trained again
