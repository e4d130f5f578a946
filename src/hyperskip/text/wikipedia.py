"""Dumps of Wikipedia, and of any wiki that MediaWiki runs: the prose of their articles.

The XML is parsed as it is read, in bounded memory. Articles only (namespace 0), no redirects.
"""

import re
import warnings
from collections.abc import Iterator
from typing import IO
from xml.parsers import expat

from hyperskip.errors import CorpusError
from hyperskip.text.pipeline import batched, in_order
from hyperskip.text.workers import markup_workers

# What may come before the first element, or before a document type of that name, which is refused
# later; possessive, because what is passed over once need not be tried otherwise.
_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+(?:<|<!DOCTYPE\s+)(?:[\w.-]+:)?mediawiki[\s/>]",
    flags=re.DOTALL,
)
_ARTICLES = "0"
_FILES_AND_CATEGORIES = ("6", "14")
_CANONICAL = ("file", "image", "media", "category")
_BLOCK_BYTES = 1 << 18
_BATCH_CHARACTERS = 1 << 18  # so that a worker is asked seldom
_LONGEST_PAGE = 1 << 26  # characters; the rest of a longer one is left out
_KEPT_ELEMENTS = ("ns", "text", "namespace")


def is_dump(start: bytes) -> bool:
    """Whether these are the first bytes of a dump."""
    return _START.match(start) is not None


def dump_text(stream: IO[bytes], name: str, threads: int) -> Iterator[str]:
    """The prose of the articles of a dump, in lines.

    Raises:
        CorpusError: The XML is broken.
    """
    dump = _Dump(name)
    with markup_workers(threads) as workers:
        yield from in_order(
            lambda pages: workers.prose(pages, dump.hidden),
            batched(dump.articles(stream), _BATCH_CHARACTERS),
            threads,
            stop=workers.stop,
        )
    if not dump.has_articles:
        warnings.warn(f"{name} has no articles (namespace 0, no redirects)", stacklevel=2)
    if workers.given_up:
        warnings.warn(
            f"{workers.given_up} pages of {name} were too much for the markup parser: their markup "
            "was stripped roughly",
            stacklevel=2,
        )


class _Dump:
    """The state of reading: the page that is open, and the articles that are complete."""

    def __init__(self, name: str) -> None:
        self.hidden = frozenset(_CANONICAL)
        self.has_articles = False
        self._name = name
        self._complete: list[str] = []
        self._namespace, self._markup = _ARTICLES, ""
        self._is_redirect = False
        self._key: str | None = None  # of the namespace that is being named
        self._characters: list[str] | None = None  # of the element that is open, if it is kept
        self._length = 0
        self._parser = expat.ParserCreate(namespace_separator=" ")  # prefixes become addresses
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype

    def articles(self, stream: IO[bytes]) -> Iterator[str]:
        """The markup of the articles, one after another."""
        ended = False
        while not ended:
            block = stream.read(_BLOCK_BYTES)
            ended = not block
            try:
                self._parser.Parse(block, ended)
            except expat.ExpatError as error:
                raise CorpusError(
                    f"{self._name} is not a whole dump: {expat.ErrorString(error.code)} in line "
                    f"{error.lineno}, at offset {self._parser.ErrorByteIndex}",
                    hint="is the download complete? Else it is not XML as MediaWiki writes it",
                ) from None
            complete, self._complete = self._complete, []
            yield from complete

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        element = qualified.rpartition(" ")[2]
        if element == "page":
            self._namespace, self._markup, self._is_redirect = _ARTICLES, "", False
        elif element == "redirect":
            self._is_redirect = True
        elif element in _KEPT_ELEMENTS:
            self._characters, self._length = [], 0
            self._key = attributes.get("key")

    def _add(self, text: str) -> None:
        if self._characters is not None and self._length < _LONGEST_PAGE:
            self._characters.append(text[: _LONGEST_PAGE - self._length])
            self._length += len(text)

    def _end(self, qualified: str) -> None:
        element = qualified.rpartition(" ")[2]
        if element == "page":
            if self._namespace == _ARTICLES and self._markup and not self._is_redirect:
                self._complete.append(self._markup)
                self.has_articles = True
            self._markup = ""
        elif element in _KEPT_ELEMENTS and self._characters is not None:
            content, self._characters = "".join(self._characters), None
            if element == "ns":
                self._namespace = content.strip()
            elif element == "text":
                self._markup = content  # of several revisions, the last one
            elif self._key in _FILES_AND_CATEGORIES:
                self.hidden |= {content.strip().lower()}

    def _refuse_doctype(self, *_: object) -> None:
        """Entities are declared there, and a few of them can stand for more than any memory."""
        raise CorpusError(
            f"{self._name} has a document type declaration, which no dump has",
            hint="is it a dump? Remove the declaration if you trust the file",
        )
