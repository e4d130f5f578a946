"""Runs one thread of a kernel on random text, without files, trainer or Python in the loop."""

import importlib
import time
from functools import cached_property
from typing import Any

import numpy as np
from texts import zipf_counts

from hyperskip.training.cpu.thread_team import new_team
from hyperskip.training.objective import sampling

WORDS, TOKENS, SENTENCE = 40_000, 600_000, 100
NEGATIVES, SHARED_NEGATIVES, SUBSAMPLE = 10, 128, 1e-4


class KernelRun:
    """A run of a kernel, from a package with the modules of `hyperskip.training.cpu`."""

    def __init__(
        self, package: str, schedule: str, dimension: int, window: int = 10, seed: int = 1
    ) -> None:
        self.layout = importlib.import_module(f"{package}.layout")
        self.kernel = importlib.import_module(f"{package}.{schedule}")
        self.memory = importlib.import_module(f"{package}.round_memory")
        self.schedule = schedule
        self.dimension = dimension
        self.window = window
        self.pairs = 0
        generator = np.random.default_rng(seed)
        counts = zipf_counts(WORDS)
        self.tokens = generator.choice(WORDS, TOKENS, p=counts / counts.sum()).astype(np.int32)
        self.starts = np.arange(0, TOKENS + 1, SENTENCE).astype(np.int64)
        start = generator.normal(0, 0.01, (WORDS, dimension))
        self.layers = self.layout.packed(start, None, 3.0, hyperbolic=True)
        self.tables = self.layout.Tables(
            sampling.keep_thresholds(counts, SUBSAMPLE),
            sampling.noise_table(counts, 0.5),
            self.layout.gap_weights(sampling.distance_weights(window, 1.0)),
            sampling.word_rates(counts, SUBSAMPLE, 0.2).astype(np.float32),
        )

    @property
    def settings(self) -> Any:
        """The settings for the kernels."""
        return self.layout.Settings(
            hyperbolic=True,
            tied=True,
            factors=1,
            sharpness=1.0,
            dimension=self.dimension,
            window=self.window,
            shrink_window=False,
            negatives=NEGATIVES,
            shared_negatives=SHARED_NEGATIVES,
            max_step=1.0,
            learn_theta=False,
            locking=False,
        )

    @property
    def kept(self) -> float:
        """The expected number of tokens after subsampling."""
        return float(np.sum(self.tables.keep[self.tokens] / 2**32))

    @cached_property
    def work(self) -> Any:
        """The kernel's work space, and the data that it shares with other threads."""
        row = self.layers.centers.shape[1]
        if self.schedule == "window":
            shape = self.memory.RoundShape(TOKENS, self.window, SHARED_NEGATIVES, row)
            return self.memory.workspace(shape), self.memory.shared_round(shape), new_team(1)
        return self.kernel.workspace(row), None, None

    def seconds(self) -> float:
        """Train on the text once, and return the time; `pairs` is the number of pairs."""
        work, shared, team = self.work
        arguments = (
            self.tokens,
            self.starts,
            self.layers,
            self.tables,
            self.settings,
            0.01,
            0.01,
            np.uint64(1),
            work,
            np.zeros(1, dtype=np.uint8),
        )
        began = time.perf_counter()
        if self.schedule == "window":
            self.memory.begin_block(shared, team)
            self.kernel.train_tiles(*arguments[:-2], 1, *arguments[-2:], shared, team)
            self.pairs = int(shared.pair_sum[0])
        else:
            no_locks = np.zeros(0, dtype=np.int32)
            self.pairs, _, _ = self.kernel.train_pairs(*arguments, no_locks, np.int32(1))
        return time.perf_counter() - began
