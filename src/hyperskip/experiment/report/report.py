"""The report of an experiment: settings, tables, pictures and all runs, in three files."""

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from hyperskip.experiment.design.options import (
    EQUAL_TIME,
    SHARED_DEFAULTS,
    USUAL,
    ExperimentOptions,
    Model,
)
from hyperskip.experiment.design.peer_programs import PEERS
from hyperskip.experiment.report.comparison import comparison_tables, score_columns
from hyperskip.experiment.report.rendering import Document, Picture, Section, as_html, as_markdown
from hyperskip.experiment.report.tables import (
    detailed_tables,
    models_table,
    run_columns,
    runs_table,
)
from hyperskip.experiment.results.choice import Choice, Value, models_at_an_end
from hyperskip.experiment.results.experiment_folder import FIGURES, REPORT_NAMES
from hyperskip.experiment.results.records import Record
from hyperskip.files.failures import not_writable
from hyperskip.files.writing import replacing
from hyperskip.geometry.names import PRODUCT
from hyperskip.pictures.drawing import figures
from hyperskip.pictures.drawing.canvas import image_bytes
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.options import TextOptions
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
    scores, fixed = _score_pictures(findings), _fixed_pictures()
    document = Document(
        "Skip-gram word embeddings in hyperbolic space: an experiment",
        [
            Section(
                "Comparison",
                notices=_notices(findings),
                tables=comparison_tables(findings.choices),
                pictures=scores,
            ),
            _setup(findings),
            Section(
                "Results in detail", tables=detailed_tables(findings.records, findings.choices)
            ),
            Section("What the words mean", pictures=fixed),
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
    contents = {picture.file: picture.data for picture in (*scores, *fixed)} | {
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


def _notices(findings: Findings) -> list[str]:
    missing = [f"Not scored: {reason}" for reason in findings.missing]
    failed = [
        f"The run {record.name} failed: {record.failure}"
        for record in findings.records
        if record.failure
    ]
    ends = models_at_an_end(findings.records, findings.choices)
    at_an_end = (
        f"The best rate of {', '.join(ends)} is the highest or the lowest of those tried: other "
        "rates may be better."
    )
    return [*missing, *failed, *([at_an_end] if ends else [])]


def _setup(findings: Findings) -> Section:
    options, corpus = findings.options, findings.corpus
    is_gridded = any(model.rate is None for model in options.chosen_models)
    points = [
        ("text", ", ".join(corpus.given) or "an encoded corpus"),
        (
            "size",
            f"{corpus.token_count:,} words in {len(corpus.sentence_starts) - 1:,} sentences, "
            f"vocabulary {len(corpus.vocabulary):,}",
        ),
        ("settings", _listed(_shared_settings(options, corpus))),
        ("schedule", ", ".join(_schedules(findings.records))),
        ("dimensions", ", ".join(map(str, options.dimensions))),
        ("epochs", ", ".join(map(str, options.epochs))),
        *([("rates to choose from", _numbers(options.rates))] if is_gridded else []),
        ("seeds", str(options.seeds)),
        *((f"model {model.name}", _described(model)) for model in options.chosen_models),
    ]
    points += [(f"program {name}", _described_peer(name, options)) for name in options.compare]
    if options.equal_time:
        points.append(
            (
                EQUAL_TIME,
                "the model default, trained for as long as fastText takes; it has more epochs or "
                "fewer than its heading says, so that no table marks it as the best",
            )
        )
    return Section(
        "Setup",
        [
            "Every model was trained in every dimension, with every number of epochs, at every "
            "rate or at a rate of its own. As in the paper, the tables show the best rate of each: "
            "the one with the highest weighted average of similarity scores, by the measure "
            f"{PRODUCT}. All tables show the same vectors.",
            *([_SEEDS] if options.seeds > 1 else []),
        ],
        points=points,
        tables=[table for table in [models_table(findings.records)] if len(table.rows) > 1],
    )


def _shared_settings(options: ExperimentOptions, corpus: EncodedCorpus) -> dict[str, Any]:
    """The options of all models, without those of the text that have their usual value."""
    usual = TextOptions().as_dict()
    of_text = corpus.options.as_dict()
    unusual = {name: value for name, value in of_text.items() if value != usual[name]}
    values = SHARED_DEFAULTS | dict(options.shared) | {"min_count": of_text["min_count"]} | unusual
    return {name: value for name, value in values.items() if name != "schedule"}


def _schedules(records: Sequence[Record]) -> list[str]:
    ours = (record for record in records if record.model not in PEERS)
    return list(dict.fromkeys(str(record.asked.get("schedule")) for record in ours))


def _listed(values: dict[str, Any]) -> str:
    return ", ".join(
        f"{name.replace('_', '-')} {value}" for name, value in values.items() if value is not None
    )


def _described(model: Model) -> str:
    rates = "at every rate"
    if model.rate is not None:
        of_its_own = "at the rate that hyperskip chooses"
        rates = of_its_own if model.rate == USUAL else f"at rate {model.rate}"
    preset = "hyperskip's defaults" if model.preset == "default" else f"preset {model.preset}"
    return ", ".join(filter(None, (preset, _listed(dict(model.options)), rates)))


def _described_peer(name: str, options: ExperimentOptions) -> str:
    peer = PEERS[name]
    rates = f"its default rate {peer.rate:g}"
    if options.peer_rates:
        rates = f"the best of the rates {_numbers(options.peer_rates)}"
    return f"{peer.about}; at {rates}"


def _numbers(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)


def _machines(records: Sequence[Record]) -> list[tuple[str, str]]:
    """The machines that the runs were done on, each listed once."""
    found = {json.dumps(record.machine, sort_keys=True): record.machine for record in records}
    return [("machine", _listed(machine)) for machine in found.values()]


def _score_pictures(findings: Findings) -> list[Picture]:
    """Scores by dimension, one picture for each number of epochs."""
    spread = "; the bars are standard deviations" if findings.options.seeds > 2 else ""
    has_scores = bool(score_columns(findings.choices))
    every = dict.fromkeys(choice.epochs for choice in findings.choices if has_scores)
    return [
        Picture(
            f"{FIGURES}/scores{f'-epochs{epochs}' if len(every) > 1 else ''}.svg",
            f"Scores by dimension after {epochs} epoch{'s' * (epochs != 1)}{spread}.",
            image_bytes(_scores_figure(findings, epochs), "svg"),
        )
        for epochs in every
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


def _scores_figure(findings: Findings, epochs: int) -> Any:
    chosen = [choice for choice in findings.choices if choice.epochs == epochs]
    dimensions = sorted({choice.dimension for choice in chosen})
    models = dict.fromkeys(choice.model for choice in chosen)

    def curves(value: Value) -> list[tuple[str, list[tuple[float, float] | None]]]:
        spreads = {(each.model, each.dimension): each.spread(value) for each in chosen}
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

    panels = [(column.title, curves(column.value)) for column in score_columns(chosen)]
    return figures.scores_figure(dimensions, panels)


def _runs_csv(records: Sequence[Record]) -> str:
    memory = io.StringIO()
    columns = run_columns(records)
    writer = csv.writer(memory)
    writer.writerow(columns)
    writer.writerows([value(record) for value in columns.values()] for record in records)
    return memory.getvalue()
