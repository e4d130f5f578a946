"""Worker processes that find pairs: Python runs one thread at a time, so threads would not help.

They are separate programs that communicate through pipes, like those that parse wiki markup. They
end when their pipe is closed, however this process ends.
"""

import contextlib
import pickle
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO

from hyperskip.errors import HyperskipError
from hyperskip.files.failures import reason_of
from hyperskip.text.pieces import Piece
from hyperskip.text.relations.matcher import Found, Matcher
from hyperskip.text.relations.pattern_file import Language


class MatchingWorkers:
    """A pool of worker processes that any thread may use.

    Args:
        count: Number of processes.
        language: The patterns and words.
    """

    def __init__(self, count: int, language: Language) -> None:
        self._language = language
        self._running: list[_Worker] = []
        self._is_stopped = False
        self._lock = threading.Lock()  # guards the two attributes above
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
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
            return worker.ask(piece)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            raise HyperskipError(
                "a worker process that finds pairs did not start, or was killed",
                hint="check that there is enough memory, or pass `threads=1`",
            ) from error
        finally:
            self._idle.put(worker)

    def _started(self) -> "_Worker":
        worker = _Worker()
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


class _Worker:
    """One worker process."""

    def __init__(self) -> None:
        # It gets the path of this process, so that it finds the same hyperskip. It gets a session
        # of its own, so that Ctrl-C ends it only by closing its pipe.
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            "from hyperskip.text.relations.workers import serve; "
            "serve(sys.stdin.buffer, sys.stdout.buffer)"
        )
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", program],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise HyperskipError(
                f"a worker process did not start: {reason_of(error)}", hint="pass `threads=1`"
            ) from error

    def ask(self, piece: Piece) -> Found:
        """Send a piece and return the answer."""
        self.send(piece)
        assert self._process.stdout is not None
        answer = pickle.load(self._process.stdout)
        assert isinstance(answer, Found)
        return answer

    def send(self, message: object) -> None:
        """Send a language or a piece."""
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin)
        self._process.stdin.flush()

    def kill(self) -> None:
        """Kill the process; a thread that waits for its answer gets an EOFError."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process and close its pipes."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self._process.wait()


def serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer requests until their pipe is closed: a language, then pieces."""
    with contextlib.suppress(EOFError, BrokenPipeError):
        matcher = Matcher(pickle.load(requests))
        while True:
            pickle.dump(matcher.find(pickle.load(requests)), answers)
            answers.flush()
