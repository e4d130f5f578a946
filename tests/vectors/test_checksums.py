"""Checksums are stored in files: they must stay as they are."""

import hashlib

import numpy as np

from hyperskip import WordVectors
from hyperskip.vectors.checksums import checksum, vectors_checksum


def test_a_checksum_is_that_of_all_bytes_in_order() -> None:
    numbers = np.arange(6, dtype=np.float32).reshape(2, 3)
    expected = hashlib.sha256("naïve\ud800".encode("utf-8", "surrogatepass") + numbers.tobytes())
    assert checksum("naïve\ud800", numbers) == expected.hexdigest()
    assert checksum(numbers.T) == hashlib.sha256(numbers.T.tobytes()).hexdigest()
    assert checksum("ab") == checksum("a", "b") == hashlib.sha256(b"ab").hexdigest()


def test_the_checksum_of_vectors_is_known() -> None:
    vectors = WordVectors(["dog", "cat"], np.array([[0, 1], [2, 3]], dtype=np.float32))
    assert vectors_checksum(vectors) == (
        "8d822ad2406c887d4686aec9691bee6e3115cb117f54703e723d9c5223f50a2b"
    )
