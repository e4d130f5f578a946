"""The explorer of a model in a separate process, for benchmarks of its answers and its memory."""

import argparse
import json
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from hyperskip.explorer.server.app import make_app
from hyperskip.explorer.server.server import serve
from hyperskip.projection.map_file import map_beside
from hyperskip.projection.methods import TANGENT
from hyperskip.vectors.model_file import load

COMPACT, PLAIN = "compact", "plain"
NOW, PEAK = "VmRSS", "VmHWM"


@dataclass(frozen=True)
class ServerProcess:
    """A running server.

    Args:
        pid: The id of its process.
        port: The port that it listens on.
        errors: The file with its standard error.
        search_seconds: Time until the first search was answered, after the model was mapped.
        seconds: Time until it was ready, in all.
    """

    pid: int
    port: int
    errors: Path
    search_seconds: float
    seconds: float

    def megabytes(self, when: str = NOW) -> float:
        """Resident memory now, or its PEAK so far, with pages of files that others share."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.split(f"{when}:")[1].split()[0]) / 1000


@contextmanager
def server_process(
    model: Path, *, search: str = COMPACT, descriptors: int | None = None
) -> Iterator[ServerProcess]:
    """Start a server and wait until it is ready; it is killed after the block.

    Args:
        model: The model to serve.
        search: PLAIN to search all float32 products, COMPACT for the explorer's own search.
        descriptors: The number of files and connections that it may have open.
    """
    errors = model.with_name(f"{search}-errors.txt")
    command = [sys.executable, __file__, str(model), "--search", search]
    command += ["--descriptors", str(descriptors)] if descriptors else []
    with (
        errors.open("wb") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as process,
    ):
        assert process.stdout
        try:
            about = json.loads(process.stdout.readline())
            yield ServerProcess(process.pid, errors=errors, **about)
        finally:
            process.kill()


def main() -> None:
    """Serve a model until the process is killed; the first line on stdout describes the server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--search", choices=(COMPACT, PLAIN), default=COMPACT)
    parser.add_argument("--descriptors", type=int)
    arguments = parser.parse_args()
    began = time.perf_counter()
    vectors = load(arguments.model)
    if arguments.search == COMPACT:
        vectors = vectors.compacted()
    disc_map = map_beside(arguments.model, vectors, method=TANGENT)
    mapped = time.perf_counter()
    vectors.neighbors(vectors.words[0])
    ready = time.perf_counter()
    app = make_app(vectors, disc_map, name=arguments.model.name)
    listening = socket.create_server(("127.0.0.1", 0))
    if arguments.descriptors:
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (arguments.descriptors, hard))
    about = {
        "port": listening.getsockname()[1],
        "search_seconds": ready - mapped,
        "seconds": time.perf_counter() - began,
    }
    print(json.dumps(about), flush=True)
    serve(app, listening)


if __name__ == "__main__":
    main()
