"""Optional packages: without them, the rest works, and an error names the extra to install."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from wiki_dumps import dump, page

from hyperskip import WordVectors

# Runs the program without a package, as if it were not installed.
WITHOUT = """
import sys
sys.modules[sys.argv.pop(1)] = None
from hyperskip.__main__ import main
sys.exit(main())
"""
TEXT = "one two three four\n" * 20


def without(package: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `hyperskip` without a package."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, package, *map(str, arguments)],
        capture_output=True,
        text=True,
    )


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT)
    return path


def test_a_dump_requires_the_extra_wikipedia(tmp_path: Path, text: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_text(dump([page("Numbers", TEXT)]))
    result = without("mwparserfromhell", "encode", path, "--output", tmp_path / "encoded")
    assert result.returncode == 2, result.stderr
    assert "mwparserfromhell" in result.stderr
    assert "pip install 'hyperskip[wikipedia]'" in result.stderr
    assert not (tmp_path / "encoded").exists()
    result = without("mwparserfromhell", "encode", text, "--output", tmp_path / "encoded")
    assert result.returncode == 0, result.stderr


def test_icu_requires_the_extra_segmentation(tmp_path: Path, text: Path) -> None:
    usual = "encode", text, "--output", tmp_path / "encoded"
    result = without("icu4py", *usual, "--tokenizer", "icu")
    assert result.returncode == 2, result.stderr
    assert "--tokenizer icu" in result.stderr
    assert "pip install 'hyperskip[segmentation]'" in result.stderr
    assert not (tmp_path / "encoded").exists()
    result = without("icu4py", *usual, "--hyphens", "keep")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("package", ["torch", "triton"])
def test_a_gpu_requires_the_extra_gpu(tmp_path: Path, text: Path, package: str) -> None:
    usual = "train", text, "--output", tmp_path / "model", "--dimension", "2"
    result = without(package, *usual, "--device", "cuda")
    assert result.returncode == 2, result.stderr
    assert "pip install 'hyperskip[gpu]'" in result.stderr
    result = without(package, *usual)
    assert result.returncode == 0, result.stderr
    assert "training on the CPU (for a GPU: pip install 'hyperskip[gpu]')" in result.stderr


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    WordVectors(["a", "b", "c"], np.eye(3, dtype=np.float32)).save(path)
    return path


def test_images_require_the_extra_pictures(tmp_path: Path, model: Path) -> None:
    result = without("matplotlib", "plot", model, "--output", tmp_path / "picture.png")
    assert result.returncode == 2, result.stderr
    assert "matplotlib" in result.stderr
    assert "pip install 'hyperskip[pictures]'" in result.stderr
    assert not (tmp_path / "picture.png").exists()
    result = without("matplotlib", "plot", model, "--output", tmp_path / "page.html")
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("package", ["starlette", "uvicorn"])
def test_the_explorer_requires_the_extra_explorer(model: Path, package: str) -> None:
    result = without(package, "explore", model, "--no-browser")
    assert result.returncode == 2, result.stderr
    assert package in result.stderr
    assert "pip install 'hyperskip[explorer]'" in result.stderr
    assert without(package, "neighbors", model, "a").returncode == 0


@pytest.mark.parametrize(("package", "title"), [("fasttext", "fastText"), ("gensim", "gensim")])
def test_other_programs_require_the_extra_compare(
    tmp_path: Path, text: Path, package: str, title: str
) -> None:
    folder = tmp_path / "experiment"
    result = without(package, "experiment", text, "-o", folder, "--compare", package)
    assert result.returncode == 2, result.stderr
    assert f"--compare {package} requires {title}" in result.stderr
    assert "pip install 'hyperskip[compare]'" in result.stderr


def test_a_cluster_requires_the_extra_cluster(tmp_path: Path, text: Path) -> None:
    arguments = "encode", text, "--output", tmp_path / "encoded"
    result = without("ray", *arguments, "--cluster", "auto")
    assert result.returncode == 2, result.stderr
    assert "--cluster requires Ray" in result.stderr
    assert "pip install 'hyperskip[cluster]'" in result.stderr
    assert not (tmp_path / "encoded").exists()
    assert without("ray", *arguments).returncode == 0


def test_estimators_require_the_extra_learn() -> None:
    script = "import sys; sys.modules['sklearn'] = None; import hyperskip; hyperskip.learn"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "MissingPackageError" in result.stderr
    assert "scikit-learn" in result.stderr
    assert "pip install 'hyperskip[learn]'" in result.stderr
