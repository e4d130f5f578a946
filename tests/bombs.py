"""Small files that expand to more than the memory, and a program that reads them.

`python bombs.py FOLDER` writes and reads them in order, with little free memory, and prints the
outcome of each as a line of JSON.
"""

import io
import json
import lzma
import resource
import struct
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from compressors import COMPRESSORS

Read = Callable[[Path], Any]

MEBIBYTE = 1 << 20
_SPARE_BYTES = 768 * MEBIBYTE


class Bomb(NamedTuple):
    """The content of a file, the function that reads it, and its name."""

    content: Callable[[], bytes]
    read: Read
    name: str = "bomb"


def packed(unit: bytes, mebibytes: int, suffix: str = ".gz") -> bytes:
    """A repeated unit, compressed as many members that readers join."""
    member = unit * max(1, 8 * MEBIBYTE // len(unit))
    return COMPRESSORS[suffix](member) * (mebibytes * MEBIBYTE // len(member) + 1)


def after(start: bytes, unit: bytes, mebibytes: int) -> bytes:
    """A repeated unit after a different start."""
    return COMPRESSORS[".gz"](start) + packed(unit, mebibytes)


def corpus(**options: Any) -> Read:
    def read(path: Path) -> None:
        from hyperskip.text.encoding.encoder import encode_into
        from hyperskip.text.options import TextOptions

        with tempfile.TemporaryDirectory() as folder:
            encode_into(path, TextOptions(min_count=1, **options), Path(folder), threads=1)

    return read


def vectors(format_name: str) -> Read:
    def read(path: Path) -> None:
        from hyperskip.vectors.exchange.importing import import_vectors

        import_vectors(path, format=format_name)

    return read


def model(path: Path) -> None:
    from hyperskip.vectors.model_file import load

    load(path)


def similarity(path: Path) -> None:
    from hyperskip.evaluation.datasets import similarity_pairs

    similarity_pairs(str(path))


def analogy(path: Path) -> None:
    from hyperskip.evaluation.datasets import analogy_questions

    analogy_questions(str(path))


def graph(**options: Any) -> Read:
    def read(path: Path) -> None:
        from hyperskip.graphs.options import GraphOptions
        from hyperskip.graphs.reading.edges import read_graph

        read_graph(path, GraphOptions(**options))

    return read


def safetensors(**tensors: tuple[str, list[int], list[int]]) -> bytes:
    entries: dict[str, dict[str, Any]] = {
        name: {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        for name, (dtype, shape, offsets) in tensors.items()
    }
    about = {"format_version": 1, "geometry": "euclidean", "options": {}, "history": []}
    entries["__metadata__"] = {"hyperskip": json.dumps(about)}
    header = json.dumps(entries).encode()
    return len(header).to_bytes(8, "little") + header


def npz(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def npy(descr: str, shape: tuple[int, ...], data: bytes = b"") -> bytes:
    """An array with this header and any data."""
    header = f"{{'descr': {descr!r}, 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + data


def named_npz(words: bytes, counts: bytes, values: bytes) -> bytes:
    """An npz with all its arrays."""
    return npz(
        words=words,
        counts=counts,
        vectors=values,
        geometry=npy("<U9", (), "euclidean".encode("utf-32-le")),
        coordinates=npy("<U9", (), "euclidean".encode("utf-32-le")),
    )


def truncated_word2vec(words: int, columns: int) -> bytes:
    """A header of word2vec with far too little data after it."""
    return f"{words} {columns}\nword 1 2\n".encode()


def fasttext_model(
    words: int = 1, *, dimension: int = 2, buckets: int = 0, longest: int = 0, word: bytes = b"a"
) -> bytes:
    """A model of fastText with these sizes, and a single word with its vector."""
    numbers = dimension, 5, 5, 1, 5, 1, 2, 2, buckets, 1, longest, 100, 1e-4
    start = struct.pack("<2i12id3i2q", 793712314, 12, *numbers, words, words, 0, 1, -1)
    entry = word + b"\0" + struct.pack("<qb", 1, 0)
    return start + entry + struct.pack("<Bqq", 0, words + buckets, dimension) + bytes(4 * dimension)


def large_xz() -> bytes:
    """A word whose header requests 1.5 GiB for decompression."""
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 4096}]
    small = lzma.compress(b"word", lzma.FORMAT_XZ, filters=filters)
    size = 12  # of the stream header; the block header ends with a checksum
    length = 4 * (small[size] + 1)
    block = bytearray(small[size : size + length - 4])
    block[block.index(b"\x21\x01") + 2] = 37  # the dictionary: (2 | 1) << (37 / 2 + 11)
    checksum = zlib.crc32(block).to_bytes(4, "little")
    return small[:size] + bytes(block) + checksum + small[size + length :]


def large_zst() -> bytes:
    """A frame that requests a window of 2 GiB."""
    return b"\x28\xb5\x2f\xfd\x00" + bytes([(31 - 10) << 3]) + b"\x21\x00\x00word"


_LETTERS = bytes(97 + i * i * 7 // 11 % 26 for i in range(1_000_003))
_PAGE = b"<mediawiki><page><ns>0</ns><revision><text>"


def repeated_in_parquet() -> bytes:
    """A column that refers to one text of a mebibyte seven hundred times."""
    import pyarrow as pa
    from pyarrow import parquet

    output = io.BytesIO()
    texts = pa.DictionaryArray.from_arrays(pa.array([0] * 700), pa.array(["a " * (MEBIBYTE // 2)]))
    parquet.write_table(pa.table({"text": texts}), output, store_schema=False)
    return output.getvalue()


def zeros_in_parquet() -> bytes:
    """A column of one text, which unpacks to a gibibyte."""
    import pyarrow as pa
    from pyarrow import parquet

    output = io.BytesIO()
    table = pa.table({"text": pa.array([bytes(1024 * MEBIBYTE)], pa.large_binary())})
    parquet.write_table(
        table, output, compression="zstd", use_dictionary=False, write_statistics=False
    )
    return output.getvalue()


_MATRIX = b"%%MatrixMarket matrix coordinate pattern general\n"
_GRAPHS = {
    "zeros": Bomb(lambda: packed(bytes(1), 1024), graph()),
    "an endless line": Bomb(lambda: packed(b"a", 1024), graph()),
    "an endless line of names": Bomb(lambda: packed(b"a ", 1024), graph()),
    "endless cells": Bomb(lambda: packed(b"a\t", 1024), graph(), "bomb.tsv"),
    "an endless quoted cell": Bomb(lambda: after(b'"', b"a\n", 1024), graph(), "bomb.csv"),
    "endless comments": Bomb(lambda: packed(b"# " + b"a" * 9_999 + b"\n", 1024), graph()),
    "endless long names": Bomb(lambda: packed(b"a" * 99_999 + b" b\n", 1024), graph()),
    "endless repetition": Bomb(lambda: packed(b"a" * 3_999 + b" b\n", 1024), graph()),
    "an endless line of JSON": Bomb(lambda: packed(b"[1, 2] ", 1024), graph(), "bomb.jsonl"),
    "long lines of JSON": Bomb(
        lambda: packed(b'["' + b"a" * 199_999 + b'", 1]\n', 1024), graph(), "bomb.jsonl"
    ),
    "endless indentation": Bomb(lambda: after(b"a\n", b" ", 1024), graph(), "bomb.tree"),
    "ever deeper nodes": Bomb(
        lambda: b"".join(b"\t" * depth + b"%d\n" % depth for depth in range(3_000)),
        graph(closure=True),
        "bomb.tree",
    ),
    "a matrix of 10^12 rows": Bomb(
        lambda: _MATRIX + b"1000000000000 1000000000000 1\n1 2\n", graph()
    ),
    "a matrix of 10^12 entries": Bomb(lambda: _MATRIX + b"9 9 1000000000000\n1 2\n", graph()),
    "the closure of a chain": Bomb(
        lambda: b"".join(b"%d %d\n" % (i, i + 1) for i in range(100_000)), graph(closure=True)
    ),
}

BOMBS = {
    **{
        f"zeros{suffix} as {kind}": Bomb(partial(packed, bytes(1), 1024, suffix), read)
        for suffix in COMPRESSORS
        for kind, read in (
            ("corpus", corpus()),
            ("word2vec", vectors("word2vec")),
            ("similarity", similarity),
        )
    },
    "zeros as one endless word": Bomb(
        lambda: packed(bytes(1), 32, ".zst"),
        corpus(encoding_errors="replace", tokenizer="whitespace"),
    ),
    "endless different words": Bomb(
        lambda: packed(_LETTERS, 48, ".zst"), corpus(vocabulary_limit=1000)
    ),
    "one endless line of words": Bomb(lambda: packed(b"aa bb cc ", 16, ".zst"), corpus()),
    "nothing but newlines": Bomb(lambda: packed(b"\n", 32, ".zst"), corpus()),
    "gzip in gzip": Bomb(lambda: COMPRESSORS[".gz"](packed(b"a ", 1024)), corpus()),
    "an endless line as table": Bomb(lambda: packed(b"a", 1024), corpus(column="1")),
    "endless cells": Bomb(lambda: packed(b",", 1024), corpus(column="1")),
    "a row of endless lines": Bomb(lambda: packed(b'"a\n",', 1024), corpus(column="1")),
    "an endless quoted cell": Bomb(lambda: after(b'"', b"a\n", 1024), corpus(column="1")),
    "an endless first line of csv": Bomb(lambda: packed(b",", 1024), corpus(), "bomb.csv"),
    "an endless line of records": Bomb(
        lambda: packed(b'{"text": "a"} ', 1024), corpus(column="text"), "bomb.jsonl"
    ),
    "an endless JSON text": Bomb(
        lambda: after(b'{"text": "', b"a ", 1024), corpus(column="text"), "bomb.jsonl"
    ),
    "endless nesting of JSON": Bomb(
        lambda: after(b'{"text": ', b"[", 1024), corpus(column="text"), "bomb.jsonl"
    ),
    "a long line of empty objects": Bomb(
        lambda: b'{"text": [' + b"{}," * 5_000_000 + b"1]}", corpus(column="text"), "bomb.jsonl"
    ),
    "a long line of keys": Bomb(
        lambda: b"{" + b",".join(b'"%d":1' % i for i in range(1_400_000)) + b"}",
        corpus(column="text"),
        "bomb.jsonl",
    ),
    "Parquet that repeats a long text": Bomb(
        repeated_in_parquet, corpus(column="text"), "bomb.parquet"
    ),
    "Parquet with a page of zeros": Bomb(zeros_in_parquet, corpus(column="text"), "bomb.parquet"),
    "an endless tag": Bomb(lambda: after(b'<mediawiki a="', b"a", 1024), corpus()),
    "an endless comment": Bomb(lambda: after(b"<mediawiki><!--", b"a", 1024), corpus()),
    "endless nesting": Bomb(lambda: after(b"<mediawiki>", b"<a>", 1024), corpus()),
    "an endless page": Bomb(lambda: after(_PAGE, b"a ", 48), corpus()),
    "an endless namespace": Bomb(
        lambda: after(b'<mediawiki><namespace key="6">', b"a ", 48), corpus()
    ),
    "entities in entities": Bomb(
        lambda: (
            b'<!DOCTYPE mediawiki [<!ENTITY a "'
            + b"b" * 100_000
            + b'"><!ENTITY c "'
            + b"&a;" * 100_000
            + b'">]><mediawiki>&c;</mediawiki>'
        ),
        corpus(),
    ),
    **{
        f"an endless line as {name}": Bomb(lambda: packed(b"1 ", 1024), vectors(name))
        for name in ("word2vec", "fasttext", "glove", "minkowski", "word2vec-binary")
    },
    **{
        f"{words} words of {columns} numbers as {name}": Bomb(
            partial(truncated_word2vec, words, columns), vectors(name)
        )
        for name in ("word2vec", "fasttext", "glove", "minkowski", "word2vec-binary")
        for words, columns in ((10**12, 2), (2, 10**12), (10**12, 10**6), (10**30, 10**30))
    },
    "fastText of 2^31 words": Bomb(lambda: fasttext_model(2**31 - 1), vectors("fasttext-binary")),
    "fastText of 2^31 buckets": Bomb(
        lambda: fasttext_model(dimension=1000, buckets=2**31 - 1, longest=3),
        vectors("fasttext-binary"),
    ),
    "fastText of 2^31 unused buckets": Bomb(
        lambda: fasttext_model(dimension=1000, buckets=2**31 - 1), vectors("fasttext-binary")
    ),
    "fastText of 2^31 dimensions": Bomb(
        lambda: fasttext_model()[:8] + b"\xff\xff\xff\x7f" + fasttext_model()[12:],
        vectors("fasttext-binary"),
    ),
    "fastText with an endless word": Bomb(
        lambda: after(fasttext_model()[:92], b"a", 1024), vectors("fasttext-binary")
    ),
    "fastText with a word of many n-grams": Bomb(
        lambda: fasttext_model(buckets=9, longest=100, word=b"a" * MEBIBYTE),
        vectors("fasttext-binary"),
    ),
    "fastText with buckets of zeros": Bomb(
        lambda: after(fasttext_model(dimension=1000, buckets=2**31 - 1, longest=3), bytes(1), 2048),
        vectors("fasttext-binary"),
    ),
    "fastText with an endless output": Bomb(
        lambda: after(fasttext_model() + struct.pack("<Bqq", 0, 2**60, 2**60), bytes(1), 2048),
        vectors("fasttext-binary"),
    ),
    "endless words of megabytes": Bomb(
        lambda: after(b"1000000 1\n", b"a" * 4_000_000 + b" 1\n", 2048), vectors("word2vec")
    ),
    "long lines of numbers": Bomb(
        lambda: packed(b"a" + b" 1" * 4_000_000 + b"\n", 2048), vectors("glove")
    ),
    "zeros for vectors": Bomb(
        lambda: (
            COMPRESSORS[".gz"](b"1000000 1000000\n")
            + b"".join(map(COMPRESSORS[".gz"], (b"%d " % i + bytes(4_000_000) for i in range(100))))
        ),
        vectors("word2vec-binary"),
    ),
    **{f"{name} as graph": bomb for name, bomb in _GRAPHS.items()},
    "npz of 10^12 words": Bomb(
        lambda: named_npz(npy("<U1", (10**12,)), npy("<i8", (10**12,)), npy("<f4", (10**12, 3))),
        vectors("npz"),
    ),
    "npz of 10^12 words without letters": Bomb(
        lambda: named_npz(
            npy("<U0", (10**12,)), npy("<i8", (1,), bytes(8)), npy("<f4", (1, 1), bytes(4))
        ),
        vectors("npz"),
    ),
    "npz of 10^12 dimensions": Bomb(
        lambda: named_npz(
            npy("<U1", (1,), b"a\0\0\0"), npy("<i8", (1,), bytes(8)), npy("<f4", (1, 10**12))
        ),
        vectors("npz"),
    ),
    "npz of zeros": Bomb(
        lambda: named_npz(
            npy("<U1", (1,), b"a\0\0\0"),
            npy("<i8", (1,)),
            npy("<f4", (10**8, 3), bytes(300 * MEBIBYTE)),
        ),
        vectors("npz"),
    ),
    "model of 10^12 words": Bomb(
        lambda: safetensors(coordinates=("F32", [10**12, 3], [0, 12 * 10**12])), model
    ),
    "model of no words of 10^18 numbers": Bomb(
        lambda: safetensors(coordinates=("F32", [0, 10**18], [0, 0])), model
    ),
    "model with an endless header": Bomb(lambda: (10**12).to_bytes(8, "little") + b"{}", model),
    "compressed model": Bomb(lambda: packed(bytes(1), 1024), model),
    "endless pairs": Bomb(lambda: packed(b"a b 1\n", 1024), similarity),
    "endless questions": Bomb(lambda: packed(b"a b c d\n", 1024), analogy),
    "an endless line as questions": Bomb(lambda: packed(b"a ", 1024), analogy),
    **{
        f"{name} that asks for much memory as {kind}": Bomb(content, read)
        for name, content in (("xz", large_xz), ("zst", large_zst))
        for kind, read in (("corpus", corpus()), ("glove", vectors("glove")), ("analogy", analogy))
    },
}

READABLE = {
    *("zeros as one endless word", "one endless line of words"),
    *("ever deeper nodes as graph", "a matrix of 10^12 rows as graph"),
}
ERRORS = ("CorpusError: ", "GraphError: ", "VectorFileError: ", "DatasetError: ")


def main() -> None:
    """Read all bombs with little free memory."""
    from pyarrow import parquet  # noqa: F401

    from hyperskip.errors import InputError
    from hyperskip.evaluation import datasets  # noqa: F401 - loaded before memory is limited
    from hyperskip.graphs.reading import edges  # noqa: F401
    from hyperskip.text.word_rules import word_rules
    from hyperskip.text.words.compiled import compiled
    from hyperskip.text.words.lexicon import PlainLexicon
    from hyperskip.vectors import model_file  # noqa: F401
    from hyperskip.vectors.exchange import importing  # noqa: F401

    folder = Path(sys.argv[1])
    paths = {}
    for number, (name, bomb) in enumerate(BOMBS.items()):
        paths[name] = folder / str(number) / bomb.name
        paths[name].parent.mkdir()
        paths[name].write_bytes(bomb.content())
    for tokenizer in ("paper", "whitespace"):
        compiled(word_rules({"tokenizer": tokenizer}), PlainLexicon())
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + _SPARE_BYTES, used + _SPARE_BYTES))
    for name, path in paths.items():
        begin = time.monotonic()
        try:
            BOMBS[name].read(path)
            outcome = "read"
        except InputError as error:
            outcome = f"{type(error).__name__}: {error.message}"
        except Exception as error:  # continue with the others
            outcome = f"unexpected: {error!r}"
        line = {"name": name, "outcome": outcome, "seconds": time.monotonic() - begin}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
