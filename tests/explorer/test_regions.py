"""The regions of a map and their names, for words whose groups are known."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from hyperskip import WordVectors
from hyperskip.explorer.answers.region_names import function_words, name_regions, unit
from hyperskip.explorer.answers.region_table import RegionTable
from hyperskip.explorer.answers.regions import make_regions
from hyperskip.geometry.arrays import Floats, Rows

GROUPS = 12
FUNCTION_WORDS = 60


def known_map(words_of_group: int = 100) -> tuple[list[str], Rows, Floats, Floats]:
    """Words in known groups, on patches of the disc, after function words of no group."""
    rng = np.random.default_rng(7)
    of_words = np.concatenate(
        [rng.integers(0, GROUPS, FUNCTION_WORDS), np.tile(np.arange(GROUPS), words_of_group)]
    )
    angles = 2 * np.pi * of_words / GROUPS
    places = 0.75 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    places += rng.normal(scale=0.03, size=places.shape)
    directions = unit(
        np.eye(GROUPS)[of_words] + rng.normal(scale=0.1, size=(len(of_words), GROUPS))
    )
    directions[:FUNCTION_WORDS] = unit(rng.normal(size=(FUNCTION_WORDS, GROUPS)))
    words = [f"common{number}" for number in range(FUNCTION_WORDS)]
    words += [f"{chr(97 + of)}{number}word" for number, of in enumerate(of_words[FUNCTION_WORDS:])]
    return words, of_words, places, directions


def test_known_groups_are_the_largest_regions_and_name_them() -> None:
    words, of_words, places, directions = known_map()
    regions = make_regions(places, directions)
    content = slice(FUNCTION_WORDS, None)
    pairs = set(zip(of_words[content].tolist(), regions.at(0)[content].tolist(), strict=True))
    assert len(pairs) == GROUPS == len(regions.places[0])
    counts = np.arange(len(words), 0, -1) ** 2
    names = name_regions(words, counts, directions, regions)
    for group, region in pairs:
        assert {name[0] for name in names[0][region]} == {chr(97 + group)}


def test_every_region_is_one_connected_patch() -> None:
    rng = np.random.default_rng(3)
    places = 0.95 * np.sqrt(rng.uniform(size=(4000, 1))) * unit(rng.normal(size=(4000, 2)))
    regions = make_regions(places, unit(rng.normal(size=(4000, 5))))
    assert [len(level) for level in regions.places] == [12, 60, 300]
    for level in regions.levels:
        first, second = regions.neighbors[
            level[regions.neighbors[:, 0]] == level[regions.neighbors[:, 1]]
        ].T
        inside = coo_array((np.ones(len(first)), (first, second)), shape=(300, 300))
        assert connected_components(inside, directed=False)[0] == level.max() + 1
    for broad, fine in pairwise(regions.levels):
        assert len(set(zip(broad.tolist(), fine.tolist(), strict=True))) == fine.max() + 1


def test_function_words_are_never_names() -> None:
    words, _, places, directions = known_map()
    assert function_words(directions)[:FUNCTION_WORDS].all()
    regions = make_regions(places, directions)
    counts = np.arange(len(words), 0, -1) ** 2
    names = name_regions(words, counts, directions, regions)
    assert not [word for level in names for name in level for word in name if "common" in word]


@pytest.mark.parametrize("word", ["her", "you", "against", "quickly", "financial"])
def test_english_names_are_nouns(word: str) -> None:
    vectors = WordVectors([word, "music"], np.ones((2, 3)))
    described = RegionTable(vectors, np.arange(2), np.zeros((2, 2))).describe()
    assert described[0][0]["words"] == ["music"]


def test_no_word_is_in_two_names() -> None:
    words, _, places, directions = known_map()
    table = RegionTable(WordVectors(words, directions), np.arange(len(words)), places)
    levels = table.describe()
    assert len(levels) == 3
    named = [word for level in levels for region in level for word in region["words"]]
    assert len(named) == len(set(named))
    for level in levels:
        assert sum(region["size"] for region in level) == len(words)


def test_the_same_map_has_the_same_regions() -> None:
    words, _, places, directions = known_map()
    vectors = WordVectors(words, directions)
    one, two = (RegionTable(vectors, np.arange(len(words)), places) for _ in range(2))
    assert one.describe() == two.describe()
    assert np.array_equal(one.finest, two.finest)


@pytest.mark.parametrize(("count", "levels"), [(1, [1]), (2, [1]), (3, [1]), (30, [1, 2, 5])])
@pytest.mark.parametrize("same", [True, False])
def test_few_words(count: int, levels: list[int], same: bool) -> None:
    places = np.random.default_rng(2).uniform(-0.6, 0.6, (count, 2)) * (not same)
    vectors = WordVectors([f"word{number}" for number in range(count)], 1.0 + 9.0 * places)
    described = RegionTable(vectors, np.arange(count), places).describe()
    assert [len(level) for level in described] == levels or same
    assert described[0][0]["words"]


def test_hostile_words_name_no_region() -> None:
    hostile = ["x" * 10_000, "abc\u202edef", "a\x00bcd", "<>", "ab", "word"]
    vectors = WordVectors(hostile, np.eye(6))
    places = np.linspace(-0.1, 0.1, 12).reshape(6, 2)
    assert RegionTable(vectors, np.arange(6), places).describe()[0][0]["words"] == ["word"]
    assert RegionTable(vectors, np.arange(5), places[:5]).describe()[0][0]["words"] == []


def test_words_that_are_not_on_the_map_are_in_the_region_of_similar_words() -> None:
    words, of_words, places, directions = known_map()
    mapped = 800
    table = RegionTable(WordVectors(words, directions), np.arange(mapped), places[:mapped])
    pairs = set(zip(of_words[60:].tolist(), table.of_rows[60:].tolist(), strict=True))
    assert len(pairs) == GROUPS


def test_words_at_the_rim_have_regions() -> None:
    places = np.array([[1.0 - 1e-12, 0.0], [0.0, -1.0 + 1e-12]] * 100)
    vectors = WordVectors([f"word{number}" for number in range(200)], np.tile(np.eye(2), (100, 1)))
    (largest, *_) = RegionTable(vectors, np.arange(200), places).describe()
    assert len(largest) == 2
    assert all(np.hypot(region["x"], region["y"]) < 1 for region in largest)
