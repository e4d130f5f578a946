"""The explorer of a model with subwords: words outside the vocabulary, with a visible note."""

import numpy as np
import pytest
from visits import Open

from hyperskip import WordVectors

HOSTILE = "dogs<img src=x onerror=alert(1)>"


def test_an_unknown_word_has_a_note_neighbors_and_a_place(
    visit: Open, served_subwords: str, subword_model: WordVectors
) -> None:
    opened = visit(served_subwords)
    opened.page.locator("#search input").fill("dogsy")
    opened.page.locator("#search input").press("Enter")
    opened.until("() => document.querySelector('.card-word')?.innerText === 'dogsy'", "the card")
    count = int(subword_model.find(["dogsy"]).ngram_counts[0])
    note = opened.page.locator(".card .composed").inner_text()
    assert note.startswith("dogsy is not in the vocabulary.")
    assert f"mean of {count} vectors" in note
    text = opened.page.locator("#explore").inner_text()
    assert "By frequency" not in text
    assert "most frequent words" not in text
    listed = opened.page.locator(".near-word .word").all_inner_texts()
    assert listed == [near.word for near in subword_model.neighbors("dogsy", 12)]
    assert "not in the vocabulary" in opened.page.locator("#live").inner_text()
    ring = opened.js("() => hyperskip.disc.scene.marks.find(mark => mark.word === 'dogsy').at")
    assert np.hypot(*ring) < 1
    opened.until("() => location.hash.includes('word=dogsy')", "the link")


def test_words_of_the_vocabulary_have_no_note(visit: Open, served_subwords: str) -> None:
    opened = visit(served_subwords + "#word=dog")
    assert opened.page.locator(".composed").count() == 0
    assert "By frequency" in opened.page.locator("#explore").inner_text()


@pytest.mark.parametrize("mode", ["analogy", "path"])
def test_notes_of_several_words(visit: Open, served_subwords: str, mode: str) -> None:
    words = ["dog", "dogsy", "kingy"] if mode == "analogy" else ["dogsy", "kingy"]
    query = "&".join(f"word={word}" for word in words)
    opened = visit(f"{served_subwords}#mode={mode}&{query}")
    notes = opened.page.locator(f"#{mode} .composed").all_inner_texts()
    assert [note.split()[0] for note in notes] == ["dogsy", "kingy"]
    opened.js("mode => hyperskip.modes[mode].clear()", mode)
    assert opened.page.locator(f"#{mode} .composed").count() == 0


def test_an_unknown_word_is_text(visit: Open, served_subwords: str) -> None:
    opened = visit(served_subwords)
    opened.page.locator("#search input").fill(HOSTILE)
    opened.page.locator("#search input").press("Enter")
    opened.until("() => document.querySelector('.card .composed') !== null", "the note")
    assert opened.page.locator(".card-word").inner_text() == HOSTILE
    assert opened.page.locator(".card .composed").inner_text().startswith(HOSTILE)
    assert opened.page.locator("#explore img").count() == 0


def test_an_unknown_word_has_no_place_in_a_hierarchy(
    visit: Open, served_subwords_hierarchy: str
) -> None:
    opened = visit(served_subwords_hierarchy + "#word=dogsy")
    text = opened.page.locator("#explore").inner_text()
    assert "not in the vocabulary" in text
    assert "A kind of" not in text
    assert "Nearest words" in text
    opened.page.locator(".near-word").first.click()
    opened.until("() => document.querySelector('.composed') === null", "a word of the vocabulary")
