"""What `import hyperskip` offers: names, errors, and answers to keywords that do not exist."""

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from sample_records import record
from subword_models import SCHEME, table_of

import hyperskip
from hyperskip import WordVectors, errors, experiment
from hyperskip.options import named_arguments


def test_every_error_and_warning_is_exported() -> None:
    defined = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert defined <= set(hyperskip.__all__)
    assert all(getattr(hyperskip, name) is getattr(errors, name) for name in defined)


@pytest.mark.parametrize("package", ["builtin", "experiment", "geometry", "learn"])
def test_packages_are_attributes_before_they_are_imported(package: str) -> None:
    script = f"import hyperskip; print(hyperskip.{package}.__name__)"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.strip() == f"hyperskip.{package}", result.stderr


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("PoincareModel", "hyperskip.embed_graph(edges)"),
        ("Word2Vec", "hyperskip.train(corpus)"),
        ("KeyedVectors", "hyperskip.load(path)"),
    ],
)
def test_classes_of_gensim_are_answered_with_our_functions(name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=naming(name, ours)):
        getattr(hyperskip, name)
    with pytest.raises(AttributeError, match=r"has no attribute 'Nonsense'$"):
        _ = hyperskip.Nonsense


@named_arguments
def train(corpus: str, *, rate: float = 1.0, dimension: int = 5) -> tuple[str, float, int]:
    """Train."""
    return corpus, rate, dimension


@pytest.mark.parametrize(
    ("keyword", "ours"),
    [
        *(("lr", "rate"), ("alpha", "rate"), ("vector_size", "dimension"), ("size", "dimension")),
        *(("dimensoin", "dimension"), ("Rate", "rate"), ("n_components", "dimension")),
    ],
)
def test_a_foreign_or_misspelled_keyword_is_answered_with_ours(keyword: str, ours: str) -> None:
    with pytest.raises(hyperskip.OptionError, match=naming("hyperskip.train", keyword, ours)):
        train("text", **{keyword: 1})


def test_a_keyword_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(hyperskip.OptionError, match=naming("zzzz", "corpus", "rate", "dimension")):
        train("text", zzzz=1)  # type: ignore[call-arg]


def test_known_arguments_pass_through() -> None:
    assert train("text", dimension=3) == ("text", 1.0, 3)
    assert train.__doc__ == "Train."
    with pytest.raises(TypeError):
        train()  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("group", "keyword", "ours"),
    [
        (hyperskip.TrainingOptions, "vector_size", "dimension"),
        (hyperskip.TrainingOptions, "epoch", "epochs"),
        (hyperskip.TextOptions, "mincount", "min_count"),
        (hyperskip.CheckpointOptions, "resumed", "resume"),
    ],
)
def test_options_answer_unknown_names_too(group: type, keyword: str, ours: str) -> None:
    with pytest.raises(hyperskip.OptionError, match=naming(keyword, ours)):
        group(**{keyword: 3})


def test_every_error_survives_a_pickle() -> None:
    examples = {
        errors.UnknownWordError: errors.UnknownWordError("dgo", suggestions=["dog"]),
        errors.MissingPackageError: errors.MissingPackageError("matplotlib", "pictures", "drawing"),
    }
    for name in hyperskip.__all__:
        kind = getattr(hyperskip, name)
        if isinstance(kind, type) and issubclass(kind, errors.HyperskipError):
            error = examples.get(kind) or kind("a message", hint="a hint")
            copied = pickle.loads(pickle.dumps(error))
            assert type(copied) is kind
            assert str(copied) == str(error)
            assert vars(copied) == vars(error)


@pytest.mark.parametrize(
    ("method", "keyword", "ours"),
    [
        ("plot", "cathegories", "categories"),
        ("neighbors", "cuont", "count"),
        ("analogy", "rout", "route"),
    ],
)
def test_a_misspelled_keyword_of_a_method(
    trained: WordVectors, method: str, keyword: str, ours: str
) -> None:
    facts = f"hyperskip.WordVectors.{method}", keyword, ours
    with pytest.raises(hyperskip.OptionError, match=naming(*facts)):
        getattr(trained, method)(**{keyword: 1})


@pytest.mark.parametrize("report", [True, "print", 3])
def test_progress_is_reported_to_functions_only(tmp_path: Path, report: Any) -> None:
    for use in (
        lambda: hyperskip.train(["a text"], report=report),
        lambda: hyperskip.encode(["a text"], tmp_path / "encoded", report=report),
        lambda: experiment.run_experiment("text", tmp_path / "out", report=report),
    ):
        with pytest.raises(hyperskip.OptionError, match=naming("report", repr(report))):
            use()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("preset", [["x"], None, 3, "none"])
def test_a_preset_is_one_of_the_names(preset: Any) -> None:
    with pytest.raises(hyperskip.OptionError, match=naming("preset", "default", "paper")):
        hyperskip.train(["a text"], preset=preset)


def test_what_is_not_a_model_is_named_as_the_argument() -> None:
    with pytest.raises(hyperskip.OptionError, match=naming("`vectors`", 3)):
        hyperskip.evaluate(3)  # type: ignore[arg-type]


def points_of(words: list[str]) -> hyperskip.HierarchyPoints:
    return hyperskip.HierarchyPoints(
        np.eye(len(words)), slope=1.0, offset=0.0, evidence=[3] * len(words)
    )


EXAMPLES: dict[str, Callable[[WordVectors, Path], object]] = {
    "CheckpointOptions": lambda *_: hyperskip.CheckpointOptions(),
    "EncodedCorpus": lambda _, folder: hyperskip.encode(["two words"] * 9, folder / "encoded"),
    "Generality": lambda vectors, _: vectors.generality()[0],
    "Graph": lambda *_: hyperskip.read_graph([("dog", "mammal")]),
    "GraphOptions": lambda *_: hyperskip.GraphOptions(),
    "GraphSummary": lambda *_: hyperskip.read_graph([("dog", "mammal")]).summary,
    "HierarchyPoints": lambda *_: points_of(["animal", "dog"]),
    "Kind": lambda *_: hyperskip.Kind("animal", 0.93, 4.2, 100),
    "MissingPackageError": lambda *_: hyperskip.MissingPackageError("torch", "gpu", "a GPU"),
    "Moved": lambda vectors, _: vectors.moved_words(vectors)[0],
    "Neighbor": lambda vectors, _: vectors.neighbors("dog")[0],
    "Picture": lambda vectors, _: vectors.plot(words=["dog", "cat"]),
    "Phrase": lambda *_: hyperskip.Phrase(("new", "york"), 12.5, 7, 1),
    "Phrases": lambda *_: hyperskip.find_phrases(["in new york"] * 9, phrase_threshold=0.01),
    "Relations": lambda *_: hyperskip.extract_relations(["Animals such as dogs."]),
    "Relative": lambda vectors, _: vectors.descendants(vectors.generality()[0].word)[0],
    "Scores": lambda vectors, _: hyperskip.evaluate(
        vectors, similarity="builtin", analogies="builtin", hypernymy="builtin"
    ),
    "SubwordScheme": lambda *_: SCHEME,
    "SubwordTable": lambda *_: table_of(["dog"]),
    "TextOptions": lambda *_: hyperskip.TextOptions(),
    "TrainingOptions": lambda *_: hyperskip.TrainingOptions(dimension=20, rate=0.1),
    "Tree": lambda vectors, _: vectors.tree(["dog", "cat"]),
    "WordVectors": lambda vectors, _: vectors,
    "Experiment": lambda *_: experiment.Experiment(Path("out"), (record(),) * 9, (), ()),
    "ExperimentOptions": lambda *_: experiment.ExperimentOptions(seeds=3),
    "Model": lambda *_: experiment.Model("far", {"theta": 4.0}, preset="paper"),
}


def public_classes() -> list[type]:
    return [
        getattr(module, name)
        for module in (hyperskip, experiment)
        for name in module.__all__
        if isinstance(getattr(module, name), type)
    ]


@pytest.mark.parametrize("public", public_classes(), ids=lambda public: public.__name__)
def test_a_class_is_documented_and_its_repr_is_short(
    trained: WordVectors, tmp_path: Path, public: type
) -> None:
    name = public.__name__
    assert public.__doc__
    assert not public.__doc__.startswith(f"{name}(")  # made by dataclass
    example = EXAMPLES[name](trained, tmp_path) if name in EXAMPLES else public("a message")
    assert isinstance(example, public)
    assert name in repr(example)
    assert len(repr(example)) < 200 + len(str(tmp_path))


def test_the_repr_of_experiment_options_makes_them_again() -> None:
    names = {name: getattr(experiment, name) for name in experiment.__all__}
    for options in (
        experiment.ExperimentOptions(),
        experiment.ExperimentOptions(
            seeds=3, models=("paper", experiment.Model("far", {"theta": 4.0})), epochs=(2, 4)
        ),
    ):
        assert eval(repr(options), names) == options
