"""Run hyperskip and send this process a signal at a chosen moment.

    python fuzzing/at_moment.py SIGNAL MOMENT COUNT_FILE ARGUMENT ...

A moment is a number of calls in the main thread since the first line of the program; Python itself
has started before that. Moment 0 sends no signal. When the program ends normally, the number of
calls is written to COUNT_FILE.
"""

import os
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

FIRST = str(Path("hyperskip", "__main__.py"))


class Injector:
    """Counts calls, and sends the signal when the count reaches the moment."""

    def __init__(self, number: int, moment: int, count_file: Path) -> None:
        self._number, self._moment = number, moment
        self._count_file = count_file
        self._calls = 0
        self._process = os.getpid()

    def wait_for_program(self, frame: FrameType, event: str, _: Any) -> None:
        """Start counting when the main function of the program is called."""
        if event == "call" and frame.f_code.co_filename.endswith(FIRST):
            sys.setprofile(self.count)

    def count(self, _: FrameType, event: str, __: Any) -> None:
        """Count one call."""
        if event in ("call", "c_call") and os.getpid() == self._process:
            self._calls += 1
            if self._calls == self._moment:
                os.kill(self._process, self._number)

    def save(self) -> None:
        """Write the number of calls so far."""
        self._count_file.write_text(str(self._calls))


def main() -> None:
    """Parse the arguments and run the program."""
    name, moment, count_file, *arguments = sys.argv[1:]
    injector = Injector(signal.Signals[name], int(moment), Path(count_file))
    sys.argv = ["hyperskip", *arguments]
    try:
        from hyperskip.__main__ import main as program

        sys.setprofile(injector.wait_for_program)
        program()
    finally:
        injector.save()


if __name__ == "__main__":
    main()
