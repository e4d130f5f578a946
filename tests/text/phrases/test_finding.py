"""Phrases that are found: known answers, those of gensim, and the plain twin beside the kernels."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from facts import naming
from hypothesis import given, settings
from hypothesis import strategies as st
from signatures import check_keywords

import hyperskip
from hyperskip.errors import CorpusError, OptionError
from hyperskip.files.scratch import scratch_folder
from hyperskip.options import declarations
from hyperskip.text.encoding.reading_pass import read_unfiltered
from hyperskip.text.encoding.unfiltered_corpus import UnfilteredCorpus
from hyperskip.text.options import NOT_FOR_PHRASES, TextOptions
from hyperskip.text.phrases import passes
from hyperskip.text.phrases.compiled import CompiledCounter, CompiledJoiner
from hyperskip.text.phrases.finding import found_in
from hyperskip.text.phrases.passes import find_in
from hyperskip.text.phrases.phrase_events import (
    PhraseEvent,
    PhraseProgress,
    PhrasesFound,
    PrunedCandidates,
)
from hyperskip.text.phrases.phrases import Phrases
from hyperskip.text.phrases.reference import PlainCounter, PlainJoiner
from hyperskip.text.pieces import Sizes
from hyperskip.text.words.scan import words_of

GENSIM = json.loads(Path(__file__).with_name("gensim_answers.json").read_text(encoding="utf-8"))
TOOLS = {
    "plain": passes.Tools(PlainCounter, PlainJoiner),
    "compiled": passes.Tools(CompiledCounter, CompiledJoiner),
}
TEXT = ["in new york", "new york was big", "the new house", "york is old", "big old house"] * 5


@pytest.fixture(params=TOOLS)
def tools(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(passes, "tools_for", lambda *_: TOOLS[request.param])
    return str(request.param)


def joined(
    sentences: list[list[str]], tokens_in_memory: int = 5, **options: Any
) -> tuple[Phrases, list[list[str]], list[PhraseEvent]]:
    """Find phrases in lists of words; returns them, the joined text, and what was reported."""
    events: list[PhraseEvent] = []
    chosen = TextOptions(phrases=True, **options)
    sizes = Sizes(tokens_in_memory=tokens_in_memory)
    with scratch_folder() as folder:
        _, text = read_unfiltered(sentences, chosen, folder, lambda _: None, threads=1, sizes=sizes)
        found = find_in(text, chosen.phrase_rules, events.append, join_all=True)
        shares = [event.share for event in events if isinstance(event, PhraseProgress)]
        events = [event for event in events if not isinstance(event, PhraseProgress)]
        assert min(shares) > 0
        assert 1.0 in shares or not found
        counts = text.lexicon.counts
        tokens = np.concatenate([block.tokens for block in text.blocks()])
        assert np.bincount(tokens, minlength=len(counts)).tolist() == counts.tolist()
        assert text.token_count == len(tokens)
        return found, sentences_of(text), events


def sentences_of(text: UnfilteredCorpus) -> list[list[str]]:
    words = list(words_of(*text.lexicon.spelled(np.arange(len(text.lexicon.counts)))))
    sentences: list[list[str]] = []
    for tokens, starts in text.blocks():
        for token, is_start in zip(tokens.tolist(), starts.tolist(), strict=True):
            if is_start:
                sentences.append([])
            sentences[-1].append(words[token])
    return sentences


def test_a_phrase_its_score_and_its_count() -> None:
    phrases = hyperskip.find_phrases(TEXT, phrase_threshold=0.4)
    assert list(phrases) == ["new_york"]
    # 9 different words, 10 different pairs; new and york occur 15 times each, together 10 times.
    assert phrases["new_york"].score == (10 - 5) / 225 * 19
    assert phrases["new_york"] == (("new", "york"), phrases["new_york"].score, 10, 1)
    assert phrases.join(["in", "new", "york"]) == ["in", "new_york"]


def test_npmi() -> None:
    phrases = hyperskip.find_phrases(TEXT, phrase_score="npmi", phrase_threshold=0.3)
    total = 3 * 20 + 4 * 5
    chance = 15 / total * (15 / total)
    expected = np.log(10 / total / chance) / -np.log(10 / total)
    assert phrases["new_york"].score == pytest.approx(expected, rel=1e-14)
    assert all(-1 <= phrase.score <= 1 for phrase in phrases.values())


@pytest.mark.parametrize("number", range(len(GENSIM)))
def test_the_phrases_of_gensim(tools: str, number: int) -> None:
    """The same phrases, scores, counts and joined text as gensim 4.4, also with "_" in words."""
    case = dict(GENSIM[number])
    sentences = [sentence.split() for sentence in case.pop("sentences")]
    expected, expected_text = case.pop("phrases"), case.pop("joined")
    phrases, text, _ = joined(sentences, 1 + number % 7, **case)
    rows = [[row.pass_number, " ".join(row.words), row.score, row.count] for row in phrases.rows]
    assert sorted(rows) == sorted(expected)
    assert [" ".join(sentence) for sentence in text] == expected_text
    again = (phrases.join(sentence) for sentence in sentences if sentence)
    assert [" ".join(sentence) for sentence in again] == expected_text


WORDS = st.sampled_from("a b c a_b b_c _ of the ä 中".split())


@settings(max_examples=60, deadline=None)
@given(
    sentences=st.lists(st.lists(WORDS, max_size=15), min_size=1, max_size=20).filter(any),
    connectors=st.sampled_from(["", "of the", "of b_c"]),
    score=st.sampled_from(["default", "npmi"]),
    flush=st.integers(1, 9),
)
def test_kernels_agree_with_their_twin(
    sentences: list[list[str]], connectors: str, score: str, flush: int
) -> None:
    results = []
    for tools in TOOLS.values():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(passes, "tools_for", lambda *_, tools=tools: tools)
            phrases, text, events = joined(
                *(sentences, flush),
                phrase_score=score,
                phrase_threshold=0.2,
                phrase_min_count=2,
                phrase_connectors=connectors,
                phrase_passes=3,
            )
        results.append((phrases.rows, text, events))
    assert results[0] == results[1]


def test_long_phrases_need_passes(tools: str) -> None:
    sentences = [["new", "york", "city", "hall"]] * 10 + [["other", "words"]] * 40
    options: dict[str, Any] = {"phrase_threshold": 0.1, "phrase_min_count": 2}
    _, text, events = joined(sentences, **options)
    assert text[0] == ["new_york", "city_hall"]
    assert events == [PhrasesFound(1, 1, 4)]
    phrases, text, events = joined(sentences, phrase_passes=5, **options)
    assert text[0] == ["new_york_city_hall"]
    assert phrases["new_york_city_hall"].words == ("new_york", "city_hall")
    assert events[-1] == PhrasesFound(3, 5, 0)  # a pass that finds nothing is the last


def test_connector_words_are_inside_of_phrases_only(tools: str) -> None:
    sentences = [["the", "bank", "of", "the", "west", "of"]] * 10 + [["bank"], ["west"]] * 9
    options: dict[str, Any] = {"phrase_threshold": 0.01, "phrase_min_count": 2}
    _, text, _ = joined(sentences, phrase_connectors="english", **options)
    assert text[0] == ["the", "bank_of_the_west", "of"]
    assert hyperskip.find_phrases(sentences, phrase_connectors="of", **options).join(
        ["bank", "of", "the", "west"]
    ) == ["bank_of_the", "west"]


def test_a_run_of_connector_words_without_end(tools: str) -> None:
    sentences = [["bank", *["of"] * 1000, "west"], ["bank", *["of"] * 200, "west"]] * 3
    options: dict[str, Any] = {"phrase_threshold": 1e-6, "phrase_min_count": 1}
    phrases, text, _ = joined(sentences, phrase_connectors="of", **options)
    assert list(phrases) == ["bank" + "_of" * 200 + "_west"]  # 256 words at most
    assert [len(sentence) for sentence in text] == [1002, 1] * 3


def test_sentences_and_dropped_words_interrupt_phrases(tools: str) -> None:
    sentences = [["end", "start"]] * 9 + [["end"], ["start"]] * 9
    _, text, _ = joined(sentences, phrase_threshold=0.01, phrase_min_count=2)
    assert text[0] == ["end_start"]
    assert text[9:11] == [["end"], ["start"]]

    rare = [[f"w{i}" for i in range(n, n + 10)] for n in range(0, 3000, 10)]
    pairs = [["new", "york"]] * 400 + [["new", "rare", "york"]] * 2
    options: dict[str, Any] = {"phrase_threshold": 1e-6, "phrase_min_count": 2}
    chosen = TextOptions(phrases=True, vocabulary_limit=1000, **options)
    with scratch_folder() as folder:
        sizes = Sizes(tokens_in_memory=64)
        documents = [*pairs, *rare]
        _, text_of_ids = read_unfiltered(documents, chosen, folder, print, threads=1, sizes=sizes)
        tokens = [block.tokens for block in text_of_ids.blocks()]
        assert (np.concatenate(tokens) == -1).any()
        phrases = find_in(text_of_ids, chosen.phrase_rules, print, join_all=True)
        assert phrases["new_york"].count == 400
        joined_tokens = np.concatenate([block.tokens for block in text_of_ids.blocks()])
        new, york = 0, 1  # in order of first appearance
        assert ((joined_tokens == new).sum(), (joined_tokens == york).sum()) == (2, 2)


def test_memory_is_limited_and_this_is_reported(tools: str) -> None:
    generator = np.random.default_rng(1)
    rare = generator.integers(0, 200, (400, 10)).astype(str).tolist()
    sentences = [["new", "york"]] * 20 + rare + [["new", "york"]] * 20
    options: dict[str, Any] = {"phrase_threshold": 1.0, "phrase_limit": 1000}
    phrases, _, events = joined(sentences, **options)
    assert phrases["new_york"].count == 40
    pruned = next(event for event in events if isinstance(event, PrunedCandidates))
    assert pruned.candidates > 1000
    assert pruned.highest_count < 20
    assert joined(sentences, 1000, **options)[2] == events  # however the text is read


def test_every_kind_of_corpus(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT))

    def generated() -> Iterator[str]:
        yield from TEXT

    expected = hyperskip.find_phrases(TEXT, phrase_threshold=0.4).rows
    tokens = [sentence.split() for sentence in TEXT]
    for corpus, column in (
        *((path, None), (generated(), None), (tokens, None)),
        (pd.DataFrame({"text": TEXT}), "text"),
        ([{"text": text} for text in TEXT], "text"),
    ):
        assert hyperskip.find_phrases(corpus, phrase_threshold=0.4, column=column).rows == expected


def test_large_texts_use_the_kernels(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("\n".join(TEXT * 2000))
    events: list[object] = []
    phrases = hyperskip.find_phrases(path, report=events.append, phrase_threshold=1e-4)
    assert "CompilingPhrases()" in map(repr, events)
    options = TextOptions(phrases=True, phrase_threshold=1e-4)
    small = found_in(TEXT * 2000, options, sizes=Sizes(small_bytes=10**9))
    assert phrases.rows == small.rows
    assert phrases["new_york"].count == 20_000


def test_words_of_a_megabyte_unicode_and_empty_lines() -> None:
    long = "x" * (1 << 20)
    sentences = [[long, "中文"], [], ["ä"], [long, "中文"]] * 3
    phrases = hyperskip.find_phrases(sentences, phrase_threshold=1e-6, phrase_min_count=1)
    assert list(phrases) == [f"{long}_中文"]


def test_what_is_refused() -> None:
    with pytest.raises(CorpusError, match="no words"):
        hyperskip.find_phrases([[], []])
    with pytest.raises(CorpusError):
        hyperskip.find_phrases("missing.txt")
    with pytest.raises(OptionError, match=naming("phrase_score", "default", "npmi", "pmi")):
        hyperskip.find_phrases(TEXT, phrase_score="pmi")
    with pytest.raises(OptionError, match=naming("`phrase_threshold`", "greater than 0", "0.0")):
        hyperskip.find_phrases(TEXT, phrase_threshold=0)
    with pytest.raises(OptionError, match=naming("`phrase_threshold`", "between -1 and 1", "10")):
        hyperskip.find_phrases(TEXT, phrase_score="npmi", phrase_threshold=10)
    with pytest.raises(OptionError, match=naming("`phrase_connectors`")):
        hyperskip.find_phrases(TEXT, connector_words="english")  # type: ignore[call-arg]


def test_every_option_is_a_typed_and_documented_keyword() -> None:
    declared = declarations(TextOptions)
    for name in NOT_FOR_PHRASES:
        del declared[name]
    check_keywords(hyperskip.find_phrases, ["corpus", "threads", "report", "progress"], declared)
