"""The built-in corpus: the same on every machine, and suitable for its questions."""

import hashlib
import re
from collections import Counter
from itertools import islice, pairwise

import pytest

from hyperskip.builtin import (
    analogy_questions,
    categories,
    corpus,
    hypernym_pairs,
    hypernymy_pairs,
    sentences,
    similarity_pairs,
    taxonomy,
)
from hyperskip.builtin.data_files import lines, sections, words
from hyperskip.builtin.taxonomy import Adjective, Verb

WORD = re.compile("[a-z]{2,}")


@pytest.fixture(scope="module")
def counts() -> Counter[str]:
    """The number of occurrences of every word in the corpus of default size."""
    return Counter(word for sentence in sentences() for word in sentence.split())


def digest(word_count: int, seed: int) -> str:
    return hashlib.sha256("\n".join(sentences(word_count, seed)).encode()).hexdigest()


def test_the_corpus_is_the_same_on_every_python() -> None:
    # Only a deliberate change of the words or templates may change this value.
    first = "\n".join(islice(sentences(), 10_000))
    assert (
        hashlib.sha256(first.encode()).hexdigest()
        == "f5d98e9ee4418fbe6ca7f39fea349271f6d86d8d330fb486b0d78455f68741b6"
    )


def test_the_questions_are_the_same_on_every_python() -> None:
    questions = (
        *(analogy_questions(), categories(), hypernym_pairs(), hypernymy_pairs()),
        similarity_pairs(),
    )
    assert (
        hashlib.sha256(repr(questions).encode()).hexdigest()
        == "4caae2bcaf91390222d323a5f095b1b826ed3f88242cc5a1e7a2c5a68a528efc"
    )


def test_the_seed_alone_decides_the_corpus() -> None:
    assert digest(20_000, seed=1) == digest(20_000, seed=1)
    assert digest(20_000, seed=1) != digest(20_000, seed=2)


def test_a_shorter_corpus_is_the_beginning_of_a_longer_one() -> None:
    short = list(sentences(5_000))
    assert short == list(islice(sentences(10_000), len(short)))


@pytest.mark.parametrize("word_count", [1, 100, 12_345])
def test_it_stops_at_the_sentence_that_reaches_the_word_count(word_count: int) -> None:
    lengths = [len(sentence.split()) for sentence in sentences(word_count)]
    assert sum(lengths[:-1]) < word_count <= sum(lengths)


def test_a_corpus_of_no_words_has_no_sentences() -> None:
    assert list(sentences(0)) == []


def test_sentences_are_short_lines_of_lower_case_words() -> None:
    for sentence in sentences(200_000):
        words = sentence.split(" ")
        assert 5 <= len(words) <= 20, sentence
        assert all(word == "a" or WORD.fullmatch(word) for word in words), sentence


def test_frequencies_fall_off_as_in_natural_text(counts: Counter[str]) -> None:
    ranked = [count for _, count in counts.most_common()]
    assert 0.05 < ranked[0] / counts.total() < 0.15
    assert sum(ranked[:100]) > 0.4 * counts.total()
    assert ranked[1000] < ranked[100] / 5


def test_the_words_of_every_question_are_frequent_enough_to_learn(counts: Counter[str]) -> None:
    analogies = [word for section in analogy_questions().values() for q in section for word in q]
    similar = [word for first, second, _ in similarity_pairs() for word in (first, second)]
    hypernyms = [word for pair in hypernym_pairs() for word in pair]
    rare = {word: counts[word] for word in {*analogies, *similar, *hypernyms} if counts[word] < 50}
    assert rare == {}


def test_hypernyms_are_more_frequent_than_most_of_their_hyponyms(counts: Counter[str]) -> None:
    pairs = hypernym_pairs()
    assert sum(counts[general] > counts[word] for word, general in pairs) > 0.9 * len(pairs)


def test_every_word_has_one_meaning() -> None:
    forms = [form for noun in taxonomy.nouns().values() for form in noun[:2] if form]
    forms += [form for country in taxonomy.countries() for form in country[:3]]
    forms += [form for adjective in taxonomy.adjectives() for form in adjective[:3]]
    forms += [form for verb in taxonomy.verbs() for form in verb[:2]]
    forms += [*words("male names"), *words("female names")]
    assert [form for form, count in Counter(forms).items() if count > 1] == []


def test_every_word_of_the_taxonomy_is_of_lower_case_letters() -> None:
    files = ("nouns.txt", "countries.txt", "adjectives.txt", "verbs.txt")
    found = [
        word
        for file in files
        for word in re.split(r"[\s/:;]+", "\n".join(lines(file)))
        if word not in ("", "-")
    ]
    assert len(found) > 4000
    assert [word for word in found if not WORD.fullmatch(word)] == []


def test_the_taxonomy_is_a_tree_of_at_least_three_levels() -> None:
    nouns = taxonomy.nouns()
    assert all(ancestor in nouns for noun in nouns.values() for ancestor in noun.ancestors)
    assert max(len(noun.ancestors) for noun in nouns.values()) >= 3
    assert nouns["poodle"].ancestors == ("dog", "mammal", "animal")
    assert nouns["mouse"].plural == "mice"
    assert nouns["rain"].plural is None


def test_the_male_and_the_female_noun_of_a_line_are_a_pair() -> None:
    pairs = taxonomy.gender_pairs()
    assert len(pairs) >= 25
    assert {("king", "queen"), ("uncle", "aunt"), ("actor", "actress")} <= set(pairs)


def test_the_objects_of_verbs_and_adjectives_are_in_the_taxonomy() -> None:
    described: list[Adjective | Verb] = [*taxonomy.adjectives(), *taxonomy.verbs()]
    assert {thing for each in described for thing in each.things} <= taxonomy.nouns().keys()


def test_templates_do_not_use_the_words_that_are_asked_for() -> None:
    # The fixed words of a template must not separate or connect the words of a pair.
    asked = {form for adjective in taxonomy.adjectives() for form in adjective[:3]}
    asked |= {form for verb in taxonomy.verbs() for form in verb[:2]}
    templates = [line for section in sections("templates.txt").values() for line in section]
    fixed = {word for line in templates for word in line.split()}
    assert "{noun}" in fixed
    assert fixed & asked == set()


@pytest.mark.parametrize(
    ("word", "with_article"),
    [("dog", "a dog"), ("apple", "an apple"), ("heir", "an heir"), ("utensil", "a utensil")],
)
def test_articles(word: str, with_article: str) -> None:
    assert corpus._with_article(word) == with_article


def test_similarity_pairs_are_graded_by_the_taxonomy() -> None:
    grades = {(first, second): grade for first, second, grade in similarity_pairs()}
    assert 200 <= len(grades) <= 500
    assert len(grades) == len({frozenset(pair) for pair in grades})
    assert all(first != second for first, second in grades)
    assert min(grades.values()) == 0.0
    assert max(grades.values()) == 10.0
    tops = categories()
    assert all((tops[a] == tops[b]) == (grade > 0) for (a, b), grade in grades.items())


def test_a_third_of_the_hypernymy_pairs_are_true() -> None:
    answers = hypernymy_pairs()
    right = {(first, second) for first, second, is_kind in answers if is_kind}
    wrong = [(first, second) for first, second, is_kind in answers if not is_kind]
    assert right == set(hypernym_pairs())
    assert len(wrong) == 2 * len(right)
    assert not right & set(wrong)
    assert {(second, first) for first, second in right} <= set(wrong)
    assert all(first != second for first, second in wrong)


def test_analogies_relate_two_different_pairs_of_one_section() -> None:
    sections = analogy_questions()
    assert {"capital-of-country", "nationality", "gender", "gram1-plural"} <= sections.keys()
    assert sum(map(len, sections.values())) <= 2_000
    for questions in sections.values():
        assert len(questions) == len(set(questions)) > 100
        assert all(len(set(question)) == 4 for question in questions)
        pairs = {(a, b) for a, b, _, _ in questions}
        assert pairs == {(c, d) for _, _, c, d in questions}
    assert ("france", "paris") in {question[:2] for question in sections["capital-of-country"]}
    assert ("mouse", "mice") in {question[2:] for question in sections["gram1-plural"]}


def test_hypernyms_are_near_and_far() -> None:
    pairs = hypernym_pairs()
    assert len(pairs) == len(set(pairs))
    assert {("dog", "mammal"), ("dog", "animal"), ("france", "country"), ("paris", "place")} <= {
        *pairs
    }


def test_a_hypernym_is_never_below_its_hyponym() -> None:
    pairs = set(hypernym_pairs())
    assert {pair for pair in pairs if pair[::-1] in pairs} == set()


def test_categories_cover_the_words_of_a_picture() -> None:
    tops = categories()
    assert tops["dog"] == tops["dogs"] == "animal"
    assert tops["paris"] == tops["france"] == "place"
    assert 8 <= len(set(tops.values())) <= 20
    assert {word for first, second, _ in similarity_pairs() for word in (first, second)} <= {*tops}


def test_sentences_stay_on_a_topic_for_a_while() -> None:
    tops = categories()
    topics = [{tops[word] for word in s.split() if word in tops} for s in sentences(100_000)]
    consecutive = [bool(a & b) for a, b in pairwise(topics) if a and b]
    distant = [bool(a & b) for a, b in zip(topics, topics[500:], strict=False) if a and b]
    assert sum(consecutive) / len(consecutive) > 2 * sum(distant) / len(distant)
