"""What this machine can compute on: cores, memory and GPUs."""

from dataclasses import dataclass

from hyperskip.devices import (
    CPU,
    CUDA,
    Gpu,
    available_memory,
    core_count,
    device_name,
    gpu_obstacle,
    gpus,
    has_driver,
)
from hyperskip.diagnosis.problems import WARNING, Problems


@dataclass(frozen=True)
class Computer:
    """The device that training uses, and what there is.

    Attributes:
        device: The device that `device="auto"` chooses.
        cores: The number of threads that training uses on the CPU.
        memory: Bytes that are available; None if the system does not tell.
        gpus: All visible GPUs, if they can be used.
        why_no_gpu: Why the GPU cannot be used; None if it can.
    """

    device: str
    cores: int
    memory: int | None
    gpus: tuple[Gpu, ...]
    why_no_gpu: str | None


def examine_computer(problems: Problems) -> Computer:
    """Find the devices; a GPU with a driver that cannot be used is a problem."""
    obstacle = gpu_obstacle()
    if obstacle is not None and has_driver():
        message = f"there is an NVIDIA driver, but training uses the CPU: {obstacle.reason}"
        problems.add(WARNING, message, obstacle.advice)
    return Computer(
        device_name(CPU if obstacle else CUDA),
        core_count(),
        available_memory(),
        () if obstacle else tuple(gpus()),
        obstacle.reason if obstacle else None,
    )
