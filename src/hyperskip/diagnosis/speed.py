"""How fast this machine trains, measured on the built-in corpus."""

import time
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hyperskip.devices import CPU, device_name
from hyperskip.kernel_cache import compiler_is_off

if TYPE_CHECKING:
    from hyperskip.training.run.training_events import Progress
    from hyperskip.vectors.word_vectors import WordVectors

_WORDS = 150_000  # of the text
_GPU_REPEATS = 10  # of the text, since short ones do not occupy a GPU
_SECONDS = 3.0  # of the training that is measured
_MOST_EPOCHS = 1000
_OPTIONS: dict[str, Any] = {"dimension": 100, "subsample": 1e-3}  # as `hyperskip demo` does


@dataclass(frozen=True)
class Speed:
    """The result of a short training.

    Attributes:
        device: The device that was used.
        words_per_second: While it trained, without the preparation.
        dimension: Of the vectors.
        preparation: Seconds until the kernels were ready.
        was_compiled: Whether they were compiled, not loaded from the cache; None if unknown.
    """

    device: str
    words_per_second: float
    dimension: int
    preparation: float
    was_compiled: bool | None


class _Watch:
    """Notes which device is used, when the kernels are ready, and how long epochs take."""

    def __init__(self) -> None:
        self.device = ""
        self.preparation = 0.0
        self.training = 0.0
        self._began: float | None = None

    def __call__(self, event: "Progress") -> None:
        from hyperskip.training.run.state import EpochSummary
        from hyperskip.training.run.training_events import Compiling, OnDevice, TrainingProgress

        match event:
            case OnDevice():
                self.device = event.name
            case Compiling():
                self._began = time.perf_counter()
            case TrainingProgress() | EpochSummary() if self._began is not None:
                self.preparation = time.perf_counter() - self._began - event.seconds
                self._began = None
        if isinstance(event, EpochSummary):
            self.training += event.seconds


def measure_speed() -> Speed:
    """Train for a moment, and again for some seconds when the kernels are ready.

    Raises:
        HyperskipError: Training is not possible.
    """
    compiled_before = _compiled_kernels()
    first = _Watch()
    vectors, rate = _trained(1, 1, first)
    on_cpu = first.device == device_name(CPU)
    compiled = _compiled_kernels() > compiled_before if on_cpu else None
    repeats = 1 if on_cpu else _GPU_REPEATS
    epochs = int(rate * _SECONDS / (repeats * vectors.counts.sum()))
    _, rate = _trained(repeats, min(max(epochs, 1), _MOST_EPOCHS), _Watch())
    return Speed(first.device, rate, vectors.dimension, first.preparation, compiled)


def _trained(repeats: int, epochs: int, watch: _Watch) -> "tuple[WordVectors, float]":
    """Train, and return the vectors and the number of words per second."""
    from hyperskip.builtin import sentences
    from hyperskip.training.trainer import train

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the vectors are not used
        text = repeats * list(sentences(_WORDS))
        vectors = train(text, report=watch, epochs=epochs, **_OPTIONS)
    return vectors, epochs * float(vectors.counts.sum()) / max(watch.training, 1e-9)


def _compiled_kernels() -> int:
    """How often the kernel of the default schedule was compiled for the CPU in this process."""
    from hyperskip.training.cpu.window import train_tiles

    return 0 if compiler_is_off() else sum(train_tiles.stats.cache_misses.values())
