"""Exports the explorer of a model: one HTML file, or a folder for a web server."""

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hyperskip.errors import OptionError, OutputError
from hyperskip.explorer.arranging import arranged_for
from hyperskip.explorer.export.options import NEIGHBORS
from hyperskip.explorer.export.stored_answers import stored_answers
from hyperskip.explorer.export.stored_data import StoredData
from hyperskip.files.known_folders import EXPLORER_DATA
from hyperskip.files.targets import check_writable, check_writable_folder
from hyperskip.files.writing import replacing, replacing_folder
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.graphs.word_graph import WordGraph
from hyperskip.options import checked_path
from hyperskip.page.assets import PAGE_FOLDER, stored_page, stored_page_files
from hyperskip.projection.disc_map import DiscMap
from hyperskip.projection.map_events import Report, ignore
from hyperskip.projection.methods import MAP_WORDS
from hyperskip.projection.projecting import make_map
from hyperskip.vectors.word_vectors import WordVectors

_ARRAYS = "data"
_INDEX = "index.html"


def is_one_file(path: Path) -> bool:
    """Whether an export to this path is one file, and not a folder."""
    return path.suffix.lower() in (".html", ".htm")


def check_export_target(path: Path, *, force: bool, inputs: Iterable[Path] = ()) -> None:
    """Check that an export can be written to a path, before any work is done for it.

    Raises:
        OutputError: It cannot be written, there is an export and `force` is False, or a folder
            contains other files.
    """
    if is_one_file(path):
        check_writable(path, inputs=inputs)
        return
    check_writable_folder(path)
    if not path.is_dir() or not any(path.iterdir()):
        return
    if not (path / EXPLORER_DATA).is_file():
        raise OutputError(
            f"the folder {path} exists and is not an exported explorer",
            hint="choose a folder that does not exist, or a path that ends in .html for one file",
        )
    foreign = [file for file in path.rglob("*") if not _is_of_export(file.relative_to(path))]
    if foreign:
        raise OutputError(
            f"{foreign[0]} is not part of the exported explorer in {path} and would be deleted "
            "with it",
            hint="move it elsewhere, or choose a folder that does not exist",
        )
    if not force:
        raise OutputError(
            f"{path} already contains an exported explorer",
            hint="pass `force=True` to replace it",
        )


def export_with_new_map(
    vectors: WordVectors,
    path: str | os.PathLike[str],
    *,
    words: int,
    neighbors: int,
    edges: Any,
    projection: str,
    name: str,
    force: bool,
) -> None:
    """Make a map and export it; see `WordVectors.export_explorer`."""
    target = checked_path("path", path)
    check_export_target(target, force=force)
    words = min(MAP_WORDS.checked("words", words), len(vectors))
    neighbors = NEIGHBORS.checked("neighbors", neighbors)
    if not isinstance(name, str) or not name:
        raise OptionError(f"`name` must be a text, got {name!r}", hint="pass the name of the model")
    given = None if edges is None else read_graph(edges)
    shown = vectors.subset(np.arange(words))
    graph = None
    if given is not None:
        graph = WordGraph(given, shown.known_rows(given.names), shown.words)
    disc_map = make_map(vectors, np.arange(words), method=projection)
    export_explorer(
        shown, disc_map, target, name=name, graph=graph, neighbors=neighbors,
        words_in_model=len(vectors), force=force,
    )  # fmt: skip


def export_explorer(
    vectors: WordVectors,
    disc_map: DiscMap,
    path: Path,
    *,
    name: str,
    neighbors: int,
    graph: WordGraph | None = None,
    words_in_model: int,
    force: bool = False,
    report: Report = ignore,
) -> int:
    """Write the explorer of a model completely or not at all, and return its size in bytes.

    Args:
        vectors: The words of the map, in the order of its rows, and no others.
        disc_map: Their positions.
        path: A file that ends in .html, or a folder.
        name: Name of the model.
        neighbors: Number of neighbors of each word.
        graph: Edges between the words.
        words_in_model: Number of all words of the model.
        force: Whether to replace a folder that is an export.
        report: Called with the progress.

    Raises:
        OutputError: As `check_export_target`, or writing fails.
    """
    check_export_target(path, force=force)
    disc_map = arranged_for(graph, replace(disc_map, rows=np.arange(len(vectors))), vectors)
    data = stored_answers(
        vectors.compacted(), disc_map, name=name, graph=graph, neighbors=neighbors,
        words_in_model=words_in_model, report=report,
    )  # fmt: skip
    if is_one_file(path):
        content = stored_page(data.in_one()).encode()
        with replacing(path) as temporary:
            temporary.write_bytes(content)
        return len(content)
    files = _files(data)
    with replacing_folder(path) as folder:
        for part, content in files.items():
            (folder / part).parent.mkdir(exist_ok=True)
            (folder / part).write_bytes(content)
    return sum(map(len, files.values()))


def _files(data: StoredData) -> dict[str, bytes]:
    values, arrays = data.with_files(_ARRAYS)
    content = json.dumps(values, allow_nan=False, separators=(",", ":")).encode()
    return {**stored_page_files(), EXPLORER_DATA: content, **arrays}


def _is_of_export(path: Path) -> bool:
    if len(path.parts) == 1:
        return path.name in (_INDEX, EXPLORER_DATA, PAGE_FOLDER, _ARRAYS)
    kinds = {PAGE_FOLDER: (".js", ".css"), _ARRAYS: (".bin",)}
    return len(path.parts) == 2 and path.suffix in kinds.get(path.parts[0], ())
