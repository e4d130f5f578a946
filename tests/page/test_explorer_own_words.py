"""The explorer in a real browser: words and tables of the user, pasted or from a file."""

import json
from typing import Any

import pytest
from visits import Open, Visit, contrast

TABLE = "word,kind,size\nDog,animal,3\nCAT,animal,1.5\nparis,city,8\nnonsuch,city,2\n"
OTHER = 40  # opacity of words that are not listed


def paste(opened: Visit, text: str) -> None:
    """Paste a text and show its words, by keyboard alone."""
    if opened.page.locator(".own").get_attribute("open") is None:
        opened.page.locator(".own summary").focus()
        opened.page.keyboard.press("Enter")
    opened.page.locator("#own-text").focus()
    opened.page.keyboard.press("ControlOrMeta+A")
    opened.page.keyboard.insert_text(text)
    opened.page.keyboard.press("Tab")
    opened.page.keyboard.press("Enter")


def result_of(opened: Visit) -> str:
    opened.page.locator(".own-result p").first.wait_for()
    return str(opened.page.locator(".own-result").inner_text())


def shown_words(opened: Visit) -> set[str]:
    """The words that are not faint."""
    found = opened.js(
        """limit => hyperskip.disc.words.names.filter(
          (_, i) => hyperskip.disc.colors[4 * i + 3] > limit)""",
        OTHER,
    )
    return set(found)


def color_of(opened: Visit, word: str) -> list[float]:
    at = opened.js("word => 4 * hyperskip.disc.words.indexOf(word)", word)
    return list(opened.js("at => [...hyperskip.disc.colors.slice(at, at + 3)]", at))


def entries(opened: Visit) -> list[str]:
    return list(opened.page.locator(".legend-entry").all_inner_texts())


@pytest.mark.parametrize("text", ["Dog, CAT, nonsuch", "dog\ncat\n\nnonsuch\n", "dog;cat;nonsuch"])
def test_pasted_words_are_found_in_any_case(visit: Open, text: str) -> None:
    opened = visit()
    before = len(opened.requests)
    paste(opened, text)
    assert "2 of 3 words are on the map." in result_of(opened)
    assert "Not on the map: nonsuch." in result_of(opened)
    assert shown_words(opened) == {"dog", "cat"}
    assert opened.page.locator("#coloring").input_value() == "own"
    assert entries(opened) == ["Your words"]
    assert opened.page.locator("#live").inner_text() == "2 of 3 words are on the map."
    assert len(opened.requests) == before  # nothing was sent


def test_a_column_of_categories_colors_words(visit: Open) -> None:
    opened = visit()
    paste(opened, TABLE)
    assert "3 of 4 words are on the map." in result_of(opened)
    assert opened.page.locator("#own-column").input_value() == "0"
    assert opened.page.locator("#own-color").input_value() == "1"
    assert entries(opened) == ["animal", "city"]
    assert color_of(opened, "dog") == color_of(opened, "cat") != color_of(opened, "paris")
    opened.page.locator(".legend-entry").first.click()
    assert shown_words(opened) == {"paris"}


def test_a_column_of_numbers_is_a_scale(visit: Open) -> None:
    opened = visit()
    paste(opened, TABLE)
    opened.page.locator("#own-color").select_option("size")
    ends = opened.page.locator(".legend-ends").inner_text().split()
    assert ends == ["1.5", "8"]
    assert opened.page.locator(".legend-title").inner_text() == "size"
    colors = [tuple(color_of(opened, word)) for word in ("cat", "dog", "paris")]
    assert len(set(colors)) == 3
    opened.page.locator("#own-color").select_option("nothing")
    assert entries(opened) == ["Your words"]
    opened.page.locator("#own-column").select_option("kind")
    assert "1 of 2 words is on the map." in result_of(opened)  # "city"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_more_than_twelve_categories_stay_apart(visit: Open, theme: str) -> None:
    opened = visit(f"#theme={theme}")
    lines = [f"word{number},kind{number % 36:02}" for number in range(72)]
    paste(opened, "\n".join(["word,kind", *lines]))
    opened.page.locator("#own-color").select_option("kind")
    assert len(entries(opened)) == 36
    colors = [color_of(opened, f"word{number}") for number in range(36)]
    assert len({tuple(color) for color in colors}) == 36
    plate = [255.0, 254.0, 250.0] if theme == "light" else [22.0, 25.0, 32.0]
    assert min(contrast(color, plate) for color in colors) > 2.5
    more = [f"word{number},kind{number}" for number in range(100)]
    paste(opened, "\n".join(["word,kind", *more]))
    opened.page.locator("#own-color").select_option("kind")
    assert len(entries(opened)) == 36
    assert entries(opened)[-1] == "65 others"


def test_clear_brings_the_map_back(visit: Open) -> None:
    opened = visit()
    before = opened.js("() => [...hyperskip.disc.colors]")
    importance = opened.js("() => [...hyperskip.disc.words.importance]")
    paste(opened, TABLE)
    result_of(opened)
    assert opened.js("() => [...hyperskip.disc.words.importance]") != importance
    opened.page.get_by_role("button", name="Clear").click()
    assert opened.js("() => [...hyperskip.disc.colors]") == before
    assert opened.js("() => [...hyperskip.disc.words.importance]") == importance
    assert opened.page.locator("#own-text").input_value() == ""
    assert opened.page.locator("#coloring option", has_text="Your words").count() == 0
    assert opened.page.locator(".own-result").inner_text() == ""
    assert opened.page.get_by_role("button", name="Clear").count() == 0


def test_another_coloring_and_the_theme_keep_the_words(visit: Open) -> None:
    opened = visit("#theme=light")
    paste(opened, TABLE)
    opened.page.locator("#coloring").select_option("frequency")
    assert len(shown_words(opened)) > 100
    opened.page.locator("#coloring").select_option("own")
    assert shown_words(opened) == {"dog", "cat", "paris"}
    light = color_of(opened, "dog")
    opened.page.locator("#theme").click()
    assert color_of(opened, "dog") != light
    assert shown_words(opened) == {"dog", "cat", "paris"}


def test_a_link_with_words_of_the_user_opens_the_usual_map(visit: Open) -> None:
    opened = visit("#color=own&word=dog")
    assert opened.selected == "dog"
    assert opened.page.locator("#coloring").input_value() == "cluster"


def test_none_found_leaves_the_map(visit: Open) -> None:
    opened = visit()
    before = opened.js("() => [...hyperskip.disc.colors]")
    paste(opened, "nonsuch, nothing")
    assert "0 of 2 words are on the map." in result_of(opened)
    assert opened.js("() => [...hyperskip.disc.colors]") == before
    paste(opened, "  \n ")
    assert "There are no words" in result_of(opened)


def test_phrases_have_underscores_on_the_map(visit: Open) -> None:
    opened = visit()
    found = """([names, text]) => import("hyperskip/word_finder").then(({ WordFinder }) =>
      import("hyperskip/words").then(({ Words }) => {
        const zeros = names.map(() => 0);
        const labels = names.map((name) => name.split(".")[0].replaceAll("_", " "));
        const words = new Words(names, zeros, zeros, new Float32Array(names.length), labels);
        return new WordFinder(words).indexOf(text);
      }))"""
    names = ["New_York", "new_york", "toy_dog.n.01", "caf\u00e9"]
    for text, index in [
        ("new york", 0), ("New  York", 0), ("new_york", 1), ("NEW YORK", 0), ("Toy Dog", 2),
        ("cafe\u0301", 3), ("york", -1), ("", -1),
    ]:  # fmt: skip
        assert opened.js(found, [names, text]) == index, text


def chosen_file(opened: Visit, name: str, content: bytes) -> None:
    file = {"name": name, "mimeType": "text/csv", "buffer": content}
    opened.page.locator(".own input[type=file]").set_input_files(file)


@pytest.mark.parametrize(
    "content",
    [
        TABLE.encode("utf-8-sig"),
        TABLE.encode("utf-16"),
        TABLE.replace(",", ";").replace("\n", "\r\n").encode(),
        TABLE.replace(",", "\t").encode(),
        TABLE.replace("Dog", '"Dog"').replace("nonsuch", '"non\nsu""ch"').encode(),
        TABLE.replace("city", "cit\u00e9").encode("cp1252"),
    ],
    ids=["bom", "utf-16", "semicolons", "tabs", "quotes", "windows"],
)
def test_files_of_spreadsheets_are_read(visit: Open, content: bytes) -> None:
    opened = visit()
    chosen_file(opened, "table.csv", content)
    assert "3 of 4 words are on the map." in result_of(opened)
    assert len(entries(opened)) == 2
    assert shown_words(opened) == {"dog", "cat", "paris"}


def test_a_file_can_be_opened_by_keyboard(visit: Open) -> None:
    opened = visit()
    opened.page.locator(".own summary").focus()
    opened.page.keyboard.press("Enter")
    asked = """() => {
      const input = document.querySelector(".own input[type=file]");
      input.addEventListener("click", (event) => {
        event.preventDefault();
        input.title = "asked";
      });
    }"""
    opened.js(asked)  # instead of the dialog of the system
    opened.page.get_by_role("button", name="Open a file").focus()
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".own input[title=asked]", state="attached")
    chosen_file(opened, "words.txt", b"dog\nparis\n")
    assert "2 of 2 words are on the map." in result_of(opened)


def test_a_file_can_be_dropped_on_the_page(visit: Open) -> None:
    opened = visit()
    drop = """(text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "table.csv"));
      const send = (type) => document.getElementById("disc").dispatchEvent(
        new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
      const isTaken = !send("dragover");
      const isMarked = document.body.classList.contains("dropping");
      send("drop");
      return [isTaken, isMarked, document.body.classList.contains("dropping")];
    }"""
    assert opened.js(drop, TABLE) == [True, True, False]
    assert "3 of 4 words are on the map." in result_of(opened)
    assert opened.page.locator(".own").get_attribute("open") is not None


def test_a_large_table_is_read(visit: Open) -> None:
    opened = visit()
    rows = [
        f'word{number % 280},"a, ""long"" value {number}",{number}' for number in range(120_000)
    ]
    content = "\n".join(["word,text,number", *rows, "nonsuch,x,1"]).encode()
    assert len(content) > 4_500_000
    chosen_file(opened, "large.csv", content)
    assert "280 of 281 words are on the map." in result_of(opened)
    assert opened.page.locator("#own-color").input_value() == "2"


@pytest.mark.parametrize(
    "content",
    [b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", bytes(range(256)) * 50, b"PK\x03\x04\x14\x00"],
    ids=["picture", "bytes", "zip"],
)
def test_a_file_that_is_not_text_is_refused(visit: Open, content: bytes) -> None:
    opened = visit()
    chosen_file(opened, "table.csv", content)
    assert "This is not a text file." in result_of(opened)
    assert opened.page.locator("#coloring").input_value() == "cluster"


def test_an_empty_file_is_refused(visit: Open) -> None:
    opened = visit()
    chosen_file(opened, "empty.csv", b"")
    assert "There are no words" in result_of(opened)


def test_hostile_tables_are_text(visit: Open, served_hostile: str) -> None:
    opened = visit(served_hostile)
    names = opened.js("() => hyperskip.disc.words.names")
    rows = [f"{json.dumps(name).replace(chr(92) + chr(34), chr(34) * 2)}" for name in names[:2]]
    markup = "<img src=x onerror=alert(3)>"
    lines = [f"word,{markup}", *(f"{row},{markup}" for row in rows)]
    lines += [f"{'y' * 10_000},abc\u202edef", "dog,other"]
    paste(opened, "\n".join(lines))
    assert "3 of 4 words are on the map." in result_of(opened)
    assert shown_words(opened) == {*names[:2], "dog"}
    opened.page.locator("#own-color").select_option("1")
    assert entries(opened) == [markup, "other"]
    assert opened.page.locator(".legend-title").inner_text() == markup
    assert "y" * 61 not in result_of(opened)
    assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")


TABLES: list[tuple[str, Any]] = [
    ("a,b\n1,2", [["a", "b"], [["1", "2"]]]),
    ('a,b\n"1,5","x\ny"\n', [["a", "b"], [["1,5", "x\ny"]]]),
    ('a,b\n"un,closed\n', [["a", "b"], [['"un', "closed"]]]),
    ('5" disk\ntv', [None, [['5" disk'], ["tv"]]]),
    ("a;b\n1,5;2", [["a", "b"], [["1,5", "2"]]]),
    ("a\tb,c\n1\t2,3", [["a", "b,c"], [["1", "2,3"]]]),
    ("a,,c\n1,2,3", [["a", "Column 2", "c"], [["1", "2", "3"]]]),
    ("dog, cat", [None, [["dog"], ["cat"]]]),
    ("one two\nthree", [None, [["one two"], ["three"]]]),
    ("a,b\n1\n2,3,4\n", [None, [["a"], ["b"], ["1"], ["2"], ["3"], ["4"]]]),
    ("", [None, []]),
]


def test_tables_and_lists(visit: Open) -> None:
    opened = visit()
    read = """text => import("hyperskip/table").then(({ readTable }) => {
      const { header, rows } = readTable(text);
      return [header, rows];
    })"""
    for text, expected in TABLES:
        for line_break in ("\n", "\r\n", "\r"):
            if '"x\n' in text and line_break != "\n":
                continue
            assert opened.js(read, text.replace("\n", line_break)) == expected, text


def test_it_fits_on_a_phone(visit: Open) -> None:
    phone = {"width": 390, "height": 780}
    opened = visit(viewport=phone, has_touch=True, is_mobile=True)
    opened.page.locator(".own summary").tap()
    opened.page.locator("#own-text").fill(TABLE + "z" * 500)
    opened.page.get_by_role("button", name="Show words").tap()
    assert "3 of" in result_of(opened)
    assert opened.js("() => document.documentElement.scrollWidth") == 390
