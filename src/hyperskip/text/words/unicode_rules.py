"""The rules of `tokens.py` as a table of all Unicode code points, for the kernel.

The table is computed with Python and `regex`, so that all three use the same version of Unicode.
"""

import re
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from hyperskip.text.word_rules import KEEP, PAPER, WordRules
from hyperskip.text.words.kernel import BETWEEN_DIGITS, STARTS
from hyperskip.text.words.tokens import (
    DIGIT_JOINERS,
    FEWEST_CHARACTERS,
    LETTERS,
    MARKS,
    NUMBERS,
    joiners,
)

_POINTS = 0x110000
_BLOCK = 256
_SIGMA = "Σ"  # the only capital whose lower-case form, σ or ς, depends on the letters around it
_BLANK = re.compile(rb"[ \n]")


class Rule(NamedTuple):
    """How the kernel splits text into words and lowers their case."""

    table: npt.NDArray[np.int32]  # (code points,)
    least: int  # minimum number of code points of a word
    contextual: tuple[bytes, ...]  # characters whose lower-case form is not in the table


def kernel_rule(rules: WordRules) -> Rule:
    """The rules of the tokenizers `paper` and `whitespace` for the kernel."""
    text = _all_text()
    table = _paper_table(text, rules) if rules.tokenizer == PAPER else _whitespace_table(text)
    fewest = FEWEST_CHARACTERS if rules.tokenizer == PAPER else 1
    if not rules.lowercase:
        return Rule(table, fewest, ())
    lowers, contextual = _lower_cases(text)
    return Rule(table[lowers], fewest, tuple(letter.encode() for letter in contextual))


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


def _paper_table(text: str, rules: WordRules) -> npt.NDArray[np.int32]:
    table = np.zeros(_POINTS, dtype=np.int32)
    first, others = LETTERS, f"{MARKS}{NUMBERS}"
    if rules.numbers == KEEP:
        first, others = f"{LETTERS}{NUMBERS}", MARKS
    # The runs cover every code point: `regex` is far slower if it must search for the next match.
    for run in regex.finditer(rf"([{first}]+)|([{others}]+)|[^{first}{others}]+", text):
        if run.lastindex is not None:
            points = slice(run.start(), run.end())
            table[points] = np.arange(run.start(), run.end()) | (STARTS if run[1] else 0)
    for joiner, spelling in joiners(rules).items():
        table[ord(joiner)] = -ord(spelling)
    if rules.numbers == KEEP:
        for joiner in DIGIT_JOINERS:
            table[ord(joiner)] = -(ord(joiner) | BETWEEN_DIGITS)
    return table


def _whitespace_table(text: str) -> npt.NDArray[np.int32]:
    table = np.arange(_POINTS, dtype=np.int32) | STARTS
    table[[point for point, letter in enumerate(text) if letter.isspace()]] = 0
    return table


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
