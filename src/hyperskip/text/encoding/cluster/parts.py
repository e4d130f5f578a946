"""The text in parts for the nodes of a cluster, in order.

A part is a range of bytes of a plain text file, or one or more whole files. Its pieces are those
that one machine reads, so the words do not depend on the parts.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hyperskip.errors import CorpusError
from hyperskip.files.compression import READING_ERRORS
from hyperskip.files.failures import reason_of
from hyperskip.files.remote import Location
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import DEFAULT_SIZES, Sizes
from hyperskip.text.reading.sources import SourceFile, Span, can_be_cut, piece_ends

_LARGEST_BYTES = 1 << 26
_PARTS_PER_CPU = 4  # so that all CPUs have work until the end


class Part(NamedTuple):
    """Consecutive text, read by one task."""

    spans: tuple[Span, ...]
    sources: tuple[SourceFile, ...]  # the file of each span, as this process has seen it


def default_part_bytes(total: int, cpus: int) -> int:
    """The size of parts that gives work to all CPUs."""
    return max(1, min(_LARGEST_BYTES, total // (_PARTS_PER_CPU * cpus)))


def cut_into_parts(
    files: Sequence[Location],
    sources: Sequence[SourceFile],
    options: TextOptions,
    part_bytes: int,
    sizes: Sizes = DEFAULT_SIZES,
) -> Iterator[Part]:
    """Cut the text of files into parts of about the same size; small files share a part.

    Args:
        files: The files.
        sources: Their sizes and dates.
        options: How to read them.
        part_bytes: The wanted size. Compressed files, tables and dumps cannot be cut.
        sizes: The size of pieces.

    Raises:
        CorpusError: A file cannot be read.
    """
    waiting: list[tuple[Span, SourceFile]] = []
    waiting_bytes = 0
    for file, source in zip(files, sources, strict=True):
        for span, size in _spans(file, source, options, part_bytes, sizes):
            if waiting and waiting_bytes + size > part_bytes:
                yield _part(waiting)
                waiting, waiting_bytes = [], 0
            waiting.append((span, source))
            waiting_bytes += size
    if waiting:
        yield _part(waiting)


def _part(spans: list[tuple[Span, SourceFile]]) -> Part:
    return Part(tuple(span for span, _ in spans), tuple(source for _, source in spans))


def _spans(
    file: Location, source: SourceFile, options: TextOptions, part_bytes: int, sizes: Sizes
) -> Iterator[tuple[Span, int]]:
    """Cut a file into spans, with the size of each."""
    absolute, name = file.absolute(), str(file)  # other machines have another working folder
    if source.size <= part_bytes or not can_be_cut(file, options):
        yield Span(absolute, name), source.size
        return
    begin = 0
    try:
        for end in piece_ends(file, source.size, part_bytes, sizes):
            yield Span(absolute, name, begin, end), end - begin
            begin = end
    except READING_ERRORS as error:
        raise CorpusError(
            f"cannot read {name}: {reason_of(error)}", hint="check that it is readable"
        ) from error
    yield Span(absolute, name, begin, None), source.size - begin
