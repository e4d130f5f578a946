"""The Python in docs/scikit-learn.md works."""

import re
from pathlib import Path
from typing import Any

import pytest

from hyperskip import WordVectors

GUIDE = Path(__file__).parent.parent.parent / "docs" / "scikit-learn.md"


def test_the_guide(trained: WordVectors, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trained.save(tmp_path / "model.safetensors")
    monkeypatch.chdir(tmp_path)
    code = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.S | re.M)
    names: dict[str, Any] = {}
    for block in code:
        exec(compile(block, GUIDE.name, "exec"), names)
    assert names["frame"].shape == (len(names["texts"]), trained.dimension)
