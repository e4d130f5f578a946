"""Indented trees: one node on each line, below its parent, which has less indentation."""

import re
from collections.abc import Iterator

from hyperskip.errors import GraphError, shown
from hyperskip.files.remote import Location

_SUFFIX = ".tree"
_DELIMITERS = (b"\t", b",", b";")
_COMMENT_OR_NUMBERS = re.compile(rb"[#%]|\s*\d+\s+\d+(\s|$)")


def is_named_tree(file: Location | None) -> bool:
    """Whether the name of a file says that it is a tree."""
    return file is not None and _SUFFIX in [suffix.lower() for suffix in file.suffixes[-2:]]


def is_indented(start: bytes) -> bool:
    """Whether a file is a tree, from its first bytes.

    The first line of a tree is not indented, and another line is. A table may look the same, but
    its lines have the same number of delimiters, or start with two numbers.
    """
    lines = [line for line in start.splitlines() if line.strip()]
    if not lines or lines[0][:1].isspace() or not any(line[:1].isspace() for line in lines):
        return False
    counts = ({line.strip().count(delimiter) for line in lines} for delimiter in _DELIMITERS)
    has_columns = any(len(count) == 1 and count != {0} for count in counts)
    return not (has_columns or all(map(_COMMENT_OR_NUMBERS.match, lines)))


def tree_nodes(lines: Iterator[str], name: str) -> Iterator[tuple[int, str, str]]:
    """Read the nodes of a tree, each with its parent.

    The parent of a node is the last node above it that has less indentation. A name that occurs
    several times is one node with several parents.

    Args:
        lines: The lines of the file.
        name: The name of the file in messages.

    Yields:
        The number of the line, the node, and its parent, which is empty for a root.

    Raises:
        GraphError: A line has less indentation than the line above it, but not that of any of its
            ancestors; or one has tabs where the other has blanks.
    """
    above = ""  # the indentation of the line above
    path: list[tuple[int, str]] = []  # the line above and its ancestors: indentation and name
    for number, line in enumerate(lines, start=1):
        node = line.strip()
        if not node:
            continue
        indentation = line[: len(line) - len(line.lstrip())]
        if path and not (len(indentation) > len(above) and indentation.startswith(above)):
            level = -1
            while path and path[-1][0] >= len(indentation):
                level, _ = path.pop()
            if level != len(indentation) or not above.startswith(indentation):
                raise GraphError(
                    f"line {number} of {name}, {shown(node)}, is indented like no line above it",
                    hint="indent children of the same node by the same blanks or tabs; if it is "
                    "not a tree, pass its `format`",
                )
        yield number, node, path[-1][1] if path else ""
        path.append((len(indentation), node))
        above = indentation
