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
        shared={"schedule": "pairwise", "epochs": 1, "min_count": 2},
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
        ({"compare": ("gensim",)}, ["compare", "gensim", "fasttext"]),
        ({"equal_time": True}, ["equal_time", "default", "compare", "fasttext"]),
        ({"keep_models": "some"}, ["keep_models", "some", "best", "all", "none"]),
        ({"shared": {"rate": 0.1}}, ["rate"]),
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
    options = ExperimentOptions(dimensions=(5, 20), rates=(0.1,), models=tuple(MODELS))
    runs = planned_runs(options)
    five, twenty = equal_time_runs(runs, {5: 2.0, 20: 4.0}, {5: 9.0, 20: 1.0})
    assert (five.options.epochs, twenty.options.epochs) == (13, 1)  # 3 * 9/2, and at least 1
    assert five.model == "equal-time"
    assert equal_time_runs(runs, {5: 2.0}, {}) == []
