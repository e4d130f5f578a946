"""Public names of a package, imported when they are first used.

Looking at vectors does not load the compiler, and `hyperskip --help` does not load NumPy.
"""

from collections.abc import Mapping


def import_public(
    name: str, package: str, modules: Mapping[str, str], foreign: Mapping[str, str] | None = None
) -> object:
    """Import a public name: the body of a package's `__getattr__`.

    Args:
        name: The name that was looked up.
        package: The package, such as `hyperskip`.
        modules: The module of each public name, relative to the package.
        foreign: Names of other libraries, and what to write instead.

    Raises:
        AttributeError: The package has no such name.
    """
    if name not in modules:
        use = f"; use {foreign[name]}" if foreign and name in foreign else ""
        raise AttributeError(f"module {package!r} has no attribute {name!r}{use}")
    from importlib import import_module

    return getattr(import_module(f"{package}.{modules[name]}"), name)
