"""Similar words, as a sparse matrix that passes values on from words with relations to others."""

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from hyperskip.geometry.arrays import Rows
from hyperskip.vectors.search.broader import greatest_columns
from hyperskip.vectors.search.products import query_blocks

NEIGHBORS = 20
_POWER = 6  # of the cosine: near words weigh much more than others
_CELLS_AT_ONCE = 1 << 23  # cells of the matrix (words, words with relations): 32 MiB in float32


def similar_words(coordinates: npt.NDArray[np.float32], known: Rows) -> sp.csr_array:
    """Return weights (words, words) of the most similar known words; every row sums to 1 or 0.

    Similarity is the cosine at the base point. A word is not similar to itself, so a known word has
    20 similar words, and another word has 21.

    Args:
        coordinates: (words, dimension).
        known: Rows of the words that values are passed on from, ascending.
    """
    lengths = np.linalg.norm(coordinates, axis=1, keepdims=True)
    directions = coordinates / np.maximum(lengths, np.finfo(np.float32).tiny)
    keys = directions[known]
    words, count = len(coordinates), min(NEIGHBORS + 1, len(known))
    columns = np.empty((words, count), dtype=np.int64)
    cosines = np.empty((words, count), dtype=np.float64)
    for block in query_blocks(words, len(known), _CELLS_AT_ONCE):
        products = directions[block] @ keys.T
        found = greatest_columns(products, count)
        columns[block] = found
        cosines[block] = np.take_along_axis(products, found, axis=1)
    rows = np.repeat(np.arange(words), count)
    others = known[columns.ravel()]
    weights = np.maximum(cosines.ravel(), 0.0) ** _POWER * (others != rows)
    similar = sp.csr_array((weights, (rows, others)), shape=(words, words))
    similar.eliminate_zeros()
    return rows_of_sum_one(similar)


def only_from(similar: sp.csr_array, is_source: npt.NDArray[np.bool_]) -> sp.csr_array:
    """Return the weights of some of the similar words; every row sums to 1 or 0 again."""
    return rows_of_sum_one(sp.csr_array(similar @ sp.diags_array(is_source.astype(np.float64))))


def rows_of_sum_one(matrix: sp.csr_array) -> sp.csr_array:
    """Return a matrix whose rows are divided by their sums; rows of zeros stay."""
    sums = np.asarray(matrix.sum(axis=1))
    inverse = np.divide(1.0, sums, out=np.zeros_like(sums), where=sums > 0)
    scaled = sp.csr_array(sp.diags_array(inverse) @ matrix)
    scaled.sort_indices()  # a fixed order of sums, for every version of SciPy
    return scaled
