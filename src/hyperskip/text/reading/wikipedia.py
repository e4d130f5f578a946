"""XML dumps of Wikipedia, or of any other MediaWiki: the prose of their articles.

The XML is parsed while it is read, in bounded memory. Only articles (namespace 0) that are not
redirects are used.
"""

import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import IO
from xml.parsers import expat

from hyperskip.errors import CorpusError, CorpusWarning, MissingPackageError, warn
from hyperskip.text.pieces import batched, map_in_order
from hyperskip.text.reading.markup_workers import markup_workers

# What may precede the first element, or a document type, which is refused later. It is possessive,
# so that the match never backtracks.
_START = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s+|<\?.*?\?>|<!--.*?-->)*+(?:<|<!DOCTYPE\s+)(?:[\w.-]+:)?mediawiki[\s/>]",
    flags=re.DOTALL,
)
_ARTICLES = "0"
_FILES_AND_CATEGORIES = ("6", "14")
_CANONICAL = ("file", "image", "media", "category")
_BLOCK_BYTES = 1 << 18
_BATCH_CHARACTERS = 1 << 18  # large, so that requests to workers are few
_LONGEST_PAGE = 1 << 24  # characters; longer pages are cut
_LONGEST_NAME = 1 << 8  # characters of the name of a namespace
_KEPT_ELEMENTS = ("ns", "text", "namespace")
# Far beyond every real dump. The parser keeps all open elements, all names and incomplete tags.
_DEEPEST = 100
_MOST_NAMES = 10_000
_LONGEST_TAG_BYTES = 1 << 22


def is_dump(start: bytes) -> bool:
    """Whether a file that starts with these bytes is a dump."""
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
    """Read the prose of the articles of a dump, in lines.

    Args:
        stream: The dump.
        name: The name of the dump in messages.
        threads: Number of processes that parse markup.
        block_bytes: How much is read at once.
        batch_characters: How much markup a process gets at once.
        longest_page: Number of characters after which a page is cut.

    Raises:
        CorpusError: The XML is invalid.
        MissingPackageError: The markup parser is not installed.
    """
    if find_spec("mwparserfromhell") is None:
        raise MissingPackageError("mwparserfromhell", "wikipedia", f"reading the dump {name}")
    dump = Dump(name, longest_page)
    with markup_workers(threads) as workers:
        yield from map_in_order(
            lambda pages: workers.prose(pages, dump.hidden),
            batched(dump.articles(stream, block_bytes), batch_characters),
            threads,
            stop=workers.stop,
        )
    if not dump.has_articles:
        warn(f"{name} has no articles (namespace 0, no redirects)", CorpusWarning)
    if workers.given_up:
        warn(
            f"the markup parser failed on {workers.given_up} pages of {name}; their markup was "
            "removed by simple patterns instead",
            CorpusWarning,
        )


class Dump:
    """The state of parsing: the current page, and the complete articles."""

    def __init__(self, name: str, longest_page: int = _LONGEST_PAGE) -> None:
        self.hidden = frozenset(_CANONICAL)
        self.has_articles = False
        self._name = name
        self._longest_page = longest_page
        self._complete: list[str] = []
        self._namespace, self._markup = _ARTICLES, ""
        self._is_redirect = False
        self._key: str | None = None  # of the current namespace
        self._characters: list[str] | None = None  # of the current element, if it is used
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
        """Yield the markup of each article."""
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
                    f"{self._name} is not a complete dump: {expat.ErrorString(error.code)} in line "
                    f"{error.lineno}, at offset {self._parser.ErrorByteIndex}",
                    hint="check that the download is complete",
                ) from None
            except (LookupError, ValueError) as error:
                raise CorpusError(
                    f"{self._name} declares an encoding that cannot be read: {error}",
                    hint="convert it to UTF-8, and correct its first line",
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
                self._markup = content  # the last of several revisions
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
            f"{self._name} {found}, unlike any dump of MediaWiki",
            hint="check that it is a dump written by MediaWiki",
        )

    def _refuse_doctype(self, *_: object) -> None:
        """Refuse entity declarations: a few of them can expand to more than any memory."""
        raise CorpusError(
            f"{self._name} has a document type declaration, unlike any dump of MediaWiki",
            hint="check that it is a dump; if you trust the file, remove the declaration",
        )
