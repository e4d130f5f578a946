"""Signals that ask the program to end, handled at points where the work can stop safely."""

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


def ending_signals() -> list[signal.Signals]:
    """The signals that end this process; those that are ignored, as under nohup, are left out."""
    numbers = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    # None means a handler that Python did not install and cannot restore.
    return [number for number in numbers if signal.getsignal(number) not in (signal.SIG_IGN, None)]


class Interruption:
    """A context manager that records the first signal instead of raising an exception.

    Only the main thread receives signals; in any other thread, it does nothing.

    Args:
        stop: Called at the first signal, to end the work; later signals are ignored. If it is None,
            the work must check `requested`, and the second signal acts as usual.
    """

    def __init__(self, stop: Callable[[], None] | None = None) -> None:
        self.requested: int | None = None  # the signal's number
        self._stop = stop
        self._usual: dict[int, Any] = {}

    def __enter__(self) -> "Interruption":
        if threading.current_thread() is threading.main_thread():
            for number in ending_signals():
                self._usual[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _restore(self) -> None:
        for number, handler in self._usual.items():
            signal.signal(number, handler)
        self._usual = {}

    def _note(self, number: int, _: FrameType | None) -> None:
        if self.requested is None:
            self.requested = number
            if self._stop is not None:
                self._stop()
        elif self._stop is None:
            self._act(number)

    def _act(self, number: int) -> None:
        self._restore()
        signal.raise_signal(signal.Signals(number))

    def act(self) -> None:
        """Do what the recorded signal would have done."""
        assert self.requested is not None
        self._act(self.requested)
        raise KeyboardInterrupt  # the usual handler has not ended the process
