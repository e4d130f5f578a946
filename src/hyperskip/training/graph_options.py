"""The two methods to learn from a graph, and the options of each."""

from dataclasses import replace

from hyperskip.cluster.options import ClusterOptions
from hyperskip.graphs.options import GraphOptions, HoldoutOptions
from hyperskip.graphs.walks.options import WalkOptions
from hyperskip.options import Declaration, Options, declarations
from hyperskip.training.options import CheckpointOptions
from hyperskip.training.ranking_options import BLOCK_TOKENS, RankingOptions
from hyperskip.training.walk_options import WalkTrainingOptions

RANKING, WALKS = "ranking", "walks"
METHOD = Declaration(
    kind=str,
    help="how to learn: ranking brings the two nodes of each edge closer together than random "
    "nodes, for taxonomies; walks trains skip-gram on random walks, for networks, which follow the "
    "direction of edges only if directed is chosen",
    default=RANKING,
    choices=(RANKING, WALKS),
)
# The options of each method, in addition to those of all trainings of graphs.
_OF_METHOD: dict[str, tuple[type[Options], ...]] = {
    RANKING: (RankingOptions,),
    WALKS: (WalkOptions, WalkTrainingOptions),
}


def options_of(method: str) -> dict[str, Declaration]:
    """The options of a method."""
    return {
        name: declaration
        for group in _OF_METHOD[method]
        for name, declaration in declarations(group).items()
    }


def learning_options() -> dict[str, Declaration]:
    """The options of both methods, as `hyperskip.embed_graph` describes them."""
    ranking, walks = options_of(RANKING), options_of(WALKS)
    return {name: _combined(ranking.get(name), walks.get(name)) for name in ranking | walks}


def all_options() -> dict[str, Declaration]:
    """All options of `hyperskip.embed_graph`, in order."""
    return {
        **declarations(GraphOptions),
        **declarations(HoldoutOptions),
        **learning_options(),
        **declarations(CheckpointOptions),
        **cluster_options(),
    }


def cluster_options() -> dict[str, Declaration]:
    """The options of a cluster."""
    declared = declarations(ClusterOptions)
    merge_words = replace(
        declared["merge_words"],
        help="words of walks, or sources and targets of edges, that each node trains on between "
        "two merges",
        rule=f"an epoch, or {BLOCK_TOKENS} of all nodes if that is less; {WALKS}: "
        f"{declared['merge_words'].rule}",
    )
    return declared | {"merge_words": merge_words}


def _combined(ranking: Declaration | None, walks: Declaration | None) -> Declaration:
    """An option of one method, or of both with the defaults of both."""
    if walks is None:
        assert ranking is not None
        return replace(ranking, help=f"{ranking.help}; {RANKING} only")
    if ranking is None:
        return replace(walks, help=f"{walks.help}; {WALKS} only")
    defaults = ranking.default_in_words, walks.default_in_words
    if defaults[0] == defaults[1]:
        return ranking
    return replace(ranking, rule=f"{defaults[0]}; {WALKS}: {defaults[1]}")
