"""Training by ranking on the CPU: a team of threads takes a step for each batch of edges."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from hyperskip.kernel_cache import compile_kernels
from hyperskip.training.backend import NO_CEILINGS, Limits, Outcome, Tokens, Words
from hyperskip.training.cpu import ranking
from hyperskip.training.cpu.team_threads import TeamThreads
from hyperskip.training.cpu.thread_team import new_team
from hyperskip.training.edge_text import MOST_TARGETS
from hyperskip.training.kernel_settings import ranking_settings
from hyperskip.training.parameters import InitialParameters, Parameters
from hyperskip.training.ranking_plan import RankingPlan
from hyperskip.training.ranking_state import lists_of, nodes_at_start, parameters_of, steps_of
from hyperskip.training.target_lists import TargetLists


class RankingBackend:
    """Points and the state of the optimizer; all threads work on the same batch.

    Args:
        parameters: Where to start.
        plan: The plan of the training.
        fixed: Which nodes must not move; None: all may.
        levels: The largest radius of each node, as a share of the plan's; None: all 1.
    """

    workers = 1
    reads_ahead = False
    theta = 0.0

    def __init__(
        self,
        parameters: InitialParameters | Parameters,
        plan: RankingPlan,
        fixed: npt.NDArray[np.bool_] | None = None,
        levels: npt.NDArray[np.float32] | None = None,
    ) -> None:
        self._plan = plan
        self._nodes = nodes_at_start(parameters, fixed, levels)
        self._steps = steps_of(self._nodes.moments)
        nodes, dimension = self._nodes.points.shape
        self._rows = np.zeros((nodes, dimension + ranking.DERIVED), dtype=np.float32)
        size = nodes, dimension, plan.negatives
        groups = -(-plan.batch // ranking.GROUP)
        self._slots = ranking.slots_for(*size, groups, plan.batch * MOST_TARGETS)
        threads = min(plan.threads, groups)
        self._team = new_team(threads)
        self._works = [ranking.workspace(*size) for _ in range(threads)]
        self._threads = TeamThreads(threads)
        self._stop = np.zeros(1, dtype=np.uint8)

    def compile(self) -> None:
        """Compile the kernels, or load them from the cache on disk."""
        nothing = self.load([], np.zeros(1, dtype=np.int64))

        def first_call() -> None:
            self._derive_rows()
            self.train_block(nothing, (0.0, 0.0), np.uint64(0), worker=0, burn_in=False)

        compile_kernels(first_call, ranking.derive_rows, ranking.train_batches)

    def load(self, pieces: Iterable[Tokens], sentence_starts: Limits) -> TargetLists:
        """Return the edges of a block."""
        return lists_of(pieces, sentence_starts, self._plan)

    def train_block(
        self,
        text: TargetLists,
        rates: tuple[float, float],
        seed: np.uint64,
        *,
        worker: int,  # noqa: ARG002 - there is only one
        burn_in: bool,  # noqa: ARG002 - there is none
        ceilings: tuple[float, float] = NO_CEILINGS,
    ) -> Outcome:
        """Train on a block."""
        arguments = (
            ranking.Nodes(*self._nodes, self._rows),
            text.shuffled(seed),
            ranking_settings(self._plan),
            *(rates, ceilings, seed, self._steps),
        )

        def join_team(work: ranking.Workspace) -> None:
            ranking.train_batches(*arguments, work, self._slots, self._team, self._stop)

        ranking.begin_block(self._slots, self._team)
        self._threads.run(join_team, self._works if len(text.sources) else self._works[:1])
        self._steps += -(-len(text.sources) // self._plan.batch)
        return Outcome(len(text.targets), float(self._slots.loss[0]), skipped=0)

    def stop(self) -> None:
        """Make other threads stop soon; training cannot continue after that."""
        self._stop[0] = 1

    def radius(self) -> float:
        """Distance of the farthest node from the base point; NaN if a node has NaN."""
        points = self._nodes.points
        length = float(np.sqrt(np.einsum("nd,nd->n", points, points, dtype=np.float64).max()))
        return float(np.arcsinh(length)) if self._plan.space.is_curved else length

    def parameters(self) -> Parameters:
        """A copy of the current parameters."""
        return parameters_of(self._nodes, self._plan, self._steps)

    def coordinates(self, words: Words) -> npt.NDArray[np.float32]:
        """A copy of the coordinates and moments of some nodes: (1, nodes, columns)."""
        points, moments = self._nodes[:2]
        return np.concatenate((points[None, words], moments[None, words]), axis=2)

    def place(
        self,
        words: Words,
        coordinates: npt.NDArray[np.float32],
        theta: float | None = None,  # noqa: ARG002 - there is none
    ) -> None:
        """Set coordinates and moments of nodes (1, nodes, columns), between two blocks."""
        points, moments = self._nodes[:2]
        points[words], moments[words] = np.split(coordinates[0], [self._plan.dimension], axis=1)
        self._steps = steps_of(moments)
        self._derive_rows()

    def _derive_rows(self) -> None:
        ranking.derive_rows(self._nodes.points, self._rows, self._plan.space.is_curved)
