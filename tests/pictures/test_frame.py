"""A picture in the frame of a notebook, in a real browser."""

from pathlib import Path
from typing import Any

from hyperskip import WordVectors


def test_the_frame_shows_the_page_and_cannot_access_the_notebook(
    trained: WordVectors, tmp_path: Path, browser: Any
) -> None:
    shown = trained.plot(near=["dog", "car"], title='</script><b title="x">')._repr_html_()
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!doctype html><meta charset=utf-8>{shown}<p>below", encoding="utf-8")
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.extend([said.text] * (said.type == "error")))
    page.goto(notebook.as_uri())
    page.frame_locator("iframe").get_by_text("car", exact=True).first.wait_for()
    assert page.locator("p").inner_text() == "below"
    inside = page.frames[1]
    assert inside.evaluate("() => { try { return parent.document.title } catch { return 0 } }") == 0
    assert inside.evaluate("document.querySelectorAll('b[title=x]').length") == 0
    assert not errors
    page.close()
