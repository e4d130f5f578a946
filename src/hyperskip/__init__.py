"""Word embeddings in hyperbolic space, learned from plain text.

import hyperskip
vectors = hyperskip.train("corpus.txt", dimension=20)
vectors.neighbors("word")
"""

from hyperskip.version import VERSION

TYPE_CHECKING = False  # the one of `typing`, which would take longer to load than all of this
if TYPE_CHECKING:
    from hyperskip.errors import HyperskipError
    from hyperskip.pictures.plotting import Picture
    from hyperskip.text.encoding.corpus_folder import encode, open_encoded
    from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
    from hyperskip.text.options import TextOptions
    from hyperskip.training.options import CheckpointOptions, TrainingOptions
    from hyperskip.training.trainer import train
    from hyperskip.vectors.exchange.convert import export_vectors, import_vectors
    from hyperskip.vectors.model_file import load
    from hyperskip.vectors.word_vectors import Generality, Neighbor, WordVectors

__version__ = VERSION

# Loaded when first used: looking at vectors should not load the compiler that trains them.
_HOMES = {
    "CheckpointOptions": "training.options",
    "EncodedCorpus": "text.encoding.encoded_corpus",
    "Generality": "vectors.word_vectors",
    "HyperskipError": "errors",
    "Neighbor": "vectors.word_vectors",
    "Picture": "pictures.plotting",
    "TextOptions": "text.options",
    "TrainingOptions": "training.options",
    "WordVectors": "vectors.word_vectors",
    "encode": "text.encoding.corpus_folder",
    "export_vectors": "vectors.exchange.convert",
    "import_vectors": "vectors.exchange.convert",
    "load": "vectors.model_file",
    "open_encoded": "text.encoding.corpus_folder",
    "train": "training.trainer",
}

__all__ = [
    "CheckpointOptions",
    "EncodedCorpus",
    "Generality",
    "HyperskipError",
    "Neighbor",
    "Picture",
    "TextOptions",
    "TrainingOptions",
    "WordVectors",
    "__version__",
    "encode",
    "export_vectors",
    "import_vectors",
    "load",
    "open_encoded",
    "train",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'hyperskip' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hyperskip.{_HOMES[name]}"), name)
