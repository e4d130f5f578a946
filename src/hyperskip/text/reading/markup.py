"""The prose of wiki markup: one line for each paragraph, list item and heading.

Templates, tables, references, files, categories, comments, formulas and galleries are removed. The
text of links is kept. `serve` is the program of the worker processes in `markup_workers.py`.
"""

import html
import math
import pickle
import re
import signal
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, BinaryIO

Replacement = str | Callable[[re.Match[str]], str]

if TYPE_CHECKING:
    from mwparserfromhell.nodes import Tag, Wikilink
    from mwparserfromhell.wikicode import Wikicode

_BREAK = "\n\n"
_LONGEST_PARSED = 1 << 21  # characters; longer pages are not parsed
_DEEPEST = 40
_DROPPED_TAGS = {
    "ref", "references", "table", "gallery", "imagemap", "timeline", "graph", "mapframe", "maplink",
    "math", "chem", "ce", "hiero", "score", "syntaxhighlight", "source", "pre", "code",
    "style", "templatestyles", "templatedata", "script", "section", "indicator", "inputbox",
    "categorytree",
}  # fmt: skip
_BREAKING_TAGS = {
    "hr", "p", "div", "center", "blockquote", "poem", "ul", "ol", "li", "dl", "dt", "dd",
}  # fmt: skip
_QUOTES = re.compile("'{2,}")  # italics and bold
_SWITCH = re.compile("__[A-Z]+__")
_PARAGRAPH_END = re.compile(r"\n\s*\n")
_LANGUAGE = re.compile(r"^[a-z]{2,3}(-[a-z-]+)?:")

# Each stops at the next mark of its kind, so that matching takes linear time.
_TEMPLATE = re.compile(r"\{\{[^{}]*\}\}")
_TABLE = re.compile(r"^[ :*]*\{\|[^{}]*\|\}", flags=re.MULTILINE)
_REFERENCE = re.compile(r"<ref\b[^<>]*/>|<ref\b[^<>]*>[^<]*</ref>", flags=re.IGNORECASE)
_PLAIN_LINK = re.compile(r"\[\[(?:[^\[\]{}<>|:\n]*\|)?([^\[\]{}<>|:\n]*)\]\]")
# For pages that are not parsed.
_CRUDE_LINK = re.compile(r"\[\[([^\[\]]*)\]\]")
_CRUDE_TAG = re.compile(r"<[^<>]*>")
_CRUDE_LINE = re.compile(r"^[*#:;=]+|(?<!=)=+$", flags=re.MULTILINE)
# Not a character; html.unescape is slow on thousands of digits.
_ENDLESS_REFERENCE = re.compile(r"&#[0-9]{20,};?")


def prose(markup: str, hidden: frozenset[str], *, longest_parsed: int = _LONGEST_PARSED) -> str:
    """Extract the prose of a page, in lines.

    Args:
        markup: The page.
        hidden: Lower-case names of the namespaces whose links show no text: files and categories.
        longest_parsed: Number of characters above which a page is not parsed; see `crude_prose`.
    """
    simplified = _simplified(markup)
    if len(simplified) > longest_parsed:
        return crude_prose(markup)
    try:
        return parsed_prose(simplified, hidden)
    except Exception:  # a page that the parser fails on must not stop the dump
        return crude_prose(markup)


def parsed_prose(markup: str, hidden: frozenset[str]) -> str:
    """Extract the prose of a page with the parser alone."""
    import mwparserfromhell

    code = mwparserfromhell.parse(markup, skip_style_tags=True)
    return _in_lines("".join(_shown(code, hidden)))


def crude_prose(markup: str) -> str:
    """Extract the approximate prose of a page with a few patterns, in linear time."""
    text = _repeatedly(_CRUDE_LINK, _crude_link, _simplified(markup))
    text = html.unescape(_ENDLESS_REFERENCE.sub(" ", _CRUDE_TAG.sub(" ", text)))
    return _in_lines(_CRUDE_LINE.sub("\n\n", text))


def _simplified(markup: str) -> str:
    """Remove frequent markup with patterns, which are faster than the parser."""
    first, *others = markup.split("<!--")
    text = first + "".join(other.partition("-->")[2] for other in others)
    for pattern in (_TEMPLATE, _TABLE, _REFERENCE):
        text = _repeatedly(pattern, "", text)
    return _PLAIN_LINK.sub(r"\1", text)


def _repeatedly(pattern: re.Pattern[str], replacement: Replacement, text: str) -> str:
    """Replace nested matches, from the innermost outwards."""
    for _ in range(_DEEPEST):
        text, found = pattern.subn(replacement, text)
        if not found:
            break
    return text


def _crude_link(link: re.Match[str]) -> str:
    title, *others = link[1].split("|")
    return "" if ":" in title else (others or [title])[-1]


def _in_lines(text: str) -> str:
    text = _SWITCH.sub("", _QUOTES.sub("", text))
    paragraphs = (" ".join(paragraph.split()) for paragraph in _PARAGRAPH_END.split(text))
    return "".join(paragraph + "\n" for paragraph in paragraphs if paragraph)


def _shown(code: "Wikicode", hidden: frozenset[str]) -> Iterator[str]:
    """Yield the visible text, node by node."""
    from mwparserfromhell import nodes

    for node in code.nodes:
        match node:
            case nodes.Text():
                yield node.value
            case nodes.Wikilink():
                yield from _shown_link(node, hidden)
            case nodes.Tag():
                yield from _shown_tag(node, hidden)
            case nodes.ExternalLink():
                if node.title is not None:
                    yield from _shown(node.title, hidden)
            case nodes.HTMLEntity():
                yield node.normalize()
            case nodes.Heading():
                yield _BREAK
                yield from _shown(node.title, hidden)
                yield _BREAK
            case _:  # templates, their arguments, comments
                pass


def _shown_link(link: "Wikilink", hidden: frozenset[str]) -> Iterator[str]:
    title = str(link.title)
    namespace, colon, _ = title.partition(":")
    if colon and namespace.strip().lower() in hidden:
        return
    if link.text is not None:
        yield from _shown(link.text, hidden)
    elif not _LANGUAGE.match(title.strip()):  # the same page in another language
        yield title.strip().removeprefix(":")


def _shown_tag(tag: "Tag", hidden: frozenset[str]) -> Iterator[str]:
    name = str(tag.tag).strip().lower()
    if name in _DROPPED_TAGS:
        return
    around = _BREAK if name in _BREAKING_TAGS else ""
    yield around
    if name == "br":
        yield " "
    if tag.contents is not None:
        yield from _shown(tag.contents, hidden)
        yield around


def serve(requests: BinaryIO, replies: BinaryIO, seconds: float) -> None:
    """Run a worker process: answer each request for the prose of pages, until the pipe is closed.

    The parent kills a worker that takes longer than `seconds` for a request. If the parent dies,
    the worker ends itself, on systems with signals.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    pickle.dump("ready", replies)
    replies.flush()
    while True:
        try:
            pages, hidden = pickle.load(requests)
        except (EOFError, pickle.UnpicklingError):
            return
        if hasattr(signal, "alarm"):
            signal.alarm(math.ceil(2 * seconds))
        answer = "".join(prose(page, hidden) for page in pages)
        if hasattr(signal, "alarm"):
            signal.alarm(0)
        pickle.dump(answer, replies)
        replies.flush()
