"""The benchmark of clusters, and the laws of the model that predicts it."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import cluster
import cluster_costs
import cluster_model as model
import cluster_predictions
import numpy as np
import pytest

from hyperskip.training.cluster.moves import ExpectedMoves
from hyperskip.training.cluster.rounds import ROUNDS
from hyperskip.training.run.training_events import (
    ClusterProgress,
    NodeProgress,
    TrainingProgress,
)

COSTS = model.Costs(
    compared=model.LinearCost(2e-8, 1e-9),
    selected=model.LinearCost(1e-8, 1e-9),
    merged=model.LinearCost(0.0, 6e-9),
    placed=model.LinearCost(3e-8, 2e-9),
    part=3e-4,
    calls=2e-3,
    calls_of_pair=5e-4,
    stored=3e-3,
    local={2: 0.01},
    bandwidth=1e9,
)


def training_with(**changes: Any) -> model.ClusterTraining:
    training = model.ClusterTraining(
        plan=model.plan_of(20),
        frequencies=model.zipf_frequencies(16e6, 40_000),
        nodes=4,
        threads=2,
        speed=2e6,
        costs=COSTS,
    )
    return replace(training, **changes)


def test_zipf_frequencies_have_the_requested_size() -> None:
    frequencies = model.zipf_frequencies(1e12, 100_000_000)
    assert frequencies.vocabulary == 100_000_000
    assert frequencies.tokens == pytest.approx(1e12)
    assert (np.diff(frequencies.counts) < 0).all()


def test_words_are_split_by_frequency() -> None:
    frequencies = model.frequencies_of([1, 5, 3, 2, 4])
    frequent, others = frequencies.split(0.25)
    assert frequencies.counts.tolist() == [5, 4, 3, 2, 1]
    assert frequent.tolist() == [1, 1, 0, 0, 0]
    assert others.tolist() == [0, 0, 1, 1, 1]


def test_groups_of_words_agree_with_single_words() -> None:
    grouped = model.zipf_frequencies(1e6, 5000, groups=300)
    single = model.zipf_frequencies(1e6, 5000, groups=10**6)
    assert len(grouped.counts) < len(single.counts) == 5000
    said = [
        model.predicted(training_with(frequencies=frequencies)) for frequencies in (grouped, single)
    ]
    assert said[0] == pytest.approx(said[1], rel=0.02)


def test_words_move_as_often_as_training_expects() -> None:
    counts = np.array([1000, 100, 50, 10])
    training = training_with(frequencies=model.frequencies_of(counts))
    expected = ExpectedMoves(training.plan, counts, contexts=3.0)
    draws = expected.of(np.arange(4), np.zeros(4, dtype=np.int64), 1000, rate=0.01)
    centers = model.moving_rates(training) * 1000 - draws.number
    kept = expected.of(np.arange(4), counts, 0, rate=0.01).number / (1 + 2 * 7 / 16)
    assert centers == pytest.approx(kept * 1000 / counts.sum(), rel=1e-3)


def test_expected_moved_words_agree_with_a_drawn_text() -> None:
    training = training_with(frequencies=model.zipf_frequencies(1e6, 3000, groups=10**6))
    rates = model.moving_rates(training)
    tokens = 2000
    drawn = np.random.default_rng(1).poisson(rates * tokens, size=(50, 3000))
    said = model.moved_words(rates, training.frequencies.words, tokens)
    assert said == pytest.approx((drawn > 0).sum(axis=1).mean(), rel=0.02)


def test_traffic_per_word_falls_with_the_interval() -> None:
    said = [
        model.predicted(training_with(merge_words=words)).bytes_sent
        for words in (70_000, 140_000, 280_000, 560_000)
    ]
    assert said == sorted(said, reverse=True)
    assert said[-1] < said[0] / 4


def test_traffic_grows_with_dimension_layers_and_nodes() -> None:
    base = training_with(merge_words=200_000)
    sent = model.predicted(base).bytes_sent
    assert model.predicted(replace(base, plan=model.plan_of(40))).bytes_sent > 1.5 * sent
    untied = model.plan_of(20, tied=False)
    assert model.predicted(replace(base, plan=untied)).bytes_sent > 1.5 * sent
    same_round = replace(base, nodes=8, merge_words=100_000)
    assert model.predicted(same_round).bytes_sent > sent


def test_time_does_not_grow_with_nodes_when_merges_are_free() -> None:
    free = training_with(costs=model.NO_COSTS, threads=1)
    seconds = [model.predicted(replace(free, nodes=nodes)).seconds for nodes in (1, 2, 4, 8)]
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[1] == pytest.approx(seconds[0] / 2, rel=0.1)


def test_merges_cost_time_and_a_single_node_has_none() -> None:
    alone = model.predicted(training_with(nodes=1))
    assert alone == pytest.approx((10 * 16e6 / 2e6, 0, 0, 0, 0, 0))
    free, costly = training_with(costs=model.NO_COSTS), training_with()
    assert model.predicted(costly).seconds > model.predicted(free).seconds
    slow = replace(COSTS, bandwidth=1e7)
    assert model.predicted(training_with(costs=slow)).seconds > model.predicted(costly).seconds


def test_calls_are_those_of_this_machine_if_they_were_measured() -> None:
    assert model.calling_seconds(COSTS, 2) == 0.01
    elsewhere = [model.calling_seconds(COSTS, nodes) for nodes in (4, 8, 100)]
    assert elsewhere == sorted(elsewhere)
    assert elsewhere[-1] > 5.0


def test_the_slowest_node_counts() -> None:
    assert [model.expected_maximum(count) for count in (1, 2)] == pytest.approx([0, 0.56], abs=0.03)
    even, uneven = training_with(), training_with(deviation=0.1)
    assert model.predicted(uneven).seconds > model.predicted(even).seconds


def test_cycles_cover_the_text() -> None:
    training = training_with()
    found = model.cycles(training)
    assert sum(tokens * count for tokens, count in found) == pytest.approx(16e6)
    merges = model.predicted(training).merges
    assert merges == 10 * ROUNDS * sum(count for _, count in found)


def test_memory_grows_with_the_vocabulary() -> None:
    small = training_with(frequencies=model.zipf_frequencies(1e9, 1_000_000))
    large = training_with(frequencies=model.zipf_frequencies(1e9, 2_000_000))
    ratio = sum(model.node_memory(large)) / sum(model.node_memory(small))
    assert ratio == pytest.approx(2.0, rel=0.05)
    assert model.node_memory(small).parameters == 4 * 1_000_000 * 21
    assert model.driver_memory(small, 5e7).starts == 4e8


def test_steps_of_a_merge_are_measured() -> None:
    costs = cluster_costs.measured_nodes((4, 8), words=300)
    part, *steps = costs.values()
    assert list(costs) == ["part", "compared", "selected", "merged", "placed"]
    assert isinstance(part, float)
    assert part >= 0
    found = [step.seconds(1000, 20) for step in steps if isinstance(step, model.LinearCost)]
    assert len(found) == 4
    assert min(found) >= 0 < sum(found)


def test_costs_are_kept_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_costs, "measured_costs", lambda: COSTS)
    path = tmp_path / "costs.json"
    assert cluster_costs.kept_costs(path) == COSTS
    monkeypatch.setattr(cluster_costs, "measured_costs", lambda: pytest.fail("measured again"))
    assert cluster_costs.kept_costs(path) == COSTS


def progress(bytes_sent: int) -> TrainingProgress:
    nodes = (NodeProgress("a", 1e6), NodeProgress("b", 2e6))
    return TrainingProgress(
        *(1, 2, 10, 20, 0.1, 3.0, 1.0, 10.0), ClusterProgress(nodes, 0.5, 0.1, bytes_sent)
    )


def test_merges_are_counted_from_the_progress() -> None:
    watch = cluster.Watch()
    for bytes_sent in (0, 0, 100, 100, 250):
        watch(progress(bytes_sent))
    assert (watch.bytes_sent, watch.merges, watch.node_speeds) == (250, 2, (1e6, 2e6))


def test_settings_share_the_threads_among_nodes() -> None:
    options = "--threads 8 --nodes 1 2 4 --merge-words 0 100000 --dimensions 20 100".split()
    found = cluster.settings(cluster.parsed_arguments(options))
    of_20 = [
        (setting.nodes, setting.cpus, setting.merge_words)
        for setting in found
        if setting.dimension == 20
    ]
    assert of_20 == [
        *((0, 8, None), (1, 8, None), (2, 4, None), (2, 4, 100_000)),
        *((4, 2, None), (4, 2, 100_000)),
    ]
    assert len(found) == 2 * len(of_20)
    with_cpus = cluster.settings(cluster.parsed_arguments(["--cpus", "2"]))
    assert {setting.cpus for setting in with_cpus} == {2}


def run_with(nodes: int, seed: int = 1, seconds: float = 2.0) -> cluster.Run:
    return cluster.Run(
        setting=cluster.Setting(dimension=20, epochs=3, nodes=nodes, cpus=1),
        seed=seed,
        words=300_000_000,
        seconds=seconds,
        whole_seconds=seconds + 1,
        bytes_sent=0 if nodes < 2 else 30_000_000,
        merges=0 if nodes < 2 else 12,
        node_speeds=(),
        loss=3.0,
        quality=cluster.Quality(0.5 - 0.01 * nodes, None, 0.2),
    )


def test_clusters_are_compared_with_one_process(capsys: pytest.CaptureFixture[str]) -> None:
    runs = [run_with(nodes, seed, 4.0 - nodes) for seed in (1, 2) for nodes in (0, 1, 2)]
    of_two = cluster.ratios(runs)[runs[2].setting]
    assert of_two["words/s"] == [2.0, 2.0]
    assert of_two["similarity"] == pytest.approx([-0.02, -0.02])
    assert of_two["angle"] == []
    cluster.print_runs(runs)
    cluster.print_ratios(runs)
    printed = capsys.readouterr().out
    assert "| 2 nodes     |" in printed
    assert "-0.0200" in printed


def test_predictions_are_compared_with_measured_runs(capsys: pytest.CaptureFixture[str]) -> None:
    frequencies = model.zipf_frequencies(1e8, 3000, groups=10**6)
    runs = [run_with(0), run_with(1), run_with(2, seconds=1.0)]
    measured = {
        "machine": {"cores": 8},
        "text": {"counts": np.rint(frequencies.counts).astype(int).tolist()},
        "runs": [json.loads(json.dumps(run.as_dict())) for run in runs],
    }
    alone, both = cluster_predictions.comparisons(measured, COSTS)
    assert alone.error("words_per_second") == pytest.approx(0.0, abs=0.01)
    _, free = cluster_predictions.comparisons(measured, model.NO_COSTS)
    assert both.predicted["words_per_second"] < free.predicted["words_per_second"]
    assert free.predicted["words_per_second"] > 1.5 * alone.predicted["words_per_second"]
    assert both.predicted["bytes_per_word"] > 0
    cluster_predictions.print_comparisons([alone, both])
    assert re.search("[+-]0%", capsys.readouterr().out)


def test_very_large_texts_are_predicted(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = cluster_predictions.parsed_arguments(["--large"])
    training = cluster_predictions.large_training(arguments, COSTS)
    cluster_predictions.print_memory(training)
    cluster_predictions.print_times(training, [None, 10**9])
    printed = capsys.readouterr().out
    assert "| driver | starts     | 400.0 |" in printed
    assert "| 1,000.0M " in printed
