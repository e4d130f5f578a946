"""Which formats keep the n-grams of a model, and what they require."""

from pathlib import Path

from hyperskip.errors import GeometryError, OptionError, VectorFileWarning, warn
from hyperskip.files.targets import check_space
from hyperskip.vectors.exchange.fasttext.writing import check_sizes
from hyperskip.vectors.exchange.floret import check_words_are_means, floret_size
from hyperskip.vectors.exchange.names import FASTTEXT_BINARY, FLORET, POINTS, SPACY, SPATIAL
from hyperskip.vectors.word_vectors import WordVectors

_LARGE = 10_000_000_000  # bytes


def format_with_ngrams(vectors: WordVectors) -> str | None:
    """Return the format that keeps the n-grams of a model, or None if it has none."""
    if vectors.subwords is None:
        return None
    return FASTTEXT_BINARY if vectors.subwords.scheme.has_word_rows else FLORET


def keeps_ngrams(vectors: WordVectors, format_name: str | None, tool: str | None) -> bool:
    """Whether a format, or the folder of a tool, holds everything that the model has of n-grams."""
    kept = format_with_ngrams(vectors)
    return kept is None or format_name == kept or (kept == FLORET and tool == SPACY)


def check_ngrams(vectors: WordVectors, format_name: str, coordinates: str) -> None:
    """Check that a format for n-grams can hold those of a model, with these coordinates.

    Raises:
        OptionError: The format is for other n-grams.
        GeometryError: The mean of n-grams is not a point in these coordinates.
        OutputError: There are too many, or they do not give the coordinates of the words.
    """
    if format_name not in (FASTTEXT_BINARY, FLORET):
        return
    kept = format_with_ngrams(vectors)
    if format_name == FLORET and kept is None:
        raise OptionError(
            f"`format={FLORET!r}` holds only n-grams, and the model has none",
            hint="train with subwords and bucket hashes, or choose a format of words",
        )
    if kept not in (None, format_name):
        raise OptionError(
            f"`format={format_name!r}` cannot hold the n-grams of this model, which are those of "
            f"{'floret' if kept == FLORET else 'fastText'}",
            hint=f"use `format={kept!r}`, or a format of words only, such as `format='word2vec'`",
        )
    linear = SPATIAL if vectors.space.is_curved else POINTS
    if kept is not None and coordinates != linear:
        raise GeometryError(
            f"n-grams cannot be exported with `coordinates={coordinates!r}`: a word is the mean of "
            f"its n-grams in {'spatial' if linear == SPATIAL else 'plain'} coordinates only",
            hint=f"use `coordinates={linear!r}`, or leave it out",
        )
    if format_name == FASTTEXT_BINARY:
        check_sizes(vectors)
    elif vectors.subwords is not None:
        check_words_are_means(vectors, vectors.subwords)


def check_room(vectors: WordVectors, path: Path, format_name: str | None) -> None:
    """Check that there is room for a row for every bucket, and warn if the rows are many.

    Args:
        vectors: The vectors, whose n-grams may be written.
        path: The file or folder.
        format_name: The format; None for the folder of spaCy.

    Raises:
        OutputError: There is no room.
    """
    table = vectors.subwords
    if table is None or format_name not in (FASTTEXT_BINARY, FLORET, None):
        return
    buckets = table.scheme.buckets
    size = floret_size(table) if format_name == FLORET else 4 * buckets * vectors.dimension
    smaller = (
        "train with fewer buckets, or export the words only, for example with `format='word2vec'`"
    )
    check_space(path, size, hint=f"it has a row for each of the {buckets:,} buckets: {smaller}")
    if size >= _LARGE:
        warn(
            f"{path} takes about {size / 1e9:,.1f} GB: it has a row for each of the {buckets:,} "
            f"buckets of n-grams. To get a smaller one, {smaller}",
            VectorFileWarning,
        )
