"""`hyperskip plot`: a picture of words on the Poincaré disc."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any

import typer

from hyperskip.cli.declared_options import command_of, declared_parameter, parameter
from hyperskip.cli.messages import counted, progress_output
from hyperskip.cli.parameters import Model
from hyperskip.errors import some_of
from hyperskip.graphs.options import GraphOptions
from hyperskip.options import Declaration, declarations
from hyperskip.pictures.request.request import COLORS, FORMATS, PictureRequest
from hyperskip.progress.messages import say
from hyperskip.projection.methods import EXACT, METHOD

# How the command line writes a parameter of a picture: flags, type and name of the value.
_FORMS: dict[str, dict[str, Any]] = {
    "words": {"flags": ["--word", "-w"], "kind": list[str], "metavar": "WORD"},
    "near": {"kind": list[str], "metavar": "WORD"},
    "analogy": {"kind": tuple[str, str, str], "metavar": "A B C"},
    "categories": {"kind": str, "metavar": "FILE|builtin"},
    "edges": {"kind": str, "metavar": "EDGES"},
    "columns": {"metavar": "A,B"},
    "order": {"metavar": "|".join(declarations(GraphOptions)["order"].choices)},
    "color": {"metavar": "|".join(COLORS)},
    "center": {"metavar": "WORD"},
    "count": {"flags": ["--count", "-n"]},
    "projection": {"metavar": "|".join(METHOD.choices)},
    "dark": {"flags": ["--dark"]},
    "path": {"flags": ["--output", "-o"], "kind": Path, "metavar": "FILE"},
    "format": {"metavar": "|".join(FORMATS)},
}

_Words = Annotated[
    list[str] | None, typer.Argument(metavar="WORD", help="Words to draw, as with --word.")
]


def command() -> Callable[..., None]:
    """Make the command, with a parameter for every parameter of a picture."""
    options = {
        name: declared_parameter(name, _worded(name, declaration), **_FORMS.get(name, {}))
        for name, declaration in declarations(PictureRequest).items()
    }
    required = options.pop("path").replace(default=Parameter.empty)
    return command_of(
        plot,
        [parameter("model", Model), parameter("listed", _Words, None), required, *options.values()],
        "Draw words on the Poincaré disc.\n\n"
        "Name the words, or choose them with --near, --analogy, --categories or --edges; by "
        "default, the most frequent words are drawn. An .html file can be zoomed and searched in a "
        "browser.\n\n"
        "Example: hyperskip plot model.safetensors -o dogs.png --near dog --near cat",
    )


def _worded(name: str, declaration: Declaration) -> Declaration:
    if _FORMS.get(name, {}).get("kind") != list[str]:
        return declaration
    return replace(declaration, help=declaration.help + "; repeat the option for more words")


def plot(
    model: Path,
    path: Path,
    listed: Sequence[str] = (),
    words: Sequence[str] = (),
    **options: Any,
) -> None:
    """Draw words and save the picture."""
    from hyperskip.files.targets import check_writable
    from hyperskip.pictures.picture import draw
    from hyperskip.progress.display import MapDisplay
    from hyperskip.vectors.model_file import load

    options["words"] = [*listed, *words]
    given = {name: value for name, value in options.items() if value != []}
    request = PictureRequest(path=path, **given)
    check_writable(path, inputs=[model])
    vectors = load(model)
    with MapDisplay(progress_output()) as report:
        picture = draw(vectors, request, report)
    say(f"wrote {path}")
    scene = picture.scene
    if scene.left_out:
        source = request.edges or request.categories
        count, names = counted(len(scene.left_out)), some_of(scene.left_out)
        say(f"{count} of {source} not in the vocabulary: {names}")
    if request.graph is not None and not scene.edges:
        edges, nodes = counted(request.graph.edge_count, "edge"), counted(len(scene.words))
        over = ", directly or over other nodes" if request.graph.directed else ""
        say(
            f"no line is drawn: none of the {edges} of {request.edges} joins two of the {nodes} in "
            f"the picture{over}; choose other words, or name none to draw all nodes"
        )
    if scene.is_exact:
        say("the picture is exact: its hyperbolic distances are those of the vectors")
    elif scene.method != EXACT:
        say(f"in this picture, {scene.fidelity} (projection {scene.method})")
    if scene.scale < 1.0:
        say(f"distances from the center are drawn at {scene.scale:.0%} of their length")
