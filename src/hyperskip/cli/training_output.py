"""How commands that train write their model: locked, with checkpoints and progress."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hyperskip.cli.messages import progress_output, typed_command
from hyperskip.errors import OutputError
from hyperskip.files.known_folders import CHECKPOINTS_SUFFIX
from hyperskip.files.locks import only_writer
from hyperskip.files.targets import check_writable

if TYPE_CHECKING:
    from hyperskip.vectors.word_vectors import WordVectors


def train_into(
    output: Path,
    inputs: Sequence[str],
    other_inputs: Sequence[Path | None],
    learn: Callable[[Path, Callable[[Any], None]], "WordVectors"],
) -> "WordVectors":
    """Train and write the model; the output is checked first.

    Args:
        output: The model file.
        inputs: What the user typed as input.
        other_inputs: Other files that are read, such as the initial model; None for those that are
            not given.
        learn: Trains. It is called with the folder for checkpoints and a function to report to.

    Returns:
        The vectors.
    """
    from hyperskip.progress.training import TrainingDisplay
    from hyperskip.text.reading.paths import input_files
    from hyperskip.training.checkpoints.checkpoint_folder import CheckpointFolder

    check_writable(output, inputs=[*input_files(list(inputs)), *filter(None, other_inputs)])
    resume_command = typed_command("--resume")
    folder = CheckpointFolder(output.with_name(output.name + CHECKPOINTS_SUFFIX))
    with only_writer(output):
        with TrainingDisplay(
            progress_output(),
            lost="nothing was saved",
            checkpoints=folder,
            to_resume=f"to resume: {resume_command}",
        ) as display:
            vectors = learn(folder.path, display)
            try:
                vectors.save(output)
            except OutputError as error:
                if folder.files():
                    error.hint = (
                        f"the training is saved in {folder.files()[0]}; fix this, then resume "
                        f"with: {resume_command}"
                    )
                raise
        folder.discard()
    return vectors
