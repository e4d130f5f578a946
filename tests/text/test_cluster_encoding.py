"""Encoding on a cluster gives the same bytes as on one machine."""

import filecmp
import gzip
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from ray_nodes import RayNodes

from hyperskip import builtin
from hyperskip.cluster.connection import connected
from hyperskip.cluster.nodes import Cluster
from hyperskip.errors import CorpusError, HyperskipError
from hyperskip.text.encoding.cluster.encoder import ClusterEncoder
from hyperskip.text.encoding.cluster.shards import Shards
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.encoding.encoding_events import EncodingProgress, Pruned
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Sizes

TINY = Sizes(piece_bytes=256, longest_word_bytes=1024, small_bytes=1 << 20, tokens_in_memory=500)
SENTENCES = "\n".join(builtin.sentences(3000)).encode()
MANY = 700  # bytes of a part: many parts


@pytest.fixture(scope="module")
def cluster(ray_cluster: RayNodes) -> Iterator[Cluster]:
    with connected(ray_cluster.address) as cluster:
        yield cluster


def files_of(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def check_same(
    cluster: Cluster,
    tmp_path: Path,
    corpus: Any,
    *,
    part_bytes: int | None = MANY,
    sizes: Sizes = TINY,
    **chosen: Any,
) -> EncodedCorpus:
    """Encode on one machine and on a cluster, to files and to shards, and compare."""
    options = TextOptions(**{"min_count": 2, **chosen})
    one, files, shards = (tmp_path / name for name in ("one", "files", "shards"))
    for folder in (one, files, shards):
        folder.mkdir()
    expected = encode_into(corpus, options, one, sizes=sizes)
    arguments: Any = {"sizes": sizes, "part_bytes": part_bytes}
    encoded = ClusterEncoder(corpus, options, files, cluster, **arguments).into_files()
    assert files_of(files) == files_of(one)
    for name in files_of(one):
        assert filecmp.cmp(one / name, files / name, shallow=False), name
    kept = ClusterEncoder(corpus, options, shards, cluster, **arguments).into_shards()
    for found in (encoded, kept):
        for name in ("letters", "starts", "counts"):
            np.testing.assert_array_equal(
                getattr(found.vocabulary, name), getattr(expected.vocabulary, name)
            )
        assert found.checksum() == expected.checksum()
        for name in ("options", "pruned", "given", "sources", "token_count"):
            assert getattr(found, name) == getattr(expected, name), name
        np.testing.assert_array_equal(found.sentence_starts, expected.sentence_starts)
    assert isinstance(kept.token_file, Shards)
    check_stretches(kept.token_file, expected)
    return kept


def check_stretches(shards: Shards, expected: EncodedCorpus) -> None:
    total = expected.token_count
    step = max(total // 7, 1)
    for begin in range(0, total, step):
        for end in (begin, begin + 1, begin + step + 1):
            stretch = shards.stretch(begin, min(end, total))
            np.testing.assert_array_equal(stretch, expected.stretch(begin, min(end, total)))
            np.testing.assert_array_equal(
                shards.starts_within(begin, min(end, total)),
                expected.starts_within(begin, min(end, total)),
            )


def text(tmp_path: Path, content: bytes, name: str = "text.txt") -> Path:
    path = tmp_path / name
    path.write_bytes(content)
    return path


def test_one_file_in_many_parts(cluster: Cluster, tmp_path: Path) -> None:
    encoded = check_same(cluster, tmp_path, text(tmp_path, SENTENCES))
    assert isinstance(encoded.token_file, Shards)
    assert len(encoded.token_file.shards) > 20


def test_several_files_of_all_kinds(cluster: Cluster, tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    text(folder, SENTENCES, "a.txt")
    text(folder, gzip.compress(SENTENCES), "b.txt.gz")  # several shards
    text(folder, b"", "c.txt")
    text(folder, b"the animal", "d.txt")
    text(folder, b"\xef\xbb\xbf" + SENTENCES[:2000] + b"\n\n\n", "e.txt")  # BOM
    check_same(cluster, tmp_path, folder)


def test_a_column_of_tables(cluster: Cluster, tmp_path: Path) -> None:
    rows = b"".join(b'%d,"%s"\n' % row for row in enumerate(SENTENCES.split(b"\n")[:100]))
    one = text(tmp_path, b"number,text\n" + rows, "one.csv")
    two = text(tmp_path, b"number\ttext\n1\tthe animal is\n", "two.tsv")
    check_same(cluster, tmp_path, [one, two], column="text")


def test_records_and_parquet(cluster: Cluster, tmp_path: Path) -> None:
    lines = SENTENCES.decode().split("\n")[:100]
    texts = [{"text": line} for line in lines] + [{"text": line.split()} for line in lines]
    records = "".join(json.dumps(record) + "\n" for record in texts)
    one = text(tmp_path, records.encode(), "one.jsonl")
    parquet.write_table(pa.table({"id": range(100), "text": lines}), tmp_path / "two.parquet")
    check_same(cluster, tmp_path, [one, tmp_path / "two.parquet"], column="text")


def test_a_table_in_memory_is_encoded_by_this_process(cluster: Cluster, tmp_path: Path) -> None:
    lines = SENTENCES.decode().split("\n")[:100]
    check_same(cluster, tmp_path, pa.table({"text": lines}), column="text")


@pytest.mark.parametrize(
    "content",
    [
        b"one two one two",
        b"one two one two\n",
        SENTENCES[:3000].replace(b"\n", b" "),  # a line longer than many parts
        b"one two " + b"word" * 600 + b" two one " * 100,  # a word longer than a part
        b"one two " + "éλ".encode() * 700 + b" two one\n" * 100,
        b"\n\n one \n\n" * 90 + b"two two " * 90 + b"\n" * 2000 + b"one two",
        (b"rare%d one\n" * 200) % tuple(range(200)) + b"two two",
    ],
    ids=["tiny", "line", "long line", "long word", "long words", "blank", "rare"],
)
@pytest.mark.parametrize("tokenizer", ["paper", "whitespace"])
def test_unusual_texts(cluster: Cluster, tmp_path: Path, content: bytes, tokenizer: str) -> None:
    check_same(cluster, tmp_path, text(tmp_path, content), tokenizer=tokenizer)


def commas(text: str) -> list[str]:
    return text.split(",")


@pytest.mark.parametrize(
    "options",
    [{"tokenizer": "icu"}, {"tokenizer": commas}, {"hyphens": "keep", "lowercase": False}],
    ids=["icu", "function", "options"],
)
@pytest.mark.parametrize("small", [0, 1 << 20])
def test_tokenizers(cluster: Cluster, tmp_path: Path, options: dict[str, Any], small: int) -> None:
    content = "今天天气很好,we know well-known Words,北京是首都\n,今天天气很好,a b\n".encode() * 90
    sizes = TINY._replace(small_bytes=small)
    encoded = check_same(cluster, tmp_path, text(tmp_path, content), sizes=sizes, **options)
    expected = {"icu": "天气", "function": "今天天气很好"}.get(
        str(encoded.options.tokenizer).split()[0], "well-known"
    )
    assert expected in encoded.vocabulary.words


def test_phrases_are_found_and_joined_on_one_machine(cluster: Cluster, tmp_path: Path) -> None:
    content = b"in new york\nthe new house\nold york\n" * 90
    options: dict[str, Any] = {"phrases": True, "phrase_threshold": 1e-3}
    encoded = check_same(cluster, tmp_path, text(tmp_path, content), **options)
    assert "the_new" in encoded.vocabulary.words


def test_the_compiled_scanner(cluster: Cluster, tmp_path: Path) -> None:
    sizes = Sizes(piece_bytes=1 << 12, small_bytes=0)
    check_same(cluster, tmp_path, text(tmp_path, SENTENCES), part_bytes=None, sizes=sizes)


def test_words_beyond_the_limit_are_dropped_as_on_one_machine(
    cluster: Cluster, tmp_path: Path
) -> None:
    words = np.random.default_rng(5).zipf(1.3, 20_000) % 6000
    content = b" ".join(b"w%d" % word + b"\n" * int(word % 7 == 0) for word in words)
    events: list[Any] = []
    path = text(tmp_path, content)
    encoded = check_same(cluster, tmp_path, path, part_bytes=9000, vocabulary_limit=1000)
    assert encoded.pruned.words > 1000
    (tmp_path / "again").mkdir()
    options = TextOptions(vocabulary_limit=1000)
    encoder = ClusterEncoder(path, options, tmp_path / "again", cluster, events.append)
    assert encoder.into_files().pruned == [each for each in events if isinstance(each, Pruned)][-1]


def test_documents_are_encoded_by_this_process(cluster: Cluster, tmp_path: Path) -> None:
    check_same(cluster, tmp_path, SENTENCES.decode().split("\n"))
    check_same(cluster, tmp_path / "files", [["one", "two"], ["one", "two"]])


def test_urls(cluster: Cluster, tmp_path: Path) -> None:
    import fsspec

    path = text(tmp_path, SENTENCES)
    check_same(cluster, tmp_path, f"file://{path}")
    with fsspec.open("memory://cluster/text.txt", "wb") as file:
        file.write(SENTENCES)
    for folder in ("one", "files", "shards"):
        (tmp_path / folder).rename(tmp_path / f"{folder}-of-a-file")
    check_same(cluster, tmp_path, "memory://cluster/text.txt")


def test_progress_is_reported(cluster: Cluster, tmp_path: Path) -> None:
    events: list[Any] = []
    path = text(tmp_path, SENTENCES)
    encoder = ClusterEncoder(
        path, TextOptions(), tmp_path, cluster, events.append, sizes=TINY, part_bytes=5000
    )
    encoder.into_files()
    assert {type(event) for event in events} == {EncodingProgress}
    read = [event.bytes_read for event in events]
    assert read == sorted(read)
    assert (read[-1], events[-1].bytes_total) == (len(SENTENCES), len(SENTENCES))
    assert len(events) > 3


@pytest.mark.parametrize(
    ("content", "options"),
    [
        (SENTENCES + b"\xff" + SENTENCES, {}),
        (SENTENCES + b"\0" + SENTENCES, {}),
        (b"12 34 5", {}),
        (b"one two three", {"min_count": 2}),
        (b"one one", {"min_count": 1}),
        (b'\x10\0\0\0\0\0\0\0{"' + SENTENCES, {}),
    ],
    ids=["not UTF-8", "NUL", "no words", "rare words", "one word", "model"],
)
def test_errors_are_those_of_one_machine(
    cluster: Cluster, tmp_path: Path, content: bytes, options: dict[str, Any]
) -> None:
    path, chosen = text(tmp_path, content), TextOptions(**options)
    with pytest.raises(CorpusError) as expected:
        encode_into(path, chosen, tmp_path, sizes=TINY)
    with pytest.raises(CorpusError) as found:
        ClusterEncoder(path, chosen, tmp_path, cluster, sizes=TINY, part_bytes=MANY).into_files()
    assert (found.value.message, found.value.hint) == (expected.value.message, expected.value.hint)


def fails_on_nodes(cluster: Cluster, path: Path, spoil: Callable[[], object]) -> HyperskipError:
    """The error if the text is spoiled after this process has looked at it."""
    encoder = ClusterEncoder(path, TextOptions(), path.parent, cluster)
    encoder._reader.shared_files()
    spoil()
    encoder._reader.shared_files = lambda: [path]  # type: ignore[method-assign]
    with pytest.raises(CorpusError) as caught:
        encoder.into_files()
    return caught.value


def test_a_node_without_the_text_is_named(cluster: Cluster, tmp_path: Path) -> None:
    path = text(tmp_path, SENTENCES)
    error = fails_on_nodes(cluster, path, path.unlink)
    assert any(node.name in error.message for node in cluster.nodes())
    assert str(path) in error.message
    path.write_bytes(SENTENCES)
    error = fails_on_nodes(cluster, path, lambda: path.write_bytes(b"one two"))
    assert any(node.name in error.message for node in cluster.nodes())


def test_a_file_that_changes_is_refused(cluster: Cluster, tmp_path: Path) -> None:
    path = text(tmp_path, SENTENCES)
    error = fails_on_nodes(cluster, path, lambda: os.utime(path, (1, 1)))
    assert "changed while it was read" in error.message


def test_killed_processes_are_replaced(cluster: Cluster, tmp_path: Path) -> None:
    import ray

    path = text(tmp_path, SENTENCES)
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    expected = encode_into(path, TextOptions(), one, sizes=TINY)
    ask = ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(lambda: os.getpid())
    processes = set(ray.get([ask.remote() for _ in range(4)]))  # which run other tasks, too

    def kill(_: object) -> None:
        while processes:
            os.kill(processes.pop(), signal.SIGKILL)

    encoder = ClusterEncoder(path, TextOptions(), other, cluster, kill, sizes=TINY, part_bytes=300)
    assert encoder.into_files().checksum() == expected.checksum()
    assert not processes


@pytest.mark.parametrize("moment", ["while encoding", "before reading"])
def test_the_text_of_a_killed_node_is_encoded_again(
    ray_cluster: RayNodes, cluster: Cluster, tmp_path: Path, moment: str
) -> None:
    path = text(tmp_path, SENTENCES * 30)  # too large to be kept in the memory of this process
    expected = encode_into(path, TextOptions(), tmp_path)
    node = ray_cluster.add()
    events: list[object] = []

    def kill(event: object) -> None:
        events.append(event)
        if moment == "while encoding" and len(events) == 2:
            ray_cluster.kill(node)

    folder = tmp_path / "shards"
    folder.mkdir()
    encoded = ClusterEncoder(path, TextOptions(), folder, cluster, kill).into_shards()
    if moment == "before reading":
        ray_cluster.kill(node)
    assert encoded.checksum() == expected.checksum()
    ray_cluster.wait_for_death(node)


def test_an_interruption_ends_all_tasks(cluster: Cluster, tmp_path: Path) -> None:
    import ray

    def interrupt(_: object) -> None:
        raise KeyboardInterrupt

    path = text(tmp_path, SENTENCES)
    encoder = ClusterEncoder(
        path, TextOptions(), tmp_path, cluster, interrupt, sizes=TINY, part_bytes=300
    )
    with pytest.raises(KeyboardInterrupt):
        encoder.into_files()
    while ray.available_resources().get("CPU", 0) < ray.cluster_resources()["CPU"]:
        time.sleep(0.1)
