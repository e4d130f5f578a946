"""The greatest singular vectors of stated relations, which were passed on to similar words.

Every pair of words counts, also those about which nothing is stated: that, and the small number of
dimensions, is what makes the result say more than the counts do.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from hyperskip.geometry.arrays import Floats, Matrix, Rows
from hyperskip.training.hierarchy.propagation import rows_of_sum_one
from hyperskip.training.hierarchy.word_relations import WordRelations

_BY_BROADER = 0.25  # weight of what is stated about the broader words of a word
_MORE_COLUMNS = 20  # of the random start, for precision
_ROUNDS = 4  # of the power iteration
_NEGLIGIBLE = 1e-12  # of squared singular values, relative to the greatest: rounding of float32
_ROWS_AT_ONCE = 1 << 14

Product = Callable[[Matrix], Matrix]


class Factors(NamedTuple):
    """Two vectors of each word; their product says that the first word is a kind of the second."""

    narrower: Matrix  # (words, dimension)
    broader: Matrix  # (words, dimension)


def factorized(
    relations: WordRelations, similar: sp.csr_array, dimension: int, seed: int
) -> Factors:
    """Factorize (1 + B/4) (1 + S) A.

    A is log(1 + n(i, j) n / (n(i) n(j))): how much more often a pair is stated than by chance. S
    passes the relations of words on to similar words, and B those of a broader word to its narrower
    words. The product is never formed.

    Args:
        relations: What is stated.
        similar: Weights of similar words (words, words).
        dimension: The number of singular vectors. If the matrix has fewer, the rest are zeros.
        seed: Of the random start.
    """
    stated = _association(relations).astype(np.float32)
    by_similar = similar.astype(np.float32)
    by_broader = (_BY_BROADER * rows_of_sum_one(relations.counts)).astype(np.float32)
    transposed = [sp.csr_array(matrix.T) for matrix in (stated, by_similar, by_broader)]

    def forward(columns: Matrix) -> Matrix:
        product = stated @ columns
        product = product + by_similar @ product
        return np.asarray(product + by_broader @ product)

    def backward(rows: Matrix) -> Matrix:
        product = rows + transposed[2] @ rows
        product = product + transposed[1] @ product
        return np.asarray(transposed[0] @ product)

    words = stated.shape[0]
    broader = np.flatnonzero(relations.as_broader > 0)
    left, values, right = _singular_vectors(
        forward, backward, words, broader, min(dimension, len(broader)), seed
    )
    narrower, by_word = (np.zeros((words, dimension), dtype=np.float32) for _ in range(2))
    narrower[:, : len(values)] = left * np.sqrt(values)
    by_word[:, : len(values)] = right * np.sqrt(values)
    return Factors(narrower, by_word)


def _association(relations: WordRelations) -> sp.csr_array:
    counts = sp.coo_array(relations.counts)
    # With logarithms, extreme weights do not overflow.
    expected = np.log(relations.as_narrower[counts.row]) + np.log(relations.as_broader[counts.col])
    ratios = np.log(counts.data) + np.log(counts.data.sum()) - expected
    association = np.logaddexp(0.0, ratios)
    return sp.csr_array((association, (counts.row, counts.col)), shape=counts.shape)


def _singular_vectors(
    forward: Product, backward: Product, words: int, broader: Rows, count: int, seed: int
) -> tuple[Matrix, Matrix, Matrix]:
    """The randomized method of Halko, Martinsson and Tropp (2011), with power iteration."""
    generator = np.random.default_rng(seed)
    width = min(count + _MORE_COLUMNS, len(broader))
    start = np.zeros((words, width), dtype=np.float32)
    start[broader] = generator.standard_normal((len(broader), width), dtype=np.float32)
    rows = forward(start)
    for _ in range(_ROUNDS):
        rows = forward(_orthonormal(backward(_orthonormal(rows))))
    basis = _orthonormal(rows)
    products = backward(basis)
    squares, rotation = np.linalg.eigh(_inner_products(products))
    order = np.argsort(-squares, kind="stable")[:count]
    values = np.sqrt(np.maximum(squares[order], 0.0)).astype(np.float32)
    turned = rotation[:, order].astype(np.float32)
    right = products @ (turned * _inverse(values))
    return basis @ turned, values, right


def _orthonormal(columns: Matrix) -> Matrix:
    """Return orthonormal columns with the same span; zeros for those that depend on others."""
    squares, rotation = np.linalg.eigh(_inner_products(columns))
    lengths = np.sqrt(np.where(squares > _NEGLIGIBLE * squares.max(), squares, 0.0))
    turned: Matrix = columns @ (rotation * _inverse(lengths)).astype(np.float32)
    return turned


def _inner_products(columns: Matrix) -> Floats:
    """Inner products of columns, in float64: sums in a fixed order, for any number of threads."""
    width = columns.shape[1]
    products = np.zeros((width, width))
    for begin in range(0, len(columns), _ROWS_AT_ONCE):
        block = columns[begin : begin + _ROWS_AT_ONCE].astype(np.float64)
        products += block.T @ block
    return products


def _inverse(lengths: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0))
