import json
from pathlib import Path

import numpy as np
import pytest
from facts import naming

from hyperskip import WordVectors
from hyperskip.builtin import BUILTIN
from hyperskip.errors import DatasetError, DatasetWarning, InputError, OptionError, VectorFileError
from hyperskip.evaluation.chosen_sets import EvaluationSets
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.evaluating import evaluate, evaluate_sets
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.known_sets import HYPERNYMY_SETS


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> str:
        raise OSError("no network")

    monkeypatch.setattr("pooch.retrieve", refuse)
    monkeypatch.delenv("HYPERSKIP_DATA", raising=False)


def test_all_kinds_of_sets(trained: WordVectors) -> None:
    pairs, questions = similarity_pairs(BUILTIN), analogy_questions(BUILTIN)
    sets = EvaluationSets(
        similarity={"one": pairs, "two": pairs[::3]},
        analogies={"a": questions, "b": questions},
        hypernymy=hypernymy_pairs(BUILTIN),
    )
    scores = evaluate_sets(trained, sets)
    plain = json.loads(json.dumps(scores.as_dict()))
    assert list(plain["similarity"]) == ["product", "angle"]
    for by_measure in plain["similarity"].values():
        found = [by_measure["sets"][name]["found"] for name in ("one", "two")]
        values = [by_measure["sets"][name]["spearman"] for name in ("one", "two")]
        assert by_measure["average"] == pytest.approx(np.average(values, weights=found))
    assert scores.average == plain["similarity"]["product"]["average"]
    assert list(plain["analogy"]) == ["product"]
    by_route = plain["analogy"]["product"]["Z"]
    assert scores.accuracy == by_route["accuracy"]
    assert by_route["sections"]["a/gender"] == by_route["sections"]["b/gender"]
    assert by_route["syntactic"]["total"] == 2 * 1062
    assert by_route["total"] == 2 * sum(map(len, questions.values()))
    assert plain["hypernymy"]["builtin"]["figure"] == "average precision"
    assert "angle-radius" in plain["hypernymy"]["builtin"]["agreement"]


def test_the_chosen_measure_is_scored_in_addition_to_the_paper_s(trained: WordVectors) -> None:
    questions = {"gender": analogy_questions(BUILTIN)["gender"]}
    sets = EvaluationSets({BUILTIN: similarity_pairs(BUILTIN)}, {BUILTIN: questions})
    paper = evaluate_sets(trained, sets)
    for measure in ("distance", "angle"):
        scores = evaluate_sets(trained.measured_by(measure), sets)
        assert list(scores.similarity) == list(scores.analogy) == ["product", measure]
        assert scores.analogy["product"] == paper.analogy["product"]
        assert scores.average == paper.average
    by_distance = evaluate_sets(trained.measured_by("distance"), sets)
    assert by_distance.average_by("distance") == pytest.approx(paper.average)
    assert by_distance.analogy["distance"] == paper.analogy["product"]


def test_kinds_without_a_set_are_left_out(trained: WordVectors) -> None:
    scores = evaluate_sets(trained, EvaluationSets())
    assert scores.as_dict() == {}
    assert scores.average is None
    assert scores.accuracy is None
    assert scores.tables() == []
    assert repr(scores) == "<Scores: none>"


def test_in_flat_space_both_routes_are_one(trained: WordVectors) -> None:
    flat = WordVectors(trained.words, trained.coordinates, geometry="euclidean")
    scores = evaluate(flat, similarity=[BUILTIN], analogies=[BUILTIN])
    assert scores.analogy["product"]["Z"] == scores.analogy["product"]["Z'"]
    assert list(scores.similarity) == ["product"]  # the angle is the same
    titles = [table.header[0] for table in scores.tables()]
    assert titles == ["similarity", "analogy b - a + c by product"]


def test_a_model_file_and_vectors_have_the_same_scores(
    trained: WordVectors, tmp_path: Path
) -> None:
    trained.save(tmp_path / "model.safetensors")
    own = tmp_path / "own <set>.txt"
    own.write_text("dog cat 7\ndog car 1\ncat car 2\n")
    of_file, of_vectors = (
        evaluate(model, similarity=(BUILTIN, own), hypernymy=BUILTIN)
        for model in (tmp_path / "model.safetensors", trained)
    )
    assert of_file == of_vectors
    assert list(of_file.similarity["product"]) == [BUILTIN, str(own)]
    assert not of_file.analogy


def test_scores_are_readable_in_a_console_and_in_a_notebook(
    trained: WordVectors, tmp_path: Path
) -> None:
    own = tmp_path / "a<b>.txt"
    own.write_text("dog cat 7\ndog car 1\n")
    scores = evaluate(
        trained, similarity=[BUILTIN, own], analogies=BUILTIN, hypernymy=BUILTIN, measure="angle"
    )
    ranking, direction = (each.agreement[each.main] for each in scores.hypernymy.values())
    assert repr(scores) == (
        f"<Scores: similarity {scores.average:.4f} ({BUILTIN}, {own}); "
        f"analogies {scores.accuracy:.4f}; hypernymy by angle-radius ({BUILTIN} {ranking:.4f}, "
        f"{BUILTIN}, direction {direction:.4f})>"
    )
    html = scores._repr_html_()
    assert html.count("<table>") == html.count("</table>") == 1 + 4 + 1
    assert "a&lt;b&gt;.txt" in html
    assert f"<td>{scores.average:.4f}</td>" in html
    sections = scores.tables(sections=True)[1]
    assert {row[0] for row in sections.rows} >= {"gender", "semantic", "syntactic", "total"}
    assert all(len(row) == len(sections.header) for row in sections.rows)


@pytest.mark.usefixtures("offline")
def test_without_a_choice_known_sets_are_scored_and_missing_ones_are_named(
    trained: WordVectors, tmp_path: Path
) -> None:
    (tmp_path / "EN-WS-353-ALL.txt").write_text("dog cat 7\ndog car 1\ncat car 2\n")
    with pytest.warns(DatasetWarning) as warned:
        scores = evaluate(trained, data=tmp_path)
    assert list(scores.similarity["product"]) == ["ws353"]
    messages = [str(warning.message) for warning in warned]
    absent = (["simlex999"], ["men"], ["google"], list(HYPERNYMY_SETS))
    for names, message in zip(absent, messages, strict=True):
        assert all(name in message for name in names)
        assert "`data`" in message
    with pytest.raises(DatasetError, match=naming("`data`", "builtin")):
        evaluate(trained)


@pytest.mark.usefixtures("offline")
def test_what_cannot_be_evaluated_is_refused(trained: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(VectorFileError, match=naming(tmp_path / "none")):
        evaluate(tmp_path / "none", similarity=BUILTIN)
    with pytest.raises(DatasetError, match=naming("ws353", "`data`")):
        evaluate(trained, similarity="ws353")
    with pytest.raises(DatasetError, match=naming(tmp_path / "none", "`data`")):
        evaluate(trained, similarity="ws353", data=tmp_path / "none")
    with pytest.raises(OptionError, match=naming(BUILTIN)):
        evaluate(trained, analogies=[BUILTIN, BUILTIN])
    for wrong in (7, [7], [BUILTIN, None]):
        with pytest.raises(OptionError, match=naming("`hypernymy`", repr(wrong))):
            evaluate(trained, hypernymy=wrong)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=naming("cosine", "product", "distance", "angle")):
        evaluate(trained, similarity=BUILTIN, measure="cosine")
    with pytest.raises(OptionError, match=naming("tpu")):
        evaluate(trained, similarity=BUILTIN, device="tpu")


def test_an_empty_list_names_no_sets(trained: WordVectors) -> None:
    scores = evaluate(trained, similarity=[], hypernymy="builtin")
    assert not scores.similarity
    with pytest.raises(OptionError, match=naming("similarity", "empty")):
        evaluate(trained, similarity=[])


def test_a_missing_folder_is_reported_for_every_set(trained: WordVectors, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=naming(tmp_path / "none")):
        evaluate(trained, similarity="builtin", data=tmp_path / "none")
    with pytest.raises(InputError, match=naming("data", 5)):
        evaluate(trained, similarity="builtin", data=5)  # type: ignore[arg-type]


def test_few_known_pairs_are_reported(trained: WordVectors) -> None:
    few = trained.subset(trained.rows_of(["dog", "cat"]))
    with pytest.warns(DatasetWarning, match=naming("builtin", len(similarity_pairs(BUILTIN)))):
        evaluate(few, similarity="builtin")
