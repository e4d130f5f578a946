"""Wikipedia dumps: only the prose of articles is read."""

import bz2
import errno
import io
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from compressors import COMPRESSORS
from facts import naming
from wiki_dumps import FOOTER, HEADER, MARKUP, PROSE, dump, page

from hyperskip.errors import CorpusError, CorpusWarning, HyperskipError
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.encoding.encoding_events import EncodingEvent, EncodingProgress
from hyperskip.text.options import TextOptions
from hyperskip.text.reading.markup import crude_prose, parsed_prose, prose
from hyperskip.text.reading.markup_workers import MarkupWorkers, markup_workers
from hyperskip.text.reading.sources import read_files
from hyperskip.text.reading.wikipedia import dump_text, is_dump

HIDDEN = frozenset({"file", "image", "category", "datei", "kategorie"})
PAGES = [
    page("Ahlbeck", MARKUP),
    page("Diskussion:Ahlbeck", "talk of the town", 1),
    page("Town", "#REDIRECT [[Ahlbeck]]", redirect="Ahlbeck"),
    page("Empty", ""),
    page("Datei:Picture.jpg", "a picture", 6),
    page("Second & last", "The [[second]] article, 3 < 4 & ‘quoted’ 日本語."),
]
TEXT = PROSE + "The second article, 3 < 4 & ‘quoted’ 日本語.\n"


def text_of(file: Path | None, threads: int = 1) -> str:
    pieces = read_files([file], TextOptions(), lambda _: None, threads)
    return b"".join(piece for piece in pieces if isinstance(piece, bytes)).decode()


def test_markup_becomes_prose() -> None:
    assert prose(MARKUP, HIDDEN) == PROSE
    assert parsed_prose(MARKUP, HIDDEN) == PROSE  # the parser alone gives the same


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("plain", "plain\n"),
        ("one\ntwo\n\nthree", "one two\nthree\n"),
        ("== A ==\nb", "A\nb\n"),
        ("{{a|{{b}}|[[c]]}}d", "d\n"),
        ("{{never closed", "{{never closed\n"),
        ("<!-- a\n\nb -->c<!-- never closed", "c\n"),
        ("[[a]]s and [[b|c]]", "as and c\n"),
        ("[[Datei:X|mini|with [[a]] and [[b|c]]]]d", "d\n"),
        ("[[:Datei:X]] [[a:b]] [[de:x]]", "Datei:X a:b\n"),
        ("a<ref>b</ref><REF name=x/>c<ref name=y>d <i>e</i></ref>", "ac\n"),
        ("&#x110000; &#0; &alpha; &nosuch;", "&#x110000; &#0; α &nosuch;\n"),
        ("a<br>b", "a b\n"),
        ("'''''a''''' b's", "a b's\n"),
        ("[https://a.b c d] [https://a.b] https://a.b", "c d\n"),
        ("\ud800 a", "\ud800 a\n"),
    ],
)
def test_pieces_of_markup(text: str, expected: str) -> None:
    assert prose(text, HIDDEN) == expected


def test_crude_prose_drops_most_markup() -> None:
    text = crude_prose(MARKUP)
    for word in ("and has", "district of Greifswald", "Another item", "History\n", "After a break"):
        assert word in text
    assert not any(mark in text for mark in ("{{", "[[", "<", "|-", "Kategorie", "infobox"))


@pytest.mark.parametrize(
    "mark", ["{{", "[[", "{|\n", "<ref>", "<", "[[a|", "=", "*\n", "\n ", "__A"]
)
def test_crude_prose_is_fast_for_any_markup(mark: str) -> None:
    crude_prose(mark * 200_000)  # it would take hours in quadratic time
    crude_prose(f"a{mark * 200_000}b")


def test_long_pages_are_not_parsed() -> None:
    markup = "''a'' <u>[[b]]</u> [[c:d]] long"
    assert prose(markup, HIDDEN, longest_parsed=10) == "a b long\n"


@pytest.mark.parametrize("suffix", ["", *COMPRESSORS])
@pytest.mark.parametrize("threads", [1, 3])
def test_dumps(tmp_path: Path, suffix: str, threads: int) -> None:
    pack = COMPRESSORS.get(suffix, bytes)
    path = tmp_path / f"dewiki-pages-articles.xml{suffix}"
    path.write_bytes(pack(dump(PAGES).encode()))
    assert text_of(path, threads) == TEXT


def test_many_streams_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "multistream.xml.bz2"
    parts = [HEADER, *(page(f"p{i}", f"article {i} text") for i in range(20)), FOOTER]
    path.write_bytes(b"".join(bz2.compress(part.encode()) for part in parts))
    assert text_of(path, 2) == "".join(f"article {i} text\n" for i in range(20))


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_dumps_are_read_in_blocks(size: int) -> None:
    content = '<?xml version="1.0"?>\n' + dump(PAGES)
    stream = io.BytesIO(content.encode())
    read = dump_text(stream, "a.xml", 2, block_bytes=size, batch_characters=1)
    assert "".join(read) == TEXT


def test_a_dump_may_come_through_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BufferedReader(io.BytesIO(bz2.compress(dump(PAGES).encode())))
    monkeypatch.setattr("sys.stdin", type("Stdin", (), {"buffer": raw}))
    assert text_of(None) == TEXT


@pytest.mark.parametrize(
    "before",
    [
        "\ufeff",
        "\n ",
        '<?xml version="1.0" encoding="utf-8"?>\n',
        "<!-- one --> <!-- > <mediawiki> -->\n<?style sheet?>",
    ],
)
def test_a_dump_is_recognized_by_its_content(tmp_path: Path, before: str) -> None:
    for name in ("a.xml", "enwiki.xml-p1p41242", "a.txt", "a"):
        (tmp_path / name).write_text(before + dump(PAGES))
        assert text_of(tmp_path / name) == TEXT


def test_elements_may_have_a_prefix(tmp_path: Path) -> None:
    prefixed = re.sub("<(/?)(?=[a-z])", r"<\1mw:", dump(PAGES)).replace("xmlns=", "xmlns:mw=")
    (tmp_path / "a").write_text(prefixed)
    assert "<mw:page>" in prefixed
    assert text_of(tmp_path / "a") == TEXT


def test_recognizing_a_dump_is_fast() -> None:
    for mark in (b"<!---->", b"<!--", b"<??>", b"<?", b" ", b"-->"):
        assert not is_dump(mark * (1 << 12))


def test_a_dump_without_articles_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(dump(PAGES[1:5]))
    with pytest.warns(CorpusWarning, match=naming(tmp_path / "a.xml")):
        assert text_of(tmp_path / "a.xml") == ""


def test_other_files_are_text(tmp_path: Path) -> None:
    for start in ("<mediawikis>", "<!DOCTYPE html>", "<!-- <mediawiki> ", "a <mediawiki>"):
        assert not is_dump(start.encode())
    (tmp_path / "a.xml").write_text("<html>text</html>")
    assert text_of(tmp_path / "a.xml") == "<html>text</html>\n"
    (tmp_path / "empty.xml").touch()
    assert text_of(tmp_path / "empty.xml") == "\n"


def test_the_last_revision_counts(tmp_path: Path) -> None:
    history = page("a", "new text").replace(
        "<revision>", "<revision><text>old text</text></revision><revision>", 1
    )
    (tmp_path / "a.xml").write_text(dump([history]))
    assert text_of(tmp_path / "a.xml") == "new text\n"


def test_endless_pages_are_cut() -> None:
    stream = io.BytesIO(dump([page("a", "word " * 100_000)]).encode())
    read = dump_text(stream, "a.xml", 1, longest_page=100)
    assert "".join(read) == ("word " * 20).strip() + "\n"


@pytest.mark.parametrize(
    ("content", "facts"),
    [  # the messages of the XML parser
        (dump(PAGES)[:3000], [2996]),
        (HEADER + "<page><title></page>", ["mismatched tag", 11]),
        (HEADER + "&undefined;" + FOOTER, ["undefined entity", 11]),
        (HEADER + FOOTER + "more", ["junk after document element"]),
        (HEADER.replace(" xml:lang", " <"), ["not well-formed"]),
    ],
)
def test_broken_xml_is_named(tmp_path: Path, content: str, facts: list[object]) -> None:
    (tmp_path / "a.xml").write_text(content)
    with pytest.raises(CorpusError, match=naming(tmp_path / "a.xml", *facts)) as caught:
        text_of(tmp_path / "a.xml")
    assert caught.value.hint


def test_entities_cannot_explode(tmp_path: Path) -> None:
    bomb = "".join(f'<!ENTITY e{i + 1} "{f"&e{i};" * 10}">' for i in range(20))
    (tmp_path / "a.xml").write_text(
        f'<!DOCTYPE mediawiki [<!ENTITY e0 "x">{bomb}]><mediawiki>&e20;</mediawiki>'
    )
    with pytest.raises(CorpusError, match=naming(tmp_path / "a.xml")):
        text_of(tmp_path / "a.xml")


def test_damaged_compression_of_a_dump_is_named(tmp_path: Path) -> None:
    packed = bz2.compress(dump(PAGES * 50).encode())
    (tmp_path / "a.xml.bz2").write_bytes(packed[:-20])
    with pytest.raises(CorpusError, match=naming(tmp_path / "a.xml.bz2")):
        text_of(tmp_path / "a.xml.bz2")


def test_a_page_that_takes_too_long_is_not_parsed() -> None:
    pages = ["first [[article]]", "<b>" * 50_000 + "[[slow]]", "'''last''' {{one}}"]
    # On a busy machine, a short page may take longer than a second, too.
    with markup_workers(1, seconds=5.0) as pool:
        assert pool.prose(pages, HIDDEN) == "first article\nslow\nlast\n"
        assert pool.given_up == 1


def test_stopping_workers_releases_waiting_threads() -> None:
    slow = ["<b>" * 50_000] * 20
    with markup_workers(1) as pool, ThreadPoolExecutor(2) as threads:
        waiting = [threads.submit(pool.prose, slow, HIDDEN) for _ in range(2)]
        time.sleep(1.0)  # usually long enough for them to be busy
        pool.stop()
        assert [future.result() for future in waiting] == ["", ""]
        assert pool.given_up == 0


SERVE = "import sys; from hyperskip.text.reading.markup import serve; " + (
    "serve(sys.stdin.buffer, sys.stdout.buffer, 0.5)"
)


@pytest.mark.parametrize("markup", ["plain " * 10_000, "<b>" * 50_000], ids=["quick", "slow"])
def test_a_worker_without_a_parent_ends_quietly(markup: str) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    assert pickle.load(worker.stdout) == "ready"
    worker.stdout.close()
    pickle.dump(([markup], HIDDEN), worker.stdin)
    worker.stdin.close()
    assert worker.wait(timeout=120) < 0  # by a signal
    assert worker.stderr.read() == b""
    worker.stderr.close()


def children(parent: int) -> set[int]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True)
    return set(map(int, found.stdout.split()))


@pytest.mark.skipif(shutil.which("pgrep") is None, reason="pgrep is not installed")
def test_slow_markup_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "slow.xml").write_text(dump([page("slow", "<b>" * 50_000)] * 20))
    command = [sys.executable, "-m", "hyperskip", "encode", "slow.xml", "-o", "kept"]
    running = subprocess.Popen(
        [*command, "--threads", "2"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    while running.poll() is None and len(children(running.pid)) < 2:
        time.sleep(0.1)
    time.sleep(1.0)
    started = children(running.pid)
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=120)
    assert running.returncode == 130, err
    assert "Traceback" not in err
    for child in started:
        with pytest.raises(ProcessLookupError):
            os.kill(child, 0)
    assert [path.name for path in tmp_path.iterdir()] == ["slow.xml"]


def test_workers_that_do_not_start_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for program, fact in (
        ("/bin/false", "1"),  # its exit code
        ("/bin/echo", "/bin/echo"),
        ("/none", os.strerror(errno.ENOENT)),
    ):
        monkeypatch.setattr(sys, "executable", program)
        pool = MarkupWorkers(1)
        with pytest.raises(HyperskipError, match=naming(program, fact)):
            pool.prose(["text"], HIDDEN)
        pool.end()


def test_a_script_needs_no_main(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(dump(PAGES))
    script = tmp_path / "script.py"
    script.write_text(
        "import hyperskip\n"
        "print('started')\n"
        f"made = hyperskip.encode({str(tmp_path / 'a.xml')!r}, {str(tmp_path / 'kept')!r},\n"
        "    min_count=1)\n"
        "print(len(made.sentence_starts) - 1)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    assert done.stdout == "started\n13\n", done.stderr


def test_encoding_a_dump(tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml.bz2"
    path.write_bytes(bz2.compress(dump(PAGES * 100).encode()))
    found = []
    seen: list[EncodingEvent] = []
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        folder.mkdir()
        made = encode_into(path, TextOptions(), folder, seen.append, threads=threads)
        found.append((made.vocabulary.words, made.tokens.tolist(), made.sentence_starts.tolist()))
    assert found[0] == found[1]
    assert isinstance(seen[-1], EncodingProgress)
    assert seen[-1].bytes_read == seen[-1].bytes_total == path.stat().st_size
