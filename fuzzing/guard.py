"""Running a reader on one input, with limits; forbidden behavior becomes a finding.

Both too much time (by an alarm) and too much memory raise an exception in the reader. The watching
process handles readers that block or end the interpreter.
"""

import resource
import signal
import traceback
from dataclasses import dataclass
from pathlib import Path

from targets import Target

SECONDS_PER_INPUT = 5.0
MEMORY_BYTES = 1 << 30  # in addition to the memory before the first input

_SMALLER_STEPS = 300


class TooSlowError(BaseException):
    """The time limit for one input is exceeded; no reader catches it."""


@dataclass(frozen=True)
class Finding:
    """An error that a reader should not have raised, and its place."""

    error: str
    place: str

    def __str__(self) -> str:
        return f"{self.error} at {self.place}"

    @property
    def kind(self) -> str:
        """A key that is equal for findings with the same cause."""
        return f"{self.error.partition(':')[0]} at {self.place}"


def limit_this_process() -> None:
    """Limit the memory of this process to little more than it uses now, and handle alarms."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, too_slow)


def too_slow(*_: object) -> None:
    """Handle an alarm."""
    raise TooSlowError("the time limit for one input is exceeded")


def tried(target: Target, data: bytes, *, seconds: float = SECONDS_PER_INPUT) -> Finding | None:
    """Read an input; anything except success and a HyperskipError is a finding."""
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        target.read(data)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return finding(error)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def finding(error: BaseException) -> Finding:
    """Make a finding from an exception and the innermost line of hyperskip in its traceback."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "hyperskip/" in frame.filename] or frames
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
    return Finding(f"{type(error).__name__}: {str(error)[:100]!r}", place)


def minimized(target: Target, data: bytes, found: Finding) -> bytes:
    """Remove parts of an input as long as the finding stays the same."""
    size = len(data) // 2
    steps = 0
    while size and steps < _SMALLER_STEPS:
        at = 0
        while at < len(data) and steps < _SMALLER_STEPS:
            steps += 1
            smaller = data[:at] + data[at + size :]
            again = tried(target, smaller)
            if again is not None and again.kind == found.kind:
                data = smaller
            else:
                at += size
        size //= 2
    return data


def saved(folder: Path, name: str, number: str, data: bytes) -> Path:
    """Write the input of a finding to a file, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{number}"
    path.write_bytes(data)
    return path
