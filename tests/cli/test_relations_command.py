"""`hyperskip relations`: the table, the summary, and what is refused."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from program import Program

import hyperskip


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text("Animals such as dogs and cats.\nDogs and other animals.\n")
    return path


def test_table_and_summary(program: Program, tmp_path: Path, text: Path) -> None:
    output = tmp_path / "relations.tsv"
    result = program("relations", text, "-o", output)
    assert result.code == 0, result.err
    assert "2 different pairs" in result.err
    assert result.out.splitlines() == [
        *("narrower\tbroader\tcount", "dog\tanimal\t2", "cat\tanimal\t1")
    ]
    assert output.read_text().splitlines()[1] == "dog\tanimal\t2\tsuch-as,and-other"
    assert len(hyperskip.read_relations(output)) == 2


def test_json(program: Program, tmp_path: Path, text: Path) -> None:
    result = program("relations", text, "-o", tmp_path / "pairs.tsv", "--json", "--min-count", 2)
    summary = json.loads(result.out)
    assert summary["different_pairs"] == 1
    assert summary["pairs"] == 3
    assert summary["pruned"] == {"pairs": 0, "occurrences": 0, "highest_count": 0}


def test_no_pairs_are_explained(program: Program, tmp_path: Path, text: Path) -> None:
    output = tmp_path / "relations.tsv"
    rare = program("relations", text, "-o", output, "--min-count", 3)
    assert rare.code == 0
    assert "hint: all pairs are rarer than --min-count" in rare.err
    text.write_text("狗是一种动物。动物例如猫和狗。\n")
    other_language = program("relations", text, "-o", output)
    assert other_language.code == 0
    assert "pass --patterns" in other_language.err
    assert len(hyperskip.read_relations(output)) == 0


def test_what_is_refused(program: Program, tmp_path: Path, text: Path) -> None:
    output = tmp_path / "relations.tsv"
    patterns = tmp_path / "patterns.txt"
    patterns.write_text("[patterns]\nnothing\n")
    program("relations", text, "-o", output, "--patterns", patterns).check_refused("line 2")
    program("relations", text, "-o", output, "--pair-limit", 5).check_refused("--pair-limit", 5)
    program("relations", tmp_path / "no.txt", "-o", output).check_refused("no.txt")
    program("relations", text, "-o", text).check_refused("text.txt")
    assert not output.exists()
    assert text.read_text().startswith("Animals")


def test_ctrl_c_leaves_no_file(
    program: Program, tmp_path: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hyperskip.text.relations.matcher.Matcher.find", interrupted)
    before = sorted(tmp_path.iterdir())
    result = program("relations", text, "-o", tmp_path / "relations.tsv")
    assert "nothing was saved" in result.err
    assert sorted(tmp_path.iterdir()) == before


def children(parent: int) -> set[int]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True)
    return set(map(int, found.stdout.split()))


@pytest.mark.skipif(shutil.which("pgrep") is None, reason="pgrep is not installed")
def test_ctrl_c_ends_worker_processes(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_text("Animals such as dogs and cats sleep.\n" * 1_500_000)
    command = [sys.executable, "-m", "hyperskip", "relations", "big.txt", "-o", "relations.tsv"]
    running = subprocess.Popen(
        [*command, "--threads", "2"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    )
    while running.poll() is None and len(children(running.pid)) < 2:
        time.sleep(0.05)
    time.sleep(0.5)
    started = children(running.pid)
    assert len(started) == 2
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=30)
    assert running.returncode == 128 + signal.SIGINT, err
    assert "Traceback" not in err
    for child in started:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["big.txt"]
