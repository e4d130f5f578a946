"""The arguments of `hyperskip.train`: typed, documented, and checked like the declared options."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from signatures import check_keywords

import hyperskip
from hyperskip import TrainingOptions, builtin, train
from hyperskip.errors import OptionError, TrainingWarning
from hyperskip.training.arguments import GROUPS

QUICK: dict[str, Any] = {"dimension": 4, "epochs": 1, "threads": 1, "subsample": 0}


def small_corpus() -> list[str]:
    return list(builtin.sentences(3000))


def test_every_option_is_a_typed_and_documented_keyword() -> None:
    own = ["corpus", "options", "preset", "init", "checkpoints", "relations", "report", "progress"]
    check_keywords(train, own, *GROUPS)


def test_keywords_win_over_options() -> None:
    options = TrainingOptions(**QUICK | {"dimension": 3}, seed=7)
    vectors = train(small_corpus(), options=options, dimension=4)
    assert (vectors.options["dimension"], vectors.options["seed"]) == (4, 7)
    same = train(small_corpus(), **QUICK, seed=7)
    np.testing.assert_array_equal(vectors.coordinates, same.coordinates)
    with pytest.raises(OptionError, match=naming("options", "TrainingOptions")):
        train(small_corpus(), options={"dimension": 3})  # type: ignore[arg-type]


def test_options_win_over_presets_and_models() -> None:
    window = TrainingOptions(schedule="window", window=3, **QUICK)
    vectors = train(small_corpus(), options=window, preset="paper", min_count=5)
    assert (vectors.options["window"], vectors.options["negatives"]) == (3, 10)
    assert (vectors.options["theta"], vectors.options["schedule"]) == (3.0, "window")
    more = train(small_corpus(), init=vectors, options=TrainingOptions(theta=2.0, **QUICK))
    assert (more.options["theta"], more.options["curvature"]) == (2.0, 1.0)


@pytest.mark.parametrize(
    ("keyword", "ours"),
    [
        *(
            ("lr", "rate"),
            ("vector_size", "dimension"),
            ("workers", "threads"),
            ("epoch", "epochs"),
        ),
        ("minn", "did you mean `subword_min`?"),
        ("maxn", "did you mean `subword_max`?"),
        ("keep_case", "did you mean `lowercase`?"),
    ],
)
def test_an_unknown_keyword_is_answered_with_ours(keyword: str, ours: str) -> None:
    with pytest.raises(OptionError, match=naming(keyword, ours)):
        train(small_corpus(), **{keyword: 1})  # type: ignore[arg-type]


def test_a_warning_points_at_the_caller_of_train() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        train(["cat dog cow", "dog cow cat"] * 20, subsample=1e-6, dimension=2)
    warned = [each for each in caught if each.category is TrainingWarning]
    assert [each.filename for each in warned] == [__file__] * 2  # few pairs planned, few trained


@pytest.mark.slow
def test_type_checkers_report_a_misspelled_keyword(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    program = tmp_path / "program.py"
    program.write_text("import hyperskip\nhyperskip.train('text', dimension=3)\n")
    source = str(Path(hyperskip.__file__).parents[1])
    arguments = ["--cache-dir", str(tmp_path), "--follow-imports", "silent", str(program)]

    def checked() -> str:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("MYPYPATH", source)
            output: str = api.run(arguments)[0]
        return output

    assert "Success" in checked()
    program.write_text("import hyperskip\nhyperskip.train('text', dimensoin=3)\n")
    assert '"dimensoin"' in checked()
    program.write_text("import hyperskip\nhyperskip.train('text', dimension='3')\n")
    assert "arg-type" in checked()


@pytest.mark.parametrize("name", ["resume", "restart"])
def test_resume_and_restart_require_a_folder(name: str) -> None:
    with pytest.raises(OptionError, match=naming(name, "checkpoints")):
        train(small_corpus(), **dict[str, Any]({name: True}))


def test_the_hint_for_factors_lists_the_divisors() -> None:
    with pytest.raises(OptionError, match=naming("factors", 3, 10, "1, 2, 5, 10")):
        train(small_corpus(), dimension=10, factors=3)


def test_freezing_all_words_is_reported() -> None:
    model = train(small_corpus(), **QUICK)
    with pytest.warns(TrainingWarning, match=naming("freeze=True")):
        train(small_corpus(), init=model, freeze=True, **QUICK)
