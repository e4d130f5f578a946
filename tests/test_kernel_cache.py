"""Compiled kernels on disk are used if they are undamaged, and else compiled again."""

import os
import subprocess
import sys
from pathlib import Path

KERNEL = """
from numba import njit
from hyperskip.kernel_cache import cached_on_disk

@cached_on_disk
@njit
def doubled(value):
    return 2.0 * value
"""
DAMAGED = """
import os, sys
from pathlib import Path

HIT, COMPILED, FAILED = range(3)
folder = Path(os.environ["NUMBA_CACHE_DIR"])
sys.path.insert(0, sys.argv[1])

def called(value=3.0):
    child = os.fork()
    if not child:
        try:
            import kernel
            result = kernel.doubled(value)
            assert (result, type(result)) == (2.0 * value, type(2.0 * value))
            os._exit(HIT if kernel.doubled.stats.cache_hits else COMPILED)
        finally:
            os._exit(FAILED)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

import numba, numpy, hyperskip.kernel_cache  # once for all children
assert (called(), called()) == (COMPILED, HIT)
for ending in ("nbi", "nbc"):
    (path,) = folder.rglob("*." + ending)
    whole = path.read_bytes()
    for part in range(4):
        data = bytearray(whole)
        data[len(data) * part // 4] ^= 1 << part
        path.write_bytes(data)
        assert called() == COMPILED, (ending, part)
    path.write_bytes(whole[:-1])
    assert (called(), called()) == (COMPILED, HIT), ending

# As after a race of two processes: the data of one and the index of the other.
assert (called(3j), called(3j)) == (COMPILED, HIT)
first, second = sorted(folder.rglob("*.nbc"))
second.write_bytes(first.read_bytes())
assert [called(3.0), called(3j), called(3j)] == [HIT, COMPILED, HIT]
"""


def test_a_damaged_file_is_compiled_again(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(KERNEL)
    done = subprocess.run(
        [sys.executable, "-c", DAMAGED, tmp_path],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )
    assert done.returncode == 0, done.stderr


def test_the_folders_of_all_kernels_are_found(tmp_path: Path) -> None:
    script = """
from hyperskip.kernel_cache import cache_folders
from hyperskip.training.cpu import window
folders = cache_folders()
assert str(window.train_tiles.stats.cache_path) in map(str, folders)
print(len(folders))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == len(list(tmp_path.iterdir())) > 5
