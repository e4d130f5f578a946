"""Embeddings in hyperbolic space: of words from plain text, and of taxonomies and graphs.

import hyperskip
vectors = hyperskip.train("corpus.txt", dimension=20)
vectors.neighbors("word")
"""

from hyperskip.public_names import import_public
from hyperskip.version import VERSION

TYPE_CHECKING = False  # importing it from `typing` would take longer than the rest of this module
if TYPE_CHECKING:
    from hyperskip import builtin, experiment, geometry
    from hyperskip import learn as learn
    from hyperskip import torch as torch
    from hyperskip.errors import (
        BusyError,
        ClusterError,
        CorpusError,
        CorpusWarning,
        DatasetError,
        DatasetWarning,
        DivergenceError,
        GeometryError,
        GraphError,
        HyperskipError,
        HyperskipWarning,
        InputError,
        MissingPackageError,
        NewerFileError,
        OptionError,
        OutputError,
        OutputWarning,
        PeerError,
        StaleCorpusError,
        TrainingWarning,
        UnknownWordError,
        VectorFileError,
        VectorFileWarning,
    )
    from hyperskip.evaluation.evaluating import evaluate
    from hyperskip.evaluation.scores import Scores
    from hyperskip.files.remote import RemotePath
    from hyperskip.graphs.closure import GraphSummary
    from hyperskip.graphs.graph import Graph
    from hyperskip.graphs.graph_reading import read_graph
    from hyperskip.graphs.options import GraphOptions
    from hyperskip.graphs.splitting import split_edges
    from hyperskip.pictures.picture import Picture
    from hyperskip.subwords.scheme import SubwordScheme
    from hyperskip.text.encoding.corpus_folder import open_encoded
    from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
    from hyperskip.text.encoding.encoder import encode
    from hyperskip.text.options import TextOptions
    from hyperskip.text.phrases.finding import find_phrases
    from hyperskip.text.phrases.phrases import Phrase, Phrases, read_phrases
    from hyperskip.text.relations.extracting import extract_relations
    from hyperskip.text.relations.relations import Relations, read_relations
    from hyperskip.training.graph_embedding import embed_graph
    from hyperskip.training.hierarchy.adding import add_hierarchy
    from hyperskip.training.options import CheckpointOptions, TrainingOptions
    from hyperskip.training.trainer import train
    from hyperskip.vectors.exchange.exporting import export_vectors
    from hyperskip.vectors.exchange.importing import import_vectors
    from hyperskip.vectors.hierarchy_points import HierarchyPoints
    from hyperskip.vectors.listed_words import Generality, Kind, Moved, Neighbor, Relative
    from hyperskip.vectors.model_file import load
    from hyperskip.vectors.sharing.pretrained import from_pretrained
    from hyperskip.vectors.subword_table import SubwordTable
    from hyperskip.vectors.tree import Tree
    from hyperskip.vectors.word_vectors import WordVectors

__version__ = VERSION

# Names of gensim and node2vec, and what to write instead.
_FOREIGN = {
    "FastText": "hyperskip.train(corpus)",
    "KeyedVectors": "hyperskip.load(path), or hyperskip.import_vectors(path) for other formats",
    "Node2Vec": "hyperskip.embed_graph(edges, method='walks')",
    "PoincareKeyedVectors": "hyperskip.load(path)",
    "PoincareModel": "hyperskip.embed_graph(edges)",
    "PoincareRelations": "the path: hyperskip.embed_graph(path)",
    "Word2Vec": "hyperskip.train(corpus)",
}
# The module of each public name, imported when the name is first used.
_MODULES = {
    "BusyError": "errors",
    "CheckpointOptions": "training.options",
    "ClusterError": "errors",
    "CorpusError": "errors",
    "CorpusWarning": "errors",
    "DatasetError": "errors",
    "DatasetWarning": "errors",
    "DivergenceError": "errors",
    "EncodedCorpus": "text.encoding.encoded_corpus",
    "Generality": "vectors.listed_words",
    "GeometryError": "errors",
    "Graph": "graphs.graph",
    "GraphError": "errors",
    "GraphOptions": "graphs.options",
    "GraphSummary": "graphs.closure",
    "HierarchyPoints": "vectors.hierarchy_points",
    "HyperskipError": "errors",
    "HyperskipWarning": "errors",
    "InputError": "errors",
    "Kind": "vectors.listed_words",
    "MissingPackageError": "errors",
    "Moved": "vectors.listed_words",
    "Neighbor": "vectors.listed_words",
    "NewerFileError": "errors",
    "OptionError": "errors",
    "OutputError": "errors",
    "OutputWarning": "errors",
    "PeerError": "errors",
    "Phrase": "text.phrases.phrases",
    "Phrases": "text.phrases.phrases",
    "Picture": "pictures.picture",
    "Relations": "text.relations.relations",
    "Relative": "vectors.listed_words",
    "RemotePath": "files.remote",
    "Scores": "evaluation.scores",
    "StaleCorpusError": "errors",
    "SubwordScheme": "subwords.scheme",
    "SubwordTable": "vectors.subword_table",
    "TextOptions": "text.options",
    "TrainingOptions": "training.options",
    "TrainingWarning": "errors",
    "Tree": "vectors.tree",
    "UnknownWordError": "errors",
    "VectorFileError": "errors",
    "VectorFileWarning": "errors",
    "WordVectors": "vectors.word_vectors",
    "add_hierarchy": "training.hierarchy.adding",
    "embed_graph": "training.graph_embedding",
    "encode": "text.encoding.encoder",
    "evaluate": "evaluation.evaluating",
    "export_vectors": "vectors.exchange.exporting",
    "extract_relations": "text.relations.extracting",
    "find_phrases": "text.phrases.finding",
    "from_pretrained": "vectors.sharing.pretrained",
    "import_vectors": "vectors.exchange.importing",
    "load": "vectors.model_file",
    "open_encoded": "text.encoding.corpus_folder",
    "read_graph": "graphs.graph_reading",
    "read_phrases": "text.phrases.phrases",
    "read_relations": "text.relations.relations",
    "split_edges": "graphs.splitting",
    "train": "training.trainer",
}

# `learn` and `torch` need optional packages, so `from hyperskip import *` leaves them out.
_PACKAGES = ("builtin", "experiment", "geometry", "learn", "torch")

__all__ = [
    "BusyError",
    "CheckpointOptions",
    "ClusterError",
    "CorpusError",
    "CorpusWarning",
    "DatasetError",
    "DatasetWarning",
    "DivergenceError",
    "EncodedCorpus",
    "Generality",
    "GeometryError",
    "Graph",
    "GraphError",
    "GraphOptions",
    "GraphSummary",
    "HierarchyPoints",
    "HyperskipError",
    "HyperskipWarning",
    "InputError",
    "Kind",
    "MissingPackageError",
    "Moved",
    "Neighbor",
    "NewerFileError",
    "OptionError",
    "OutputError",
    "OutputWarning",
    "PeerError",
    "Phrase",
    "Phrases",
    "Picture",
    "Relations",
    "Relative",
    "RemotePath",
    "Scores",
    "StaleCorpusError",
    "SubwordScheme",
    "SubwordTable",
    "TextOptions",
    "TrainingOptions",
    "TrainingWarning",
    "Tree",
    "UnknownWordError",
    "VectorFileError",
    "VectorFileWarning",
    "WordVectors",
    "__version__",
    "add_hierarchy",
    "builtin",
    "embed_graph",
    "encode",
    "evaluate",
    "experiment",
    "export_vectors",
    "extract_relations",
    "find_phrases",
    "from_pretrained",
    "geometry",
    "import_vectors",
    "load",
    "open_encoded",
    "read_graph",
    "read_phrases",
    "read_relations",
    "split_edges",
    "train",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    return import_public(name, __name__, _MODULES, _FOREIGN)
