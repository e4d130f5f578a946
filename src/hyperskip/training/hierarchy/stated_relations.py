"""The relations of a training: given, or found in the text while it is read.

What works with them is imported when it is needed: trainings without relations do not load SciPy.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hyperskip.errors import OptionError, TrainingWarning, warn
from hyperskip.options import declarations
from hyperskip.text.pieces import Piece
from hyperskip.text.words.vocabulary import Vocabulary
from hyperskip.training.arguments import OptionGroups
from hyperskip.training.hierarchy.options import HierarchyOptions
from hyperskip.training.run.training_events import HierarchyAdded, Report
from hyperskip.training.settled_options import settled_options
from hyperskip.vectors.word_vectors import WordVectors

if TYPE_CHECKING:
    from hyperskip.graphs.graph import Graph
    from hyperskip.text.relations.extracting import RelationCounter
    from hyperskip.training.hierarchy.word_relations import KnownRelations


class StatedRelations:
    """Relations that are given or found in the text; or none, if no hierarchy is wanted.

    Args:
        relations: What was passed as `relations`. It is read at once, so that errors come before
            the training.
        groups: The options of the training.

    Raises:
        OptionError: The options contradict each other.
        CorpusError: A file is missing or cannot be read.
        GraphError: A pair is malformed, or there are none.
    """

    def __init__(self, relations: Any, groups: OptionGroups) -> None:
        _check(relations, groups)
        self._is_in_text = groups.hierarchy.hierarchy
        self._dimension = groups.hierarchy.hierarchy_dimension
        self._seed = settled_options(groups.training).seed
        self._graph: Graph | None = None
        self._counter: RelationCounter | None = None
        if relations is not None:
            from hyperskip.training.hierarchy.given_relations import given_relations

            self._graph = given_relations(relations)

    def watch(self, report: Report | None) -> Callable[[Piece], None] | None:
        """Return what must be called with each piece of the text; None: nothing is looked for."""
        if not self._is_in_text:
            return None
        from hyperskip.text.relations.extracting import RelationCounter
        from hyperskip.text.relations.matcher import Matcher
        from hyperskip.text.relations.options import RelationOptions
        from hyperskip.text.relations.pattern_file import read_language

        language = read_language(None)
        matcher = Matcher(language)
        counter = RelationCounter(language, RelationOptions(), report or (lambda _: None))
        self._counter = counter
        return lambda piece: counter.add(matcher.find(piece))

    def check_words(self, vocabulary: Vocabulary, model: WordVectors | None) -> None:
        """Check, before the training, that relations have both terms in the vocabulary.

        Args:
            vocabulary: The words of the text, all of which has been read.
            model: The initial model, whose words are kept.

        Raises:
            GraphError: The text states no relations.
            InputError: No relation has both terms in the vocabulary.

        Warns:
            TrainingWarning: The initial model has a hierarchy, and there are no relations.
        """
        if self._counter is not None:
            from hyperskip.training.hierarchy.given_relations import graph_of

            self._graph = graph_of(self._counter.relations(), "what the text states")
        if self._graph is not None:
            from hyperskip.training.hierarchy.adding import check_known

            words = dict.fromkeys([*vocabulary.words, *(model.words if model else ())])
            unplaced = WordVectors(list(words), np.zeros((len(words), 1)))
            check_known(self._known(unplaced, self._graph), self._graph)
        elif model is not None and model.has_hierarchy:
            warn(
                "the hierarchy of the initial model is not kept: pass `relations` or "
                "`hierarchy=True`, or add it again afterwards",
                TrainingWarning,
            )

    def added_to(self, vectors: WordVectors, report: Report | None) -> WordVectors:
        """Return the vectors with a hierarchy, or as they are if none is wanted."""
        if self._graph is None:
            return vectors
        from hyperskip.training.hierarchy.adding import with_hierarchy

        began = time.perf_counter()
        known = self._known(vectors, self._graph)
        added = with_hierarchy(vectors, known, self._dimension, self._seed)
        assert added.hierarchy is not None
        with_relations = int((added.hierarchy.evidence > 0).sum())
        if report is not None:
            report(HierarchyAdded(with_relations, len(added), time.perf_counter() - began))
        return added

    @staticmethod
    def _known(vectors: WordVectors, graph: "Graph") -> "KnownRelations":
        from hyperskip.text.relations.pattern_file import read_language
        from hyperskip.text.relations.word_classes import Singulars
        from hyperskip.training.hierarchy.word_relations import relations_of_words

        return relations_of_words(vectors, graph, Singulars(read_language(None)).__getitem__)


def _check(relations: Any, groups: OptionGroups) -> None:
    options = groups.hierarchy
    if relations is not None and options.hierarchy:
        raise OptionError(
            "`relations` and `hierarchy=True` cannot be given together",
            hint="`relations` are used as they are; `hierarchy=True` finds relations in the text",
        )
    if options.hierarchy and groups.cluster.cluster is not None:
        raise OptionError(
            "`hierarchy=True` cannot be combined with `cluster`",
            hint="extract the relations from the text first, and pass them as `relations`",
        )
    is_wanted = options.hierarchy or relations is not None
    default = declarations(HierarchyOptions)["hierarchy_dimension"].default
    if options.hierarchy_dimension != default and not is_wanted:
        raise OptionError(
            "`hierarchy_dimension` requires `relations` or `hierarchy=True`",
            hint="add one of them, or leave out `hierarchy_dimension`",
        )
