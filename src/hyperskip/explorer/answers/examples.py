"""Example questions that a model answers right, so that a first visit starts with good answers.

Candidates are English. If too few of them are good, other examples are frequent words that are the
nearest word to their own nearest word, and no function words.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from hyperskip.explorer.answers.region_names import content_words, unit
from hyperskip.geometry.arrays import Floats, Rows
from hyperskip.geometry.names import ROUTES
from hyperskip.vectors.word_vectors import WordVectors

_MOST_ANALOGIES = 3
_MOST_WORDS = 5
_NEAREST = 5  # a related word must be among this number of nearest words
_FREQUENT = 100  # words that are tried if too few candidates are good

# a is to b as c is to d
_ANALOGIES = tuple(
    tuple(line.split())
    for line in """
    france paris italy rome
    man woman king queen
    dog dogs cat cats
    big bigger small smaller
    japan tokyo germany berlin
    france paris germany berlin
    walk walked play played
    walk walked talk talked
    france french germany german
    brother sister father mother
    spain madrid france paris
    good better bad worse
    he his she her
    england london france paris
    boy girl son daughter
    one first two second
    uncle aunt brother sister
    italy italian spain spanish
    china chinese japan japanese
    russia moscow germany berlin
    husband wife man woman
    year years day days
    """.strip().splitlines()
)
# A word, and words one of which must be near it.
_RELATED = {
    first: set(others)
    for first, *others in (
        line.split()
        for line in """
        music songs song musical musicians jazz pop dance
        river lake rivers creek valley tributary stream
        science sciences physics scientific biology mathematics
        king queen prince emperor kings throne
        dog cat dogs cats wolf puppy pet horse
        city town cities village capital
        france italy spain germany belgium paris french
        computer computers software computing hardware
        war wars army battle military
        physics chemistry mathematics mechanics quantum biology
        red blue green yellow white black
        mother father wife daughter sister parents
        monday tuesday wednesday thursday friday sunday
        piano violin guitar cello orchestra drum
        bread cheese meat milk butter rice
        apple pear fruit orange cherry plum
        """.strip().splitlines()
    )
}


class Examples(NamedTuple):
    """Questions that the model answers right."""

    analogies: list[tuple[str, ...]]  # a, b and c
    words: list[str]


def examples_of(vectors: WordVectors, mapped: Rows) -> Examples:
    """Return examples whose words are on the map.

    Args:
        vectors: The model.
        mapped: Rows of the words on the map, most important first.
    """
    on_map = np.zeros(len(vectors), dtype=bool)
    on_map[mapped] = True
    words = _related_words(vectors, on_map)
    if len(words) < _MOST_WORDS:
        mutual = _mutual_words(vectors, _content_rows(vectors, mapped)[:_FREQUENT])
        words += [word for word in mutual if word not in words]
    return Examples(_right_analogies(vectors, on_map)[:_MOST_ANALOGIES], words[:_MOST_WORDS])


def _right_analogies(vectors: WordVectors, on_map: npt.NDArray[np.bool_]) -> list[tuple[str, ...]]:
    """Return the analogies whose fourth word is the nearest to where the first route ends."""
    rows = vectors.known_rows([word for words in _ANALOGIES for word in words], any_case=False)
    rows = rows.reshape(-1, 4)
    rows = rows[((rows >= 0) & on_map[rows]).all(axis=1)]
    if not len(rows):
        return []
    points = vectors.analogy_points(rows[:, 0], rows[:, 1], rows[:, 2], ROUTES[0])
    found = _nearest(vectors, points, 1, rows[:, :3])
    return [
        tuple(vectors.words[row] for row in asked)
        for (*asked, answer), nearest in zip(rows.tolist(), found, strict=True)
        if nearest == [answer]
    ]


def _related_words(vectors: WordVectors, on_map: npt.NDArray[np.bool_]) -> list[str]:
    """Return the words that have a related word nearby."""
    rows = vectors.known_rows(list(_RELATED), any_case=False)
    rows = rows[(rows >= 0) & on_map[rows]]
    near = _nearest_of(vectors, rows, _NEAREST)
    return [
        vectors.words[row]
        for row, others in zip(rows.tolist(), near, strict=True)
        if _RELATED[vectors.words[row]] & {vectors.words[other] for other in others}
    ]


def _content_rows(vectors: WordVectors, mapped: Rows) -> Rows:
    """Return the rows of words that are no function words, most important first."""
    directions = unit(np.asarray(vectors.coordinates[mapped], dtype=np.float64))
    return mapped[content_words([vectors.words[row] for row in mapped.tolist()], directions)]


def _mutual_words(vectors: WordVectors, rows: Rows) -> list[str]:
    """Return the words that are the nearest word to their nearest word."""
    nearest = _nearest_of(vectors, rows, 1)
    paired = [
        (row, other) for row, others in zip(rows.tolist(), nearest, strict=True) for other in others
    ]
    back = _nearest_of(vectors, np.array([other for _, other in paired], dtype=np.int64), 1)
    return [
        vectors.words[row] for (row, _), others in zip(paired, back, strict=True) if others == [row]
    ]


def _nearest_of(vectors: WordVectors, rows: Rows, count: int) -> list[list[int]]:
    """Return the rows of the words nearest to each word, without the word itself."""
    if not len(rows):
        return []
    return _nearest(vectors, vectors.points_of_rows(rows), count, rows[:, None])


def _nearest(vectors: WordVectors, points: Floats, count: int, excluded: Rows) -> list[list[int]]:
    """Return the rows of the words nearest to each point; none if a point is not finite."""
    is_finite = np.asarray(np.isfinite(points).all(axis=1))
    if not is_finite.any():
        return [[] for _ in points]
    found = iter(vectors.nearest(points[is_finite], count, excluded[is_finite]))
    return [next(found).rows.tolist() if one else [] for one in is_finite.tolist()]
