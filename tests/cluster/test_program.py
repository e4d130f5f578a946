"""The program on a cluster."""

import filecmp
from pathlib import Path

import pytest
from program import Program
from ray_nodes import RayNodes

import hyperskip
from hyperskip import builtin

SENTENCES = "\n".join(builtin.sentences(3000))


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(SENTENCES)
    return path


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_encoding_on_a_cluster(
    ray_cluster: RayNodes, tmp_path: Path, text: Path, program: Program
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    hyperskip.encode(text, one)
    result = program("encode", text, "-o", two, "--cluster", ray_cluster.address)
    assert (result.code, result.out) == (0, ""), result.err
    assert files_of(one) == files_of(two)
    for name in files_of(one):
        assert filecmp.cmp(one / name, two / name, shallow=False), name


def test_nothing_is_written_without_a_cluster(
    ray_cluster: RayNodes, tmp_path: Path, text: Path, program: Program
) -> None:
    result = program("encode", text, "-o", tmp_path / "encoded", "--cluster", "localhost:1")
    result.check_refused("localhost:1", "--cluster", "ray start")
    assert files_of(tmp_path) == ["text.txt"]
