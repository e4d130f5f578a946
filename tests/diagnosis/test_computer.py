"""The device that training uses, and the reason if it is not the GPU."""

import pytest

from hyperskip.devices import Gpu, NoGpu
from hyperskip.diagnosis import computer
from hyperskip.diagnosis.computer import examine_computer
from hyperskip.diagnosis.problems import WARNING, Problem, Problems


@pytest.mark.parametrize("driver", [False, True])
def test_a_gpu_that_cannot_be_used_is_a_problem_if_there_is_a_driver(
    monkeypatch: pytest.MonkeyPatch, driver: bool
) -> None:
    monkeypatch.setattr(computer, "gpu_obstacle", lambda: NoGpu("it is too old", "buy another"))
    monkeypatch.setattr(computer, "has_driver", lambda: driver)
    problems = Problems()
    found = examine_computer(problems)
    assert (found.device, found.gpus, found.why_no_gpu) == ("CPU", (), "it is too old")
    message = "there is an NVIDIA driver, but training uses the CPU: it is too old"
    assert problems == ([Problem(WARNING, message, "buy another")] if driver else [])


def test_gpus_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = Gpu("NVIDIA H200", 1 << 37, "9.0")
    monkeypatch.setattr(computer, "gpu_obstacle", lambda: None)
    monkeypatch.setattr(computer, "device_name", lambda device: f"the device {device}")
    monkeypatch.setattr(computer, "gpus", lambda: [gpu])
    found = examine_computer(Problems())
    assert (found.device, found.gpus, found.why_no_gpu) == ("the device cuda", (gpu,), None)
