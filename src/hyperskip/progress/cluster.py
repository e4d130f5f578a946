"""Progress of a cluster: its nodes, their speed, and what they exchange, as lines of text."""

import time

from hyperskip.training.run.training_events import (
    ClusterProgress,
    NodeJoined,
    NodeLost,
    NodeRefused,
    OnCluster,
)

_LINE_SECONDS = 30.0  # between two lines if there is no terminal
_MOST_NODES = 4  # that are listed; of more, only the slowest and the fastest


class ClusterLines:
    """Chooses when to write a line about the cluster; a terminal shows one all the time."""

    def __init__(self) -> None:
        self._written = time.monotonic()
        self._newest: str | None = None

    def due(self, line: str) -> str | None:
        """The line to write now, if any, given the newest one."""
        self._newest = line
        if time.monotonic() - self._written < _LINE_SECONDS:
            return None
        return self.newest()

    def newest(self) -> str | None:
        """The newest line; None if there is no cluster."""
        self._written = time.monotonic()
        return self._newest


def cluster_line(progress: ClusterProgress, counted: str = "word", tokens: float = 1) -> str:
    """The nodes and their speeds, the age of the last merge, and the bytes sent.

    Args:
        progress: The progress.
        counted: What is counted.
        tokens: Number of tokens of each, on average.
    """
    nodes = sorted(progress.nodes, key=lambda node: node.words_per_second)
    listed = nodes if len(nodes) <= _MOST_NODES else [nodes[0], nodes[-1]]
    speeds = ", ".join(
        f"{node.name} {speed(node.words_per_second, counted, tokens)}" for node in listed
    )
    if len(nodes) > _MOST_NODES:
        speeds = f"slowest and fastest: {speeds}"
    count = f"{len(nodes)} {'node' if len(nodes) == 1 else 'nodes'}"
    if len(nodes) == 1:
        return f"{count}: {speeds}"
    merged = "not merged yet"
    if progress.seconds_since_merge is not None:
        merged = (
            f"merged {progress.seconds_since_merge:.1f} s ago, {_bytes(progress.bytes_sent)} sent, "
            f"merges take {progress.merge_share:.0%} of the time"
        )
    return f"{count}, {merged}: {speeds}"


def node_line(report: OnCluster | NodeJoined | NodeLost | NodeRefused) -> str:
    """The nodes at the start, or a node that joined, was lost or cannot take part."""
    match report:
        case OnCluster():
            count = len(report.nodes)
            nodes = "1 node" if count == 1 else f"{count} nodes"
            cluster = "a Ray cluster started here" if report.is_started_here else report.address
            return f"training on {nodes} of {cluster} ({report.device}): {', '.join(report.nodes)}"
        case NodeJoined():
            return f"node {report.name} joined"
        case NodeLost():
            return (
                f"warning: node {report.name} was lost ({report.reason}); the others repeat the "
                "work since the last merge"
            )
        case NodeRefused():
            return f"warning: node {report.name} cannot take part: {report.reason}"


def speed(words_per_second: float, counted: str = "word", tokens: float = 1) -> str:
    """A speed, in thousands.

    Args:
        words_per_second: Number of tokens that are trained in a second.
        counted: What is counted.
        tokens: Number of tokens of each, on average.
    """
    return f"{words_per_second / tokens / 1000:,.0f}k {counted}s/s"


def _bytes(count: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count / 1e3:.1f} kB"
