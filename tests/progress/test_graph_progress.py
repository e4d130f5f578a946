"""Progress of learning from a graph: its summary, edges instead of words, and few epochs."""

from pathlib import Path

import pytest

from hyperskip import embed_graph
from hyperskip.graphs.closure import describe
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.progress.output import Lines
from hyperskip.progress.training import TrainingDisplay
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import GraphRead, Resuming, TrainingProgress

EDGES = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal")]


class Recorded(Lines):
    """Keeps what would be shown."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.figures = ""

    def say(self, text: str) -> None:
        self.lines.append(text)

    def update(
        self,
        bar: str,  # noqa: ARG002
        completed: float,  # noqa: ARG002
        total: float | None,  # noqa: ARG002
        figures: str,
        *,
        timed: bool = True,  # noqa: ARG002
    ) -> None:
        self.figures = figures


def summary(epoch: int) -> EpochSummary:
    return EpochSummary(epoch, False, 0.5, 743_241, 0, 0.1, 0.0)


def read(counted: str, tokens: int) -> GraphRead:
    return GraphRead(describe(read_graph(EDGES, GraphOptions(closure=True))), counted, tokens)


@pytest.mark.parametrize(
    ("counted", "tokens", "speed", "pairs"),
    [("edge", 2, "3k edges/s", "743,241 edges"), ("node", 1, "6k nodes/s", "743,241 pairs")],
)
def test_speed_and_epochs_count_what_is_trained(
    counted: str, tokens: int, speed: str, pairs: str
) -> None:
    output = Recorded()
    with TrainingDisplay(output) as display:
        display(read(counted, tokens))
        display(Resuming(Path("checkpoint"), 1, 3, 600))
        display(TrainingProgress(1, 3, 600, 1800, 0.1, 0.5, 1.0, 6000.0))
        assert speed in output.figures
        display(summary(1))
    assert "4 nodes, 5 edges" in output.lines[0]
    assert f"{600 // tokens} {counted}s done" in output.lines[1]
    assert pairs in output.lines[2]


def test_of_many_short_epochs_the_first_and_the_last_are_shown() -> None:
    output = Recorded()
    with TrainingDisplay(output) as display:
        display(read("edge", 2))
        for epoch in range(1, 301):
            display(summary(epoch))
    epochs = [line.split()[1] for line in output.lines[1:]]
    assert (epochs[0], epochs[-1]) == ("1", "300")
    assert len(epochs) < 20


def test_epochs_of_walks_and_text_are_all_shown() -> None:
    output = Recorded()
    with TrainingDisplay(output) as display:
        display(read("node", 1))
        for epoch in range(1, 11):
            display(summary(epoch))
    assert len(output.lines) == 11


def test_progress_without_a_terminal_is_written_if_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    embed_graph(EDGES, closure=True, epochs=1, progress=True)
    said = capsys.readouterr().err
    assert "read a graph: 4 nodes, 5 edges" in said
    assert "epoch 1" in said
