"""Reading the text files of the folder data/, which contain the words and sentences."""

import re
from functools import cache
from importlib import resources


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of a file, without comments and empty lines."""
    text = (resources.files("hyperskip.builtin") / "data" / name).read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """The lines of a file by section; a section starts with its name in brackets."""
    found: dict[str, list[str]] = {}
    for line in lines(name):
        if header := re.fullmatch(r"\[(.+)\]", line):
            section = found[header[1]] = []
        else:
            section.append(line)
    return {title: tuple(content) for title, content in found.items()}


def words(section: str) -> list[str]:
    """The words of a section of words.txt."""
    return " ".join(sections("words.txt")[section]).split()
