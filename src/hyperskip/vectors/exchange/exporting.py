"""Export of vectors: to a format of other programs, or ready for a library."""

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from hyperskip.errors import (
    OptionError,
    OutputError,
    VectorFileWarning,
    alternatives,
    shown,
    warn,
)
from hyperskip.files.locks import only_writer
from hyperskip.files.targets import check_writable, check_writable_folder, is_folder
from hyperskip.files.writing import existing_folder, replacing, replacing_files
from hyperskip.geometry.arrays import Floats
from hyperskip.geometry.measures import measure_named
from hyperskip.geometry.names import ANGLE, PRODUCT
from hyperskip.options import checked_path, named_arguments
from hyperskip.vectors.exchange import binary_formats, text_formats
from hyperskip.vectors.exchange.coordinates import (
    column_count,
    cosine_measure,
    default_coordinates,
    written_rows,
)
from hyperskip.vectors.exchange.fasttext.writing import write_fasttext_model
from hyperskip.vectors.exchange.floret import write_floret
from hyperskip.vectors.exchange.held_words import check_words
from hyperskip.vectors.exchange.kept_ngrams import (
    check_ngrams,
    check_room,
    format_with_ngrams,
    keeps_ngrams,
)
from hyperskip.vectors.exchange.names import (
    BALL,
    FAISS,
    FASTTEXT_BINARY,
    FLORET,
    FORMATS,
    GENSIM,
    NPZ,
    POINTS,
    PROJECTOR,
    SPACY,
    TOOLS,
    WORD2VEC,
    WORD2VEC_BINARY,
    WRITTEN_COORDINATES,
)
from hyperskip.vectors.exchange.suffixes import (
    COMPRESSED,
    check_choice,
    check_suffix_for,
    format_of_suffix,
)
from hyperskip.vectors.exchange.tools import folders
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.word_vectors import WordVectors

_NEAR_BOUNDARY = 0.999
_FORMAT_OF_TOOL = {GENSIM: WORD2VEC_BINARY, PROJECTOR: PROJECTOR}
_SEPARATORS = {WORD2VEC_BINARY: " \n", FASTTEXT_BINARY: "\0", PROJECTOR: "\t\n"}


@named_arguments
def export_vectors(
    vectors: WordVectors | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    coordinates: str | None = None,
    tool: str | None = None,
    measure: str | None = None,
) -> list[Path]:
    """Write vectors for other programs. An error leaves existing files unchanged.

    A hierarchy is left out, with a warning: only model files can hold it. N-grams are left out,
    too, except by "fasttext-binary" for those of fastText, and by "floret" and `tool="spacy"` for
    those of floret.

    Pass `tool` to get files that a library loads as they are. Pass `format` or `coordinates` to
    choose the file yourself.

    Args:
        vectors: The vectors to write, or the path of a model.
        path: A file, or a folder for the projector and most tools, which is created if necessary.
        format: "word2vec", "word2vec-binary", "fasttext", "fasttext-binary", "glove",
            "minkowski", "npz", "floret" or "projector"; by default, the suffix of the path decides.
        coordinates: On the hyperboloid "points" (time last), "points-time-first" (as in geoopt),
            "spatial" (without time) or "ball" (Poincaré). By default "points" for minkowski and
            npz, and "spatial" for all others: their cosine is the measure "angle". Euclidean
            vectors only have "points".
        tool: "gensim", "spacy", "sentence-transformers", "model2vec", "torch", "faiss" or
            "projector".
        measure: The measure of similarity that the tool ranks by: "product", "distance" or "angle"
            for faiss, and "angle" for all others, which compare by cosine. By default, the first
            that the tool has.

    Returns:
        The files that were written.

    Raises:
        OptionError: There is no such format, tool or measure, there are no such coordinates, or
            they do not go together.
        GeometryError: The space of the vectors does not have these coordinates.
        OutputError: The file cannot be written, or it cannot hold a word or a point.
    """
    return planned_export(
        vectors, path, format=format, coordinates=coordinates, tool=tool, measure=measure
    ).write()


@dataclass(frozen=True)
class Export:
    """What will be written, with nothing left open."""

    vectors: WordVectors
    path: Path
    tool: str | None
    measure: str | None  # of similarity, by which other programs rank these numbers; None if none
    format: str | None = None  # None for the folder of a tool
    coordinates: str | None = None  # the same

    def usage(self) -> list[str]:
        """Return the lines that load the files into the tool and use them."""
        if self.tool is None:
            return []
        lines = [line.replace("PATH", self.path.as_posix()) for line in TOOLS[self.tool].usage]
        if self.tool == FAISS and self.vectors.space.is_curved and self.measure != ANGLE:
            n = self.vectors.dimension // self.vectors.factors
            times = "-1" if self.vectors.factors == 1 else f"{n} :: {n + 1}"
            lines.insert(-1, f"query[{times}] *= -1  # the time, in every query")
        if self.tool == SPACY and format_with_ngrams(self.vectors) == FLORET:
            lines[-1] = 'nlp("dog").similarity(nlp("doggish"))  # also of unknown words'
        return lines

    def write(self) -> list[Path]:
        """Write the files, and return their paths.

        Raises:
            OutputError: They cannot be written.
        """
        if self.vectors.has_hierarchy:
            warn(
                f"{self.path} has no hierarchy: only model files (.safetensors) can hold the one "
                "of these vectors",
                VectorFileWarning,
            )
        if not keeps_ngrams(self.vectors, self.format, self.tool):
            kept = format_with_ngrams(self.vectors)
            warn(
                f"{self.path} has only the words of the vocabulary: the n-grams are kept by "
                f"`format={kept!r}`{f' and `tool={SPACY!r}`' if kept == FLORET else ''}",
                VectorFileWarning,
            )
        if self.format is None or self.coordinates is None:
            assert self.tool is not None
            assert self.measure is not None
            return folders.write_folder(self.vectors, self.path, self.tool, self.measure)
        if self.format == PROJECTOR:
            return _export_projector(self.vectors, self.path, self.coordinates)
        with replacing(self.path) as temporary, temporary.open("wb") as file:
            if self.format == NPZ:
                binary_formats.write_npz(file, self.vectors, self.coordinates)
            elif self.format == WORD2VEC_BINARY:
                binary_formats.write_word2vec_binary(file, self.vectors, self.coordinates)
            elif self.format == FASTTEXT_BINARY:
                write_fasttext_model(file, self.vectors, self.coordinates)
            elif self.format == FLORET:
                assert self.vectors.subwords is not None
                write_floret(file, self.vectors.subwords)
            else:
                layout = text_formats.LAYOUTS[self.format]
                text_formats.write_text(file, self.vectors, self.coordinates, layout)
        return [self.path]


def planned_export(
    vectors: WordVectors | str | os.PathLike[str],
    path: str | os.PathLike[str],
    *,
    format: str | None,  # noqa: A002
    coordinates: str | None,
    tool: str | None,
    measure: str | None,
) -> Export:
    """Decide what `export_vectors` writes, and check that it can be written.

    Raises:
        OptionError, GeometryError, OutputError: See `export_vectors`.
    """
    _check_together(format, coordinates, tool, measure)
    vectors, path = given_model("vectors", vectors), checked_path("path", path)
    if path.suffix.lower() in COMPRESSED:
        raise OptionError(
            f"cannot export to {path}: compressed files are not supported",
            hint=f"export to {path.with_suffix('')} and compress it",
        )
    if vectors.coordinates.size == 0:
        raise OutputError("there are no vectors to export", hint="train on more text")
    if tool is None:
        name = format or _export_format(path)
        coordinates = coordinates or default_coordinates(vectors, name)
        measure = cosine_measure(vectors, coordinates)
    else:
        measure = _measure_of_tool(vectors, tool, measure)
        if tool not in _FORMAT_OF_TOOL:
            folders.check_folder(vectors, path, tool)
            return Export(vectors, path, tool, measure)
        name = _FORMAT_OF_TOOL[tool]
        if not TOOLS[tool].is_folder:
            check_suffix_for(tool, path, name)
        coordinates = default_coordinates(vectors, name)
    column_count(vectors, coordinates)  # raises if the space does not have these coordinates
    _check_target(path, name)
    _check_words(vectors, name, tool)
    check_ngrams(vectors, name, coordinates)
    check_room(vectors, path, name)
    if coordinates == BALL:
        _check_boundary(vectors, name)
    return Export(vectors, path, tool, measure, name, coordinates)


def _check_together(
    format_name: str | None, coordinates: str | None, tool: str | None, measure: str | None
) -> None:
    """Check the names, and that they do not contradict each other."""
    if format_name is not None:
        check_choice("format", format_name, FORMATS)
    if coordinates is not None:
        check_choice("coordinates", coordinates, WRITTEN_COORDINATES)
    if tool is not None:
        check_choice("tool", tool, TOOLS)
        for name, value in (("format", format_name), ("coordinates", coordinates)):
            if value is not None:
                raise OptionError(
                    f"`{name}={value!r}` cannot be combined with `tool={tool!r}`, which decides it",
                    hint=f"leave out `{name}` or `tool`",
                )
    elif measure is not None:
        raise OptionError(
            f"`measure={measure!r}` requires `tool`",
            hint="without it, `coordinates` decides how other programs compare the vectors",
        )


def _measure_of_tool(vectors: WordVectors, tool: str, measure: str | None) -> str:
    """Return the measure that a tool ranks by, which is the first one that it has by default."""
    measures = TOOLS[tool].measures
    if not vectors.space.is_curved:  # there, `product` is the cosine
        measures = (PRODUCT, *(name for name in measures if name != PRODUCT))
    if measure is None:
        return measures[0]
    measure_named(measure, vectors.space.measures)
    if measure not in measures:
        others = alternatives(
            f"`tool={name!r}`" for name, known in TOOLS.items() if measure in known.measures
        )
        raise OptionError(
            f"`tool={tool!r}` compares vectors by their cosine, so `measure` must be "
            f"{alternatives(map(repr, measures))}, got {measure!r}",
            hint=f"for {measure!r}, use {others}",
        )
    return measure


def _check_target(path: Path, format_name: str) -> None:
    if format_name != PROJECTOR:
        check_writable(path)
    elif not is_folder(path):
        check_writable_folder(path)


def _export_projector(vectors: WordVectors, folder: Path, coordinates: str) -> list[Path]:
    files = [folder / name for name in text_formats.PROJECTOR_FILES]
    with (
        existing_folder(folder),
        only_writer(files[0]),  # all files must come from the same writer
        replacing_files(*files) as temporaries,
        contextlib.ExitStack() as stack,
    ):
        vectors_file, metadata_file, config_file = (
            stack.enter_context(temporary.open("wb")) for temporary in temporaries
        )
        text_formats.write_projector(vectors_file, metadata_file, config_file, vectors, coordinates)
    return files


def _export_format(path: Path) -> str:
    if is_folder(path):
        return PROJECTOR
    return format_of_suffix(path.suffix.lower(), path)


# -- checks of what a format can hold


def _check_words(vectors: WordVectors, format_name: str, tool: str | None) -> None:
    if format_name == FLORET:  # which has no words
        return
    if format_name == NPZ:
        hint = "use `format='word2vec'`, or save the vectors as a .safetensors file"
        binary_formats.check_table_of_words(vectors.words, NPZ, hint=hint)
        return
    check_words(
        vectors.words,
        f"the format {format_name}",
        separators=_SEPARATORS.get(format_name, "\n"),
        hint="use `format='npz'`, or save the vectors as a .safetensors file"
        if tool is None
        else folders.HINT_OTHER_TOOL,
    )
    if format_name in text_formats.LAYOUTS and not text_formats.LAYOUTS[format_name].header:
        text_formats.check_headerless(vectors.words)


def _check_boundary(vectors: WordVectors, format_name: str) -> None:
    """Check that the format has enough digits to keep all points off the boundary of the ball."""
    as_read = _as_read(format_name)
    lost: list[str] = []
    for words, values in written_rows(vectors, BALL):
        near = np.flatnonzero(np.linalg.norm(values, axis=1) > _NEAR_BOUNDARY)
        on_boundary = ~(np.linalg.norm(as_read(values[near]), axis=1) < 1)
        lost.extend(words[row] for row in near[on_boundary])
    if lost:
        raise OutputError(
            f"{len(lost)} of {len(vectors)} points, for example {shown(lost[0])}, are so far out "
            f"that {format_name} would round them to the boundary of the ball",
            hint=f"use `coordinates={POINTS!r}`",
        )


def _as_read(format_name: str) -> Callable[[Floats], Floats]:
    """Return a function that rounds numbers as the format does."""
    if format_name == NPZ:
        return lambda values: values
    if format_name in (WORD2VEC_BINARY, FASTTEXT_BINARY):
        return binary_formats.as_float32
    layout = text_formats.LAYOUTS.get(format_name, text_formats.LAYOUTS[WORD2VEC])
    return lambda values: text_formats.as_printed(values, layout)
