"""The parameters of a picture are declared once, for Python and for the command line."""

import dataclasses
import inspect
import re
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from facts import naming
from optional_packages import run_without

from hyperskip import Picture, WordVectors
from hyperskip.cli.commands.plot import command
from hyperskip.errors import InputError, MissingPackageError, OptionError
from hyperskip.options import declarations
from hyperskip.pictures.request.request import PictureRequest


def test_plot_has_the_parameters_of_a_request() -> None:
    fields = {
        field.name: (field.type, field.default) for field in dataclasses.fields(PictureRequest)
    }
    hints = get_type_hints(WordVectors.plot, localns={"Picture": Picture})
    signature = inspect.signature(WordVectors.plot).parameters
    arguments = {
        name: (hints[name], argument.default)
        for name, argument in signature.items()
        if name != "self"
    }
    assert list(arguments) == list(fields)
    assert arguments == fields


def test_the_command_line_has_the_parameters_of_a_request() -> None:
    options = set(inspect.signature(command()).parameters)
    assert options == {"model", "listed", *declarations(PictureRequest)}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("words", "dog"), ("words", 42), ("near", 42), ("analogy", "dog"), ("title", None),
        ("projection", "umap"), ("dark", "yes"), ("path", 42), ("format", "gif"), ("count", "5"),
        ("categories", 42), ("categories", True),
        ("text_size", 5), ("text_size", 0.1), ("text_size", "large"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named(name: str, value: object) -> None:
    with pytest.raises(InputError, match=naming(f"`{name}`", repr(value))):
        PictureRequest(**{name: value})  # type: ignore[arg-type]


def test_the_categories_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "words.svg"
    path.write_text("dog\tanimal\n")
    with pytest.raises(InputError, match=naming(path)):
        PictureRequest(categories=path, path=path)
    with pytest.raises(OptionError):
        PictureRequest(path=tmp_path / "words.gif")


# -- without matplotlib


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_an_image_without_matplotlib_is_refused_before_the_model_is_read(
    tmp_path: Path, suffix: str
) -> None:
    output = tmp_path / f"map.{suffix}"
    done = run_without("matplotlib", "plot", tmp_path / "missing.safetensors", "-o", output)
    assert done.returncode == 2
    assert re.search(naming("matplotlib", "pip install 'hyperskip[pictures]'"), done.stderr)
    assert not output.exists()


def test_a_page_needs_no_matplotlib(model_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "map.html"
    done = run_without("matplotlib", "plot", model_file, "-n", 20, "-o", output)
    assert done.returncode == 0, done.stderr
    assert output.exists()


def test_a_notebook_without_matplotlib_shows_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: Picture) -> None:
        raise MissingPackageError("matplotlib", "pictures", "drawing images")

    monkeypatch.setattr(Picture, "figure", missing)
    coordinates = np.random.default_rng(2).normal(size=(9, 2)).astype(np.float32)
    picture = WordVectors(list("abcdefghi"), coordinates).plot()
    assert picture._repr_png_() is None
    assert picture._repr_html_() is not None
    with pytest.raises(MissingPackageError):
        picture.to_bytes("png")
