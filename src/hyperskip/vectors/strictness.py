"""The option to use words of the vocabulary only, without loading NumPy."""

from hyperskip.options import Declaration

STRICT = Declaration(
    kind=bool,
    help="use words of the vocabulary only: do not compose other words from n-grams",
    default=False,
)
