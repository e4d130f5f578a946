"""The tasks that the nodes of a cluster run for encoding."""

import platform
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.errors import CorpusError
from hyperskip.text.encoding.cluster.parts import Part
from hyperskip.text.encoding.cluster.scanned_parts import (
    PartText,
    PartWords,
    finished,
    scanned,
    scanner_for,
)
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Sizes
from hyperskip.text.reading.sources import read_spans, source_file

_SHARE = "all nodes must read the same text: put it into a folder that they share, or pass a URL"


class Scanning(NamedTuple):
    """How to scan all parts."""

    options: TextOptions
    sizes: Sizes
    part_bytes: int
    compiled: bool  # whether to use the kernel
    node_names: Mapping[str, str]  # by id


def scan_part(part: Part, scanning: Scanning) -> Iterator[PartWords | PartText]:
    """Read a part and number its words.

    Yields:
        The words and the text of the part; several times if it is a large file that cannot be cut.

    Raises:
        CorpusError: This node cannot read the text, or it is not the same as on the other nodes.
    """
    node = _node_name(scanning.node_names)
    bytes_read = 0

    def advance(count: int) -> None:
        nonlocal bytes_read
        bytes_read += count

    _check_files(part, node)
    scan, new_lexicon = scanner_for(scanning.options.word_rules, compiled=scanning.compiled)
    pieces = read_spans(part.spans, scanning.options, advance, sizes=scanning.sizes)
    try:
        for words, text in scanned(
            pieces, scan, new_lexicon, scanning.part_bytes, lambda: bytes_read
        ):
            yield words
            yield text
    except CorpusError as error:
        if isinstance(error.__cause__, OSError):
            error.message += f" (on node {node})"
        raise


def finish_part(
    text: PartText, ids: npt.NDArray[np.int32], final_ids: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], tuple[int, npt.NDArray[np.int64]]]:
    """Write a part in final ids, without rare words.

    Args:
        text: The text.
        ids: The provisional id of each word of the part.
        final_ids: The final id of each provisional one, or -1.

    Returns:
        The ids; and their number, with the number of them before the end of each document.
    """
    tokens, breaks = finished(text, final_ids[ids])
    return tokens, (len(tokens), breaks)


def _check_files(part: Part, node: str) -> None:
    for span, before in zip(part.spans, part.sources, strict=True):
        now = source_file(span.file)
        if now is None:
            raise CorpusError(f"there is no file {span.name} on node {node}", hint=_SHARE)
        if now.size != before.size:
            raise CorpusError(
                f"{span.name} has {now.size:,} bytes on node {node}, but had {before.size:,} "
                "bytes when encoding started",
                hint=f"wait until it is complete; {_SHARE}",
            )


def _node_name(names: Mapping[str, str]) -> str:
    import ray

    return names.get(ray.get_runtime_context().get_node_id(), platform.node())
