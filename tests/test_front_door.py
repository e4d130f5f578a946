"""What `import hyperskip` offers: names, errors, and answers to keywords that do not exist."""

import pickle

import pytest
from facts import naming

import hyperskip
from hyperskip import errors
from hyperskip.options import named_arguments


def test_every_error_and_warning_is_exported() -> None:
    defined = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and value.__module__ == errors.__name__
    }
    assert defined <= set(hyperskip.__all__)
    assert all(getattr(hyperskip, name) is getattr(errors, name) for name in defined)


@named_arguments
def trained(corpus: str, *, rate: float = 1.0, dimension: int = 5) -> tuple[str, float, int]:
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
    with pytest.raises(hyperskip.OptionError, match=naming("hyperskip.trained", keyword, ours)):
        trained("text", **{keyword: 1})


def test_a_keyword_like_no_other_is_answered_with_all() -> None:
    with pytest.raises(hyperskip.OptionError, match=naming("zzzz", "corpus", "rate", "dimension")):
        trained("text", zzzz=1)  # type: ignore[call-arg]


def test_known_arguments_pass_through() -> None:
    assert trained("text", dimension=3) == ("text", 1.0, 3)
    assert trained.__doc__ == "Train."
    with pytest.raises(TypeError):
        trained()  # type: ignore[call-arg]


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
