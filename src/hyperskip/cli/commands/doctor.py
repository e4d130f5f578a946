"""`hyperskip doctor`: what is installed, which device and caches are used, and how fast it is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hyperskip.cli.parameters import AsJson
from hyperskip.cli.tables import print_table
from hyperskip.progress.messages import printable, say

if TYPE_CHECKING:
    from hyperskip.diagnosis.caches import Cache
    from hyperskip.diagnosis.computer import Computer
    from hyperskip.diagnosis.diagnosis import Diagnosis
    from hyperskip.diagnosis.packages import Extra
    from hyperskip.diagnosis.speed import Speed

_BROKEN = 1  # the exit code
_Table = tuple[Sequence[str], Sequence[Sequence[str]]]
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def doctor(
    no_speed: Annotated[
        bool, typer.Option("--no-speed", help="Leave out the short training.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check the installation: packages, device, caches and the speed of training.

    Problems are listed at the end, with what to do.

    The exit code is 1 if something is broken: a required package, training, or what an environment
    variable names. Warnings do not count.
    """
    import json

    from hyperskip.diagnosis.diagnosis import diagnose

    if not no_speed:
        say("training for some seconds to measure the speed (--no-speed leaves it out)")
    found = diagnose(speed=not no_speed)
    if as_json:
        print(json.dumps(found.as_dict(), indent=2))
    else:
        _show(found)
    if found.problems.are_serious:
        raise typer.Exit(_BROKEN)


def _show(found: "Diagnosis") -> None:
    for header, rows in _tables(found):
        print_table(header, rows, numbers=False)
        print()
    if found.caches:
        print("These files may be deleted. They are made or downloaded again when needed.\n")
    for problem in found.problems:
        print(printable(f"{problem.kind}: {problem.message}"))
        print(printable(f"hint: {problem.advice}"))
    if not found.problems:
        print("No problems found.")


def _tables(found: "Diagnosis") -> Iterator[_Table]:
    """The header and the rows of each table that is not empty."""
    program = ("hyperskip", found.version, found.folder)
    python = ("Python", found.python, found.executable)
    yield ("", "version", "where"), [program, python, ("system", "", found.system)]
    if found.packages:
        yield (
            ("package", "version", "required"),
            [(each.name, each.installed or "missing", each.required) for each in found.packages],
        )
    if found.extras:
        yield (
            ("extra", "installed", "for"),
            [(each.name, each.state, _purpose(each)) for each in found.extras],
        )
    if found.computer is not None:
        yield ("device", found.computer.device), _device_rows(found.computer)
    if found.speed is not None:
        speed = found.speed
        yield ("speed", f"{speed.device}, {speed.dimension} dimensions"), _speed_rows(speed)
    if found.caches:
        yield ("cache", "size", "writable", "files"), _cache_rows(found.caches)


def _purpose(extra: "Extra") -> str:
    return f"{extra.purpose}: {extra.command}" if extra.command else extra.purpose


def _device_rows(computer: "Computer") -> list[tuple[str, str]]:
    rows = [("cores", f"{computer.cores:,}")]
    if computer.memory is not None:
        rows.append(("available memory", _size(computer.memory)))
    if computer.why_no_gpu is not None:
        rows.append(("GPU", f"none ({computer.why_no_gpu})"))
    for number, gpu in enumerate(computer.gpus):
        about = f"{gpu.name}, {_size(gpu.memory)}, compute capability {gpu.capability}"
        rows.append((f"GPU {number}", about))
    return rows


def _cache_rows(caches: "Mapping[str, Cache]") -> list[tuple[str, ...]]:
    return [
        (name, _size(each.bytes), "no" if each.why_read_only else "yes", each.files)
        for name, each in caches.items()
    ]


def _speed_rows(speed: "Speed") -> list[tuple[str, str]]:
    how = {True: "compiled in", False: "loaded in", None: "ready after"}[speed.was_compiled]
    return [
        ("training", f"{speed.words_per_second:,.0f} words per second"),
        ("kernels", f"{how} {speed.preparation:.1f} s"),
    ]


def _size(size: float) -> str:
    """A number of bytes in the largest unit of which there is one."""
    for unit in _UNITS:
        if size < 1024 or unit == _UNITS[-1]:
            break
        size /= 1024
    return f"{size:.0f} {unit}" if unit == _UNITS[0] else f"{size:.1f} {unit}"
