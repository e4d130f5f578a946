"""Word analogies a : b = c : ? of a whole data set, answered by a few matrix products."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from hyperskip.evaluation.similarity import without_none
from hyperskip.vectors.word_vectors import WordVectors

_QUESTIONS_AT_ONCE = 1 << 13  # whose points are in memory at the same time


class Question(NamedTuple):
    """The analogy a : b = c : d; d is the expected answer."""

    a: str
    b: str
    c: str
    d: str


@dataclass(frozen=True)
class AnalogyScore:
    """Number of correct answers, and two ways to treat questions with an unknown answer.

    word2vec and gensim leave these questions out (`accuracy`). The paper's scripts count them as
    wrong (`accuracy_unknown_wrong`). Both leave out questions with an unknown a, b or c.

    If the model has subwords, a, b and c are known if they can be composed from n-grams. The answer
    is always a word of the vocabulary.
    """

    correct: int
    asked: int  # number of questions with known a, b and c
    answerable: int  # ... and with d in the vocabulary
    total: int
    composed: int | None = None  # of the questions asked, with a, b or c outside the vocabulary

    @property
    def accuracy(self) -> float | None:
        """Share of correct answers, without questions with an unknown d."""
        return self.correct / self.answerable if self.answerable else None

    @property
    def accuracy_unknown_wrong(self) -> float | None:
        """Share of correct answers; questions with an unknown d count as wrong."""
        return self.correct / self.asked if self.asked else None

    def as_dict(self) -> dict[str, Any]:
        """Shares and counts as plain values; without `composed` if the model has no subwords."""
        shares = {
            "accuracy": self.accuracy,
            "accuracy_unknown_wrong": self.accuracy_unknown_wrong,
        }
        return shares | without_none(asdict(self), "composed")

    def __add__(self, other: "AnalogyScore") -> "AnalogyScore":
        return AnalogyScore(
            self.correct + other.correct,
            self.asked + other.asked,
            self.answerable + other.answerable,
            self.total + other.total,
            None if other.composed is None else (self.composed or 0) + other.composed,
        )


NO_QUESTIONS = AnalogyScore(0, 0, 0, 0)


@dataclass(frozen=True)
class AnalogyReport:
    """Scores of one route by section."""

    sections: dict[str, AnalogyScore]

    @property
    def total(self) -> AnalogyScore:
        """Score over all sections."""
        return sum(self.sections.values(), NO_QUESTIONS)

    @property
    def syntactic(self) -> AnalogyScore:
        """Score over the sections on grammar; their names start with `gram`, as in Google's set."""
        chosen = (score for name, score in self.sections.items() if _is_grammar(name))
        return sum(chosen, NO_QUESTIONS)

    @property
    def semantic(self) -> AnalogyScore:
        """Score over all other sections."""
        chosen = (score for name, score in self.sections.items() if not _is_grammar(name))
        return sum(chosen, NO_QUESTIONS)

    def as_dict(self) -> dict[str, Any]:
        """The total and its parts as plain values."""
        return self.total.as_dict() | {
            "semantic": self.semantic.as_dict(),
            "syntactic": self.syntactic.as_dict(),
            "sections": {name: score.as_dict() for name, score in self.sections.items()},
        }


def _is_grammar(section: str) -> bool:
    return section.rpartition("/")[2].startswith("gram")  # the set's name may come first


def evaluate_analogies(
    vectors: WordVectors,
    sections: Mapping[str, Sequence[Question]],
    route: str,
    *,
    questions_at_once: int = _QUESTIONS_AT_ONCE,
) -> AnalogyReport:
    """Answer every question by route Z or Z' (the same for Euclidean vectors), section by section.

    The answer is the word with the greatest similarity to the point at the end of the route; a, b
    and c are excluded.
    """
    return AnalogyReport(
        {
            name: _section(vectors, questions, route, questions_at_once)
            for name, questions in sections.items()
        }
    )


def _section(
    vectors: WordVectors, questions: Sequence[Question], route: str, at_once: int
) -> AnalogyScore:
    words = (word for question in questions for word in question)
    found = vectors.find(words, any_case=True, skip_unknown=True)
    a, b, c, d = (found[place::4] for place in range(4))
    asked = a.is_known & b.is_known & c.is_known
    abc, d = [words[asked] for words in (a, b, c)], d[asked]
    composed = np.stack([words.is_composed for words in abc], axis=1)  # (questions, 3)
    answers = np.where(d.in_vocabulary, d.rows, -1)
    correct = 0
    # Questions with composed words in the same places have as many words that are no answers.
    for pattern in np.unique(composed, axis=0):
        alike = np.flatnonzero((composed == pattern).all(axis=1))
        for begin in range(0, len(alike), at_once):
            batch = alike[begin : begin + at_once]
            a, b, c = (words[batch] for words in abc)
            excluded = np.stack([words.rows for words in (a, b, c)], axis=1)[:, ~pattern]
            found_rows = vectors.nearest_rows(vectors.analogy_points(a, b, c, route), excluded)
            correct += int((found_rows == answers[batch]).sum())
    return AnalogyScore(
        correct,
        len(d),
        int(d.in_vocabulary.sum()),
        len(questions),
        None if vectors.subwords is None else int(composed.any(axis=1).sum()),
    )
