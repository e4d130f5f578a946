"""Parameters from an initial model: its words keep their positions, new words are added."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from hyperskip.errors import OptionError, TrainingWarning, warn
from hyperskip.geometry.names import is_curved
from hyperskip.options import is_function_name
from hyperskip.text.word_rules import CHOICES
from hyperskip.training.blocks import FOR_THREADS, cut_into_blocks, sentence_limits
from hyperskip.training.objective import sampling
from hyperskip.training.parameters import InitialParameters
from hyperskip.training.plan import TrainingPlan
from hyperskip.training.settled_options import SettledOptions
from hyperskip.training.shared_plan import Plan
from hyperskip.training.start.random_positions import random_parameters
from hyperskip.training.subword_options import scheme_options
from hyperskip.training.training_text import TrainingText
from hyperskip.vectors.word_vectors import WordVectors

_CONTEXTS = 64  # known contexts that determine where a new word starts
_OCCURRENCES = 20  # of a new word that are searched for contexts
_REACH = 10  # words on each side, at most
_NUMBERS_AT_ONCE = 1 << 21  # coordinates of contexts in memory

Mask = npt.NDArray[np.bool_]


def inherited_options(model: WordVectors, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Options that follow from the initial model, unless they are chosen."""
    settled: dict[str, Any] = {"geometry": model.geometry, "dimension": model.dimension}
    if is_curved(model.geometry) and is_curved(chosen.get("geometry", model.geometry)):
        # Models without these values are the paper's, or of a version that had no other values.
        theta = model.history[-1].get("theta") if model.history else model.options.get("theta")
        settled["factors"] = model.factors
        settled["curvature"] = model.options.get("curvature", 1.0)
        settled["theta"] = theta if isinstance(theta, float) else 3.0
    if model.subwords is not None and chosen.get("subwords", True) is True:
        settled |= scheme_options(model.subwords.scheme)
    return settled


def inherited_tokenizer(model: WordVectors, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """How the text of the initial model was split into words, unless a tokenizer is chosen."""
    recorded = {
        name: model.options[name]
        for name in ("tokenizer", *CHOICES)
        if model.options.get(name) is not None
    }
    tokenizer = recorded.get("tokenizer")
    if tokenizer is None or "tokenizer" in chosen:
        return {}
    if is_function_name(tokenizer):
        warn(
            f"the initial model was trained with the tokenizer {tokenizer!r}. Pass the function as "
            "`tokenizer`, unless the documents are lists of tokens",
            TrainingWarning,
        )
        return {}
    return recorded


def check_same_space(model: WordVectors, chosen: SettledOptions | Plan) -> None:
    """Check that the space is that of the initial model.

    Raises:
        OptionError: Geometry, dimension, factors or curvature differ.
    """
    facts: list[tuple[str, object, object]] = [
        ("geometry", chosen.geometry, model.geometry),
        ("dimension", chosen.dimension, model.dimension),
        ("factors", chosen.factors, model.factors),
    ]
    curvature = model.options.get("curvature")
    if curvature is not None:  # unknown for vectors of other programs
        facts.append(("curvature", chosen.curvature, curvature))
    for name, ours, theirs in facts:
        if ours != theirs:
            raise OptionError(
                f"`{name}` is {ours!r}, but the initial model has {theirs!r}",
                hint=f"leave out `{name}`, or `init`",
            )


def parameters_from_model(
    model: WordVectors, encoded: TrainingText, plan: TrainingPlan
) -> tuple[InitialParameters, Mask]:
    """The parameters at the start, and which words of the text the model has.

    A new word starts near the centroid of its first contexts that the model has, each weighted by
    its probability to be kept in subsampling; without such contexts, it starts at random. Models
    do not store the second layer. It starts like the first layer, and in flat space at 0.
    """
    words = encoded.vocabulary.words
    rows = model.known_rows(words, any_case=False)
    known = rows >= 0
    learns_ngrams = plan.subwords is not None and model.subwords is None
    if plan.freeze and known.all() and not learns_ngrams:
        warn("the text has no new words, so `freeze=True` leaves nothing to train", TrainingWarning)
    parameters = random_parameters(len(words), plan)
    centers = parameters.centers
    centers[known] = model.coordinates[rows[known]]
    contexts = _first_contexts(encoded, known, min(plan.window, _REACH))
    chances = sampling.keep_thresholds(encoded.vocabulary.counts, plan.subsample)
    at_once = max(1, _NUMBERS_AT_ONCE // (_CONTEXTS * plan.dimension))
    for begin in range(0, len(words), at_once):
        some = np.arange(begin, min(begin + at_once, len(words)))
        some = some[(contexts[some, 0] >= 0) & ~known[some]]
        ids = contexts[some]
        weights = np.where(ids >= 0, chances[ids] + 1.0, 0.0)  # a threshold may be 0
        centers[some] += plan.space.centroids(centers[ids], weights)
    second = parameters.contexts
    if second is not None and plan.space.is_curved:
        second = centers.copy()
    return InitialParameters(centers, second, parameters.theta), known


def _first_contexts(
    encoded: TrainingText, known: Mask, reach: int
) -> npt.NDArray[np.int32]:  # (words, _CONTEXTS), -1 after the last
    """The first known words in the contexts of each unknown word."""
    found = np.full((len(known), _CONTEXTS), -1, dtype=np.int32)
    filled = np.where(known, _CONTEXTS, 0)
    seen = np.zeros(len(known), dtype=np.int64)
    offsets = np.concatenate((np.arange(-reach, 0), np.arange(1, reach + 1)))
    text = encoded.in_epoch(0)
    for block in cut_into_blocks(encoded.sentence_starts, FOR_THREADS):
        tokens = text.stretch(block.begin, block.end)
        positions = np.flatnonzero(filled[tokens] < _CONTEXTS)
        positions = positions[seen[tokens[positions]] + _ranks(tokens[positions]) < _OCCURRENCES]
        np.add.at(seen, tokens[positions], 1)
        limits = sentence_limits(block, text.starts_within(block.begin + 1, block.end))
        sentences = np.searchsorted(limits, positions, side="right")
        first, last = limits[sentences - 1], limits[sentences] - 1
        around = positions[:, None] + offsets
        inside = (around >= first[:, None]) & (around <= last[:, None])
        contexts = tokens[np.where(inside, around, 0)]
        of, which = np.nonzero(inside & known[contexts])
        owners = tokens[positions[of]]
        columns = filled[owners] + _ranks(owners)
        fits = columns < _CONTEXTS
        found[owners[fits], columns[fits]] = contexts[of, which][fits]
        np.add.at(filled, owners[fits], 1)
    return found


def _ranks(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """For each value, the number of equal values before it."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    is_first = np.concatenate(([True], ordered[1:] != ordered[:-1])) if len(values) else ordered
    positions = np.arange(len(values))
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order] = positions - np.maximum.accumulate(np.where(is_first, positions, 0))
    return ranks
