"""Random lists of targets for the kernels of ranking, and their plan."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.devices import CPU
from hyperskip.training.objective.ranking import MOMENTS, Nodes
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import RankingPlan, plan_ranking
from hyperskip.training.target_lists import TargetLists

NODES = 80
SEED = np.uint64(11)
RATES, CEILINGS = (0.1, 0.05), (3.0, 4.0)


class Sample(NamedTuple):
    """What kernels take, and what the reference takes."""

    lists: TargetLists
    points: npt.NDArray[np.float32]
    levels: npt.NDArray[np.float32]
    plan: RankingPlan

    def nodes(self) -> Nodes:
        """The state before training."""
        moments = np.zeros((NODES, self.plan.dimension + MOMENTS), dtype=np.float32)
        fixed = np.zeros(NODES, dtype=np.uint8)
        fixed[:5] = 1
        return Nodes(self.points.copy(), moments, fixed, self.levels)


def sample(
    geometry: str,
    *,
    dimension: int = 5,
    negatives: int = 50,
    scale: float = 1.0,
    curvature: float = 0.25,
    lists: int = 14,  # in two batches by default
    batch: int = 8,
    weighted: bool = False,
    device: str = CPU,
    threads: int = 1,
) -> Sample:
    """Random points, and random lists of different targets."""
    generator = np.random.default_rng(3)
    counts = generator.integers(1, 6, lists)
    starts = np.concatenate(([0], np.cumsum(counts)))
    targets = np.concatenate([generator.permutation(NODES)[:count] for count in counts])
    weights = generator.uniform(0.5, 1.5, starts[-1] if weighted else 0)
    options = RankingOptions(
        geometry=geometry,
        dimension=dimension,
        negatives=negatives,
        batch=batch,
        curvature=curvature if geometry == "hyperboloid" else None,
        threads=threads,
    )
    return Sample(
        TargetLists(
            generator.integers(0, NODES, lists).astype(np.int32),
            starts,
            targets.astype(np.int32),
            weights.astype(np.float32),
        ),
        (generator.normal(size=(NODES, dimension)) * scale).astype(np.float32),
        generator.uniform(0.8, 1.0, NODES).astype(np.float32),
        plan_ranking(options, device, nodes=NODES, lists=lists, weighted=weighted),
    )
