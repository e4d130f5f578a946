"""Every reader of files as a function of bytes: the targets of fuzzing.

A target may raise InputError, which the command line turns into a message and exit code 2. Every
other exception is a finding. To add a reader, write one function:

    @target("model", seeds.models)
    def read_model(data: bytes) -> None:
        load(in_file("model.safetensors", data))
"""

import contextlib
import io
import json
import random
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import seeds
from mutations import Edit, json_changed, mutated

from hyperskip.errors import InputError
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.experiment.report.rendering import Document, Section, as_html, as_markdown
from hyperskip.experiment.report.tables import result_tables, runs_table
from hyperskip.experiment.results.choice import choices
from hyperskip.experiment.results.experiment_folder import ExperimentFolder, read_header
from hyperskip.explorer.answers.queries import Queries
from hyperskip.files.downloads import is_web_address
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.graphs.closure import describe, transitive_closure
from hyperskip.graphs.options import GraphOptions
from hyperskip.graphs.reading.edges import read_graph
from hyperskip.pictures.request.categories import read_taxonomy
from hyperskip.projection.map_file import map_key, read_map
from hyperskip.projection.placing import Placer
from hyperskip.text.encoding.corpus_folder import checksum_of, open_encoded
from hyperskip.text.options import TextOptions
from hyperskip.text.phrases.phrases import read_phrases
from hyperskip.text.reading.corpus import CorpusReader
from hyperskip.text.reading.markup import crude_prose, prose
from hyperskip.text.reading.wikipedia import Dump, is_dump
from hyperskip.text.relations.matcher import Matcher
from hyperskip.text.relations.pattern_file import read_language
from hyperskip.text.relations.relations import read_relations
from hyperskip.text.word_rules import word_rules
from hyperskip.text.words.scan import Scan, Scanner
from hyperskip.training.checkpoints.checkpoint import checksum_of as checksum_of_parts
from hyperskip.training.checkpoints.checkpoint import load as load_checkpoint
from hyperskip.vectors.exchange.importing import import_vectors
from hyperskip.vectors.exchange.names import AUTO, FORMATS, READ_COORDINATES
from hyperskip.vectors.model_file import load, read, save, write
from hyperskip.vectors.model_registry import is_plain, read_registry
from hyperskip.vectors.named_models import file_of

if TYPE_CHECKING:
    from hyperskip.text.words.compiled import CompiledScanner

Within = Callable[[bytes, Edit, random.Random], bytes]

# The markup parser is slow on hostile pages; in real use, a worker has a time limit.
_PARSED_CHARACTERS = 1000


@dataclass(frozen=True)
class Target:
    """A reader, its valid inputs, and how to make hostile ones."""

    name: str
    function: Callable[[bytes], None]
    seeds: Callable[[], Sequence[bytes]]
    within: Within | None
    longest: int = 1 << 14  # maximum bytes of an input from atheris

    def read(self, data: bytes) -> bool:
        """Read one input; returns False if it raises InputError.

        Any other exception is a finding.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self.function(data)
            except InputError:
                return False
        return True

    def hostile(self, number: int) -> bytes:
        """The input with this number: the first are the seeds, the others are mutations of them."""
        valid = self.seeds()
        if number < len(valid):
            return valid[number]
        return self.mutated(valid, random.Random(f"{self.name} {number}"))

    def mutated(self, valid: Sequence[bytes], generator: random.Random) -> bytes:
        """Mutate inputs of this reader."""
        return mutated(valid, generator, self.within)


TARGETS: dict[str, Target] = {}


def target(
    name: str,
    valid: Callable[[], Sequence[bytes]],
    within: Within | None = None,
    longest: int = Target.longest,
) -> Callable[[Callable[[bytes], None]], Callable[[bytes], None]]:
    """Register a function of bytes as a target.

    Args:
        name: The name of the reader.
        valid: Makes valid files.
        within: See `mutations.mutated`.
        longest: Maximum number of bytes of an input from atheris.
    """

    def register(function: Callable[[bytes], None]) -> Callable[[bytes], None]:
        TARGETS[name] = Target(name, function, valid, within, longest)
        return function

    return register


@cache
def _folder() -> Path:
    """The temporary folder of this process."""
    return _CLEANUP.enter_context(seeds.folder_in_memory())


_CLEANUP = contextlib.ExitStack()


def in_file(name: str, data: bytes) -> Path:
    """Write a file with these bytes, replacing the previous file of this name."""
    path = _folder() / name
    path.write_bytes(data)
    return path


# -- text


def _read_text(path: Path, **options: str) -> None:
    text_options = TextOptions(**options)  # type: ignore[arg-type]
    scanner = Scanner(text_options.word_rules)
    for piece in CorpusReader(path, text_options, threads=1):
        scanner.scan(piece)


@target("text", seeds.texts)
def read_text(data: bytes) -> None:
    """Plain text, with both ways to handle encoding errors."""
    if is_dump(data):
        return  # it would start processes; see `dump`
    path = in_file("text", data)
    _read_text(path, encoding_errors="replace", tokenizer="whitespace")
    _read_text(path)


@target("patterns", seeds.pattern_files)
def read_patterns(data: bytes) -> None:
    """Patterns of relations, and a text in which they are found."""
    matcher = Matcher(read_language(in_file("patterns.txt", data)))
    for sentence in ("Big mice such as dogs (or cats), and other things.", "A Dog is a kind of X."):
        matcher.find(sentence.encode())


@target("relations", seeds.relation_files)
def read_relation_table(data: bytes) -> None:
    """The table that `hyperskip relations` writes."""
    list(read_relations(in_file("relations.tsv", data)))


@target("phrases", seeds.phrase_files)
def read_phrase_table(data: bytes) -> None:
    """The table that `hyperskip phrases` writes, and a text in which its phrases are joined."""
    phrases = read_phrases(in_file("phrases.tsv", data))
    phrases.join(["in", "new", "york", "city", "new", "york_city"])


_LONGEST_PACKED = 1 << 9  # it may unpack to a thousand times as much


def _register_compressed(compression: str) -> None:
    def within(data: bytes, edit: Edit, _: random.Random) -> bytes:
        plain = seeds.DECOMPRESSORS[compression](data)
        return seeds.COMPRESSORS[compression](edit(plain))

    @target(compression, seeds.packed_texts(compression), within, _LONGEST_PACKED)
    def read_compressed(data: bytes) -> None:
        _read_text(in_file("text." + compression, data), encoding_errors="replace")


for _compression in seeds.COMPRESSORS:
    _register_compressed(_compression)


@target("csv", seeds.tables(","))
def read_csv(data: bytes) -> None:
    """A table with commas."""
    path = in_file("table.csv", data)
    for options in ({}, {"column": "text"}):  # without a column, the error shows the header
        with contextlib.suppress(InputError):
            _read_text(path, **options)
    _read_text(path, column="2", encoding_errors="replace")


@target("tsv", seeds.tables("\t"))
def read_tsv(data: bytes) -> None:
    """A table with tabs, recognized by its name and by its first line."""
    with contextlib.suppress(InputError):
        _read_text(in_file("table.tsv", data), column="text")
    _read_text(in_file("table", data), column="2", encoding_errors="replace")


@target("semicolon", seeds.tables(";"))
def read_semicolon(data: bytes) -> None:
    """A table with semicolons, found in the header or chosen."""
    path = in_file("table.csv", data)
    with contextlib.suppress(InputError):
        _read_text(path, column="text")
    _read_text(path, column="2", delimiter=";", encoding_errors="replace")


@target("jsonl", seeds.json_lines)
def read_json_lines(data: bytes) -> None:
    """JSON Lines, recognized by its name and by its first line."""
    for name, options in (("a.jsonl", {}), ("a", {"column": "text"})):
        with contextlib.suppress(InputError):
            _read_text(in_file(name, data), **options)
    path = in_file("a.jsonl", data)
    with contextlib.suppress(InputError):
        _read_text(path, column="text")
    _read_text(path, column="text", encoding_errors="replace")


@target("parquet", seeds.parquet_files)
def read_parquet(data: bytes) -> None:
    """Parquet, with a column of texts and one of lists."""
    path = in_file("a.parquet", data)
    for options in ({}, {"column": "items"}):
        with contextlib.suppress(InputError):
            _read_text(path, **options)
    _read_text(path, column="text", encoding_errors="replace")


@target("dump", seeds.dumps)
def read_dump(data: bytes) -> None:
    """A dump of a wiki, without worker processes."""
    is_dump(data)
    for page in Dump("dump").articles(io.BytesIO(data)):
        crude_prose(page)


@target("markup", seeds.markup)
def read_markup(data: bytes) -> None:
    """A page of a wiki."""
    page = data.decode("utf-8", "surrogateescape")
    crude_prose(page)
    prose(page[:_PARSED_CHARACTERS], frozenset({"file"}))


@target("scanner", seeds.texts)
def scan_by_kernel(data: bytes) -> None:
    """The compiled scanner, which must agree with the plain one."""
    piece = data.decode("utf-8", "replace").encode()
    for plain, kernel in _scanners():
        expected, found = plain.scan(piece), kernel.scan(piece)
        for name in Scan._fields:
            assert np.array_equal(getattr(expected, name), getattr(found, name)), name


@cache
def _scanners() -> "list[tuple[Scanner, CompiledScanner]]":
    from hyperskip.text.words.compiled import CompiledScanner  # loads the compiler

    kept = dict.fromkeys(("numbers", "apostrophes", "hyphens"), "keep")
    every: list[dict[str, object]] = [
        {"tokenizer": "paper"},
        {"tokenizer": "paper", "lowercase": False, "normalize": "nfkc", **kept},
        {"tokenizer": "whitespace"},
        {"tokenizer": "whitespace", "lowercase": True},
    ]
    return [(Scanner(rules), CompiledScanner(rules)) for rules in map(word_rules, every)]


# -- graphs


def _read_edges(path: Path, **options: Any) -> None:
    graph = read_graph(path, GraphOptions(**options))
    edges = list(zip(graph.sources.tolist(), graph.targets.tolist(), strict=True))
    assert edges == sorted(set(edges))
    assert not any(source == target for source, target in edges)
    assert all(graph.names)
    if graph.directed and graph.weights is None:
        closure = transitive_closure(graph, most_edges=10_000)
        assert describe(closure).depth == describe(graph).depth


@target("edge-table", seeds.edge_tables)
def read_edge_table(data: bytes) -> None:
    """Edges as TSV, CSV or columns separated by blanks."""
    for name, options in (
        ("edges.csv", {"columns": "child,parent,weight"}),
        ("edges.tsv", {"order": "parent-child"}),
        ("edges", {"delimiter": " ", "directed": False}),
        ("edges", {"weighted": True, "encoding_errors": "replace"}),
    ):
        with contextlib.suppress(InputError):
            _read_edges(in_file(name, data), **options)
    _read_edges(in_file("edges", data), encoding_errors="replace")


@target("edge-jsonl", seeds.edge_json_lines)
def read_edge_json_lines(data: bytes) -> None:
    """Edges as JSON Lines."""
    path = in_file("edges.jsonl", data)
    for options in ({"columns": "child,parent,weight"}, {"weighted": True}):
        with contextlib.suppress(InputError):
            _read_edges(path, **options)
    _read_edges(path, columns="child,parent", encoding_errors="replace")


@target("tree", seeds.trees)
def read_tree(data: bytes) -> None:
    """An indented tree."""
    with contextlib.suppress(InputError):
        _read_edges(in_file("tree", data))
    _read_edges(in_file("edges.tree", data), encoding_errors="replace")


@target("matrix-market", seeds.matrices)
def read_matrix_market(data: bytes) -> None:
    """A sparse matrix of Matrix Market."""
    path = in_file("matrix.mtx", data)
    with contextlib.suppress(InputError):
        _read_edges(path, weighted=True, directed=False)
    _read_edges(path, format="mtx", encoding_errors="replace")


# -- encoded corpora


def _framed(files: dict[str, bytes]) -> bytes:
    """The files of a folder as bytes, sorted by name, each preceded by its length."""
    parts = (files[name] for name in _CORPUS_FILES)
    return b"".join(len(part).to_bytes(4, "little") + part for part in parts)


def _unframed(data: bytes) -> dict[str, bytes]:
    files, at = {}, 0
    for name in _CORPUS_FILES:
        length = int.from_bytes(data[at : at + 4], "little")
        files[name] = data[at + 4 : at + 4 + length]
        at += 4 + length
    return files


_CORPUS_FILES = sorted(seeds.encoded_corpora()[0])


def _within_corpus(data: bytes, edit: Edit, generator: random.Random) -> bytes:
    files = _unframed(data)
    name = generator.choice(_CORPUS_FILES)
    if name == ENCODED_HEADER and generator.random() < 0.7:
        files[name] = json_changed(files[name], generator)
    else:
        files[name] = edit(files[name])
    return _framed(files)


@target("encoded", lambda: list(map(_framed, seeds.encoded_corpora())), _within_corpus)
def read_encoded(data: bytes) -> None:
    """The folder of an encoded corpus, with a valid checksum."""
    folder = _folder() / "encoded"
    folder.mkdir(exist_ok=True)
    for name, content in _unframed(data).items():
        (folder / name).write_bytes(content)
    with contextlib.suppress(ValueError, RecursionError):
        about = json.loads((folder / ENCODED_HEADER).read_bytes())
        if isinstance(about, dict) and len(data) % 8:
            about["checksum"] = checksum_of(about, folder)
            (folder / ENCODED_HEADER).write_text(json.dumps(about))
    corpus = open_encoded(folder)
    assert corpus.tokens.max() < len(corpus.vocabulary)
    assert len(corpus.vocabulary.words) == len(set(corpus.vocabulary.words))


# -- vectors


def _within_json(data: bytes, _: Edit, generator: random.Random) -> bytes:
    return json_changed(data, generator)


def _within_model(data: bytes, edit: Edit, generator: random.Random) -> bytes:
    """Edit the header of a safetensors file, or the metadata in it; the file stays well-formed."""
    length = int.from_bytes(data[:8], "little")
    header, arrays = data[8 : 8 + length], data[8 + length :]
    kind = generator.randrange(3)
    if kind == 0:
        header = edit(header)
    elif kind == 1:
        header = json_changed(header, generator)
    else:
        whole = json.loads(header)
        about = whole["__metadata__"]["hyperskip"].encode()
        about = json_changed(about, generator) if generator.random() < 0.7 else edit(about)
        whole["__metadata__"]["hyperskip"] = about.decode("utf-8", "replace")
        header = json.dumps(whole).encode()
    return len(header).to_bytes(8, "little") + header + arrays


@target("model", seeds.models, _within_model)
def read_model(data: bytes) -> None:
    """A model file."""
    vectors = load(in_file("model.safetensors", data))
    assert len(vectors.words) == len(vectors.coordinates) == len(vectors.counts)
    vectors.coordinates.sum(dtype=np.float64)
    json.dumps(dict(vectors.options))
    for epoch in vectors.history:
        assert f"{epoch['epoch']}: {epoch['loss']:.4f}"
    if vectors.hierarchy is not None:
        rows = np.arange(len(vectors))
        probabilities = vectors.is_a_of_rows(rows, rows[::-1])
        assert ((probabilities >= 0) & (probabilities <= 1)).all()
    found = vectors.find([*vectors.words, "wordless", ""], skip_unknown=True)
    assert vectors.subwords is not None or not found.is_composed.any()
    assert np.isfinite(found[found.is_composed].points).all()


@target("registry", seeds.registries, _within_json)
def read_models(data: bytes) -> None:
    """A registry of named models."""
    for name, model in read_registry(in_file("models.json", data)).items():
        assert is_plain(name)
        assert model.name == name
        assert len(model.sha256) == 64
        if not is_web_address(model.location):
            with contextlib.suppress(InputError):  # most have no file
                file_of(model)


@target("map", seeds.maps, _within_model)
def read_a_map(data: bytes) -> None:
    """A map of a model; the explorer must be able to show every map that is accepted."""
    path = in_file("model.safetensors.disc-map", data)
    for vectors, words in seeds.mapped_vectors():
        found = read_map(path, map_key(vectors, words, "auto", 1))
        if found is not None:
            Queries(vectors, found, "model").model()
            Placer(found, vectors).place(vectors.points)


@target("taxonomy", seeds.taxonomies)
def read_categories(data: bytes) -> None:
    """Words and their categories."""
    taxonomy = read_taxonomy(in_file("taxonomy.tsv", data))
    assert all(parent in taxonomy.categories for _, parent in taxonomy.parents)


@target("checkpoint", seeds.checkpoints, _within_model)
def read_checkpoint(data: bytes) -> None:
    """A checkpoint, with a valid checksum."""
    path = in_file("checkpoint.safetensors", data)
    if len(data) % 8:
        _, tensors, about = read(path)
        about["checksum"] = checksum_of_parts(tensors, about)
        write(path, tensors, about)
    checkpoint = load_checkpoint(path)
    state = checkpoint.state_for(checkpoint.vectors.words)
    checkpoint.key.differences(checkpoint.key)
    assert state.position.epoch >= 0
    assert isinstance(state.position.sums.mean_loss, float)


def _within_npz(data: bytes, edit: Edit, generator: random.Random) -> bytes:
    """Edit one array of an npz."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    chosen = generator.choice(list(files))
    files[chosen] = edit(files[chosen])
    packed = io.BytesIO()
    compression = generator.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():  # without the current time
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return packed.getvalue()


def _register_format(format_name: str) -> None:
    within = _within_npz if format_name == "npz" else None

    @target(format_name, seeds.exported(format_name), within)
    def read_vectors(data: bytes) -> None:
        path = in_file("vectors", data)
        others = READ_COORDINATES[len(data) % len(READ_COORDINATES)]
        if others != AUTO:
            with contextlib.suppress(InputError):
                import_vectors(path, format=format_name, coordinates=others)
        vectors = import_vectors(path, format=format_name)
        save(vectors, _folder() / "imported")
        assert load(_folder() / "imported").words == vectors.words


for _format in FORMATS:
    if _format not in ("floret", "projector"):  # they are only written
        _register_format(_format)


# -- evaluation sets


@target("similarity", seeds.similarity_sets)
def read_similarity(data: bytes) -> None:
    """A list of rated pairs."""
    similarity_pairs(str(in_file("similarity", data)))


@target("analogy", seeds.analogy_sets)
def read_analogy(data: bytes) -> None:
    """A list of questions."""
    analogy_questions(str(in_file("analogy", data)))


@target("hypernymy", seeds.hypernymy_sets)
def read_hypernymy(data: bytes) -> None:
    """A list of labeled pairs."""
    hypernymy_pairs(str(in_file("hypernymy", data)))


# -- experiments


@target("run", seeds.records, _within_json)
def read_run(data: bytes) -> None:
    """The record of a run, and a report of it."""
    run = seeds.run_of_records()
    (_folder() / "runs").mkdir(exist_ok=True)
    in_file(f"runs/{run.name}.json", data)
    record = ExperimentFolder(_folder()).record_of(run)
    assert record is not None
    tables = [*result_tables([record], choices([record])), runs_table([record])]
    section = Section("Runs", [str(record.failure)], tables=tables)
    as_html(Document("Report", [section]))
    as_markdown(Document("Report", [section]))


@target("experiment", seeds.experiment_headers, _within_json)
def read_experiment(data: bytes) -> None:
    """The header of an experiment."""
    read_header(in_file("experiment.json", data))
