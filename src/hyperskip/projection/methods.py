"""What can be chosen about a map: the method of projection, and the number of words."""

from hyperskip.options import Declaration, Range

AUTO = "auto"
EXACT, TANGENT, GEODESIC, POLAR, FITTED = "exact", "tangent", "geodesic", "polar", "fitted"
CHOICES = (AUTO, TANGENT, GEODESIC, POLAR, FITTED)

METHOD = Declaration(
    kind=str,
    help="how to project words onto the disc; auto tries tangent, geodesic and fitted and "
    "takes the one that keeps the most neighbors; if the model has a hierarchy, auto is polar, "
    "with general words in the middle",
    default=AUTO,
    choices=CHOICES,
)
MAP_WORDS = Declaration(
    kind=int,
    help="number of words on the map; the most frequent are used",
    default=50_000,
    limits=Range(at_least=1, at_most=50_000),
)


def check_method(method: str) -> None:
    """Check the name of a method.

    Raises:
        OptionError: There is no such method.
    """
    METHOD.checked("projection", method)
