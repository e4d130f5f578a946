"""Data frames, tables, columns and records in memory, with the real libraries."""

import csv
import io
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from facts import naming
from optional_packages import run_without

import hyperskip
from hyperskip.errors import CorpusError
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.corpus import CorpusReader

TEXTS = ["a b", "c\nd", ""]
TOKENS = [["a", "b"], ["c"], []]
ITEMS = [[1, 20], [3], []]
TABLE = pa.table({"text": TEXTS, "tokens": TOKENS, "items": ITEMS, "id": [1, 2, 3]})


def pieces_of(corpus: Any, **options: Any) -> list[Any]:
    return list(CorpusReader(corpus, TextOptions(**options), 1))


class Stream:
    """An object that only has Arrow's protocol."""

    def __init__(self, data: Any) -> None:
        self.data = data

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.data.__arrow_c_stream__(requested_schema)


FRAMES: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.DataFrame({"text": TEXTS, "tokens": TOKENS, "items": ITEMS}),
    "pandas of Arrow": lambda: TABLE.to_pandas(types_mapper=pd.ArrowDtype),
    "polars": lambda: pl.DataFrame({"text": TEXTS, "tokens": TOKENS, "items": ITEMS}),
    "polars, lazy": lambda: pl.LazyFrame({"text": TEXTS, "tokens": TOKENS, "items": ITEMS}),
    "Arrow table": lambda: TABLE,
    "Arrow batch": lambda: TABLE.to_batches()[0],
    "Arrow reader": TABLE.to_reader,
    "Arrow protocol": lambda: Stream(TABLE),
    "dict": lambda: {"text": TEXTS, "tokens": TOKENS, "items": ITEMS},
    "dict of series": lambda: {"text": pd.Series(TEXTS), "tokens": TOKENS, "items": ITEMS},
    "records": TABLE.to_pylist,
    "one-shot records": lambda: iter(TABLE.to_pylist()),
}
EACH_FRAME = pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)


@EACH_FRAME
def test_a_column_is_read(frame: Callable[[], Any]) -> None:
    assert pieces_of(frame(), column="text") == [b"a b\nc d\n\n"]
    assert pieces_of(frame(), column="tokens") == [TOKENS]
    assert pieces_of(frame(), column="items") == [[["1", "20"], ["3"], []]]


@EACH_FRAME
def test_a_column_must_be_chosen(frame: Callable[[], Any]) -> None:
    with pytest.raises(CorpusError, match=naming("`column`", "text", "tokens", "items")):
        pieces_of(frame())
    with pytest.raises(CorpusError, match=naming("txt", "did you mean 'text'?", "items")):
        pieces_of(frame(), column="txt")


COLUMNS: dict[str, Callable[[], Any]] = {
    "pandas": lambda: pd.Series(TEXTS),
    "pandas objects": lambda: pd.Series(TEXTS, dtype=object),
    "pandas string": lambda: pd.Series(TEXTS, dtype="string[python]"),
    "pandas string of Arrow": lambda: pd.Series(TEXTS, dtype="string[pyarrow]"),
    "pandas ArrowDtype": lambda: pd.Series(TEXTS, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas categories": lambda: pd.Series(TEXTS, dtype="category"),
    "pandas, any index": lambda: pd.Series(TEXTS, index=["x", "x", "y"]),
    "polars": lambda: pl.Series(TEXTS),
    "polars categories": lambda: pl.Series(TEXTS, dtype=pl.Categorical),
    "Arrow array": lambda: pa.array(TEXTS),
    "Arrow chunks": lambda: pa.chunked_array([TEXTS[:1], TEXTS[1:]]),
    "Arrow dictionary": lambda: pa.array(TEXTS).dictionary_encode(),
    "Arrow view": lambda: pa.array(TEXTS, pa.string_view()),
    "Arrow protocol": lambda: Stream(pa.chunked_array([TEXTS])),
    "NumPy": lambda: np.array(TEXTS),
    "NumPy objects": lambda: np.array(TEXTS, dtype=object),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_columns_alone(column: Callable[[], Any]) -> None:
    assert pieces_of(column()) == [b"a b\nc d\n\n"]
    with pytest.raises(CorpusError, match=naming("`column`", "'text'", "leave out")):
        pieces_of(column(), column="text")


@pytest.mark.parametrize(
    ("corpus", "facts"),
    [
        (pd.Series(["a", None, "b"], index=["x", "y", "z"]), ["row 1", "'y'", "dropna()"]),
        (pd.Series(["a", None], index=[10, 20]), ["row 1", "label is 20", "dropna()"]),
        (pd.Series(["a", np.nan], dtype=object), ["row 1", "nan", "fillna('')"]),
        (pd.Series(["a", pd.NA], dtype="string"), ["row 1", "<NA>", "fillna('')"]),
        (pd.Series(["a", pd.NaT], dtype=object), ["row 1", "NaT"]),
        (pl.Series(["a", None]), ["row 1", "drop_nulls()"]),
        (pa.array(["a", None]), ["row 1", "drop_null()"]),
        (["a", None], ["document 1", "None"]),
        (["a", float("nan")], ["document 1", "nan"]),
        (["a", np.float32("nan")], ["document 1", "nan"]),
    ],
)
def test_missing_documents_are_named(corpus: Any, facts: list[object]) -> None:
    with pytest.raises(CorpusError, match=naming("missing", *facts)):
        pieces_of(corpus)


def test_rows_as_named_tuples_are_refused() -> None:
    rows = pd.DataFrame({"text": ["a b"], "label": ["c"]}).itertuples()
    with pytest.raises(CorpusError, match=naming("document 0", "named tuple", "row.text")):
        pieces_of(rows)


def test_names_of_files_are_not_texts(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a b")
    names = [str(tmp_path / "a.txt")]
    for corpus in (names, iter(names), pd.Series(names), pa.array(names)):
        with pytest.raises(CorpusError, match=naming(names[0], "pathlib.Path")):
            pieces_of(corpus)


def test_rows_are_named_far_into_a_frame() -> None:
    texts = {"text": ["some words"] * 4321 + [None] + ["more"] * 1000}
    for corpus in (pd.DataFrame(texts), pl.DataFrame(texts), pa.table(texts)):
        with pytest.raises(CorpusError, match=naming("row 4321", "'text'")):
            pieces_of(corpus, column="text")


def test_names_of_columns_that_are_not_strings() -> None:
    numbered = pd.DataFrame([["a b", "c d"]])
    assert pieces_of(numbered, column="1") == [b"c d\n"]
    with pytest.raises(CorpusError, match=naming("'5'", 0, 1)):
        pieces_of(numbered, column="5")
    levels = pd.MultiIndex.from_tuples([("a", "id"), ("a", "text")])
    with pytest.raises(CorpusError, match=naming("('a', 'text')")):
        pieces_of(pd.DataFrame([[1, "a b"]], columns=levels), column="text")
    twice = pd.DataFrame([["a", "b"]], columns=["text", "text"])
    with pytest.raises(CorpusError, match=naming("text", 2)):
        pieces_of(twice, column="text")


@pytest.mark.parametrize(
    ("corpus", "column"),
    [
        (pd.DataFrame({"text": []}), "text"),
        (pd.DataFrame(), None),
        (pl.DataFrame({"text": []}), "text"),
        (pa.table({"text": []}), "text"),
        (pd.Series([], dtype=object), None),
        ({}, None),
        ({"text": []}, "text"),
        ([], None),
        (iter(()), None),
    ],
)
def test_empty_inputs(corpus: Any, column: str | None) -> None:
    with pytest.raises(CorpusError) as caught:
        pieces_of(corpus, column=column)
    assert caught.value.hint


@pytest.mark.parametrize(
    ("frame", "facts"),
    [
        (pd.DataFrame({"x": [1, 2]}), ["row 0", "1 (int)"]),
        (pd.DataFrame({"x": [[1.0]]}), ["row 0", "1.0 (float)", "token 0"]),
        (pl.DataFrame({"x": [["a"], ["b", None]]}), ["row 1", "None", "token 1"]),
        (pa.table({"x": pa.array([0], pa.date32())}), ["'x'", "date32[day]"]),
        (pa.table({"x": [{"a": 1}]}), ["'x'", "struct"]),
        (pa.table({"x": [b"a"]}), ["row 0", "bytes"]),
        ({"x": "one text"}, ["'x'", "'one text' (str)", "[record, ...]"]),
        ({"x": 5}, ["'x'", "5 (int)"]),
        ({"x": {"a b", "c d"}}, ["'x'", "set", "order"]),
        ({"x": b"a b"}, ["'x'", "bytes", "decode"]),
        (pl.DataFrame({"user": [1], "x": [2]}).group_by("user"), ["group", "agg('item')"]),
        ([{"x": "a"}, {"y": "b"}], ["document 1", "'x'", "'y'"]),
        ([{"x": "a"}, "b"], ["document 1", "'b' (str)"]),
        ([{"x": "a"}, {"x": {"b": 1}}], ["document 1", "'x'", "{'b': 1} (dict)"]),
        ([{"x": "a"}, {"x": None}], ["document 1", "'x'", "None"]),
    ],
)
def test_cells_that_are_not_documents(frame: Any, facts: list[object]) -> None:
    with pytest.raises(CorpusError, match=naming(*facts)):
        pieces_of(frame, column="x")


def test_lists_that_contain_a_text_each(tmp_path: Path) -> None:
    texts = ["the cat sat", "the dog sat"]
    for corpus in ([[text] for text in texts], [texts[:1]] * 9):
        with pytest.raises(CorpusError, match=naming("'the cat sat'", "blanks", "texts")):
            hyperskip.encode(corpus, tmp_path / "kept")
    with pytest.raises(CorpusError, match=naming("`min_count`")) as caught:
        hyperskip.encode([["cat", "dog"]], tmp_path / "kept")
    assert "blanks" not in str(caught.value)


def test_an_empty_text_is_a_document(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": ["", "a b", "", "a b"]})
    corpus = hyperskip.encode(
        frame, tmp_path / "encoded", column="text", min_count=1, tokenizer="whitespace"
    )
    assert corpus.sentence_starts.tolist() == [0, 2, 4]
    assert corpus.options.column == "text"


def test_a_reader_of_csv_records() -> None:
    table = io.StringIO("id,text\n1,a b\n")
    assert pieces_of(csv.DictReader(table), column="text") == [b"a b\n"]


def test_a_table_without_pyarrow(tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(TABLE, tmp_path / "a.parquet")
    result = run_without(
        "pyarrow", "encode", tmp_path / "a.parquet", "-o", tmp_path / "e", "--column", "text"
    )
    assert result.returncode == 2, result.stderr
    assert "pip install 'hyperskip[parquet]'" in result.stderr


# -- documents without columns


class Text(str):
    """A string of another class, with another notation."""

    __slots__ = ()

    def __str__(self) -> str:
        return "not the text"


@pytest.mark.parametrize(
    "corpus",
    [
        [[1, 20], [3], []],
        ((1, 20), ("3",), ()),
        [np.array([1, 20]), np.array([3], np.uint8), np.array([], int)],
        [np.array(["1", "20"]), np.array(["3"], object), []],
        [[np.int64(1), np.str_("20")], [Text("3")], range(0)],
        [pd.Series([1, 20]), pa.array([3]), pl.Series([], dtype=pl.Int64)],
        (map(str, document) for document in ITEMS),
    ],
)
def test_lists_of_tokens(corpus: Any) -> None:
    (piece,) = pieces_of(corpus)
    assert list(map(list, piece)) == [["1", "20"], ["3"], []]


def test_arrays_of_two_dimensions() -> None:
    assert pieces_of(np.array([[1, 2], [3, 4]])) == [[["1", "2"], ["3", "4"]]]
    assert pieces_of(np.array([["a", "b"]])) == [[["a", "b"]]]


def test_texts_of_other_string_types() -> None:
    assert pieces_of([Text("a b"), np.str_("c"), "d"]) == [b"a b\nc\nd\n"]


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        (True, "True (bool)"),
        (np.bool_(True), "bool"),
        (1.5, "1.5 (float)"),
        (np.float32(2.0), "float32"),
        (float("nan"), "nan"),
        (None, "None"),
        (b"x", "b'x' (bytes)"),
        (["x"], "['x'] (list)"),
    ],
)
def test_tokens_that_are_not_words(token: object, shown: str) -> None:
    with pytest.raises(CorpusError, match=naming("document 1", "token 2", shown)):
        pieces_of([["a", "b"], ["c", 4, token]])


@pytest.mark.parametrize(
    ("document", "fact"),
    [
        (3, "3 (int)"),
        (np.int64(3), "int64"),
        (True, "True (bool)"),
        (b"x", "bytes"),
        (bytearray(b"x"), "bytearray"),
        (memoryview(b"x"), "memoryview"),
        ({"a", "b"}, "no order"),
        (Path("text"), "PosixPath"),
        (np.array(3), "ndarray"),
        (next(pd.DataFrame({"text": ["a b"], "label": [1]}).itertuples()), "row.text"),
    ],
)
def test_documents_that_are_neither_texts_nor_lists(document: object, fact: str) -> None:
    with pytest.raises(CorpusError, match=naming("document 1", fact)):
        pieces_of(["a b", document])


class OtherFrame(list[str]):
    """A data frame of an unknown library, which gives the names of its columns."""

    columns = ("id", "text")


def generate() -> Iterator[str]:
    yield "a b"
    yield "c"


async def generate_slowly() -> Any:
    yield "a b"


@pytest.mark.parametrize(
    ("corpus", "hint"),
    [
        (generate, "call it"),
        (lambda: ["a"], "call it"),
        (generate_slowly(), "async for"),
        (zip("ab", "cd", strict=True), "tuples"),
        (enumerate(["a"]), "tuples"),
        ({"a": "b"}.items(), "tuples"),
        ({"a", "b"}, "sorted"),
        (frozenset("ab"), "sorted"),
        (b"text", "decode"),
        (memoryview(b"text"), "decode"),
        (io.BytesIO(b"text"), "path"),
        (csv.reader(["a,b"]), "csv.DictReader"),
        (np.array("text"), "dimensions"),
        (pd.DataFrame({"text": ["a b"], "label": [1]}).to_numpy(), "array[:, 0]"),
        (OtherFrame(["id", "text"]), "to_pandas()"),
        (pd.DataFrame({"user": [1], "item": [2]}).groupby("user")["item"], "agg(list)"),
        (pl.DataFrame({"user": [1], "item": [2]}).group_by("user"), "agg('item')"),
        (pl.LazyFrame({"user": [1], "item": [2]}).group_by("user"), "agg('item')"),
        (5, "path"),
        (None, "path"),
        (str, "path"),
    ],
)
def test_objects_that_are_not_a_corpus(corpus: Any, hint: str) -> None:
    with pytest.raises(CorpusError, match=naming("`corpus`", hint)):
        pieces_of(corpus)


@pytest.mark.parametrize(
    "corpus",
    [
        generate(),
        map(str, ["a b", "c"]),
        io.StringIO("a b\nc"),
        {"x": "a b", "y": "c"}.values(),
        {"a b": 1, "c": 2}.keys(),
    ],
)
def test_other_iterables_are_read(corpus: Any) -> None:
    assert b"".join(pieces_of(corpus)).split() == [b"a", b"b", b"c"]


class Once:
    """Documents that can be iterated once, in small steps."""

    def __init__(self) -> None:
        self.iterations = 0

    def __iter__(self) -> Iterator[list[int]]:
        self.iterations += 1
        for number in range(100):
            yield [number % 3, number % 5]


def test_a_corpus_is_iterated_once(tmp_path: Path) -> None:
    corpus = Once()
    vectors = hyperskip.train(corpus, dimension=2, epochs=2, min_count=1, subsample=0)
    assert set(vectors.words) == set("01234")
    assert corpus.iterations == 1
    hyperskip.encode(corpus, tmp_path / "encoded")
    assert corpus.iterations == 2


def test_the_error_of_a_generator_is_not_changed(tmp_path: Path) -> None:
    def failing() -> Iterator[str]:
        yield "a b"
        raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match=r"^mine$"):
        hyperskip.encode(failing(), tmp_path / "encoded", min_count=1)
    assert list(tmp_path.iterdir()) == []


def test_a_bad_document_leaves_nothing(tmp_path: Path) -> None:
    frame = pd.DataFrame({"text": ["a b"] * 10_000 + [None]})
    with pytest.raises(CorpusError, match=naming("row 10000")):
        hyperskip.encode(frame, tmp_path / "encoded", column="text")
    assert list(tmp_path.iterdir()) == []


def test_a_delimiter_is_for_files() -> None:
    for corpus, column in ((TEXTS, None), (TABLE, "text")):
        with pytest.raises(CorpusError, match=naming("`delimiter`", "';'")):
            pieces_of(corpus, column=column, delimiter=";")


def test_a_mapping_of_another_type() -> None:
    class Record(Mapping[str, str]):
        def __getitem__(self, key: str) -> str:
            return {"text": "a b"}[key]

        def __iter__(self) -> Iterator[str]:
            return iter(["text"])

        def __len__(self) -> int:
            return 1

    assert pieces_of([Record()], column="text") == [b"a b\n"]


# -- Hugging Face datasets


@pytest.mark.slow
def test_datasets_of_hugging_face(tmp_path: Path) -> None:
    """In a process of its own: importing the library gives warnings."""
    pytest.importorskip("datasets", exc_type=ImportError)
    program = Path(__file__).with_name("datasets_program.py")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
