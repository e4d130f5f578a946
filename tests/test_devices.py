"""The choice of the device on machines with and without a GPU and its packages."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from facts import naming

from hyperskip import devices
from hyperskip.errors import MissingPackageError, OptionError


def simulate(
    monkeypatch: pytest.MonkeyPatch,
    *,
    missing: str = "",
    cuda: str | None = "13.0",
    gpu: bool = True,
    driver: bool = True,
    compiler: str | None = "gcc",
    capability: tuple[int, int] = (9, 0),
    versions: dict[str, str] | None = None,
) -> None:
    """Simulate a machine: its packages, driver, compiler and GPU."""
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    monkeypatch.delenv("CC", raising=False)
    newest = {"torch": "2.13.0+cpu", "triton": "3.9.0"} | (versions or {})
    monkeypatch.setattr(devices, "version", newest.__getitem__)

    def load(_: str) -> None:
        if not driver:
            raise OSError

    monkeypatch.setattr("ctypes.CDLL", load)
    monkeypatch.setattr(devices, "which", lambda name: name if name == compiler else None)
    monkeypatch.setattr(devices, "find_spec", lambda name: None if name == missing else object())
    torch = SimpleNamespace(
        __version__="2.5.0",
        version=SimpleNamespace(cuda=cuda),
        cuda=SimpleNamespace(
            is_available=lambda: gpu,
            get_device_capability=lambda: capability,
            get_device_name=lambda: "Tesla T4",
            current_device=lambda: 1,
            device_count=lambda: 2,
            get_device_properties=lambda number: SimpleNamespace(
                name=f"Tesla T{number}", total_memory=16 << 30, major=9, minor=0
            ),
        ),
        device=lambda *name: f"device {' '.join(map(str, name))}",
    )
    monkeypatch.setitem(sys.modules, "torch", torch)


@pytest.mark.parametrize(
    ("machine", "facts", "advice"),
    [
        ({"cuda": None}, ["PyTorch", "2.5.0", "CUDA"], "CUDA"),
        ({"gpu": False}, ["PyTorch", "NVIDIA", "GPU"], "nvidia-smi"),
        ({"driver": False}, ["NVIDIA", "driver"], "driver"),
        ({"compiler": None}, ["Triton", "C compiler", "gcc", "clang"], "gcc"),
        ({"versions": {"torch": "2.8.1"}}, ["PyTorch", "2.8.1", "2.9"], "--upgrade"),
        ({"versions": {"triton": "3.4.0"}}, ["Triton", "3.4.0", "3.5"], "--upgrade"),
        ({"capability": (7, 5)}, ["Tesla T4", "7.5", "8.0"], "newer GPU"),
    ],
)
def test_the_reason_for_no_gpu_is_named(
    monkeypatch: pytest.MonkeyPatch, machine: dict[str, Any], facts: list[str], advice: str
) -> None:
    simulate(monkeypatch, **machine)
    assert re.search(naming(*facts), devices.why_no_gpu() or "")
    for ask in (devices.gpu, lambda: devices.check_device("cuda")):
        with pytest.raises(OptionError, match=naming("device", "cuda", *facts)) as caught:
            ask()
        hint = str(caught.value.hint)
        assert re.search(naming(advice, "device='cpu'"), hint)
        assert ("pip install" in hint) == ("versions" in machine)
    devices.check_device("auto")
    devices.check_device("cpu")


@pytest.mark.parametrize(("missing", "name"), [("torch", "PyTorch"), ("triton", "Triton")])
def test_a_missing_package_is_named_with_its_extra(
    monkeypatch: pytest.MonkeyPatch, missing: str, name: str
) -> None:
    simulate(monkeypatch, missing=missing)
    install = "pip install 'hyperskip[gpu]'"
    assert install in (devices.why_no_gpu() or "")
    for ask in (devices.gpu, lambda: devices.check_device("cuda")):
        with pytest.raises(MissingPackageError, match=naming("device", "cuda", name)) as caught:
            ask()
        assert caught.value.hint == install
        assert str(caught.value.page).endswith("gpu.html#install-and-check")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_gpu_is_used_if_there_is_one(monkeypatch: pytest.MonkeyPatch, compiler: str) -> None:
    simulate(monkeypatch, compiler=compiler)
    assert devices.why_no_gpu() is None
    assert devices.gpu() == "device cuda 1"
    assert devices.device_name("cuda") == "GPU (Tesla T4)"
    assert devices.device_name("cpu") == "CPU"
    devices.check_device("cuda")


def test_all_gpus_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(monkeypatch)
    assert devices.gpus() == [("Tesla T0", 16 << 30, "9.0"), ("Tesla T1", 16 << 30, "9.0")]


def test_interpreted_kernels_need_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(monkeypatch, cuda=None, gpu=False)
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert devices.gpu() == "device cpu"
    devices.check_device("cuda")
    assert "TRITON_INTERPRET" in str(devices.why_no_gpu())
    monkeypatch.setenv("TRITON_INTERPRET", "0")
    with pytest.raises(OptionError, match=naming("PyTorch", "2.5.0", "CUDA")):
        devices.gpu()


def test_interpreted_kernels_need_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(monkeypatch, missing="triton")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    reason = str(devices.why_no_gpu())
    assert "hyperskip[gpu]" in reason
    assert "TRITON_INTERPRET" not in reason


@pytest.mark.parametrize("name", ["gpu", "CUDA", "cuda:1", "", None])
def test_unknown_devices_are_refused(name: Any) -> None:
    with pytest.raises(OptionError, match=naming("device", repr(name), *devices.DEVICES)):
        devices.check_device(name)


def test_the_driver_is_found_by_its_library(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        if name != "libcuda.so.1":
            raise OSError

    monkeypatch.setattr("ctypes.CDLL", load)
    assert devices.has_driver() == (sys.platform != "win32")
    monkeypatch.setattr("sys.platform", "win32")
    assert not devices.has_driver()


def test_full_gpu_memory_is_named() -> None:
    torch = pytest.importorskip("torch")
    with (
        pytest.raises(OptionError, match=naming("GPU", "3 GiB", "device='cpu'")),
        devices.gpu_memory_errors(),
    ):
        raise torch.OutOfMemoryError("3 GiB")


def test_a_pytorch_that_cannot_be_loaded_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    simulate(monkeypatch)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert "PyTorch" in str(devices.why_no_gpu())


def test_a_pytorch_that_raises_anything_is_a_reason(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    simulate(monkeypatch)
    monkeypatch.delitem(sys.modules, "torch")
    (tmp_path / "torch.py").write_text("raise SystemError('made for another machine')")
    monkeypatch.syspath_prepend(tmp_path)
    assert devices.why_no_gpu() == "PyTorch cannot be loaded: made for another machine"


def test_other_errors_of_the_gpu_are_unchanged() -> None:
    pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match="another"), devices.gpu_memory_errors():
        raise RuntimeError("another")
    message = "CUDA error: out of memory"  # the message of PyTorch
    with pytest.raises(OptionError, match=naming(message)), devices.gpu_memory_errors():
        raise RuntimeError(message)
