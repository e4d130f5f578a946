"""`hyperskip demo`: train on the built-in corpus and show what was learned."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.commands.evaluate import print_scores
from hyperskip.cli.commands.words import print_neighbors
from hyperskip.cli.messages import say
from hyperskip.errors import OutputError
from hyperskip.files.failures import reason_of
from hyperskip.files.locks import only_writer
from hyperskip.files.targets import check_outside, check_writable

if TYPE_CHECKING:
    from hyperskip.vectors.word_vectors import WordVectors

# Small vocabulary, short sentences: a larger share of frequent words is kept than in real text.
_OPTIONS: dict[str, Any] = {"dimension": 20, "subsample": 1e-3}
# The picture shows a model of its own, of two dimensions: nothing is lost by projection then. In
# so little room, words must lie farther apart (theta).
_PICTURE_OPTIONS = _OPTIONS | {
    "dimension": 2,
    "curvature": 1.0,
    "theta": 4.0,
    "window": 5,
    "negatives": 5,
    "epochs": 5,
    "rate": 0.02,
}
_NEIGHBORS_OF = ("dog", "piano", "paris")
_ANALOGIES = (("france", "paris", "italy"), ("man", "woman", "king"), ("dog", "dogs", "mouse"))


def demo(
    folder: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Where to leave model and picture."),
    ] = Path("demo"),
    seed: Annotated[int, typer.Option(min=0, help="Seed of all randomness.")] = 1,
) -> None:
    """Train on the built-in corpus, show neighbors, analogies and scores, and draw a picture."""
    model, picture = folder / "demo.safetensors", folder / "demo.png"
    check_outside(model)  # before a folder is made
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"cannot make the folder {folder}: {reason_of(error)}", hint="choose another with -o"
        ) from error
    check_writable(model)
    check_writable(picture)
    with only_writer(model):
        _train_and_show(model, picture, seed)
    say(f"\nmodel:   {model}\npicture: {picture}")
    say(f"try:     hyperskip neighbors {model} cat\n         hyperskip explore {model}")


def _train_and_show(model: Path, picture: Path, seed: int) -> None:
    from hyperskip import builtin
    from hyperskip.cli.progress.training import ProgressDisplay
    from hyperskip.training.trainer import train

    say("training on the built-in corpus: 1.5 million words of made-up English")
    with ProgressDisplay("this training was not saved") as display:
        vectors = train(builtin.sentences(), report=display, seed=seed, **_OPTIONS)
    vectors.save(model)
    _show(vectors)
    say("\ntraining again in two dimensions, for the picture")
    with ProgressDisplay("this training was not saved") as display:
        flat = train(builtin.sentences(), report=display, seed=seed, **_PICTURE_OPTIONS)
    _draw(flat, picture)


def _show(vectors: "WordVectors") -> None:
    from hyperskip.evaluation.datasets import BUILTIN
    from hyperskip.evaluation.evaluating import evaluate

    for word in _NEIGHBORS_OF:
        print_neighbors(word, vectors.neighbors(word, 5), vectors.measure)
        print()
    for a, b, c in _ANALOGIES:
        answers = vectors.analogy(a, b, c, count=3)
        print_neighbors(f"{a} : {b} = {c} : ?", answers, vectors.measure)
        print()
    scores = evaluate(
        vectors,
        similarity=BUILTIN,
        analogies=BUILTIN,
        hypernymy=BUILTIN,
        device=vectors.device,
    )
    print_scores(scores, sections=True)


def _draw(vectors: "WordVectors", picture: Path) -> None:
    from hyperskip.pictures.request.categories import BUILTIN

    title = "hyperskip: the built-in corpus in the hyperbolic plane"
    vectors.plot(categories=BUILTIN, title=title, path=picture)
