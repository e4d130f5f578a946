"""The n-grams before training: at 0, or from an initial model."""

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.training.ngram_index import NgramIndex
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.subword_options import scheme_options
from hyperskip.vectors.word_vectors import WordVectors


def check_same_ngrams(model: WordVectors | None, chosen: SubwordScheme | None) -> None:
    """Check that the n-grams are those of the initial model, if both have some.

    Raises:
        OptionError: An option of subwords differs.
    """
    if model is None or model.subwords is None or chosen is None:
        return
    theirs = scheme_options(model.subwords.scheme)
    for name, ours in scheme_options(chosen).items():
        if ours != theirs[name]:
            has = "does not have it" if theirs[name] is None else f"has {theirs[name]}"
            raise OptionError(
                f"`{name}` is {ours}, but the initial model {has}",
                hint=f"leave out `{name}`, or `init`",
            )


def initial_ngrams(
    index: NgramIndex, plan: TrainingPlan, model: WordVectors | None
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_] | None]:
    """The vectors of the n-grams, as in `Parameters`, and which of them must not move.

    N-grams that the model does not have start at 0: they learn what their words know.
    """
    shape = len(index.buckets), plan.dimension
    if model is None or model.subwords is None:
        return np.broadcast_to(np.float32(0.0), shape), None  # one number in memory
    table = model.subwords
    buckets = np.sort(index.buckets)
    known = np.isin(buckets, table.buckets)
    ngrams = np.zeros(shape, dtype=np.float32)
    ngrams[known] = table.coordinates[np.searchsorted(table.buckets, buckets[known])]
    return ngrams, known if plan.freeze else None
