"""Ctrl-C and its kin, held back until a checkpoint is written; a second one is not."""

import signal
import threading
from types import FrameType
from typing import Any

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")


class Interruption:
    """While its block runs, the first signal to stop is noted, and the second one acts as usual.

    Signals that are ignored stay ignored (nohup). Outside of the main thread, which alone gets
    signals, nothing happens.
    """

    def __init__(self) -> None:
        self.requested: int | None = None  # the signal's number
        self._usual: dict[int, Any] = {}

    def __enter__(self) -> "Interruption":
        if threading.current_thread() is threading.main_thread():
            for number in (getattr(signal, name) for name in _NAMES if hasattr(signal, name)):
                # None: a handler that is not Python's, which could not be put back.
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
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
        else:
            self._act(number)

    def _act(self, number: int) -> None:
        self._restore()
        signal.raise_signal(signal.Signals(number))

    def act(self) -> None:
        """Do now what the signal would have done."""
        assert self.requested is not None
        self._act(self.requested)
        raise KeyboardInterrupt  # where its usual handler did not end this
