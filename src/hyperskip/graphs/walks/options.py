"""The options of random walks."""

from dataclasses import dataclass

from hyperskip.options import Options, option


@dataclass(frozen=True, kw_only=True)
class WalkOptions(Options):
    """The options of random walks.

    Values are checked when the object is created.
    """

    walk_length: int = option(80, int, "number of nodes in a walk", at_least=2, at_most=100_000)
    walks: int = option(
        10,
        int,
        "number of walks that start from each node, in each epoch",
        at_least=1,
        at_most=1_000_000,
    )
    p: float = option(
        1.0,
        float,
        "node2vec's return parameter: a walk goes back to its previous node with weight 1/p",
        at_least=0.01,
        at_most=100.0,
    )
    q: float = option(
        1.0,
        float,
        "node2vec's in-out parameter: a walk goes to nodes that are not neighbors of its previous "
        "node with weight 1/q, so that values below 1 lead away from it",
        at_least=0.01,
        at_most=100.0,
    )

    @property
    def is_biased(self) -> bool:
        """Whether a step depends on the previous node."""
        return (self.p, self.q) != (1.0, 1.0)
