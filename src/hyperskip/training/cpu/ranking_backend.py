"""Training by ranking on the CPU: nodes as points, and steps for batches of edges."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.training.backend import Limits, Outcome, Tokens, Words
from hyperskip.training.kernel_settings import ranking_settings
from hyperskip.training.objective.ranking import moments_at_start, train_batches
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.ranking_plan import RankingPlan


class Edges(NamedTuple):
    """A block of edges for the kernels."""

    nodes: npt.NDArray[np.int32]  # (edges, 2): source and target
    weights: npt.NDArray[np.float32]  # (edges,), or (0,) if all are 1


class RankingBackend:
    """Points and the state of the optimizer; all threads work on the same batch.

    Args:
        parameters: Where to start.
        plan: The plan of the training.
        fixed: Which nodes must not move; None: all may.
    """

    workers = 1
    reads_ahead = False
    theta = 0.0

    def __init__(
        self,
        parameters: InitialParameters | Parameters,
        plan: RankingPlan,
        fixed: npt.NDArray[np.bool_] | None = None,
    ) -> None:
        self._space = plan.space
        self._settings = ranking_settings(plan)
        self._points = np.array(parameters.centers, dtype=np.float32)
        nodes = len(self._points)
        self._moments = (
            moments_at_start(nodes, plan.dimension)
            if parameters.moments is None
            else np.array(parameters.moments, dtype=np.float32)
        )
        self._fixed = np.zeros(nodes, dtype=np.uint8)
        if fixed is not None:
            self._fixed[:] = fixed
        self._work = None
        self._stop = np.zeros(1, dtype=np.uint8)

    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk."""

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> Edges:
        """Return the edges of a block, each of which is a sentence."""
        return edges_of(np.concatenate(list(pieces)), len(sentence_starts) - 1)

    def train_block(
        self,
        text: Edges,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,  # noqa: ARG002 - there is only one
        burn_in: bool,  # noqa: ARG002 - there is none
    ) -> Outcome:
        """Train on a block."""
        loss = train_batches(
            *(self._points, self._moments, self._fixed, *text),
            *(self._settings, rates, seed, self._work, self._stop),
        )
        return Outcome(len(text.nodes), loss, skipped=0)

    def stop(self) -> None:
        """Make other threads stop soon; training cannot continue after that."""
        self._stop[0] = 1

    def radius(self) -> float:
        """Distance of the farthest node from the base point; NaN if a node has NaN."""
        length = np.sqrt(np.einsum("nd,nd->n", *2 * (self._points,), dtype=np.float64).max())
        return float(np.arcsinh(length) if self._space.is_curved else length)

    def parameters(self) -> Parameters:
        """A copy of the current parameters."""
        times = np.zeros((1, len(self._points), 1), dtype=np.float32)
        times[0] = self._space.times(self._points) if self._space.is_curved else 0.0
        return Parameters(
            self._points.copy(), None, self.theta, times, moments=self._moments.copy()
        )

    def coordinates(self, words: Words) -> npt.NDArray[np.float32]:
        """A copy of the spatial coordinates of some nodes: (1, nodes, dimension)."""
        return self._points[None, words].copy()

    def place(
        self,
        words: Words,
        coordinates: npt.NDArray[np.float32],
        theta: float | None = None,  # noqa: ARG002 - there is none
    ) -> None:
        """Move nodes to spatial coordinates (1, nodes, dimension), between two blocks."""
        self._points[words] = coordinates[0]


def edges_of(tokens: Tokens, count: int) -> Edges:
    """Edges from the tokens of an `EdgeText`."""
    by_edge = tokens.reshape(count, -1) if count else tokens.reshape(0, 2)
    nodes = np.ascontiguousarray(by_edge[:, :2])
    if by_edge.shape[1] == 2:
        return Edges(nodes, np.zeros(0, dtype=np.float32))
    return Edges(nodes, np.ascontiguousarray(by_edge[:, 2]).view(np.float32))
