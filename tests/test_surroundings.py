"""The suite itself: tests have fixed names, a home of their own, and no network."""

import gzip
import os
import re
import socket
from pathlib import Path

import hypothesis
import platformdirs
import pytest
from surroundings import fixed_id


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


def test_generated_inputs_have_no_deadline_and_no_memory() -> None:
    profile = hypothesis.settings()
    assert profile.deadline is None
    assert profile.database is None
