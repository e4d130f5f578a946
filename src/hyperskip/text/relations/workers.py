"""Worker processes that find pairs: Python runs one thread at a time, so threads would not help.

`text.worker_process` describes one of them.
"""

import contextlib
import pickle
import queue
import threading
from collections.abc import Iterator
from typing import IO

from hyperskip.errors import HyperskipError
from hyperskip.text.pieces import Piece
from hyperskip.text.relations.matcher import Found, Matcher
from hyperskip.text.relations.pattern_file import Language
from hyperskip.text.worker_process import WorkerProcess


class MatchingWorkers:
    """A pool of worker processes that any thread may use.

    Args:
        count: Number of processes.
        language: The patterns and words.
    """

    def __init__(self, count: int, language: Language) -> None:
        self._language = language
        self._running: list[WorkerProcess] = []
        self._is_stopped = False
        self._lock = threading.Lock()  # guards the two attributes above
        self._idle: queue.SimpleQueue[WorkerProcess | None] = queue.SimpleQueue()
        for _ in range(count):
            self._idle.put(None)  # started when it is first needed

    def find(self, piece: Piece) -> Found:
        """Find the pairs of a piece.

        Raises:
            HyperskipError: A worker did not start, or died.
        """
        worker = self._idle.get()
        try:
            worker = worker or self._started()
            worker.send(piece)
            answer = worker.reply()
            assert isinstance(answer, Found)
            return answer
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise HyperskipError(
                "a worker process that finds pairs did not start, or was killed",
                hint="check that there is enough memory, or pass `threads=1`",
            ) from error
        finally:
            self._idle.put(worker)

    def _started(self) -> WorkerProcess:
        worker = WorkerProcess(__name__)
        with self._lock:
            self._running.append(worker)
            if self._is_stopped:  # stopped while it started
                worker.kill()
        worker.send(self._language)
        return worker

    def stop(self) -> None:
        """Kill all workers, also busy ones."""
        with self._lock:
            self._is_stopped = True
            for worker in self._running:
                worker.kill()

    def end(self) -> None:
        """End all workers; no thread may be using them."""
        self.stop()
        for worker in self._running:
            worker.end()


@contextlib.contextmanager
def matching_workers(count: int, language: Language) -> Iterator[MatchingWorkers]:
    """Provide workers that end with the block."""
    workers = MatchingWorkers(count, language)
    try:
        yield workers
    finally:
        workers.end()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until their pipe is closed: a language, then pieces."""
    with contextlib.suppress(EOFError, BrokenPipeError):
        matcher = Matcher(pickle.load(requests))
        while True:
            pickle.dump(matcher.find(pickle.load(requests)), answers)
            answers.flush()
