"""A function of the user as tokenizer, called in the calling thread for one document at a time."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from hyperskip.errors import CorpusError, shown
from hyperskip.options import function_name
from hyperskip.text.pieces import Piece
from hyperskip.text.word_rules import TokenizerFunction
from hyperskip.text.words.scan import Scan, scan_of

_HINT = "`tokenizer` must return a list of strings, the words of the text"


class FunctionScanner:
    """Finds words with a function and numbers them.

    Pieces must consist of whole documents, in the order of the corpus.

    Args:
        function: Called with the text of a document; returns its words.
    """

    def __init__(self, function: TokenizerFunction) -> None:
        self._function = function
        self._documents = 0  # that ended before the current one

    def scan(self, piece: Piece) -> Scan:
        """Find and number the words of one piece.

        Raises:
            CorpusError: The function returned something other than words. An exception of the
                function itself gets a note that names the document.
        """
        return scan_of(self._documents_in(piece))

    def _documents_in(self, piece: Piece) -> Iterator[tuple[Sequence[str], bool]]:
        if isinstance(piece, list):
            for document in piece:
                yield document, True
                self._documents += 1
            return
        *ended, rest = piece.decode("utf-8", "surrogatepass").split("\n")
        for text in ended:
            yield words_by(self._function, text, self._documents), True
            self._documents += 1
        yield words_by(self._function, rest, self._documents), False


def words_by(function: TokenizerFunction, text: str, number: int | None = None) -> list[str]:
    """Call a function for the words of a document, and drop words that are empty or blank.

    Args:
        function: Called with the text.
        text: The document.
        number: The number of the document, for errors.

    Raises:
        CorpusError: The function returned something other than words. An exception of the function
            itself gets a note that names the document.
    """
    if not text or text.isspace():
        return []
    try:
        found = function(text)
        words = list(found) if _may_be_words(found) else None
    except Exception as error:
        name = function_name(function)
        error.add_note(f"raised by the {name}, called as `tokenizer` with {_named(text, number)}")
        raise
    if words is None:
        raise CorpusError(
            f"`tokenizer` returned {shown(found)} ({type(found).__name__}) for "
            f"{_named(text, number)}",
            hint=_HINT,
        )
    for word in words:
        if not isinstance(word, str):
            raise CorpusError(
                f"`tokenizer` returned a word that is not a string for {_named(text, number)}: "
                f"{shown(word)} ({type(word).__name__})",
                hint=f"{_HINT}, such as [token.text for token in ...]",
            )
    return [word for word in words if word and not word.isspace()]


def _named(text: str, number: int | None) -> str:
    if number is None:
        return f"the document {shown(text)}"
    return f"document {number} of the corpus (counted from 0), {shown(text)}"


def _may_be_words(found: object) -> bool:
    """Whether a result may be a list of words; strings, dicts and sets can be iterated, too."""
    return isinstance(found, Iterable) and not isinstance(
        found, str | bytes | Mapping | AbstractSet
    )
