"""The explorer in a real browser: the lens around a selected word."""

from typing import Any

import numpy as np
import pytest
from visits import Open, Visit

from hyperskip import WordVectors

IS_LENS = "() => hyperskip.lens.isOpen && !hyperskip.lens.motion.running"
IS_MAP = "() => !hyperskip.lens.isOpen"


def button(opened: Visit) -> Any:
    return opened.page.locator("#lens button")


def lens_of(opened: Visit, word: str) -> Any:
    ask = "word => fetch(`/api/lens?word=${word}`).then(answer => answer.json())"
    return opened.js(ask, word)


@pytest.fixture
def dog(visit: Open, served_space: str) -> Visit:
    return visit(served_space + "#word=dog")


def test_a_word_is_in_the_middle_of_its_nearest_words(dog: Visit, space_model: WordVectors) -> None:
    assert dog.js(IS_LENS)
    names = dog.js("() => hyperskip.disc.words.names")
    near = [one.word for one in space_model.neighbors("dog", 100)]
    assert names == ["dog", *near]
    assert dog.client_of_word("dog") == pytest.approx(dog.middle(), abs=0.01)
    places = np.array(
        dog.js("() => [...hyperskip.disc.words.x].map((x, i) => [x, hyperskip.disc.words.y[i]])")
    )
    radii = np.linalg.norm(places[1:], axis=1)
    assert (np.diff(radii) >= 0).all()  # in the order of the list of neighbors
    answer = lens_of(dog, "dog")
    assert places == pytest.approx(np.column_stack((answer["x"], answer["y"])))
    rings = dog.js("() => hyperskip.disc.lens.rings.map(ring => [ring.text, ring.radius])")
    assert rings == [[f"{ring['value']:g}", ring["radius"]] for ring in answer["rings"]]
    note = dog.page.locator(".lens-note").inner_text()
    assert "Rings: true distance from dog." in note
    assert f"{round(100 * answer['kept'])}%" in note
    marks = dog.js("() => hyperskip.disc.scene.marks.map(mark => mark.word)")
    assert marks == ["dog", *near[:12]]


def test_a_click_goes_from_word_to_word_and_back_to_the_map(dog: Visit) -> None:
    next_word = dog.js("() => hyperskip.disc.words.names[1]")
    dog.page.mouse.click(*dog.client_of_word(next_word))
    dog.until(f"() => hyperskip.modes.explore.word === '{next_word}'", "the next word")
    assert dog.js("() => hyperskip.disc.words.names[0]") == next_word
    button(dog).click()
    assert dog.js(IS_MAP)
    assert dog.js("() => hyperskip.disc.words.names.length") == 77
    assert dog.client_of_word(next_word) == pytest.approx(dog.middle(), abs=0.01)
    assert dog.selected == next_word
    assert dog.js("() => hyperskip.disc.scene.lines.length") == 12
    button(dog).click()
    dog.until(IS_LENS, "the lens again")
    box = dog.page.locator("#disc").bounding_box()
    dog.page.mouse.click(box["x"] + 4, box["y"] + 4)  # no word
    dog.until(IS_MAP, "no word is selected")
    assert button(dog).is_hidden()


def test_the_lens_by_keyboard_alone(visit: Open, served_space: str) -> None:
    opened = visit(served_space)
    opened.page.keyboard.press("l")  # without a word, nothing to show
    assert opened.js(IS_MAP)
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("dog")
    opened.page.keyboard.press("Enter")
    opened.until(IS_LENS, "the lens")
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("l")
    assert opened.js(IS_MAP)
    opened.page.keyboard.press("L")
    opened.until(IS_LENS, "the lens again")
    opened.page.locator("#count").focus()
    opened.page.keyboard.press("l")  # a letter for the list
    assert opened.js(IS_LENS)
    for _ in range(40):
        opened.page.keyboard.press("Tab")
        if opened.js("() => document.activeElement.matches('#lens button')"):
            break
    opened.page.keyboard.press("Enter")
    assert opened.js(IS_MAP)
    assert opened.js("() => document.activeElement.matches('#lens button')")
    opened.page.keyboard.press("Enter")
    opened.until(IS_LENS, "the lens by its button")
    opened.page.locator("#disc").focus()
    for _ in range(2):  # to the farthest words
        opened.page.keyboard.press("Shift+ArrowRight")
    opened.page.keyboard.press("Enter")
    opened.until("() => hyperskip.modes.explore.word !== 'dog'", "another word")
    opened.page.keyboard.press("Escape")
    opened.until(IS_MAP, "no word")
    assert opened.page.locator(".card-word").count() == 0


def test_a_link_opens_the_lens_or_the_map(visit: Open, served_space: str) -> None:
    opened = visit(served_space + "#word=dog&lens=on&at=0.2,0.1&zoom=1.5")
    assert opened.js(IS_LENS)
    assert opened.center == pytest.approx((0.2, 0.1))
    assert opened.scale == pytest.approx(1.5)
    opened.page.keyboard.press("l")
    opened.until("() => location.hash.includes('lens=off')", "the link")
    again = visit(opened.page.url)
    assert again.js(IS_MAP)
    assert again.selected == "dog"
    assert again.center == pytest.approx(opened.center, abs=1e-9)
    assert visit(served_space + "#word=dog&at=0.2,0.1").js(IS_MAP)  # an older link
    assert visit(served_space + "#word=dog&lens=loud").js(IS_LENS)


def test_an_exact_map_needs_no_lens(visit: Open) -> None:
    opened = visit("#word=dog&lens=on")
    assert opened.js(IS_MAP)
    assert button(opened).is_hidden()
    opened.until("() => hyperskip.link.waiting === 0", "the link")
    assert "lens" not in opened.page.url


def test_other_modes_and_regions_close_the_lens(dog: Visit) -> None:
    dog.page.get_by_text("Path", exact=True).click()
    assert dog.js(IS_MAP)
    assert button(dog).is_hidden()
    dog.page.get_by_text("Explore", exact=True).click()
    dog.until(IS_LENS, "the lens again")
    colors = dog.js("() => [...hyperskip.disc.colors]")
    dog.page.locator("#theme").click()
    assert dog.js("() => [...hyperskip.disc.colors]") != colors
    assert len(colors) == 4 * 77
    dog.page.locator("#legend .crumb").first.click()
    assert dog.js(IS_MAP)


def test_words_move_in_an_animation(visit: Open, served_space: str) -> None:
    opened = visit(served_space, reduced_motion="no-preference")
    opened.js(
        "() => { hyperskip.seen = []; const { lens } = hyperskip; const run = lens.motion.run;"
        " lens.motion.run = (time, show) => run.call(lens.motion, time, (share) => {"
        " show(share); hyperskip.seen.push([share, hyperskip.disc.words.x[1]]); }); }"
    )
    for word in ("dog", "cat"):  # from the map, and from another lens
        opened.js("word => { hyperskip.seen.length = 0; hyperskip.goTo(word); }", word)
        opened.until(f"() => hyperskip.modes.explore.word === '{word}'", "an answer")
        opened.until(IS_LENS, "the lens")
        shares = [share for share, _ in opened.js("() => hyperskip.seen")]
        assert shares[-1] == 1
        assert shares == sorted(shares)
    opened.js("() => { hyperskip.seen.length = 0; }")
    button(opened).click()
    opened.until(IS_MAP, "the map")
    assert opened.js("() => hyperskip.seen.at(-1)[0]") == 1
    opened.until("() => document.querySelectorAll('.ghost, .appearing').length === 0", "no ghosts")
    assert opened.client_of_word("cat") == pytest.approx(opened.middle(), abs=0.01)


def test_with_reduced_motion_nothing_moves_or_fades(dog: Visit) -> None:
    button(dog).click()
    assert dog.js("() => document.querySelectorAll('.ghost, .appearing').length") == 0
    assert not dog.js("() => hyperskip.lens.motion.running")


def test_hostile_words_are_text(visit: Open, served_hostile_space: str) -> None:
    opened = visit(served_hostile_space)
    for word in opened.js("() => [...hyperskip.disc.words.names]")[:5]:
        opened.js("word => hyperskip.goTo(word)", word)
        opened.until("() => hyperskip.modes.explore.answer !== null", "an answer")
        opened.until(IS_LENS, "the lens")
        assert opened.page.locator("#lens script, #lens img, #lens b").count() == 0
        box = opened.page.locator("#lens").bounding_box()
        assert box["width"] < 200
    assert opened.page.locator("#lens .word").inner_text() != ""


def test_on_a_phone_the_button_is_free_and_the_lens_fits(visit: Open, served_space: str) -> None:
    opened = visit(
        served_space + "#word=dog",
        viewport={"width": 390, "height": 780},
        has_touch=True,
        is_mobile=True,
    )
    assert opened.js(IS_LENS)
    button(opened).tap()
    opened.until(IS_MAP, "the map")
    button(opened).tap()
    opened.until(IS_LENS, "the lens")


def test_words_outside_the_vocabulary_have_a_lens(
    visit: Open, served_subwords_hierarchy: str
) -> None:
    opened = visit(served_subwords_hierarchy + "#word=doggish")
    assert opened.js(IS_LENS)
    assert opened.js("() => hyperskip.disc.words.names[0]") == "doggish"
