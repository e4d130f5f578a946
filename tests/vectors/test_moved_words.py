"""Words that moved between two models."""

import numpy as np
import pytest
from facts import naming

import hyperskip
from hyperskip import InputError, OptionError, WordVectors, builtin
from hyperskip.vectors.comparison import change_of_words, common_rows


def in_clusters(clusters: int, members: int, dimension: int, seed: int) -> np.ndarray:
    """Points around the corners of a cube, the words of each cluster together."""
    rng = np.random.default_rng(seed)
    centers = np.repeat(np.eye(dimension)[:clusters], members, axis=0)
    return centers + 0.1 * rng.normal(size=centers.shape)


def vectors_of(coordinates: np.ndarray, geometry: str = "hyperboloid") -> WordVectors:
    words = [f"w{i}" for i in range(len(coordinates))]
    return WordVectors(words, coordinates.astype(np.float32), geometry=geometry)


@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
def test_a_word_in_another_cluster_is_on_top(geometry: str) -> None:
    before = in_clusters(4, 12, 5, seed=1)
    after = in_clusters(4, 12, 7, seed=2)  # of another dimension
    after[5] = after[30]
    moved = vectors_of(before).moved_words(vectors_of(after, geometry), 2, neighbors=6)
    assert [one.word for one in moved][:1] == ["w5"]
    assert moved[0].change > 0.5 > moved[1].change
    assert moved[0].shared == 0


def test_the_definition() -> None:
    """The kernel of the comparison, term by term."""
    rng = np.random.default_rng(3)
    directions = tuple(rng.normal(size=(20, size)) for size in (3, 4))
    first, second = (one / np.linalg.norm(one, axis=1, keepdims=True) for one in directions)
    found = change_of_words((first, second), np.arange(20), 5)
    for word in range(20):
        near = [
            [i for i in np.argsort(-(model @ model[word])).tolist() if i != word][:5]
            for model in (first, second)
        ]
        lost = []
        for own, other, listed in ((first, second, near[0]), (second, first, near[1])):
            there, here = (
                np.mean([model[i] @ model[j] for i in listed for j in listed if i != j])
                - np.mean([model[i] @ model[word] for i in listed])
                for model in (other, own)
            )
            lost.append(there - max(here, 0.0))
        assert found.change[word] == pytest.approx(np.mean(lost))
        assert found.shared[word] == len(set(near[0]) & set(near[1]))


def test_a_word_with_another_meaning_in_the_text_is_on_top() -> None:
    """In the second text, "dog" is written where the first one has "car", and the reverse."""
    text = list(builtin.sentences(150_000))
    swapped = {"dog": "car", "car": "dog"}
    changed = [" ".join(swapped.get(word, word) for word in line.split()) for line in text]
    models = [
        hyperskip.train(one, dimension=10, epochs=3, threads=1, seed=1, device="cpu")
        for one in (text, changed)
    ]
    moved = models[0].moved_words(models[1], 3)
    assert {one.word for one in moved[:2]} == {"dog", "car"}
    assert moved[1].change > 0.5 > moved[2].change


def test_common_words_are_those_that_are_frequent_in_both() -> None:
    first = WordVectors(["a", "b", "c", "d"], np.eye(4, dtype=np.float32))
    second = WordVectors(["d", "x", "b", "a"], np.eye(4, dtype=np.float32))
    rows = common_rows(first, second)
    assert [first.words[row] for row in rows[0].tolist()] == ["b", "a", "d"]
    assert [second.words[row] for row in rows[1].tolist()] == ["b", "a", "d"]


def test_what_cannot_be_compared_is_refused() -> None:
    first = vectors_of(in_clusters(2, 3, 3, seed=1))
    other = WordVectors(["w0", "x"], np.eye(2, dtype=np.float32))
    with pytest.raises(InputError, match=naming(1, 3)):
        first.moved_words(other)
    with pytest.raises(InputError, match=naming("str")):
        first.moved_words("model.safetensors")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=naming(1, 2)):
        first.moved_words(first, neighbors=1)


def test_a_model_does_not_differ_from_itself() -> None:
    vectors = vectors_of(in_clusters(4, 12, 5, seed=1))
    moved = vectors.moved_words(vectors, 48, neighbors=6)
    assert all(one.shared == 6 for one in moved)
    assert all(one.change <= 0.0 for one in moved)
