"""`hyperskip download`: models that have a name."""

from typing import Annotated

import typer

from hyperskip.cli.parameters import AsJson


def download(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The name of a model.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Download a model by its name and print the path of its file; list all names without one."""
    import json
    from dataclasses import asdict

    from hyperskip.cli.tables import print_table
    from hyperskip.errors import VectorFileError
    from hyperskip.vectors.named_models import model_path, named_models

    known = named_models()
    if name is None:
        if as_json:
            print(json.dumps([asdict(model) for model in known.values()], ensure_ascii=False))
            return
        rows = [[model.name, model.about, model.license] for model in known.values()]
        print_table(["name", "model", "license"], rows)
        return
    if name not in known:
        raise VectorFileError(
            f"there is no model named {name!r}", hint=f"use one of: {', '.join(known)}"
        )
    path = model_path(name)
    print(json.dumps({"name": name, "path": str(path)}) if as_json else path)
