"""`hyperskip plot`: a picture of words on the Poincaré disc."""

from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.declared_options import with_default
from hyperskip.cli.messages import say
from hyperskip.cli.parameters import Model, Projection


def plot(
    model: Model,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The .png, .svg or .html file to write."
        ),
    ],
    words: Annotated[
        list[str] | None,
        typer.Option(
            "--word", "-w", metavar="WORD", help="A word to draw. Repeat the option for more words."
        ),
    ] = None,
    near: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WORD",
            help="A word to draw with its nearest words. Repeat the option for more words.",
        ),
    ] = None,
    analogy: Annotated[
        tuple[str, str, str] | None,
        typer.Option(
            metavar="A B C", help="Draw the analogy A : B = C : ? and the words near both answers."
        ),
    ] = None,
    categories: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|builtin",
            help="Draw words in colors by category: a file with a word, a tab and a category on "
            "each line, optionally followed by a tab and the word's parent; or the built-in "
            "taxonomy.",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            "--count",
            "-n",
            metavar="N",
            help=with_default(
                "Number of words: frequent words, nearest words of each --near, answers of each "
                "route of --analogy, or words of --categories.",
                "150 frequent words, 20 nearest words, 8 answers, all words of categories",
            ),
        ),
    ] = None,
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="Title above the picture.", show_default=False)
    ] = "",
    format: Annotated[  # noqa: A002
        str | None,
        typer.Option(
            metavar="png|svg|html",
            help=with_default("Format of the picture.", "by the extension of FILE"),
        ),
    ] = None,
    projection: Projection = "auto",
    dark: Annotated[
        bool, typer.Option("--dark", help="Use a dark background (png and svg only).")
    ] = False,
) -> None:
    """Draw words on the Poincaré disc.

    Choose the words with --word, --near, --analogy or --categories; by default, the most frequent
    words are drawn. An .html file can be zoomed and searched in a browser.

    Example: hyperskip plot model.safetensors -o dogs.png --near dog --near cat
    """
    from hyperskip.cli.progress.display import MapDisplay
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
        say("the picture is exact: its hyperbolic distances are those of the vectors")
    else:
        say(f"in this picture, {scene.fidelity} (projection {scene.method})")
