import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.errors import InputError, OptionError, UnknownWordError
from hyperskip.pictures.request.categories import Taxonomy, builtin_taxonomy, read_taxonomy
from hyperskip.pictures.request.choice import Choice
from hyperskip.pictures.request.choosing import choose
from hyperskip.pictures.request.request import PictureRequest


def chosen(vectors: WordVectors, **asked: Any) -> Choice:
    return choose(vectors, PictureRequest(**asked))


def test_the_most_frequent_words_by_default(trained: WordVectors) -> None:
    assert chosen(trained).words == trained.words[:150]
    assert chosen(trained, count=7).words == trained.words[:7]


def test_neighborhoods_are_groups_around_their_words(trained: WordVectors) -> None:
    choice = chosen(trained, near=["dog", "car"], count=5, words=["paris"])
    nearest = trained.neighbors_of(["dog", "car"], 5)
    assert choice.words[:2] == ("dog", "car")
    assert choice.leading == 2
    assert set(choice.words) == {
        "dog", "car", "paris", *(near.word for found in nearest.values() for near in found)
    }  # fmt: skip
    edges = {(choice.words[a], choice.words[b]) for a, b in choice.edges}
    assert edges == {(word, near.word) for word, found in nearest.items() for near in found}
    assert choice.group_names == ("dog", "car", "other")
    assert choice.groups is not None
    for word, group in zip(choice.words, choice.groups, strict=True):
        if word != "paris":
            distances = [trained.distance(word, center) for center in ("dog", "car")]
            others = [near.word for near in nearest[("car", "dog")[group]]]
            assert np.argmin(distances) == group or word not in others


def test_a_center_is_in_its_own_group(trained: WordVectors) -> None:
    first = trained.neighbors("dog", 1)[0].word
    choice = chosen(trained, near=["dog", first, "dog"], count=3)
    assert choice.words[:2] == ("dog", first)
    assert choice.groups is not None
    assert choice.groups[:2] == (0, 1)


def test_an_analogy_has_its_words_and_both_answers(trained: WordVectors) -> None:
    choice = chosen(trained, analogy=["france", "paris", "italy"], count=3)
    assert choice.words[:3] == ("france", "paris", "italy")
    assert choice.answers is not None
    for route, answers in choice.answers.items():
        assert answers == trained.analogy("france", "paris", "italy", route=route, count=3)
        assert {answer.word for answer in answers} <= set(choice.words)


def test_the_built_in_taxonomy_has_an_edge_to_each_parent(trained: WordVectors) -> None:
    taxonomy = builtin_taxonomy()
    assert ("poodle", "dog") in taxonomy.parents
    assert ("poodle", "mammal") not in taxonomy.parents
    choice = chosen(trained, categories="builtin")
    assert choice.groups is not None
    named = [choice.group_names[group] for group in choice.groups]
    assert dict(zip(choice.words, named, strict=True))["dog"] == "animal"
    edges = {(choice.words[a], choice.words[b]) for a, b in choice.edges}
    assert ("mammal", "dog") in edges
    assert {a for a, _ in choice.edges} == set(range(choice.leading))
    assert chosen(trained, categories="builtin", count=10).words == choice.words[:10]


def test_unknown_words_of_categories_are_left_out(
    trained: WordVectors,
) -> None:
    categories = {"DOG": "animal", "nonsuch": "thing", "car": "vehicle"}
    assert chosen(trained, categories=categories).words == ("dog", "car")
    assert chosen(trained, categories=categories).left_out == ("nonsuch",)
    choice = chosen(trained, categories=categories, words=["dog", "paris"])
    assert choice.group_names == ("animal", "other")
    with pytest.raises(OptionError, match=naming(1)):
        chosen(trained, categories={"dog": "animal", "nonsuch": "thing"})


def test_a_file_of_categories(tmp_path: Path) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes(
        "\ufeff# a comment\r\nanimal\tanimal\r\ndog\tanimal\tanimal\r\n\r\n"
        "cat \tanimal\t\r\npoodle\tanimal\tdog\npoodle\tanimal\tanimal\n".encode()
    )
    assert read_taxonomy(path) == Taxonomy(
        dict.fromkeys(("animal", "dog", "cat", "poodle"), "animal"),
        (("dog", "animal"), ("poodle", "dog"), ("poodle", "animal")),
    )


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"dog\tanimal\ncat\n", [2, "'cat'"]),
        (b"dog animal\n", [1, "'dog animal'"]),
        (b"\tanimal\n", [1]),
        (b"dog\t\n", [1]),
        (b"a\tb\tc\td\n", [1]),
        (b"dog\tanimal\n\ndog\tfood\n", [3, "'dog'", "'food'", "'animal'"]),
        (b"dog\tanimal\nx\ty\tz\n", [2, "'z'"]),
        (b"dog\tanimal\n\xff\tx\n", [2, "UTF-8"]),
        (b"\n\n", []),
        (b"\x1f\x8b\x08", []),
    ],
)
def test_malformed_lines_of_categories_are_named(
    tmp_path: Path, content: bytes, facts: list[object]
) -> None:
    path = tmp_path / "words.tsv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_taxonomy(path)
    assert re.search(naming(path, *facts), caught.value.message)
    assert caught.value.hint


def test_missing_and_too_large_files_of_categories(tmp_path: Path) -> None:
    for name in ("none.tsv", "a\0b", ""):
        with pytest.raises(InputError, match=naming(tmp_path / name)):
            read_taxonomy(tmp_path / name)
    path = tmp_path / "large.tsv"
    path.write_text("dog\tanimal\n")
    with pytest.raises(InputError, match=naming(path, 10)):
        read_taxonomy(path, largest_bytes=10)


@pytest.mark.parametrize(
    "asked",
    [
        {"analogy": ("a", "b", "c"), "near": "dog"},
        {"analogy": ("a", "b", "c"), "words": ["dog"]},
        {"analogy": ("a", "b", "c"), "categories": "builtin"},
        {"analogy": ("a", "b")},
        {"near": "dog", "categories": "builtin"},
        {"words": ["dog", "cat"], "count": 5},
        {"count": 0},
        {"count": 5001},
        {"count": 2.5},
    ],
)
def test_contradictions_are_refused_without_vectors(asked: dict[str, Any]) -> None:
    with pytest.raises(OptionError) as caught:
        PictureRequest(**asked)
    assert caught.value.hint


def test_wrong_lists_of_words(trained: WordVectors) -> None:
    for asked in ({"words": "dog"}, {"analogy": "dog"}):
        with pytest.raises(InputError, match=naming("dog")):
            chosen(trained, **asked)
    for wrong in ({"words": 42}, {"near": 42}, {"analogy": 42}):
        with pytest.raises(InputError, match=naming(42)):
            chosen(trained, **wrong)
    for unknown in ({"near": "dgo"}, {"analogy": ("dog", "dgo", "cat")}, {"words": ["dgo", "a"]}):
        with pytest.raises(UnknownWordError) as caught:
            chosen(trained, **unknown)
        assert "dog" in caught.value.suggestions
    many = WordVectors([f"w{i}" for i in range(6000)], np.zeros((6000, 2), dtype=np.float32))
    with pytest.raises(OptionError, match=naming("6,000", "5,000", "`count`")):
        chosen(many, words=many.words)
    for name, empty in (("words", []), ("near", []), ("categories", dict[str, str]())):
        with pytest.raises(OptionError, match=naming(0)):
            chosen(trained, **{name: empty})
    with pytest.raises(OptionError, match=naming(0)):
        chosen(WordVectors([], np.zeros((0, 2), dtype=np.float32)))
