"""The notebook of the documentation runs, and its stored outputs are complete and small."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ipykernel")
from notebook_runner import NOTEBOOK, execute, outputs, stored_notebook

LARGEST = 300_000  # bytes


def kinds(notebook: Any) -> list[list[list[str]]]:
    """What each code cell shows: the types of its outputs."""
    return [
        [[output["output_type"], *sorted(output.get("data", {}))] for output in shown]
        for shown in outputs(notebook)
    ]


def test_it_was_executed_in_order() -> None:
    cells = [cell for cell in stored_notebook().cells if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    for cell in cells:
        assert cell["outputs"], cell["source"]
        assert not {"error", "stream"} & {output["output_type"] for output in cell["outputs"]}


def test_it_is_small_and_names_nothing_of_the_machine() -> None:
    text = NOTEBOOK.read_text(encoding="utf-8")
    assert len(text) < LARGEST
    without_images = re.sub(r'"image/png": "[^"]*"', "", text)
    assert not re.search(r"/home|/root|/tmp|/Users|\\u001b|site-packages", without_images)
    assert set(json.loads(text)["metadata"]) == {"kernelspec", "language_info"}


def test_its_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\((\S+?)\)", NOTEBOOK.read_text(encoding="utf-8")):
        assert (NOTEBOOK.parent / target).exists(), target


@pytest.mark.slow
def test_it_runs(tmp_path: Path) -> None:
    """Every cell runs, and shows the same kinds of results as in the documentation."""
    notebook = stored_notebook()
    stored = kinds(notebook)
    execute(notebook, tmp_path)
    assert kinds(notebook) == stored
    assert sorted(path.name for path in tmp_path.iterdir()) == ["topics.bin", "topics.safetensors"]
    accuracy = re.findall(r"0\.\d+(?=  )", str(outputs(notebook)[6][0]["data"]["text/plain"]))
    tf_idf, points, both = map(float, accuracy)
    assert max(tf_idf + 0.1, 0.9) < min(points, both)
