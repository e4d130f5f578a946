"""Signals end the program at any moment, without a traceback and without leaving files."""

import signal
import subprocess
import sys

import pytest
import signals
from signals import COMMANDS, GOOD, SIGNALS, Injection, Runner

from hyperskip.interruption import Interruption, ending_signals


def run(program: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


@pytest.mark.parametrize("name", SIGNALS)
@pytest.mark.parametrize(
    "inside",
    [
        *("raise_signal(NUMBER)", "weakref.ref(set(), lambda _: raise_signal(NUMBER))", "Dying()"),
        "drop()",
    ],
    ids=["a statement", "a weak reference", "a destructor", "code that drops it"],
)
def test_a_signal_is_raised_again_if_python_ignores_it(name: str, inside: str) -> None:
    done = run(
        "import sys, time, weakref\n"
        "from signal import raise_signal, signal, SIGINT, default_int_handler\n"
        "from hyperskip.cli.signals import signals_raised\n"
        f"NUMBER = {int(signal.Signals[name])}\n"
        "class Dying:\n"
        "    def __del__(self):\n"
        "        raise_signal(NUMBER)\n"
        "def drop():  # as some extension modules do while they are imported\n"
        "    try:\n"
        "        raise_signal(NUMBER)\n"
        "    except BaseException:\n"
        "        pass\n"
        "with signals_raised():\n"
        "    try:\n"
        f"        {inside}\n"
        "        time.sleep(60)\n"
        "    finally:\n"
        "        print('cleaned up')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (
        128 + signal.Signals[name],
        "cleaned up\n",
        "",
    )


def test_a_second_signal_does_not_interrupt_the_cleanup() -> None:
    done = run(
        "from signal import raise_signal, SIGHUP, SIGTERM\n"
        "from hyperskip.cli.signals import signals_raised\n"
        "class Dying:\n"
        "    def __del__(self):\n"
        "        raise_signal(SIGTERM)\n"
        "with signals_raised():\n"
        "    try:\n"
        "        Dying()\n"
        "        while True:\n"
        "            raise_signal(SIGHUP)\n"
        "    finally:\n"
        "        raise_signal(SIGHUP)\n"
        "        print('cleaned up')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, "cleaned up\n", "")


def test_a_slow_cleanup_is_not_interrupted() -> None:
    done = run(
        "import time\n"
        "from signal import raise_signal, SIGTERM\n"
        "from hyperskip.cli.signals import signals_raised\n"
        "with signals_raised():\n"
        "    try:\n"
        "        raise_signal(SIGTERM)\n"
        "    finally:\n"
        "        try:\n"
        "            {}['missing']\n"
        "        except KeyError:\n"
        "            time.sleep(0.7)\n"
        "        time.sleep(0.7)\n"
        "        print('cleaned up')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (143, "cleaned up\n", "")


def test_other_ignored_exceptions_are_still_shown() -> None:
    done = run(
        "from hyperskip.cli.signals import signals_raised\n"
        "class Failing:\n"
        "    def __del__(self):\n"
        "        raise ValueError('a fault')\n"
        "with signals_raised():\n"
        "    Failing()\n"
    )
    assert done.returncode == 0
    assert "ValueError: a fault" in done.stderr


def test_destructors_of_half_made_objects_fail_quietly_after_a_signal() -> None:
    done = run(
        "import signal\n"
        "from hyperskip.cli.signals import signals_raised\n"
        "class Half:\n"
        "    def __init__(self):\n"
        "        signal.raise_signal(signal.SIGTERM)\n"
        "        self.resource = 1\n"
        "    def __del__(self):\n"
        "        del self.resource\n"
        "with signals_raised():\n"
        "    Half()\n"
    )
    assert (done.returncode, done.stderr) == (143, "")


def test_after_the_command_the_system_ends_the_process() -> None:
    done = run(
        "import signal\n"
        "from hyperskip.cli.signals import signals_raised\n"
        "with signals_raised():\n"
        "    pass\n"
        "signal.raise_signal(signal.SIGINT)\n"
    )
    assert (done.returncode, done.stderr) == (-signal.SIGINT, "")


def test_signals_that_are_ignored_stay_ignored() -> None:
    done = run(
        "import signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from hyperskip.cli.signals import signals_raised\n"
        "with signals_raised():\n"
        "    signal.raise_signal(signal.SIGHUP)\n"
        "signal.raise_signal(signal.SIGHUP)\n"
        "print('alive')\n"
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")


def test_work_is_stopped_only_once() -> None:
    """Further signals do not interrupt a server that is shutting down."""
    before = [signal.getsignal(number) for number in ending_signals()]
    stopped: list[str] = []
    with Interruption(lambda: stopped.append("now")) as interruption:
        for number in ending_signals():
            signal.raise_signal(number)
    assert stopped == ["now"]
    assert interruption.requested == ending_signals()[0]
    assert [signal.getsignal(number) for number in ending_signals()] == before


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    inputs = tmp_path_factory.mktemp("inputs")
    signals.prepare(inputs)
    return Runner(inputs)


# Numbers of function calls: hyperskip has started to load, is still loading, is working.
@pytest.mark.parametrize("moment", [10, 20_000, 200_000])
@pytest.mark.parametrize(("command", "name"), [("explore", "SIGHUP"), ("encode", "SIGINT")])
def test_a_command_ends_quietly_at_any_moment(
    runner: Runner, command: str, name: str, moment: int
) -> None:
    outcome = runner.outcome(Injection(command, name, moment=moment))
    assert outcome.kind == "quiet", outcome.said


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_ends_quietly_at_many_moments(runner: Runner, command: str) -> None:
    bad = [
        outcome
        for injection in signals.injections(command, runner.calls(command), 12, 4, seed=1)
        if (outcome := runner.outcome(injection)).kind not in GOOD
    ]
    assert not bad
