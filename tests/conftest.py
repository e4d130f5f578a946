"""Shared fixtures: the program, a browser, and a model trained on the built-in corpus."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import environment
import pytest
from filelock import FileLock
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import HealthCheck, settings
from interpreted_kernels import need_triton
from program import Program
from ray_nodes import RayNodes, ray_nodes, ray_settings

from hyperskip import WordVectors, builtin, devices, load, train

# Triton interprets kernels in Python on the CPU, unless this is set (`make test-gpu`). It reads the
# variable once, when it is imported.
os.environ.setdefault("TRITON_INTERPRET", "1")

# Tests use the first browser that is installed. The one without windows takes half the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")

# Generated inputs are the same in every run, except with --hypothesis-profile random. Neither
# profile depends on the speed of the machine.
_STEADY = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _STEADY, derandomize=True)
settings.register_profile("random", _STEADY, derandomize=False, print_blob=True)
settings.load_profile("fixed")


def pytest_configure(config: pytest.Config) -> None:
    environment.settle()
    if not hasattr(config, "workerinput"):  # the workers of pytest-xdist inherit the rest
        home = tempfile.mkdtemp(prefix="hyperskip-home-")
        config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
        os.environ["HOME"] = home


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    return environment.fixed_id(val, argname)


@pytest.fixture(scope="session", autouse=True)
def _no_network() -> Iterator[None]:
    with environment.no_network():
        yield


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A text file of 30,000 words of the built-in corpus."""
    path = tmp_path_factory.mktemp("text") / "corpus.txt"
    path.write_text("\n".join(builtin.sentences(30_000)))
    return path


@pytest.fixture(scope="session")
def model_file(shared_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A useful model of 300,000 built-in words: trained once, with a copy for each worker."""
    shared = shared_folder / "trained.safetensors"
    with FileLock(f"{shared}.lock"):
        if not shared.exists():
            train(
                builtin.sentences(300_000),
                dimension=20,
                subsample=1e-3,
                epochs=4,
                threads=1,
                seed=3,
            ).save(shared)
    return Path(shutil.copy(shared, tmp_path_factory.mktemp("model")))


@pytest.fixture(scope="session")
def trained(model_file: Path) -> WordVectors:
    return load(model_file)


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[RayNodes]:
    """Two Ray nodes on this machine, for all tests of a worker; no test may end them."""
    with ray_settings(), ray_nodes(2) as nodes:
        yield nodes


@pytest.fixture
def memory() -> Iterator[MemoryFileSystem]:
    """The storage of memory:// URLs, which all file systems of a process share; empty."""
    storage = MemoryFileSystem()
    storage.store.clear()
    storage.pseudo_dirs[:] = [""]
    yield storage
    storage.store.clear()
    storage.pseudo_dirs[:] = [""]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Headless Chromium for a module: while it runs, there can be no other event loop."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None and "CI" not in os.environ:
        pytest.skip("chromium is not installed")
    assert path is not None, "chromium is not installed"
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
        )
        yield started
        started.close()


@pytest.fixture(params=[devices.CPU, devices.CUDA])
def device(request: pytest.FixtureRequest) -> str:
    """Every device; PyTorch on the CPU replaces the GPU, except in `make test-gpu`."""
    name: str = request.param
    if name == devices.CUDA:
        need_triton()
    return name


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("warnings.showwarning", None)
    return Program(capsys, monkeypatch)
