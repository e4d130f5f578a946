"""Names of the methods that project words onto the disc."""

from hyperskip.options import Declaration

AUTO = "auto"
EXACT, TANGENT, GEODESIC, POLAR, FITTED = "exact", "tangent", "geodesic", "polar", "fitted"
CHOICES = (AUTO, TANGENT, GEODESIC, POLAR, FITTED)

METHOD = Declaration(
    kind=str,
    help="how to project words onto the disc; auto tries tangent, geodesic and fitted and "
    "takes the one that keeps the most neighbors",
    default=AUTO,
    choices=CHOICES,
)


def check_method(method: str) -> None:
    """Check the name of a method.

    Raises:
        OptionError: There is no such method.
    """
    METHOD.checked("projection", method)
