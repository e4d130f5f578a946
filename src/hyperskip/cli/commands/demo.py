"""`hyperskip demo`: train on the built-in corpus and show what was learned."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hyperskip.cli.commands.evaluate import print_scores
from hyperskip.cli.commands.words import print_neighbors
from hyperskip.cli.declared_options import checked_option
from hyperskip.cli.messages import progress_output
from hyperskip.errors import OutputError
from hyperskip.files.failures import reason_of
from hyperskip.files.locks import only_writer
from hyperskip.files.remote import check_local
from hyperskip.files.targets import check_outside, check_writable
from hyperskip.options import declarations
from hyperskip.progress.messages import say
from hyperskip.training.options import TrainingOptions

if TYPE_CHECKING:
    from hyperskip.vectors.word_vectors import WordVectors

# The vocabulary is small and sentences are short: fewer frequent words are dropped than usual.
_OPTIONS: dict[str, Any] = {"dimension": 20, "subsample": 1e-3}
# The picture shows another model, with two dimensions, which needs no projection. With so few
# dimensions, words must be farther apart (theta).
_PICTURE_OPTIONS = _OPTIONS | {
    "dimension": 2,
    "curvature": 1.0,
    "theta": 4.0,
    "window": 5,
    "negatives": 5,
    "epochs": 5,
    "rate": 0.02,
}
_SEED = declarations(TrainingOptions)["seed"]
_NEIGHBORS_OF = ("dog", "piano", "paris")
_ANALOGIES = (("france", "paris", "italy"), ("man", "woman", "king"), ("dog", "dogs", "mouse"))


def demo(
    folder: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="DIR", help="Folder for the model and the picture."),
    ] = Path("demo"),
    seed: Annotated[int, checked_option(_SEED)] = _SEED.default,
) -> None:
    """Train on the built-in corpus, show neighbors, analogies and scores, and draw a picture."""
    has_matplotlib = find_spec("matplotlib") is not None
    model = folder / "demo.safetensors"
    picture = folder / ("demo.png" if has_matplotlib else "demo.html")
    check_local(model, OutputError)  # before the folder is created
    check_outside(model)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"cannot create the folder {folder}: {reason_of(error)}",
            hint="choose another folder with --output",
        ) from error
    check_writable(model)
    check_writable(picture)
    with only_writer(model):
        _train_and_show(model, picture, seed)
    say(f"\nmodel:   {model}\npicture: {picture}")
    say(f"try:     hyperskip neighbors {model} cat\n         hyperskip explore {model}")


def _train_and_show(model: Path, picture: Path, seed: int) -> None:
    from hyperskip import builtin
    from hyperskip.progress.training import TrainingDisplay
    from hyperskip.training.trainer import train

    say("training on the built-in corpus (1.5 million words of generated English)")
    with TrainingDisplay(progress_output(), lost="the model was not saved") as display:
        vectors = train(builtin.sentences(), report=display, seed=seed, **_OPTIONS)
    vectors.save(model)
    _show(vectors)
    say("\ntraining a second model with two dimensions for the picture")
    with TrainingDisplay(progress_output(), lost="the picture was not drawn") as display:
        flat = train(builtin.sentences(), report=display, seed=seed, **_PICTURE_OPTIONS)
    _draw(flat, picture)


def _show(vectors: "WordVectors") -> None:
    from hyperskip.builtin import BUILTIN
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
    from hyperskip.builtin import BUILTIN

    title = "hyperskip: the built-in corpus in the hyperbolic plane"
    vectors.plot(categories=BUILTIN, title=title, path=picture)
