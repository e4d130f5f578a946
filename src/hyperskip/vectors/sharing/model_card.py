"""The model card: a README with the figures of a model, and how to load it."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from hyperskip.errors import InputError, OptionError, shown
from hyperskip.vectors.word_vectors import WordVectors
from hyperskip.version import VERSION

_HEADER = """\
---
library_name: hyperskip
{license}tags:
- word-embeddings
- hyperbolic-geometry
- hyperskip
---
"""
_LICENSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+-]*")
_CONTROL_OR_PIPE = re.compile(r"[\x00-\x1f\x7f|]")


class Table(Protocol):
    """A table of scores."""

    @property
    def header(self) -> Sequence[str]:
        """The titles of the columns."""

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """The cells of each row."""


class Scores(Protocol):
    """What hyperskip.evaluate returns."""

    def tables(self) -> Sequence[Table]:
        """The scores as tables of text."""


def model_card(
    vectors: WordVectors,
    name: str,
    scores: Scores | None,
    license: str | None = None,  # noqa: A002 - as the Hub calls it
    *,
    loading: str,
    about: str = "",
) -> str:
    """Return the text of a model card in Markdown.

    Args:
        vectors: The model.
        name: The title.
        scores: What hyperskip.evaluate returned for these vectors.
        license: An SPDX identifier; by default, the owner of the model adds it.
        loading: The call of hyperskip that loads the model.
        about: What the model is, in one line.

    Raises:
        InputError: `scores` is not that.
        OptionError: `license` is not an identifier.
    """
    if license is not None:
        check_license(license)
    if scores is not None and not hasattr(scores, "tables"):
        raise InputError(
            f"`scores` must be what hyperskip.evaluate returns, got {type(scores).__name__}",
            hint="pass scores=hyperskip.evaluate(vectors)",
        )
    space = vectors.geometry if vectors.factors == 1 else f"{vectors.factors} hyperboloids"
    facts = [("nodes" if vectors.is_of_graph else "words", f"{len(vectors):,}")]
    if not vectors.is_of_graph:
        facts.append(("tokens of the training text", f"{int(vectors.counts.sum()):,}"))
    facts += [("geometry", space), ("dimension", str(vectors.dimension))]
    if vectors.hierarchy is not None:
        facts += [
            ("dimension of the hierarchy", str(vectors.hierarchy.dimension)),
            ("words with relations in the text", f"{(vectors.hierarchy.evidence > 0).sum():,}"),
        ]
    if vectors.subwords is not None:
        facts.append(("vectors of n-grams", f"{len(vectors.subwords):,}"))
    if vectors.history:
        facts.append(("loss of the last epoch", f"{vectors.history[-1]['loss']:.4f}"))
    options = [(name, str(value)) for name, value in vectors.options.items() if value is not None]
    usual = (*vectors.words[50:], *vectors.words[:50])  # the first words are often short
    example = next((word for word in usual if word.isalpha()), next(iter(usual), "word"))
    parts = [
        _HEADER.format(license="" if license is None else f"license: {license.lower()}\n"),
        f"# {_cell(name)}\n",
        *([f"{_cell(about)}\n"] if about else []),
        f"{'Vectors of nodes' if vectors.is_of_graph else 'Word vectors'}, written by "
        f"hyperskip {VERSION}.\n",
        "```python",
        "import hyperskip",
        f"vectors = hyperskip.{loading}",
        f"vectors.neighbors({example!r})",
        *([f"vectors.hypernyms({example!r})"] if vectors.has_hierarchy else []),
        "```\n",
        f"The default measure of similarity is {_measure(vectors)}. `vectors.measured_by(...)` "
        "chooses another one.\n",
        _table(("", "model"), facts),
    ]
    if options:
        parts += ["## Training\n", _table(("option", "value"), options)]
    if scores is not None:
        parts.append("## Evaluation\n")
        parts += [_table(table.header, table.rows) for table in scores.tables()]
    return "\n".join(parts)


def check_license(license: object) -> None:  # noqa: A002 - as the Hub calls it
    """Check that a license is an SPDX identifier, which a card and a registry can contain.

    Raises:
        OptionError: It is not.
    """
    if not (isinstance(license, str) and _LICENSE.fullmatch(license)):
        raise OptionError(
            f"`license` must be an SPDX identifier, got {shown(license)}",
            hint="pass one such as CC-BY-SA-4.0",
        )


def _measure(vectors: WordVectors) -> str:
    if not vectors.space.is_curved:
        return "the cosine"
    if vectors.factors > 1:
        return "the sum of the Minkowski products on all hyperboloids"
    return "the Minkowski product, which ranks as the hyperbolic distance does"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(text: str) -> str:
    return _CONTROL_OR_PIPE.sub(" ", text)
