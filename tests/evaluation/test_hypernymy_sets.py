"""Hypernymy sets in the layouts of their publications, and other files."""

import gzip
from pathlib import Path

import pytest
from facts import naming

from hyperskip.errors import DatasetError
from hyperskip.evaluation.hypernymy_sets import hypernymy_pairs
from hyperskip.evaluation.known_sets import HYPERNYMY_SETS


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HYPERSKIP_DATA", raising=False)


# A true and a false pair in the layouts of public sets.
BINARY = {
    "BLESS, EVALution, LEDS and Shwartz of Roller et al.": "word1\tword2\tlabel\tfold\n"
    "cat\tanimal\tTrue\tval\ncat\ttail\tFalse\ttest\n",
    "WBLESS of Roller et al.": "word1\tword2\tlabel\trelation\tfold\n"
    "cat\tanimal\tTrue\thyper\tval\ncat\ttail\tFalse\tother\ttest\n",
    "Shwartz et al., tagged": "cat-n\tanimal-n\tTrue\thyper\ncat-n\ttail-n\tFalse\trandom-n\n",
    "WBLESS of Nguyen et al.": "cat\tanimal\tTrue\thyper\ncat\ttail\tFalse\tother\n",
    "WBLESS with numbers": "cat animal 1 hyper\ncat tail 0 other\n",
    "Weeds et al., JSON": '[["cat", "animal", 1],\n ["cat", "tail", 0]]',
    "HypeNET": "cat\tanimal\tTrue\ncat\ttail\tFalse\n",
    "LEDS": "cat animal 1\ncat tail 0\n",
    "LEDS, tagged": "cat-n\tanimal-n\t1\ncat-n\ttail-n\t0\n",
    "BLESS": "cat-n\tmammal\thyper\tanimal-n\ncat-n\tmammal\tmero\ttail-n\n",
    "BLESS, with a header": "concept class relation relatum\ncat m hyper animal\ncat m mero tail\n",
    "EVALution": "cat\tIsA\tanimal\tNATURE_5/5\tcat is a kind of animal\t0\t4.2\n"
    "cat\tHasA\ttail\tNATURE_5/5\tcat has tail\t0\t4.4\n",
    "relations": "cat animal HYPER\ncat tail mero\n",
    "numbers": "cat,animal,1\ncat,tail,0\n",
    "folds": "hyponym hypernym relation fold\ncat animal hypernym 3\ncat tail random-n 7\n",
    "folds, without a header": "cat animal hypernym train\ncat tail random-n test\n",
    "yes and no": "cat;animal;yes\ncat;tail;no\n",
    "grades": "cat animal N hyp-1 1.0 9\ncat tail N no-rel 0.0 2\n",
    "grades of Roller et al.": "word1\tword2\tpos\tlabel\tscore\tfold\n"
    "cat\tanimal\tN\thyp-1\t1.00\ttrain\ncat\ttail\tN\tno-rel\t0.00\ttest\n",
    "grades without parts of speech": "cat animal hyp-1 1.0\ncat tail mero 0.0\n",
    "labels with quotation marks": '"a","b","label"\r\n"cat","animal","1"\r\n"cat","tail","0"\r\n',
}


@pytest.mark.parametrize("name", BINARY)
def test_layouts_of_true_and_false_pairs(tmp_path: Path, name: str) -> None:
    path = tmp_path / "labeled"
    path.write_bytes(BINARY[name].encode())
    assert hypernymy_pairs(str(path)) == {str(path): [("cat", "animal", 1), ("cat", "tail", 0)]}


# The same pairs and a reversed one.
THREE_CLASSES = {
    "BIBLESS of Roller et al.": "word1\tword2\trelation\tlabel\ncat\tanimal\thyper\t1\n"
    "cat\ttail\tother\t0\nanimal\tcat\trhyper\t-1\n",
    "BIBLESS of Nguyen et al.": "cat\tanimal\tTrue\thyper\ncat\ttail\tFalse\tother\n"
    "animal\tcat\tFalse\trhyper\n",
    "numbers": "cat animal 1\ncat tail 0\nanimal cat -1\n",
    "numbers and relations": "cat animal 1 hyper\ncat tail 0 other\nanimal cat 0 rhyper\n",
    "relations": "cat,animal,hyper\ncat,tail,random\nanimal,cat,hypo\n",
    "word, relation, word": "cat IsA animal\ncat Synonym tail\nanimal hyponym cat\n",
}


@pytest.mark.parametrize("name", THREE_CLASSES)
def test_layouts_with_reversed_pairs(tmp_path: Path, name: str) -> None:
    path = tmp_path / "labeled"
    path.write_text(THREE_CLASSES[name])
    (pairs,) = hypernymy_pairs(str(path)).values()
    assert pairs == [("cat", "animal", 1), ("cat", "tail", 0), ("animal", "cat", -1)]


def test_words_that_look_like_labels_are_words(tmp_path: Path) -> None:
    path = tmp_path / "labeled"
    path.write_text("party event True\nrandom other False\nantenna test False\nhyper synth True\n")
    (pairs,) = hypernymy_pairs(str(path)).values()
    assert [pair.second for pair in pairs] == ["event", "other", "test", "synth"]
    path.write_text("false Antonym true\nexam IsA test\nno Antonym yes\nfour IsA number\n")
    (pairs,) = hypernymy_pairs(str(path)).values()
    assert [pair.second for pair in pairs] == ["true", "test", "yes", "number"]
    path.write_text(
        "fridge-n\tappliance\trandom-n\ttest-n\nfridge-n\tappliance\trandom-j\tother-j\n"
        "fridge-n\tappliance\thyper\tgood-n\n"
    )
    pairs = hypernymy_pairs(str(path))[str(path)]
    assert pairs == [("fridge", "test", 0), ("fridge", "other", 0), ("fridge", "good", 1)]
    assert hypernymy_pairs(str(path))[f"{path}, nouns"] == [pairs[0], pairs[2]]


def test_multi_word_terms_and_hyphens_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "shwartz.tsv.gz"
    path.write_bytes(gzip.compress(b"new york\tcity\tTrue\nlock-up\tbuy-in\tFalse\n"))
    (pairs,) = hypernymy_pairs(str(path)).values()
    assert pairs == [("new york", "city", 1), ("lock-up", "buy-in", 0)]


def test_nouns_and_verbs_are_also_sets_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "hyperlex-all.txt").write_text(
        "WORD1 WORD2 POS TYPE AVG_SCORE AVG_SCORE_0_10 STD SCORES..\n"
        "jewelry ring N r-hyp-1 0.00 2.78 1.25 5 6\nsee look V syn 4.35 2.37 1.66 3 0\n"
        "dog animal N hyp-2 5.77 9.62 0.4 6 6\n"
    )
    nouns = [("jewelry", "ring", 0.0), ("dog", "animal", 5.77)]  # grades stay as they are
    assert hypernymy_pairs("hyperlex", tmp_path) == {
        "hyperlex": [nouns[0], ("see", "look", 4.35), nouns[1]],
        "hyperlex, nouns": nouns,
        "hyperlex, verbs": [("see", "look", 4.35)],
    }


@pytest.mark.parametrize("name", HYPERNYMY_SETS)
def test_a_set_that_is_not_on_disk_names_the_file_it_needs(name: str, tmp_path: Path) -> None:
    files = HYPERNYMY_SETS[name].files
    with pytest.raises(DatasetError, match=naming(name, *files, "data", "HYPERSKIP_DATA")):
        hypernymy_pairs(name)
    (tmp_path / files[-1]).write_text("dog animal 1\n")
    assert hypernymy_pairs(name, tmp_path) == {name: [("dog", "animal", 1)]}


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(DatasetError, match=naming("nothing", *HYPERNYMY_SETS, "builtin")):
        hypernymy_pairs("nothing")


@pytest.mark.parametrize(
    ("content", "facts"),
    [
        ("cat animal True\ncat tail maybe\n", [2, "'cat tail maybe'"]),
        ("cat animal 1\ncat tail nan\n", [2, "'cat tail nan'"]),
        ("cat animal 1\ncat tail\n", [2, "'cat tail'"]),
        ("cat,animal,1\n,tail,0\n", [2, "',tail,0'"]),
        ("cat IsA animal\ncat HasA tail\ncat likes milk\n", [3, "'cat likes milk'"]),
        ("a-n b hyper c-n\na-n b mero d-n\na-n b mero\n", [3, "'a-n b mero'"]),
        ("word1 word2 label fold\ncat animal True 1\ncat tail\n", [3, "'cat tail'"]),
        ('[["cat", "animal", 1], ["cat", "tail"]]', [2, "'cat', 'tail'"]),
        ('[["cat", "animal", 1], 7]', [2, "'7'"]),
        ('[["cat", "animal", 1], [["cat"], "tail", 0]]', [2, "'tail'"]),
        ('[["cat", "animal", 1], ', ["JSON"]),
        ("word1 word2 label\n", []),
        ("", []),
    ],
)
def test_malformed_files(tmp_path: Path, content: str, facts: list[object]) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(content)
    allowed = ("true", "false", "hyper", "IsA")
    with pytest.raises(DatasetError, match=naming(path, *facts, *allowed)):
        hypernymy_pairs(str(path))
