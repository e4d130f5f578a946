"""Training with subwords: kernels against the reference, and words that the text does not have."""

import itertools
import tracemalloc
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from interpreted_kernels import need_triton
from plans import corpus_of, planned

from hyperskip import OptionError, SubwordScheme, TrainingWarning, WordVectors, builtin, train
from hyperskip.thread_pool import ThreadPool
from hyperskip.training.backend import SubwordBackend
from hyperskip.training.blocks import Block
from hyperskip.training.cpu.backend import CpuBackend
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.objective import subwords
from hyperskip.training.objective.subwords import FITS, LAST_FIT, Fit
from hyperskip.training.parameters import InitialParameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.run.loop import Run
from hyperskip.training.run.state import InitialState
from hyperskip.training.run.subword_training import SubwordTraining
from hyperskip.training.run.training_events import Progress, SubwordsFound
from hyperskip.training.start.random_positions import random_parameters

SCHEME = SubwordScheme(shortest=3, longest=4, buckets=50)
SHARED = SubwordScheme(shortest=3, longest=4, buckets=20, hashes=2)
WORDS = ["dog", "dogs", "cat", "cats", "catalog", "a", "zebra", "banana", "", "doggone", "ant"]
COUNTS = np.arange(20, 20 - len(WORDS), -1)
FIT = Fit(step=0.3, pull=0.2, iterations=2)
SPACES: dict[str, dict[str, Any]] = {
    "hyperboloid": {},
    "product": {"factors": 2},
    "two layers": {"tied": False},
    "euclidean": {"geometry": "euclidean"},
}


def parameters_for(plan: TrainingPlan, index: NgramIndex) -> InitialParameters:
    generator = np.random.default_rng(3)

    def numbers(rows: int) -> npt.NDArray[np.float32]:
        return generator.normal(size=(rows, plan.dimension)).astype(np.float32)

    contexts = None if plan.tied else numbers(len(WORDS))
    return InitialParameters(
        numbers(len(WORDS)), contexts, plan.theta, ngrams=numbers(len(index.buckets))
    )


def backend_on(
    device: str,
    plan: TrainingPlan,
    parameters: InitialParameters,
    index: NgramIndex,
    fixed: npt.NDArray[np.bool_] | None = None,
    fixed_ngrams: npt.NDArray[np.bool_] | None = None,
) -> SubwordBackend:
    if device == "cpu":
        return CpuBackend(
            *(parameters, COUNTS, plan, 1, 100, fixed), index=index, fixed_ngrams=fixed_ngrams
        )
    need_triton()
    from hyperskip.training.gpu.backend import GpuBackend

    return GpuBackend(
        *(parameters, COUNTS, plan, 100, fixed), index=index, fixed_ngrams=fixed_ngrams
    )


def rows_of_words(index: NgramIndex) -> list[list[int]]:
    return [part.tolist() for part in np.split(index.rows, index.row_starts[1:-1])]


def test_the_index_lists_words_and_rows_in_both_directions() -> None:
    index = NgramIndex.of(WORDS, SCHEME)
    listed = {(row, word) for word, rows in enumerate(rows_of_words(index)) for row in rows}
    words = np.split(index.words, index.word_starts[1:-1])
    assert {(row, word) for row, of_row in enumerate(words) for word in of_row.tolist()} == listed
    assert index.buckets[rows_of_words(index)[0]].tolist() == (
        SCHEME.buckets_of(["dog"]).buckets.tolist()
    )
    assert rows_of_words(index)[WORDS.index("")] == []  # "<>" is shorter than three characters
    twice = rows_of_words(index)[WORDS.index("banana")]
    assert len(set(twice)) < len(twice)  # "ana" occurs twice
    assert index.bytes_for(100) >= 400 * (2 * len(index.buckets) + len(WORDS))
    assert index.buckets[index.order].tolist() == sorted(index.buckets)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("scheme", [SCHEME, SHARED], ids=["own rows", "shared table"])
def test_kernels_agree_with_the_reference(device: str, space: str, scheme: SubwordScheme) -> None:
    plan = planned(dimension=6, device=device, threads=2, **SPACES[space])
    plan = replace(plan, subwords=scheme)
    index = NgramIndex.of(WORDS, scheme)
    parameters = parameters_for(plan, index)
    backend = backend_on(device, plan, parameters, index)
    words = parameters.centers.astype(np.float64)
    assert parameters.ngrams is not None
    ngrams = np.empty(parameters.ngrams.shape)
    ngrams[index.order] = parameters.ngrams
    for _ in range(2):
        backend.fit_subwords(FIT)
        subwords.fit_subwords(words, ngrams, rows_of_words(index), FIT, plan.sharing_power)
    backend.center_words()
    shift = words.mean(axis=0)
    subwords.center(words, ngrams)
    after = backend.parameters()
    assert after.ngrams is not None
    np.testing.assert_allclose(after.centers, words, atol=3e-6)
    np.testing.assert_allclose(after.ngrams, ngrams[index.order], atol=3e-6)
    if parameters.contexts is not None:
        assert after.contexts is not None
        np.testing.assert_allclose(after.contexts, parameters.contexts - shift, atol=3e-6)
    if plan.space.is_curved:
        squares = (after.centers.astype(np.float64) ** 2).reshape(len(words), plan.factors, -1)
        np.testing.assert_allclose(after.times[0], np.sqrt(1 + squares.sum(axis=2)), rtol=1e-6)


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_fixed_words_and_ngrams_do_not_move(device: str) -> None:
    plan = planned(dimension=6, device=device)
    index = NgramIndex.of(WORDS, SCHEME)
    parameters = parameters_for(plan, index)
    fixed = np.arange(len(WORDS)) % 2 == 0
    fixed_ngrams = np.arange(len(index.buckets)) % 3 == 0
    backend = backend_on(device, plan, parameters, index, fixed, fixed_ngrams)
    before = backend.parameters()
    backend.fit_subwords(FIT)
    after = backend.parameters()
    assert before.ngrams is not None
    assert after.ngrams is not None
    np.testing.assert_array_equal(after.centers[fixed], before.centers[fixed])
    np.testing.assert_array_equal(after.times[0][fixed], before.times[0][fixed])
    np.testing.assert_array_equal(after.ngrams[fixed_ngrams], before.ngrams[fixed_ngrams])
    assert (after.centers[~fixed] != before.centers[~fixed]).any()
    assert (after.ngrams[~fixed_ngrams] != before.ngrams[~fixed_ngrams]).all()


def test_kernels_are_compiled_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A signal can leave a lock of the compiler locked, and other threads would wait for it."""

    def no_thread(*_: object) -> None:
        raise AssertionError("a thread was started")

    plan = replace(planned(dimension=6, threads=2, deterministic=True), subwords=SCHEME)
    index = NgramIndex.of(WORDS, SCHEME)
    backend = CpuBackend(parameters_for(plan, index), COUNTS, plan, 1, 100_000, None, index=index)
    monkeypatch.setattr(ThreadPool, "submit", no_thread)
    backend.compile()


def test_ngrams_learn_to_explain_words() -> None:
    index = NgramIndex.of(WORDS, SCHEME)
    generator = np.random.default_rng(1)
    words, ngrams = generator.normal(size=(len(WORDS), 4)), np.zeros((len(index.buckets), 4))
    rows = rows_of_words(index)

    def unexplained() -> float:
        means = [
            ngrams[of_word].mean(axis=0) if of_word else words[i] for i, of_word in enumerate(rows)
        ]
        return float(np.square(words - means).sum())

    losses = [unexplained()]
    for _ in range(200):
        subwords.fit_subwords(words, ngrams, rows, Fit(step=0.3, pull=0.0, iterations=1))
        losses.append(unexplained())
    assert all(after <= before for before, after in itertools.pairwise(losses))
    assert losses[-1] < 0.1 * losses[0]


def test_frequent_ngrams_have_a_limited_weight() -> None:
    counts = np.array([0, 1, 100, 10**6])
    weights = subwords.row_weights(counts, 0.7)
    np.testing.assert_allclose(weights, [1.0, 1.0, 100**-0.7, 20 / 10**6])


class RecordingBackend:
    """Records when n-grams are fitted."""

    fits_in_blocks = False

    def __init__(self) -> None:
        self.fits: list[Fit] = []
        self.centered = 0

    def fit_subwords(self, fit: Fit) -> None:
        self.fits.append(fit)

    def center_words(self) -> None:
        self.centered += 1


def blocks_of(count: int, tokens: int) -> list[Block]:
    edges = [tokens * i // count for i in range(count + 1)]
    return [Block(i, edges[i], edges[i + 1]) for i in range(count)]


@pytest.mark.parametrize(("count", "fits"), [(1, 1), (7, 7), (20, 20), (33, 20), (500, 20)])
def test_an_epoch_has_the_same_number_of_fits_at_the_same_places(count: int, fits: int) -> None:
    backend: Any = RecordingBackend()
    plan = planned(dimension=4, epochs=2)
    training = SubwordTraining(backend, replace(plan, subwords=SCHEME), 10_000, keeps_center=True)
    blocks = blocks_of(count, 10_000)
    parts = list(training.parts(blocks))
    assert [block for part in parts for block in part] == blocks
    assert len(parts) == min(fits, FITS)
    # A training that resumes inside of a part fits at the same places.
    for begin in range(count):
        ends = [part[-1] for part in training.parts(blocks[begin:])]
        assert ends == [part[-1] for part in parts if part[-1].number >= begin]
    for part in parts:
        training.end_part(0, part[-1])
    assert len(backend.fits) == len(parts)
    assert backend.centered == 1


def test_a_pause_is_noticed_at_the_end_of_a_part() -> None:
    """Also if a part is a single block, which is over before the pause is due."""
    corpus = corpus_of([50] * 2000, words=len(WORDS))
    plan = replace(planned(dimension=4, threads=1, deterministic=True), subwords=SCHEME)
    index = NgramIndex.of(corpus.vocabulary.words, SCHEME)
    parameters = random_parameters(len(WORDS), plan)
    ngrams = np.zeros((len(index.buckets), plan.dimension), dtype=np.float32)
    start = InitialState(parameters._replace(ngrams=ngrams))
    run = Run(corpus, plan, start, lambda _: None, index=index)
    pauses = 0
    while run.position.epoch == 0:
        run.continue_epoch(lambda: True)
        pauses += 1
    assert pauses >= FITS


def test_a_backend_with_large_blocks_fits_by_itself() -> None:
    backend: Any = RecordingBackend()
    backend.fits_in_blocks = True
    plan = replace(planned(dimension=4), subwords=SCHEME)
    training = SubwordTraining(backend, plan, 10_000, keeps_center=True)
    blocks = blocks_of(3, 10_000)
    assert list(training.parts(blocks)) == [blocks]
    training.end_part(0, blocks[-1])
    assert backend.fits == []
    assert backend.centered == 1


@pytest.mark.parametrize("fits_in_blocks", [False, True])
def test_after_the_last_epoch_ngrams_move_and_words_stay(fits_in_blocks: bool) -> None:
    backend: Any = RecordingBackend()
    backend.fits_in_blocks = fits_in_blocks
    plan = replace(planned(dimension=4, epochs=2), subwords=SCHEME)
    training = SubwordTraining(backend, plan, 10_000, keeps_center=True)
    for epoch in range(2):
        assert LAST_FIT not in backend.fits
        for part in training.parts(blocks_of(3, 10_000)):
            training.end_part(epoch, part[-1])
    assert backend.fits[-1] == LAST_FIT
    assert LAST_FIT.pull == 0.0


@pytest.mark.parametrize("count", [1, 5, 20, 100])
def test_an_epoch_pulls_words_equally_far_with_any_number_of_blocks(count: int) -> None:
    backend: Any = RecordingBackend()
    plan = planned(dimension=4, epochs=1, rate=0.1, end_rate=0.1)
    training = SubwordTraining(backend, replace(plan, subwords=SCHEME), 10_000, keeps_center=False)
    for part in training.parts(blocks_of(count, 10_000)):
        training.end_part(0, part[-1])
    left = np.prod([1 - fit.pull for fit in backend.fits])
    assert left == pytest.approx((1 - 0.0045 * 4**0.5) ** FITS)


def test_a_shared_table_explains_all_of_the_words_in_the_end() -> None:
    backend: Any = RecordingBackend()
    plan = planned(dimension=4, epochs=3)
    training = SubwordTraining(backend, replace(plan, subwords=SHARED), 10_000, keeps_center=True)
    for epoch in range(3):
        for part in training.parts(blocks_of(40, 10_000)):
            training.end_part(epoch, part[-1])
    pulls = [fit.pull for fit in backend.fits]
    assert pulls == sorted(pulls)
    assert pulls[0] < 0.1
    assert pulls[-1] == 1.0


STEMS = {
    "animal": ("zebr", "girk", "plonk"),
    "metal": ("stahl", "kupfr", "goldm"),
    "music": ("violm", "trompt", "flaut"),
    "plant": ("rosmar", "tulpen", "farnik"),
}
ENDINGS = ("a", "os", "erin", "ung")
HELD_OUT = ("zebrerin", "kupfros", "trompta", "tulpenung")


def topic_of(word: str) -> str:
    return next(topic for topic, stems in STEMS.items() if word.startswith(stems))


def inflected_text(seed: int = 1) -> Iterator[list[str]]:
    """Sentences about one topic each; some inflected words never occur."""
    generator = np.random.default_rng(seed)
    words = {
        topic: [
            stem + ending for stem in stems for ending in ENDINGS if stem + ending not in HELD_OUT
        ]
        for topic, stems in STEMS.items()
    }
    topics = list(STEMS)
    for _ in range(1500):
        yield generator.choice(words[topics[generator.integers(len(topics))]], size=8).tolist()


LEARNING: dict[str, dict[str, Any]] = {
    "hyperboloid": {},
    "a product": {"factors": 2},
    "two layers": {"tied": False},
    "euclidean": {"geometry": "euclidean"},
    "deterministic": {"deterministic": True, "threads": 2},
    "a shared table": {"bucket_hashes": 2, "buckets": 2000},
}


@pytest.mark.parametrize("case", LEARNING)
def test_unseen_inflections_are_near_their_topic(case: str) -> None:
    options: dict[str, Any] = {"threads": 1} | LEARNING[case]
    vectors = train(
        list(inflected_text()), dimension=8, epochs=10, min_count=1, subwords=True, **options
    )
    assert vectors.subwords is not None
    assert not set(HELD_OUT) & set(vectors.words)
    composed = vectors.subwords.compose(HELD_OUT).coordinates
    for word, coordinates in zip(HELD_OUT, composed, strict=True):
        point = vectors.space.points(coordinates)
        near = [item.word for item in vectors.measured_by("angle").neighbors(point, 5)]
        assert [topic_of(other) for other in near] == [topic_of(word)] * 5


def test_words_without_vectors_of_their_own_are_the_means_of_their_ngrams() -> None:
    options: dict[str, Any] = {"dimension": 5, "epochs": 2, "threads": 1, "subwords": True}
    vectors = train(builtin.sentences(20_000), bucket_hashes=2, buckets=1000, **options)
    assert vectors.subwords is not None
    composed = vectors.subwords.compose(vectors.words)
    np.testing.assert_allclose(vectors.coordinates, composed.coordinates, atol=1e-6)
    assert vectors.options["bucket_hashes"] == 2
    more = train(builtin.sentences(5000), init=vectors, epochs=1, threads=1)
    assert more.subwords is not None
    assert len(more) == len(vectors)  # most of them are not in the new text
    composed = more.subwords.compose(more.words)
    np.testing.assert_allclose(more.coordinates, composed.coordinates, atol=1e-6)


def test_the_words_are_centered(trained_with_subwords: WordVectors) -> None:
    middle = trained_with_subwords.coordinates.mean(axis=0)
    assert np.linalg.norm(middle) < 1e-5


@pytest.fixture(scope="module")
def trained_with_subwords() -> WordVectors:
    return train(
        builtin.sentences(60_000), dimension=6, epochs=3, threads=1, subwords=True, subword_max=4
    )


def test_the_options_are_stored(trained_with_subwords: WordVectors) -> None:
    stored = {
        name: trained_with_subwords.options[name]
        for name in ("subwords", "subword_min", "subword_max", "buckets", "bucket_hashes")
    }
    assert stored == {
        "subwords": True,
        "subword_min": 3,
        "subword_max": 4,
        "buckets": 2_000_000,
        "bucket_hashes": None,
    }
    assert "subwords" not in train(builtin.sentences(5000), dimension=2, epochs=1).options


def test_the_memory_is_stated_before_training() -> None:
    seen: list[Progress] = []
    train(builtin.sentences(5000), dimension=2, epochs=1, subwords=True, report=seen.append)
    (found,) = [event for event in seen if isinstance(event, SubwordsFound)]
    assert found.ngrams > found.words > 0
    assert found.bytes > 4 * 2 * (found.ngrams + found.words)


@pytest.mark.parametrize("continues", [False, True], ids=["new", "from a model"])
def test_training_takes_no_more_memory_than_stated(tmp_path: Path, continues: bool) -> None:
    """Words have many n-grams, so that other memory hardly matters."""
    generator = np.random.default_rng(5)
    words = ["".join(generator.choice(list("abcdefghijklmnopqrst"), 40)) for _ in range(200)]
    text = [" ".join(generator.permutation(words)) for _ in range(20)]
    options: dict[str, Any] = {"dimension": 100, "subwords": True, "threads": 1, "min_count": 1}
    init = train(text, epochs=1, **options) if continues else None
    stated = in_use = 0

    def report(event: Progress) -> None:
        nonlocal stated, in_use
        if isinstance(event, SubwordsFound):
            stated, in_use = event.bytes, tracemalloc.get_traced_memory()[0]

    train(text, epochs=1, report=report, **options)  # loads what is loaded once
    tracemalloc.start()
    try:
        # A word that the model does not have.
        train(
            [*text, "zyx" * 10], epochs=3, init=init, report=report,
            checkpoints=tmp_path / "checkpoints", **options,
        )  # fmt: skip
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    other = 5_000_000
    assert stated > 4 * other
    assert peak - in_use < stated + other


def test_training_continues_from_a_model_with_subwords(trained_with_subwords: WordVectors) -> None:
    text = [*builtin.sentences(20_000), *(["violinlike cellolike violin cello"] * 50)]
    options: dict[str, Any] = {"epochs": 2, "threads": 1}
    more = train(text, init=trained_with_subwords, **options)
    assert more.subwords is not None
    assert trained_with_subwords.subwords is not None
    assert set(more.subwords.buckets) > set(trained_with_subwords.subwords.buckets)
    assert more.subwords.scheme == trained_with_subwords.subwords.scheme
    assert "violinlike" in more
    plain = train(text, init=trained_with_subwords, subwords=False, **options)
    assert plain.subwords is None


def test_frozen_words_and_ngrams_keep_their_vectors(trained_with_subwords: WordVectors) -> None:
    text = [*builtin.sentences(20_000), *(["violinlike cellolike violin cello"] * 50)]
    more = train(text, init=trained_with_subwords, freeze=True, epochs=2, threads=1)
    old = trained_with_subwords.subwords
    assert more.subwords is not None
    assert old is not None
    rows = more.rows_of(trained_with_subwords.words)
    np.testing.assert_array_equal(more.coordinates[rows], trained_with_subwords.coordinates)
    places = np.searchsorted(more.subwords.buckets, old.buckets)
    np.testing.assert_array_equal(more.subwords.coordinates[places], old.coordinates)
    new = np.setdiff1d(np.arange(len(more.subwords)), places)
    assert more.subwords.coordinates[new].any()


def test_a_model_without_subwords_gets_them() -> None:
    lines = list(inflected_text())
    plain = train(lines, dimension=8, epochs=10, min_count=1, threads=1)
    more = train(lines, init=plain, epochs=5, min_count=1, threads=1, subwords=True)
    assert more.subwords is not None
    composed = more.subwords.compose(HELD_OUT).coordinates
    for word, coordinates in zip(HELD_OUT, composed, strict=True):
        point = more.space.points(coordinates)
        nearest = more.measured_by("angle").neighbors(point, 1)[0].word
        assert topic_of(nearest) == topic_of(word)


def test_frozen_words_teach_new_ngrams() -> None:
    lines = list(inflected_text())
    options: dict[str, Any] = {"epochs": 2, "min_count": 1, "threads": 1}
    plain = train(lines, dimension=8, **options)
    more = train(lines, init=plain, freeze=True, subwords=True, **options)  # without a warning
    np.testing.assert_array_equal(more.coordinates, plain.coordinates)
    assert more.subwords is not None
    assert more.subwords.coordinates.any()


def test_words_may_have_no_ngrams() -> None:
    text = [["a", "b", "c", "d", "e"]] * 200
    with pytest.warns(TrainingWarning, match=naming("subword_min", 4)):
        vectors = train(
            text, tokenizer="whitespace", dimension=2, epochs=2, subwords=True, subword_min=4
        )
    assert vectors.subwords is not None
    assert len(vectors.subwords) == 0
    assert np.isfinite(vectors.coordinates).all()


def test_hostile_words_are_trained() -> None:
    words = [
        "x" * 100_000,
        "e\u0301\u0301",
        "\u0301",
        "שלום",
        "\ud800",
        "👩‍👩‍👧",
        "日本語",
        "<>",
        "\u200f",
    ]
    vectors = train([words] * 60, dimension=3, epochs=2, subwords=True, threads=1)
    assert vectors.subwords is not None
    assert np.isfinite(vectors.coordinates).all()
    assert np.isfinite(vectors.subwords.coordinates).all()
    assert set(vectors.words) == set(words)


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"subword_min": 4}, ["subword_min", "subwords=True"]),
        ({"bucket_hashes": 2}, ["bucket_hashes", "subwords=True"]),
        ({"subwords": True, "subword_min": 7}, ["subword_min", 7, "subword_max", 6]),
        ({"subwords": True, "subword_max": 2}, ["subword_min", 3, "subword_max", 2]),
        ({"subwords": True, "subword_max": 0}, ["subword_max", 0]),
        ({"subwords": True, "buckets": 0}, ["buckets", 0]),
        ({"subwords": True, "bucket_hashes": 5}, ["bucket_hashes", 5]),
        ({"subwords": True, "bucket_hashes": 1, "subword_min": 1}, ["subword_min", 2]),
        ({"subwords": True, "schedule": "pairwise"}, ["subwords", "schedule", "window"]),
        ({"subwords": True, "tied": False, "layer": "contexts"}, ["layer", "subwords"]),
        ({"subwords": True, "cluster": "auto"}, ["subwords", "cluster"]),
        ({"subwords": "yes"}, ["subwords", "yes"]),
    ],
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], facts: list[Any]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        train(Path("no-such-file.txt"), **options)


def test_other_ngrams_than_those_of_the_model_are_refused(
    trained_with_subwords: WordVectors,
) -> None:
    for name, value, theirs in (("subword_max", 5, 4), ("bucket_hashes", 2, "does not have")):
        options: dict[str, Any] = {name: value}
        with pytest.raises(OptionError, match=naming("init", name, value, theirs)):
            train(Path("no-such-file.txt"), init=trained_with_subwords, **options)


def test_subwords_that_are_asked_for_are_those_of_the_model() -> None:
    options: dict[str, Any] = {"subwords": True, "epochs": 1, "threads": 1}
    text = list(builtin.sentences(5000))
    model = train(text, dimension=3, subword_min=2, buckets=1000, **options)
    more = train(text, init=model, **options)
    assert model.subwords is not None
    assert more.subwords is not None
    assert more.subwords.scheme == model.subwords.scheme


@pytest.mark.slow  # kernels are compared with the reference above
def test_training_on_a_gpu_fits_ngrams_inside_of_blocks() -> None:
    need_triton()
    lines = [["wordy", "words", "sword", "swordy"], ["thing", "things", "nothing"]] * 12
    options: dict[str, Any] = {
        "device": "cuda",
        "deterministic": True,
        "dimension": 3,
        "epochs": 2,
        "min_count": 1,
        "window": 2,
        "negatives": 2,
        "shared_negatives": 5,
        "subsample": 0,
        "subwords": True,
    }
    first, second = (train(lines, **options) for _ in range(2))
    assert first.subwords is not None
    assert second.subwords is not None
    assert np.abs(first.subwords.coordinates).sum(axis=1).all()
    np.testing.assert_array_equal(first.subwords.coordinates, second.subwords.coordinates)
    np.testing.assert_array_equal(first.coordinates, second.coordinates)
