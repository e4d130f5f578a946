"""The terms of relations as words of a vocabulary."""

from collections.abc import Sequence

import numpy as np
import pytest

from hyperskip import Graph, WordVectors
from hyperskip.text.relations.pattern_file import read_language
from hyperskip.text.relations.word_classes import Singulars
from hyperskip.training.hierarchy.word_relations import KnownRelations, relations_of_words

Pair = tuple[str, str, float]


def known_relations(words: Sequence[str], *pairs: Pair) -> KnownRelations:
    names = list(dict.fromkeys(name for pair in pairs for name in pair[:2]))
    ends = [[names.index(pair[end]) for pair in pairs] for end in (0, 1)]  # type: ignore[arg-type]
    graph = Graph(
        tuple(names), np.array(ends[0]), np.array(ends[1]), np.array([p[2] for p in pairs])
    )
    vectors = WordVectors(list(words), np.eye(len(words)))
    return relations_of_words(vectors, graph, Singulars(read_language(None)).__getitem__)


def pairs_of(words: Sequence[str], known: KnownRelations) -> set[Pair]:
    counts = known.stated.counts.tocoo()
    cells = zip(counts.row.tolist(), counts.col.tolist(), counts.data.tolist(), strict=True)
    return {(words[row], words[column], count) for row, column, count in cells}


@pytest.mark.parametrize(
    ("words", "term", "found"),
    [
        (["dog"], "dog", "dog"),
        (["dog"], "Dog", "dog"),
        (["Paris", "paris"], "Paris", "Paris"),
        (["Paris"], "paris", "Paris"),
        (["PARIS", "Paris"], "paris", "PARIS"),  # the more frequent one
        (["paris", "Paris"], "paris", "paris"),
        (["ice cream", "ice_cream"], "ice cream", "ice cream"),
        (["ice_cream", "ice-cream"], "ice cream", "ice_cream"),
        (["ice-cream"], "ice cream", "ice-cream"),
        (["icecream"], "ice cream", "icecream"),
        (["New_York"], "new york", "New_York"),
        (["dogs"], "dog", "dogs"),  # only the plural is a word
        (["dogs", "dog"], "dogs", "dog"),  # the singular stands for both
        (["children", "child"], "children", "child"),
        (["Dogs", "dog"], "Dogs", "Dogs"),  # a name
        (["cat"], "dog", None),
    ],
)
def test_a_term_is_found(words: list[str], term: str, found: str | None) -> None:
    words = [*words, "broader"]
    known = known_relations(words, (term, "broader", 2.0))
    assert pairs_of(words, known) == ({(found, "broader", 2.0)} if found else set())


def test_relations_of_a_word_with_itself_are_left_out() -> None:
    words = ["dog", "dogs", "animal"]
    known = known_relations(words, ("dogs", "dog", 1.0), ("dog", "animal", 1.0))
    assert pairs_of(words, known) == {("dog", "animal", 1.0)}


def test_counts_of_the_same_words_are_added() -> None:
    words = ["dog", "dogs", "animal"]
    pairs: list[Pair] = [("dog", "animal", 2.0), ("dogs", "animal", 3.0), ("animal", "dog", 1.0)]
    known = known_relations(words, *pairs, ("dog", "unknown", 9.0))
    assert pairs_of(words, known) == {("dog", "animal", 5.0), ("animal", "dog", 1.0)}
    stated = known.stated
    assert stated.as_narrower.tolist() == [5.0, 0.0, 1.0]
    assert stated.as_broader.tolist() == [1.0, 0.0, 5.0]
    assert stated.evidence.tolist() == [6.0, 0.0, 6.0]


def test_a_plural_gets_the_row_of_its_singular() -> None:
    known = known_relations(["dogs", "dog", "cats", "Dogs"], ("dog", "cats", 1.0))
    assert known.bases.tolist() == [1, 1, 2, 3]


def test_evidence_becomes_whole_numbers() -> None:
    pairs: list[Pair] = [("a", "b", 0.2), ("c", "b", 2.6), ("c", "a", 4.0), ("d", "b", 0.2)]
    known = known_relations(list("abcde"), *pairs)
    assert known.stated.evidence_in_whole_numbers.tolist() == [4, 3, 7, 1, 0]


def test_pairs_can_be_left_out() -> None:
    words = ["dog", "cat", "animal"]
    stated = known_relations(words, ("dog", "animal", 2.0), ("cat", "animal", 3.0)).stated
    rest = stated.without(np.array([0]))
    assert rest.counts.toarray().tolist() == [[0, 0, 0], [0, 0, 3], [0, 0, 0]]
    assert rest.as_broader.tolist() == [0, 0, 3]
    assert stated.counts.nnz == 2
