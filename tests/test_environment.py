"""The suite itself: tests have fixed names, a home of their own, and no network."""

import gzip
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import hypothesis
import platformdirs
import pytest
from coverage_by_folder import by_folder, line
from environment import fixed_id


def test_every_test_has_a_short_name_without_escapes(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        assert len(item.nodeid) < 300, item.nodeid
        assert item.nodeid.isascii(), item.nodeid
        assert item.nodeid.isprintable(), item.nodeid
        assert re.search(r"\\[xu]", item.nodeid) is None, item.nodeid


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (gzip.compress(b"text"), "content"),
        ("long " * 50, "content"),
        ("line\n", "content"),
        ("Poincaré", "content"),
        ("short", None),
        (3, None),
    ],
    ids=["bytes", "long", "unprintable", "beyond ASCII", "short", "number"],
)
def test_parameters_that_make_no_name_are_numbered(value: object, name: str | None) -> None:
    assert fixed_id(value, "content") == name


@pytest.mark.parametrize("host", ["192.0.2.1", "registry.example"])
def test_other_machines_are_out_of_reach(host: str) -> None:
    with pytest.raises(OSError, match="tests have no network"):
        socket.create_connection((host, 80), timeout=1)


def test_this_machine_is_within_reach() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(("localhost", server.getsockname()[1])),
    ):
        pass


def test_the_home_is_made_for_the_tests() -> None:
    home = Path.home()
    assert home.name.startswith("hyperskip-home-")
    assert platformdirs.user_cache_path("hyperskip").is_relative_to(home)
    assert not {"COLUMNS", "NO_COLOR", "FORCE_COLOR", "XDG_CACHE_HOME"} & os.environ.keys()


@pytest.mark.skipif(sys.platform == "win32", reason="has other signals")
def test_programs_that_tests_start_can_be_interrupted() -> None:
    ask = "import signal; print([signal.getsignal(n) for n in (1, 2)].count(signal.SIG_IGN))"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"


def test_generated_inputs_have_no_deadline_and_no_memory() -> None:
    profile = hypothesis.settings()
    assert profile.deadline is None
    assert profile.database is None


def test_coverage_is_added_up_by_folder() -> None:
    def file(lines: int, of: int) -> dict[str, dict[str, int]]:
        counts = {"covered_lines": lines, "num_statements": of}
        return {"summary": counts | {"covered_branches": 1, "num_branches": 2}}

    files = {"src/b/one.py": file(4, 5), "src/a.py": file(0, 0), "src/b/two.py": file(3, 5)}
    found = by_folder(files)
    assert list(found) == ["src", "src/b"]
    assert line("src/b", found["src/b"]).split() == ["src/b", "10", "4", "64.3%"]
