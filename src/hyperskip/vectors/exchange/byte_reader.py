"""A stream of bytes that is read up to a separator, or by size."""

from typing import IO

_CHUNK_BYTES = 1 << 20


class ByteReader:
    """A stream with a buffer of bytes that were read but not used yet."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._buffer = b""
        self._position = 0
        self.ended = False

    def until(self, separator: bytes, limit: int) -> bytes | None:
        """Return the bytes before a separator, or None if there is none within the limit."""
        searched = 0
        while (end := self._buffer.find(separator, self._position + searched)) < 0:
            searched = len(self._buffer) - self._position
            if searched > limit or not self._more():
                return None
        piece = self._buffer[self._position : end]
        self._position = end + len(separator)
        return piece if len(piece) <= limit else None

    def exactly(self, size: int) -> bytes | None:
        """Return this number of bytes, or None if the stream ends before."""
        while len(self._buffer) - self._position < size:
            if not self._more():
                return None
        self._position += size
        return self._buffer[self._position - size : self._position]

    def start(self, size: int) -> bytes:
        """Return up to this number of bytes from the start, without using them."""
        while len(self._buffer) < size and self._more():
            pass
        return self._buffer[:size]

    def rest(self) -> bytes:
        """Return the next bytes, if any."""
        self._more()
        return self._buffer[self._position :]

    def _more(self) -> bool:
        chunk = self._stream.read(_CHUNK_BYTES)
        self.ended = not chunk
        self._buffer = self._buffer[self._position :] + chunk
        self._position = 0
        return not self.ended
