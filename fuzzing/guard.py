"""One input at a time, with limits: what a reader must not do becomes a finding.

A reader that takes too long is interrupted by an alarm, and one that asks for too much memory gets
none, both as exceptions. What holds the interpreter, or ends it, is for the watching process.
"""

import resource
import signal
import traceback
from dataclasses import dataclass
from pathlib import Path

from targets import Target

SECONDS_AN_INPUT = 5.0
MEMORY_BYTES = 1 << 30  # beyond what the process had before the first input

_SMALLER_STEPS = 300


class TooSlowError(BaseException):
    """The time for one input is over; no reader catches it."""


@dataclass(frozen=True)
class Finding:
    """What a reader should not have done, and where."""

    error: str
    place: str

    def __str__(self) -> str:
        return f"{self.error} at {self.place}"

    @property
    def kind(self) -> str:
        """What findings of the same cause share."""
        return f"{self.error.partition(':')[0]} at {self.place}"


def limit_this_process() -> None:
    """From here on, allow little more memory than there is; and take alarms."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, too_slow)


def too_slow(*_: object) -> None:
    """What an alarm does."""
    raise TooSlowError("the time for one input is over")


def tried(target: Target, data: bytes, *, seconds: float = SECONDS_AN_INPUT) -> Finding | None:
    """Have an input read; what is neither accepted nor refused with an error of ours is found."""
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
    """An exception, and the innermost line of ours that it went through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "hyperskip/" in frame.filename] or frames
    place = f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else "?"
    return Finding(f"{type(error).__name__}: {str(error)[:100]!r}", place)


def minimized(target: Target, data: bytes, found: Finding) -> bytes:
    """A smaller input with the same finding, as far as leaving out parts of it leads."""
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


def kept(folder: Path, name: str, number: str, data: bytes) -> Path:
    """The file in which a finding is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{number}"
    path.write_bytes(data)
    return path
