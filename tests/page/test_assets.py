"""The files of the page, without a browser."""

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

import hyperskip.page
from hyperskip.page.assets import asset, explorer_page, import_map_for

FOLDER = Path(hyperskip.page.__file__).parent / "assets"
DOCS_FOLDER = Path(__file__).parents[2] / "docs" / "_geometry"
MODULES = {f"hyperskip/{path.stem}": path for path in sorted(FOLDER.glob("*.js"))}
# The documentation has modules of its own, which use those of the page.
MODULES |= {f"geometry/{path.stem}": path for path in sorted(DOCS_FOLDER.glob("*.js"))}


@pytest.mark.parametrize("path", sorted([*FOLDER.glob("*.js"), *FOLDER.glob("*.css")]))
def test_every_file_has_its_media_type(path: Path) -> None:
    found = asset(path.name)
    assert found is not None
    content, media_type = found
    assert content == path.read_bytes()
    kind = {".js": "text/javascript", ".css": "text/css"}[path.suffix]
    assert media_type == f"{kind}; charset=utf-8"


@pytest.mark.parametrize(
    "name", ["", "explorer.html", "assets.py", "../assets.py", "disc", "disc.js/", "/page.css"]
)
def test_no_other_name_is_a_file(name: str) -> None:
    assert asset(name) is None


def test_the_policy_allows_the_import_map_and_nothing_else_inline() -> None:
    page, policy = explorer_page()
    inline = re.findall(r"<script(?![^>]* src=)[^>]*>(.*?)</script>", page, re.DOTALL)
    assert len(inline) == 1
    digest = base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()
    assert policy == (
        f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self'; "
        "connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    assert " style=" not in page
    assert not re.search(r"\son\w+=", page)
    imports = json.loads(inline[0])["imports"]
    assert imports["hyperskip/disc"] == "/page/disc.js"


@pytest.mark.parametrize("module", MODULES)
def test_modules_import_by_names_that_exist_and_parse_no_markup(module: str) -> None:
    source = MODULES[module].read_text(encoding="utf-8")
    for name in re.findall(r'^import .*?from "(.*?)"|^} from "(.*?)"', source, re.MULTILINE):
        imported = "".join(name)
        assert imported in MODULES, imported
        assert module.startswith("geometry/") or imported.startswith("hyperskip/"), imported
    for forbidden in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "document.write"):
        assert forbidden not in source
    assert "http" not in source.replace("http://www.w3.org/2000/svg", "")


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_a_comment_and_is_short(module: str) -> None:
    source = MODULES[module].read_text(encoding="utf-8")
    assert source.startswith("/**")
    assert source.count("\n") <= 250


@pytest.mark.parametrize("module", MODULES)
def test_no_import_is_unused(module: str) -> None:
    source = MODULES[module].read_text(encoding="utf-8")
    for names in re.findall(r"^import \{(.*?)\} from", source, re.MULTILINE | re.DOTALL):
        for name in re.findall(r"\w+", names):
            assert len(re.findall(rf"\b{name}\b", source)) > 1, name


def test_an_import_map_for_another_page_has_what_its_modules_need() -> None:
    source = 'import { View } from "hyperskip/view";\n'
    imports = json.loads(import_map_for({"other/entry": source}))["imports"]
    assert set(imports) == {"other/entry", "hyperskip/view", "hyperskip/geometry"}
    head, _, content = imports["other/entry"].partition(",")
    assert head == "data:text/javascript;base64"
    assert base64.b64decode(content).decode() == source
