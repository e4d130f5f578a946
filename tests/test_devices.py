"""Which device computes, on machines that have all of it, a part or nothing."""

import re
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from hyperskip import devices
from hyperskip.errors import OptionError


def pretend(
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
    """A machine without a module, or with a PyTorch that was built or finds what is given."""
    monkeypatch.delenv("TRITON_INTERPRET", raising=False)
    monkeypatch.delenv("CC", raising=False)
    newest = {"torch": "2.13.0+cpu", "triton": "3.9.0"} | (versions or {})
    monkeypatch.setattr(devices, "version", newest.__getitem__)
    monkeypatch.setattr(devices, "_has_driver", lambda: driver)
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
        ),
        device=lambda *name: f"device {' '.join(map(str, name))}",
    )
    monkeypatch.setitem(sys.modules, "torch", torch)


@pytest.mark.parametrize(
    ("machine", "reason"),
    [
        ({"missing": "torch"}, "PyTorch is not installed"),
        ({"missing": "triton"}, "Triton is not installed"),
        ({"cuda": None}, "PyTorch 2.5.0 was built without CUDA"),
        ({"gpu": False}, "PyTorch finds no NVIDIA GPU"),
        ({"driver": False}, "there is no driver of NVIDIA's"),
        ({"compiler": None}, "Triton needs a C compiler .gcc or clang., and there is none"),
        ({"versions": {"torch": "2.8.1"}}, "PyTorch is of version 2.8.1, and 2.9 is needed"),
        ({"versions": {"triton": "3.4.0"}}, "Triton is of version 3.4.0, and 3.5 is needed"),
        ({"capability": (7, 5)}, "the Tesla T4 has compute capability 7.5, and 8.0 is needed"),
    ],
)
def test_what_stands_in_the_way_is_named(
    monkeypatch: pytest.MonkeyPatch, machine: dict[str, Any], reason: str
) -> None:
    pretend(monkeypatch, **machine)
    assert re.fullmatch(reason, devices.why_no_gpu() or "")
    for ask in (devices.gpu, lambda: devices.check_device("cuda")):
        with pytest.raises(OptionError, match=f"device is cuda, and {reason}") as caught:
            ask()
        assert "pip install torch triton" in str(caught.value.hint)
        assert "--device cpu" in str(caught.value.hint)
    devices.check_device("auto")
    devices.check_device("cpu")


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_a_gpu_is_used_where_there_is_one(monkeypatch: pytest.MonkeyPatch, compiler: str) -> None:
    pretend(monkeypatch, compiler=compiler)
    assert devices.why_no_gpu() is None
    assert devices.gpu() == "device cuda 1"
    assert devices.device_name("cuda") == "GPU (Tesla T4)"
    assert devices.device_name("cpu") == "CPU"
    devices.check_device("cuda")


def test_interpreted_kernels_need_no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, cuda=None, gpu=False)
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert devices.gpu() == "device cpu"
    devices.check_device("cuda")
    assert devices.why_no_gpu() == "TRITON_INTERPRET is set, and kernels run on the processor"
    monkeypatch.setenv("TRITON_INTERPRET", "0")
    with pytest.raises(OptionError, match="built without CUDA"):
        devices.gpu()


def test_interpreted_kernels_need_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, missing="triton")
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    assert devices.why_no_gpu() == "Triton is not installed"


@pytest.mark.parametrize("name", ["gpu", "CUDA", "cuda:1", "", None])
def test_names_that_are_no_devices_are_refused(name: Any) -> None:
    with pytest.raises(OptionError, match=r"device is .*\nhint: device takes auto or cpu or cuda"):
        devices.check_device(name)


def test_a_driver_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def load(name: str) -> None:
        if name != "libcuda.so.1":
            raise OSError

    monkeypatch.setattr("ctypes.CDLL", load)
    assert devices._has_driver() == (sys.platform != "win32")
    monkeypatch.setattr("sys.platform", "win32")
    assert not devices._has_driver()


def test_a_full_memory_is_named() -> None:
    torch = pytest.importorskip("torch")
    with (
        pytest.raises(OptionError, match="its memory is full: 3 GiB") as caught,
        devices.memory_of_the_gpu(),
    ):
        raise torch.OutOfMemoryError("3 GiB")
    assert caught.value.hint == "choose --device cpu"


def test_a_pytorch_that_cannot_be_loaded_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch)
    monkeypatch.setitem(sys.modules, "torch", None)
    assert str(devices.why_no_gpu()).startswith("PyTorch cannot be loaded: ")


def test_other_errors_of_the_gpu_stay_what_they_are() -> None:
    pytest.importorskip("torch")
    with pytest.raises(RuntimeError, match="another"), devices.memory_of_the_gpu():
        raise RuntimeError("another")
    with pytest.raises(OptionError, match="memory is full"), devices.memory_of_the_gpu():
        raise RuntimeError("CUDA error: out of memory")
