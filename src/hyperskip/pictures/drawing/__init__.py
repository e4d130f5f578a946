"""Images drawn with matplotlib, which is an optional package."""

from hyperskip.errors import MissingPackageError

try:
    import matplotlib  # noqa: F401
except ImportError as error:
    raise MissingPackageError("matplotlib", "pictures", "drawing png and svg images") from error
