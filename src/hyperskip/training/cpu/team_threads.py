"""The threads of a team: the calling thread, and others that join it for a block."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hyperskip.thread_pool import ThreadPool

Work = TypeVar("Work")


class TeamThreads:
    """Threads that run the same kernel on a block.

    The kernel must have been compiled by a single thread: a signal can leave a lock of the compiler
    locked, and other threads would wait for it forever. So empty blocks, which compile kernels,
    have one workspace.

    Args:
        count: Number of threads, the calling thread included.
    """

    def __init__(self, count: int) -> None:
        self._others = ThreadPool(max(count - 1, 1))  # starts no thread until it is used

    def run(self, join_team: Callable[[Work], None], works: Sequence[Work]) -> None:
        """Call a function for each workspace, each in its own thread; the first in this thread."""
        working = [self._others.submit(join_team, work) for work in works[1:]]
        try:
            join_team(works[0])
        finally:
            started = [other for other in working if not other.cancel()]  # others need not start
            self._others.wait(started)
        for other in started:
            other.result()
