"""The explorer in a real browser: what people do with it, and what must not happen."""

import io
import json
import re
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from visits import Visit

Open = Callable[..., Visit]

NO_WEBGL = """
const original = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
  return kind === "webgl2" ? null : original.call(this, kind, ...rest);
};
"""
ONE_WORD = {
    "rows": [0], "words": ["alone"], "x": [0.0], "y": [0.0], "counts": [5], "radii": [0.0],
    "clusters": [0], "in_view": 1,
}  # fmt: skip


def model_of(words: int, **changed: object) -> dict[str, object]:
    model = {
        "name": "made up", "words": words, "mapped": words, "dimension": 20, "factors": 1,
        "geometry": "hyperboloid", "counts_known": True, "limits": {},
        "clusters": [{"name": "alone", "size": words}],
        "map": {"method": "fitted", "fidelity": {"neighbors": 0.31, "radii": 0.9}, "tried": {}},
        "search": {"method": "exact", "recall": 1.0},
    }  # fmt: skip
    return model | changed


def answering(**answers: object) -> Callable[[Any], None]:
    """Answer questions of the API by these."""

    def answer(route: Any) -> None:
        name = route.request.url.split("/api/")[1].split("?")[0]
        route.fulfill(json=answers[name])

    def prepare(page: Any) -> None:
        for name in answers:
            page.route(f"**/api/{name}*", answer)

    return prepare


def pixels(visit: Visit) -> np.ndarray[Any, Any]:
    """The disc as it is seen, (height, width, 3)."""
    from matplotlib.image import imread

    box = visit.page.locator("#disc").bounding_box()
    picture: np.ndarray[Any, Any] = imread(io.BytesIO(visit.page.screenshot(clip=box)))
    return picture[:, :, :3]


def colourful(visit: Visit) -> int:
    """How many pixels of the disc are neither grey nor nearly so."""
    picture = pixels(visit)
    return int((np.ptp(picture, axis=2) > 0.25).sum())


def eventually(is_so: Callable[[], bool]) -> None:
    """Look again and again: what is drawn comes a frame later, or on a busy machine several."""
    for _ in range(20):
        if is_so():
            return
        time.sleep(0.1)
    assert is_so()


def test_it_loads_and_draws_every_word(visit: Open) -> None:
    opened = visit()
    assert opened.page.title() == "small – hyperskip"
    assert opened.page.locator("h1").inner_text() == "hyperskip small"
    assert "the map is exact" in opened.page.locator("#about").inner_text()
    assert opened.js("() => hyperskip.disc.words.names.length") == 297
    assert opened.js("() => hyperskip.disc.painter.points.renderer").startswith("WebGL2")
    assert colourful(opened) > 1000
    labels = opened.js("() => hyperskip.disc.painter.placed.map(label => label.text)")
    assert "the" in labels
    assert 10 < len(labels) <= 150


def test_labels_do_not_overlap(visit: Open) -> None:
    boxes = visit().js("() => hyperskip.disc.painter.placed.map(l => [l.left, l.top, l.width])")
    for i, (left, top, width) in enumerate(boxes):
        for other_left, other_top, other_width in boxes[:i]:
            apart = left >= other_left + other_width or other_left >= left + width
            assert apart or abs(top - other_top) >= 15


def test_nothing_is_drawn_while_nothing_changes(visit: Open) -> None:
    opened = visit()
    drawn = [-1, -2]
    while drawn[-1] != drawn[-2]:
        assert len(drawn) < 12, "frames are drawn although nothing happens"
        opened.page.wait_for_timeout(300)
        drawn.append(opened.js("() => hyperskip.disc.frameTimes.length"))


def test_without_webgl_a_plain_canvas_draws(visit: Open) -> None:
    opened = visit(before=lambda page: page.add_init_script(NO_WEBGL))
    assert opened.js("() => hyperskip.disc.painter.points.renderer") == "canvas"
    assert colourful(opened) > 1000


def test_points_come_back_when_the_context_was_lost(visit: Open) -> None:
    opened = visit()
    opened.js(
        "() => { const { gl } = hyperskip.disc.painter.points;"
        " window.loser = gl.getExtension('WEBGL_lose_context'); loser.loseContext(); }"
    )
    opened.until("() => hyperskip.disc.painter.points.gl.isContextLost()", "lost")
    opened.js("() => loser.restoreContext()")
    opened.until("() => !hyperskip.disc.painter.points.gl.isContextLost()", "restored")
    eventually(lambda: colourful(opened) > 1000)


# -- travelling


def test_what_is_dragged_stays_under_the_pointer(visit: Open) -> None:
    opened = visit()
    x, y = opened.middle()
    grabbed = opened.place_at(x + 120, y - 60)
    opened.page.mouse.move(x + 120, y - 60)
    opened.page.mouse.down()
    for to in [(x + 100, y - 20), (x - 150, y + 40), (x - 40, y + 200), (x + 210, y + 10)]:
        opened.page.mouse.move(*to, steps=3)
        assert opened.client_of(grabbed) == pytest.approx(to, abs=0.01)
    opened.page.mouse.up()
    assert opened.page.locator(".card-word").count() == 0  # a drag is no click


def test_dragging_beyond_the_rim_and_back_keeps_hold(visit: Open) -> None:
    opened = visit()
    x, y = opened.middle()
    grabbed = opened.place_at(x + 50, y)
    opened.page.mouse.move(x + 50, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 500, y - 340, steps=4)
    opened.page.mouse.move(x - 30, y + 20, steps=4)
    opened.page.mouse.up()
    assert opened.client_of(grabbed) == pytest.approx((x - 30, y + 20), abs=0.05)


@pytest.mark.parametrize("turns", [-120, 240])
def test_the_wheel_zooms_about_the_pointer(visit: Open, turns: float) -> None:
    opened = visit()
    x, y = opened.middle()
    at = (x + 90, y - 70)
    place, before = opened.place_at(*at), opened.scale
    opened.page.mouse.move(*at)
    opened.page.mouse.wheel(0, turns)
    opened.until(f"() => hyperskip.disc.view.scale !== {before}", "zoom")
    assert (opened.scale > before) == (turns < 0)
    assert opened.client_of(place) == pytest.approx(at, abs=0.01)


def test_two_fingers_pinch_and_drag(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    x, y = opened.middle()
    fingers = opened.context.new_cdp_session(opened.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    place, before = opened.place_at(x, y), opened.scale
    touch("touchStart", (x - 30, y), (x + 30, y))
    for step in range(1, 6):
        touch("touchMove", (x - 30 - 6 * step, y + 4 * step), (x + 30 + 6 * step, y + 4 * step))
    touch("touchEnd")
    assert opened.scale == pytest.approx(2 * before, rel=0.02)
    assert opened.client_of(place) == pytest.approx((x, y + 20), abs=1)


def test_keys_travel_zoom_reset_and_choose(visit: Open) -> None:
    opened = visit()
    home = opened.scale
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("ArrowRight")
    assert opened.centre == pytest.approx((np.tanh(0.35 / 2), 0))
    opened.page.keyboard.press("ArrowUp")
    assert opened.centre[1] > 0.1
    opened.page.keyboard.press("+")
    assert opened.scale == pytest.approx(1.25 * home)
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    assert opened.page.locator("#live").inner_text().startswith(f"{opened.selected}: nearest are ")
    opened.page.keyboard.press("0")
    assert (opened.scale, *opened.centre) == (home, 0, 0)


def test_help_opens_by_a_key_and_everything_is_reached_by_tab(visit: Open) -> None:
    opened = visit()
    opened.page.keyboard.press("?")
    assert opened.page.locator("#help").is_visible()
    opened.page.keyboard.press("Escape")
    reached = set()
    for _ in range(40):
        opened.page.keyboard.press("Tab")
        reached.add(opened.js("() => document.activeElement.id || document.activeElement.value"))
    assert {"disc", "zoom-in", "reset", "copy-link", "theme", "open-help", "colouring"} <= reached
    assert "explore" in reached


def test_a_journey_takes_its_time_and_ends_at_the_word(visit: Open) -> None:
    opened = visit(reduced_motion="no-preference")
    opened.page.mouse.click(*opened.client_of_word("paris"))
    opened.page.wait_for_selector(".card-word")
    word = opened.selected  # another one may be written over the point
    middle = opened.middle()
    opened.until("() => !hyperskip.disc.motion.running", "arrival")
    assert opened.client_of_word(word) == pytest.approx(middle, abs=0.01)
    assert opened.js("() => hyperskip.disc.frameTimes.length") > 4
    opened.page.mouse.dblclick(middle[0] - 300, middle[1] - 300)
    opened.until("() => Math.hypot(...hyperskip.disc.view.centre) === 0", "reset")


# -- words


def test_a_press_selects_a_word_and_brings_it_to_the_middle(visit: Open) -> None:
    opened = visit()
    at = opened.client_of_word("dog")
    word = opened.js("at => hyperskip.disc.words.names[hyperskip.disc.wordAt(at)]", list(at))
    opened.page.mouse.move(*at)
    assert "pointing" in opened.page.locator("#disc").get_attribute("class")
    opened.page.mouse.click(*at)
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == word
    assert opened.client_of_word(word) == pytest.approx(opened.middle(), abs=0.01)
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
    """At four fifths of a word that is written on the disc."""
    box = opened.page.locator("#disc").bounding_box()
    return box["x"] + word["left"] + 0.8 * word["width"], box["y"] + word["top"] + 7


def hovered_around(opened: Visit, x: float, y: float) -> set[str]:
    """What is pointed at while the mouse moves by half pixels, each with a frame for itself."""
    seen = set()
    for step in range(4):
        opened.page.mouse.move(x + step / 2, y)
        opened.js("() => new Promise(requestAnimationFrame)")
        seen.add(opened.js("() => hyperskip.disc.words.names[hyperskip.disc.hovered]"))
    return seen


def test_a_label_stays_under_the_mouse_and_is_what_a_click_selects(visit: Open) -> None:
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


def test_the_neighbours_of_a_selected_word_are_pressed_on_their_names(visit: Open) -> None:
    opened = visit("#word=dog")
    names = opened.js("() => hyperskip.disc.painter.markWords")
    near = [name for name in names if name["text"] != "dog"]
    assert len(near) > 3
    for name in near:
        assert hovered_around(opened, *on_the_text(opened, name)) == {name["text"]}
    opened.page.mouse.click(*on_the_text(opened, near[-1]))
    opened.until("() => hyperskip.modes.explore.word !== 'dog'", "an answer")
    assert opened.selected == near[-1]["text"]


def test_a_word_without_a_label_is_told_beside_its_point(visit: Open) -> None:
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


def test_search_suggests_and_is_worked_by_keys(visit: Open) -> None:
    opened = visit()
    opened.page.keyboard.press("/")
    field = opened.page.locator("#search .field")
    assert field.evaluate("field => field === document.activeElement")
    opened.page.keyboard.type("do")
    opened.page.wait_for_selector("#search [role=option]")
    options = opened.page.locator("#search [role=option] .word").all_inner_texts()
    assert options == ["dog", "dogs"]
    assert field.get_attribute("aria-expanded") == "true"
    opened.page.keyboard.press("ArrowDown")
    opened.page.keyboard.press("ArrowDown")
    active = field.get_attribute("aria-activedescendant")
    assert opened.page.locator(f"#{active} .word").inner_text() == "dogs"
    opened.page.keyboard.press("Escape")
    assert field.get_attribute("aria-expanded") == "false"
    assert field.input_value() == "do"
    opened.page.keyboard.type("g")
    opened.page.wait_for_selector("#search [role=option]")
    opened.page.keyboard.press("ArrowUp")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "dogs"


@pytest.mark.parametrize("has_touch", [True, False])
def test_a_finger_on_a_suggestion_takes_the_focus_from_the_field(
    visit: Open, has_touch: bool
) -> None:
    opened = visit(has_touch=has_touch)
    field = opened.page.locator("#search .field")
    field.click()
    field.press_sequentially("dogs")
    option = opened.page.locator("#search [role=option]").first
    option.wait_for()
    if has_touch:
        option.tap()
    else:
        option.click()
    opened.page.wait_for_selector(".card-word")
    assert field.evaluate("field => field === document.activeElement") != has_touch


def test_suggestions_that_come_too_late_are_dropped(visit: Open) -> None:
    late: list[Any] = []
    opened = visit()
    opened.page.route("**/api/words?prefix=d&*", lambda route: late.append(route))
    field = opened.page.locator("#search .field")
    field.press_sequentially("d")
    while not late:
        opened.page.wait_for_timeout(30)
    field.fill("pari")
    opened.page.wait_for_selector("#search [role=option]")
    try:
        late[0].fulfill(body='{"words": [{"word": "late", "count": 1}]}')
    except Exception as error:  # the browser has given the request up, which is as good
        assert "handled" in str(error) or "Invalid" in str(error)  # noqa: PT017
    opened.page.wait_for_timeout(150)
    assert opened.page.locator("#search [role=option] .word").all_inner_texts() == ["paris"]


class Held:
    """Answers to a question of the API that wait until they are released."""

    def __init__(self, opened: Visit, name: str) -> None:
        self._page, self._pattern, self._routes = opened.page, f"**/api/{name}*", list[Any]()
        self._page.route(self._pattern, lambda route: self._routes.append(route))

    def wait(self) -> None:
        while not self._routes:
            self._page.wait_for_timeout(30)

    def release(self) -> None:
        for route in self._routes:
            route.continue_()  # of no effect where the page has given the question up
        self._page.unroute(self._pattern)
        self._page.wait_for_timeout(200)


def drawn(opened: Visit) -> int:
    return len(opened.js("() => hyperskip.disc.scene.marks"))


def test_neighbours_that_come_too_late_are_not_drawn_in_another_mode(visit: Open) -> None:
    opened = visit()
    held = Held(opened, "neighbors")
    opened.page.locator("#search .field").fill("dog")
    opened.page.keyboard.press("Enter")
    held.wait()
    opened.page.get_by_text("Analogy", exact=True).click()
    held.release()
    assert drawn(opened) == 0
    opened.js("() => hyperskip.modes.explore.select('dog')")  # by a script
    assert drawn(opened) == 0
    opened.page.get_by_text("Explore", exact=True).click()
    assert drawn(opened) == 13


@pytest.mark.parametrize(
    ("mode", "words", "answered"),
    [("analogy", ["man", "woman", "king"], ".route"), ("path", ["dog", "city"], ".step")],
)
def test_an_answer_that_another_mode_has_cut_off_is_asked_for_again(
    visit: Open, mode: str, words: list[str], answered: str
) -> None:
    opened = visit(f"#mode={mode}")
    held = Held(opened, mode)
    opened.js(f"words => {{ hyperskip.modes.{mode}.fields.words = words; }}", words)
    opened.js(f"() => {{ hyperskip.modes.{mode}.solve(); }}")
    held.wait()
    opened.page.get_by_text("Explore", exact=True).click()
    held.release()
    assert (drawn(opened), opened.page.locator(answered).count()) == (0, 0)
    opened.page.get_by_text(mode.capitalize(), exact=True).click()
    opened.page.wait_for_selector(answered)
    assert drawn(opened) > 0


def test_what_is_being_typed_is_not_swept_away_by_an_answer(visit: Open) -> None:
    opened = visit()
    held = Held(opened, "neighbors")
    field = opened.page.locator("#search .field")
    field.fill("dog")
    opened.page.keyboard.press("Enter")
    held.wait()
    field.fill("pari")
    held.release()
    opened.page.wait_for_selector(".card-word")
    assert (opened.selected, field.input_value()) == ("dog", "pari")
    field.fill("cat")
    opened.page.keyboard.press("Enter")
    opened.until("() => document.querySelector('.card-word').innerText === 'cat'", "the next word")
    assert field.input_value() == ""


@pytest.mark.parametrize(
    ("mode", "words"),
    [("analogy", "&word=man&word=woman&word=king"), ("path", "&word=dog&word=city")],
)
def test_a_link_with_empty_fields_leaves_nothing_of_the_last_answer(
    visit: Open, mode: str, words: str
) -> None:
    opened = visit(f"#mode={mode}{words}")
    assert drawn(opened) > 0
    opened.js("hash => { location.hash = hash; }", f"#mode={mode}")
    opened.until("() => hyperskip.disc.scene.marks.length === 0", "an empty disc")
    assert opened.page.locator(".route, .step").count() == 0
    assert opened.page.get_by_role("button", name="Walk along").count() == 0


def test_an_unknown_word_is_answered_with_others_as_buttons(visit: Open) -> None:
    opened = visit(expected=("404",))
    opened.page.locator("#search .field").fill("francce")
    opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_role("button", name="france").click()
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "france"
    assert notice.is_hidden()
    opened.page.locator("#search .field").fill("francce")
    opened.page.keyboard.press("Enter")
    notice.wait_for()
    opened.page.locator("#search .field").press_sequentially("x")
    assert notice.is_hidden()


def test_escape_leaves_the_field_and_then_the_word(visit: Open) -> None:
    opened = visit("#word=dog")
    opened.page.keyboard.press("/")
    opened.page.keyboard.type("ci")
    opened.page.wait_for_selector("#search [role=option]")
    focused = "() => document.activeElement.className"
    opened.page.keyboard.press("Escape")
    assert opened.js(focused) == "field"
    opened.page.keyboard.press("Escape")
    assert opened.js(focused) != "field"
    opened.page.locator("#disc").focus()
    opened.page.keyboard.press("Escape")
    assert opened.page.locator(".card-word").count() == 0
    assert drawn(opened) == 0


@pytest.mark.parametrize("part", ["#theme", "#colouring", "#disc", ".chip"])
def test_keys_that_work_wherever_the_focus_is(visit: Open, part: str) -> None:
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


def test_the_panel_says_how_general_and_how_frequent_a_word_is(visit: Open) -> None:
    opened = visit("#word=dog")
    facts = opened.page.locator(".facts").inner_text()
    assert re.search(r"Generality\s+\d+(st|nd|rd|th) of 297", facts)
    assert re.search(r"Occurs\s+[\d,]+ times", facts)
    assert re.search(r"Frequency\s+3rd of 297", facts)


@pytest.mark.parametrize("radii", [0.9, 0.3])
def test_the_map_is_described_in_words(visit: Open, radii: float) -> None:
    fidelity = {"neighbors": 0.31, "radii": radii}
    tried = {"fitted": fidelity, "tangent": {"neighbors": 0.12, "radii": 1}}
    model = model_of(
        1,
        map={"method": "fitted", "fidelity": fidelity, "tried": tried},
        search={"method": "exact", "recall": 0.987},
    )
    opened = visit(before=answering(model=model, points=ONE_WORD))
    about = opened.page.locator("#about").inner_text()
    assert "31 of 100 nearest neighbours are still nearest. Made by: fitted." in about
    assert "Also tried: tangent 12 of 100." in about
    assert "98.7% of the nearest words were found" in about
    lead = opened.page.locator(".lead").first.inner_text()
    assert ("general ones near the middle" in lead) == (radii > 0.6)


# -- analogies and paths


def test_an_analogy_is_drawn_and_answered_by_both_routes(visit: Open) -> None:
    opened = visit()
    opened.page.get_by_text("Analogy", exact=True).click()
    for label, word in zip("abc", ["man", "woman", "king"], strict=True):
        opened.page.get_by_label(label, exact=True).and_(opened.page.locator("input")).fill(word)
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".route")
    assert opened.page.locator(".route").count() == 2
    assert opened.page.locator(".route-accent .near-word").count() == 8
    scene = opened.js("() => hyperskip.disc.scene")
    assert [line.get("arrow", False) for line in scene["lines"]] == [False, False, True, True]
    words = [mark["word"] for mark in scene["marks"]]
    assert words[:4] == ["man", "woman", "king", "Z"]
    assert "Z′" in words
    from_c, from_b = scene["lines"][2], scene["lines"][3]
    assert from_c["from"] == scene["marks"][2]["at"]
    assert from_b["from"] == scene["marks"][1]["at"]


def test_a_suggestion_takes_the_place_of_the_unknown_word(visit: Open) -> None:
    unknown = {
        "error": 'the word "it\'z" is not known', "word": "it'z", "suggestions": ["woman"],
    }  # fmt: skip
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.fulfill(status=404, json=unknown)
        else:
            route.continue_()

    opened = visit(
        "#mode=analogy&word=man&word=it%27z&word=king",
        before=lambda page: page.route("**/api/analogy*", answer),
        expected=("404",),
    )
    opened.page.locator("#notice").get_by_role("button", name="woman").click()
    opened.page.wait_for_selector(".route")
    assert opened.js("() => hyperskip.modes.analogy.fields.words") == ["man", "woman", "king"]


def test_examples_of_analogies_are_offered_where_their_words_are_known(visit: Open) -> None:
    opened = visit("#mode=analogy")
    examples = opened.page.locator("#analogy .chip").all_inner_texts()
    assert examples[0] == "france : paris = italy : ?"
    assert not any("big" in example for example in examples)
    opened.page.locator("#analogy .chip").first.click()
    opened.page.wait_for_selector(".route")


def test_a_word_of_the_map_fills_an_empty_field(visit: Open) -> None:
    opened = visit("#mode=path")
    for word in ("king", "city"):
        index = opened.js("word => hyperskip.disc.words.indexOf(word)", word)
        opened.js(
            "index => hyperskip.disc.dispatchEvent(new CustomEvent('choose', {detail: index}))",
            index,
        )
    opened.page.wait_for_selector(".step")
    assert opened.js("() => hyperskip.modes.path.fields.words") == ["king", "city"]


def test_a_path_is_listed_drawn_and_walked(visit: Open) -> None:
    opened = visit("#mode=path&word=dog&word=city")
    steps = opened.page.locator(".step")
    assert steps.count() == 12
    assert len(opened.js("() => hyperskip.disc.scene.lines")) == 11
    steps.nth(5).focus()
    shapes = opened.js("() => hyperskip.disc.scene.marks.map(mark => mark.shape)")
    assert shapes.count("target") == 1
    opened.page.get_by_role("button", name="Walk along").click()
    opened.until("() => hyperskip.modes.path.current === 11", "the walk's end")
    assert opened.client_of_word("city") == pytest.approx(opened.middle(), abs=0.5)


# -- colours, screens, links


def test_points_take_their_colours_by_choice_and_groups_can_be_hidden(visit: Open) -> None:
    opened = visit()
    choice = opened.page.locator("#colouring")
    for name, title in [("frequency", "Frequency"), ("radius", "Radius"), ("cluster", "Clusters")]:
        before = opened.js("() => [...hyperskip.disc.colours]")
        choice.select_option("radius" if name != "radius" else "frequency")
        choice.select_option(name)
        assert opened.page.locator(".legend-title").inner_text() == title
        assert opened.js("() => [...hyperskip.disc.colours]") != before or name == "cluster"
    entry = opened.page.locator(".legend-entry").first
    entry.click()
    assert entry.get_attribute("aria-pressed") == "false"
    gone = "() => hyperskip.disc.colours.filter((value, i) => i % 4 === 3 && value === 0).length"
    assert opened.js(gone) > 0
    entry.click()
    assert opened.js(gone) == 0


@pytest.mark.parametrize("size", [(1000, 640), (844, 390), (1900, 900)])
def test_the_legend_does_not_hide_what_was_asked_for(visit: Open, size: tuple[int, int]) -> None:
    viewport = {"width": size[0], "height": size[1]}
    opened = visit("#mode=path&word=dog&word=city", viewport=viewport)
    title = opened.page.locator(".legend-title")
    is_wide = size[0] == 1900
    assert title.get_attribute("aria-expanded") == ("true" if is_wide else "false")
    legend = opened.page.locator("#legend").bounding_box()
    assert (legend["height"] < 50) != is_wide
    for name in opened.js("() => hyperskip.disc.painter.markWords"):
        beside = legend["x"] + legend["width"] <= name["left"]
        assert beside or name["top"] + 15 <= legend["y"]
    title.click()
    assert title.get_attribute("aria-expanded") == ("false" if is_wide else "true")
    legend = opened.page.locator("#legend").bounding_box()
    assert legend["y"] >= 0
    if not is_wide:
        opened.page.locator(".step").nth(3).hover()
        assert title.get_attribute("aria-expanded") == "true"


def test_the_legend_is_reached_by_tab_behind_the_search(visit: Open) -> None:
    opened = visit()
    assert opened.page.locator(".legend-title").get_attribute("aria-expanded") == "true"
    reached: list[str] = []
    while "legend-title" not in reached:
        assert len(reached) < 40
        opened.page.keyboard.press("Tab")
        reached.append(opened.js("() => document.activeElement.className"))
    assert "field" in reached
    opened.page.keyboard.press("Enter")
    assert opened.page.locator(".legend-entry").first.is_hidden()


def test_the_legend_keeps_its_colours_where_the_system_chooses_others(visit: Open) -> None:
    opened = visit(forced_colors="active")
    read = (
        "() => [...document.querySelectorAll('.swatch')].map(s => getComputedStyle(s).background)"
    )
    assert len(set(opened.js(read))) == opened.page.locator(".swatch").count() > 3


@pytest.mark.parametrize("by", ["system", "button"])
def test_dark_is_dark(visit: Open, by: str) -> None:
    opened = visit(color_scheme="dark" if by == "system" else "light")
    if by == "button":
        assert pixels(opened).mean() > 0.8
        opened.page.locator("#theme").click()
    eventually(lambda: bool(pixels(opened).mean() < 0.3))
    assert opened.page.locator("#theme").get_attribute("aria-label") == "Use light colours"


def contrast(first: list[float], second: list[float]) -> float:
    def luminance(colour: list[float]) -> float:
        parts = np.array(colour) / 255
        linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
        return float(linear @ [0.2126, 0.7152, 0.0722])

    high, low = sorted([luminance(first), luminance(second)], reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_stands_out_from_what_it_is_written_on(visit: Open, theme: str) -> None:
    opened = visit(f"#theme={theme}&word=dog")
    read = """name => {
      const probe = document.createElement("i");
      probe.style.color = `var(--${name})`;
      document.body.append(probe);
      const colour = getComputedStyle(probe).color;
      probe.remove();
      return colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
    }"""
    colours = {
        name: opened.js(read, name)
        for name in ("ink", "muted", "accent", "second", "paper", "plate", "sheet", "on-accent")
    }
    for text in ("ink", "muted", "accent", "second"):
        for ground in ("paper", "plate", "sheet"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
    assert contrast(colours["on-accent"], colours["accent"]) >= 4.5


@pytest.mark.parametrize(
    "address", ["", "#word=dog", "#mode=analogy&word=man&word=woman&word=king"]
)
def test_a_phone_shows_all_of_it(visit: Open, address: str) -> None:
    opened = visit(address, viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    assert opened.js("() => document.documentElement.scrollWidth") == 390
    wide = """() => [...document.querySelectorAll("body *:not(.unseen):not(canvas)")]
      .filter((part) => part.getBoundingClientRect().right > 391 && !part.closest(".legend"))
      .map((part) => part.className)"""
    assert opened.js(wide) == []
    stage = opened.page.locator(".stage").bounding_box()
    panel = opened.page.locator(".panel").bounding_box()
    assert stage["height"] > 300
    assert panel["y"] == pytest.approx(stage["y"] + stage["height"])


def test_help_on_a_phone_has_room_for_its_words(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    opened.page.locator("#open-help").tap()
    keys, meaning = (
        opened.page.locator(f".keys {part}").first.bounding_box() for part in ("dt", "dd")
    )
    assert meaning["width"] > keys["width"]
    assert opened.js("() => document.documentElement.scrollWidth") == 390


def test_a_finger_selects_and_the_sheet_closes(visit: Open) -> None:
    opened = visit(viewport={"width": 390, "height": 780}, has_touch=True, is_mobile=True)
    opened.page.touchscreen.tap(*opened.client_of_word("paris"))
    opened.page.wait_for_selector(".card-word")
    before = opened.page.locator(".stage").bounding_box()["height"]
    opened.page.locator("#sheet").tap()
    assert opened.page.locator("#panel-body").is_hidden()
    assert opened.page.locator(".stage").bounding_box()["height"] > before
    assert opened.page.locator("#sheet").get_attribute("aria-expanded") == "false"


def test_a_link_restores_the_view(visit: Open) -> None:
    opened = visit(permissions=["clipboard-read", "clipboard-write"])
    x, y = opened.middle()
    opened.page.locator("#search .field").fill("music")
    opened.page.keyboard.press("Enter")
    opened.page.wait_for_selector(".card-word")
    opened.page.mouse.move(x, y)
    opened.page.mouse.down()
    opened.page.mouse.move(x + 160, y + 90, steps=4)
    opened.page.mouse.move(x - 60, y + 120, steps=4)
    opened.page.mouse.up()
    opened.page.mouse.wheel(0, -200)
    opened.page.locator("#colouring").select_option("radius")
    opened.page.locator("#theme").click()
    opened.page.locator("#copy-link").click()
    opened.until("() => document.querySelector('#live').textContent.includes('copied')", "a copy")
    link = opened.js("() => navigator.clipboard.readText()")
    again = visit(link)
    assert again.selected == "music"
    assert again.centre == pytest.approx(opened.centre, abs=1e-9)
    assert again.scale == pytest.approx(opened.scale)
    turn = "() => hyperskip.disc.view.turn"
    assert again.js(turn) == pytest.approx(opened.js(turn), abs=1e-9)
    assert abs(again.js(turn)) > 1e-3
    assert again.page.locator("#colouring").input_value() == "radius"
    assert again.js("() => document.documentElement.dataset.theme") == "dark"


def test_a_link_that_is_pasted_opens_and_a_broken_one_does_no_harm(visit: Open) -> None:
    opened = visit("#at=2,nonsense&zoom=-1&turn=x&mode=none&colour=pink&theme=loud")
    assert opened.centre == (0, 0)
    opened.js("() => { location.hash = '#mode=path&word=dog&word=cat&at=0.1,0.2'; }")
    opened.page.wait_for_selector(".step")
    assert opened.centre == pytest.approx((0.1, 0.2))
    opened.until("() => location.hash.includes('at=0.1%2C0.2&mode=path')", "the address")


def test_back_leads_through_what_was_asked_and_not_through_drags(visit: Open) -> None:
    opened = visit("#word=dog")
    settled = "() => hyperskip.link.waiting === 0"
    opened.until(settled, "the address")
    start = opened.js("() => history.length")
    opened.page.locator("#disc").focus()
    for _ in range(3):
        opened.page.keyboard.press("ArrowRight")
        opened.page.wait_for_timeout(300)
    opened.until(settled, "the address")
    seen = opened.centre
    assert opened.js("() => history.length") == start
    opened.js("() => hyperskip.goTo('cat')")
    opened.until("() => location.hash.includes('word=cat')", "the address")
    opened.js("() => hyperskip.goTo('cat')")
    opened.page.get_by_text("Path", exact=True).click()
    opened.until("() => location.hash.includes('mode=path')", "the address")
    opened.js("() => { hyperskip.modes.path.fields.words = ['king', 'man']; }")
    opened.js("() => hyperskip.modes.path.solve()")
    opened.until("() => location.hash.includes('word=king')", "the address")
    assert opened.js("() => history.length") == start + 3
    opened.page.go_back()
    opened.until("() => hyperskip.disc.scene.marks.length === 0", "empty fields")
    opened.page.go_back()
    opened.until("() => hyperskip.mode === 'explore'", "the word")
    opened.page.go_back()
    opened.until("() => hyperskip.modes.explore.word === 'dog'", "the first word")
    assert opened.centre == pytest.approx(seen)
    opened.page.wait_for_timeout(400)
    opened.page.go_forward()
    opened.until("() => hyperskip.modes.explore.word === 'cat'", "forward")
    assert opened.js("() => history.length") == start + 3


# -- what goes wrong


def test_words_are_text_whatever_they_say(visit: Open, served_hostile: str) -> None:
    opened = visit(served_hostile)
    names = opened.js("() => hyperskip.disc.words.names")
    for word in names[:5]:
        opened.js("word => hyperskip.goTo(word)", word)
        opened.until(
            f"() => document.querySelector('.card-word .word')?.title === {json.dumps(word)}", word
        )
        assert opened.js("() => document.documentElement.scrollWidth <= innerWidth")
        facts = opened.page.locator(".facts").inner_text()
        assert "x" * 60 not in facts
        assert "\u202e" not in facts
    text = opened.js("i => hyperskip.disc.words.text(i)", names.index("abc\u202edef"))
    assert text == "abc\ufffddef"
    assert opened.page.locator("img").count() == 0
    assert opened.page.locator("script").count() == 2
    assert opened.page.locator("#model-name").inner_text() == "<b>model</b>"
    opened.page.locator("#search .field").fill("<scr")
    opened.page.wait_for_selector("#search [role=option]")
    assert opened.page.locator("#search [role=option] .word").all_inner_texts() == [names[0]]
    opened.page.locator("#colouring").select_option("frequency")


def test_without_javascript_it_says_so(visit: Open) -> None:
    opened = visit(java_script_enabled=False, ready=False)
    assert opened.page.locator(".noscript").is_visible()
    assert opened.page.locator("#loading").is_hidden()


def test_a_server_that_is_gone_can_be_asked_again(visit: Open) -> None:
    opened = visit(expected=("ERR_FAILED",))
    opened.page.route("**/api/neighbors*", lambda route: route.abort())
    opened.page.locator("#search .field").fill("dog")
    opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_text("The server does not answer").wait_for()
    opened.page.unroute("**/api/neighbors*")
    notice.get_by_role("button", name="Retry").click()
    opened.page.wait_for_selector(".card-word")
    assert opened.selected == "dog"


def test_a_page_that_could_not_load_can_be_loaded_again(visit: Open) -> None:
    opened = visit(
        before=lambda page: page.route("**/api/points*", lambda route: route.abort()),
        expected=("ERR_FAILED",),
        ready=False,
    )
    retry = opened.page.get_by_role("button", name="Retry")
    retry.wait_for()
    assert opened.page.locator("#loading").is_hidden()
    opened.page.unroute("**/api/points*")
    retry.click()
    opened.wait_until_ready()
    assert opened.js("() => hyperskip.disc.words.names.length") == 297


def by_another_model(route: Any) -> None:
    answer = route.fetch()
    headers = {**answer.headers, "hyperskip-model": "another"}
    route.fulfill(response=answer, headers=headers)


@pytest.mark.parametrize("asked", ["neighbors", "words"])
def test_answers_of_another_model_are_not_mixed_in(visit: Open, asked: str) -> None:
    opened = visit()
    opened.page.route(f"**/api/{asked}*", by_another_model)
    opened.page.locator("#search .field").fill("dog")
    if asked == "neighbors":
        opened.page.keyboard.press("Enter")
    notice = opened.page.locator("#notice")
    notice.get_by_text("Another model is explored here now.").wait_for()
    assert opened.page.locator(".card-word, [role=option]").count() == 0
    opened.page.unroute(f"**/api/{asked}*")
    opened.js("() => { delete document.documentElement.dataset.ready; }")
    notice.get_by_role("button", name="Reload").click()
    opened.wait_until_ready()
    assert notice.is_hidden()


def without_distances(route: Any) -> None:
    """Let the server answer, but as if no distance and no radius were finite."""
    answer = route.fetch().text()
    route.fulfill(body=re.sub(r'"(distance|radius)": ?[\d.e+-]+', r'"\1": null', answer))


def test_distances_that_are_not_finite_are_dashes(visit: Open) -> None:
    def prepare(page: Any) -> None:
        for name in ("neighbors", "path"):
            page.route(f"**/api/{name}*", without_distances)

    opened = visit("#word=dog", before=prepare)
    assert set(opened.page.locator(".near .number").all_inner_texts()) == {"–"}
    assert re.search(r"Radius\s+–", opened.page.locator(".facts").inner_text())
    opened = visit("#mode=path&word=dog&word=city", before=prepare)
    assert set(opened.page.locator(".step .number").all_inner_texts()) == {"–"}


def test_where_counts_are_not_known_nothing_is_said_of_them(visit: Open) -> None:
    word = {
        "word": "first", "row": 0, "count": None, "radius": 0.0, "rank": 1, "x": 0.0, "y": 0.0,
        "mapped": True, "cluster": 0,
    }  # fmt: skip
    points = {
        "rows": [0, 1], "words": ["first", "second"], "x": [0.0, 0.5], "y": [0.0, 0.0],
        "counts": [None, None], "radii": [0.0, 1.0], "clusters": [0, 0], "in_view": 2,
    }  # fmt: skip
    near = {"word": word, "measure": "product", "neighbors": []}
    prepare = answering(model=model_of(2, counts_known=False), points=points, neighbors=near)
    opened = visit("#word=first&colour=frequency", before=prepare)
    assert not re.search("Frequency|Occurs", opened.page.locator(".panel").inner_text())
    assert opened.page.locator("#colouring").input_value() == "cluster"
    assert opened.page.locator("#colouring option").all_inner_texts() == ["Cluster", "Radius"]
    first, second = opened.js("() => [...hyperskip.disc.words.importance]")
    assert first == second


def test_a_model_of_one_word_works(visit: Open) -> None:
    word = {
        "word": "alone", "row": 0, "count": 5, "radius": 0.0, "rank": 1, "x": 0.0, "y": 0.0,
        "mapped": True, "cluster": 0,
    }  # fmt: skip
    near = {"word": word, "measure": "product", "neighbors": []}
    prepare = answering(model=model_of(1), points=ONE_WORD, neighbors=near)
    opened = visit(before=prepare)
    opened.page.mouse.click(*opened.client_of_word("alone"))
    opened.page.wait_for_selector(".card-word")
    assert "There is no other word." in opened.page.locator("#explore").inner_text()
