"""Names of the geometries that a user can choose; importing them does not load NumPy."""

HYPERBOLOID, EUCLIDEAN = "hyperboloid", "euclidean"
GEOMETRIES = (HYPERBOLOID, EUCLIDEAN)


def is_curved(geometry: str) -> bool:
    """Whether the geometry of this name is hyperbolic, as a single space or as a product."""
    return geometry == HYPERBOLOID
