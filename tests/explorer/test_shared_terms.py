"""Broader terms name regions if the model has a hierarchy."""

import numpy as np
from hierarchies import with_chain, with_hierarchy

from hyperskip import WordVectors
from hyperskip.explorer.answers.region_names import name_regions, unit
from hyperskip.explorer.answers.regions import Regions
from hyperskip.explorer.answers.shared_terms import broader_terms, term_weights


def regions_of(of_words: list[int]) -> Regions:
    """One level of regions, which are given."""
    count = max(of_words) + 1
    return Regions(
        of_words=np.array(of_words),
        levels=(np.arange(count),),
        places=(np.zeros((count, 2)),),
        neighbors=np.empty((0, 2), dtype=np.int64),
    )


def test_terms_are_those_of_the_hierarchy(trained: WordVectors) -> None:
    model = with_hierarchy(trained, {"dog": "animal", "cat": "animal", "car": "vehicle"})
    rows = np.arange(len(model))
    terms = broader_terms(model, rows)
    for word, term in (("dog", "animal"), ("cat", "animal")):
        assert model.words[terms[model.index_of(word)]] == term
    others = np.delete(terms, model.rows_of(["dog", "cat", "car"]))
    assert (others == -1).all()
    assert len(broader_terms(trained, rows)) == 0


def test_terms_are_indices_on_the_map(trained: WordVectors) -> None:
    model = with_chain(trained, ["animal", "dog", "cat"])
    rows = np.delete(np.arange(len(model)), [5, model.index_of("animal")])
    terms = broader_terms(model, rows)
    index = {row: at for at, row in enumerate(rows.tolist())}
    assert rows[terms[index[model.index_of("cat")]]] == model.index_of("dog")
    assert terms[index[model.index_of("dog")]] == -1  # "animal" is not on the map


def test_a_term_is_of_one_region() -> None:
    # Words 0 to 3 are in region 0 with the term 8; words 4 to 7 in region 1 with 9, one with 8.
    regions = regions_of([0, 0, 0, 0, 1, 1, 1, 1, 0, 0])
    terms = np.array([8, 8, 8, -1, 9, 9, 9, 8])
    (first, first_weights), (second, second_weights) = term_weights(terms, regions, 0)
    assert first.tolist() == [8]
    assert second.tolist() == [9]
    assert first_weights.tolist() == second_weights.tolist() == [1.0]


def test_a_term_that_all_regions_share_is_of_none() -> None:
    regions = regions_of([0, 0, 0, 1, 1, 1, 1])
    assert [len(found) for found, _ in term_weights(np.full(6, 6), regions, 0)] == [0, 0]
    assert [len(found) for found, _ in term_weights(np.empty(0, np.int64), regions, 0)] == [0, 0]


def test_shared_terms_name_regions() -> None:
    rng = np.random.default_rng(3)
    group = np.arange(122) % 2
    words = [f"{('wing', 'iron')[one]}{number}" for number, one in enumerate(group[2:])]
    words += ["bird", "tool"]  # the rarest words
    directions = unit(np.eye(2)[group] + rng.normal(scale=0.3, size=(122, 2)))
    counts = np.arange(122, 0, -1)
    terms = np.where(np.arange(122) < 120, 120 + group, -1)
    regions = regions_of(group.tolist())
    (plain,) = name_regions(words, counts, directions, regions)
    (named,) = name_regions(words, counts, directions, regions, terms)
    for region, term in enumerate(("bird", "tool")):
        assert plain[region][0] != term
        assert term in named[region]
