"""The web server: application, connections, security and the request queue.

It needs optional packages.
"""

from hyperskip.errors import MissingPackageError

try:
    import starlette  # noqa: F401
    import uvicorn  # noqa: F401
except ImportError as error:
    raise MissingPackageError(error.name or "starlette", "explorer", "the explorer") from error
