"""Without a terminal, a line a minute says how far a long job is."""

import pytest

from hyperskip.progress.output import Lines


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, which tests set."""
    now = [1000.0]
    monkeypatch.setattr("hyperskip.progress.output.monotonic", lambda: now[0])
    return now


def test_a_line_a_minute(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    for second in range(301):
        clock[0] = 1000.0 + second
        lines.update("training", 100 + second, 700, f"epoch {second // 100}")
    assert capsys.readouterr().err.splitlines() == [
        "training 23%  epoch 0  about 9 min left",
        "training 31%  epoch 1  about 8 min left",
        "training 40%  epoch 1  about 7 min left",
        "training 49%  epoch 2  about 6 min left",
        "training 57%  epoch 3  about 5 min left",
    ]


def test_each_bar_has_its_own_pace(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines.update("reading", 0, None, "")
    clock[0] += 50
    lines.update("training", 0, 10, "")
    clock[0] += 50
    lines.update("training", 1, 10, "loss 4")
    lines.update("reading", 7, None, "7 words", timed=False)
    lines.remove("reading")
    lines.update("reading", 8, None, "8 words")
    assert capsys.readouterr().err == "reading  7 words\n"


def test_a_complete_bar_is_not_worth_a_line(
    clock: list[float], capsys: pytest.CaptureFixture[str]
) -> None:
    lines = Lines()
    lines.update("reading", 0, 100, "")
    clock[0] += 100
    lines.update("reading", 100, 100, "17 words")
    assert capsys.readouterr().err == ""


def test_long_times_have_hours(clock: list[float], capsys: pytest.CaptureFixture[str]) -> None:
    lines = Lines()
    lines.update("training", 0, 1000, "")
    clock[0] += 60
    lines.update("training", 0, 1000, "stuck")
    clock[0] += 60
    lines.update("training", 10, 1000, "loss 4")
    assert capsys.readouterr().err.splitlines() == [
        "training 0%  stuck",
        "training 1%  loss 4  about 3 h 18 min left",
    ]
