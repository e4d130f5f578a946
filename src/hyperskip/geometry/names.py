"""Names of geometries, measures and analogy routes; importing them does not load NumPy."""

HYPERBOLOID, EUCLIDEAN = "hyperboloid", "euclidean"
GEOMETRIES = (HYPERBOLOID, EUCLIDEAN)

PRODUCT, DISTANCE, ANGLE = "product", "distance", "angle"
MEASURES = (PRODUCT, DISTANCE, ANGLE)  # product is the paper's

ROUTES = ("Z", "Z'")


def is_curved(geometry: str) -> bool:
    """Whether the geometry of this name is hyperbolic, as a single space or as a product."""
    return geometry == HYPERBOLOID
