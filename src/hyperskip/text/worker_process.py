"""A worker process that answers requests through pipes: for Python code that holds the GIL.

It is a separate program. It imports nothing from the user's script, starts safely next to threads,
and ends when its pipe is closed, however this process ends.
"""

import contextlib
import pickle
import subprocess
import sys
from typing import Any


class WorkerProcess:
    """One worker process.

    Args:
        module: The module of the function `serve`, which answers requests until their pipe is
            closed.
        arguments: Further arguments of `serve`, as Python code; the first two are the pipes.

    Raises:
        OSError: The process cannot be started.
    """

    def __init__(self, module: str, arguments: str = "") -> None:
        # It gets the path of this process, so that it finds the same hyperskip. It gets a session
        # of its own, so that Ctrl-C ends it only by closing its pipe.
        program = (
            f"import sys; sys.path[:] = {sys.path!r}; from {module} import serve; "
            f"serve(sys.stdin.buffer, sys.stdout.buffer, {arguments})"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    @property
    def returncode(self) -> int | None:
        """The exit status; None while the process runs."""
        return self._process.returncode

    def send(self, request: object) -> None:
        """Send a request.

        Raises:
            OSError: The process has ended.
        """
        assert self._process.stdin is not None
        pickle.dump(request, self._process.stdin)
        self._process.stdin.flush()

    def reply(self) -> Any:
        """Wait for the next answer.

        Raises:
            EOFError: The process has ended.
            pickle.UnpicklingError: It wrote something else.
        """
        assert self._process.stdout is not None
        return pickle.load(self._process.stdout)

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
