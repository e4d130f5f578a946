"""The options of learning a hierarchy."""

from dataclasses import dataclass

from hyperskip.options import Options, option


@dataclass(frozen=True, kw_only=True)
class HierarchyOptions(Options):
    """The options of learning a hierarchy, apart from the relations.

    Values are checked when the object is created. `hyperskip.train` describes each field.
    """

    hierarchy: bool = option(
        False,
        bool,
        "learn what is a kind of what, from relations that the text states, such as 'animals such "
        "as dogs'; the text needs its punctuation and capital letters",
    )
    hierarchy_dimension: int = option(
        30,
        int,
        "dimension of the hierarchy, in addition to that of the vectors; with relations only",
        at_least=2,
        at_most=1000,
    )
