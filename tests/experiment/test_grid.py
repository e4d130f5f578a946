"""The options and the grid of experiments, and what they refuse."""

from dataclasses import replace
from typing import Any

import pytest
from facts import naming

from hyperskip.cli.commands.experiment import parse_model
from hyperskip.errors import OptionError
from hyperskip.experiment.design.grid import equal_time_runs, planned_runs
from hyperskip.experiment.design.options import MODELS, ExperimentOptions, Model
from hyperskip.geometry.names import EUCLIDEAN, HYPERBOLOID
from hyperskip.training.arguments import split_options
from hyperskip.training.options import PAIRWISE, WINDOW, TrainingOptions
from hyperskip.training.presets import with_preset
from hyperskip.training.settled_options import settled_options


def test_the_default_is_the_papers_grid() -> None:
    runs = planned_runs(ExperimentOptions())
    assert len(runs) == 4 * (1 + 4 + 4)
    assert len({run.name for run in runs}) == len(runs)
    for run in runs:
        options = run.options
        assert (options.subsample, options.epochs, options.schedule) == (1e-5, 3, WINDOW)
        if run.model != "default":
            assert (options.window, options.negatives, options.power) == (10, 10, 0.5)
    paper = [run.options for run in runs if run.model == "paper"]
    assert {options.rate for options in paper} == {0.1, 0.05, 0.01, 0.005}
    assert {options.dimension for options in paper} == {5, 20, 50, 100}
    assert {options.geometry for options in paper} == {HYPERBOLOID}
    assert {run.options.geometry for run in runs if run.model == "euclidean"} == {EUCLIDEAN}
    assert {run.options.rate for run in runs if run.model == "default"} == {None}
    assert ExperimentOptions().text_values == {"tokenizer": "paper", "min_count": 15}


def test_the_model_default_has_the_options_of_train_except_for_shared_ones() -> None:
    runs = planned_runs(ExperimentOptions(dimensions=(5, 100), models=("default",)))
    for run, dimension in zip(runs, (5, 100), strict=True):
        options = TrainingOptions(dimension=dimension, subsample=1e-5, epochs=3)
        assert run.settled == settled_options(options)


def test_the_models_paper_and_euclidean_have_the_papers_options() -> None:
    runs = planned_runs(ExperimentOptions(dimensions=(5,), rates=(0.1,), compare=("fasttext",)))
    by_name = {run.model: run.options for run in runs}
    for model, geometry in (("paper", HYPERBOLOID), ("euclidean", EUCLIDEAN)):
        chosen = {"geometry": geometry, "schedule": WINDOW, "dimension": 5, "rate": 0.1}
        _, training, *_ = split_options(with_preset("paper", chosen))
        assert by_name[model] == replace(training, seed=1)
    assert (by_name["paper"].theta, by_name["paper"].curvature) == (3.0, 1.0)
    theirs = by_name["fasttext"]
    assert (theirs.window, theirs.negatives, theirs.subsample, theirs.epochs) == (10, 10, 1e-5, 3)


def test_shared_options_apply_to_models_that_do_not_set_them() -> None:
    options = ExperimentOptions(
        dimensions=(5,),
        rates=(0.1,),
        models=("paper", parse_model("fast:schedule=window,window=3")),
        epochs=(1,),
        shared={"schedule": "pairwise", "min_count": 2},
    )
    paper, fast = planned_runs(options)
    assert (paper.options.schedule, fast.options.schedule) == (PAIRWISE, WINDOW)
    assert (paper.options.window, fast.options.window) == (10, 3)
    assert (paper.options.epochs, fast.options.epochs) == (1, 1)
    assert options.text_values["min_count"] == 2


def test_user_defined_models() -> None:
    model = parse_model("far:theta=4,learn-theta=yes,geometry=hyperboloid,preset=paper,rate=usual")
    assert model == Model(
        "far",
        {"theta": 4.0, "learn_theta": True, "geometry": "hyperboloid"},
        preset="paper",
        rate="usual",
    )
    assert parse_model("plain") == Model("plain")
    assert parse_model("one:rate=0.02").rate == 0.02


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("", ["''"]),
        ("a/b:window=3", ["'a/b'"]),
        ("<b>", ["'<b>'"]),
        ("fasttext:window=3", ["fasttext"]),
        ("gensim:window=3", ["gensim"]),
        ("one:window", ["one", "window"]),
        ("one:window=3,window=4", ["one", "window"]),
        ("one:window=many", ["window", "many"]),
        ("one:tied=perhaps", ["tied", "perhaps"]),
        ("one:rate=-1", ["rate", -1.0]),
        ("one:wings=2", ["wings"]),
        ("one:min-count=2", ["one", "--min-count"]),
        ("one:dimension=5", ["one", "dimension"]),
        ("one:seed=5", ["one", "seed"]),
        ("one:freeze=true", ["one", "freeze"]),
        ("one:preset=none", ["preset", "none", "paper"]),
    ],
)
def test_invalid_models(text: str, facts: list[object]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        parse_model(text)


@pytest.mark.parametrize(
    ("values", "facts"),
    [
        ({"dimensions": ()}, ["dimensions"]),
        ({"dimensions": (5, 5)}, ["dimensions", 5]),
        ({"dimensions": (0,)}, ["dimension", 0, 1]),
        ({"rates": (11.0,)}, ["rate", 11.0]),
        ({"models": ("none",)}, ["none", *MODELS]),
        ({"models": ("paper", "paper")}, ["models", "paper"]),
        ({"seeds": 0}, ["seeds", 0, 1]),
        ({"epochs": ()}, ["epochs"]),
        ({"epochs": (3, 3)}, ["epochs", 3]),
        ({"epochs": (0,)}, ["epochs", 0, 1]),
        ({"compare": ("glove",)}, ["compare", "fasttext", "gensim", "'glove'"]),
        ({"compare": ("gensim", "gensim")}, ["compare", "gensim"]),
        ({"peer_rates": (0.1,)}, ["peer_rates", "compare", "fasttext", "gensim"]),
        ({"peer_rates": (-1.0,), "compare": ("gensim",)}, ["peer_rates", -1.0]),
        ({"equal_time": True}, ["equal_time", "default", "fasttext", "compare"]),
        ({"equal_time": True, "compare": ("gensim",)}, ["equal_time", "fasttext", "compare"]),
        ({"keep_models": "some"}, ["keep_models", "some", "best", "all", "none"]),
        ({"shared": {"rate": 0.1}}, ["rate"]),
        ({"shared": {"epochs": 3}}, ["epochs", "`epochs`"]),
        ({"shared": {"wings": 1}}, ["wings"]),
    ],
)
def test_invalid_experiments(values: dict[str, Any], facts: list[object]) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        ExperimentOptions(**values)


def test_a_contradiction_names_the_model() -> None:
    with pytest.raises(OptionError, match=naming("euclidean", "theta", "hyperboloid")):
        planned_runs(ExperimentOptions(shared={"theta": 4.0}))


def test_a_key_does_not_contain_threads_and_device() -> None:
    def key(**shared: Any) -> dict[str, Any]:
        return planned_runs(ExperimentOptions(dimensions=(5,), shared=shared))[0].key()

    assert key(threads=1) == key(threads=2, device="cpu")
    assert key(window=3) != key(window=4)


def test_equal_time_runs_have_as_many_epochs_as_fit() -> None:
    options = ExperimentOptions(dimensions=(5, 20), epochs=(3, 10), rates=(0.1,))
    runs = planned_runs(options)
    ours = {(5, 3): 2.0, (20, 3): 4.0, (5, 10): 6.0}
    theirs = {(5, 3): 9.0, (20, 3): 1.0, (5, 10): 30.0}
    found = equal_time_runs(runs, ours, theirs)
    # 3 * 9/2, 10 * 30/6, and at least 1
    assert [(run.options.epochs, run.compared_epochs) for run in found] == [
        (13, 3),
        (50, 10),
        (1, 3),
    ]
    assert found[0].model == "equal-time"
    assert [run.name.split("-rate")[0] for run in found[:2]] == [
        "equal-time-d5-epochs3",
        "equal-time-d5-epochs10",
    ]
    assert found[0].key()["epochs"] == 3  # the times of another machine give the same run
    assert equal_time_runs(runs, ours, {}) == []


def test_every_model_is_trained_with_every_number_of_epochs() -> None:
    options = ExperimentOptions(
        dimensions=(5,),
        epochs=(3, 10),
        models=("default", "default-euclidean", parse_model("long:epochs=30,rate=usual")),
        compare=("gensim",),
    )
    found = [(run.model, run.settled.epochs, run.settled.geometry) for run in planned_runs(options)]
    assert found == [
        ("default", 3, HYPERBOLOID),
        ("default-euclidean", 3, EUCLIDEAN),
        ("gensim", 3, EUCLIDEAN),
        ("default", 10, HYPERBOLOID),
        ("default-euclidean", 10, EUCLIDEAN),
        ("gensim", 10, EUCLIDEAN),
        ("long", 30, HYPERBOLOID),  # at its own number only
    ]


def test_other_programs_have_their_own_rate_or_those_that_are_given() -> None:
    def runs(**values: Any) -> list[tuple[str, float | None, int]]:
        options = ExperimentOptions(
            dimensions=(5,), models=("default",), compare=("fasttext", "gensim"), **values
        )
        theirs = planned_runs(options)[options.seeds :]
        return [(run.program, run.settled.rate, run.settled.seed) for run in theirs]

    assert runs() == [("fasttext", 0.05, 1), ("gensim", 0.025, 1)]
    assert runs(peer_rates=(0.1, 0.02), seeds=2) == [
        (program, rate, seed)
        for program in ("fasttext", "gensim")
        for rate in (0.1, 0.02)
        for seed in (1, 2)
    ]


def test_other_programs_have_the_settings_of_all_models() -> None:
    shared = {"window": 5, "negatives": 7, "subsample": 1e-4, "power": 0.75, "threads": 3}
    options = ExperimentOptions(
        dimensions=(5,), models=("default",), compare=("fasttext", "gensim"), shared=shared
    )
    ours, fasttext, gensim = (run.settled for run in planned_runs(options))
    for name in ("window", "negatives", "subsample", "epochs", "threads"):
        assert getattr(ours, name) == getattr(fasttext, name) == getattr(gensim, name)
    assert (fasttext.power, gensim.power) == (0.5, 0.75)  # fastText has no such option
