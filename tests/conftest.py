"""What several tests share: the program, and a model trained on a part of the built-in corpus."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from interpreted import need_triton
from program import Program
from signals import listen_to_signals

from hyperskip import WordVectors, builtin, devices, train

# Triton runs kernels in Python, on the processor, unless told otherwise (`make test-gpu`): it asks
# for this once, when it is imported.
os.environ.setdefault("TRITON_INTERPRET", "1")


# Tests send signals to the programs they start; where `make test` is started in the background of
# a script, or by nohup, some of them would be ignored.
listen_to_signals()


@pytest.fixture(scope="session")
def trained() -> WordVectors:
    """Vectors of 300,000 built-in words: a few seconds of training, and they know things."""
    return train(
        builtin.sentences(300_000), dimension=20, subsample=1e-3, epochs=4, threads=1, seed=3
    )


@pytest.fixture(scope="session")
def model_file(trained: WordVectors, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "trained.safetensors"
    trained.save(path)
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium without a window, for a module: while it runs, there can be no other event loop."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
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
    """Every device; PyTorch on the processor stands in for the GPU, unless there shall be one."""
    name: str = request.param
    if name == devices.CUDA:
        need_triton()
    return name


@pytest.fixture
def program(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("warnings.showwarning", None)
    return Program(capsys, monkeypatch)
