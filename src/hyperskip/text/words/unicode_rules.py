"""The rules of `tokens.py` as a table of all Unicode code points, for the kernel.

The table is computed with Python and `regex`, so that all three use the same version of Unicode.
"""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from hyperskip.text.words.kernel import STARTS
from hyperskip.text.words.tokens import LETTERS, MARKS_AND_NUMBERS

_POINTS = 0x110000
_BLOCK = 256
_SIGMA = "Σ"  # the only capital whose lower-case form, σ or ς, depends on the letters around it
_BLANK = re.compile(rb"[ \n]")


class Rule(NamedTuple):
    """How the kernel splits text into words and lowers their case."""

    table: npt.NDArray[np.int32]  # (code points,)
    least: int  # minimum number of code points of a word
    contextual: tuple[bytes, ...]  # characters whose lower-case form is not in the table


def rule_named(tokenizer: str) -> Rule:
    """The rule of the tokenizer with this name in the options."""
    return {"paper": _paper_rule, "whitespace": _whitespace_rule}[tokenizer]()


def lower_contextual(piece: bytes, rule: Rule) -> bytes:
    """Lower the case of words with characters that the table of the rule cannot lower.

    The lower-case form of a letter depends only on the text up to the next blank.
    """
    if piece.isascii():
        return piece
    for character in rule.contextual:
        done: list[bytes] = []
        end = 0
        while (found := piece.find(character, end)) >= 0:
            begin = max(piece.rfind(b" ", end, found) + 1, piece.rfind(b"\n", end, found) + 1, end)
            done.append(piece[end:begin])
            blank = _BLANK.search(piece, found)
            end = blank.start() if blank else len(piece)
            word = piece[begin:end].decode("utf-8", "surrogatepass")
            done.append(word.lower().encode("utf-8", "surrogatepass"))
        if done:
            piece = b"".join([*done, piece[end:]])
    return piece


def _paper_rule() -> Rule:
    text = _all_text()
    lowers, contextual = _lower_cases(text)
    table = np.zeros(_POINTS, dtype=np.int32)
    # The runs cover every code point: `regex` is far slower if it must search for the next match.
    runs = rf"([{LETTERS}]+)|([{MARKS_AND_NUMBERS}]+)|[^{LETTERS}{MARKS_AND_NUMBERS}]+"
    for run in regex.finditer(runs, text):
        if run.lastindex is not None:
            points = slice(run.start(), run.end())
            table[points] = np.arange(run.start(), run.end()) | (STARTS if run[1] else 0)
    return Rule(table[lowers], 2, tuple(letter.encode() for letter in contextual))


def _whitespace_rule() -> Rule:
    table = np.arange(_POINTS, dtype=np.int32) | STARTS
    table[[point for point, letter in enumerate(_all_text()) if letter.isspace()]] = 0
    return Rule(table, 1, ())


def _all_text() -> str:
    points = np.arange(_POINTS, dtype="<u4")
    return points.tobytes().decode("utf-32-le", "surrogatepass")


def _lower_cases(text: str) -> tuple[npt.NDArray[np.int32], list[str]]:
    """The lower-case form of every code point, and the characters without a single one."""
    lowers = np.arange(_POINTS, dtype=np.int32)
    contextual = []
    for begin in range(0, _POINTS, _BLOCK):
        block = text[begin : begin + _BLOCK]
        if block.lower() == block:
            continue
        for point, letter in enumerate(block, start=begin):
            lower = letter.lower()
            if len(lower) == 1 and letter != _SIGMA:
                lowers[point] = ord(lower)
            else:
                contextual.append(letter)
    return lowers, contextual
