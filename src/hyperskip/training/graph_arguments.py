"""The arguments of `hyperskip.embed_graph` as groups of options, for both methods."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hyperskip.cluster.options import ClusterOptions
from hyperskip.devices import CPU
from hyperskip.errors import OptionError, TrainingWarning, warn
from hyperskip.graphs.options import GraphOptions, HoldoutOptions
from hyperskip.graphs.walks.options import WalkOptions
from hyperskip.options import Options, declarations
from hyperskip.training.arguments import check_start
from hyperskip.training.graph_options import METHOD, RANKING, WALKS, options_of
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import plan_ranking
from hyperskip.training.settled_options import settled_options
from hyperskip.training.start.from_model import inherited_options
from hyperskip.training.start.nodes_from_model import inherited_ranking_options
from hyperskip.training.walk_options import WalkTrainingOptions
from hyperskip.vectors.word_vectors import WordVectors


@dataclass(frozen=True)
class GraphArguments:
    """The options of a training of a graph, in groups."""

    graph: GraphOptions
    holdout: HoldoutOptions
    learning: RankingOptions | TrainingOptions
    walks: WalkOptions  # of the method `walks`
    checkpoints: CheckpointOptions
    cluster: ClusterOptions


def graph_arguments(
    method: str, keywords: Mapping[str, Any], model: WordVectors | None
) -> GraphArguments:
    """Sort the option values into their groups, which check them.

    Args:
        method: How to learn.
        keywords: Option values; None: not chosen.
        model: The initial model, if there is one; it decides about the space.

    Raises:
        OptionError: A value is not allowed, belongs to the other method, or contradicts another.
    """
    METHOD.checked("method", method)
    chosen = {name: value for name, value in keywords.items() if value is not None}
    _check_method(method, chosen)
    if model is not None:
        inherited = inherited_options if method == WALKS else inherited_ranking_options
        chosen = inherited(model, chosen) | chosen

    def of(group: type[Options]) -> Any:
        return group(**{name: chosen[name] for name in declarations(group) if name in chosen})

    learning = of(RankingOptions if method == RANKING else WalkTrainingOptions)
    if isinstance(learning, RankingOptions):
        check_start(model, plan_ranking(learning, CPU))
    else:
        check_start(model, settled_options(learning))
    holdout = of(HoldoutOptions)
    if model is not None:
        _check_split(model, holdout.as_dict() | {"seed": learning.with_defaults()["seed"]})
    return GraphArguments(
        *(of(GraphOptions), holdout, learning, of(WalkOptions)),
        *(of(CheckpointOptions), of(ClusterOptions)),
    )


def _check_method(method: str, chosen: Mapping[str, Any]) -> None:
    """Check that no chosen option belongs to the other method only."""
    declared = {each: options_of(each).keys() for each in (RANKING, WALKS)}
    [other] = declared.keys() - {method}
    for name in chosen:
        if name in declared[other] - declared[method]:
            raise OptionError(
                f"`{name}` requires `method='{other}'`, and `method` is '{method}'",
                hint=f"leave out `{name}`, or pass `method='{other}'`",
            )


def _check_split(model: WordVectors, split: Mapping[str, Any]) -> None:
    """Warn if the initial model was trained on edges that are held out now."""
    names = (*declarations(HoldoutOptions), "seed")
    of_model = {name: model.options[name] for name in names if name in model.options}
    if "holdout" in split and "method" in model.options and split != of_model:
        warn(
            "the initial model was trained on a graph without this `holdout` and `seed`, so it may "
            "have seen the edges that are held out now: scores of link prediction are too good",
            TrainingWarning,
        )
