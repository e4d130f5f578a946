"""`Relations`, and the table that it is saved as."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from facts import naming

import hyperskip
from hyperskip.errors import CorpusError, InputError, OutputError
from hyperskip.text.relations.relations import Relations

ROWS = [("dog", "animal", 3, ("such-as", "including")), ("new york", "city", 1, ())]


def test_saved_and_read_again(tmp_path: Path) -> None:
    relations = Relations.of_rows(ROWS)
    path = tmp_path / "relations.tsv"
    relations.save(path)
    assert path.read_text() == (
        "narrower\tbroader\tcount\tpatterns\n"
        "dog\tanimal\t3\tsuch-as,including\n"
        "new york\tcity\t1\t\n"
    )
    again = hyperskip.read_relations(path)
    assert list(again) == list(relations) == ROWS
    compressed = tmp_path / "relations.tsv.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert list(hyperskip.read_relations(compressed)) == ROWS


def test_arrays_and_frame() -> None:
    relations = Relations.of_rows(ROWS)
    assert len(relations) == 2
    assert "2 pairs" in repr(relations)
    assert relations.terms == ("dog", "animal", "new york", "city")
    np.testing.assert_array_equal(relations.narrower, [0, 2])
    np.testing.assert_array_equal(relations.broader, [1, 3])
    np.testing.assert_array_equal(relations.counts, [3, 1])
    with pytest.raises(ValueError, match="read-only"):
        relations.counts[0] = 5
    frame = relations.to_pandas()
    assert list(frame.columns) == ["narrower", "broader", "count", "patterns"]
    assert frame["broader"].tolist() == ["animal", "city"]


def test_a_graph_can_be_read_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv"
    Relations.of_rows(ROWS).save(path)
    graph = hyperskip.read_graph(path, columns="narrower,broader,count")
    assert graph.edge_count == 2


def test_the_header_and_the_patterns_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv"
    path.write_text("poodle\tdog\t2\ndog\tanimal\t1\tisa\n")
    relations = list(hyperskip.read_relations(path))
    assert relations == [("poodle", "dog", 2, ()), ("dog", "animal", 1, ("isa",))]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", 1),
        (b"child\tparent\tnumber\n", 1),
        (b"a\tb\t0.5\n", 1),
        (b"narrower\tbroader\tcount\npoodle\tdog\n", 2),
        (b"narrower\tbroader\tcount\npoodle\tdog\tmany\n", 2),
        (b"narrower\tbroader\tcount\npoodle\tdog\t1\n\tdog\t1\n", 3),
        (b"narrower\tbroader\tcount\npoodle\tdog\t0\n", 2),
        (b"narrower\tbroader\tcount\npoodle\tdog\t" + b"9" * 30 + b"\n", 2),
        (b"narrower\tbroader\tcount\n\xff\tdog\t1\n", 2),
        (b"narrower\tbroader\tcount\n" + b"x" * 70_000, 2),
    ],
)
def test_malformed_files(tmp_path: Path, content: bytes, line: int) -> None:
    path = tmp_path / "relations.tsv"
    path.write_bytes(content)
    with pytest.raises(CorpusError, match=naming(path.name, f"line {line}")):
        hyperskip.read_relations(path)


def test_paths_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=naming("missing.tsv")):
        hyperskip.read_relations(tmp_path / "missing.tsv")
    with pytest.raises(InputError):
        hyperskip.read_relations(5)  # type: ignore[arg-type]
    with pytest.raises(OutputError):
        Relations.of_rows(ROWS).save(tmp_path / "missing" / "relations.tsv")


def test_the_header_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / "relations.tsv"
    path.write_text("dog\tanimal\t3\n")
    assert list(hyperskip.read_relations(path)) == [("dog", "animal", 3, ())]
