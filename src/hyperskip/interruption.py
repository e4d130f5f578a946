"""Signals that ask the program to end, handled at points where the work can stop safely."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
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
        self.received: list[int] = []  # numbers of signals
        self._stop = stop
        self._usual: dict[int, Any] = {}
        self._is_over = False

    @property
    def requested(self) -> int | None:
        """The number of the first signal; None if there was none."""
        return self.received[0] if self.received else None

    def __enter__(self) -> "Interruption":
        if threading.current_thread() is threading.main_thread():
            try:
                self._usual = {number: signal.getsignal(number) for number in ending_signals()}
                for number in self._usual:
                    signal.signal(number, self._note)
            except BaseException:  # raised by a signal that is not recorded yet
                self._restore()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def _restore(self) -> None:
        self._is_over = True  # from now on, a signal may raise an exception here
        for number, handler in self._usual.items():
            signal.signal(number, handler)
        self._usual = {}

    def _note(self, number: int, _: FrameType | None) -> None:
        if self._is_over:
            self._act(number)
            return
        self.received.append(number)
        if len(self.received) == 1 and self._stop is not None:
            self._stop()
        elif len(self.received) > 1 and self._stop is None:
            self._act(number)

    def _act(self, number: int) -> None:
        self._restore()
        signal.raise_signal(signal.Signals(number))

    def act(self) -> None:
        """Do what the recorded signal would have done."""
        assert self.requested is not None
        self._act(self.requested)
        raise KeyboardInterrupt  # the usual handler has not ended the process


@contextlib.contextmanager
def signals_postponed() -> Iterator[None]:
    """In the block, signals are recorded; after the block, each does what it would have done.

    For short blocks that hold locks: an exception inside of them could leave a lock locked.
    """

    def later() -> None:
        """Do nothing now."""

    interruption = Interruption(later)
    try:
        with interruption:
            yield
    finally:
        for number in interruption.received:
            signal.raise_signal(signal.Signals(number))


@contextlib.contextmanager
def callbacks_at_end() -> Iterator[contextlib.ExitStack]:
    """Provide a stack of callbacks that all run after the block, whenever a signal arrives.

    Callbacks that a signal interrupts would leave files behind, so signals wait for them.
    """
    # The stack is closed twice: a signal may arrive before the inner block postpones it.
    with contextlib.ExitStack() as stack:
        try:
            yield stack
        finally:
            with signals_postponed():
                stack.close()
