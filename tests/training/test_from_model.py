"""Training that starts from a model: old words stay, new words find positions among them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming
from plans import planned

from hyperskip import WordVectors, builtin, load, train
from hyperskip.errors import OptionError, TrainingWarning, VectorFileError
from hyperskip.geometry import hyperboloid
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.training.start import from_model

OPTIONS: dict[str, Any] = {"subsample": 1e-3, "threads": 1, "epochs": 3, "window": 5}
SPACES = ["hyperboloid", "euclidean"]


def with_a_new_word(words: int = 200_000) -> list[str]:
    """The built-in corpus, with half of the violins replaced by fiddlewoods."""
    texts = list(builtin.sentences(words))
    return [text.replace("violin", "fiddlewood") if i % 2 else text for i, text in enumerate(texts)]


@pytest.fixture(scope="module", params=SPACES)
def model(request: pytest.FixtureRequest) -> WordVectors:
    lines = [line for line in builtin.sentences(400_000) if "piano" not in line]
    return train(lines, geometry=request.param, dimension=20, **(OPTIONS | {"epochs": 5}))


def test_words_are_added_and_all_old_ones_are_kept(model: WordVectors) -> None:
    more = train(with_a_new_word(), init=model, **OPTIONS)
    assert set(more.words) >= {*model.words, "fiddlewood", "piano"}
    assert (more.geometry, more.dimension) == (model.geometry, 20)
    assert (np.diff(more.counts) <= 0).all()
    text = train(with_a_new_word(), dimension=2, epochs=1, threads=1)
    for word in ("violin", "fiddlewood", "the"):
        known = model.counts[model.index_of(word)] if word in model else 0
        added = text.counts[text.index_of(word)]
        assert more.counts[more.index_of(word)] == known + added
    near = [neighbor.word for neighbor in more.neighbors("fiddlewood", 10)]
    categories = builtin.categories()
    assert [categories.get(word) for word in near].count("instrument") >= 2


def test_frozen_words_keep_their_vectors_to_the_bit(model: WordVectors) -> None:
    more = train(with_a_new_word(), init=model, freeze=True, **OPTIONS)
    rows = [more.index_of(word) for word in model.words]
    np.testing.assert_array_equal(more.coordinates[rows], model.coordinates)
    near = [neighbor.word for neighbor in more.neighbors("fiddlewood", 10)]
    categories = builtin.categories()
    assert [categories.get(word) for word in near].count("instrument") >= 2
    moving = train(with_a_new_word(), init=model, **OPTIONS)
    rows = [moving.index_of(word) for word in model.words]
    assert (moving.coordinates[rows] != model.coordinates).any()


def test_the_file_of_the_initial_model_may_be_overwritten_during_training(tmp_path: Path) -> None:
    model = train(builtin.sentences(50_000), dimension=4, **OPTIONS)
    path = tmp_path / "model"
    model.save(path)

    def overwrite(_: object) -> None:
        path.write_bytes(bytes(path.stat().st_size))

    more = train(with_a_new_word(50_000), init=load(path), freeze=True, report=overwrite, **OPTIONS)
    rows = [more.index_of(word) for word in model.words]
    np.testing.assert_array_equal(more.coordinates[rows], model.coordinates)


def test_words_that_are_not_in_the_text_do_not_move(model: WordVectors) -> None:
    text = ["cat dog cow sheep horse"] * 50
    more = train(text, init=model, subsample=0, epochs=1, threads=1)
    others = [word for word in model.words if word not in text[0].split()]
    np.testing.assert_array_equal(
        more.coordinates[[more.index_of(word) for word in others]],
        model.coordinates[[model.index_of(word) for word in others]],
    )
    assert (more["cat"] != model["cat"]).any()


def encoded(text: list[str], folder: Path, min_count: int = 1) -> EncodedCorpus:
    return encode_into(text, TextOptions(min_count=min_count, tokenizer="whitespace"), folder)


@pytest.mark.parametrize("geometry", SPACES)
def test_a_new_word_starts_at_the_centroid_of_its_first_contexts(
    geometry: str, tmp_path: Path
) -> None:
    coordinates = np.array([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.5]], dtype=np.float32)
    model = WordVectors(["a", "b", "c"], coordinates, geometry=geometry)
    corpus = encoded(["a new b other", "b alone", "lost strange"], tmp_path)
    plan = planned(geometry=geometry, dimension=2, window=2, subsample=0)
    parameters, known = from_model.parameters_from_model(model, corpus, plan)
    places = {word: i for i, word in enumerate(corpus.vocabulary.words)}
    assert {word for word, i in places.items() if known[i]} == {"a", "b"}
    np.testing.assert_allclose(parameters.centers[places["a"]], coordinates[0])

    def middle(*rows: int) -> Any:
        some = coordinates[list(rows)].astype(np.float64)
        if geometry == "euclidean":
            return some.mean(axis=0)
        return hyperboloid.centroid(hyperboloid.from_spatial(some))[:-1]

    jitter = 0.06 if geometry == "hyperboloid" else 1.0 / 2  # the random start around 0
    expected = {"new": middle(0, 1), "other": middle(1), "alone": middle(1), "lost": 0.0}
    for word, place in expected.items():
        np.testing.assert_allclose(parameters.centers[places[word]], place, atol=jitter)
    assert parameters.contexts is None or not parameters.contexts.any()
    untied, _ = from_model.parameters_from_model(
        model, corpus, planned(dimension=2, tied=False, subsample=0)
    )
    np.testing.assert_array_equal(untied.contexts, untied.centers)


def literal_first_contexts(
    corpus: EncodedCorpus, known: list[bool], reach: int, occurrences: int, most: int
) -> list[list[int]]:
    """The same, slow and literal."""
    found: list[list[int]] = [[] for _ in known]
    seen = [0 for _ in known]
    for begin, end in zip(corpus.sentence_starts[:-1], corpus.sentence_starts[1:], strict=True):
        sentence = corpus.tokens[begin:end].tolist()
        for place, word in enumerate(sentence):
            if known[word] or seen[word] == occurrences:
                continue
            seen[word] += 1
            around = [*range(max(0, place - reach), place), *range(place + 1, place + reach + 1)]
            contexts = [sentence[i] for i in around if i < len(sentence) and known[sentence[i]]]
            found[word] = (found[word] + contexts)[:most]
    return found


def test_first_contexts_are_those_of_a_literal_search(tmp_path: Path) -> None:
    generator = np.random.default_rng(4)
    words = [f"w{i}" for i in generator.zipf(1.4, 30_000) % 300]
    cuts = np.unique(generator.integers(0, len(words), 2000)).tolist()
    text = [" ".join(words[a:b]) for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
    corpus = encoded(text, tmp_path)
    known = generator.random(len(corpus.vocabulary)) < 0.4
    found = from_model._first_contexts(corpus, known, 3)
    literal = literal_first_contexts(
        corpus, known.tolist(), 3, from_model._OCCURRENCES, from_model._CONTEXTS
    )
    assert [[i for i in row if i >= 0] for row in found.tolist()] == literal
    assert max(map(len, literal)) > 30


def test_far_words_have_an_accurate_centroid(tmp_path: Path) -> None:
    """At radius 15, float32 costs a distance of 0.1; the centroid adds no error."""
    generator = np.random.default_rng(1)
    direction = generator.normal(size=5)
    far = np.sinh(15.0) * direction / np.linalg.norm(direction)
    coordinates = (far * (1 + generator.normal(0, 0.1, (3, 1)))).astype(np.float32)
    model = WordVectors(["a", "b", "c"], coordinates)
    corpus = encoded(["a new b"] * 3, tmp_path)
    plan = planned(dimension=5, window=2, subsample=0)
    parameters, _ = from_model.parameters_from_model(model, corpus, plan)
    place = corpus.vocabulary.words.index("new")
    points = hyperboloid.from_spatial(coordinates[:2].astype(np.float64))
    new = hyperboloid.from_spatial(parameters.centers[place])
    distances = hyperboloid.distance(points, new)
    between = hyperboloid.distance(points[0], points[1])
    np.testing.assert_allclose(distances, between / 2, atol=0.01)


def test_theta_is_that_of_the_initial_model(tmp_path: Path) -> None:
    model = train(
        builtin.sentences(30_000), theta=2.0, learn_theta=True, dimension=4, epochs=1, threads=1
    )
    learned = model.history[-1]["theta"]
    assert learned != 2.0
    path = tmp_path / "model"
    model.save(path)
    more = train(builtin.sentences(30_000), init=path, epochs=1, threads=1)
    assert more.options["theta"] == learned
    other = train(builtin.sentences(30_000), init=path, theta=1.0, epochs=1, threads=1)
    assert other.options["theta"] == 1.0


def test_vectors_of_other_programs_are_treated_as_the_papers() -> None:
    points = np.random.default_rng(1).normal(0, 0.5, (50, 100)).astype(np.float32)
    model = WordVectors([f"w{i}" for i in range(50)], points)
    text = [" ".join(model.words[i : i + 5]) for i in range(0, 50, 5)] * 9
    more = train(text, init=model, epochs=1, threads=1, subsample=0)
    assert (more.options["curvature"], more.options["theta"]) == (1.0, 3.0)


def test_the_space_of_the_initial_model_wins_over_a_preset() -> None:
    quick: dict[str, Any] = {"epochs": 1, "threads": 1, "subsample": 1e-2}
    text = list(builtin.sentences(10_000))
    for space in ({"factors": 2, "curvature": 2.0, "theta": 1.0}, {"geometry": "euclidean"}):
        model = train(text, dimension=4, **quick, **space)
        more = train(text, preset="paper", init=model, schedule="window", **quick)
        assert space.items() <= more.options.items()
        assert more.options["window"] == 10


def test_text_is_split_into_words_as_that_of_the_initial_model() -> None:
    text = ["item_1 Item_2 B00-XYZ1", "Item_2 item_1 item_3"] * 20
    options: dict[str, Any] = {"dimension": 3, "epochs": 1, "threads": 1, "subsample": 0}
    first = train(text, tokenizer="whitespace", lowercase=True, **options)
    assert set(train(text, init=first, **options).words) == set(first.words)
    assert "Item_2" in train(text, init=first, lowercase=False, **options).words
    assert "item" in train(text, init=first, tokenizer="paper", **options).words

    by_function = train(text, tokenizer=str.split, **options)
    with pytest.warns(TrainingWarning, match=naming("str.split", "tokenizer")):
        assert "item" in train(text, init=by_function, **options).words
    assert set(train(text, init=by_function, tokenizer=str.split, **options).words) == {
        *("item_1", "Item_2", "B00-XYZ1", "item_3"),
    }


def test_options_that_contradict_the_initial_model_are_refused(tmp_path: Path) -> None:
    model = WordVectors(["cat", "dog"], np.zeros((2, 3), dtype=np.float32))
    text = ["cat dog"] * 10
    with pytest.raises(OptionError, match=naming("dimension", 4, 3)):
        train(text, init=model, dimension=4)
    with pytest.raises(OptionError, match=naming("geometry", "euclidean", "hyperboloid")):
        train(text, init=model, geometry="euclidean")
    with pytest.raises(OptionError, match=naming("freeze", "init")):
        train(text, freeze=True)
    for wrong in (5, ["a"], b"x"):
        with pytest.raises(OptionError, match=naming("init", repr(wrong))):
            train(text, init=wrong)  # type: ignore[arg-type]
    with pytest.raises(VectorFileError, match=naming(tmp_path / "nothing")):
        train(text, init=tmp_path / "nothing")


def test_the_result_is_the_same_twice_and_after_a_crash(tmp_path: Path) -> None:
    from hyperskip.training.run.state import EpochSummary
    from hyperskip.training.run.training_events import Progress

    model = train(builtin.sentences(50_000), dimension=4, **OPTIONS)

    def again(**more: Any) -> bytes:
        vectors = train(with_a_new_word(50_000), init=model, freeze=True, **(OPTIONS | more))
        vectors.save(tmp_path / "file")
        return (tmp_path / "file").read_bytes()

    class CrashError(Exception):
        pass

    def crash(event: Progress) -> None:
        if isinstance(event, EpochSummary) and event.epoch == 2:
            raise CrashError

    undisturbed = again()
    assert again() == undisturbed
    with pytest.raises(CrashError):
        again(checkpoints=tmp_path / "kept", checkpoint_minutes=1e-9, report=crash)
    assert again(checkpoints=tmp_path / "kept", resume=True) == undisturbed
