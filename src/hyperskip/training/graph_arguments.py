"""The arguments of `hyperskip.embed_graph` as groups of options, for both methods."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hyperskip.cluster.options import ClusterOptions
from hyperskip.errors import OptionError
from hyperskip.graphs.options import GraphOptions
from hyperskip.options import Declaration, Options, declarations
from hyperskip.training.arguments import check_start
from hyperskip.training.options import CheckpointOptions, TrainingOptions
from hyperskip.training.ranking_options import RankingOptions
from hyperskip.training.ranking_plan import plan_ranking
from hyperskip.training.settled_options import settled_options
from hyperskip.training.start.from_model import inherited_options
from hyperskip.training.start.nodes_from_model import inherited_ranking_options
from hyperskip.vectors.word_vectors import WordVectors

RANKING, WALKS = "ranking", "walks"
METHOD = Declaration(
    kind=str,
    help="how to learn: ranking brings the two nodes of each edge closer together than random "
    "nodes, for taxonomies; walks trains skip-gram on random walks, for networks",
    default=RANKING,
    choices=(RANKING, WALKS),
)
# The options of each method, in addition to those of all trainings of graphs.
_OF_METHOD: dict[str, tuple[type[Options], ...]] = {
    RANKING: (RankingOptions,),
    WALKS: (TrainingOptions,),
}
_OF_ALL: tuple[type[Options], ...] = (GraphOptions, CheckpointOptions, ClusterOptions)


@dataclass(frozen=True)
class GraphArguments:
    """The options of a training of a graph, in groups."""

    graph: GraphOptions
    learning: RankingOptions | TrainingOptions
    checkpoints: CheckpointOptions
    cluster: ClusterOptions


def learning_options() -> dict[str, Declaration]:
    """The options of both methods, as `hyperskip.embed_graph` describes them."""
    ranking, walks = _declared(RANKING), _declared(WALKS)
    return {name: _combined(ranking.get(name), walks.get(name)) for name in ranking | walks}


OPTION_NAMES = frozenset(
    name for group in (*_OF_ALL, *sum(_OF_METHOD.values(), ())) for name in declarations(group)
)


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

    learning = of(RankingOptions if method == RANKING else TrainingOptions)
    if isinstance(learning, RankingOptions):
        check_start(model, plan_ranking(learning))
    else:
        check_start(model, settled_options(learning))
    return GraphArguments(of(GraphOptions), learning, of(CheckpointOptions), of(ClusterOptions))


def _declared(method: str) -> dict[str, Declaration]:
    return {
        name: declaration
        for group in _OF_METHOD[method]
        for name, declaration in declarations(group).items()
    }


def _combined(ranking: Declaration | None, walks: Declaration | None) -> Declaration:
    """An option of one method, or of both with the defaults of both."""
    if ranking is None or walks is None:
        [(method, own)] = [
            (method, own) for method, own in ((RANKING, ranking), (WALKS, walks)) if own is not None
        ]
        return replace(own, help=f"{own.help}; {method} only")
    defaults = ranking.default_in_words, walks.default_in_words
    if defaults[0] == defaults[1]:
        return ranking
    return replace(ranking, rule=f"{defaults[0]}; {WALKS}: {defaults[1]}")


def _check_method(method: str, chosen: Mapping[str, Any]) -> None:
    """Check that no chosen option belongs to the other method only."""
    [other] = [each for each in METHOD.choices if each != method]
    for name in chosen:
        if name in _declared(other) and name not in _declared(method):
            raise OptionError(
                f"`{name}` requires `method='{other}'`, and `method` is '{method}'",
                hint=f"leave out `{name}`, or pass `method='{other}'`",
            )
