"""The report of an experiment: settings, tables, pictures and all runs, in three files."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

from hyperskip.experiment.design.options import (
    EQUAL_TIME,
    FASTTEXT,
    SHARED_DEFAULTS,
    USUAL,
    ExperimentOptions,
    Model,
)
from hyperskip.experiment.report.rendering import Document, Picture, Section, as_html, as_markdown
from hyperskip.experiment.report.tables import models_table, result_tables, run_columns, runs_table
from hyperskip.experiment.results.choice import Choice, Value
from hyperskip.experiment.results.experiment_folder import FIGURES, REPORT_NAMES
from hyperskip.experiment.results.records import Record
from hyperskip.files.failures import not_writable
from hyperskip.files.writing import replacing
from hyperskip.geometry.names import PRODUCT, ROUTES
from hyperskip.pictures.drawing import figures
from hyperskip.pictures.drawing.canvas import image_bytes
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.training.objective.loss import hyperbolic_probability

_HTML, _MARKDOWN, _CSV = REPORT_NAMES

_SEEDS = (
    "Scores are means over seeds, followed by the range for two seeds, or by ± the standard "
    "deviation for more. Rates are chosen by the mean."
)


@dataclass(frozen=True)
class Findings:
    """The data for a report."""

    options: ExperimentOptions
    records: Sequence[Record]
    choices: Sequence[Choice]
    corpus: EncodedCorpus
    missing: Sequence[str]  # evaluation sets that could not be read, and why
    command: str


def write_report(folder: Path, findings: Findings) -> None:
    """Write report.html, report.md with its figures, and runs.csv.

    Raises:
        OutputError: A file cannot be written.
    """
    pictures = _pictures(findings)
    document = Document(
        "Skip-gram word embeddings in hyperbolic space: an experiment",
        [
            _setup(findings),
            Section("Results", tables=result_tables(findings.records, findings.choices)),
            Section("Figures", pictures=pictures),
            Section(
                "How to repeat this experiment",
                code=findings.command,
                points=_machines(findings.records),
            ),
            Section("All runs", tables=[runs_table(findings.records)], is_folded=True),
        ],
    )
    try:
        (folder / FIGURES).mkdir(exist_ok=True)
    except OSError as error:
        raise not_writable(folder / FIGURES, error) from error
    contents = {picture.file: picture.data for picture in pictures} | {
        _MARKDOWN: _utf8(as_markdown(document)),
        _CSV: _utf8(_runs_csv(findings.records)),
        _HTML: _utf8(as_html(document)),
    }
    for name, data in contents.items():
        with replacing(folder / name) as temporary:
            temporary.write_bytes(data)


def _utf8(text: str) -> bytes:
    """Encode text; bytes of file names that are not UTF-8 are shown as escapes."""
    return text.encode("utf-8", "backslashreplace")


def _setup(findings: Findings) -> Section:
    options, corpus = findings.options, findings.corpus
    failed = [
        f"The run {record.name} failed: {record.failure}"
        for record in findings.records
        if record.failure
    ]
    without = [f"An evaluation set is missing: {reason}" for reason in findings.missing]
    shared = SHARED_DEFAULTS | dict(options.shared) | corpus.options.as_dict()
    shared.pop("schedule", None)
    points = [
        ("text", ", ".join(corpus.given) or "an encoded corpus"),
        (
            "size",
            f"{corpus.token_count:,} words in {len(corpus.sentence_starts) - 1:,} sentences, "
            f"vocabulary {len(corpus.vocabulary):,}",
        ),
        ("settings", _listed(shared)),
        ("schedule", ", ".join(_schedules(findings.records))),
        ("dimensions", ", ".join(map(str, options.dimensions))),
        ("rates", ", ".join(f"{rate:g}" for rate in options.rates)),
        ("seeds", str(options.seeds)),
        *((f"model {model.name}", _described(model)) for model in options.chosen_models),
    ]
    if options.compare:
        points.append(
            (
                f"row {FASTTEXT}",
                "fastText without subwords, with the paper's options, at every rate; it draws the "
                "size of each window between 1 and the window, and has no seed",
            )
        )
    if options.equal_time:
        points.append(
            (f"row {EQUAL_TIME}", "the model default, trained for as long as fastText takes")
        )
    return Section(
        "Setup",
        [
            "Every model was trained in every dimension, at every rate or at a rate of its own. As "
            "in the paper, the tables show the best rate of each model and dimension: the one with "
            f"the highest weighted average of similarity scores, by the measure {PRODUCT}. All "
            "tables show the same vectors.",
            *([_SEEDS] if options.seeds > 1 else []),
        ],
        [*without, *failed],
        points,
        tables=[table for table in [models_table(findings.records)] if len(table.rows) > 1],
    )


def _schedules(records: Sequence[Record]) -> list[str]:
    ours = (record for record in records if record.model != FASTTEXT)
    return list(dict.fromkeys(str(record.asked.get("schedule")) for record in ours))


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', '-')} {value}" for name, value in values.items() if value is not None
    )


def _described(model: Model) -> str:
    rates = "at every rate"
    if model.rate is not None:
        rates = f"at the {USUAL} rate" if model.rate == USUAL else f"at rate {model.rate}"
    preset = "hyperskip's defaults" if model.preset == "default" else f"preset {model.preset}"
    return ", ".join(filter(None, (preset, _listed(dict(model.options)), rates)))


def _machines(records: Sequence[Record]) -> list[tuple[str, str]]:
    """The machines that the runs were done on, each listed once."""
    found = {json.dumps(record.machine, sort_keys=True): record.machine for record in records}
    return [("machine", _listed(machine)) for machine in found.values()]


def _pictures(findings: Findings) -> list[Picture]:
    spread = "; the bars are standard deviations" if findings.options.seeds > 2 else ""
    scores = image_bytes(_scores_figure(findings), "svg")
    return [
        Picture(f"{FIGURES}/scores.svg", f"Scores by dimension{spread}.", scores),
        *_fixed_pictures(),
    ]


@cache
def _fixed_pictures() -> tuple[Picture, ...]:
    """The figures of the paper, which do not depend on the results."""
    made = {
        "hyperboloid": (
            figures.hyperboloid_figure(),
            "Hyperbolic space as the upper sheet of a hyperboloid: a geodesic from p to q, the "
            "tangent plane at p with the direction v of the geodesic, and the projection of the "
            "geodesic from (0, 0, −1) to the Poincaré disc.",
        ),
        "probability": (
            figures.probability_figure(hyperbolic_probability),
            "The probability that a word is a true context, by distance, for several θ.",
        ),
        "analogy": (
            figures.analogy_figure(),
            "The analogy A : B = C : ? in the Poincaré disc. w leads from A to B, and v from A to "
            "C. Moving w to C by parallel transport gives Z; moving v to B gives Z'. In Euclidean "
            "space the two are the same point.",
        ),
    }
    return tuple(
        Picture(f"{FIGURES}/{name}.svg", caption, image_bytes(figure, "svg"))
        for name, (figure, caption) in made.items()
    )


def _scores_figure(findings: Findings) -> Any:
    dimensions = sorted({choice.dimension for choice in findings.choices})
    models = dict.fromkeys(choice.model for choice in findings.choices)

    def curves(value: Value) -> list[tuple[str, list[tuple[float, float] | None]]]:
        spreads = {(each.model, each.dimension): each.spread(value) for each in findings.choices}
        return [
            (
                model,
                [
                    (found.mean, found.deviation) if found else None
                    for found in (spreads.get((model, dimension)) for dimension in dimensions)
                ],
            )
            for model in models
        ]

    panels = [
        (f"similarity by {PRODUCT} (weighted average)", curves(attrgetter("average"))),
        (f"analogy accuracy by {PRODUCT} ({ROUTES[0]})", curves(attrgetter("accuracy"))),
    ]
    return figures.scores_figure(dimensions, panels)


def _runs_csv(records: Sequence[Record]) -> str:
    memory = io.StringIO()
    columns = run_columns(records)
    writer = csv.writer(memory)
    writer.writerow(columns)
    writer.writerows([value(record) for value in columns.values()] for record in records)
    return memory.getvalue()
