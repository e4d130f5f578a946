"""Edits that turn valid files into hostile ones: cut, flip, repeat, splice, change numbers.

An edit takes bytes and returns bytes. All randomness comes from a passed generator. So the input
with a given number is the same in every run, and a finding can be reproduced from its number.
"""

import json
import random
import re
from collections.abc import Callable, Sequence

from seeds import JSON_VALUES

Edit = Callable[[bytes], bytes]
_Change = Callable[[bytes, random.Random], bytes]

_LONGEST = 1 << 16

_NUMBERS = (
    *(b"0", b"-1", b"1", b"2", b"3", b"65536", b"1000000", b"2147483648", b"1000000000000"),
    *(b"9223372036854775807", b"18446744073709551616", b"9" * 30, b"9" * 5000, b"00", b"1_0"),
    *(b"1e999", b"-1e-999", b"nan", b"inf", b"-Infinity", b"1.5", b"", b"0x10", b"+5", b".5"),
)
_BYTES = (
    b'\x00\x01\x07\x09\x0a\x0b\x0c\x0d\x1a\x1c\x20"#,\x2d./:;<=>[\\]{|}\x7f\x80\xbf\xc0\xed\xf5\xff'
)
_WORDS = (
    *(
        b"\r\n",
        b"\n\x0b\n",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        "\u2028".encode(),
        b"\xed\xa0\x80",
        b"\xc2\x85",
    ),
    *("Σ".encode(), "İ".encode(), "́".encode(), "\U0010ffff".encode(), b"aa ", b"\0\0"),
    *(b"{{", b"}}", b"[[", b"]]", b"{|", b"|}", b"''", b"<ref>", b"</ref>", b"<!--", b"-->"),
    *(b"==", b"\n*", b"__A__", b"&#x110000;", b"&#" + b"9" * 5000 + b";", b"<br>", b"<nowiki>"),
    *(b"<page>", b"</page>", b"<text>", b"</text>", b'<namespace key="6">', b"<ns>", b"</ns>"),
    *(b'<?xml version="1.0" encoding="big5"?>', b'<?xml version="1.0" encoding="x"?>'),
    *(b"<!DOCTYPE mediawiki>", b"&lol;", b"<![CDATA[", b"]]>", b"<a b='", b"<?p"),
    *(b"\x1f\x8b\x08", b"BZh9", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"),
    *(b"\x93NUMPY\x01\x00", b"'descr': '|O'", b"(1000000000000,)", b"\x80\x04\x95"),
)
_DIGITS = re.compile(rb"[0-9]+")


def mutated(
    seeds: Sequence[bytes],
    generator: random.Random,
    within: Callable[[bytes, Edit, random.Random], bytes] | None,
) -> bytes:
    """Make one hostile input.

    Args:
        seeds: Valid files.
        generator: The source of randomness.
        within: Applies an edit to a part of a file of this kind and updates its checksums, which
            would otherwise hide the effect of the edit.
    """
    data = generator.choice(seeds)
    for _ in range(generator.choice((1, 1, 1, 2, 2, 3, 5))):

        def edit(part: bytes) -> bytes:
            return _edited(part, seeds, generator)

        inside = within is not None and generator.random() < 0.6
        try:
            data = within(data, edit, generator) if inside and within is not None else edit(data)
        except Exception:  # after an earlier edit, it cannot be parsed any more
            data = edit(data)
    return data[: 4 * _LONGEST]


def _edited(data: bytes, seeds: Sequence[bytes], generator: random.Random) -> bytes:
    if generator.random() < 0.07:
        return _spliced(data, generator.choice(seeds), generator)[:_LONGEST]
    return generator.choice(_CHANGES)(data, generator)[:_LONGEST]


def _span(data: bytes, generator: random.Random) -> tuple[int, int]:
    """Choose a part of the data, usually a short one."""
    begin = generator.randrange(len(data) + 1)
    length = int(generator.paretovariate(0.6))
    return begin, min(len(data), begin + length)


def _cut(data: bytes, generator: random.Random) -> bytes:
    at = generator.randrange(len(data) + 1)
    return data[:at] if generator.random() < 0.8 else data[at:]


def _flipped(data: bytes, generator: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(generator.choice((1, 1, 2, 8)) if data else 0):
        changed[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
    return bytes(changed)


def _byte_set(data: bytes, generator: random.Random) -> bytes:
    at = generator.randrange(len(data) + 1)
    return data[:at] + bytes([generator.choice(_BYTES)]) + data[at + 1 :]


def _inserted(data: bytes, generator: random.Random) -> bytes:
    at = generator.randrange(len(data) + 1)
    new = bytes([generator.choice(_BYTES)]) if generator.random() < 0.4 else b""
    return data[:at] + (new or generator.choice(_WORDS)) + data[at:]


def _random_bytes(data: bytes, generator: random.Random) -> bytes:
    begin, end = _span(data, generator)
    return data[:begin] + generator.randbytes(min(64, end - begin)) + data[end:]


def _dropped(data: bytes, generator: random.Random) -> bytes:
    begin, end = _span(data, generator)
    return data[:begin] + data[end:]


def _repeated(data: bytes, generator: random.Random) -> bytes:
    begin, end = _span(data, generator)
    times = generator.choice((2, 2, 3, 10, 100, 3000))
    most = max(1, _LONGEST // max(1, end - begin))
    return data[:begin] + data[begin:end] * min(times, most) + data[end:]


def _moved(data: bytes, generator: random.Random) -> bytes:
    begin, end = _span(data, generator)
    rest = data[:begin] + data[end:]
    at = generator.randrange(len(rest) + 1)
    return rest[:at] + data[begin:end] + rest[at:]


def _nested(data: bytes, generator: random.Random) -> bytes:
    at = generator.randrange(len(data) + 1)
    mark = generator.choice((b"[", b"{", b'{"a":', b"(", b"{{", b"[[", b"<a>", b"<b>", b'"', b"="))
    return data[:at] + mark * generator.choice((3, 50, 300, 5000)) + data[at:]


def _number_changed(data: bytes, generator: random.Random) -> bytes:
    found = list(_DIGITS.finditer(data))
    if not found:
        return _flipped(data, generator)
    digits = generator.choice(found)
    return data[: digits.start()] + generator.choice(_NUMBERS) + data[digits.end() :]


def _integer_changed(data: bytes, generator: random.Random) -> bytes:
    """Replace a possible little-endian integer."""
    size = generator.choice((1, 2, 4, 8))
    value = generator.choice((0, 1, 2, 0x7F, 0x80, 2**31, 10**12, 2**63, 2**64 - 1, -1, -2))
    at = generator.randrange(len(data) + 1)
    at -= at % size if generator.random() < 0.5 else 0
    return data[:at] + (value % (1 << 8 * size)).to_bytes(size, "little") + data[at + size :]


def _spliced(data: bytes, other: bytes, generator: random.Random) -> bytes:
    at, other_at = generator.randrange(len(data) + 1), generator.randrange(len(other) + 1)
    return data[:at] + other[other_at:]


_CHANGES: tuple[_Change, ...] = (
    *(_cut, _flipped, _byte_set, _inserted, _inserted, _random_bytes, _dropped, _repeated, _moved),
    *(_nested, _number_changed, _number_changed, _integer_changed),
)


def json_changed(text: bytes, generator: random.Random) -> bytes:
    """Change one value of a JSON text, or remove one key."""
    whole = json.loads(text)
    if generator.random() < 0.05 or not whole:
        return json.dumps(generator.choice(JSON_VALUES)).encode()
    place = whole
    while True:
        key = generator.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if isinstance(place[key], dict | list) and place[key] and generator.random() < 0.7:
            place = place[key]
            continue
        if generator.random() < 0.1:
            del place[key]
        else:
            place[key] = generator.choice(JSON_VALUES)
        return json.dumps(whole).encode()
