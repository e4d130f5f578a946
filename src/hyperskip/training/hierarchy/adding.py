"""From word vectors and relations to word vectors with a hierarchy: `hyperskip.add_hierarchy`."""

from __future__ import annotations  # help() shows PathLike, not what it expands to

import os
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from hyperskip.errors import CorpusWarning, InputError, warn
from hyperskip.graphs.graph import Graph
from hyperskip.options import declarations, named_arguments
from hyperskip.text.relations.pattern_file import read_language
from hyperskip.text.relations.word_classes import Singulars
from hyperskip.training.hierarchy.calibration import (
    UNCALIBRATED,
    fitted_curve,
    held_out_pairs,
    other_pairs,
)
from hyperskip.training.hierarchy.given_relations import given_relations
from hyperskip.training.hierarchy.options import HierarchyOptions
from hyperskip.training.hierarchy.placing import Placement, placed
from hyperskip.training.hierarchy.propagation import similar_words
from hyperskip.training.hierarchy.word_relations import (
    KnownRelations,
    WordRelations,
    relations_of_words,
)
from hyperskip.training.options import TrainingOptions
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.model_file import given_model
from hyperskip.vectors.word_vectors import WordVectors

PathLike = str | os.PathLike[str]

_MOST_EVIDENCE = 1e18  # so that it fits into 64 bits, and points into float32
_FEW_PAIRS = 100  # below, little can be said about other words, and nothing is calibrated


@named_arguments
def add_hierarchy(
    vectors: WordVectors | PathLike,
    relations: Any,
    *,
    dimension: int = declarations(HierarchyOptions)["hierarchy_dimension"].default,
    seed: int = 1,
    patterns: PathLike | None = None,
) -> WordVectors:
    """Add a hierarchy to word vectors: what is a kind of what.

    The hierarchy is a second point of each word. The broader a word, the nearer this point lies to
    the middle. Words without relations are placed by those of similar words. The vectors
    themselves, and so all similarities, stay the same.

    Args:
        vectors: Word vectors, or the path of a model.
        relations: What `hyperskip.extract_relations` returned; the path of a file that it or
            `hyperskip relations` wrote; or pairs (narrower, broader), with or without a count:
            anything that `hyperskip.read_graph` reads.
        dimension: Dimension of the hierarchy, in addition to that of the vectors (between 2 and
            1000).
        seed: Seed of the random numbers (at least 0).
        patterns: The file of patterns that the relations were found with, if not English: its
            singular forms are used to find terms in the vocabulary.

    Returns:
        The same words and vectors, with a hierarchy. A hierarchy that they had is replaced.

    Raises:
        InputError: No relation has both terms in the vocabulary, or counts are too large.
        OptionError: An argument is not allowed.
        CorpusError: A file is missing or cannot be read.
        GraphError: A pair is malformed, or there are none.
        VectorFileError: The model cannot be read.

    Warns:
        CorpusWarning: Fewer than 100 relations have both terms in the vocabulary.
    """
    dimension = declarations(HierarchyOptions)["hierarchy_dimension"].checked(
        "dimension", dimension
    )
    seed = declarations(TrainingOptions)["seed"].checked("seed", seed)
    singulars = Singulars(read_language(patterns))
    graph = given_relations(relations)
    model = given_model("vectors", vectors)
    known = relations_of_words(model, graph, singulars.__getitem__)
    check_known(known, graph)
    return with_hierarchy(model, known, dimension, seed)


def with_hierarchy(
    vectors: WordVectors, known: KnownRelations, dimension: int, seed: int
) -> WordVectors:
    """Place all words in a hierarchy; see `add_hierarchy`.

    Args:
        vectors: The words and their similarities.
        known: The relations of these words.
        dimension: Of the hierarchy.
        seed: Of the random numbers.
    """
    stated, bases = known
    # On some processors, a matrix product in several threads has other rounding errors.
    with threadpool_limits(limits=1, user_api="blas"):
        placing = _Placing(vectors, stated, dimension, seed)
        slope, offset = placing.calibration()
        placement = placing.placement(stated)
    points = HierarchyPoints(
        placement.coordinates[bases].astype(np.float32),
        slope=slope,
        offset=offset,
        evidence=stated.evidence_in_whole_numbers,
        edge=placement.edge,
    )
    return WordVectors(
        vectors.words,
        vectors.coordinates,
        counts=vectors.counts,
        geometry=vectors.geometry,
        factors=vectors.factors,
        options=vectors.options,
        history=vectors.history,
        hierarchy=points,
        subwords=vectors.subwords,
    )


def check_known(known: KnownRelations, relations: Graph) -> None:
    """Check that relations have both terms in the vocabulary.

    Args:
        known: Those that have.
        relations: All relations.

    Raises:
        InputError: There are none, or their counts are too large.
    """
    pairs, words = known.stated.counts.nnz, len(known.bases)
    most = float(known.stated.evidence.max(initial=0.0))
    if not most < _MOST_EVIDENCE:
        raise InputError(
            f"the counts of the relations of a word must be below {_MOST_EVIDENCE:g} in all, got "
            f"{most:g}",
            hint="divide all counts by the same number",
        )
    if not pairs:
        raise InputError(
            f"none of the {relations.edge_count:,} relations has both terms in the vocabulary of "
            f"{words:,} words",
            hint="extract relations from text of the same language and kind",
        )
    if pairs < _FEW_PAIRS:
        warn(
            f"there are only {pairs} relations between words of the vocabulary, of "
            f"{relations.edge_count:,} in all: the hierarchy says little about other words",
            CorpusWarning,
        )


class _Placing:
    """Places the words by relations, several times, with the same similar words."""

    def __init__(
        self, vectors: WordVectors, stated: WordRelations, dimension: int, seed: int
    ) -> None:
        self._stated = stated
        self._counts = vectors.counts.astype(np.float64)
        self._dimension, self._seed = dimension, seed
        known = np.flatnonzero(stated.evidence > 0)
        self._similar = similar_words(vectors.coordinates, known)

    def placement(self, relations: WordRelations) -> Placement:
        """Place all words by these relations."""
        return placed(relations, self._similar, self._counts, self._dimension, self._seed)

    def calibration(self) -> tuple[float, float]:
        """Return the slope and offset that fit pairs which were held out."""
        if self._stated.counts.nnz < _FEW_PAIRS:
            return UNCALIBRATED
        held_out = held_out_pairs(self._stated, self._seed)
        placement = self.placement(self._stated.without(held_out))
        points = HierarchyPoints(
            placement.coordinates, slope=1.0, offset=0.0,
            evidence=np.zeros(len(placement.heights), dtype=np.int64), edge=placement.edge,
        )  # fmt: skip
        pairs = self._stated.counts.tocoo()
        narrower, broader = (nodes[held_out].astype(np.int64) for nodes in (pairs.row, pairs.col))
        others = other_pairs(self._stated, self._similar, narrower, broader, self._seed)
        stated = points.scores(narrower, broader)
        return fitted_curve(stated, pairs.data[held_out], points.scores(*others))
