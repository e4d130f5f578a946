"""A small built-in corpus with known answers, for the demo and for tests.

The sentences are generated from a hand-made taxonomy of English words; nothing is downloaded.
"""

from hyperskip.public_names import import_public

TYPE_CHECKING = False  # that of `typing` would take longer to load than this module
if TYPE_CHECKING:
    from hyperskip.builtin.corpus import sentences
    from hyperskip.builtin.questions import (
        analogy_questions,
        categories,
        hypernym_pairs,
        hypernymy_pairs,
        similarity_pairs,
    )

__all__ = [
    "BUILTIN",
    "analogy_questions",
    "categories",
    "hypernym_pairs",
    "hypernymy_pairs",
    "sentences",
    "similarity_pairs",
]

BUILTIN = "builtin"  # the name of the built-in data sets and categories in options

# The module of each public name, imported when the name is first used.
_MODULES = {
    name: "corpus" if name == "sentences" else "questions" for name in __all__ if name != "BUILTIN"
}


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> object:
    return import_public(name, __name__, _MODULES)
