"""Small valid files of every kind, made by hyperskip's own writers: the seeds of hostile files."""

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from hyperskip.experiment.design.grid import Run, planned_runs
from hyperskip.experiment.design.options import ExperimentOptions
from hyperskip.experiment.results.records import Record
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.projection.map_file import map_beside
from hyperskip.subwords.scheme import SubwordScheme
from hyperskip.text.encoding.corpus_folder import checksum_of
from hyperskip.text.encoding.encoder import encode
from hyperskip.text.reading.corpus import Corpus
from hyperskip.training.checkpoints.checkpoint import Key
from hyperskip.training.checkpoints.checkpoint import save as save_checkpoint
from hyperskip.training.parameters import Parameters
from hyperskip.training.run.state import EpochSummary, Position, State, Sums
from hyperskip.vectors.exchange.exporting import export_vectors
from hyperskip.vectors.hierarchy_points import HierarchyPoints
from hyperskip.vectors.model_file import save
from hyperskip.vectors.model_registry import NamedModel, registry_entry
from hyperskip.vectors.subword_table import SubwordTable
from hyperskip.vectors.word_vectors import WordVectors

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": partial(gzip.compress, mtime=0),  # independent of the time
    "bzip2": partial(bz2.compress, compresslevel=1),
    "xz": partial(lzma.compress, preset=0),  # other presets allocate much memory each time
    "zstandard": zstd.compress,
}
DECOMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.decompress,
    "bzip2": bz2.decompress,
    "xz": lzma.decompress,
    "zstandard": zstd.decompress,
}

_TEXT = "It's the 3rd café\r\nof ΟΔΟΣ, naïve İstanbul\n\n日本語 and it is the end of it"
_MARKUP = (
    "{{Box|a={{b|c}}}}\n'''Town''' is a [[place|small ''place'']].<ref name=x>hidden</ref>\n\n"
    "== History ==\n* item [[File:x.jpg|thumb|a [[b]]]] &amp; &#x41; <!-- no -->\n"
    "{| class=x\n! h\n|-\n| cell || [[d]]\n|}\n<div>in a box</div> [https://a.b link] __NOTOC__"
)


@contextlib.contextmanager
def folder_in_memory() -> Iterator[Path]:
    """A temporary folder, in memory if possible, so that fuzzing does not wear a disk."""
    memory = Path("/dev/shm")
    usable = memory.is_dir() and os.access(memory, os.W_OK)
    with tempfile.TemporaryDirectory(
        prefix="hyperskip-fuzz-", dir=memory if usable else None
    ) as name:
        yield Path(name)


@cache
def texts() -> list[bytes]:
    """Plain text: several lines, one line, with a byte order mark."""
    one_line = b"all words stand on one line and the line has no end"
    return [_TEXT.encode(), one_line, b"\xef\xbb\xbf" + _TEXT.encode(), b"a bb a bb\n" * 30]


def packed_texts(compression: str) -> Callable[[], list[bytes]]:
    """Compressed text, once in two members."""

    def seeds() -> list[bytes]:
        one, two, *_ = map(COMPRESSORS[compression], texts())
        return [one, two, one + two]

    return seeds


def pattern_files() -> list[bytes]:
    """Patterns for relations: all sections, and patterns only."""
    every = (
        "# a comment\n[settings]\ncapitals: nouns\n[patterns]\n"
        "such-as: BROADER such as NARROWERS\nother: NARROWERS and|or [any] other BROADERS\n"
        "kind: NARROWER is a KIND of BROADER\nis-a: FIRST NARROWER is a BROADER\n[kinds]\nkind\n"
        "[conjunctions]\nand or\n[determiners]\na the\n[prepositions]\nof\n[stop words]\nis -ly\n"
        "[participles]\n-ed\n[adjectives]\nbig\n[nouns]\nfamily\n[never terms]\nthing\n"
        "[singular]\n-s -\nmice mouse\n"
    )
    return [every.encode(), b"[patterns]\nlike: BROADER like NARROWERS\n"]


def relation_files() -> list[bytes]:
    """Tables of relations, with and without patterns."""
    rows = b"dog\tanimal\t3\tsuch-as,like\nnew york\tcity\t1\t\n"
    return [
        b"narrower\tbroader\tcount\tpatterns\n" + rows,
        b"narrower\tbroader\tcount\ndog\tanimal\t1\n",
    ]


def phrase_files() -> list[bytes]:
    """Tables of phrases, complete and with words only."""
    rows = b"new york\t120.5\t30\t1\nbank of america\t1e3\t7\t1\nnew_york city\t10.25\t6\t2\n"
    return [b"words\tscore\tcount\tpass\n" + rows, b"new york\na\\sb c\\\\\n\\e x\n", rows]


def tables(separator: str) -> Callable[[], list[bytes]]:
    """Tables whose column `text` is the second, quoted and not."""

    def seeds() -> list[bytes]:
        plain = [["id", "text", "x"], ["1", "some words", "y"], ["2", "more words", ""]]
        quoted = [["id", "text"], ["1", '"a, ""b""\nc"'], ["", '"\td"']]
        if separator == "\t":  # quotation marks have no meaning
            quoted = [["id", "text"], ["", '"a, ""b']]
        rows = ["\n".join(map(separator.join, table)) for table in (plain, quoted)]
        return [rows[0].encode(), rows[1].encode(), rows[0].replace("\n", "\r\n").encode()]

    return seeds


@cache
def json_lines() -> list[bytes]:
    """Records with the key `text`: a text or a list of tokens."""
    records: list[dict[str, Any]] = [
        {"text": _TEXT, "id": 1, "more": {"a": [None, 1.5, True]}},
        {"id": 2, "text": ["one", 2, "\U0001f600"]},
    ]
    escaped = "".join(json.dumps(record) + "\n" for record in records)
    plain = "\n\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    return [escaped.encode(), plain.encode(), b"\xef\xbb\xbf" + plain.encode()]


def edge_tables() -> list[bytes]:
    """Edges with weights as TSV, CSV and columns separated by blanks, with a cycle and a root."""
    rows = [
        ("dog", "mammal", "1"),
        ("mammal", "animal", "2.5"),
        ("animal", "dog", "1"),
        ("b", "", "1"),
    ]
    tsv, csv = (
        "\n".join(map(delimiter.join, [("child", "parent", "weight"), *rows]))
        for delimiter in "\t,"
    )
    blanks = b"# a graph\n%\n1 2 3\n  2   3 4 \n2 2 1\n1 2 1\n"
    quoted = csv.replace("dog", '"d""o,\ng"')
    return [tsv.encode(), csv.encode(), blanks, quoted.replace("\n", "\r\n").encode()]


def edge_json_lines() -> list[bytes]:
    """Edges as pairs, as triples, and as records."""
    pairs: list[list[Any]] = [["dog", "mammal"], ["mammal", 3], [3, None], ["\U0001f600", "dog"]]
    triples = [[*pair, 2.5] for pair in pairs]
    records = [{"child": child, "parent": parent, "weight": 1} for child, parent in pairs]
    made: list[list[Any]] = [pairs, triples, [*records, {"child": 1, "parent": 2, "weight": 1e3}]]
    return ["\n".join(map(json.dumps, each)).encode() for each in made]


def trees() -> list[bytes]:
    """Indented trees, with tabs, blanks and a node below two parents."""
    tree = "animal\n\tmammal\n\t\tdog\n\n\t\tcat\n\tpet\n\t\tdog\nplant\n\ttree\n"
    return [tree.encode(), tree.replace("\t", "  ").encode(), tree.replace("\n", "\r\n").encode()]


def matrices() -> list[bytes]:
    """Sparse matrices of Matrix Market."""
    start = b"%%MatrixMarket matrix coordinate "
    return [
        start + b"real general\n% a comment\n3 3 2\n1 2 0.5\n2 3 1\n",
        start + b"pattern symmetric\n9 9 2\n2 1\n3 3\n",
    ]


@cache
def parquet_files() -> list[bytes]:
    """Tables with the columns `text` and `items`, in several encodings."""
    import pyarrow as pa
    from pyarrow import parquet

    texts = _TEXT.split("\n")
    table = pa.table({"id": [1, 2, 3, 4], "text": texts, "items": [[1, 2], [3], [], [4]]})
    made = []
    settings: list[dict[str, Any]] = [
        {"compression": "none", "use_dictionary": False, "store_schema": False},
        {"compression": "snappy", "row_group_size": 2},
        {"compression": "zstd", "data_page_version": "2.0", "write_page_checksum": True},
        {"compression": "none", "column_encoding": "DELTA_BYTE_ARRAY", "use_dictionary": False},
    ]
    for each in settings:
        output = io.BytesIO()
        columns = table.select(["text"]) if "column_encoding" in each else table
        parquet.write_table(columns, output, **each)
        made.append(output.getvalue())
    return made


@cache
def markup() -> list[bytes]:
    """Pages of a wiki."""
    return [_MARKUP.encode(), b"[[a|b]] {{c|[[d]]}}\n\n* e\n# ''f''\n: g <br/> &nbsp;"]


@cache
def dumps() -> list[bytes]:
    """Dumps of a wiki."""
    escaped = _MARKUP.replace("&", "&amp;").replace("<", "&lt;")
    plain = (
        '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="de">\n'
        '<siteinfo><namespaces><namespace key="0" /><namespace key="6">Datei</namespace>'
        "</namespaces></siteinfo>\n"
        "<page><title>A</title><ns>0</ns><revision>"
        f'<text bytes="9" xml:space="preserve">{escaped}</text></revision></page>\n'
        '<page><ns>0</ns><redirect title="A" /><revision><text>no</text></revision></page>\n'
        "<page><ns>14</ns><revision><text><![CDATA[no]]></text></revision></page>\n"
        "</mediawiki>"
    ).encode()
    declared = b'<?xml version="1.0" encoding="utf-8"?>\n<!-- a dump -->\n' + plain
    return [plain, declared]


def _vectors(geometry: str, count: int = 5, dimension: int = 3) -> WordVectors:
    words = ["the", "café", "new york", "日本", "x"][:count]
    coordinates = np.random.default_rng(1).normal(size=(len(words), dimension)).astype(np.float32)
    return WordVectors(
        words,
        coordinates,
        counts=np.arange(len(words), 0, -1, dtype=np.int64),
        geometry=geometry,
        options={"dimension": dimension, "rate": 0.5},
        history=[{"epoch": 1, "loss": 0.5, "pairs": 10}],
    )


def _with_hierarchy(vectors: WordVectors) -> WordVectors:
    coordinates = np.random.default_rng(2).normal(size=(len(vectors), 2))
    evidence = np.arange(len(vectors))
    return WordVectors(
        vectors.words,
        vectors.coordinates,
        hierarchy=HierarchyPoints(coordinates, slope=1.5, offset=-2.0, evidence=evidence),
    )


def _with_subwords(vectors: WordVectors) -> WordVectors:
    scheme = SubwordScheme(shortest=2, longest=3, buckets=20)
    buckets = np.unique(scheme.buckets_of(vectors.words).buckets)
    rows = np.random.default_rng(3).normal(size=(len(buckets), vectors.dimension))
    table = SubwordTable(scheme, buckets, rows)
    return WordVectors(vectors.words, vectors.coordinates, counts=vectors.counts, subwords=table)


def exported(format_name: str) -> Callable[[], list[bytes]]:
    """Vectors in one format of `import`, with several kinds of coordinates."""

    @cache
    def seeds() -> list[bytes]:
        made = []
        with folder_in_memory() as folder:
            for geometry, coordinates in (
                ("hyperboloid", "points"),
                ("euclidean", "points"),
                ("hyperboloid", "ball"),
                ("hyperboloid", "points-time-first"),
            ):
                vectors = _vectors(geometry)
                if format_name == "word2vec-binary":  # words cannot contain blanks
                    vectors = _vectors(geometry, count=2)
                path = folder / "vectors"
                export_vectors(vectors, path, format=format_name, coordinates=coordinates)
                made.append(path.read_bytes())
            if format_name == "fasttext-binary":
                export_vectors(_with_subwords(vectors), path, format=format_name)
                made.append(path.read_bytes())
        return made

    return seeds


@cache
def models() -> list[bytes]:
    """Model files."""
    made = []
    with folder_in_memory() as folder:
        for vectors in (
            _vectors("hyperboloid"),
            _vectors("euclidean", 2, 1),
            _with_hierarchy(_vectors("hyperboloid", 3, 2)),
            _with_subwords(_vectors("hyperboloid", 3, 2)),
        ):
            save(vectors, folder / "model")
            made.append((folder / "model").read_bytes())
        save(vectors, folder / "model", compact=True)
        made.append((folder / "model").read_bytes())
    return made


def registries() -> list[bytes]:
    """Registries of named models: on the web, and beside the registry."""
    locations = ("https://example.org/m", "absent.safetensors")
    models = [NamedModel("pets", each, "0" * 64, "MIT", "Pets") for each in locations]
    return [registry_entry(model).encode() for model in models]


def mapped_vectors() -> list[tuple[WordVectors, int]]:
    """Vectors for maps, and the number of mapped words."""
    return [(_vectors("hyperboloid"), 3), (_vectors("hyperboloid", 2, 2), 2)]


@cache
def maps() -> list[bytes]:
    """Maps of models."""
    made = []
    with folder_in_memory() as folder:
        for vectors, words in mapped_vectors():
            map_beside(folder / "model", vectors, words=words)
            made.append((folder / "model.disc-map").read_bytes())
    return made


def taxonomies() -> list[bytes]:
    """Words and their categories."""
    return [
        b"animal\tanimal\ndog\tanimal\tanimal\n# a comment\n\ncar\tvehicle\n",
        "\ufeffhund\tTier\r\ngr\u00f6\u00dfer\tWort\r\n".encode(),
    ]


@cache
def checkpoints() -> list[bytes]:
    """Checkpoints of training with one layer and with two."""
    made = []
    summary = EpochSummary(1, False, 2.5, 100, 0, 1.25, 2.75)
    position = Position(1, 3, Sums(17, 5, 0.5, 1, 0.5), (summary,))
    with folder_in_memory() as folder:
        for vectors, layers in ((_vectors("hyperboloid"), 1), (_vectors("euclidean", 2, 1), 2)):
            second = vectors.coordinates if layers == 2 else None
            times = np.ones((layers, len(vectors)), dtype=np.float32)
            state = State(position, Parameters(vectors.coordinates, second, 3.0, times))
            key = Key({"rate": 0.5, "column": None}, "a checksum", None)
            save_checkpoint(folder / "checkpoint", key, vectors, state)
            made.append((folder / "checkpoint").read_bytes())
    return made


@cache
def encoded_corpora() -> list[dict[str, bytes]]:
    """The files of encoded corpora whose text was deleted."""
    made = []
    with folder_in_memory() as folder:
        text = folder / "text.txt"
        text.write_bytes(texts()[0])
        corpora: dict[str, Corpus] = {
            "from-file": text,
            "from-lists": [["a", "", "\n", "\ud800"], ["a", "b"]],
        }
        for name, corpus in corpora.items():
            encode(corpus, folder / name, min_count=1, threads=1)
            _forget_the_place(folder / name)
            files = sorted((folder / name).iterdir())
            made.append({file.name: file.read_bytes() for file in files})
    return made


def _forget_the_place(corpus: Path) -> None:
    """Make the header independent of place and time."""
    about = json.loads((corpus / ENCODED_HEADER).read_bytes())
    about["given"] = ["/nowhere/text.txt" for _ in about["given"]]
    for source in about["sources"]:
        source |= {"path": "/nowhere/text.txt", "modified_ns": 1}
    about["checksum"] = checksum_of(about, corpus)
    (corpus / ENCODED_HEADER).write_text(json.dumps(about))


@cache
def similarity_sets() -> list[bytes]:
    """Lists of `word word score`."""
    return [
        b"dog\tcat\t7.5\nsun\tmoon\t3\n",
        "word1;word2;score\n# no\ncafé;thé;1,5\n".encode(),
        b"\xef\xbb\xbfa,b,0.5\nc,d,1e2\n",
        COMPRESSORS["gzip"](b"a b 1\nc d 2\n"),
    ]


@cache
def hypernymy_sets() -> list[bytes]:
    """Lists of `word word label`."""
    return [
        b"word1\tword2\tlabel\tfold\ndog\tanimal\tTrue\tval\nsun\tmoon\tFalse\ttest\n",
        b"WORD1 WORD2 POS TYPE AVG_SCORE\ndog animal N hyp-1 5.5\nrun move V no-rel 1.42\n",
        "café,thé,hyper\nthé,café,coord\n".encode(),
        COMPRESSORS["gzip"](b"a b 1\nc d 0\n"),
        b"alligator-n\tamphibian_reptile\thyper\tanimal-n\nowl-n\tbird\tevent\tfly-v\n",
        b"dog\tIsA\tanimal\tNATURE_5/5\t0\t4.2\nred\tAntonym\tgreen\n",
        b"dog\tanimal\tTrue\thyper\nanimal\tdog\tFalse\trhyper\nsun\tmoon\tFalse\tother\n",
        b"word1\tword2\trelation\tlabel\ndog\tanimal\thyper\t1\nanimal\tdog\trhyper\t-1\n",
        b'[["dog", "animal", 1], ["animal", "dog", 0]]',
    ]


@cache
def analogy_sets() -> list[bytes]:
    """Lists of four words, in sections."""
    plain = ": capitals\nathens greece paris france\n\n# no\n: plurals\na b café cafés\n".encode()
    return [plain, b"a b c d\n", lzma.compress(plain)]


JSON_VALUES: list[object] = [
    *(None, True, False, 0, -1, 1, 2, 3, 10**12, 2**31, 2**63, 2**64, -(2**63), 10**400),
    *(0.5, 1e308, float("inf"), float("-inf"), float("nan")),
    *("", "0", "a", "\0", "\ud800", "/", "..", "../../x", "/**/x", "-", "\n", "a" * 1000),
    *([], {}, [[]], [0], [-1, 5], {"a": 1}, [{}], [None]),
    json.loads("[" * 200 + "]" * 200),
]


@cache
def run_of_records() -> Run:
    """The run of all records."""
    return planned_runs(ExperimentOptions(dimensions=(5,), models=("paper",), rates=(0.1,)))[0]


@cache
def records() -> list[bytes]:
    """Runs of an experiment: one that succeeded, and one that failed."""
    run = run_of_records()
    part = {"accuracy": 0.1, "accuracy_unknown_wrong": 0.05}
    report = part | {"asked": 3, "answerable": 2, "total": 4, "semantic": part, "syntactic": part}
    scores = {
        "similarity": {"sets": {"men": {"spearman": 0.5, "found": 2, "pairs": 3}}, "average": 0.5},
        "analogy": {"Z": report, "Z'": report},
    }
    common: dict[str, Any] = {
        "name": run.name,
        "model": run.model,
        "geometry": "hyperboloid",
        "dimension": 5,
        "seed": 1,
        "asked": run.key(),
        "rate": 0.1,
        "epochs": 3,
        "whole_seconds": 2.5,
        "machine": {"processor": "some", "cores": 2},
    }
    good = Record(**common, scores=scores, loss=3.5, seconds=2.0, words_per_second=1e6)
    failed = Record(**common, scores={}, failure="words flew away")
    return [json.dumps(asdict(record)).encode() for record in (good, failed)]


def experiment_headers() -> list[bytes]:
    """The header of an experiment."""
    about = {"format": "hyperskip experiment", "format_version": 1, "text": ["a"], "corpus": "0"}
    return [json.dumps(about).encode()]
