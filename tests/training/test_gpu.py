"""Training on a GPU: text, blocks and checkpoints, with interpreted kernels.

test_kernel.py compares the kernels with the reference, together with those of the CPU.
"""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from interpreted_kernels import gpu_backend, need_triton, rounding
from plans import planned
from program import Program

from hyperskip import WordVectors, train
from hyperskip.devices import CPU, CUDA, gpu
from hyperskip.errors import OptionError
from hyperskip.geometry import hyperboloid
from hyperskip.training.backend import Outcome
from hyperskip.training.blocks import FOR_THREADS, Block, BlockSize
from hyperskip.training.objective import sampling
from hyperskip.training.objective.draws import draws
from hyperskip.training.options import TrainingOptions
from hyperskip.training.parameters import InitialParameters
from hyperskip.training.run import device as device_module
from hyperskip.training.run import training_run
from hyperskip.training.run.block_training import EpochBlock, _BlockReader
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import OnDevice, Progress
from hyperskip.training.start.random_positions import random_parameters

WORDS = 30
COUNTS = np.maximum(300 // np.arange(1, WORDS + 1), 1).astype(np.int64)
OPTIONS: dict[str, Any] = {
    "dimension": 4,
    "window": 3,
    "negatives": 3,
    "shared_negatives": 9,
    "subsample": 0,
    "min_count": 1,
    "epochs": 2,
}


@pytest.fixture(autouse=True)
def _triton() -> None:
    need_triton()


def sentences(count: int = 25, seed: int = 1) -> list[list[str]]:
    generator = np.random.default_rng(seed)
    shares = COUNTS / COUNTS.sum()
    return [
        [f"w{word}" for word in generator.choice(WORDS, size=length, p=shares)]
        for length in generator.integers(1, 12, count)
    ]


def word_ids(count: int, seed: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    lines = [[int(word[1:]) for word in line] for line in sentences(count, seed)]
    tokens = np.array([word for line in lines for word in line], dtype=np.int32)
    return tokens, np.cumsum([0, *map(len, lines)]).astype(np.int64)


@pytest.fixture
def small_blocks() -> Iterator[None]:
    """Several blocks in each epoch, so that they are read ahead."""
    with patch.object(training_run, "block_size", lambda _: BlockSize(largest=40, wanted=1)):
        yield


@pytest.mark.parametrize("shrink_window", [False, True])
@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("count", [1, 90])
def test_text_is_subsampled_as_by_the_reference(
    count: int, tied: bool, shrink_window: bool
) -> None:
    import torch

    from hyperskip.training.gpu.subsampling import Subsampler, Uploaded

    tokens, starts = word_ids(count, seed=count)
    keep = sampling.keep_thresholds(COUNTS, 0.02)
    subsampler = Subsampler(
        len(tokens) + 7,
        keep,
        shrink_window=shrink_window,
        tied=tied,
        distance_weights=sampling.distance_weights(3, 0.5),
        device=gpu(),
    )
    text = Uploaded(
        torch.as_tensor(tokens, device=gpu()),
        torch.as_tensor(starts.astype(np.int32), device=gpu()),
    )
    kept = subsampler.subsample(text, torch.tensor([11], device=gpu()))

    random = draws(11)
    expected: list[tuple[int, int, int, int]] = []
    for first, last in itertools.pairwise(starts.tolist()):
        drawn = [(int(word), next(random)) for word in tokens[first:last]]
        survivors = [(word, bits) for word, bits in drawn if bits >> 32 <= keep[word]]
        begin, end = len(expected), len(expected) + len(survivors) - 1
        for place, (word, bits) in enumerate(survivors, start=begin):
            reach = 1 + ((bits & 0xFFFFFFFF) * 3 >> 32) if shrink_window else 3
            low, high = max(begin, place - reach), min(end, place + reach)
            words = [survivors[i - begin][0] for i in range(low, high + 1) if i != place]
            contexts = sum(not (tied and other == word) for other in words)
            expected.append((word, low, high, contexts))
    found = zip(
        subsampler.kept[:kept].tolist(),
        *subsampler.reaches[:kept].T.tolist(),
        subsampler.context_counts[:kept].tolist(),
        strict=True,
    )
    assert list(found) == expected
    assert 0 < kept <= len(tokens)
    assert kept < len(tokens) or count == 1


def test_text_in_pieces_is_joined() -> None:
    from hyperskip.training.gpu.uploads import Uploads

    tokens, starts = word_ids(40, seed=2)
    uploads = Uploads(len(tokens), gpu())
    first = uploads.upload([tokens[:50], tokens[50:51], tokens[51:]], starts)
    uploads.upload([tokens[::-1]], starts)  # the pinned memory is used again
    np.testing.assert_array_equal(first.tokens.cpu().numpy(), tokens)
    np.testing.assert_array_equal(first.sentence_starts.cpu().numpy(), starts)


def trained(device: str, **options: Any) -> tuple[WordVectors, list[Progress]]:
    seen: list[Progress] = []
    vectors = train(sentences(), device=device, report=seen.append, **(OPTIONS | options))
    return vectors, seen


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"geometry": "euclidean"},
        {"tied": False, "learn_theta": True, "burn_in_epochs": 1, "shrink_window": True},
    ],
)
def test_both_devices_learn_the_same(options: dict[str, Any]) -> None:
    """The tiles of one thread, in order, are rounds of one tile on the GPU."""
    with patch.object(sampling, "tiles_of_a_round", lambda *_: 1):
        on_gpu, seen = trained(CUDA, **options)
        on_cpu, _ = trained(CPU, threads=1, **options)
    assert on_gpu.options["device"] == CUDA
    assert "threads" not in on_gpu.options
    # No coordinate moves by more than 1 in total.
    np.testing.assert_allclose(on_gpu.coordinates, on_cpu.coordinates, atol=1e-4 + rounding())
    for ours, theirs in zip(on_gpu.history, on_cpu.history, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-4 + rounding())
    assert [event.reason for event in seen if isinstance(event, OnDevice)] == [None]


@pytest.mark.slow
@pytest.mark.usefixtures("small_blocks")
def test_after_a_crash_training_ends_with_the_same_bytes(tmp_path: Path) -> None:
    options = {"deterministic": True, "tied": False, "learn_theta": True, "epochs": 3}
    undisturbed, _ = trained(CUDA, **options)

    def stop(event: Progress) -> None:
        if isinstance(event, EpochSummary) and event.epoch == 2:
            raise InterruptedError

    kept: dict[str, Any] = {"checkpoints": tmp_path / "kept", "device": CUDA} | OPTIONS | options
    with pytest.raises(InterruptedError):
        train(sentences(), report=stop, checkpoint_minutes=1e-9, **kept)
    with pytest.raises(OptionError, match=naming("device", "cpu", "cuda")):
        train(sentences(), resume=True, **(kept | {"device": CPU}))
    resumed = train(sentences(), resume=True, **kept)
    for name, vectors in (("a", undisturbed), ("b", resumed)):
        vectors.save(tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_initial_model_is_trained_and_its_words_can_be_fixed() -> None:
    model, _ = trained(CUDA)
    more = train(
        [*sentences(seed=2), ["new", "w0", "w1"]],
        init=model,
        device=CUDA,
        freeze=True,
        **{name: OPTIONS[name] for name in ("epochs", "min_count", "subsample")},
    )
    assert "new" in more
    for word in model:
        np.testing.assert_array_equal(more[word], model[word])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # from the interpreter
def test_not_a_number_is_not_hidden() -> None:
    plan = planned(dimension=4, subsample=0, window=2, rate=0.01, device=CUDA, shared_negatives=5)
    start = random_parameters(WORDS, plan)
    start.centers[0] = np.nan
    backend = gpu_backend(start, COUNTS, plan, 500)
    outcome = trained_block(backend)
    assert np.isnan(outcome.loss)
    assert np.isnan(backend.radius())


def trained_block(backend: Any, seed: int = 3) -> Outcome:
    tokens, starts = word_ids(40, seed=5)
    text = backend.load([tokens], starts)
    outcome: Outcome = backend.train_block(
        text, (0.01, 0.01), np.uint64(seed), worker=0, burn_in=False
    )
    return outcome


@pytest.mark.parametrize("damped", [False, True])
def test_draws_depend_on_the_seed(damped: bool) -> None:
    plan = planned(
        dimension=4,
        subsample=0,
        window=2,
        rate=0.01,
        device=CUDA,
        shared_negatives=5,
        deterministic=True,
    )
    start = random_parameters(WORDS, plan)
    learned = []
    for seed in (3, 3, 4, 2**64 - 3):
        backend = gpu_backend(start, COUNTS, plan, 500, tiles=4, damped=damped)
        trained_block(backend, seed)
        learned.append(backend.parameters().centers.tobytes())
    assert learned[0] == learned[1]
    assert len(set(learned)) == 3


def test_a_backend_stops_when_asked_to() -> None:
    plan = planned(dimension=4, subsample=0, rate=0.01, device=CUDA)
    start = random_parameters(WORDS, plan)
    backend = gpu_backend(start, COUNTS, plan, 500)
    backend.stop()
    trained_block(backend)
    np.testing.assert_array_equal(backend.parameters().centers, start.centers.astype(np.float32))


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
@pytest.mark.parametrize("tied", [True, False])
def test_parameters_come_back_unchanged(geometry: str, tied: bool) -> None:
    plan = planned(dimension=17, geometry=geometry, tied=tied, rate=0.01, device=CUDA, subsample=0)
    start = random_parameters(WORDS, plan)
    back = gpu_backend(start, COUNTS, plan, 10).parameters()
    again = gpu_backend(back, COUNTS, plan, 10)
    np.testing.assert_array_equal(back.centers, start.centers.astype(np.float32))
    assert (back.contexts is None) == (start.contexts is None) == tied
    for first, second in zip(back, again.parameters(), strict=True):
        np.testing.assert_array_equal(first, second)
    lengths = [np.linalg.norm(layer, axis=1).max() for layer in back[:2] if layer is not None]
    radius = np.arcsinh(max(lengths)) if geometry == "hyperboloid" else max(lengths)
    assert again.radius() == pytest.approx(float(radius), rel=1e-3)


@pytest.mark.parametrize(
    "radius",
    [pytest.param(3, marks=pytest.mark.slow), 8, pytest.param(14, marks=pytest.mark.slow)],
)
def test_sums_of_far_words_do_not_overflow(radius: float) -> None:
    """Words at opposite ends of the space have the largest gradients."""
    generator = np.random.default_rng(1)
    directions = generator.normal(size=(WORDS, 4))
    directions *= np.sinh(radius) / np.linalg.norm(directions, axis=1, keepdims=True)
    start = InitialParameters(directions.astype(np.float32), None, 3.0)
    ends = []
    for deterministic in (False, True):
        plan = planned(
            dimension=4, subsample=0, rate=0.05, device=CUDA, deterministic=deterministic
        )
        backend = gpu_backend(start, COUNTS, plan, 500)
        trained_block(backend)
        ends.append(hyperboloid.from_spatial(backend.parameters().centers.astype(np.float64)))
    assert hyperboloid.distance(*ends).max() < 0.01 + 1e-6 * np.exp(radius)
    radii = [np.arccosh(points[:, -1]).max() for points in ends]
    assert max(radii) < radius + 0.1  # they move inwards, to the others


def test_rounds_follow_from_vocabulary_and_text() -> None:
    from hyperskip.training.gpu.backend import gpu_block_size
    from hyperskip.training.kernel_settings import gpu_settings

    def settings(words: int, subsample: float = 1e-4, longest: int = 1 << 23) -> Any:
        counts = np.maximum(10**9 // np.arange(1, words + 1), 1).astype(np.int64)
        return gpu_settings(planned(subsample=subsample), counts, longest)

    by_words = [settings(words) for words in (2, 100, 1_000, 10_000, 100_000, 1_000_000)]
    tiles = [each.tiles for each in by_words]
    assert tiles == sorted(tiles)
    assert tiles[-1] > tiles[0]
    assert all(count & (count - 1) == 0 for count in tiles)
    assert [each.damped for each in by_words[:3]] == [True] * 3  # words repeat
    assert not by_words[-1].damped
    for words in (2, 1_000, 10_000):
        assert settings(words, subsample=0).damped
        assert settings(words, subsample=0).tiles >= 32  # enough to use a GPU
    assert not settings(100_000, subsample=1e-5).damped
    for words in (2, 100_000):  # a short text has few rounds anyway
        short = settings(words, longest=1000)
        assert short.tiles < settings(words).tiles
        assert not short.damped

    usual = gpu_block_size(planned()).largest
    assert usual > 100 * FOR_THREADS.largest
    extreme = planned(dimension=4096, shared_negatives=4096, window=1000)
    assert 1000 < gpu_block_size(extreme).largest < usual


def test_sums_of_a_round_of_one_word_do_not_overflow() -> None:
    from hyperskip.training.gpu.rounds import TILE
    from hyperskip.training.kernel_settings import gpu_settings

    for window, shared_negatives in ((5, 128), (1000, 4096)):
        plan = planned(subsample=0, window=window, shared_negatives=shared_negatives)
        settings = gpu_settings(plan, np.array([10**7]), 1 << 23)
        assert settings.damped
        rows = TILE * settings.parts + TILE + 2 * window + shared_negatives
        assert settings.tiles * rows * settings.most_units < 2.0**63


def test_the_next_block_is_read_while_one_is_trained_on() -> None:
    blocks = [
        EpochBlock(epoch, Block(number, 10 * number, 10 * number + 10))
        for epoch in range(2)
        for number in range(3)
    ]
    read: list[tuple[int, int]] = []

    def load(item: EpochBlock) -> str:
        read.append((item.epoch, item.block.number))
        return f"text {item.block.number} of {item.epoch}"

    reader = _BlockReader(load, ahead=True)
    texts = [reader.text_of(*pair) for pair in itertools.pairwise(blocks)]
    assert texts == ["text 0 of 0", "text 1 of 0", "text 2 of 0", "text 0 of 1", "text 1 of 1"]
    assert reader._next is not None
    reader._next[1].result()
    # Each once, in order, and the one after the last.
    assert read == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert _BlockReader(load, ahead=False).text_of(blocks[2], None) == "text 2 of 0"


def test_an_error_while_reading_ahead_is_not_lost() -> None:
    blocks = [EpochBlock(0, Block(0, 0, 1)), EpochBlock(0, Block(1, 1, 2))]

    def load(item: EpochBlock) -> str:
        if item.block.number == 1:
            raise OSError("cut")
        return "text"

    reader = _BlockReader(load, ahead=True)
    assert reader.text_of(*blocks) == "text"
    with pytest.raises(OSError, match="cut"):
        reader.text_of(blocks[1], None)


def chosen_device(**options: Any) -> tuple[str, str | None]:
    """The device, and the reason that is reported."""
    seen: list[Progress] = []
    device = device_module.choose_device(TrainingOptions(**options), seen.append)
    (event,) = seen
    assert isinstance(event, OnDevice)
    return device, event.reason


def test_the_device_is_reported_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_module, "why_no_gpu", lambda: None)
    assert chosen_device() == (CUDA, None)
    assert chosen_device(device=CPU) == (CPU, None)
    assert chosen_device(schedule="pairwise") == (
        CPU,
        "the pairwise schedule does not run on a GPU",
    )
    monkeypatch.setattr(device_module, "why_no_gpu", lambda: "there is none")
    assert chosen_device() == (CPU, "there is none")
    with pytest.raises(OptionError, match=naming("cuda", "schedule", "pairwise")):
        TrainingOptions(schedule="pairwise", device=CUDA)


def test_the_cpu_as_fallback_is_reported_and_a_missing_gpu_is_an_error(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tmp_path / "text.txt"
    text.write_text("\n".join(" ".join(line) for line in sentences(60)))
    model = tmp_path / "model"
    usual = "train", text, "-o", model, "--min-count", "1", "--dimension", "2", "--subsample", "0"
    monkeypatch.setattr(device_module, "why_no_gpu", lambda: "there is none")
    result = program(*usual)
    assert result.code == 0, result.err
    assert "training on the CPU (there is none)" in result.err
    result = program(*usual, "--device", "cpu")
    assert result.code == 0
    assert "training on the CPU\n" in result.err
    model.unlink()
    monkeypatch.setattr("hyperskip.devices.find_spec", lambda _: None)
    result = program(*usual, "--device", "cuda")
    assert result.code == 2
    assert "cuda" in result.err
    assert "PyTorch" in result.err
    assert "pip install 'hyperskip[gpu]'" in result.err
    result = program(*usual, "--device", "gpu")
    assert result.code == 2
    assert "auto" in result.err
    assert not model.exists()


@pytest.mark.slow
def test_kernels_compile_for_real_gpus(tmp_path: Path) -> None:
    """An interpreter cannot check this; small GPUs have 99 kB of memory for a program."""
    program = Path(__file__).parent / "compile_for_gpus.py"
    settings = {"TRITON_INTERPRET": "0", "TRITON_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", program],
        env=os.environ | settings,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    compiled = json.loads(done.stdout)
    assert {kernel["kernel"] for kernel in compiled} == {
        *("survive", "arrange", "count_contexts", "draw", "pull", "move"),
        *("sum_likelihoods", "push", "combine", "step", "derive_rows"),
        *("compute_residuals", "move_ngrams"),
    }
    assert max(kernel["shared_memory"] for kernel in compiled) <= 99 * 1024


def test_parameters_of_two_layers_are_fixed_as_centers_only() -> None:
    plan = planned(dimension=4, subsample=0, rate=0.01, device=CUDA, tied=False)
    start = random_parameters(WORDS, plan)
    fixed = np.ones(WORDS, dtype=np.bool_)
    backend = gpu_backend(start, COUNTS, plan, 500, fixed)
    trained_block(backend)
    back = backend.parameters()
    np.testing.assert_array_equal(back.centers, start.centers.astype(np.float32))
    assert start.contexts is not None
    assert back.contexts is not None
    assert not np.array_equal(back.contexts, start.contexts.astype(np.float32))
