"""Memory of a long training with checkpoints, which must not grow.

    python benchmarks/soak.py CORPUS --output soak.png [--minutes 12] [--dimension 100]

Runs `hyperskip train` on text or an encoded corpus, with a checkpoint every few seconds, samples
its memory once a second, and stops it with SIGTERM. Prints the growth in megabytes per hour, from a
straight line through all samples after the first minute, and draws the samples.
"""

import argparse
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

MEGABYTE = 1e6
SETTLED_SECONDS = 60


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("--output", type=Path, default=Path("soak.png"))
    parser.add_argument("--minutes", type=float, default=12)
    parser.add_argument("--dimension", type=int, default=100)
    parser.add_argument("--checkpoint-minutes", type=float, default=0.1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hyperskip-bench-") as folder:
        model = Path(folder, "model.safetensors")
        command = [
            *(sys.executable, "-m", "hyperskip", "train", arguments.corpus, "-o", str(model)),
            *("--dimension", str(arguments.dimension), "--epochs", "100000"),
            *("--checkpoint-minutes", str(arguments.checkpoint_minutes)),
        ]
        samples, written = watch(command, Path(f"{model}.checkpoints"), 60 * arguments.minutes)
    report(samples, written)
    draw(samples, arguments.output)


def watch(
    command: list[str], checkpoints: Path, seconds: float
) -> tuple[npt.NDArray[np.float64], int]:
    """Seconds and bytes of a program, (samples, 2), and the number of its checkpoints."""
    samples, seen = [], set()
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            time.sleep(1)
            if process.poll() is not None:
                raise SystemExit(f"training ended early, with exit code {process.returncode}")
            samples.append((time.monotonic() - began, resident(process.pid)))
            if checkpoints.is_dir():
                seen |= {path.name for path in checkpoints.glob("epoch-*")}
        process.send_signal(signal.SIGTERM)
    return np.array(samples), len(seen)


def resident(pid: int) -> float:
    """Resident bytes of a process, without mapped files."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return float(line.split()[1]) * 1024
    raise SystemExit("this system does not report the memory of a process")


def report(samples: npt.NDArray[np.float64], written: int) -> None:
    """Print the growth of memory."""
    settled = samples[samples[:, 0] > min(SETTLED_SECONDS, samples[-1, 0] / 2)]
    slope, _ = np.polyfit(settled[:, 0], settled[:, 1], 1)
    least, most = settled[:, 1].min() / MEGABYTE, settled[:, 1].max() / MEGABYTE
    print(
        f"{samples[-1, 0] / 60:.1f} minutes, at least {written} checkpoints: {least:.0f} to "
        f"{most:.0f} MB, {3600 * slope / MEGABYTE:+.1f} MB per hour"
    )


def draw(samples: npt.NDArray[np.float64], path: Path) -> None:
    """Draw memory over time."""
    figure = Figure(figsize=(7, 3), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(samples[:, 0] / 60, samples[:, 1] / MEGABYTE, color="#2b5c8a", linewidth=1)
    axes.set_xlabel("minutes of training")
    axes.set_ylabel("memory (MB)")
    axes.set_ylim(0, 1.3 * samples[:, 1].max() / MEGABYTE)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=120)
    print(path)


if __name__ == "__main__":
    main()
