"""The other programs that an experiment can train on the same text."""

from dataclasses import dataclass

FASTTEXT, GENSIM = "fasttext", "gensim"  # as --compare and the tables name them


@dataclass(frozen=True)
class PeerProgram:
    """A program that trains skip-gram with negative samples."""

    title: str  # as its authors write it
    package: str  # as Python imports it
    rate: float  # its own default
    options: tuple[str, ...]  # the training options that it shares with ours
    about: str  # for the report


# What the others do: no weights of contexts, no rates of words, and, if they have no option for it,
# negative samples by count to this power.
FIXED = {"distance_decay": 0.0, "rate_power": 0.0, "power": 0.5}
_COMMON = ("window", "negatives", "subsample", "epochs", "threads")

PEERS = {
    FASTTEXT: PeerProgram(
        "fastText",
        "fasttext",
        0.05,
        _COMMON,
        "fastText, skip-gram without subwords; it draws each window between 1 and the window, "
        "draws negative samples by count to the power 0.5, and has no seed",
    ),
    GENSIM: PeerProgram(
        "gensim",
        "gensim",
        0.025,
        (*_COMMON, "power"),
        "gensim's Word2Vec, skip-gram; it draws each window between 1 and the window, and has a "
        "seed",
    ),
}
