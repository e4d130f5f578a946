"""What the command line says about a cluster."""

import io

import pytest
from rich.console import Console
from rich.text import Text

from hyperskip.progress import cluster as lines
from hyperskip.progress.bars import TerminalBars
from hyperskip.progress.cluster import ClusterLines, cluster_line, node_line
from hyperskip.progress.training import TrainingDisplay
from hyperskip.training.run.training_events import (
    ClusterProgress,
    NodeJoined,
    NodeLost,
    NodeProgress,
    NodeRefused,
    OnCluster,
    TrainingProgress,
)


def progress(*speeds: float, age: float | None = 0.25) -> ClusterProgress:
    nodes = tuple(NodeProgress(f"node{i}", speed) for i, speed in enumerate(speeds))
    return ClusterProgress(nodes, age, 0.125, 3_000_000_000)


@pytest.mark.parametrize(
    ("reported", "facts"),
    [
        (progress(2e6), ["1 node", "node0 2,000k words/s"]),
        (progress(2e6, 1e6), ["2 nodes", "0.2 s ago", "3.0 GB", "12%", "node1 1,000k words/s"]),
        (progress(2e6, 1e6, age=None), ["2 nodes", "not merged yet"]),
        (progress(*[2e6] * 5, 1e5, 9e6), ["7 nodes", "slowest", "node5 100k", "node6 9,000k"]),
    ],
)
def test_the_line_about_a_cluster(reported: ClusterProgress, facts: list[str]) -> None:
    line = cluster_line(reported)
    assert all(fact in line for fact in facts), line


def test_edges_are_counted_in_a_graph() -> None:
    assert "node0 1,000k edges/s" in cluster_line(progress(1.5e6), "edge", 1.5)


def test_nodes_are_named() -> None:
    joined, started = (OnCluster(("a", "b"), "cpu", "host:1", is_here) for is_here in (False, True))
    assert "2 nodes of host:1 (cpu): a, b" in node_line(joined)
    assert "started here" in node_line(started)
    assert "a cannot take part: no text" in node_line(NodeRefused("a", "no text"))
    assert "a joined" in node_line(NodeJoined("a"))
    assert "a was lost (it ended)" in node_line(NodeLost("a", "it ended"))


def test_lines_are_written_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = ClusterLines()
    assert chosen.newest() is None
    assert chosen.due("a line") is None
    assert chosen.newest() == "a line"
    monkeypatch.setattr(lines, "_LINE_SECONDS", 0.0)
    assert chosen.due("another") == "another"


def test_a_narrow_terminal_shows_bars_and_merges() -> None:
    shown = io.StringIO()
    terminal = TerminalBars(Console(file=shown, width=80, force_terminal=True))
    with TrainingDisplay(terminal) as display:
        display(TrainingProgress(1, 2, 50, 100, 0.1, 3.0, 1.0, 50.0, progress(2e6, 1e6)))
    text = Text.from_ansi(shown.getvalue()).plain
    assert "50%" in text
    assert "loss 3.000" in text
    assert "2 nodes, merged 0.2 s ago, 3.0 GB sent" in text
