"""Functions as tokenizers: what they are called with, what they may return, what is recorded."""

import functools
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from facts import naming

import hyperskip
from hyperskip import builtin
from hyperskip.errors import CorpusError, OptionError
from hyperskip.files.known_folders import ENCODED_HEADER
from hyperskip.options import function_name
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions
from hyperskip.text.pieces import Sizes
from hyperskip.text.word_rules import TokenizerFunction
from hyperskip.text.words.tokens import paper_tokens, recorded_tokenizer

QUICK: dict[str, Any] = {"dimension": 2, "epochs": 2, "threads": 1, "min_count": 1, "subsample": 0}
NAME = f"function {__name__}.letters"


def letters(text: str) -> list[str]:
    return [letter for letter in text if letter != " "]


class SplitsAtCommas:
    """An object that is called like a function; it has no hash."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other

    def __call__(self, text: str) -> Iterator[str]:
        return iter(text.split(","))

    def tokenize(self, text: str) -> tuple[str, ...]:
        return tuple(text.split(","))


def encoded(
    corpus: Any, folder: Path, tokenizer: TokenizerFunction | str, sizes: Sizes | None = None
) -> EncodedCorpus:
    options = TextOptions(tokenizer=tokenizer, min_count=1)
    return encode_into(corpus, options, folder, sizes=sizes or Sizes())


def documents_in(corpus: EncodedCorpus) -> list[list[str]]:
    words, starts = np.array(corpus.vocabulary.words), corpus.sentence_starts[1:-1]
    return [part.tolist() for part in np.split(words[corpus.tokens], starts)]


@pytest.mark.parametrize("tokenizer", [SplitsAtCommas(), SplitsAtCommas().tokenize])
def test_a_function_gives_the_words(tmp_path: Path, tokenizer: TokenizerFunction) -> None:
    corpus = ["new york,is a city", "a city, ,,is\nnew york", "", ["as", "it,is"]]
    found = documents_in(encoded(corpus, tmp_path, tokenizer))
    # Words that are empty or blank are dropped. Lists of words are not tokenized.
    assert found == [["new york", "is a city"], ["a city", "is new york"], ["as", "it,is"]]


@pytest.mark.parametrize("sizes", [Sizes(7, 1 << 22, 50), Sizes(7, 1 << 22, 1 << 20), Sizes()])
def test_it_is_called_with_whole_lines_in_the_calling_thread(tmp_path: Path, sizes: Sizes) -> None:
    lines = [f"line {i} has {'many ' * (i % 5)}words" for i in range(40)]
    path = tmp_path / "text"
    path.write_text("\n\n".join(lines))
    seen = []

    def tokenizer(text: str) -> list[str]:
        assert threading.current_thread() is threading.main_thread()
        seen.append(text)
        return text.split()

    found = encoded(path, tmp_path, tokenizer, sizes)
    assert seen == lines
    assert documents_in(found) == [line.split() for line in lines]


def test_a_very_long_line_comes_in_parts(tmp_path: Path) -> None:
    path, seen = tmp_path / "text", []
    path.write_text("two words " * 500)

    def tokenizer(text: str) -> list[str]:
        seen.append(text)
        return text.split()

    found = encoded(path, tmp_path, tokenizer, Sizes(piece_bytes=20, longest_word_bytes=100))
    assert "".join(seen) == "two words " * 500
    assert max(map(len, seen)) <= 120
    assert found.token_count == 1000
    assert len(found.sentence_starts) == 2


@pytest.mark.parametrize("small", [0, 1 << 20])
def test_the_same_words_as_the_built_in_tokenizer(tmp_path: Path, small: int) -> None:
    text = list(builtin.sentences(2_000))
    sizes = Sizes(small_bytes=small)
    expected = encoded(text, tmp_path, "paper", sizes)
    found = encoded(text, tmp_path, paper_tokens, sizes)
    assert found.vocabulary.words == expected.vocabulary.words
    assert found.tokens.tolist() == expected.tokens.tolist()


@pytest.mark.parametrize(
    ("tokenizer", "facts"),
    [
        (str.upper, ["'TWO WORDS'", "str"]),
        (len, [9, "int"]),
        (lambda _: None, [None, "NoneType"]),
        (lambda text: text.encode(), ["bytes"]),
        (lambda _: {"input_ids": [1, 2]}, ["input_ids", "dict"]),
        (lambda text: set(text.split()), ["set"]),
        (lambda _: ["one", 2], [2, "int"]),
        (lambda _: [b"one"], ["b'one'", "bytes"]),
    ],
)
def test_anything_else_than_words_is_refused(
    tmp_path: Path, tokenizer: TokenizerFunction, facts: list[object]
) -> None:
    with pytest.raises(
        CorpusError,
        match=naming("document 2", "counted from 0", "'two words'", "`tokenizer`", *facts),
    ):
        encoded([["first"], "", "two words"], tmp_path, tokenizer)


def test_an_error_of_the_function_names_the_document(tmp_path: Path) -> None:
    def tokenizer(text: str) -> Iterable[str]:
        yield text
        if text == "bad":
            raise ZeroDivisionError("by purpose")

    with pytest.raises(ZeroDivisionError, match="by purpose") as error:
        hyperskip.encode(["good", "bad"], tmp_path / "kept", tokenizer=tokenizer)
    assert "document 1 of the corpus (counted from 0), 'bad'" in error.value.__notes__[0]
    assert "tokenizer" in error.value.__notes__[0]
    assert not (tmp_path / "kept").exists()


def test_no_words_at_all(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=naming("no words", "`tokenizer`")):
        encoded(["text"], tmp_path, lambda _: [])


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (letters, f"{__name__}.letters"),
        (lambda text: [text], f"{__name__}.<lambda>"),
        (SplitsAtCommas(), f"{__name__}.SplitsAtCommas"),
        (SplitsAtCommas().tokenize, f"{__name__}.SplitsAtCommas.tokenize"),
        (functools.partial(functools.partial(letters)), f"{__name__}.letters"),
        (str.split, "builtins.str.split"),
        ("a b".split, "builtins.str.split"),
        (list, "builtins.list"),
    ],
)
def test_the_name_of_a_function(function: Callable[..., Any], name: str) -> None:
    assert function_name(function) == f"function {name}"


def test_a_folder_records_the_name(tmp_path: Path) -> None:
    made = hyperskip.encode(["ab cd", "ad cb"] * 5, tmp_path / "kept", tokenizer=letters)
    again = hyperskip.open_encoded(tmp_path / "kept")
    assert made.options.tokenizer == again.options.tokenizer == NAME
    header = json.loads((tmp_path / "kept" / ENCODED_HEADER).read_text())
    assert header["options"]["tokenizer"] == NAME
    options = QUICK | {"min_count": 5}
    for tokenizer in (letters, NAME, None):
        vectors = hyperskip.train(tmp_path / "kept", tokenizer=tokenizer, **options)
        assert vectors.options["tokenizer"] == NAME
    for other, expected in ((str.split, "this function"), ("paper", "`tokenizer='paper'`")):
        with pytest.raises(OptionError, match=naming("`tokenizer`", NAME, expected)) as caught:
            hyperskip.train(tmp_path / "kept", tokenizer=other, dimension=2)
        assert "'function" not in str(caught.value)
    with pytest.raises(OptionError, match=naming(NAME, "itself")):
        hyperskip.encode(["ab"], tmp_path / "other", tokenizer=NAME)


def test_a_model_records_the_name(tmp_path: Path) -> None:
    vectors = hyperskip.train(["ab cd", "ad cb"] * 9, tokenizer=letters, **QUICK)
    assert sorted(vectors.words) == ["a", "b", "c", "d"]
    vectors.save(tmp_path / "model")
    assert hyperskip.load(tmp_path / "model").options["tokenizer"] == NAME
    with pytest.raises(OptionError, match=naming(NAME, "`tokenizer`")):
        recorded_tokenizer(vectors.options)


def test_a_training_with_a_function_is_resumed(tmp_path: Path) -> None:
    texts = ["ab cd", "ad cb"] * 9
    common = QUICK | {"checkpoints": tmp_path / "kept"}
    vectors = hyperskip.train(texts, tokenizer=letters, **common)
    again = hyperskip.train(texts, tokenizer=letters, resume=True, **common)
    assert (again.coordinates == vectors.coordinates).all()
    with pytest.raises(OptionError, match=naming("`tokenizer`", NAME)):
        hyperskip.train(texts, tokenizer=str.split, resume=True, **common)
    renamed = functools.wraps(letters)(lambda text: letters(text)[::-1])
    with pytest.raises(OptionError, match="the text is not the same"):
        hyperskip.train(texts, tokenizer=renamed, resume=True, **common)


@pytest.mark.slow
def test_spacy(tmp_path: Path) -> None:
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    texts = ["I don't know,  do you?"]
    found = documents_in(encoded(texts, tmp_path, lambda text: [word.text for word in nlp(text)]))
    assert found == [["I", "do", "n't", "know", ",", "do", "you", "?"]]
    with pytest.raises(CorpusError, match=naming("spacy.blank", "Token", "token.text")):
        encoded(["spacy.blank"], tmp_path, nlp)


@pytest.mark.slow
def test_hugging_face(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text(
        "\n".join(["[UNK]", "[PAD]", "[CLS]", "[SEP]", "[MASK]", "un", "##known"])
    )
    tokenizer = transformers.BertTokenizer(str(vocabulary))
    found = documents_in(encoded(["Unknown un"], tmp_path, tokenizer.tokenize))
    assert found == [["un", "##known", "un"]]
    with pytest.raises(CorpusError, match=naming("BatchEncoding", "`tokenizer`")):
        encoded(["Unknown un"], tmp_path, tokenizer)
