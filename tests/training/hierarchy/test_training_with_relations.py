"""`hyperskip.train` with relations: the vectors stay the same, the hierarchy is reproducible."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from facts import naming

import hyperskip
from hyperskip import Relations, WordVectors, builtin, extract_relations, train
from hyperskip.errors import (
    CorpusError,
    CorpusWarning,
    GraphError,
    InputError,
    OptionError,
    TrainingWarning,
)
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Piece, Sizes
from hyperskip.text.relations.matcher import Matcher
from hyperskip.text.relations.relation_events import ExtractionSummary
from hyperskip.training.run.state import EpochSummary
from hyperskip.training.run.training_events import HierarchyAdded, Progress, TrainingProgress
from hyperskip.vectors.hierarchy_points import HierarchyPoints

OPTIONS: dict[str, Any] = {
    "dimension": 10, "subsample": 1e-3, "epochs": 3, "threads": 1, "progress": False,
}  # fmt: skip
PAIRS = builtin.hypernym_pairs()


def text() -> list[str]:
    """Sentences of the built-in corpus, with statements of its hypernyms."""
    statements = [f"There are {broader}, such as {narrower}." for narrower, broader in PAIRS]
    return [*builtin.sentences(30_000), *statements]


def points_of(vectors: WordVectors) -> HierarchyPoints:
    assert vectors.hierarchy is not None
    return vectors.hierarchy


def file_of(vectors: WordVectors, path: Path) -> bytes:
    vectors.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def plain() -> WordVectors:
    return train(text(), **OPTIONS)


@pytest.fixture(scope="module")
def with_pairs() -> WordVectors:
    return train(text(), relations=PAIRS, **OPTIONS)


def test_similarities_do_not_depend_on_relations(
    plain: WordVectors, with_pairs: WordVectors, tmp_path: Path
) -> None:
    found = train(text(), hierarchy=True, hierarchy_dimension=12, **OPTIONS)
    for vectors in (with_pairs, found):
        assert vectors.coordinates.tobytes() == plain.coordinates.tobytes()
        assert vectors.words == plain.words
        assert vectors.options == plain.options
        assert vectors.history == plain.history
    assert plain.hierarchy is None
    assert points_of(with_pairs).dimension == 30
    assert points_of(found).dimension == 12
    assert file_of(train(text(), **OPTIONS), tmp_path / "a") == file_of(plain, tmp_path / "b")


def test_the_hierarchy_knows_the_relations(with_pairs: WordVectors) -> None:
    directions = [
        with_pairs.is_a(narrower, broader) > with_pairs.is_a(broader, narrower)
        for narrower, broader in PAIRS
        if narrower in with_pairs and broader in with_pairs
    ]
    assert len(directions) > 50
    assert np.mean(directions) > 0.95


def test_adding_later_gives_the_same(with_pairs: WordVectors, plain: WordVectors) -> None:
    later = points_of(hyperskip.add_hierarchy(plain, PAIRS))
    assert later.coordinates.tobytes() == points_of(with_pairs).coordinates.tobytes()
    assert later.slope == points_of(with_pairs).slope


def test_relations_in_the_text_are_those_that_extract_relations_finds() -> None:
    found = extract_relations(text(), threads=1, progress=False)
    assert len(found) >= len(PAIRS) / 2
    extracted = points_of(train(text(), relations=found, **OPTIONS))
    joint = points_of(train(text(), hierarchy=True, **OPTIONS))
    assert joint.coordinates.tobytes() == extracted.coordinates.tobytes()
    assert joint.evidence.tolist() == extracted.evidence.tolist()


@pytest.mark.parametrize(
    "corpus",
    [
        lambda _: iter(text()),
        lambda _: pd.DataFrame({"text": text()}),
        lambda _: [line.split() for line in text()],
        lambda folder: folder / "text.txt",
    ],
    ids=["generator", "frame", "tokens", "file"],
)
def test_every_kind_of_text(corpus: Callable[[Path], Any], tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("\n".join(text()))
    options: dict[str, Any] = (
        {"column": "text"} if isinstance(corpus(tmp_path), pd.DataFrame) else {}
    )
    added = points_of(train(corpus(tmp_path), hierarchy=True, **options, **OPTIONS))
    assert (added.evidence > 0).sum() > 20


@pytest.mark.parametrize("piece_bytes", [50, 1000, 1 << 20])
def test_pieces_that_are_watched_have_whole_documents(piece_bytes: int, tmp_path: Path) -> None:
    lines = text()[-300:]
    (tmp_path / "text.txt").write_text("\n".join(lines))
    sizes = Sizes(piece_bytes=piece_bytes, small_bytes=1 << 20)
    watched: list[Piece] = []
    tokens = []
    for name, watch in (("plain", None), ("watched", watched.append)):
        (tmp_path / name).mkdir()
        encoded = encode_into(
            tmp_path / "text.txt",
            TextOptions(min_count=1),
            tmp_path / name,
            sizes=sizes,
            watch=watch,
        )
        tokens.append(encoded.tokens[:].tolist())
    assert tokens[0] == tokens[1]
    pieces = [piece.decode() for piece in watched if isinstance(piece, bytes)]
    assert "".join(pieces).splitlines() == lines
    assert all(piece.endswith("\n") for piece in pieces[:-1])


def test_deterministic_training_gives_the_same_file_on_any_number_of_threads(
    tmp_path: Path,
) -> None:
    files = [
        file_of(
            train(text(), hierarchy=True, **OPTIONS | {"deterministic": True, "threads": threads}),
            tmp_path / "model",
        )
        for threads in (1, 2, 3)
    ]
    assert files.count(files[0]) == 3


class StoppedError(Exception):
    """Stands for a crash."""


@pytest.mark.parametrize("how", [{"relations": PAIRS}, {"hierarchy": True}])
def test_resuming_gives_the_same_hierarchy(how: dict[str, Any], tmp_path: Path) -> None:
    undisturbed = file_of(train(text(), **how, **OPTIONS), tmp_path / "undisturbed")
    folder = tmp_path / "checkpoints"

    def stop(event: Progress) -> None:
        if isinstance(event, EpochSummary) and event.epoch == 2:
            raise StoppedError

    options = OPTIONS | {"progress": None, "checkpoints": folder, "checkpoint_minutes": 1e-9}
    with pytest.raises(StoppedError):
        train(text(), report=stop, **how, **options)
    assert any(folder.iterdir())
    resumed = train(text(), resume=True, **how, **options)
    assert file_of(resumed, tmp_path / "resumed") == undisturbed


def test_words_of_the_initial_model_have_a_hierarchy_too(plain: WordVectors) -> None:
    narrower, broader = PAIRS[0]
    other = ["many new words in another text"] * 20
    vectors = train(other, init=plain, relations=PAIRS, epochs=1, threads=1, progress=False)
    assert points_of(vectors).evidence[vectors.index_of(narrower)] > 0
    assert vectors.is_a(narrower, broader) > vectors.is_a(broader, narrower)


def test_a_hierarchy_of_the_initial_model_is_not_kept(with_pairs: WordVectors) -> None:
    other = ["many new words in another text"] * 20
    with pytest.warns(TrainingWarning, match=naming("`relations`", "`hierarchy=True`")):
        vectors = train(other, init=with_pairs, epochs=1, threads=1, progress=False)
    assert not vectors.has_hierarchy


def test_progress_says_what_was_found() -> None:
    seen: list[Any] = []
    train(text(), hierarchy=True, report=seen.append, **OPTIONS | {"progress": None})
    (summary,) = [event for event in seen if isinstance(event, ExtractionSummary)]
    (added,) = [event for event in seen if isinstance(event, HierarchyAdded)]
    assert summary.different_pairs > 20
    assert 20 < added.known < added.words
    assert added.seconds > 0


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"hierarchy": True, "relations": PAIRS}, ["`relations`", "`hierarchy=True`"]),
        ({"hierarchy": True, "cluster": "auto"}, ["`hierarchy=True`", "`cluster`", "`relations`"]),
        ({"hierarchy_dimension": 5}, ["`hierarchy_dimension`", "`relations`", "`hierarchy=True`"]),
        ({"hierarchy_dimension": 1, "hierarchy": True}, ["`hierarchy_dimension`", 2, 1000, 1]),
        ({"hierarchy": "yes"}, ["`hierarchy`", "yes"]),
    ],
)
def test_options_that_contradict_each_other(options: dict[str, Any], facts: list[object]) -> None:
    def unread() -> Iterator[str]:
        raise AssertionError("the text was read")
        yield ""

    with pytest.raises(OptionError, match=naming(*facts)):
        train(unread(), **options | {"epochs": 1})


def test_an_encoded_corpus_has_no_sentences_to_search(tmp_path: Path) -> None:
    encoded = hyperskip.encode(text(), tmp_path / "encoded", progress=False)
    for corpus in (encoded, tmp_path / "encoded"):
        with pytest.raises(OptionError, match=naming("`hierarchy=True`", "`relations`")):
            train(corpus, hierarchy=True, **OPTIONS)
    vectors = train(encoded, relations=PAIRS, **OPTIONS)
    assert vectors.has_hierarchy


def check_before_training(
    error: type[Exception], facts: list[object], corpus: Any, **options: Any
) -> None:
    seen: list[Progress] = []
    with pytest.raises(error, match=naming(*facts)):
        train(corpus, report=seen.append, **OPTIONS | {"progress": None} | options)
    assert not [event for event in seen if isinstance(event, TrainingProgress)]


def test_unknown_terms_are_detected_before_training() -> None:
    unknown = [("hund", "tier"), ("katze", "tier")]
    check_before_training(InputError, [2, "vocabulary"], text(), relations=unknown)


def test_a_text_without_relations_is_detected_before_training() -> None:
    words = ["red green blue yellow"] * 5000
    with pytest.warns(CorpusWarning, match="patterns"):
        check_before_training(GraphError, ["relations"], words, hierarchy=True)


def test_wrong_relations_are_detected_before_the_text_is_read() -> None:
    check_before_training(CorpusError, ["missing.tsv"], 3, relations="missing.tsv")
    check_before_training(GraphError, ["`relations`"], 3, relations=Relations.of_rows([]))
    check_before_training(GraphError, ["`relations`", 7], 3, relations=7)


def test_few_relations_are_warned_of_once() -> None:
    with pytest.warns(CorpusWarning, match=naming(1)) as warned:
        train(text(), relations=PAIRS[:1], **OPTIONS)
    assert len(warned) == 1


def test_ctrl_c_while_relations_are_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Matcher, "find", interrupted)
    with pytest.raises(KeyboardInterrupt):
        train(text(), hierarchy=True, checkpoints=tmp_path / "checkpoints", **OPTIONS)
    assert not list(tmp_path.rglob("*.safetensors"))
