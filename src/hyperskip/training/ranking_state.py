"""What training by ranking keeps on every device: points, and the state of the optimizer."""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import VectorFileError
from hyperskip.training.backend import Limits, Tokens
from hyperskip.training.objective.ranking import MOMENTS, Nodes
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.target_lists import TargetLists


def nodes_at_start(
    parameters: InitialParameters | Parameters,
    fixed: npt.NDArray[np.bool_] | None,
    levels: npt.NDArray[np.float32] | None,
) -> Nodes:
    """The state of all nodes at the start of a run.

    Args:
        parameters: Where to start.
        fixed: Which nodes must not move; None: all may.
        levels: The largest radius of each node, as a share of the plan's; None: all 1.

    Raises:
        VectorFileError: The state of the optimizer is not of this version.
    """
    points = np.array(parameters.centers, dtype=np.float32)
    nodes, dimension = points.shape
    moments = np.zeros((nodes, dimension + MOMENTS), dtype=np.float32)
    if parameters.moments is not None:
        if parameters.moments.shape != moments.shape:
            raise VectorFileError(
                "the checkpoint has the state of another optimizer",
                hint="start again with `restart=True`",
            )
        moments[:] = parameters.moments
    return Nodes(
        points,
        moments,
        np.zeros(nodes, dtype=np.uint8) if fixed is None else fixed.astype(np.uint8),
        np.ones(nodes, dtype=np.float32) if levels is None else levels,
    )


def steps_of(moments: Any) -> int:  # array or tensor
    """The number of steps so far: that of the last step of any node, see `parameters_of`.

    After a merge on a cluster, it is a mean, which is rounded up.
    """
    return math.ceil(float(moments[:, -1].max()))


def parameters_of(nodes: Nodes, plan: RankingPlan, steps: int) -> Parameters:
    """A copy of the current parameters.

    A fixed node takes no steps; in its place, the copy has the number of steps of the training.
    """
    times = np.zeros((1, len(nodes.points), 1), dtype=np.float32)
    if plan.space.is_curved:
        times[0] = plan.space.times(nodes.points)
    moments = nodes.moments.copy()
    moments[nodes.fixed != 0, -1] = steps
    return Parameters(nodes.points.copy(), None, 0.0, times, moments=moments)


def lists_of(pieces: Iterable[Tokens], sentence_starts: Limits, plan: RankingPlan) -> TargetLists:
    """The lists of a block of edges."""
    tokens = np.concatenate([np.zeros(0, dtype=np.int32), *pieces])
    return TargetLists.of(tokens, sentence_starts, weighted=plan.weighted)
