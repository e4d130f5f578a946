"""Names of formats, coordinates and tools of other programs; importing them does not load NumPy."""

from typing import NamedTuple

from hyperskip.geometry.names import ANGLE, DISTANCE, EUCLIDEAN, PRODUCT

WORD2VEC, WORD2VEC_BINARY, GLOVE = "word2vec", "word2vec-binary", "glove"
FASTTEXT, FASTTEXT_BINARY, FLORET = "fasttext", "fasttext-binary", "floret"
MINKOWSKI, NPZ, PROJECTOR = "minkowski", "npz", "projector"
FORMATS = {
    WORD2VEC: "text with a header, as word2vec and gensim write it (.txt)",
    WORD2VEC_BINARY: "float32 numbers after each word, as word2vec and gensim write it (.bin)",
    FASTTEXT: "text with a header and five digits, as fastText writes it (.vec)",
    FASTTEXT_BINARY: "a model of fastText, with the n-grams (.bin; recognized on import)",
    GLOVE: "text without a header (.txt)",
    MINKOWSKI: "text without a header, all digits, time last: the paper's own (.csv)",
    NPZ: "NumPy arrays with counts and the kind of coordinates (.npz)",
    FLORET: "a table of n-grams without words, as floret writes it (.floret; export only)",
    PROJECTOR: "vectors.tsv and metadata.tsv for TensorFlow's projector (a folder; export only)",
}
READ_FORMATS = tuple(name for name in FORMATS if name not in (FLORET, PROJECTOR))

POINTS, TIME_FIRST, SPATIAL, BALL = "points", "points-time-first", "spatial", "ball"
AUTO, PLAIN = "auto", EUCLIDEAN

WRITTEN_COORDINATES = (POINTS, TIME_FIRST, SPATIAL, BALL)
READ_COORDINATES = (AUTO, *WRITTEN_COORDINATES, PLAIN)
# Formats that other programs do not compare by cosine keep the time coordinate.
KEEP_TIME = (MINKOWSKI, NPZ)


class Tool(NamedTuple):
    """A library that vectors are exported for."""

    contents: str  # what is written
    is_folder: bool
    measures: tuple[str, ...]  # measures of the hyperboloid that it can rank by, the default first
    usage: tuple[str, ...]  # lines that load PATH and use it


SENTENCE_TRANSFORMERS, MODEL2VEC = "sentence-transformers", "model2vec"
GENSIM, SPACY, TORCH, FAISS = "gensim", "spacy", "torch", "faiss"
TOOLS = {
    GENSIM: Tool(
        "a word2vec-binary file",
        False,
        (ANGLE,),
        (
            "from gensim.models import KeyedVectors",
            'vectors = KeyedVectors.load_word2vec_format("PATH", binary=True)',
            'vectors.most_similar("dog")',
        ),
    ),
    SPACY: Tool(
        "a folder with a pipeline of a tokenizer and vectors",
        True,
        (ANGLE,),
        (
            "import spacy",
            'nlp = spacy.load("PATH")',
            'nlp.vocab.vectors.most_similar(nlp.vocab["dog"].vector[None], n=10)',
        ),
    ),
    SENTENCE_TRANSFORMERS: Tool(
        "a folder with a static embedding, which model2vec also reads",
        True,
        (ANGLE,),
        (
            "from sentence_transformers import SentenceTransformer",
            'model = SentenceTransformer("PATH")',
            'model.similarity(model.encode("dog"), model.encode(["cat", "house"]))',
        ),
    ),
    MODEL2VEC: Tool(
        "a folder with a static embedding, which sentence-transformers also reads",
        True,
        (ANGLE,),
        (
            "from model2vec import StaticModel",
            'model = StaticModel.from_pretrained("PATH")',
            'model.encode(["dog", "cat"])',
        ),
    ),
    TORCH: Tool(
        "a folder with the state of an embedding and the words in order",
        True,
        (ANGLE,),
        (
            "import json, torch, safetensors.torch",
            'state = safetensors.torch.load_file("PATH/embedding.safetensors")',
            'embedding = torch.nn.Embedding.from_pretrained(state["weight"])',
            'words = json.load(open("PATH/words.json"))',
        ),
    ),
    FAISS: Tool(
        "a folder with an index and the words in order",
        True,
        (PRODUCT, DISTANCE, ANGLE),
        (
            "import faiss, json",
            'index, words = faiss.read_index("PATH/index.faiss"), '
            'json.load(open("PATH/words.json"))',
            'query = index.reconstruct(words.index("dog"))',
            "scores, rows = index.search(query[None], 10)",
        ),
    ),
    PROJECTOR: Tool(
        "a folder with vectors.tsv and metadata.tsv",
        True,
        (ANGLE,),
        ("tensorboard --logdir PATH",),
    ),
}
