"""Rounds of the GPU kernels: layers in its memory, and the launches that train them."""

import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
import triton

from hyperskip.garbage_collection import garbage_collection_paused
from hyperskip.training.gpu import kernels
from hyperskip.training.gpu.subsampling import Subsampler, Uploaded, draw_negatives

TILE = 16  # consecutive centers that share their negative samples, as on the CPU

# Rows of a tile, and columns at a time, for each program of `pull`. They take up to 48 kB of shared
# memory.
_ROWS, _WIDEST = 64, 128
_PADDED_TO = 32  # columns of long rows are a multiple of this
_MOVED_NUMBERS = 256  # for each program of `move`: small programs hide the time of loads
_PULL_WARPS, _MOVE_WARPS = 4, 1  # of a program
_ROUNDS_AT_ONCE = 16  # in one CUDA graph
_ROUNDS_BETWEEN_CHECKS = 32 * _ROUNDS_AT_ONCE  # for far words, and for a request to stop


@dataclass(frozen=True)
class Settings:
    """Settings of the GPU kernels, the same in all rounds."""

    hyperbolic: bool
    tied: bool
    factors: int
    dimension: int  # of a factor
    sharpness: float  # factor between the product of two words and their score
    window: int
    shared_negatives: int
    max_step: float
    learn_theta: bool
    deterministic: bool
    tiles: int  # of a round; a power of two
    damped: bool  # whether words that occur often in a round take shorter steps
    # Of matrix products: scores are small differences of large numbers, gradients are not.
    precision: str = "tf32x3"
    gradient_precision: str = "tf32"

    @property
    def columns(self) -> int:
        """Columns of a factor: coordinates, time and <v, G>, rounded up for matrix products."""
        columns = self.dimension + 2
        if columns <= 2 * _PADDED_TO:
            return max(16, int(triton.next_power_of_2(columns)))
        return -(-columns // _PADDED_TO) * _PADDED_TO

    @property
    def width(self) -> int:
        """Columns at a time: the greatest power of two that divides the columns of a factor."""
        return min(_WIDEST, self.columns & -self.columns)

    @property
    def used(self) -> int:
        """Columns of a factor that have gradients, rounded up to a multiple of 4."""
        return min(self.columns, -(-(self.dimension + 2) // 4) * 4)

    @property
    def context_parts(self) -> int:
        """Number of programs that share the words around the centers of a tile."""
        return -(-(TILE + 2 * self.window) // _ROWS)

    @property
    def parts(self) -> int:
        """Number of programs that share a tile."""
        return self.context_parts + -(-self.shared_negatives // _ROWS)

    @property
    def most_units(self) -> float:
        """The most units of one summand of a fixed-point sum, so that the sum does not overflow.

        Larger gradients occur for far words only, whose steps are clipped anyway. If rounds are not
        damped, words repeat rarely, and none has two thousand of the largest summands.
        """
        if not self.damped:
            return 2.0**52
        of_a_tile = TILE * self.parts + TILE + 2 * self.window + self.shared_negatives
        return 2.0 ** min(52, 63 - (self.tiles * of_a_tile).bit_length())


class Layer(NamedTuple):
    """The points of all words as centers, or as contexts."""

    rows: torch.Tensor  # (words, factors, columns of a factor) float32
    gradients: torch.Tensor  # the same: zeros between rounds
    fixed: torch.Tensor  # (words,) uint8: 1 for words that must not move
    moved: torch.Tensor  # (words, factors) int32: the last round of the block that moved a word


class Rounds:
    """Trains layers, round by round.

    Args:
        centers: Words as centers.
        contexts: Words as contexts; the same layer if each word has one vector.
        theta: Offset of the product, (1,) float64.
        noise: The alias table of sampling.py, (words, 2) int64.
        word_rates: Factors of the learning rate, (words,) float32.
        loads: The loads of words in a round of sampling.py, (words,) float32.
        subsampler: Subsamples the text.
        settings: The settings of the kernels.
    """

    def __init__(
        self,
        centers: Layer,
        contexts: Layer,
        theta: torch.Tensor,
        noise: torch.Tensor,
        word_rates: torch.Tensor,
        loads: torch.Tensor,
        subsampler: Subsampler,
        settings: Settings,
    ) -> None:
        self._centers, self._contexts = centers, contexts
        self._layers = [contexts] if settings.tied else [centers, contexts]
        self._theta = theta
        self._noise = noise
        self._word_rates, self._loads = word_rates, loads
        self._text = subsampler
        self._settings = settings
        self._is_stopped = False
        device = centers.rows.device
        tiles = -(-len(subsampler.kept) // TILE)

        def room(*shape: int, dtype: torch.dtype) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=device)

        # Values that change are read from memory, so that a CUDA graph can be replayed unchanged.
        self._numbers = room(3, dtype=torch.int64)  # kept tokens, seed, earlier draws
        # At the start, at the end; negatives of a pair; average weight of the contexts of a center.
        self._rates = room(4, dtype=torch.float32)
        self._cursor = room(1, dtype=torch.int32)  # rounds before those of the graph
        self._negatives = room(tiles * settings.shared_negatives, dtype=torch.int32)
        self._losses = room(tiles, settings.parts, dtype=torch.float32)
        self._theta_gradients = room(tiles, settings.parts, dtype=torch.float32)
        self._graph: torch.cuda.CUDAGraph | None = None

    def run(
        self,
        text: Uploaded,
        seed: np.uint64,
        rates: tuple[float, float],
        negatives: int,
        parts: int = 1,
        end_part: Callable[[float], None] = lambda _: None,
    ) -> tuple[int, float]:
        """Train on a block.

        Args:
            text: The block.
            seed: Seed of all draws.
            rates: Learning rates at the first token and after the last one.
            negatives: Negative samples of a pair.
            parts: Number of parts of the block.
            end_part: Called after each part, with the share of the block that is done.

        Returns:
            Pairs and their loss.
        """
        tokens = len(text.tokens)
        self._numbers.copy_(torch.tensor([0, int(seed.astype(np.int64)), tokens]))
        self._rates[:3].copy_(torch.tensor([*rates, negatives]))
        kept = self._text.subsample(text, self._numbers[1:2])
        self._numbers[0] = kept
        if self._settings.damped:
            weight = self._text.context_weights[:kept].sum(dtype=torch.float64)
            self._rates[3] = weight / max(kept, 1)
        tiles = -(-kept // TILE)
        draws = tiles * self._settings.shared_negatives
        if draws:
            draw_negatives(self._noise, self._numbers, self._negatives, draws)
        for layer in self._layers:
            layer.moved.fill_(-1)
        self._cursor.zero_()
        rounds, done = -(-tiles // self._settings.tiles), 0
        for part in range(1, parts + 1):
            end = rounds if part == parts else _whole_graphs(rounds * part // parts)
            self._run_rounds(end - done)
            if self._is_stopped:
                break
            done = end
            end_part(part / parts)
        return self._outcome(kept)

    def _is_far(self) -> bool:
        """Whether some words are so far out that products need more precision."""
        if not self._settings.hyperbolic:
            return False
        return not self.farthest_time() ** 2 <= kernels.FAR_PRODUCT.value  # NaN is far

    def farthest_time(self) -> float:
        """The largest time coordinate of all words; waits for the GPU."""
        return float(torch.stack([self.times(layer).max() for layer in self._layers]).max())

    def times(self, layer: Layer) -> torch.Tensor:  # (words, factors)
        """The time coordinates, not copied."""
        return layer.rows[..., self._settings.dimension]

    def _outcome(self, kept: int) -> tuple[int, float]:
        """Pairs and loss of a block with this number of kept tokens; waits for the GPU."""
        sums = (
            self._text.context_counts[:kept].sum(dtype=torch.float64),
            self._text.context_weights[:kept].sum(dtype=torch.float64),
            self._losses[: -(-kept // TILE)].sum(dtype=torch.float64),
        )
        pairs, weight, loss = torch.stack(sums).tolist()
        return int(pairs), pairs * loss / max(weight, 1e-300)

    def stop(self) -> None:
        """Do not start further rounds."""
        self._is_stopped = True

    def prepare(self, text: Uploaded) -> None:
        """Compile, and capture launches in a CUDA graph that is replayed without Python.

        Everything runs once, with any text, so that it is loaded before the first block. The number
        of kept tokens is 0 for these rounds, so that they change nothing.
        """
        self._numbers.zero_()
        self._text.subsample(text, self._numbers[1:2])
        draw_negatives(self._noise, self._numbers, self._negatives, 1)
        self._launch(0, far=False)
        graph = torch.cuda.CUDAGraph()
        gc.collect()  # before the capture: freeing an old CUDA graph during it would abort it
        with (
            garbage_collection_paused(),
            torch.cuda.graph(graph, capture_error_mode="thread_local"),
        ):
            for number in range(_ROUNDS_AT_ONCE):
                self._launch(number, far=False)
            self._cursor.add_(_ROUNDS_AT_ONCE)
        graph.replay()
        self._outcome(1)
        self._graph = graph

    def _run_rounds(self, rounds: int) -> None:
        for done in range(0, rounds, _ROUNDS_BETWEEN_CHECKS):
            some = min(rounds - done, _ROUNDS_BETWEEN_CHECKS)
            far = self._is_far()  # waits for the GPU
            if self._is_stopped:
                return
            if far or self._graph is None:  # the graph is for the usual case
                for number in range(some):
                    self._launch(number, far=far)
                self._cursor.add_(some)
            else:
                for _ in range(0, some, _ROUNDS_AT_ONCE):
                    self._graph.replay()

    def _launch(self, number: int, *, far: bool) -> None:
        """Launch one round, the one with this number after the cursor."""
        settings = self._settings
        self._pull(number, far=far)
        if not settings.tied:
            self._move(self._centers, number, reach=0, shared=0, learn_theta=False)
        self._move(
            self._contexts,
            number,
            reach=settings.window,
            shared=settings.shared_negatives,
            learn_theta=settings.learn_theta,
        )

    def _pull(self, number: int, *, far: bool) -> None:
        """Launch the gradients of a round."""
        settings, text = self._settings, self._text
        # Gradients of far points are long, and their tangent part is short: rounding errors of a
        # lower precision would be larger than the step.
        gradient_precision = settings.precision if far else settings.gradient_precision
        kernels.pull[(settings.tiles, settings.parts)](
            *(text.kept, text.reaches, text.context_weights, text.distance_weights),
            self._negatives,
            *(self._numbers, self._rates, self._cursor, number),
            *(self._centers.rows, self._contexts.rows),
            *(self._centers.gradients, self._contexts.gradients),
            *(self._theta, self._losses, self._theta_gradients),
            *(settings.tiles, settings.window, settings.shared_negatives, settings.sharpness),
            TILE=TILE,
            ROWS=_ROWS,
            CONTEXT_PARTS=settings.context_parts,
            HYPERBOLIC=settings.hyperbolic,
            FAR=far,
            TIED=settings.tied,
            FACTORS=settings.factors,
            DIMENSION=settings.dimension,
            COLUMNS=settings.columns,
            ROW=settings.factors * settings.columns,
            WIDTH=settings.width,
            USED=settings.used,
            FIXED_POINT=settings.deterministic,
            MOST_UNITS=settings.most_units,
            PRECISION=settings.precision,
            GRADIENT_PRECISION=gradient_precision,
            num_warps=_PULL_WARPS,
            **kernels.FUSED,
        )

    def _move(
        self, layer: Layer, number: int, *, reach: int, shared: int, learn_theta: bool
    ) -> None:
        settings = self._settings
        full_columns = triton.next_power_of_2(settings.columns)
        size = max(1, _MOVED_NUMBERS // full_columns)
        rows = settings.tiles * (TILE + 2 * reach + shared) * settings.factors
        parts = triton.next_power_of_2(settings.tiles * settings.parts)
        kernels.move[(-(-rows // size),)](
            *(self._text.kept, self._negatives, self._numbers, self._rates, self._cursor, number),
            *(layer.rows, layer.gradients, layer.fixed, layer.moved),
            *(self._word_rates, self._loads),
            *(self._theta, self._theta_gradients),
            *(settings.tiles, settings.max_step, reach, shared, settings.parts),
            TILE=TILE,
            HYPERBOLIC=settings.hyperbolic,
            FACTORS=settings.factors,
            DIMENSION=settings.dimension,
            COLUMNS=settings.columns,
            FULL_COLUMNS=full_columns,
            USED=settings.used,
            LEARN_THETA=learn_theta,
            PARTS_OF_A_ROUND=parts if learn_theta else 1,
            DAMPED=settings.damped,
            FIXED_POINT=settings.deterministic,
            SIZE=size,
            num_warps=_MOVE_WARPS,
            **kernels.FUSED,
        )


def _whole_graphs(rounds: int) -> int:
    """Rounds up to this number that CUDA graphs can run: only the last one may be incomplete."""
    return rounds // _ROUNDS_AT_ONCE * _ROUNDS_AT_ONCE


def layer_of(
    coordinates: npt.NDArray[np.floating[Any]],  # (words, factors * dimension)
    times: npt.NDArray[np.floating[Any]] | None,  # (words, factors); None: derived
    fixed: npt.NDArray[np.bool_],  # (words,)
    settings: Settings,
    device: torch.device,
) -> Layer:
    """A layer with these spatial coordinates."""
    rows = torch.as_tensor(filled_rows(coordinates, times, settings), device=device)
    # Sums of integers do not depend on their order.
    gradients = torch.int64 if settings.deterministic else torch.float32
    return Layer(
        rows,
        torch.zeros(rows.shape, dtype=gradients, device=device),
        torch.as_tensor(fixed.astype(np.uint8), device=device),
        torch.zeros(rows.shape[:2], dtype=torch.int32, device=device),
    )


def filled_rows(
    coordinates: npt.NDArray[np.floating[Any]],  # (words, factors * dimension)
    times: npt.NDArray[np.floating[Any]] | None,  # (words, factors); None: derived
    settings: Settings,
) -> npt.NDArray[np.float32]:  # (words, factors, columns)
    """Rows with these spatial coordinates, and their times."""
    words, factors, dimension = len(coordinates), settings.factors, settings.dimension
    filled = np.zeros((words, factors, settings.columns), dtype=np.float32)
    filled[..., :dimension] = coordinates.reshape(words, factors, dimension)
    if times is not None:
        filled[..., dimension] = times
    elif settings.hyperbolic:
        square = np.einsum("wfd,wfd->wf", filled, filled, dtype=np.float64)
        filled[..., dimension] = np.sqrt(1.0 + square)
    return filled
