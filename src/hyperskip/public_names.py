"""Public names of a package, imported when they are first used.

Looking at vectors does not load the compiler, and `hyperskip --help` does not load NumPy.
"""

from collections.abc import Mapping


def import_public(name: str, package: str, modules: Mapping[str, str]) -> object:
    """Import a public name: the body of a package's `__getattr__`.

    Args:
        name: The name that was looked up.
        package: The package, such as `hyperskip`.
        modules: The module of each public name, relative to the package.

    Raises:
        AttributeError: The package has no such name.
    """
    if name not in modules:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{package}.{modules[name]}"), name)
