"""Sample records of runs."""

from typing import Any

from hyperskip.experiment.results.records import Record


def record(
    model: str = "paper",
    dimension: int = 5,
    rate: float | None = 0.1,
    seed: int = 1,
    average: float | None = 0.5,
    analogy: float | None = None,
    hypernymy: dict[str, float | None] | None = None,
    **values: Any,
) -> Record:
    scores: dict[str, Any] = {}
    if average is not None:
        sets = {"ws353": {"spearman": average, "found": 300, "pairs": 353}}
        by_angle = {"ws353": {"spearman": average / 2, "found": 300, "pairs": 353}}
        scores["similarity"] = {"product": {"sets": sets, "average": average}}
        if values.get("geometry") != "euclidean":
            scores["similarity"]["angle"] = {"sets": by_angle, "average": average / 2}
    if analogy is not None:
        part = {"accuracy": analogy, "accuracy_unknown_wrong": analogy / 2}
        report = part | {"semantic": part, "syntactic": part} | {"asked": 20, "answerable": 10}
        report["total"] = 30
        scores["analogy"] = {"product": {"Z": report, "Z'": report}}
    if hypernymy is not None:
        about = {"figure": "Spearman", "chance": 0.0, "found": 2000, "pairs": 2616}
        scores["hypernymy"] = {"hyperlex": about | {"agreement": hypernymy}}
    made: dict[str, Any] = {
        "name": f"{model}-{dimension}-{rate}-{seed}",
        "model": model,
        "geometry": "hyperboloid",
        "dimension": dimension,
        "seed": seed,
        "asked": {"rate": rate, "dimension": dimension, "seed": seed},
        "rate": 0.01 if rate is None else rate,
        "epochs": 3,
        "scores": scores,
        "whole_seconds": 2.0,
        "seconds": 1.0,
        "words_per_second": 1e6,
        "machine": {"processor": "none"},
    }
    return Record(**made | values)
