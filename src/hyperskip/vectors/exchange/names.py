"""Names of formats and coordinates of other programs; importing them does not load NumPy."""

from hyperskip.geometry.names import EUCLIDEAN

MINKOWSKI, NPZ, PROJECTOR = "minkowski", "npz", "projector"
FORMATS = {
    "word2vec": "text with a header, as word2vec and gensim write it (.txt)",
    "word2vec-binary": "float32 numbers after each word, as word2vec and gensim write it (.bin)",
    "fasttext": "text with a header and five digits, as fastText writes it (.vec)",
    "glove": "text without a header (.txt)",
    MINKOWSKI: "text without a header, all digits, time last: the paper's own (.csv)",
    NPZ: "NumPy arrays with counts and the kind of coordinates (.npz)",
    PROJECTOR: "vectors.tsv and metadata.tsv for TensorFlow's projector (a folder; export only)",
}
READ_FORMATS = tuple(name for name in FORMATS if name != PROJECTOR)

POINTS, TIME_FIRST, SPATIAL, BALL = "points", "points-time-first", "spatial", "ball"
AUTO, PLAIN = "auto", EUCLIDEAN

WRITTEN_COORDINATES = (POINTS, TIME_FIRST, SPATIAL, BALL)
READ_COORDINATES = (AUTO, *WRITTEN_COORDINATES, PLAIN)
