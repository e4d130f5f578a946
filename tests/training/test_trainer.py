"""Training as a whole: it learns what is known to be in the corpus, reproducibly."""

import itertools
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from plans import corpus_of, planned

from hyperskip import WordVectors, builtin, train
from hyperskip.builtin import BUILTIN
from hyperskip.errors import (
    CorpusError,
    DivergenceError,
    HyperskipError,
    OptionError,
    TrainingWarning,
)
from hyperskip.evaluation.analogy import evaluate_analogies
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.similarity import evaluate_similarity
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.backend import Outcome
from hyperskip.training.blocks import (
    FOR_THREADS,
    BlockSize,
    block_seed,
    cut_into_blocks,
    sentence_limits,
)
from hyperskip.training.cpu.backend import CpuBackend
from hyperskip.training.kernel_settings import cpu_settings
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.divergence import DivergenceCheck
from hyperskip.training.run.loop import Run
from hyperskip.training.run.state import EpochSummary, InitialState
from hyperskip.training.run.training_events import Progress, TrainingProgress
from hyperskip.training.start.random_positions import random_parameters

SMALL: dict[str, Any] = {"dimension": 10, "subsample": 1e-3, "epochs": 2, "threads": 1}


def small_corpus(words: int = 60_000) -> Iterator[str]:
    return builtin.sentences(words)


def similarity_of(vectors: WordVectors) -> float:
    return evaluate_similarity(vectors, similarity_pairs(BUILTIN)).spearman or 0.0


def accuracy_of(vectors: WordVectors, route: str = "Z") -> float:
    report = evaluate_analogies(vectors, analogy_questions(BUILTIN), route)
    return report.total.accuracy or 0.0


def test_it_learns_what_is_in_the_corpus(trained: WordVectors) -> None:
    assert similarity_of(trained) > 0.7
    assert accuracy_of(trained) > 0.5
    assert accuracy_of(trained, "Z'") < 0.75 * accuracy_of(trained)
    categories = builtin.categories()
    near = [categories.get(neighbor.word) for neighbor in trained.neighbors("violin", 8)]
    assert near.count("instrument") >= 3
    assert trained.analogy("france", "paris", "italy", count=1)[0].word == "rome"
    general = [trained.radius(a) > trained.radius(b) for a, b in builtin.hypernym_pairs()]
    assert np.mean(general) > 0.75  # hypernyms are nearer to the base point


def test_flat_space_learns_too() -> None:
    vectors = train(
        builtin.sentences(300_000), geometry="euclidean", **(SMALL | {"dimension": 20, "epochs": 4})
    )
    assert vectors.points.shape == (len(vectors), 20)
    assert similarity_of(vectors) > 0.5
    assert accuracy_of(vectors) > 0.3


def test_one_thread_and_one_seed_give_the_same_bytes(tmp_path: Path) -> None:
    files = []
    for i, seed in enumerate((5, 5, 6)):
        vectors = train(small_corpus(), seed=seed, **SMALL)
        path = tmp_path / f"{i}.safetensors"
        vectors.save(path)
        files.append(path.read_bytes())
    assert files[0] == files[1]
    assert files[0] != files[2]


@pytest.mark.slow
def test_threads_and_locks_learn_as_well() -> None:
    common: dict[str, Any] = SMALL | {"dimension": 20, "epochs": 4, "threads": 2}
    common["schedule"] = "pairwise"
    free = train(builtin.sentences(300_000), **common)
    locked = train(builtin.sentences(300_000), locking=True, **common)
    for vectors in (free, locked):
        assert similarity_of(vectors) > 0.7
    for free_epoch, locked_epoch in zip(free.history, locked.history, strict=True):
        assert free_epoch["skipped"] == 0
        # Draws do not depend on locks: each pair is trained or skipped.
        assert locked_epoch["pairs"] + locked_epoch["skipped"] == free_epoch["pairs"]


@pytest.mark.slow
def test_one_line_trains_as_well_as_many() -> None:
    lines = list(builtin.sentences(300_000))
    words = " ".join(lines).split()
    long_lines = [" ".join(words[i : i + 10]) for i in range(0, len(words), 10)]
    options: dict[str, Any] = SMALL | {"dimension": 20, "epochs": 8, "window": 3}
    one = train([" ".join(words)], **options)
    many = train(long_lines, **options)
    # The same number of centers, but line ends cost some pairs.
    assert one.history[0]["pairs"] > many.history[0]["pairs"]
    assert similarity_of(one) > 0.7
    assert similarity_of(one) == pytest.approx(similarity_of(many), abs=0.05)


def run_of(corpus: EncodedCorpus, plan: TrainingPlan) -> Run:
    parameters = random_parameters(len(corpus.vocabulary), plan)
    return Run(corpus, plan, InitialState(parameters), lambda _: None)


def on_cpu(run: Run) -> CpuBackend:
    assert isinstance(run.backend, CpuBackend)
    return run.backend


@pytest.mark.parametrize(
    "lengths", [[7], [100_000], [3] * 50_000, [10, 90_000, 5, 5, 300_000, 1], [2048, 2048, 1]]
)
def test_blocks_cover_the_corpus_and_respect_sentences(lengths: list[int]) -> None:
    corpus = corpus_of(lengths)
    blocks = list(cut_into_blocks(corpus.sentence_starts, FOR_THREADS))
    assert blocks[0].begin == 0
    assert blocks[-1].end == sum(lengths)
    assert all(a.end == b.begin for a, b in itertools.pairwise(blocks))
    limits = [
        sentence_limits(block, corpus.starts_within(block.begin + 1, block.end)) for block in blocks
    ]
    starts = {
        block.begin + start for block, own in zip(blocks, limits, strict=True) for start in own
    }
    assert starts >= set(corpus.sentence_starts.tolist())
    assert all((np.diff(own) > 0).all() for own in limits)
    longest = max(np.diff(own).max() for own in limits)
    if max(lengths) <= 2048:
        assert longest == max(lengths)  # no sentence was cut


def test_large_blocks_are_of_about_the_same_size() -> None:
    starts = np.arange(0, 10_001, 7)
    sizes = [block.end - block.begin for block in cut_into_blocks(starts, BlockSize(1000, 1))]
    assert sum(sizes) == starts[-1]
    assert max(sizes) <= 1000
    assert min(sizes) > 850  # no small remainder


def test_every_block_has_random_numbers_of_its_own() -> None:
    seeds = [block_seed(s, e, b) for s in range(3) for e in range(3) for b in range(3)]
    assert len(set(seeds)) == 27
    assert block_seed(1, 2, 3) == block_seed(1, 2, 3)


def test_the_default_rate_depends_on_the_number_of_contexts() -> None:
    """A window far longer than the sentences makes no difference."""
    common: dict[str, Any] = {"dimension": 10, "threads": 1, "epochs": 1, "subsample": 0}
    rates = {
        (geometry, window): train(
            small_corpus(5000), geometry=geometry, window=window, **common
        ).options["rate"]
        for geometry in ("hyperboloid", "euclidean")
        for window in (2, 20, 1000)
    }
    assert rates["hyperboloid", 2] > rates["hyperboloid", 20]
    assert rates["hyperboloid", 20] == rates["hyperboloid", 1000]
    assert rates["euclidean", 20] == pytest.approx(rates["hyperboloid", 20] * 25 / 8, rel=0.1)
    assert train(small_corpus(5000), schedule="pairwise", **common).options["rate"] == 0.05
    burnt = train(small_corpus(5000), burn_in_epochs=1, **common)
    assert burnt.options["burn_in_rate"] == burnt.options["rate"]
    with pytest.raises(OptionError, match=naming("end_rate", 0.5, "rate")):
        train(small_corpus(5000), end_rate=0.5, **common)


def test_the_rate_falls_linearly_over_the_whole_training() -> None:
    plan = planned(
        subsample=0,
        dimension=2,
        epochs=4,
        rate=0.08,
        end_rate=0.02,
        burn_in_epochs=2,
        burn_in_rate=0.3,
        negatives=5,
    )
    assert [plan.rate_at(epoch, 0.0) for epoch in range(6)] == pytest.approx(
        [0.3, 0.3, 0.08, 0.065, 0.05, 0.035]
    )
    assert plan.rate_at(5, 1.0) == pytest.approx(0.02)
    assert cpu_settings(plan, burn_in=True).negatives == 1  # a tenth of 5, but at least 1


def test_a_one_line_corpus_moves_in_its_only_epoch() -> None:
    """The authors' program trained it at the end rate of the epoch, which is 0."""
    text = " ".join(small_corpus(5_000))
    options = SMALL | {"epochs": 1, "min_count": 1}
    vectors = train([text], **options)
    start = random_parameters(len(vectors), planned(dimension=10))
    assert np.abs(vectors.coordinates - start.centers).mean() > 0.05


def test_burn_in_and_learned_theta_are_recorded() -> None:
    vectors = train(small_corpus(), burn_in_epochs=1, learn_theta=True, rate=0.05, **SMALL)
    assert [epoch["burn_in"] for epoch in vectors.history] == [True, False, False]
    thetas = [epoch["theta"] for epoch in vectors.history]
    assert len({3.0, *thetas}) == 4
    assert all(0 < theta < 10 for theta in thetas)


def test_the_loss_is_that_of_guessing_at_first_and_falls() -> None:
    """All points start close together, where P(true) = sigma(theta - 1)."""
    options = SMALL | {"negatives": 5, "theta": 2.0}
    guess = np.log1p(np.exp(-1.0)) + 5 * np.log1p(np.exp(1.0))
    for decay in (0.0, 1.0):  # the loss is a weighted mean
        vectors = train(small_corpus(), rate=1e-6, distance_decay=decay, **options)
        assert vectors.history[0]["loss"] == pytest.approx(guess, rel=0.02)
        learned = train(small_corpus(), distance_decay=decay, **options)
        assert learned.history[0]["loss"] < guess / 2


def test_untied_layers_start_and_stay_apart() -> None:
    apart = random_parameters(20, planned(dimension=4, tied=False))
    assert apart.contexts is not None
    assert not np.array_equal(apart.centers, apart.contexts)
    assert random_parameters(20, planned(dimension=4)).contexts is None
    assert len(train(small_corpus(), tied=False, **SMALL)) > 100


def test_the_start_has_the_initial_deviation() -> None:
    start = random_parameters(20_000, planned(dimension=10, initial_deviation=0.01))
    assert start.centers.std() == pytest.approx(0.01, rel=0.01)
    flat = random_parameters(20_000, planned(dimension=10, geometry="euclidean"))
    assert np.abs(flat.centers).max() == pytest.approx(0.1, rel=0.01)
    assert flat.contexts is not None
    assert not flat.contexts.any()


@pytest.mark.parametrize("words", [2, 3])
def test_a_tiny_vocabulary_neither_hangs_nor_fails(words: int) -> None:
    text = [" ".join(["cat", "dog", "cow"][:words]) for _ in range(200)]
    vectors = train(text, dimension=2, negatives=10, threads=1, subsample=0)
    assert len(vectors) == words
    assert np.isfinite(vectors.coordinates).all()


@pytest.mark.parametrize("schedule", ["window", "pairwise"])
@pytest.mark.parametrize("max_step", [1.0, 2.0])
@pytest.mark.parametrize("rate", [2.0, 10.0])
@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_absurd_rates_warn_and_end_in_an_error_or_in_finite_numbers(
    rate: float, geometry: str, max_step: float, schedule: str
) -> None:
    options = SMALL | {"geometry": geometry, "rate": rate, "max_step": max_step}

    def outcome() -> WordVectors | DivergenceError:
        try:
            return train(small_corpus(), schedule=schedule, **options)
        except DivergenceError as error:
            return error

    with pytest.warns(TrainingWarning, match=naming("rate", f"{rate:g}")):
        result = outcome()
    if isinstance(result, DivergenceError):
        assert re.search(naming(1, f"{max_step:g}", "max_step"), str(result))
    else:
        assert np.isfinite(result.coordinates).all()
        assert max(result.radius(word) for word in result.words) < 50


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_words_that_are_too_far_out_are_detected(geometry: str) -> None:
    """Independently of the loss."""
    plan = planned(
        geometry=geometry, dimension=2, threads=1, epochs=100_000, rate=0.001, subsample=0
    )
    corpus = EncodedCorpus(
        TextOptions(),
        Vocabulary.of(("a", "b", "never"), np.array([9, 9, 1])),
        np.arange(2_000_000, dtype=np.int32) % 2,
        np.arange(0, 2_000_001, 50),
    )
    run = run_of(corpus, plan)
    far = 1e8
    on_cpu(run).layers.centers[2] = [far, 0, *(far if i == 0 else 0 for i in range(14))]
    on_cpu(run).tables.noise[:] = 0
    radius = "19.1" if geometry == "hyperboloid" else "1.41e+08"
    with pytest.raises(DivergenceError, match=naming("radius", radius, "float32")):
        run.continue_epoch()


@pytest.mark.filterwarnings("ignore:the text has no new words")
@pytest.mark.parametrize("start", ["deviation", "model", "frozen model"])
def test_words_that_start_far_out_have_not_diverged(start: str) -> None:
    """Even if the loss is large, as long as nothing else is wrong."""
    options = SMALL | {"dimension": 20, "epochs": 3}
    if start == "deviation":
        vectors = train(small_corpus(), initial_deviation=1.0, **options)
    else:
        near = train(small_corpus(), **options)
        radii = np.array([near.radius(word) for word in near.words])[:, None]
        directions = near.coordinates / np.linalg.norm(near.coordinates, axis=1, keepdims=True)
        far = (np.sinh(radii + 4) * directions).astype(np.float32)
        model = WordVectors(near.words, far, counts=near.counts)
        vectors = train(small_corpus(), init=model, freeze=start == "frozen model", **options)
    assert len(vectors.history) == 3


@pytest.mark.parametrize(
    "options",
    [
        {"dimension": 2000, "negatives": 1},
        {"dimension": 100, "curvature": 0.001, "initial_deviation": 0.05},
        {"dimension": 100, "factors": 100, "curvature": 10.0},
    ],
)
def test_unusual_spaces_have_not_diverged(options: dict[str, Any]) -> None:
    """Neither with scattered scores at the start, nor with radii that add up over factors."""
    vectors = train(small_corpus(), threads=1, epochs=1, **options)
    assert np.isfinite(vectors.coordinates).all()


def test_words_are_centered_at_the_end_unless_there_is_an_initial_model() -> None:
    vectors = train(small_corpus(), **SMALL)
    np.testing.assert_allclose(vectors.centroid(vectors.words)[:-1], 0.0, atol=1e-5)
    with pytest.warns(TrainingWarning, match="freeze"):
        more = train(small_corpus(), init=vectors, freeze=True, **SMALL)
    np.testing.assert_array_equal(more.coordinates, vectors.coordinates)


def test_the_chosen_layer_is_kept() -> None:
    trained = {
        layer: train(small_corpus(), tied=False, layer=layer, geometry="euclidean", **SMALL)
        for layer in ("centers", "contexts", "centroid")
    }
    both = trained["centers"].coordinates + trained["contexts"].coordinates
    np.testing.assert_allclose(trained["centroid"].coordinates, both / 2, atol=1e-6)
    assert not np.allclose(trained["centers"].coordinates, trained["contexts"].coordinates)


def test_divergence_is_reported_with_epoch_and_rate() -> None:
    plan = planned(dimension=2, threads=1, tied=False, rate=0.02, subsample=0)
    run = run_of(corpus_of([50] * 200), plan)
    on_cpu(run).layers.centers[:] = np.nan
    with pytest.raises(DivergenceError, match=naming("epoch", 1, "rate", 0.02, "radius", "nan")):
        run.continue_epoch()


def test_a_divergence_at_the_end_is_not_reported_with_rate_0(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rates: list[float] = []
    monkeypatch.setattr(DivergenceCheck, "check", lambda _, __, rate: rates.append(rate))
    run = run_of(corpus_of([50] * 20), planned(dimension=2, rate=0.02, epochs=1, subsample=0))
    run.continue_epoch()
    assert rates[-1] == 0.02


@pytest.mark.parametrize("layer", ["centers", "contexts"])
def test_vectors_that_are_not_finite_are_detected(layer: str) -> None:
    corpus = corpus_of([50] * 200)
    plan = planned(dimension=2, threads=2, tied=False, burn_in_epochs=1, rate=0.02, subsample=0)
    corpus = EncodedCorpus(
        corpus.options,
        Vocabulary.of(("a", "b", "never"), np.array([9, 9, 1])),
        np.arange(10_000, dtype=np.int32) % 2,
        corpus.sentence_starts,
    )
    run = run_of(corpus, plan)
    # The word is in no pair and never drawn, so that the loss does not show it.
    getattr(on_cpu(run).layers, layer)[2] = np.inf
    on_cpu(run).tables.noise[:] = 0
    with pytest.raises(DivergenceError, match=naming("burn_in_rate")):
        run.continue_epoch()


def test_a_thread_that_cannot_start_ends_the_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = planned(dimension=2, threads=2, rate=0.02, subsample=0)
    run = run_of(corpus_of([50] * 2000), plan)
    start = threading.Thread.start
    started: list[threading.Thread] = []

    def only_one(thread: threading.Thread) -> None:
        if started:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    trained: list[object] = []
    stopped, stop = threading.Event(), run.backend.stop

    def until_stopped(text: object, *_: object, **__: object) -> Outcome:
        trained.append(text)
        stopped.wait(60)
        return Outcome(1, 0.0, 0)

    def stop_and_record() -> None:
        stop()
        stopped.set()

    monkeypatch.setattr(run.backend, "train_block", until_stopped)
    monkeypatch.setattr(run.backend, "stop", stop_and_record)
    monkeypatch.setattr(threading.Thread, "start", only_one)
    with pytest.raises(RuntimeError, match="start new thread"):
        run.continue_epoch()
    assert len(trained) == 1 < len(run.blocks)


def test_the_stored_options_train_the_same_again() -> None:
    options = SMALL | {"burn_in_epochs": 1, "tied": False, "theta": 2.0}
    first = train(small_corpus(20_000), **options)
    again = train(small_corpus(20_000), **first.options)
    np.testing.assert_array_equal(first.coordinates, again.coordinates)


@pytest.mark.slow
def test_compiled_kernels_are_cached_until_a_source_changes_or_they_are_damaged(
    tmp_path: Path,
) -> None:
    """Including the source of functions that a kernel calls, which Numba does not check."""
    run = (
        "from hyperskip import builtin, train; from hyperskip.training.cpu import window;"
        "train(builtin.sentences(5000), dimension=2, epochs=1, threads=1);"
        "print(sum(window.train_tiles.stats.cache_hits.values()))"
    )
    change = "from hyperskip import kernel_cache; kernel_cache.checksum_of = lambda *_: 'changed';"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}

    def hits(command: str) -> int:
        done = subprocess.run(
            [sys.executable, "-c", command], env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    assert [hits(run), hits(run), hits(change + run)] == [0, 1, 0]
    for index in tmp_path.rglob("*.nbi"):
        index.write_bytes(index.read_bytes()[:100])
    assert hits(run) == 0


@pytest.mark.slow
def test_training_continues_if_the_disk_of_the_kernel_cache_is_full(tmp_path: Path) -> None:
    run = (
        "from numba.core.caching import IndexDataCacheFile\n"
        "def full(*_): raise OSError(28, 'No space left on device')\n"
        "IndexDataCacheFile._save_data = full\n"
        "from hyperskip import builtin, train\n"
        "print(len(train(builtin.sentences(5000), dimension=2, epochs=1, threads=1)) > 0)"
    )
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", run], env=environment, capture_output=True, text=True
    )
    assert done.stdout == "True\n", done.stderr


def test_kernels_are_compiled_if_there_is_no_folder_for_the_cache() -> None:
    check = (
        "from numba.core.caching import CacheImpl; CacheImpl._locator_classes = [];"
        "import hyperskip.training.cpu.window; print('fine')"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.stdout == "fine\n", done.stderr


def test_a_compiler_that_is_switched_off_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    with pytest.raises(HyperskipError, match="NUMBA_DISABLE_JIT"):
        train(small_corpus(2000), **SMALL)


def test_a_text_without_contexts_or_pairs_is_reported() -> None:
    with pytest.raises(CorpusError):
        train(["cat", "dog"] * 50)
    with (
        pytest.warns(TrainingWarning, match=naming(3, "subsample", "1e-06")),
        pytest.warns(TrainingWarning, match=naming("subsampling", "subsample", "0")),
    ):
        train(["cat dog cow", "dog cow cat"] * 20, subsample=1e-6, dimension=2)


def test_options_are_checked_before_the_corpus_is_read() -> None:
    def never() -> Iterator[str]:
        raise AssertionError("the corpus was read")
        yield ""

    with pytest.raises(OptionError, match=naming("dimension", 0, 1)):
        train(never(), dimension=0)


def test_progress_reports_every_epoch_and_reaches_the_end() -> None:
    seen: list[Progress] = []
    vectors = train(small_corpus(), report=seen.append, **SMALL)
    summaries = [event for event in seen if isinstance(event, EpochSummary)]
    progress = [event for event in seen if isinstance(event, TrainingProgress)]
    assert [summary.epoch for summary in summaries] == [1, 2]
    assert progress[-1].tokens == progress[-1].tokens_total
    assert [dict(epoch)["loss"] for epoch in vectors.history] == [s.loss for s in summaries]


def test_the_options_are_stored_with_the_vectors() -> None:
    vectors = train(small_corpus(), **SMALL)
    assert vectors.options["dimension"] == 10
    assert vectors.options["theta"] == 1.5
    assert vectors.options["subsample"] == SMALL.get("subsample", 1e-4)
    assert vectors.options["tokenizer"] == "paper"


def test_an_error_in_the_report_stops_training() -> None:
    def stop(event: Progress) -> None:
        if isinstance(event, TrainingProgress):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train(small_corpus(), report=stop, **(SMALL | {"threads": 2}))
