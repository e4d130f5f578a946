"""The options of working on a Ray cluster."""

from dataclasses import dataclass

from hyperskip.errors import OptionError
from hyperskip.options import Declaration, Options, option, option_of

AUTO = "auto"
CLUSTER = Declaration(
    kind=str,
    help="work on all nodes of a Ray cluster: auto (the one in RAY_ADDRESS, the one started on "
    "this machine with ray start without --temp-dir, or else a new one on this machine), or the "
    "address of its head node, HOST:PORT",
    optional=True,
)


@dataclass(frozen=True, kw_only=True)
class ClusterOptions(Options):
    """The options of working on a Ray cluster; without `cluster`, there is none."""

    cluster: str | None = option_of(CLUSTER)
    nodes: int | None = option(
        None, int, "maximum number of nodes that train", at_least=1, optional=True, rule="all nodes"
    )
    merge_words: int | None = option(
        None,
        int,
        "words that each node trains on between two merges",
        at_least=1000,
        optional=True,
        rule="about 12 * nodes * sqrt(dimension) merges in all",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("nodes", "merge_words"):
            if getattr(self, name) is not None and self.cluster is None:
                raise OptionError(
                    f"`{name}` requires `cluster`",
                    hint=f"pass `cluster={AUTO!r}`, or leave out `{name}`",
                )
