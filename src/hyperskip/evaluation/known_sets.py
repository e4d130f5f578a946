"""The data sets that have a name; importing them does not load NumPy."""

from dataclasses import dataclass

DATA_VARIABLE = "HYPERSKIP_DATA"  # names the folder with the files of the sets

_SIMILARITY_SITE = (
    "https://raw.githubusercontent.com/valentinp72/svd2vec/"
    "60cdeeeeb5f08e3a0f6f71c38ed710be4d78e132/svd2vec/datasets/similarities/"
)
_GOOGLE_SITE = (
    "https://raw.githubusercontent.com/piskvorky/gensim/"
    "a97b67942a0a3656337d394e1cfb8b8df3c78268/gensim/test/test_data/"
)


@dataclass(frozen=True)
class Download:
    """Where a data set can be downloaded from, under the last of its file names."""

    site: str
    sha256: str


@dataclass(frozen=True)
class NamedDataset:
    """A public data set: the names that its file may have, and its download if there is one."""

    files: tuple[str, ...]
    download: Download | None


SIMILARITY_SETS = {
    "ws353": NamedDataset(
        ("EN-WS-353-ALL.txt", "wordsim353.txt"),
        Download(
            _SIMILARITY_SITE,
            "bddf950c5a8291d3e04386c2b7fb7a8c8e89fd45432a7696e968df6ee4e6fed6",
        ),
    ),
    "simlex999": NamedDataset(
        ("EN-SIMLEX-999.txt", "simlex999.txt"),
        Download(
            _SIMILARITY_SITE,
            "440aaebb115dff91a4779113e56b0c9bfea2d08e5350a2f997dcab3bdf2000b6",
        ),
    ),
    "men": NamedDataset(
        ("EN-MEN-TR-3k.txt", "men_dataset.txt"),
        Download(
            _SIMILARITY_SITE,
            "ea61f7a7cbbddcc4c548a4d5586e68c2ab0b51bd0cb7505a01f14f30f4ea0656",
        ),
    ),
}
ANALOGY_SETS = {
    "google": NamedDataset(
        ("questions-words.txt",),
        Download(
            _GOOGLE_SITE,
            "8c29b3332afc46f3fb8be04cb5297bf96f39aa7131272dff57869b4485b22a36",
        ),
    ),
}

# These have no stable address, so they must be on disk.
HYPERNYMY_SETS = {
    "hyperlex": NamedDataset(("hyperlex-all.txt", "hyperlex_rnd.tsv"), None),
    "bless": NamedDataset(("bless.tsv", "BLESS.txt"), None),
    "evalution": NamedDataset(("eval.tsv", "evalution.tsv", "RELATIONS.txt"), None),
    "leds": NamedDataset(("leds.tsv",), None),
    "shwartz": NamedDataset(("shwartz.tsv",), None),
    "wbless": NamedDataset(("wbless.tsv", "AWBLESS.txt"), None),
    "bibless": NamedDataset(("bibless.tsv", "ABIBLESS.txt"), None),
}
