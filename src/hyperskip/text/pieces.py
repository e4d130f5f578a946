"""The stream of pieces between reading and tokenizing: their sizes, batches and worker threads."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from typing import NamedTuple, TypeVar

from hyperskip.thread_pool import ThreadPool

# UTF-8 in which a newline ends a document; or documents that are lists of tokens.
Piece = bytes | list[Sequence[str]]

Item = TypeVar("Item")
Result = TypeVar("Result")
Sized = TypeVar("Sized", bound=Sequence[str])  # a text, or a list of tokens


def size_of(piece: Piece) -> int:
    """The number of bytes of a text, or of letters of tokens."""
    if isinstance(piece, bytes):
        return len(piece)
    return sum(len(word) for document in piece for word in document)


class Sizes(NamedTuple):
    """How much of a corpus is read, or held in memory, at once; tests pass smaller sizes."""

    piece_bytes: int = 1 << 20
    longest_word_bytes: int = 1 << 22  # longer runs of text without a blank are cut
    # A smaller text is tokenized in Python, so that it does not wait for the compiler.
    small_bytes: int = 1 << 20
    tokens_in_memory: int = 1 << 20


DEFAULT_SIZES = Sizes()


def batched(items: Iterable[Sized], size: int) -> Iterator[list[Sized]]:
    """Group items into batches whose total length is at least `size`, except the last batch."""
    batch: list[Sized] = []
    length = 0
    for item in items:
        batch.append(item)
        length += len(item)
        if length >= size:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def whole_documents(pieces: Iterable[Piece], most_bytes: int) -> Iterator[Piece]:
    """Cut text at the ends of documents instead; one longer than `most_bytes` is cut at a blank."""
    carried = b""
    for piece in pieces:
        if isinstance(piece, list):  # text before it ends with a newline
            yield piece
            continue
        text = carried + piece
        end = text.rfind(b"\n") + 1
        if not end and len(text) >= most_bytes:
            end = len(text)
        carried = text[end:]
        if end:
            yield text[:end]
    if carried:
        yield carried


def map_in_order(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    threads: int,
    stop: Callable[[], None] = lambda: None,
) -> Iterator[Result]:
    """Apply `work` to each item in several threads; results come in the order of the items.

    The calling thread takes the items, so that it reads and unpacks while the other threads work.
    After an error, Ctrl-C, or when the caller wants no more results, `stop` is called. It should
    make long-running `work` return, because the threads end only then.
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPool(threads) as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                while len(waiting) > 2 * threads or (waiting and waiting[0].done()):
                    yield pool.result(waiting.popleft())
            while waiting:
                yield pool.result(waiting.popleft())
        except BaseException:
            stop()
            raise
