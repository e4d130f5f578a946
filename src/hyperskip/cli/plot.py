"""`hyperskip plot`: the Poincaré disc of words as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from hyperskip.cli.inspect import Model
from hyperskip.cli.messages import say


def plot(
    model: Model,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="A .png or .svg to write.")
    ],
    words: Annotated[
        list[str] | None,
        typer.Option("--word", "-w", help="A word to draw; may be repeated. Default: --count."),
    ] = None,
    near: Annotated[
        str | None, typer.Option(help="Draw this word and its --count nearest neighbours.")
    ] = None,
    count: Annotated[
        int, typer.Option("--count", "-n", min=2, max=5000, help="How many words to draw.")
    ] = 150,
    title: Annotated[str, typer.Option(help="A line above the picture.")] = "",
) -> None:
    """Draw words on the Poincaré disc: chosen ones, a neighbourhood, or the most frequent."""
    from hyperskip.files import check_writable
    from hyperskip.pictures.disc import Decoration, check_picture, draw_disc
    from hyperskip.vectors.store import load

    check_writable(check_picture(output), inputs=[model])
    vectors = load(model)
    chosen = list(words or ())
    if near is not None:
        chosen += [near, *(neighbor.word for neighbor in vectors.neighbors(near, count))]
    draw_disc(vectors, output, chosen or vectors.words[:count], Decoration(title=title))
    say(f"wrote {output}")
