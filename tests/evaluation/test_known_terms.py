"""Words of an evaluation set in the form that a vocabulary has."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hyperskip import WordVectors
from hyperskip.evaluation.known_terms import OtherForms, find_terms


def vectors_of(*words: str) -> WordVectors:
    return WordVectors(list(words), np.ones((len(words), 2), dtype=np.float32))


@pytest.mark.parametrize(
    ("word", "form"),
    [
        ("dogs", "dog"),
        ("Berries", "berry"),
        ("boxes", "box"),
        ("horses", "horse"),
        ("guinea pigs", "guinea_pig"),
        ("guinea_pig", "guinea-pig"),
        ("guinea-pig", "guinea pig"),
        ("guinea pigs", "guinea-pig"),
        ("utensil", "utensils"),
        ("Knife", "knives"),
        ("men", "man"),
    ],
)
def test_other_forms_of_a_word(word: str, form: str) -> None:
    assert find_terms(vectors_of("a", form), [word], OtherForms()) == (np.array([1]), 1)


def test_a_word_as_it_is_comes_first() -> None:
    known = vectors_of("dog", "dogs", "new_york", "Bus")
    found = find_terms(known, ["dogs", "DOG", "new york", "Bus", "glass", "dogs"], OtherForms())
    assert found.rows.tolist() == [1, 0, 2, 3, -1, 1]
    assert found.replaced == 0
    assert find_terms(known, [], OtherForms()).rows.tolist() == []


@given(st.text(max_size=20))
def test_forms_are_words_and_differ_from_the_word(word: str) -> None:
    forms = OtherForms()(word)
    assert "" not in forms
    assert word not in forms
    assert len(set(forms)) == len(forms)
