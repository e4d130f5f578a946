"""The explorer in a real browser: hovering over words and selecting them."""

import re
from typing import Any

import numpy as np
import pytest
from sample_answers import ONE_WORD, answering, model_of
from visits import Open, Visit, eventually, pixels


def test_a_click_selects_a_word_and_centers_it(visit: Open) -> None:
    opened = visit()
    at = opened.client_of_word("dog")
    word = opened.js("at => hyperskip.disc.words.names[hyperskip.disc.wordAt(at)]", list(at))
    opened.page.mouse.move(*at)
    assert "pointing" in opened.page.locator("#disc").get_attribute("class")
    opened.page.mouse.click(*at)
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == word
    assert opened.client_of_word(word) == pytest.approx(opened.middle(), abs=0.01)
    assert "Region" in opened.page.locator(".facts").inner_text()
    marks = opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.word)")
    near = opened.page.locator(".near-word .word").all_inner_texts()
    assert marks == [word, *near]
    opened.page.locator(".near-word").first.click()
    opened.until(f"() => document.querySelector('.card-word').innerText === '{near[0]}'", "next")


def labels_of(opened: Visit) -> list[dict[str, Any]]:
    return sorted(
        opened.js("() => hyperskip.disc.painter.placed"), key=lambda label: int(label["index"])
    )


def on_the_text(opened: Visit, word: dict[str, Any]) -> tuple[float, float]:
    """A position at four fifths of a label on the disc."""
    box = opened.page.locator("#disc").bounding_box()
    return box["x"] + word["left"] + 0.8 * word["width"], box["y"] + word["top"] + 7


def hovered_around(opened: Visit, x: float, y: float) -> set[str]:
    """The hovered words while the mouse moves by half a pixel in each frame."""
    seen = set()
    for step in range(4):
        opened.page.mouse.move(x + step / 2, y)
        opened.js("() => new Promise(requestAnimationFrame)")
        seen.add(opened.js("() => hyperskip.disc.words.names[hyperskip.disc.hovered]"))
    return seen


@pytest.mark.slow
def test_a_label_stays_under_the_mouse_and_can_be_clicked(visit: Open) -> None:
    opened = visit()
    labels = labels_of(opened)
    for label in labels:
        assert hovered_around(opened, *on_the_text(opened, label)) == {label["text"]}
    assert labels_of(opened) == labels
    for label in [each for each in labels if each["text"] in ("city", "music", "war")]:
        opened.js("() => hyperskip.modes.explore.clear()")
        opened.js("() => hyperskip.disc.show(hyperskip.disc.home)")
        opened.page.mouse.move(1, 1)
        opened.js("() => new Promise(requestAnimationFrame)")
        now = next(each for each in labels_of(opened) if each["index"] == label["index"])
        at = on_the_text(opened, now)
        hovered_around(opened, *at)
        opened.page.mouse.click(*at)
        opened.until("() => hyperskip.modes.explore.word !== ''", "an answer")
        assert opened.selected == label["text"]


def test_labels_of_neighbors_can_be_clicked(visit: Open) -> None:
    opened = visit("#word=dog")
    names = opened.js("() => hyperskip.disc.painter.markWords")
    near = [name for name in names if name["text"] != "dog"]
    assert len(near) > 3
    for name in near:
        assert hovered_around(opened, *on_the_text(opened, name)) == {name["text"]}
    opened.page.mouse.click(*on_the_text(opened, near[-1]))
    opened.until("() => hyperskip.modes.explore.word !== 'dog'", "an answer")
    assert opened.selected == near[-1]["text"]


def test_a_hovered_word_gets_a_label(visit: Open) -> None:
    opened = visit()
    labels = labels_of(opened)
    written = {label["index"] for label in labels}
    points = opened.js(
        "() => hyperskip.disc.words.names.map((_, i) =>"
        " hyperskip.disc.clientOf(hyperskip.disc.words.placeOf(i)))"
    )
    found = opened.js(
        "points => points.map(at => document.elementFromPoint(...at)?.closest('#disc')"
        " ? hyperskip.disc.wordAt(at) : -1)",
        points,
    )
    index = next(i for i, word in enumerate(found) if word == i and i not in written)
    before = pixels(opened)
    opened.page.mouse.move(*points[index])
    eventually(lambda: not np.array_equal(pixels(opened), before))
    assert opened.js("() => hyperskip.disc.hovered") == index
    assert labels_of(opened) == labels


@pytest.mark.parametrize("part", ["#theme", "#coloring", "#disc", ".chip"])
def test_global_keys(visit: Open, part: str) -> None:
    opened = visit()
    home = opened.scale
    opened.js("() => hyperskip.disc.zoom(2)")
    opened.page.locator(part).first.focus()
    opened.page.keyboard.press("0")
    assert opened.scale == home
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("0?/")
    assert opened.page.locator("#search .field").input_value() == "0?/"
    assert opened.page.locator("#help").is_hidden()


def test_the_panel_shows_the_ranks_by_radius_and_frequency(visit: Open) -> None:
    opened = visit("#word=dog")
    facts = opened.page.locator(".facts").inner_text()
    assert re.search(r"By radius\s+rank \d+ of 297", facts)
    assert re.search(r"Occurs\s+[\d,]+ times", facts)
    assert re.search(r"By frequency\s+rank 3 of 297", facts)


@pytest.mark.parametrize("radii", [0.9, 0.3])
def test_the_map_is_described_in_words(visit: Open, radii: float) -> None:
    fidelity = {"neighbors": 0.31, "radii": radii}
    tried = {"fitted": fidelity, "tangent": {"neighbors": 0.12, "radii": 1}}
    model = model_of(1, map={"method": "fitted", "fidelity": fidelity, "tried": tried})
    opened = visit(before=answering(model=model, points=ONE_WORD))
    about = opened.about
    assert "This map keeps 31% of the nearest neighbors. Projection: fitted." in about
    assert "Also tried: tangent 12%." in about
    lead = opened.page.locator(".lead").first.inner_text()
    assert ("is the radius of the word" in lead) == (radii > 0.6)


def test_measurements_of_the_map_are_shown_on_request(visit: Open) -> None:
    opened = visit()
    measured = opened.page.locator("#about details p")
    assert measured.count() > 0
    assert opened.page.locator("#about").get_by_text("297 words").is_visible()
    assert not measured.first.is_visible()
    opened.page.get_by_text("About this map").focus()
    opened.page.keyboard.press("Enter")
    assert measured.first.is_visible()
    assert "The map is exact" in measured.first.inner_text()
