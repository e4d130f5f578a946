"""`hyperskip download`: named models."""

from typing import Annotated

import typer

from hyperskip.cli.parameters import AsJson


def _completed(incomplete: str) -> list[str]:
    """Complete a name in the shell."""
    from hyperskip.errors import InputError
    from hyperskip.vectors.model_registry import named_models

    try:
        return [name for name in named_models() if name.startswith(incomplete)]
    except InputError:
        return []


def download(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="The name of a model.",
            show_default=False,
            autocompletion=_completed,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Download a model by its name and print the path of its file; list all names without one."""
    import json
    from dataclasses import asdict

    from hyperskip.cli.tables import print_table
    from hyperskip.errors import VectorFileError, shown, some_of
    from hyperskip.vectors.model_registry import REGISTRY_PAGE, named_models
    from hyperskip.vectors.named_models import file_of

    known = named_models()
    if name is None:
        if as_json:
            print(json.dumps([asdict(model) for model in known.values()], ensure_ascii=False))
            return
        rows = [[model.name, model.about, model.license] for model in known.values()]
        print_table(["name", "model", "license"], rows, numbers=False)
        return
    if name not in known:
        raise VectorFileError(
            f"there is no model named {shown(name)}",
            hint=f"use one of: {some_of(list(known), 20)}",
            page=REGISTRY_PAGE,
        )
    path = file_of(known[name])
    print(json.dumps({"name": name, "path": str(path)}) if as_json else path)
