"""Points of the hyperboloid in PyTorch: an embedding layer, and parameters for geoopt."""

from hyperskip.errors import MissingPackageError
from hyperskip.public_names import import_public

TYPE_CHECKING = False  # that of `typing` would take longer to load than this module
if TYPE_CHECKING:
    from hyperskip.torch.point_embedding import PointEmbedding

__all__ = ["PointEmbedding"]

_MODULES = {"PointEmbedding": "point_embedding"}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    from importlib.util import find_spec

    if name in _MODULES and find_spec("torch") is None:
        raise MissingPackageError("PyTorch", "gpu", f"{__name__}.{name}")
    return import_public(name, __name__, _MODULES)
