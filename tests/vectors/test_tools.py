"""Exports for libraries: each real library loads the files and finds our neighbors."""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from facts import naming
from program import Program

from hyperskip import (
    OptionError,
    OutputError,
    OutputWarning,
    SubwordScheme,
    SubwordTable,
    WordVectors,
)
from hyperskip.vectors.exchange.exporting import export_vectors, planned_export
from hyperskip.vectors.exchange.importing import import_vectors
from hyperskip.vectors.exchange.names import TOOLS

COUNT = 10
SAMPLE = 60  # words whose neighbors are compared

MODULES = {"sentence-transformers": "sentence_transformers"}

# What follows the lines of `usage`: it gives `found`, the rows nearest to each of `sample`, which
# are words. The first neighbor may be the word itself.
SEARCHES = {
    "gensim": """
found = [[vectors.key_to_index[near] for near, _ in vectors.most_similar(word, topn=10)]
         for word in sample]
""",
    "spacy": """
queries = __import__("numpy").stack([nlp.vocab[word].vector for word in sample])
keys, _, _ = nlp.vocab.vectors.most_similar(queries, n=11)
found = [[all_words.index(nlp.vocab.strings[int(key)]) for key in row] for row in keys]
assert nlp(sample[0]).similarity(nlp(sample[0])) > 0.999
""",
    "sentence-transformers": """
scores = model.similarity(model.encode(sample), model.encode(all_words))
found = scores.topk(11).indices.tolist()
""",
    "model2vec": """
from numpy import argsort, linalg
rows, queries = model.encode(all_words), model.encode(sample)
rows = rows / linalg.norm(rows, axis=1, keepdims=True)
found = argsort(-queries @ rows.T, axis=1)[:, :11].tolist()
""",
    "torch": """
assert words == all_words
def cosines(word):
    query = embedding(torch.tensor(words.index(word)))
    return torch.cosine_similarity(query[None], embedding.weight)
found = [cosines(word).topk(11).indices.tolist() for word in sample]
""",
}
FAISS_SEARCH = """
assert words == all_words
found = []
for word in sample:
    query = index.reconstruct(words.index(word))
    NEGATED
    found.append(index.search(query[None], 11)[1][0].tolist())
"""


def assert_neighbors(vectors: WordVectors, measure: str, sample: list[str], found: object) -> None:
    """Check the nearest rows that a library found; words of equal similarity may change places."""
    ours = vectors.measured_by(measure)
    assert isinstance(found, list)
    for word, rows in zip(sample, found, strict=True):
        others = [vectors.words[row] for row in rows if vectors.words[row] != word][:COUNT]
        assert len(set(others)) == COUNT
        expected = [neighbor.similarity for neighbor in ours.neighbors(word, COUNT)]
        similarities = [ours.similarity(word, other) for other in others]
        np.testing.assert_allclose(similarities, expected, rtol=1e-5, atol=1e-6)


def searched(vectors: WordVectors, path: Path, tool: str, measure: str | None) -> None:
    """Export, load with the lines that we document, and compare the neighbors."""
    if find_spec(MODULES.get(tool, tool)) is None:
        pytest.skip(f"{tool} is not installed")
    plan = planned_export(vectors, path, format=None, coordinates=None, tool=tool, measure=measure)
    plan.write()
    usage = plan.usage()
    assert len([line for line in usage if "PATH" in line]) == 0
    sample = list(vectors.words[:: len(vectors) // SAMPLE])
    if tool == "faiss":
        negated = [line for line in usage if "*= -1" in line] or ["pass"]
        search = FAISS_SEARCH.replace("NEGATED", negated[0])
    else:
        search = SEARCHES[tool]
    example = vectors.words[5]
    usage = [line.replace('"dog"', repr(example)) for line in usage]
    found = answered(
        path.with_suffix(".py"),
        *usage,
        f"sample, all_words = {sample!r}, {list(vectors.words)!r}",
        search,
        "answer = found",
    )
    assert plan.measure is not None
    assert_neighbors(vectors, plan.measure, sample, found)


def answered(script: Path, *lines: str) -> Any:
    """Run lines of Python in another process, and return the value of `answer` there."""
    script.write_text("\n".join(["import json", *lines, "print(json.dumps(answer))"]))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
@pytest.mark.parametrize("tool", [name for name in TOOLS if name not in ("faiss", "projector")])
def test_a_library_that_compares_by_cosine(trained: WordVectors, tmp_path: Path, tool: str) -> None:
    searched(trained, tmp_path / "exported", tool, None)


@pytest.mark.slow
@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean", "product"])
@pytest.mark.parametrize("measure", ["product", "distance", "angle"])
def test_faiss(trained: WordVectors, tmp_path: Path, geometry: str, measure: str) -> None:
    vectors = trained
    if geometry == "euclidean":
        vectors = WordVectors(trained.words, trained.coordinates, geometry=geometry)
    elif geometry == "product":
        if measure == "distance":
            pytest.skip("a product of hyperboloids has no such measure")
        vectors = WordVectors(trained.words, trained.coordinates, factors=4)
    searched(vectors, tmp_path / "exported", "faiss", measure)


def test_projector_files_have_our_neighbors_by_angle(trained: WordVectors, tmp_path: Path) -> None:
    vectors_file, metadata_file, _ = export_vectors(trained, tmp_path / "out", tool="projector")
    rows = np.loadtxt(vectors_file, delimiter="\t")
    words = [line.split("\t")[0] for line in metadata_file.read_text().split("\n")[1:-1]]
    assert words == list(trained.words)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    sample = list(trained.words[:SAMPLE])
    nearest = np.argsort(-rows[:SAMPLE] @ rows.T, axis=1)[:, : COUNT + 1]
    assert_neighbors(trained, "angle", sample, nearest.tolist())


# -- n-grams


UNKNOWN = ["doggish", "überdog", "catlike", "naïvely", "日本語"]


def with_ngrams(trained: WordVectors, hashes: int, geometry: str = "hyperboloid") -> WordVectors:
    """A model with the n-grams of fastText or of floret."""
    scheme = SubwordScheme(shortest=3, longest=5, buckets=5000, hashes=hashes)
    buckets = np.unique(scheme.buckets_of([*trained.words, *UNKNOWN[:3]]).buckets)
    rows = np.random.default_rng(2).standard_normal((len(buckets), trained.dimension))
    table = SubwordTable(scheme, buckets, rows)
    return WordVectors(
        trained.words,
        table.compose(trained.words).coordinates if hashes else trained.coordinates,
        counts=trained.counts,
        geometry=geometry,
        subwords=table,
    )


def our_vectors(vectors: WordVectors) -> npt.NDArray[np.float64]:
    """The coordinates of all words, and then of UNKNOWN."""
    assert vectors.subwords is not None
    return np.array([*vectors.coordinates, *vectors.subwords.compose(UNKNOWN).coordinates])


def cosines(vectors: npt.ArrayLike) -> npt.NDArray[np.float64]:
    rows = np.array(vectors)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    products: npt.NDArray[np.float64] = rows @ rows.T
    return products


FASTTEXT_READERS = {
    "gensim": "from gensim.models.fasttext import load_facebook_vectors as load",
    "fasttext": "import fasttext; load = fasttext.load_model",
}
FASTTEXT_WRITERS = {
    "gensim": """
from gensim.models.fasttext import FastText, load_facebook_vectors as load, save_facebook_model
sentences = [line.split() for line in open(TEXT)]
model = FastText(sentences, vector_size=7, min_count=1, bucket=3000, epochs=2, workers=1)
save_facebook_model(model, PATH)
""",
    "fasttext": """
import fasttext
load = fasttext.load_model
model = fasttext.train_unsupervised(TEXT, dim=7, minCount=1, bucket=3000, epoch=2, thread=2)
model.save_model(PATH)
""",
}


@pytest.mark.slow
@pytest.mark.parametrize("geometry", ["hyperboloid", "euclidean"])
@pytest.mark.parametrize("program", FASTTEXT_READERS)
def test_programs_that_read_our_fasttext_models(
    trained: WordVectors, tmp_path: Path, program: str, geometry: str
) -> None:
    if find_spec(program) is None:
        pytest.skip(f"{program} is not installed")
    vectors = with_ngrams(trained, 0, geometry)
    export_vectors(vectors, tmp_path / "v.bin", format="fasttext-binary")
    words = [*vectors.words, *UNKNOWN]
    found = answered(
        tmp_path / "script.py",
        FASTTEXT_READERS[program],
        f"model = load({str(tmp_path / 'v.bin')!r})",
        f"answer = [model[word].tolist() for word in {words!r}]",
    )
    np.testing.assert_allclose(found[: len(vectors)], vectors.coordinates, atol=1e-5)
    np.testing.assert_allclose(cosines(found), cosines(our_vectors(vectors)), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("program", FASTTEXT_WRITERS)
def test_programs_that_write_fasttext_models(corpus: Path, tmp_path: Path, program: str) -> None:
    if find_spec(program) is None:
        pytest.skip(f"{program} is not installed")
    path = tmp_path / "v.bin"
    words, found = answered(
        tmp_path / "script.py",
        f"TEXT, PATH = {str(corpus)!r}, {str(path)!r}",
        FASTTEXT_WRITERS[program],
        "model = load(PATH)",
        "words = model.words if hasattr(model, 'words') else model.index_to_key",
        f"answer = words, [model[word].tolist() for word in [*words, *{UNKNOWN!r}]]",
    )
    read = import_vectors(path)
    assert list(read.words) == words
    assert read.counts.min() > 0
    np.testing.assert_allclose(our_vectors(read), found, atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["init vectors", "folder"])
def test_spacy_composes_unknown_words(trained: WordVectors, tmp_path: Path, way: str) -> None:
    if find_spec("spacy") is None:
        pytest.skip("spacy is not installed")
    vectors = with_ngrams(trained, 2)
    folder = tmp_path / "pipeline"
    if way == "folder":
        export_vectors(vectors, folder, tool="spacy")
    else:
        export_vectors(vectors, tmp_path / "v.floret")
        command = f"-m spacy init vectors en {tmp_path / 'v.floret'} {folder} --mode floret"
        subprocess.run([sys.executable, *command.split()], check=True, capture_output=True)
    words = [*vectors.words, *UNKNOWN]
    found, similarity = answered(
        tmp_path / "script.py",
        f"import spacy; nlp = spacy.load({str(folder)!r})",
        f"found = [nlp.vocab.get_vector(word).tolist() for word in {words!r}]",
        "answer = found, nlp('dog').similarity(nlp('doggish'))",
    )
    assert len(found) == len(words)
    ours = cosines(our_vectors(vectors))
    np.testing.assert_allclose(cosines(found), ours, atol=1e-5)
    dog = vectors.index_of("dog")
    assert similarity == pytest.approx(ours[dog, len(vectors)], abs=1e-5)
    angle = vectors.measured_by("angle")
    assert angle.similarity("dog", "cat") == pytest.approx(
        ours[dog, vectors.index_of("cat")], abs=1e-5
    )


# -- the folders, without the libraries


@pytest.fixture
def words_of_all_kinds() -> WordVectors:
    words = ["dog", "it's", "well-known", "item_1", "B00-XYZ1", "[UNK]", "^a]b\\c&&d", "日本", "é́"]
    coordinates = np.random.default_rng(0).standard_normal((len(words), 4))
    return WordVectors(words, coordinates.astype(np.float32))


@pytest.mark.slow
@pytest.mark.parametrize("tool", ["sentence-transformers", "spacy"])
def test_unusual_words_are_tokens(
    words_of_all_kinds: WordVectors, tmp_path: Path, tool: str
) -> None:
    words = list(words_of_all_kinds.words)
    folder = tmp_path / "out"
    export_vectors(words_of_all_kinds, folder, tool=tool)
    if tool == "spacy":
        spacy = pytest.importorskip("spacy")
        nlp = spacy.load(folder)
        assert [[token.text for token in nlp(word)] for word in words] == [[word] for word in words]
        assert [token.text for token in nlp("dog, it's €3!")] == [
            *("dog", ",", "it's", "€", "3", "!"),
        ]
        for row, word in enumerate(words):
            np.testing.assert_array_equal(
                nlp.vocab[word].vector, words_of_all_kinds.coordinates[row]
            )
    else:
        tokenizers = pytest.importorskip("tokenizers")
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
        assert [tokenizer.encode(word).tokens for word in words] == [[word] for word in words]
        assert tokenizer.encode("dog, it's €3!").ids == [0, 1, len(words)]


def test_a_folder_is_replaced_only_if_nothing_else_is_in_it(
    trained: WordVectors, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    files = export_vectors(trained, folder, tool="spacy")
    assert [file.relative_to(folder).as_posix() for file in files] == [
        *("config.cfg", "meta.json", "tokenizer"),
        *("vocab/keys", "vocab/strings.json", "vocab/vectors"),
    ]
    assert export_vectors(trained, folder, tool="spacy") == files
    with pytest.raises(OutputError, match=naming(folder, "config.cfg")):
        export_vectors(trained, folder, tool="faiss")
    (folder / "notes").write_text("kept")
    with pytest.raises(OutputError, match=naming(folder, "notes")):
        export_vectors(trained, folder, tool="spacy")
    assert (folder / "notes").read_text() == "kept"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


@pytest.mark.parametrize("tool", [name for name in TOOLS if TOOLS[name].is_folder])
def test_a_failure_leaves_nothing_behind(tmp_path: Path, tool: str) -> None:
    damaged = WordVectors(["a", "b"], np.array([[1, 2], [np.nan, 0]], dtype=np.float32))
    with pytest.raises(OutputError, match=naming("b")):
        export_vectors(damaged, tmp_path / "out", tool=tool)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("tool", "word"),
    [
        *(("gensim", "New York"), ("gensim", "a\nb"), ("projector", "a\tb"), ("spacy", "")),
        *(("model2vec", "New York"), ("sentence-transformers", "a\u2003b"), ("spacy", "a\0")),
        *(("model2vec", "\ud800"), ("spacy", "\ud800"), ("model2vec", "")),
    ],
)
def test_words_that_a_tool_cannot_hold(tmp_path: Path, tool: str, word: str) -> None:
    vectors = WordVectors(["dog", word], np.ones((2, 2), dtype=np.float32))
    with pytest.raises(OutputError, match=naming(repr(word), "tool='faiss'")):
        export_vectors(vectors, tmp_path / "out", tool=tool)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("tool", ["torch", "faiss"])
def test_tools_that_hold_every_word(tmp_path: Path, tool: str) -> None:
    words = ["New York", "", "\ud800", "a\nb\0"]
    vectors = WordVectors(words, np.ones((4, 2), dtype=np.float32))
    export_vectors(vectors, tmp_path / "out", tool=tool)
    assert json.loads((tmp_path / "out" / "words.json").read_text()) == words


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ({"tool": "genism"}, ["tool", "'genism'", "did you mean 'gensim'"]),
        ({"tool": 3}, ["tool", 3, *TOOLS]),
        ({"tool": "spacy", "format": "glove"}, ["tool='spacy'", "format='glove'"]),
        ({"tool": "spacy", "coordinates": "points"}, ["tool='spacy'", "coordinates='points'"]),
        ({"measure": "angle"}, ["measure='angle'", "tool"]),
        ({"tool": "gensim", "measure": "product"}, ["'product'", "'angle'", "tool='faiss'"]),
        ({"tool": "faiss", "measure": "cosine"}, ["measure", "'cosine'", "product"]),
    ],
)
def test_options_that_do_not_go_together(
    trained: WordVectors, tmp_path: Path, options: dict[str, Any], facts: list[object]
) -> None:
    with pytest.raises(OptionError, match=naming(*facts)):
        export_vectors(trained, tmp_path / "v.bin", **options)
    assert not list(tmp_path.iterdir())


def test_a_suffix_that_stands_for_another_format(trained: WordVectors, tmp_path: Path) -> None:
    for name in ("v.txt", "v.VEC", "v.safetensors"):
        with pytest.raises(OptionError, match=naming("tool='gensim'", name, ".bin")):
            export_vectors(trained, tmp_path / name, tool="gensim")
    assert not list(tmp_path.iterdir())
    for name in ("v.bin", "v.w2v", "v"):
        export_vectors(trained, tmp_path / name, tool="gensim")


def test_far_words_are_a_warning_for_faiss(tmp_path: Path) -> None:
    vectors = WordVectors(["a", "b"], np.array([[1e3, 0], [0, 1]], dtype=np.float32))
    with pytest.warns(OutputWarning, match=naming("float32")):
        export_vectors(vectors, tmp_path / "out", tool="faiss")
    export_vectors(vectors, tmp_path / "out", tool="faiss", measure="angle")


def test_a_tool_on_the_command_line(program: Program, model_file: Path, tmp_path: Path) -> None:
    result = program("export", model_file, tmp_path / "out", "--for", "faiss")
    assert result.code == 0
    for line in (f"wrote {tmp_path / 'out'}", "--measure product", "faiss.read_index", "*= -1"):
        assert line in result.err
    angle = "--for", "faiss", "--measure", "angle"
    assert "*= -1" not in program("export", model_file, tmp_path / "out", *angle).err
    both = "--for", "gensim", "--format", "glove"
    program("export", model_file, tmp_path / "v", *both).check_refused(
        "--for gensim", "--format glove"
    )
    program("export", model_file, model_file.parent, "--for", "spacy").check_refused(
        model_file.name
    )
    assert model_file.exists()


@pytest.mark.slow
def test_text_is_read_in_lower_case_if_all_words_are(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    vectors = WordVectors(["dog", "cat"], np.ones((2, 2), dtype=np.float32))
    export_vectors(vectors, tmp_path / "out", tool="model2vec")
    tokenizer = tokenizers.Tokenizer.from_file(str(tmp_path / "out" / "tokenizer.json"))
    assert tokenizer.encode("The Dog, the CAT.").ids == [2, 0, 2, 1]


# -- docs/exporting.md

GUIDE = (Path(__file__).parents[2] / "docs" / "exporting.md").read_text(encoding="utf-8")
SECTIONS = {
    title.strip().lower(): body
    for title, body in re.findall(r"(?ms)^## (.+?)$(.*?)(?=^## |\Z)", GUIDE)
}


def code(section: str, language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```", section)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_guide_shows_the_lines_that_the_program_prints(
    trained: WordVectors, tool: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    command = code(SECTIONS[tool], "sh")[0].splitlines()[0].split()
    assert command[:3] == ["hyperskip", "export", "model.safetensors"]
    assert command[4:] == ["--for", tool]
    plan = planned_export(
        trained, command[3], format=None, coordinates=None, tool=tool, measure=None
    )
    shown = [line for line in SECTIONS[tool].splitlines() if line]
    assert "\n".join(plan.usage()) in "\n".join(shown)
    row = re.search(rf"^\| \[`{tool}`\]\(#.+?\) \| a (\w+) \| (.+?) \|", GUIDE, re.MULTILINE)
    assert row is not None
    assert row.group(1) == ("folder" if TOOLS[tool].is_folder else "file")
    assert row.group(2).startswith(f"`{TOOLS[tool].measures[0]}`")


@pytest.mark.slow
@pytest.mark.parametrize("tool", [name for name in TOOLS if code(SECTIONS[name], "python")])
def test_the_guide(model_file: Path, tmp_path: Path, tool: str) -> None:
    for module in {"torch": ("torch", "geoopt")}.get(tool, (MODULES.get(tool, tool),)):
        pytest.importorskip(module)
    shutil.copy(model_file, tmp_path / "model.safetensors")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    for script in code(SECTIONS[tool], "sh"):
        subprocess.run(["sh", "-ec", script], cwd=tmp_path, env=environment, check=True)
    for script in code(SECTIONS[tool], "python"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", script],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
