"""What can be chosen about an exported explorer; importing it does not load NumPy."""

from hyperskip.options import Declaration, Range

NEIGHBORS = Declaration(
    kind=int,
    help="number of neighbors of each word in the export",
    default=25,
    limits=Range(at_least=1, at_most=100),
)
