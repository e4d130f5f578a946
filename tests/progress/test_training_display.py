"""What the display of a training says about each event, as lines."""

import io
import math
from pathlib import Path

import pytest
from rich.console import Console

from hyperskip.progress import cluster
from hyperskip.progress.bars import TerminalBars
from hyperskip.progress.output import Lines
from hyperskip.progress.training import TrainingDisplay
from hyperskip.text.phrases.phrase_events import (
    CompilingPhrases,
    PhraseProgress,
    PhrasesFound,
    PrunedCandidates,
)
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import (
    ClusterProgress,
    Interrupted,
    NodeJoined,
    NodeProgress,
    Progress,
    Resuming,
    Stopped,
    TrainingProgress,
)

CHECKPOINT = Path("folder/epoch-000003.safetensors")
ON_CLUSTER = ClusterProgress((NodeProgress("node0", 2e6),), None, 0.0, 0)


@pytest.mark.parametrize(
    ("event", "facts"),
    [
        (Resuming(None, 1, 5, 0), ["no checkpoint", "from the beginning"]),
        (Resuming(CHECKPOINT, 3, 5, 9000), [str(CHECKPOINT), "epoch 3 of 5", "9,000 words"]),
        (Resuming(CHECKPOINT, 6, 5, 9000), [str(CHECKPOINT), "finished"]),
        (NodeJoined("node7"), ["node7 joined"]),
        (PhrasesFound(1, 1, 1200), ["found 1,200 phrases"]),
        (PhrasesFound(2, 3, 1), ["found 1 phrase in pass 2 of 3"]),
        (PrunedCandidates(1200, 3), ["warning", "`phrase_limit`", "1,200 rare pairs", "3 times"]),
        (EpochSummary(1, True, 2.5, 1000, 250, 1.5, 0.0), ["(burn-in)", "2.5000", "20.00%"]),
        (EpochSummary(2, False, 0.0, 0, 0, 1.5, 0.0), ["epoch 2", "no loss"]),
    ],
)
def test_lines_about_events(
    capsys: pytest.CaptureFixture[str], event: Progress, facts: list[str]
) -> None:
    with TrainingDisplay(Lines()) as display:
        display(event)
    (line,) = capsys.readouterr().err.splitlines()
    assert all(fact in line for fact in facts), line


def test_a_bar_shows_the_passes_over_phrases() -> None:
    console = Console(file=io.StringIO(), force_terminal=True, width=100)
    with TrainingDisplay(TerminalBars(console)) as display:
        display(CompilingPhrases())
        display(PhraseProgress(2, 3, 0.5))
    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert "phrases" in shown
    assert "pass 2/3" in shown


def test_an_interruption_with_a_new_checkpoint(capsys: pytest.CaptureFixture[str]) -> None:
    display = TrainingDisplay(Lines(), lost="nothing was saved", to_resume="resume like this")
    with pytest.raises(KeyboardInterrupt), display:
        display(Interrupted())
        display(Interrupted())  # reported several times a second until the blocks are finished
        display(Stopped(CHECKPOINT, 3, 5))
        raise KeyboardInterrupt
    first, *others = capsys.readouterr().err.splitlines()
    assert "writing a checkpoint" in first
    assert others == ["interrupted in epoch 3 of 5", f"saved {CHECKPOINT}", "resume like this"]


def test_an_interruption_without_a_checkpoint(capsys: pytest.CaptureFixture[str]) -> None:
    display = TrainingDisplay(Lines(), lost="nothing was saved", to_resume="resume like this")
    with pytest.raises(SystemExit), display:
        raise SystemExit
    assert capsys.readouterr().err == "interrupted: nothing was saved\n"


def test_an_error_before_reading_leaves_no_bar() -> None:
    screen = io.StringIO()
    with (
        pytest.raises(ZeroDivisionError),
        TrainingDisplay(TerminalBars(Console(file=screen, width=100))),
    ):
        raise ZeroDivisionError
    assert "reading" not in screen.getvalue()


def test_lines_about_a_cluster(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    progress = TrainingProgress(1, 2, 50, 100, 0.1, 3.0, 1.0, 50.0, ON_CLUSTER)
    with TrainingDisplay(Lines()) as display:
        display(progress)
        assert capsys.readouterr().err == ""
        monkeypatch.setattr(cluster, "_LINE_SECONDS", 0.0)
        display(progress)
        assert "node0" in capsys.readouterr().err
        display(EpochSummary(1, False, 2.5, 1000, 0, 1.5, 0.0))
    epoch, nodes = capsys.readouterr().err.splitlines()
    assert epoch.startswith("epoch 1")
    assert "node0" in nodes


def test_a_loss_is_shown_when_there_is_one() -> None:
    screen = io.StringIO()
    with TrainingDisplay(TerminalBars(Console(file=screen, width=100))) as display:
        display(TrainingProgress(1, 2, 0, 100, 0.1, math.nan, 0.1, 0.0))
    assert "epoch 1/2" in screen.getvalue()
    assert "loss" not in screen.getvalue()


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (100, "epoch 10/20  loss 2.599  429k words/s  rate 0.0250"),
        (80, "epoch 10/20  loss 2.599  429k words/s"),
        (60, "epoch 10/20  loss 2.599"),
        (40, "epoch 10/20"),
    ],
)
def test_a_narrow_terminal_shows_fewer_figures(width: int, shown: str) -> None:
    screen = io.StringIO()
    with TrainingDisplay(TerminalBars(Console(file=screen, width=width))) as display:
        display(TrainingProgress(10, 20, 50, 100, 0.025, 2.599, 1.0, 429_000.0))
    (line,) = (line for line in screen.getvalue().splitlines() if line.startswith("training"))
    assert line.partition(" left ")[2].strip() == shown
