"""The plan as kernels take it: the settings of the CPU kernels and of the GPU kernels."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from hyperskip.training.objective import sampling
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.ranking_plan import RankingPlan

if TYPE_CHECKING:
    from hyperskip.training.cpu.layout import Settings as CpuSettings
    from hyperskip.training.gpu.rounds import Settings as GpuSettings
    from hyperskip.training.objective.ranking import Settings as RankingSettings

_MOST_CPU_TILES, _CPU_ROUND_BYTES = 256, 1 << 28  # of a round, in deterministic training
_MOST_GPU_TILES = 256  # of a round: enough to keep a large GPU busy
_FEWEST_ROUNDS = 16  # of a block: words must move from time to time
# If words repeat so often that a round may have few tiles only, a round has this many tiles, and
# the steps of frequent words are damped; a block then has at least this many rounds.
_DAMPED_GPU_TILES, _FEWEST_DAMPED_GPU_ROUNDS = 64, 256


def _shared_settings(plan: TrainingPlan) -> dict[str, Any]:
    return {
        "hyperbolic": plan.space.is_curved,
        "tied": plan.tied,
        "factors": plan.factors,
        "dimension": plan.factor_dimension,
        "sharpness": plan.sharpness,
        "window": plan.window,
        "shared_negatives": plan.shared_negatives,
        "max_step": plan.max_step,
        "learn_theta": plan.learn_theta,
    }


def cpu_settings(plan: TrainingPlan, *, burn_in: bool) -> "CpuSettings":
    """The settings of the CPU kernels."""
    from hyperskip.training.cpu.layout import Settings

    return Settings(
        **_shared_settings(plan),
        shrink_window=plan.shrink_window,
        negatives=plan.negatives_of(burn_in=burn_in),
        locking=plan.locking,
    )


@dataclass(frozen=True)
class TileLimit:
    """The number of tiles in a round: by the repeats of words, and by the length of a block."""

    by_repeats: int  # a power of two
    centers: int  # of a tile
    kept_share: float  # of the tokens, after subsampling

    @classmethod
    def of(
        cls, plan: TrainingPlan, counts: npt.NDArray[np.int64], centers: int, most: int
    ) -> "TileLimit":
        """The limit for a text, for tiles of this number of centers, and at most `most` tiles."""
        repeat = sampling.chance_of_a_repeat(counts, plan.subsample)
        survivors = sampling.expected_survivors(counts, plan.subsample)
        by_repeats = sampling.tiles_of_a_round(centers, repeat, max(most, 1))
        return cls(by_repeats, centers, float(survivors.sum() / counts.sum()))

    def tiles(self, tokens: int) -> int:
        """Number of tiles in the rounds of a block with this number of tokens."""
        by_length = int(self.kept(tokens) / (self.centers * _FEWEST_ROUNDS))
        return min(self.by_repeats, sampling.power_of_two_up_to(by_length))

    def kept(self, tokens: int) -> float:
        """Expected number of tokens after subsampling."""
        return tokens * self.kept_share


def cpu_tiles(
    plan: TrainingPlan, counts: npt.NDArray[np.int64], row_bytes: int
) -> TileLimit | None:
    """The number of tiles in a round of the CPU kernels; None: one tile.

    Args:
        plan: The plan.
        counts: How often each word occurs in the text.
        row_bytes: Size of a word's vector in memory.
    """
    from hyperskip.training.cpu.round_memory import TILE, rows_of_a_tile

    if not plan.deterministic:
        return None
    rows = rows_of_a_tile(plan.window, plan.shared_negatives)
    most = min(_MOST_CPU_TILES, _CPU_ROUND_BYTES // (rows * row_bytes))
    return TileLimit.of(plan, counts, TILE, most)


def gpu_settings(plan: TrainingPlan, counts: npt.NDArray[np.int64], longest: int) -> "GpuSettings":
    """The settings of the GPU kernels.

    Args:
        plan: The plan.
        counts: How often each word occurs in the text.
        longest: Number of tokens in the longest block.
    """
    from hyperskip.training.gpu.rounds import TILE, Settings

    limit = TileLimit.of(plan, counts, TILE, _MOST_GPU_TILES)
    tiles = limit.tiles(longest)
    most_damped = min(
        _DAMPED_GPU_TILES, int(limit.kept(longest) / (TILE * _FEWEST_DAMPED_GPU_ROUNDS))
    )
    damped_tiles = sampling.power_of_two_up_to(most_damped)
    return Settings(
        **_shared_settings(plan),
        deterministic=plan.deterministic,
        tiles=max(tiles, damped_tiles),
        damped=damped_tiles > tiles,
    )


def ranking_settings(plan: RankingPlan) -> "RankingSettings":
    """The settings of the kernels of `ranking`, for all devices."""
    from hyperskip.training.objective.ranking import Settings

    return Settings(
        hyperbolic=plan.space.is_curved,
        dimension=plan.dimension,
        sharpness=plan.sharpness,
        negatives=plan.negatives,
        batch=plan.batch,
        max_step=plan.max_step,
    )
