"""Worker processes that parse wiki markup: the parser holds the GIL, so threads would not help.

`text.worker_process` describes one of them.
"""

import contextlib
import pickle
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any

from hyperskip.errors import HyperskipError
from hyperskip.files.failures import reason_of
from hyperskip.text.reading.markup import crude_prose
from hyperskip.text.worker_process import WorkerProcess

_SECONDS_PER_BATCH = 20.0  # most take 0.1 seconds; some markup would take hours


class MarkupWorkers:
    """A pool of worker processes that any thread may use.

    Args:
        count: Number of processes.
        seconds: Time limit for a batch of pages.
    """

    def __init__(self, count: int, seconds: float = _SECONDS_PER_BATCH) -> None:
        self.given_up = 0  # number of pages that the parser failed on
        self._seconds = seconds
        self._running: set[_Worker] = set()
        self._is_stopped = False
        self._lock = threading.Lock()  # guards the two attributes above
        self._idle: queue.SimpleQueue[_Worker | None] = queue.SimpleQueue()
        for _ in range(count):
            self._idle.put(None)  # started when it is first needed

    def prose(self, pages: list[str], hidden: frozenset[str]) -> str:
        """Extract the prose of pages; uses `crude_prose` for a page that a worker fails on."""
        answer = self._ask(pages, hidden)
        if answer is not None:
            return answer
        if len(pages) == 1:
            self.given_up += 1
            return crude_prose(pages[0])
        return "".join(self.prose([page], hidden) for page in pages)

    def _ask(self, pages: list[str], hidden: frozenset[str]) -> str | None:
        """Return the answer of a worker; None if it died or exceeded the time limit.

        Returns "" after `stop`.
        """
        worker = self._idle.get()
        try:
            if self._is_stopped:
                return ""
            worker = worker or self._started()
            return worker.ask((pages, hidden))
        except (OSError, EOFError, pickle.UnpicklingError):
            if worker is not None:
                self._end(worker)
                worker = None
            return "" if self._is_stopped else None
        finally:
            self._idle.put(worker)

    def _started(self) -> "_Worker":
        worker = _Worker(self._seconds)
        with self._lock:
            self._running.add(worker)
            if self._is_stopped:  # stopped while it started
                worker.kill()
        return worker

    def _end(self, worker: "_Worker") -> None:
        with self._lock:
            self._running.discard(worker)
        worker.end()

    def stop(self) -> None:
        """Kill all workers, also busy ones; threads that wait for an answer get an empty one."""
        with self._lock:
            self._is_stopped = True
            for worker in self._running:
                worker.kill()

    def end(self) -> None:
        """End all workers; no thread may be using them."""
        while True:
            try:
                worker = self._idle.get_nowait()
            except queue.Empty:
                return
            if worker is not None:
                self._end(worker)


@contextlib.contextmanager
def markup_workers(count: int, seconds: float = _SECONDS_PER_BATCH) -> Iterator[MarkupWorkers]:
    """Provide workers that end with the block."""
    workers = MarkupWorkers(count, seconds)
    try:
        yield workers
    finally:
        workers.end()


class _Worker:
    """One worker process, which is given up after a time limit."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        try:
            self._process = WorkerProcess("hyperskip.text.reading.markup", str(seconds))
        except OSError as error:
            raise _not_started(reason_of(error)) from error
        try:
            self._process.reply()
        except EOFError:
            self.end()
            raise _not_started(f"it ended with {self._process.returncode}") from None
        except pickle.UnpicklingError:
            self.end()
            raise _not_started("it printed something (from a sitecustomize module?)") from None

    def ask(self, request: Any) -> str:
        """Send a request and return the answer; kills the process after the time limit."""
        late = threading.Timer(self._seconds, self.kill)
        late.daemon = True
        late.start()
        try:
            self._process.send(request)
            return str(self._process.reply())
        finally:
            late.cancel()

    def kill(self) -> None:
        """Kill the process; a thread that waits for its answer gets an EOFError."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process and close its pipes."""
        self._process.end()


def _not_started(reason: str) -> HyperskipError:
    return HyperskipError(
        f"a worker process for wiki markup did not start: {reason}",
        hint=f"check that {sys.executable} runs and can import mwparserfromhell",
    )
