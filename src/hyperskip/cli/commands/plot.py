"""`hyperskip plot`: words on the Poincaré disc as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.commands.words import Model
from hyperskip.cli.messages import say

Projection = Annotated[
    str,
    typer.Option(
        metavar="auto|tangent|geodesic|polar|fitted",
        help="How words come onto the disc; auto takes what keeps most neighbors.",
    ),
]


def plot(
    model: Model,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A .png, .svg or .html to write."),
    ],
    words: Annotated[
        list[str] | None, typer.Option("--word", "-w", help="A word to draw; may be repeated.")
    ] = None,
    near: Annotated[
        list[str] | None,
        typer.Option(help="A word to draw with its --count nearest; may be repeated."),
    ] = None,
    analogy: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="A B C", help="Draw A : B = C : ? and the words around both answers."),
    ] = None,
    categories: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|builtin",
            help="Colors by category: a file of lines word, tab, category, and perhaps tab, "
            "parent; or the built-in taxonomy.",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            help="How many frequent words (150), neighbors of each (20), answers by each route "
            "(8), or words of the categories (all).",
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="A line above the picture.")] = "",
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option(metavar="png|svg|html", help="Of the picture. Default: by FILE's ending."),
    ] = None,
    projection: Projection = "auto",
    dark: Annotated[bool, typer.Option("--dark", help="A dark ground, for png and svg.")] = False,
) -> None:
    """Draw words on the Poincaré disc: chosen ones, neighborhoods, an analogy, a taxonomy.

    Without any of these, the most frequent words. An html file can be moved and searched.
    """
    from hyperskip.cli.progress.map import MapDisplay
    from hyperskip.files.targets import check_writable
    from hyperskip.pictures.picture import draw
    from hyperskip.pictures.request.request import PictureRequest
    from hyperskip.vectors.model_file import load

    request = PictureRequest(
        words=words or None, near=near or None, analogy=analogy, categories=categories, count=count,
        title=title, projection=projection, dark=dark, path=output, format=format,
    )  # fmt: skip
    check_writable(output, inputs=[model])
    vectors = load(model)
    with MapDisplay() as report:
        picture = draw(vectors, request, report)
    say(f"wrote {output}")
    scene = picture.scene
    if scene.left_out:
        say(f"{scene.left_out:,} words of {categories} are not in the vocabulary")
    if scene.is_exact:
        say("nothing is lost: distances on this picture are those in space")
    else:
        say(f"on this picture, {scene.fidelity} (method {scene.method})")
