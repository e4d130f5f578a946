"""Text of scripts without blanks: a warning, and errors that name the tokenizer for it."""

from pathlib import Path

import pytest
from facts import naming

import hyperskip
from hyperskip.errors import CorpusError, CorpusWarning
from hyperskip.text.encoding.encoded_corpus import EncodedCorpus
from hyperskip.text.encoding.encoder import encode_into
from hyperskip.text.options import TextOptions


def encoded(texts: list[str], folder: Path, tokenizer: str) -> EncodedCorpus:
    return encode_into(texts, TextOptions(tokenizer=tokenizer, min_count=1), folder)


@pytest.mark.parametrize("tokenizer", ["paper", "whitespace"])
def test_text_without_blanks_is_noticed(tmp_path: Path, tokenizer: str) -> None:
    chinese = ["今天天气很好我们一起去公园散步吧。", "北京是中华人民共和国的首都和政治中心。"] * 9
    with pytest.warns(CorpusWarning, match=naming("`tokenizer='icu'`", "blanks")):
        encoded(chinese, tmp_path, tokenizer)
    with pytest.raises(CorpusError, match=naming("`tokenizer='icu'`")):
        hyperskip.encode(chinese, tmp_path / "kept", tokenizer=tokenizer, min_count=100)
    with pytest.raises(CorpusError, match=naming("`tokenizer='icu'`")):
        encoded(["今天天气很好我们一起去公园散步吧"], tmp_path, tokenizer)
    assert "北京" in encoded(chinese, tmp_path, "icu").vocabulary.words
    thai = ["วันนี้อากาศดีมาก เราไปเดินเล่นในสวนสาธารณะกันเถอะ", "กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย"] * 9
    with pytest.warns(CorpusWarning, match="icu"):
        encoded(thai, tmp_path, tokenizer)


def test_single_phrases_without_blanks(tmp_path: Path) -> None:
    path = tmp_path / "chinese.txt"
    path.write_text("今天天气很好我们一起去公园散步吧\n北京是中华人民共和国的首都和政治中心\n")
    with (
        pytest.warns(CorpusWarning, match="icu"),
        pytest.raises(CorpusError, match=naming("single word", "`tokenizer='icu'`")),
    ):
        hyperskip.train(path, min_count=1, dimension=2)
    path.write_text("cat\ndog\n")
    with pytest.raises(CorpusError, match=naming("single word", "line")) as caught:
        hyperskip.train(path, min_count=1, dimension=2)
    assert "icu" not in str(caught.value)


def test_tokens_are_not_taken_for_text_without_blanks(tmp_path: Path) -> None:
    tokens = ["今天天气很好我们一起去公园散步吧", "北京是中华人民共和国的首都和政治中心"]
    options = TextOptions(min_count=1)
    encode_into([tokens] * 5, options, tmp_path)
    with pytest.raises(CorpusError, match="one distinct word") as caught:
        encode_into([tokens[:1]] * 20, options, tmp_path)
    assert "icu" not in str(caught.value)


def test_other_text_is_not_taken_for_text_without_blanks(tmp_path: Path) -> None:
    segmented = "今天 天气 很 好 我们 一起 去 公园 散步 吧"
    long_words = "Donaudampfschifffahrtsgesellschaftskapitän Rindfleischetikettierungsgesetz"
    links = "https://example.org/a/very/long/address/of/a/page 東京 item_1"
    for text in (segmented, long_words, links, "सभी मनुष्य जन्म से स्वतंत्र हैं"):
        encoded([text] * 5, tmp_path, "whitespace")
