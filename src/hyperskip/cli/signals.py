"""SIGINT, SIGTERM and SIGHUP end the program without a traceback.

While a command runs, a signal raises an exception, so that temporary files are removed. Before and
after the command there is nothing to remove, and the system ends the process.
"""

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from hyperskip.interruption import ending_signals

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

EXIT_SIGNALLED = 128  # plus the number of the signal

_SOON = 0.005  # seconds until an exception that was ignored is raised again
_CHECK_SECONDS = 0.2  # between checks whether the exception was lost
_GRACE_SECONDS = 2.0  # after which another signal ends the process at once


@contextlib.contextmanager
def signals_raised() -> Iterator[None]:
    """Let signals raise SystemExit in the block; after the block the program must end."""
    signals, usual_hook = ending_signals(), sys.unraisablehook
    ending = _Ending()
    sys.unraisablehook = ending.retry
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, ending.end_if_lost)
    for number in signals:
        signal.signal(number, ending.end)
    try:
        yield
    except SystemExit:
        ending.restore_exit_code()
        raise
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_IGN)
        for number in signals:
            signal.signal(number, signal.SIG_DFL)
        if not ending.has_begun:
            sys.unraisablehook = usual_hook


class _Ending:
    """Raises SystemExit at the first signal, and again if the exception was lost.

    Python ignores exceptions in destructors and some callbacks, and extension modules may drop one
    while they are imported. Further signals do not interrupt the removal of temporary files, unless
    that takes too long.
    """

    def __init__(self) -> None:
        self._exit_code = EXIT_SIGNALLED
        self._began: float | None = None

    def end(self, number: int, _: FrameType | None) -> None:
        if self._began is None:
            self._began = time.monotonic()
            self._exit_code = EXIT_SIGNALLED + number
            if hasattr(signal, "setitimer"):
                signal.setitimer(signal.ITIMER_REAL, _CHECK_SECONDS, _CHECK_SECONDS)
            sys.exit(self._exit_code)
        if time.monotonic() - self._began > _GRACE_SECONDS:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(signal.Signals(number))

    def end_if_lost(self, _: int, __: FrameType | None) -> None:
        """Raise SystemExit again, unless it is on its way and files are being removed."""
        handled = sys.exc_info()[1]
        while handled is not None:
            if isinstance(handled, SystemExit):
                return
            handled = handled.__context__
        sys.exit(self._exit_code)

    @property
    def has_begun(self) -> bool:
        """Whether there was a signal."""
        return self._began is not None

    def restore_exit_code(self) -> None:
        """Raise SystemExit with the right code: extension modules may replace it, such as Ray."""
        if self.has_begun:
            sys.exit(self._exit_code)

    def retry(self, ignored: "UnraisableHookArgs") -> None:
        """Raise SystemExit again soon, if it was ignored.

        After a signal, other exceptions are not shown: destructors of objects that were only half
        made when the signal arrived may fail, such as those of the compiler.
        """
        if isinstance(ignored.exc_value, SystemExit) and hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _SOON, _CHECK_SECONDS)
        elif not self.has_begun:
            sys.__unraisablehook__(ignored)
