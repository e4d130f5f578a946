"""`hyperskip doctor` reports everything that is broken, and never fails because of it."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from optional_packages import run_without
from program import Program

from hyperskip.cli.commands import doctor
from hyperskip.diagnosis import computer, diagnosis, speed
from hyperskip.diagnosis.computer import Computer
from hyperskip.diagnosis.packages import required_packages
from hyperskip.diagnosis.problems import ERROR, Problems
from hyperskip.diagnosis.speed import Speed
from hyperskip.version import VERSION

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
REQUIRED = {package.name for package in required_packages(PROJECT["dependencies"])}
MEASURED = Speed("CPU", 1_234_567.0, 100, 5.25, was_compiled=True)


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a GPU, so that there is nothing to say about it."""
    monkeypatch.setattr(computer, "has_driver", lambda: False)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagnosis, "measure_speed", lambda: MEASURED)


def test_a_sound_installation_has_no_problems(program: Program) -> None:
    result = program("doctor", "--no-speed")
    assert result.code == 0, result.out
    assert not result.err
    assert "No problems found." in result.out
    assert f"hyperskip\t{VERSION}\t" in result.out
    for name in ("numba", "explorer", "cores", "kernels for the CPU", "evaluation sets"):
        assert re.search(rf"^{name}\t", result.out, re.MULTILINE), name
    assert "words per second" not in result.out


@pytest.mark.usefixtures("quick")
def test_the_speed_is_shown(program: Program) -> None:
    result = program("doctor")
    assert result.code == 0, result.out
    assert "training\t1,234,567 words per second\n" in result.out
    assert "kernels\tcompiled in 5.2 s\n" in result.out
    assert "--no-speed" in result.err


@pytest.mark.usefixtures("quick")
def test_all_facts_are_in_the_json(program: Program) -> None:
    facts = json.loads(program("doctor", "--json").out)
    assert facts["version"] == VERSION
    assert facts["problems"] == []
    assert facts["speed"]["words_per_second"] == MEASURED.words_per_second
    assert facts["computer"]["cores"] >= 1
    assert {each["name"] for each in facts["packages"]} >= {"numba", "numpy", "typer"}
    assert all({"state", "command", "purpose"} < set(each) for each in facts["extras"])
    assert all("bytes" in cache for cache in facts["caches"].values())
    assert json.loads(program("doctor", "--json", "--no-speed").out)["speed"] is None


def test_the_speed_is_measured_after_compilation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "_WORDS", 20_000)
    monkeypatch.setattr(speed, "_SECONDS", 1e-9)
    measured = speed.measure_speed()
    assert measured.words_per_second > 0
    assert measured.preparation > 0
    assert measured.dimension == 100
    assert not speed.measure_speed().was_compiled  # it is in memory now


@pytest.mark.parametrize("package", sorted(REQUIRED - {"typer"}))  # which starts every command
def test_a_broken_package_is_an_error(package: str) -> None:
    result = run_without(package, "doctor", "--no-speed")
    assert result.returncode == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert re.search(rf"^error: .*\b{package}\b.*\nhint: pip install", result.stdout, re.MULTILINE)


def test_without_the_compiler_training_fails() -> None:
    result = run_without("numba", "doctor")
    assert result.returncode == 1, result.stderr
    assert "Traceback" not in result.stderr
    assert "\nerror: training failed: ModuleNotFoundError: " in result.stdout


def test_a_package_that_raises_anything_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "threadpoolctl.py").write_text("raise SystemError('made for another machine')")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    result = subprocess.run(
        [sys.executable, "-m", "hyperskip", "doctor", "--no-speed"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert result.returncode == 1, result.stderr
    assert "error: threadpoolctl cannot be loaded: SystemError: made for" in result.stdout


@pytest.mark.parametrize("name", ["HYPERSKIP_MODELS", "HYPERSKIP_DATA"])
def test_a_variable_that_names_something_broken_is_an_error(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    file = tmp_path / "file"
    file.write_text("{")
    monkeypatch.setenv(name, str(file))
    result = program("doctor", "--no-speed")
    assert result.code == 1
    assert re.search(rf"^error: .*{file}.*\nhint: .*{name}", result.out, re.MULTILINE), result.out


def test_a_cache_that_cannot_be_written_is_a_warning(
    program: Program, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("TRITON_CACHE_DIR", str(file))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _: file / "hyperskip")
    monkeypatch.setattr("hyperskip.diagnosis.caches.find_spec", lambda _: object())
    monkeypatch.setattr("hyperskip.diagnosis.caches.cache_folders", list)
    result = program("doctor", "--no-speed")
    assert result.code == 0
    assert result.out.count("warning: ") == 4
    assert result.out.count(f"{file} is not a folder\n") == 3
    for variable in ("NUMBA_CACHE_DIR", "TRITON_CACHE_DIR", "XDG_CACHE_HOME"):
        assert variable in result.out


def test_a_home_that_is_unknown_is_a_warning(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("TRITON_CACHE_DIR", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", fail)
    result = program("doctor", "--no-speed")
    assert result.code == 0
    assert re.search(r"^warning: .*home folder.*\nhint: .*HOME", result.out, re.MULTILINE)


def test_training_that_fails_is_an_error(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    result = program("doctor")
    assert result.code == 1
    assert re.search("error: training failed: .*NUMBA_DISABLE_JIT", result.out)


def test_a_gpu_is_shown() -> None:
    from hyperskip.devices import Gpu

    gpu = Gpu("NVIDIA H200", 150_000_000_000, "9.0")
    rows = dict(doctor._device_rows(Computer("GPU (NVIDIA H200)", 16, None, (gpu,), None)))
    assert rows == {"cores": "16", "GPU 0": "NVIDIA H200, 139.7 GiB, compute capability 9.0"}


@pytest.mark.parametrize(
    ("size", "shown"),
    [(0, "0 bytes"), (1023, "1023 bytes"), (1536, "1.5 KiB"), (2**51, "2048.0 TiB")],
)
def test_sizes_have_units(size: int, shown: str) -> None:
    assert doctor._size(size) == shown


def test_long_errors_are_shortened() -> None:
    problems = Problems()

    def fail() -> None:
        raise ValueError("x" * 1000 + "\nmore")

    assert problems.caught("it failed", fail) is None
    (problem,) = problems
    assert problem.kind == ERROR
    assert len(problem.message) < 300
    assert "more" not in problem.message
