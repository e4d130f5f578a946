"""Training on a Ray cluster: as good as one process, and nothing lost if nodes or drivers die."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from interpreted_kernels import need_triton
from ray_nodes import RayNodes, ray_nodes, ray_settings

import hyperskip
from hyperskip import WordVectors, builtin, embed_graph, evaluate, train
from hyperskip.cluster.connection import connected
from hyperskip.errors import ClusterError, DivergenceError, TrainingWarning
from hyperskip.geometry.names import EUCLIDEAN
from hyperskip.text.encoding.cluster.encoder import TASK_CPUS
from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder
from hyperskip.training.cluster import training_cluster
from hyperskip.training.cluster.workers import Workers
from hyperskip.training.options import PAIRWISE
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import (
    NodeJoined,
    NodeLost,
    NodeRefused,
    OnCluster,
    Progress,
    TrainingProgress,
)

# How far the scores of a cluster may be below those of one process, on a small text that is merged
# a few times only; two trainings of one process differ by about 0.005.
SIMILARITY_BOUND, ANALOGY_BOUND = 0.06, 0.04
AS_TRAINED: dict[str, Any] = {"dimension": 20, "subsample": 1e-3, "epochs": 4, "seed": 3}
SMALL: dict[str, Any] = {"dimension": 8, "epochs": 2, "min_count": 2, "seed": 1}


class EnoughError(Exception):
    """Ends a training whose rest does not matter."""


class Events:
    """Records events, and acts on the first one that a condition holds for."""

    def __init__(
        self,
        when: Callable[[Progress], bool] = lambda _: False,
        act: Callable[[], object] = lambda: None,
    ) -> None:
        self.all: list[Progress] = []
        self._when, self._act = when, act
        self.acted = False

    def __call__(self, event: Progress) -> None:
        self.all.append(event)
        if not self.acted and self._when(event):
            self.acted = True
            self._act()

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.all if isinstance(event, kind)]


def trained_on(tokens: int) -> Callable[[Progress], bool]:
    """Whether training has advanced by more than this number of tokens."""
    return lambda event: isinstance(event, TrainingProgress) and event.tokens > tokens


@pytest.fixture(scope="module")
def own_nodes() -> Iterator[Callable[..., Any]]:
    """Starts clusters that a test may damage."""
    with ray_settings():
        yield ray_nodes


@pytest.fixture
def quick_to_lose(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose nodes that do not answer for two seconds."""
    monkeypatch.setattr(training_cluster, "Workers", partial(Workers, shortest_limit=2.0))


def actors(nodes: RayNodes) -> list[int]:
    """The ids of the processes that train on these nodes."""
    raylets = {
        process.process.pid
        for node in nodes.nodes
        for process in node.all_processes.get("raylet", [])
    }
    found = []
    for folder in Path("/proc").iterdir():
        try:
            title = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if title.startswith(b"ray::NodeActor") and parent in raylets:
            found.append(int(folder.name))
    return found


def check_nothing_is_left(nodes: RayNodes, seconds: float = 20.0) -> None:
    """Check that no process trains any more, and that all CPUs are free."""
    deadline = time.monotonic() + seconds
    while actors(nodes):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    import ray
    from ray.util import placement_group_table

    with connected(nodes.address) as cluster:
        states = [group["state"] for group in placement_group_table().values()]
        assert set(states) <= {"REMOVED"}
        cpus = sum(node.cpus for node in cluster.nodes())
        while ray.available_resources()["CPU"] != cpus:
            assert time.monotonic() < deadline
            time.sleep(0.1)


def check_scores(found: WordVectors, expected: WordVectors) -> None:
    """Check that scores on the built-in sets are not lower by more than the bounds."""
    sets: dict[str, Any] = {"similarity": "builtin", "analogies": "builtin"}
    theirs, ours = (evaluate(vectors, **sets, device="cpu") for vectors in (expected, found))
    assert ours.average is not None
    assert theirs.average is not None
    assert ours.average > theirs.average - SIMILARITY_BOUND
    assert ours.accuracy is not None
    assert theirs.accuracy is not None
    assert ours.accuracy > theirs.accuracy - ANALOGY_BOUND


def same(first: WordVectors, second: WordVectors) -> bool:
    def history(vectors: WordVectors) -> list[dict[str, Any]]:
        return [{**epoch, "seconds": 0} for epoch in vectors.history]

    return np.array_equal(first.coordinates, second.coordinates) and history(first) == history(
        second
    )


def test_two_nodes_reach_the_scores_of_one_process(
    ray_cluster: RayNodes, trained: WordVectors, capfd: pytest.CaptureFixture[str]
) -> None:
    events = Events()
    vectors = train(
        builtin.sentences(300_000), **AS_TRAINED, cluster=ray_cluster.address, report=events
    )
    check_scores(vectors, trained)
    [chosen] = events.of(OnCluster)
    assert len(chosen.nodes) == 2
    assert len(events.of(EpochSummary)) == 4
    newest = events.of(TrainingProgress)[-1]
    assert newest.tokens == newest.tokens_total
    assert [node.name for node in newest.cluster.nodes] == list(chosen.nodes)
    assert all(node.words_per_second > 0 for node in newest.cluster.nodes)
    assert newest.cluster.bytes_sent > 0
    assert not events.of(NodeLost)
    assert capfd.readouterr() == ("", "")
    check_nothing_is_left(ray_cluster)


def test_a_killed_node_costs_little(
    own_nodes: Callable[..., Any], trained: WordVectors, capfd: pytest.CaptureFixture[str]
) -> None:
    with own_nodes(2) as nodes:
        events = Events(trained_on(300_000), lambda: nodes.kill(nodes.nodes[1]))
        vectors = train(
            builtin.sentences(300_000), **AS_TRAINED, cluster=nodes.address, report=events
        )
        [lost] = events.of(NodeLost)
        assert nodes.nodes[1].node_id[:8] in lost.name
        assert lost.reason
        check_scores(vectors, trained)
        newest = events.of(TrainingProgress)[-1]
        assert newest.tokens == newest.tokens_total
        assert [node.name for node in newest.cluster.nodes] != [lost.name]
        assert capfd.readouterr() == ("", "")


def command(text: Path, model: Path, *options: object) -> list[str]:
    small = ("--dimension", 8, "--min-count", 2, "--epochs", 6, "--deterministic")
    arguments = ("train", text, "-o", model, *small, *options)
    return [sys.executable, "-m", "hyperskip", *map(str, arguments)]


@contextmanager
def running(line: list[str], model: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a training until it has written a checkpoint."""
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        try:
            folder = CheckpointFolder(model.with_name(f"{model.name}.checkpoints"))
            before = {path.name for path in folder.files()}
            while {path.name for path in folder.files()} <= before:
                assert process.poll() is None, process.stderr and process.stderr.read()
                time.sleep(0.02)
            yield process
        finally:
            process.kill()


def finished(line: list[str]) -> str:
    """Run a training to its end; returns its messages."""
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not done.stdout
    return done.stderr


OFTEN = ("--checkpoint-minutes", "0.0001")


def test_a_killed_driver_is_resumed(ray_cluster: RayNodes, corpus: Path, tmp_path: Path) -> None:
    """In deterministic training, to the same bytes."""
    options: dict[str, Any] = {"dimension": 8, "min_count": 2, "epochs": 6, "deterministic": True}
    undisturbed = train(corpus, cluster=ray_cluster.address, **options)
    model = tmp_path / "model"
    line = command(corpus, model, *OFTEN, "--cluster", ray_cluster.address)
    with running(line, model) as process:
        process.send_signal(signal.SIGKILL)
    messages = finished([*line, "--resume"])
    assert "Traceback" not in messages
    assert same(hyperskip.load(model), undisturbed)
    check_nothing_is_left(ray_cluster)


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, None], ids=["one node", "no cluster"])
def test_a_killed_driver_is_resumed_on_another_number_of_nodes(
    ray_cluster: RayNodes, corpus: Path, tmp_path: Path, number: int | None
) -> None:
    model = tmp_path / "model"
    line = command(corpus, model, *OFTEN)
    two = ("--cluster", ray_cluster.address)
    with running([*line, *two], model) as process:
        process.send_signal(signal.SIGKILL)
    other = () if number is None else (*two, "--nodes", number)
    with running([*line, "--resume", *map(str, other)], model) as process:
        process.send_signal(signal.SIGKILL)
    finished([*line, "--resume", *two])
    assert len(hyperskip.load(model).history) == 6


@pytest.mark.parametrize(
    "options",
    [
        {"threads": 1},
        pytest.param({"threads": 2, "deterministic": True}, marks=pytest.mark.slow),
        pytest.param({"threads": 1, "schedule": PAIRWISE}, marks=pytest.mark.slow),
    ],
    ids=["one thread", "deterministic", "pairwise"],
)
def test_one_node_gives_the_bytes_of_one_process(
    ray_cluster: RayNodes, corpus: Path, options: dict[str, Any]
) -> None:
    alone = train(corpus, **SMALL, **options)
    on_node = train(corpus, **SMALL, **options, cluster=ray_cluster.address, nodes=1)
    assert same(alone, on_node)


@pytest.mark.slow
def test_deterministic_training_depends_on_the_number_of_nodes_only(
    own_nodes: Callable[..., Any], corpus: Path
) -> None:
    with own_nodes(2) as nodes:
        options = {**SMALL, "deterministic": True, "merge_words": 3000, "cluster": nodes.address}
        first, second = (train(corpus, **options) for _ in range(2))
        assert same(first, second)
        assert not np.array_equal(first.coordinates, train(corpus, **options, nodes=1).coordinates)
    with own_nodes(2, cpus=3) as nodes:
        options["cluster"] = nodes.address
        for threads in (2, 3):
            assert same(first, train(corpus, **options, threads=threads))


MODELS: dict[str, dict[str, Any]] = {
    "theta": {"learn_theta": True},
    "two layers": {"tied": False},
    "factors and burn-in": {"factors": 2, "burn_in_epochs": 1},
    "Euclidean": {"geometry": EUCLIDEAN},
    "pairwise": {"schedule": PAIRWISE},
    "rare merges": {"merge_words": 10**9},
    "frequent merges": {"merge_words": 1000},
    "more nodes than there are": {"nodes": 9},
}


@pytest.mark.slow
@pytest.mark.parametrize("options", MODELS.values(), ids=MODELS.keys())
def test_every_kind_of_model(ray_cluster: RayNodes, corpus: Path, options: dict[str, Any]) -> None:
    vectors = train(corpus, **SMALL, **options, cluster=ray_cluster.address)
    losses = [epoch["loss"] for epoch in vectors.history]
    assert np.isfinite(losses).all()
    assert losses[-1] < losses[-2]
    check_nothing_is_left(ray_cluster)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", [["red blue red blue"], ["red blue green"] * 20], ids=["four words", "sixty"]
)
def test_a_text_smaller_than_the_cluster(ray_cluster: RayNodes, text: list[str]) -> None:
    """Some nodes have nothing to do."""
    options: dict[str, Any] = {"dimension": 4, "min_count": 1, "learn_theta": True, "subsample": 0}
    vectors = train(text, **options, cluster=ray_cluster.address)
    assert np.isfinite(vectors.coordinates).all()
    assert vectors.history[-1]["theta"] != 0


@pytest.mark.slow
def test_every_gpu_of_a_machine_is_a_node(own_nodes: Callable[..., Any]) -> None:
    """The kernels of GPUs are interpreted, so that the machine needs none."""
    need_triton()
    with own_nodes(1, head_cpus=0) as nodes:
        nodes.add(gpus=2)
        events = Events()
        train(
            list(builtin.sentences(3000)),
            **SMALL | {"dimension": 4, "window": 2, "shared_negatives": 16},
            device="cuda",
            cluster=nodes.address,
            report=events,
        )
        newest = events.of(TrainingProgress)[-1]
        assert sorted(node.name[-5:] for node in newest.cluster.nodes) == ["GPU 0", "GPU 1"]
        assert all(node.words_per_second > 0 for node in newest.cluster.nodes)
        assert newest.tokens == newest.tokens_total


@pytest.mark.slow
def test_frozen_words_stay(ray_cluster: RayNodes, corpus: Path) -> None:
    model = train(corpus, **SMALL | {"min_count": 20})
    options = {name: SMALL[name] for name in ("epochs", "min_count")}
    longer = train(corpus, **options, init=model, freeze=True, cluster=ray_cluster.address)
    assert len(longer) > len(model)
    rows = longer.known_rows(model.words)
    assert np.array_equal(longer.coordinates[rows], model.coordinates)


@pytest.mark.slow
def test_training_that_diverges_on_nodes(ray_cluster: RayNodes, corpus: Path) -> None:
    with (
        pytest.warns(TrainingWarning, match="rate"),
        pytest.raises(DivergenceError, match=naming("epoch", "radius")),
    ):
        train(corpus, **SMALL, rate=10.0, max_step=2.0, cluster=ray_cluster.address)
    check_nothing_is_left(ray_cluster)


def test_a_node_that_joins_late_gets_work(own_nodes: Callable[..., Any], corpus: Path) -> None:
    with own_nodes(1) as nodes:
        added: list[Any] = []

        def adding(event: Progress) -> bool:
            if not added and isinstance(event, TrainingProgress):
                added.append(nodes.add())
            if not isinstance(event, TrainingProgress) or event.cluster is None:
                return False
            speeds = [node.words_per_second for node in event.cluster.nodes]
            return len(speeds) == 2 and min(speeds) > 0 and event.cluster.bytes_sent > 0

        events = Events(adding, _enough)
        with pytest.raises(EnoughError):
            train(corpus, **SMALL | {"epochs": 10**4}, cluster=nodes.address, report=events)
        [joined] = events.of(NodeJoined)
        assert added[0].node_id[:8] in joined.name
        nodes.nodes += added
        check_nothing_is_left(nodes)


@pytest.mark.slow
def test_a_late_node_that_cannot_train_is_left_out(
    own_nodes: Callable[..., Any], corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "hyperskip.py").write_text("raise ImportError('not installed here')")
    with own_nodes(1) as nodes:
        events = Events(trained_on(0), lambda: nodes.add(env_vars={"PYTHONPATH": str(tmp_path)}))

        def report(event: Progress) -> None:
            events(event)
            if isinstance(event, NodeRefused):
                raise EnoughError

        with pytest.raises(EnoughError):
            train(corpus, **SMALL | {"epochs": 10**4}, cluster=nodes.address, report=report)
        assert not events.of(NodeJoined)
        assert not events.of(NodeLost)


@pytest.mark.slow
@pytest.mark.usefixtures("quick_to_lose")
def test_a_node_that_hangs_is_lost(own_nodes: Callable[..., Any], corpus: Path) -> None:
    with own_nodes(2) as nodes:
        events = Events(trained_on(100_000), lambda: os.kill(actors(nodes)[0], signal.SIGSTOP))
        vectors = train(corpus, **SMALL | {"epochs": 20}, cluster=nodes.address, report=events)
        assert len(events.of(NodeLost)) == 1
        assert len(vectors.history) == 20
        check_nothing_is_left(nodes)


@pytest.mark.slow
@pytest.mark.usefixtures("quick_to_lose")
def test_if_all_nodes_end_there_is_an_error(own_nodes: Callable[..., Any], corpus: Path) -> None:
    with own_nodes(2) as nodes:

        def kill_all() -> None:
            for process in actors(nodes):
                os.kill(process, signal.SIGKILL)

        events = Events(trained_on(60_000), kill_all)
        with pytest.raises(ClusterError, match=naming("no node", "resume=True")) as caught:
            train(corpus, **SMALL | {"epochs": 10**4}, cluster=nodes.address, report=events)
        assert events.of(NodeLost)[-1].reason in str(caught.value)
        check_nothing_is_left(nodes)


@pytest.mark.slow
def test_lost_text_is_encoded_again(own_nodes: Callable[..., Any], tmp_path: Path) -> None:
    """Although the nodes that train have reserved their CPUs."""
    text = tmp_path / "text.txt"
    text.write_text("\n".join(builtin.sentences(300_000)))
    with own_nodes(3, head_cpus=0) as nodes:
        events = Events(trained_on(-1), lambda: nodes.kill(nodes.nodes[1]))
        vectors = train(text, **SMALL, cluster=nodes.address, report=events)
        assert len(events.of(NodeLost)) == 1
        assert len(vectors.history) == 2


@pytest.mark.slow
def test_workers_leave_cpus_to_encoding_tasks_and_not_to_another_training(
    ray_cluster: RayNodes,
) -> None:
    with connected(ray_cluster.address) as cluster:
        for node in cluster.nodes():
            reserved = Workers(cluster, "cpu")._needs(node)["CPU"]
            assert reserved + TASK_CPUS <= node.cpus
            assert 2 * reserved > node.cpus


@pytest.mark.slow
def test_a_late_node_is_started_again_if_the_one_that_it_loads_from_ends(
    own_nodes: Callable[..., Any],
) -> None:
    import ray

    with own_nodes(2) as nodes, connected(nodes.address) as cluster:
        first, second = cluster.nodes()
        with Workers(cluster, "cpu") as workers:
            workers._task = ray.put(None)
            workers._start([first], ray.put(None), workers.training)
            ray.kill(workers.training[0].actor)
            started: list[Any] = []
            deadline = time.monotonic() + 60
            while len(started) < 2 or started[1].reserved_at is None:
                assert time.monotonic() < deadline
                assert workers.join(admits=True) == ([], {})
                started += [worker for worker in workers._coming if worker not in started]
                time.sleep(0.05)
        assert started[0].node == started[1].node == second


@pytest.mark.slow
def test_a_connection_of_the_caller_survives(ray_cluster: RayNodes, corpus: Path) -> None:
    import ray

    ray.init(ray_cluster.address, logging_level="ERROR", log_to_driver=False)
    try:
        train(corpus, **SMALL, cluster="auto")
        with pytest.raises(EnoughError):
            train(corpus, **SMALL, cluster="auto", report=Events(trained_on(0), _enough))
        assert ray.is_initialized()
        check_nothing_is_left(ray_cluster)
        assert ray.get(ray.put("mine")) == "mine"
    finally:
        ray.shutdown()


def _enough() -> None:
    raise EnoughError


@pytest.mark.parametrize(
    ("name", "code"),
    [("SIGINT", 130), ("SIGTERM", 143)],
)
@pytest.mark.slow
def test_a_signal_leaves_a_checkpoint_and_no_actors(
    ray_cluster: RayNodes, corpus: Path, tmp_path: Path, name: str, code: int
) -> None:
    model = tmp_path / "model"
    line = command(corpus, model, "--cluster", ray_cluster.address, "--epochs", 10**4, *OFTEN)
    with running(line, model) as process:
        process.send_signal(getattr(signal, name))
        _, messages = process.communicate(timeout=60)
        assert process.returncode == code, messages
    assert "Traceback" not in messages
    assert f"hyperskip train --resume {corpus}" in messages
    assert "(raylet)" not in messages
    assert CheckpointFolder(tmp_path / "model.checkpoints").newest() is not None
    check_nothing_is_left(ray_cluster)


@pytest.mark.slow
def test_a_second_signal_stops_at_once(ray_cluster: RayNodes, corpus: Path, tmp_path: Path) -> None:
    model = tmp_path / "model"
    # Compiled kernels are on disk afterward: on a busy machine, compiling takes longer than 8 s.
    train(corpus, schedule="pairwise", dimension=2, epochs=1, cluster=ray_cluster.address)
    slow = "--schedule pairwise --dimension 4096 --negatives 500 --subsample 0".split()
    line = command(corpus, model, "--cluster", ray_cluster.address, *slow)
    line.remove("--deterministic")
    with subprocess.Popen(line, stderr=subprocess.PIPE, text=True) as process:
        try:
            while not actors(ray_cluster):
                assert process.poll() is None
                time.sleep(0.1)
            time.sleep(8)
            process.send_signal(signal.SIGINT)
            time.sleep(1)
            process.send_signal(signal.SIGINT)
            _, messages = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130, messages
    assert "Traceback" not in messages
    check_nothing_is_left(ray_cluster)


@pytest.mark.slow  # tests/training/test_cluster_walks.py has the parts
def test_nodes_generate_the_walks_of_a_graph(ray_cluster: RayNodes) -> None:
    edges = [(i, i // 20 * 20 + (i + step) % 20) for i in range(200) for step in (1, 3, 7)]
    edges += [(i, (i + 20) % 200) for i in range(0, 200, 20)]
    options: dict[str, Any] = {"method": "walks", "dimension": 8, "epochs": 2, "threads": 1}
    local = embed_graph(edges, **options, device="cpu")
    alone = embed_graph(edges, **options, cluster=ray_cluster.address, nodes=1)
    assert same(alone, local)  # the walks differ between epochs
    both = embed_graph(edges, **options, cluster=ray_cluster.address)
    near = [
        int(other.word) // 20 == int(word) // 20
        for word in both.words
        for other in both.neighbors(word, count=5)
    ]
    assert np.mean(near) > 0.9
