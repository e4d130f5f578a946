"""The files of the page: served one by one, or put together into one self-contained file.

Modules import each other by bare names such as `hyperskip/disc`. An import map resolves them, to
paths on the server or to data URLs in a self-contained file. The content security policy allows
inline content by its hash. Apart from that, it allows only scripts of the server, or data URLs.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

PAGE_FOLDER = "page"  # of the files of an exported explorer

_PICTURE_ENTRY = 'import "hyperskip/picture";'
_EXPLORER_ENTRY = 'import "hyperskip/explorer";'
_EXPLORER_ONLY = (
    *("analogy_mode", "api", "breadcrumb", "coloring", "compare_lists", "compare_mode"),
    *("explorer", "fading", "file_text", "kinds", "lens", "lens_choice", "lens_content", "link"),
    *("neighbor_choice", "other_map", "own_groups", "own_words", "page_state", "path_mode"),
    *("query_mode", "requests", "straight_path", "table", "toast", "word_fields", "word_finder"),
    "word_mode",
)
_STORED_ONLY = ("stored_api", "stored_data", "stored_graph", "stored_kinds", "stored_words")
_STYLE = "page.css"
_IMPORTED = re.compile(r'\bfrom "hyperskip/(\w+)"')


def asset(name: str) -> tuple[bytes, str] | None:
    """Return a file of the page and its media type; None if there is no such file."""
    if name == _STYLE:
        return _text(name).encode(), "text/css; charset=utf-8"
    if name.endswith(".js") and name.removesuffix(".js") in _modules():
        return _text(name).encode(), "text/javascript; charset=utf-8"
    return None


@cache
def explorer_page() -> tuple[str, str]:
    """Return the HTML of the explorer, and its content security policy."""
    modules = [name for name in _modules() if name not in ("picture", *_STORED_ONLY)]
    import_map = _import_map({name: f"/page/{name}.js" for name in modules})
    page = _filled(
        "explorer.html",
        CSP="",
        STYLE=f'<link rel="stylesheet" href="/page/{_STYLE}">',
        IMPORT_MAP=import_map,
        ENTRY='<script type="module" src="/page/explorer.js"></script>',
        HELP=_text("help.html"),
        DATA="",
    )
    policy = _policy(
        script=f"'self' {_hash(import_map)}",
        style="'self'",
        connect="'self'",
        image="'self' data:",
        ancestors="frame-ancestors 'none'",
    )
    return page, policy


def stored_page(data: Mapping[str, object]) -> str:
    """Return one HTML file with the explorer and its data, without a server or a network."""
    modules = _stored_modules()
    import_map = _import_map(
        {name: _data_url(_text(f"{file}.js")) for name, file in modules.items()}
    )
    style = _text(_STYLE)
    policy = _policy(
        script=f"{_hash(import_map)} {_hash(_EXPLORER_ENTRY)} data:",
        style=_hash(style),
        image="data:",
    )
    return _filled(
        "explorer.html",
        CSP=_policy_element(policy),
        STYLE=f"<style>{style}</style>",
        IMPORT_MAP=import_map,
        ENTRY="",
        HELP=_text("help.html"),
        DATA=f'<script type="application/json" id="data">{_inert_json(data)}</script>\n'
        f'<script type="module">{_EXPLORER_ENTRY}</script>',
    )


@cache
def stored_page_files() -> Mapping[str, bytes]:
    """Return the files of an exported explorer by their paths, without its data."""
    modules = _stored_modules()
    folder = PAGE_FOLDER
    import_map = _import_map({name: f"./{folder}/{file}.js" for name, file in modules.items()})
    policy = _policy(
        script=f"'self' {_hash(import_map)}", style="'self'", connect="'self'", image="data:"
    )
    page = _filled(
        "explorer.html",
        CSP=_policy_element(policy),
        STYLE=f'<link rel="stylesheet" href="./{folder}/{_STYLE}">',
        IMPORT_MAP=import_map,
        ENTRY=f'<script type="module" src="./{folder}/explorer.js"></script>',
        HELP=_text("help.html"),
        DATA="",
    )
    names = (_STYLE, *(f"{file}.js" for file in modules.values()))
    return {
        "index.html": page.encode(),
        **{f"{folder}/{name}": _text(name).encode() for name in names},
    }


def _stored_modules() -> dict[str, str]:
    """Return the file of each module of an exported explorer: data answers instead of a server."""
    return {name: name for name in _modules() if name != "picture"} | {"api": "stored_api"}


def picture_page(picture: Mapping[str, object]) -> str:
    """Return one HTML file that shows the data of a picture, without a server or a network."""
    modules = [name for name in _modules() if name not in (*_EXPLORER_ONLY, *_STORED_ONLY)]
    import_map = _import_map({name: _data_url(_text(f"{name}.js")) for name in modules})
    style = _text(_STYLE)
    return _filled(
        "picture.html",
        CSP=html.escape(
            _policy(
                script=f"{_hash(import_map)} {_hash(_PICTURE_ENTRY)} data:",
                style=_hash(style),
                image="data:",
            )
        ),
        TITLE=html.escape(str(picture["title"]) or "hyperskip"),
        STYLE=style,
        IMPORT_MAP=import_map,
        HELP=_text("help.html"),
        DATA=_inert_json(picture),
        ENTRY=_PICTURE_ENTRY,
    )


def import_map_for(sources: Mapping[str, str]) -> str:
    """Return an import map for another page, with modules as data URLs.

    Args:
        sources: The source of each module of that page, by the full name that imports use.

    Returns:
        JSON with these modules, and with the modules of this package that they need.
    """
    addresses = {name: _data_url(source) for name, source in sources.items()}
    waiting = [name for source in sources.values() for name in _IMPORTED.findall(source)]
    while waiting:
        name = waiting.pop()
        if f"hyperskip/{name}" not in addresses:
            source = _text(f"{name}.js")
            addresses[f"hyperskip/{name}"] = _data_url(source)
            waiting += _IMPORTED.findall(source)
    return json.dumps({"imports": addresses})


def _policy(
    *, script: str, style: str, image: str, connect: str = "'none'", ancestors: str = ""
) -> str:
    """Return a policy that allows nothing else; `ancestors` has no effect in a file."""
    rules = [
        "default-src 'none'",
        f"script-src {script}",
        f"style-src {style}",
        f"connect-src {connect}",
        f"img-src {image}",
        "base-uri 'none'",
        "form-action 'none'",
        ancestors,
    ]
    return "; ".join(rule for rule in rules if rule)


def _policy_element(policy: str) -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">\n'


def _import_map(addresses: Mapping[str, str]) -> str:
    imports = {f"hyperskip/{name}": address for name, address in addresses.items()}
    return json.dumps({"imports": imports})


def _inert_json(value: object) -> str:
    """Return JSON without `<`, `>` and `&`, which HTML parsers would interpret."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _data_url(source: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(source.encode()).decode()


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _filled(template: str, **parts: str) -> str:
    """Replace each `@NAME@` in a template; inserted text is not searched again."""
    pieces = _text(template).split("@")
    return "".join(parts.get(piece, piece) for piece in pieces)


@cache
def _modules() -> tuple[str, ...]:
    """Return the names of all modules, in alphabetical order."""
    names = (file.name for file in _folder().iterdir())
    return tuple(sorted(name.removesuffix(".js") for name in names if name.endswith(".js")))


@cache
def _text(name: str) -> str:
    return _folder().joinpath(name).read_text(encoding="utf-8")


def _folder() -> Traversable:
    return resources.files("hyperskip.page").joinpath("assets")
