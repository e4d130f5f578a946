"""Signals at every moment leave no thread waiting, and work is done or dropped."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from signal import SIGINT, SIGTERM, getsignal, raise_signal, signal
from types import FrameType

import pytest

from hyperskip.interruption import Interruption, signals_postponed
from hyperskip.thread_pool import ThreadPool

# Every call in the main thread is a moment. At the chosen one, a signal raises KeyboardInterrupt.
_AT_EVERY_MOMENT = """
import faulthandler, os, signal, sys, threading
from hyperskip.thread_pool import ThreadPool

faulthandler.dump_traceback_later(60, exit=True)
signal.signal(signal.SIGTERM, signal.default_int_handler)

class AtMoment:
    def __init__(self, moment):
        self.left = moment

    def __call__(self, frame, event, argument):
        if event in ("call", "c_call"):
            self.left -= 1
            if self.left == 0:
                sys.setprofile(None)
                os.kill(os.getpid(), signal.SIGTERM)

def work(pool):
    parts = [pool.submit(pow, 2, part) for part in range(3)]
    assert [pool.result(part) for part in parts] == [1, 2, 4]

moment, interrupted = 0, True
while interrupted:
    moment += 1
    interrupted = False
    at_moment = AtMoment(moment)
    pool = ThreadPool(2)
    sys.setprofile(at_moment)
    try:
        with pool:
            work(pool)
        sys.setprofile(None)
    except KeyboardInterrupt:
        interrupted = True
    pool.close()
    assert threading.active_count() == 1, threading.enumerate()
    assert interrupted == (at_moment.left == 0), moment
    assert signal.getsignal(signal.SIGTERM) is signal.default_int_handler
print(moment)
"""


@contextmanager
def raising(number: int) -> Iterator[None]:
    """Let a signal raise KeyboardInterrupt in the block."""

    def interrupt(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    usual = signal(number, interrupt)
    try:
        yield
    finally:
        signal(number, usual)


def test_a_signal_at_any_moment_leaves_no_thread_waiting() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _AT_EVERY_MOMENT], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert int(done.stdout) > 100


def test_a_signal_acts_after_the_block() -> None:
    seen = []
    with pytest.raises(KeyboardInterrupt), raising(SIGTERM), signals_postponed():
        raise_signal(SIGTERM)
        seen.append("end of the block")
    assert seen == ["end of the block"]


def test_each_signal_acts_after_the_block() -> None:
    """The second Ctrl-C ends a training at once, also if it follows the first one closely."""
    with (
        pytest.raises(KeyboardInterrupt),
        raising(SIGTERM),
        Interruption() as interruption,
        signals_postponed(),
    ):
        raise_signal(SIGTERM)
        raise_signal(SIGTERM)
    assert interruption.requested == SIGTERM


def test_a_signal_acts_after_an_error() -> None:
    with pytest.raises(KeyboardInterrupt) as caught, raising(SIGTERM), signals_postponed():
        raise_signal(SIGTERM)
        raise ValueError("an error of the block")
    assert isinstance(caught.value.__context__, ValueError)


def test_handlers_are_restored() -> None:
    before = getsignal(SIGINT), getsignal(SIGTERM)
    with signals_postponed():
        assert getsignal(SIGTERM) is not before[1]
    assert (getsignal(SIGINT), getsignal(SIGTERM)) == before


def test_results_and_errors_are_those_of_the_work() -> None:
    with ThreadPool(2) as pool:
        assert pool.result(pool.submit(divmod, 7, 2)) == (3, 1)
        with pytest.raises(ZeroDivisionError):
            pool.result(pool.submit(divmod, 7, 0))


def test_the_end_of_the_block_waits_for_work_that_has_begun_and_drops_other_work() -> None:
    began, may_end, done = threading.Event(), threading.Event(), []

    def work(number: int) -> None:
        began.set()
        may_end.wait()
        done.append(number)

    with pytest.raises(ValueError, match="an error of the block"), ThreadPool(1) as pool:
        futures = [pool.submit(work, number) for number in range(3)]
        began.wait()
        threading.Timer(0.05, may_end.set).start()
        raise ValueError("an error of the block")
    assert done == [0]
    assert [future.cancelled() for future in futures] == [False, True, True]


def test_work_is_finished_after_a_short_wait_or_later() -> None:
    may_end = threading.Event()
    with ThreadPool(2) as pool:
        fast, slow = pool.submit(pow, 2, 2), pool.submit(may_end.wait)
        pool.wait([fast])
        assert pool.finished({fast, slow}) == {fast}
        may_end.set()
        pool.wait([fast, slow])
        assert pool.finished({fast, slow}) == {fast, slow}
