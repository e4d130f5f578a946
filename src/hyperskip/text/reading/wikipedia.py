"""Dumps of Wikipedia, and of any wiki that MediaWiki runs: the prose of their articles.

The XML is parsed as it is read, in bounded memory. Articles only (namespace 0), no redirects.
"""

import re
import warnings
from collections.abc import Iterator
from typing import IO
from xml.parsers import expat

from hyperskip.errors import CorpusError, CorpusWarning
from hyperskip.text.pieces import batched, map_in_order
from hyperskip.text.reading.markup_workers import markup_workers

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
_LONGEST_PAGE = 1 << 24  # characters; the rest of a longer one is left out
_LONGEST_NAME = 1 << 8  # of a namespace
_KEPT_ELEMENTS = ("ns", "text", "namespace")
# Far beyond every dump. The parser keeps what is open, every name, and a tag until it is whole.
_DEEPEST = 100
_MOST_NAMES = 10_000
_LONGEST_TAG_BYTES = 1 << 22


def is_dump(start: bytes) -> bool:
    """Whether these are the first bytes of a dump."""
    return _START.match(start) is not None


def dump_text(
    stream: IO[bytes],
    name: str,
    threads: int,
    *,
    block_bytes: int = _BLOCK_BYTES,
    batch_characters: int = _BATCH_CHARACTERS,
    longest_page: int = _LONGEST_PAGE,
) -> Iterator[str]:
    """The prose of the articles of a dump, in lines.

    Args:
        stream: The dump.
        name: What messages call it.
        threads: How many processes parse the markup.
        block_bytes: How much is read at once.
        batch_characters: How much markup a process gets at once.
        longest_page: Of a page with more characters, the rest is left out.

    Raises:
        CorpusError: The XML is broken.
    """
    dump = Dump(name, longest_page)
    with markup_workers(threads) as workers:
        yield from map_in_order(
            lambda pages: workers.prose(pages, dump.hidden),
            batched(dump.articles(stream, block_bytes), batch_characters),
            threads,
            stop=workers.stop,
        )
    if not dump.has_articles:
        warnings.warn(
            f"{name} has no articles (namespace 0, no redirects)", CorpusWarning, stacklevel=2
        )
    if workers.given_up:
        warnings.warn(
            f"{workers.given_up} pages of {name} were too much for the markup parser: their markup "
            "was stripped roughly",
            CorpusWarning,
            stacklevel=2,
        )


class Dump:
    """The state of reading: the page that is open, and the articles that are complete."""

    def __init__(self, name: str, longest_page: int = _LONGEST_PAGE) -> None:
        self.hidden = frozenset(_CANONICAL)
        self.has_articles = False
        self._name = name
        self._longest_page = longest_page
        self._complete: list[str] = []
        self._namespace, self._markup = _ARTICLES, ""
        self._is_redirect = False
        self._key: str | None = None  # of the namespace that is being named
        self._characters: list[str] | None = None  # of the element that is open, if it is kept
        self._length, self._limit = 0, 0
        self._depth = 0
        self._names: set[str] = set()  # of elements, attributes and namespaces
        self._parser = expat.ParserCreate(namespace_separator=" ")  # prefixes become addresses
        self._parser.buffer_text = True
        self._parser.buffer_size = 1 << 16
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._add
        self._parser.StartDoctypeDeclHandler = self._refuse_doctype
        self._parser.StartNamespaceDeclHandler = self._start_prefix

    def articles(self, stream: IO[bytes], block_bytes: int = _BLOCK_BYTES) -> Iterator[str]:
        """The markup of the articles, one after another."""
        ended = False
        bytes_read = 0
        while not ended:
            block = stream.read(block_bytes)
            ended = not block
            bytes_read += len(block)
            try:
                self._parser.Parse(block, ended)
            except expat.ExpatError as error:
                raise CorpusError(
                    f"{self._name} is not a whole dump: {expat.ErrorString(error.code)} in line "
                    f"{error.lineno}, at offset {self._parser.ErrorByteIndex}",
                    hint="is the download complete? Else it is not XML as MediaWiki writes it",
                ) from None
            except (LookupError, ValueError) as error:
                raise CorpusError(
                    f"{self._name} says that it is in an encoding that cannot be read: {error}",
                    hint="dumps are in UTF-8: convert it, and correct its first line",
                ) from None
            if bytes_read - self._parser.CurrentByteIndex > _LONGEST_TAG_BYTES:
                raise self._beyond(f"has a tag or comment of more than {_LONGEST_TAG_BYTES} bytes")
            complete, self._complete = self._complete, []
            yield from complete

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise self._beyond(f"nests elements more than {_DEEPEST} deep")
        self._remember(qualified, *attributes)
        element = qualified.rpartition(" ")[2]
        if element == "page":
            self._namespace, self._markup, self._is_redirect = _ARTICLES, "", False
        elif element == "redirect":
            self._is_redirect = True
        elif element in _KEPT_ELEMENTS:
            self._characters, self._length = [], 0
            self._limit = self._longest_page if element == "text" else _LONGEST_NAME
            self._key = attributes.get("key")

    def _add(self, text: str) -> None:
        if self._characters is not None and self._length < self._limit:
            self._characters.append(text[: self._limit - self._length])
            self._length += len(text)

    def _end(self, qualified: str) -> None:
        self._depth -= 1
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
                name = content.strip().lower()
                self._remember(name)
                self.hidden |= {name}

    def _start_prefix(self, prefix: str | None, address: str) -> None:
        self._remember(prefix or "", address)

    def _remember(self, *names: str) -> None:
        self._names.update(names)
        if len(self._names) > _MOST_NAMES:
            raise self._beyond(f"has more than {_MOST_NAMES} names of elements and namespaces")

    def _beyond(self, found: str) -> CorpusError:
        return CorpusError(
            f"{self._name} {found}, which no dump does",
            hint="is it a dump? Expected is XML as MediaWiki writes it",
        )

    def _refuse_doctype(self, *_: object) -> None:
        """Entities are declared there, and a few of them can stand for more than any memory."""
        raise CorpusError(
            f"{self._name} has a document type declaration, which no dump has",
            hint="is it a dump? Remove the declaration if you trust the file",
        )
