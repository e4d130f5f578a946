"""The parts of the benchmarks that can be tested: texts, estimates, tables, the command line."""

import sys
from dataclasses import replace
from itertools import islice
from pathlib import Path

import centroids
import hierarchy
import hypernymy
import numpy as np
import one_embedding
import peers
import poincare
import pytest
import scaling
import small_vocabulary
import spark
import text_memory
import threads
import walks
from compressors import COMPRESSORS
from interpreted_kernels import need_triton, rounding
from one_ranking import Outcome
from one_training import Cost, Training
from plans import planned
from reporting import print_markdown, spread
from texts import Text, corpus_of_ids, expected_pairs, file_lines, write_text, zipf_lines

from hyperskip import WordVectors, builtin, train
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions


def test_a_text_has_the_requested_words_and_long_lines_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    text = write_text(["a b\n", "\n", "c " * 2500], path, words=1500)
    assert text == Text(str(path), words=1500, lines=3)
    assert [len(line.split()) for line in path.read_text().splitlines()] == [2, 1000, 498]
    assert write_text(["a b\n", "c"], path) == Text(str(path), words=3, lines=2)


@pytest.mark.parametrize("name", COMPRESSORS)
def test_files_may_be_compressed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "text"
    path.write_bytes(COMPRESSORS[name]("größer\nb\n".encode()))
    assert list(file_lines(path)) == ["größer\n", "b\n"]


def test_random_text_has_zipf_frequencies_and_depends_on_the_seed() -> None:
    words = " ".join(islice(zipf_lines(1000, seed=3), 2000)).split()
    assert words == " ".join(islice(zipf_lines(1000, seed=3), 2000)).split()
    assert words != " ".join(islice(zipf_lines(1000, seed=4), 2000)).split()
    first, tenth = words.count("w0"), words.count("w9")
    assert 7 < first / tenth < 13


@pytest.mark.parametrize("length", [10_000, 1_500_000])
def test_long_words_have_the_requested_length(length: int) -> None:
    text = b"".join(text_memory.long_words(3_000_000, length))
    assert {len(word) for word in text.split(b" ")} == {length - 1, 0}
    assert len(set(text.split())) == 3_000_000 // length


def test_different_words_are_different() -> None:
    words = b"".join(text_memory.different_words(25_000)).split()
    assert len(words) == len(set(words)) == 25_000


@pytest.mark.parametrize("shrink_window", [False, True])
def test_expected_pairs_agree_with_training(tmp_path: Path, shrink_window: bool) -> None:
    text = write_text(builtin.sentences(60_000), tmp_path / "text.txt")
    encoded = encode_into(Path(text.path), TextOptions(tokenizer="whitespace"), tmp_path)
    vectors = train(
        text.path,
        tokenizer="whitespace",
        schedule="pairwise",
        dimension=2,
        window=7,
        shrink_window=shrink_window,
        subsample=1e-3,
        epochs=1,
        threads=1,
    )
    made = vectors.history[0]["pairs"] / len(encoded.tokens)
    expected = expected_pairs(encoded, window=7, shrink_window=shrink_window, subsample=1e-3)
    assert expected == pytest.approx(made, rel=0.03)


def test_a_spread_is_a_median_with_its_range() -> None:
    assert spread([2.5, 1.0, 4.0], ".1f") == "2.5 (1.0-4.0)"
    assert spread([1234.0], ",.0f") == "1,234"


def test_tables_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_markdown(("d", "program"), [("20", "a"), ("100", "b")])
    assert capsys.readouterr().out.splitlines() == [
        "| d   | program |",
        "| --- | ------- |",
        "| 20  | a       |",
        "| 100 | b       |",
    ]


def test_options_of_hyperskip_are_passed_through(tmp_path: Path) -> None:
    given = ["--schedule", "pairwise", "--hyperskip-option", "rate=0.02"]
    given += ["--hyperskip-option", "shrink-window=true", "--gensim-rate", "0.1"]
    arguments = peers.parsed_arguments(given)
    text = Text("text.txt", 10, 1)
    ours = peers.training("hyperskip", text, 20, arguments, tmp_path)
    assert ours.options == {"schedule": "pairwise", "rate": 0.02, "shrink_window": True}
    assert ours.rate is None
    theirs = peers.training("gensim", text, 20, arguments, tmp_path)
    assert (theirs.options, theirs.rate, theirs.window) == ({}, 0.1, ours.window)
    with pytest.raises(SystemExit):
        peers.parsed_arguments(["--hyperskip-option", "rate"])


def run_of(program: str, seconds: float, round_number: int) -> peers.Run:
    training = peers.training(
        program, Text("text.txt", 10, 1), 20, peers.parsed_arguments([]), Path()
    )
    cost = Cost(
        training_seconds=seconds,
        words=1000,
        vocabulary=5,
        peak_bytes=10,
        cpu_seconds=3 * seconds,
        whole_seconds=2 * seconds,
    )
    return peers.Run(training, round_number, cost, 4000.0, peers.Quality())


def test_ratios_are_taken_within_rounds_and_more_is_better() -> None:
    runs = [
        run_of("hyperskip", 1.0, 1),
        run_of("gensim", 2.0, 1),
        run_of("hyperskip", 2.0, 2),
        run_of("gensim", 6.0, 2),
    ]
    assert runs[0].words_per_second == 1000 / runs[0].training.threads
    assert peers.ratios(runs, "gensim", 20) == {
        "words/s": [2.0, 3.0],
        "pairs/s": [2.0, 3.0],
        "whole": [2.0, 3.0],
        "CPU": [2.0, 3.0],
        "peak": [1.0, 1.0],
    }


def test_spark_is_compared_with_the_same_options(tmp_path: Path) -> None:
    arguments = spark.parsed_arguments(["--threads", "4", "--hyperskip-option", "rate=0.02"])
    programs = spark.trainings(Text("text.txt", 10, 1), arguments, tmp_path)
    assert list(programs) == [
        "hyperskip", "hyperskip, all words", "Spark, 1 partition", "Spark, 4 partitions"
    ]  # fmt: skip
    shared = {
        (each.text, each.dimension, each.window, each.min_count, each.epochs, each.threads)
        for each in programs.values()
    }
    assert len(shared) == 1
    assert [each.subsample for each in programs.values()][:2] == [None, 0.0]
    assert programs["hyperskip"].options == {"rate": 0.02}
    assert programs["Spark, 4 partitions"].options == {"partitions": 4, "memory": "8g"}


def test_counting_words_is_not_part_of_training_with_spark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(training: Training) -> Cost:
        seconds = 3.0 + 2.0 * training.epochs
        return Cost(training_seconds=seconds, words=10 * training.epochs, vocabulary=5)

    monkeypatch.setattr("one_training.run", run)
    text, arguments = Text("text.txt", 10, 1), spark.parsed_arguments(["--epochs", "3"])
    theirs = spark.trainings(text, arguments, tmp_path)["Spark, 1 partition"]
    measured = spark.measured(theirs, 1, known=8, pairs=5.0, score=lambda _: peers.Quality(0.5))
    assert (measured.cost.training_seconds, measured.cost.words, measured.pairs) == (6.0, 24, 120.0)
    assert measured.quality.similarity == 0.5


def test_both_trainings_of_hyperskip_are_compared_with_all_of_spark(
    capsys: pytest.CaptureFixture[str],
) -> None:
    runs = {
        "hyperskip": [run_of("hyperskip", 1.0, 1), run_of("hyperskip", 1.0, 2)],
        "hyperskip, all words": [run_of("hyperskip", 2.0, 1), run_of("hyperskip", 2.0, 2)],
        "Spark, 1 partition": [run_of("spark", 4.0, 1), run_of("spark", 8.0, 2)],
    }
    ratios = spark.ratios(runs)
    assert ratios["hyperskip", "Spark, 1 partition"]["words/s"] == [4.0, 8.0]
    assert ratios["hyperskip, all words", "Spark, 1 partition"]["whole"] == [2.0, 4.0]
    spark.print_runs(runs)
    spark.print_ratios(runs)
    out = capsys.readouterr().out
    assert "| Spark, 1 partition   | 188 (125-250)" in out
    assert "6.0 (4.0-8.0)" in out


def test_without_spark_the_benchmark_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "find_spec", lambda _: None)
    with pytest.raises(SystemExit, match="pip install pyspark"):
        spark.check_spark()
    monkeypatch.setattr(spark, "find_spec", lambda _: object())
    monkeypatch.setattr("shutil.which", lambda _: None)
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(SystemExit, match="Java 17"):
        spark.check_spark()


def test_threads_double_up_to_the_limit() -> None:
    assert scaling.doublings(1) == [1]
    assert scaling.doublings(6) == [1, 2, 4, 6]


def test_the_figure_has_a_panel_for_each_value() -> None:
    def point(number: int) -> scaling.Point:
        training = Training(
            program="hyperskip", text=Text("", 10 * number, 1), output="", dimension=number,
            window=5, negatives=5, subsample=0, min_count=1, epochs=1, threads=number,
        )  # fmt: skip
        cost = Cost(
            training_seconds=number, words=9, vocabulary=number, peak_bytes=9, whole_seconds=9
        )
        return scaling.Point(training, cost)

    panels = {changed: [point(1), point(2)] for changed in scaling.VALUES}
    figure = scaling.draw(panels)
    labels = {axes.get_xlabel() for axes in figure.axes} - {""}
    assert labels == set(scaling.VALUES)
    assert np.allclose(figure.axes[0].lines[0].get_ydata(), [1, 2])


def test_the_benchmark_of_small_vocabularies_measures_recall(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = "--devices cpu --words 24000 --dimensions 2 --seeds 1 --epochs 1".split()
    monkeypatch.setattr("sys.argv", ["small_vocabulary.py", *arguments])
    monkeypatch.setattr(small_vocabulary, "SHAPES", small_vocabulary.SHAPES[:2])
    small_vocabulary.main()
    table = capsys.readouterr().out.splitlines()
    assert len(table) == 4
    assert all(0 < float(line.split("|")[-2].split()[0]) <= 1 for line in table[2:])


@pytest.mark.slow
def test_both_programs_learn_the_same_edges(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """hyperskip with its own negative samples, and with gensim's; gensim stops in time."""
    pytest.importorskip("gensim")
    arguments = "--rounds 1 --epochs 2 --seconds 0.1 --dimension 2 --negatives 10 20".split()
    monkeypatch.setattr("sys.argv", ["poincare.py", *arguments])
    monkeypatch.setattr(poincare, "TREE_NODES", 40)
    poincare.main()
    lines = capsys.readouterr().out.splitlines()
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if "|" in line]
    negatives = {row[0]: int(row[1]) for row in table[2:6]}
    ours = {"hyperskip, 10": 10, "hyperskip, 20": 20, poincare.OURS_BY_DEFAULT: 40}
    assert negatives == {**ours, poincare.THEIRS: 10}
    assert all(1 <= float(row[-2]) < 40 for row in table[2:6])


def test_random_trees_have_one_root_and_depend_on_the_seed() -> None:
    tree = poincare.random_tree(300)
    children, parents = zip(*tree, strict=True)
    assert len(set(children)) == 299
    assert set(parents) - set(children) == {"n0"}
    assert tree == poincare.random_tree(300)
    assert tree != poincare.random_tree(300, seed=2)


def test_relations_a_second_are_compared_within_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    def outcome(seconds: float, peak: int) -> Outcome:
        return Outcome(
            relations=600, edges=100, negatives=10, seconds=seconds, cpu_seconds=2 * seconds,
            peak_bytes=peak * poincare.MIB,
        )  # fmt: skip

    runs = {
        poincare.OURS: [outcome(1.0, 100), outcome(2.0, 100)],
        poincare.THEIRS: [outcome(50.0, 200), outcome(200.0, 200)],
    }
    assert poincare.ratios(runs, poincare.OURS) == {
        "relations/s": [50.0, 100.0],
        "relations per CPU second": [50.0, 100.0],
        "peak (MiB)": [0.5, 0.5],
    }
    poincare.print_runs(runs)
    out = capsys.readouterr().out
    assert "75 (50-100)" in out
    assert "| 6.0 " in out  # epochs


def test_words_that_do_not_occur_are_left_out() -> None:
    corpus = corpus_of_ids(np.array([4, 1, 4, 4]), np.array([0, 2, 4]), "w")
    assert list(corpus.vocabulary.words) == ["w4", "w1"]
    assert corpus.vocabulary.counts.tolist() == [3, 1]
    assert corpus.tokens.tolist() == [0, 1, 0, 0]


def test_the_benchmark_of_the_gpu_runs_the_kernels(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    need_triton()
    import gpu as gpu_benchmark

    from hyperskip.training.kernel_settings import gpu_settings

    corpus = gpu_benchmark.zipf_corpus(300, 5000)
    assert len(corpus.tokens) == corpus.vocabulary.counts.sum() == 5000
    assert (np.diff(corpus.vocabulary.counts) <= 0).all()
    plan = planned(**gpu_benchmark.PAPER, dimension=20, rate=0.01, device="cuda")
    assert all(size > 0 for size in gpu_benchmark.kernel_bytes(corpus, plan).values())
    settings = gpu_settings(plan, corpus.vocabulary.counts, 5000)
    start = np.random.default_rng(1).normal(0, 0.6, (300, 20)).astype(np.float32)
    ours = gpu_benchmark.one_round(corpus, plan, replace(settings, tiles=4), start)
    twins = gpu_benchmark.reference_round(corpus, plan, settings, start)
    step = gpu_benchmark.rms(twins - start)
    assert step > 1e-3
    assert gpu_benchmark.rms(ours - twins) < (1e-4 + rounding()) * step

    monkeypatch.setattr(gpu_benchmark, "why_no_gpu", lambda: "there is none")
    monkeypatch.setattr("sys.argv", ["gpu.py", "corpus.txt"])
    with pytest.raises(SystemExit, match="2"):
        gpu_benchmark.main()
    assert "there is none" in capsys.readouterr().err


def test_hypernymy_scores_are_compared_on_two_halves(
    model_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = builtin.hypernymy_pairs()
    lines = "".join(f"{a}\t{b}\t{is_kind}\n" for a, b, is_kind in answers)
    (tmp_path / "bless.tsv").write_text(lines)
    grades = "".join(f"{a} {b} N hyp {i % 7}\n" for i, (a, b, _) in enumerate(answers))
    (tmp_path / "hyperlex-all.txt").write_text(grades)
    models = [str(model_file)] * 2
    monkeypatch.setattr("sys.argv", ["hypernymy.py", *models, "--data", str(tmp_path)])
    hypernymy.main()
    out = capsys.readouterr().out
    assert out.count("| hyperboloid 20") == 2
    for score in ("angle-radius", "nickel-kiela, α 1", "angle-frequency"):
        assert out.count(f"| {score} ") == 2


@pytest.mark.filterwarnings("ignore::hyperskip.CorpusWarning")
def test_a_hierarchy_is_compared_with_its_relations(
    model_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    relations = tmp_path / "relations.tsv"
    pairs = builtin.hypernym_pairs()
    relations.write_text("".join(f"{a}\t{b}\t2\n" for a, b in pairs[::2]))
    options = ["--sets", "builtin", "--dimensions", "5", "--peer", "3"]
    monkeypatch.setattr("sys.argv", ["hierarchy.py", str(model_file), str(relations), *options])
    hierarchy.main()
    out = capsys.readouterr().out
    lines = [line.split("|") for line in out.splitlines() if line.startswith("| ")]
    figures = {line[1].strip(): float(line[2]) for line in lines[2:]}
    assert figures["is_a, d 5"] > max(figures["frequency"], figures["SVD of PPMI, d 3"])
    assert len(figures) == 10
    assert "direction of" in out
    assert "peak memory" in out


def test_means_of_documents_are_euclidean_centroids() -> None:
    documents = centroids.random_documents(6, 30, 50)
    assert documents == centroids.random_documents(6, 30, 50)
    words = [f"w{i}" for i in range(50)]
    coordinates = np.random.default_rng(1).normal(size=(50, 4))
    vectors = WordVectors(words, coordinates, geometry="euclidean")
    means = centroids.numpy_means(vectors, documents)
    np.testing.assert_allclose(means, vectors.centroids(documents, skip_unknown=True), rtol=1e-4)


def test_held_out_edges_leave_the_graph_connected() -> None:
    graph = walks.communities(300, seed=1)
    task = walks.task_of(graph, holdout=0.2, seed=1)
    assert len(task.held_out) == len(np.unique(task.held_out, axis=0))
    assert len(task.held_out) == pytest.approx(len(task.edges) / 4, abs=1)
    before = walks.spanning(np.concatenate((task.edges, task.held_out)), task.nodes).sum()
    assert walks.spanning(task.edges, task.nodes).sum() == before
    edges = {tuple(edge) for edge in np.concatenate((task.edges, task.held_out)).tolist()}
    for pairs in (task.random_pairs, task.same_degrees, task.examples):
        assert not edges & {tuple(pair) for pair in pairs.tolist()}
    assert set(task.same_degrees.ravel()) <= set(task.held_out.ravel())


def test_scores_of_link_prediction() -> None:
    assert walks.auc(np.array([2.0, 3.0]), np.array([1.0, 2.0])) == 0.875
    task = walks.task_of(walks.communities(300, seed=1), holdout=0.2, seed=1)
    groups = np.arange(300) // 100
    points = np.eye(3)[groups]  # nodes of a community have the same vector
    assert all(score > 0.75 for score in walks.aucs(task, walks.distance_score("gensim", points)))
    assert all(score > 0.75 for score in walks.aucs(task, walks.classifier_score(task, points)))
    flat = walks.aucs(task, walks.degree_score(task))
    assert flat[1] == pytest.approx(0.5, abs=0.1)
    score = walks.distance_score(one_embedding.OURS, walks.on_hyperboloid(3 * points))
    assert min(walks.aucs(task, score)) > 0.75


def test_an_embedding_is_measured_in_its_own_process(tmp_path: Path) -> None:
    task = walks.task_of(walks.communities(100, seed=1), holdout=0.2, seed=1)
    np.savetxt(tmp_path / "edges.tsv", task.edges, fmt="%d", delimiter="\t")
    arguments = walks.parsed_arguments(["--walks", "1", "--dimension", "4", "--threads", "1"])
    embedding = walks.embedding_of(one_embedding.OURS, 0, task, arguments, tmp_path)
    measured = walks.measured(task, embedding, sys.executable)
    assert measured.cost.seconds >= measured.cost.cpu_seconds / 2 > 0
    assert measured.cost.peak_bytes > 10_000_000
    walks.print_rounds({one_embedding.OURS: [measured], one_embedding.THEIRS: [measured]})


def test_speeds_are_compared_with_one_thread() -> None:
    speeds = {"free": [2e6, 3e6], "deterministic": [1e6, 2e6], "multiply-adds": [10.0, 15.0]}
    assert threads.table(speeds, [1, 2]) == [
        ["1", "2.00 (x 1.00)", "1.00 (x 1.00)", "2.00", "x 1.00"],
        ["2", "3.00 (x 1.50)", "2.00 (x 2.00)", "1.50", "x 1.50"],
    ]
