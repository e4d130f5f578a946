import gzip
from pathlib import Path

import pooch
import pytest
import requests
from facts import naming

from hyperskip.errors import DatasetError
from hyperskip.evaluation import known_sets
from hyperskip.evaluation.datasets import analogy_questions, similarity_pairs
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.known_sets import Download, NamedDataset
from hyperskip.evaluation.set_files import check_folder


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("HYPERSKIP_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _: tmp_path / "cache")


def test_a_file_of_word_word_score(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(
        "# comment\nword1\tword2\tscore\n\nsun\tlight\t9.5\ncat,dog,4\nred blue 3 extra\n"
    )
    assert similarity_pairs(str(path)) == [
        ("sun", "light", 9.5),
        ("cat", "dog", 4.0),
        ("red", "blue", 3.0),
    ]


# First lines of public sets, in their original layouts.
PUBLISHED = {
    "WordSim-353": "Word 1,Word 2,Human (mean)\nlove,sex,6.77\ntiger,cat,7.35\n",
    "SimLex-999": "word1\tword2\tPOS\tSimLex999\tconc(w1)\tconc(w2)\tconcQ\tAssoc(USF)\n"
    "love\tsex\tN\t6.77\t2.72\t2.81\t2\t7.25\ntiger\tcat\tN\t7.35\t3.55\t3.2\t2\t7.11\n",
    "SimVerb-3500": "love\tsex\tV\t6.77\tSYNONYMS\ntiger\tcat\tV\t7.35\tNONE\n",
    "RareWords": "love\tsex\t6.77\t8\t6\t7\t7\t6\ntiger\tcat\t7.35\t7\t8\t7\t7\t8\n",
    "MTurk": "love,sex,6.77\ntiger,cat,7.35\n",
    "RG-65": "love;sex;6.77\ntiger;cat;7.35\n",
    "MEN": "love sex 6.770000\ntiger cat 7.350000\n",
    "HyperLex": "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES..\n"
    "love sex N r-hyp-1 6.77 8.67 1.25 5 6\ntiger cat V syn 7.35 2.37 1.66 3 0\n",
    "with quotation marks": '"a","b","score"\r\n"love","sex","6.77"\r\n"tiger","cat","7.35"\r\n',
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_original_layouts_are_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / "published"
    path.write_bytes(PUBLISHED[name].encode())
    assert similarity_pairs(str(path)) == [("love", "sex", 6.77), ("tiger", "cat", 7.35)]


def test_a_file_of_analogies(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("a b c d\n: capitals\nAthens Greece Oslo Norway\n")
    assert analogy_questions(str(path)) == {
        "mine": [("a", "b", "c", "d")],
        "capitals": [("Athens", "Greece", "Oslo", "Norway")],
    }


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        (b"sun light 1\nsun light\n", [2, "'sun light'"]),
        (b"sun light 3\ncat dog many\n", [2, "'cat dog many'"]),
        (b"sun light nan\nsun light inf\n", [1, "'sun light nan'"]),
        (b"one header\ntwo headers\nsun light 1\n", [2, "'two headers'"]),
        (b"", []),
        (b"\xff\xfe\n", ["UTF-8"]),
    ],
)
def test_malformed_similarity_files(tmp_path: Path, content: bytes, facts: list[object]) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=naming(path, *facts)):
        similarity_pairs(str(path))


@pytest.mark.parametrize(
    ("content", "facts"),
    [("a b c\n", [1, "'a b c'"]), ("a b c d e\n", [1, "'a b c d e'"]), ("", [])],
)
def test_malformed_analogy_files(tmp_path: Path, content: str, facts: list[object]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(content)
    with pytest.raises(DatasetError, match=naming(path, *facts)):
        analogy_questions(str(path))


def test_compression_encodings_and_separators(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfdog\tcat\t5\nhorse;dog;2,5\nnew york,city,7.5\n"))
    assert similarity_pairs(str(path)) == [
        ("dog", "cat", 5.0),
        ("horse", "dog", 2.5),
        ("new york", "city", 7.5),
    ]


def test_a_folder_named_by_the_variable_must_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HYPERSKIP_DATA", "/nonexistent")
    for name in ("ws353", "bless"):
        with pytest.raises(DatasetError, match=naming("/nonexistent", "HYPERSKIP_DATA")):
            check_folder([name], None)
    check_folder(["builtin", "my-file.txt"], None)


def test_named_sets_are_found_in_folder_or_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "EN-WS-353-ALL.txt").write_text("love sex 6.77\n")
    assert similarity_pairs("ws353", tmp_path) == [("love", "sex", 6.77)]
    monkeypatch.setenv("HYPERSKIP_DATA", str(tmp_path))
    assert similarity_pairs("ws353") == [("love", "sex", 6.77)]
    with pytest.raises(DatasetError, match=naming(tmp_path / "none", "data")):
        similarity_pairs("ws353", tmp_path / "none")


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    for name in ("nothing", "x" * 300):
        with pytest.raises(
            DatasetError, match=naming(name, *known_sets.SIMILARITY_SETS, "builtin")
        ):
            similarity_pairs(name)


def test_a_failed_download_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    def offline(*_: object, **__: object) -> str:
        raise requests.exceptions.ConnectionError("HTTPSConnectionPool: Max retries exceeded")

    monkeypatch.setattr(pooch, "retrieve", offline)
    with pytest.raises(DatasetError, match=naming("google", "no connection", "data")) as caught:
        analogy_questions("google")
    assert "https://" in str(caught.value.hint)


def test_a_download_is_checked_and_cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site"
    site.mkdir()
    (site / "ours.txt").write_text("sun light 1\nsun moon 2\n")

    def local(url: str, output_file: str, _: object) -> None:
        Path(output_file).write_bytes(Path(url.removeprefix("https://site/")).read_bytes())

    monkeypatch.setattr("pooch.core.choose_downloader", lambda *_, **__: local)
    good = pooch.file_hash(str(site / "ours.txt"))
    for digest, fails in (("0" * 64, True), (good, False)):
        named = NamedDataset(("ours.txt",), Download(f"https://site/{site}/", digest))
        monkeypatch.setitem(known_sets.SIMILARITY_SETS, "ours", named)
        if fails:
            with pytest.raises(DatasetError, match=naming("ours", "ours.txt")):
                similarity_pairs("ours")
        else:
            assert len(similarity_pairs("ours")) == 2
    assert (tmp_path / "cache" / "ours.txt").is_file()
    (site / "ours.txt").unlink()
    assert len(similarity_pairs("ours")) == 2


def test_the_built_in_sets_are_known() -> None:
    assert len(similarity_pairs("builtin")) > 100
    assert len(hypernymy_pairs("builtin")["builtin"]) > 1000
    assert set(analogy_questions("builtin")) >= {"capital-of-country", "gender", "gram1-plural"}


def test_pinned_checksums_are_checksums() -> None:
    for named in (*known_sets.SIMILARITY_SETS.values(), *known_sets.ANALOGY_SETS.values()):
        assert named.download is not None
        assert len(bytes.fromhex(named.download.sha256)) == 32
