"""Executes the notebook of the documentation; `make notebook` also stores its outputs."""

import base64
import io
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any

import nbclient
import nbformat
from PIL import Image

NOTEBOOK = Path(__file__).parent.parent / "docs" / "classify-texts.ipynb"
KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}


def stored_notebook() -> Any:
    return nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]


def execute(notebook: Any, folder: Path) -> None:
    """Replace the outputs of all cells; files are written to the folder."""
    resources = {"metadata": {"path": str(folder)}}
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources=resources, record_timing=False
    )
    client.execute()


def outputs(notebook: Any) -> list[list[Any]]:
    """The outputs of each code cell."""
    return [cell["outputs"] for cell in notebook.cells if cell["cell_type"] == "code"]


def store(notebook: Any) -> None:
    """Write the notebook without versions of this Python, and with 256 colors in pictures."""
    notebook.metadata = {"kernelspec": KERNEL, "language_info": {"name": "python"}}
    for output in chain.from_iterable(outputs(notebook)):
        if "image/png" in output.get("data", {}):
            output["data"]["image/png"] = _with_palette(output["data"]["image/png"])
    nbformat.write(notebook, NOTEBOOK)  # type: ignore[no-untyped-call]


def _with_palette(png: str) -> str:
    """The same picture in a third of the size."""
    memory = io.BytesIO()
    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        image.convert("RGB").quantize(256).save(memory, "png", optimize=True)
    return base64.b64encode(memory.getvalue()).decode()


if __name__ == "__main__":
    notebook = stored_notebook()
    with tempfile.TemporaryDirectory() as folder:
        execute(notebook, Path(folder))
    store(notebook)
