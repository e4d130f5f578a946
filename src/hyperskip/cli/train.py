"""`hyperskip train`: its options are read off the declared options, so that they say the same."""

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.messages import say
from hyperskip.errors import CorpusError
from hyperskip.files import check_writable
from hyperskip.options import Declaration, Options, declarations
from hyperskip.text.options import TextOptions
from hyperskip.training.options import PRESETS, TrainingOptions

_FLAGS = {"tied": "--tied/--untied"}


def command() -> Callable[..., None]:
    """The command as a function whose signature lists every option."""

    def train(**arguments: Any) -> None:
        given = {name: value for name, value in arguments.items() if value is not None}
        run_training(
            given.pop("corpus"),
            given.pop("output"),
            preset=given.pop("preset"),
            as_json=given.pop("json"),
            options=given,
        )

    parameters = [*_fixed_parameters(), *_option_parameters()]
    train.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    train.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    train.__doc__ = (
        "Learn word vectors from text and write them to MODEL.\n\n"
        "CORPUS is a file, a folder or a glob, several of them, or - for standard input: plain "
        "text with one document a line, or a CSV or TSV with --column; .gz, .bz2, .xz and .zst "
        "are read as they are."
    )
    return train


def run_training(
    corpus: list[str], output: Path, *, preset: str, as_json: bool, options: dict[str, Any]
) -> None:
    """Check the output, train (which checks the options first), and write the model."""
    from hyperskip.cli.progress import TrainingDisplay
    from hyperskip.text.sources import expand
    from hyperskip.training.trainer import train

    if corpus.count("-") > 1:
        raise CorpusError("standard input (-) was given twice", hint="it can be read once only")
    check_writable(output, inputs=expand(corpus))
    with TrainingDisplay() as display:
        vectors = train([Path(path) for path in corpus], preset=preset, report=display, **options)
    vectors.save(output)
    say(f"{len(vectors):,} words in {output}")
    if as_json:
        summary = {
            "model": str(output),
            "words": len(vectors),
            "tokens": int(vectors.counts.sum()),
            "history": [dict(epoch) for epoch in vectors.history],
        }
        print(json.dumps(summary, indent=2))


def _fixed_parameters() -> list[inspect.Parameter]:
    corpus = Annotated[
        list[str], typer.Argument(metavar="CORPUS", help="Files, folders, globs, or -.")
    ]
    output = Annotated[
        Path, typer.Option("--output", "-o", metavar="MODEL", help="The model file to write.")
    ]
    preset = Annotated[
        str, typer.Option(help=f"Start from a set of values: {' or '.join(PRESETS)}.")
    ]
    as_json = Annotated[bool, typer.Option("--json", help="Print a summary as JSON.")]
    return [
        _parameter("corpus", corpus, inspect.Parameter.empty),
        _parameter("output", output, inspect.Parameter.empty),
        _parameter("preset", preset, "default"),
        _parameter("json", as_json, False),
    ]


def _option_parameters() -> list[inspect.Parameter]:
    groups: list[tuple[str, type[Options]]] = [
        ("Training", TrainingOptions),
        ("Text", TextOptions),
    ]
    return [
        _parameter(name, _annotation(name, declaration, panel, group), None)
        for panel, group in groups
        for name, declaration in declarations(group).items()
    ]


def _annotation(name: str, declaration: Declaration, panel: str, group: type[Options]) -> Any:
    flag = _FLAGS.get(name, "--" + name.replace("_", "-"))
    default = getattr(group, name)
    return Annotated[
        declaration.kind | None,
        typer.Option(
            flag,
            help=declaration.help + _allowed(declaration),
            show_default=False if default is None or default is False else str(default),
            rich_help_panel=panel,
        ),
    ]


def _allowed(declaration: Declaration) -> str:
    return f" ({declaration.limits})" if declaration.limits else ""


def _parameter(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default
    )
