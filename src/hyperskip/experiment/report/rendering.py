"""Renders sections of text, tables and pictures as Markdown and as a self-contained web page.

Text from files and options is escaped, so that it cannot become markup.
"""

import base64
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from hyperskip.experiment.report.table import Cell, Table


@dataclass(frozen=True)
class Picture:
    """An SVG image."""

    file: str  # its path relative to the Markdown file
    caption: str
    data: bytes


@dataclass(frozen=True)
class Section:
    """A part of a report."""

    title: str
    paragraphs: Sequence[str] = ()
    notices: Sequence[str] = ()  # warnings, shown first
    points: Sequence[tuple[str, str]] = ()  # names and their descriptions
    code: str = ""
    tables: Sequence[Table] = ()
    pictures: Sequence[Picture] = ()
    is_folded: bool = False


@dataclass(frozen=True)
class Document:
    """A report: a title and sections."""

    title: str
    sections: Sequence[Section] = field(default_factory=list)


def as_markdown(document: Document) -> str:
    """Render as Markdown that refers to the files of the pictures."""
    blocks = [f"# {_escaped(document.title)}"]
    for section in document.sections:
        title = _escaped(section.title)
        if section.is_folded:
            blocks += [f"<details><summary>{title}</summary>", *_markdown_body(section)]
            blocks.append("</details>")
        else:
            blocks += [f"## {title}", *_markdown_body(section)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _markdown_body(section: Section) -> list[str]:
    """The blocks of a section; some may be empty."""
    blocks = [f"> {_escaped(text)}" for text in section.notices]
    blocks += [_escaped(text) for text in section.paragraphs]
    blocks.append(_fenced(section.code))
    blocks.append("\n".join(f"- {_escaped(a)}: {_escaped(b)}" for a, b in section.points))
    for table in section.tables:
        heading = f"### {_escaped(table.title)}" if table.title else ""
        blocks += [heading, _markdown_table(table), _escaped(table.note)]
    for picture in section.pictures:
        caption = _escaped(picture.caption)
        blocks.append(f"![{caption}]({picture.file})\n\n*{caption}*")
    return blocks


def _fenced(code: str) -> str:
    """A code block whose fence is longer than any run of backticks in the code."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}\n{code}\n{fence}" if code else ""


def _escaped(text: str) -> str:
    """Text on one line, with the special characters of Markdown escaped."""
    return re.sub(r"([\\`*_\[\]<>|#~&])", r"\\\1", " ".join(text.split()))


def _markdown_table(table: Table) -> str:
    def row(cells: Sequence[str]) -> str:
        return f"| {' | '.join(cells)} |"

    def cell(each: Cell) -> str:
        return f"**{_escaped(each.text)}**" if each.is_best else _escaped(each.text)

    lines = [row([_escaped(name) for name in table.header]), "|---" * len(table.header) + "|"]
    return "\n".join([*lines, *(row([cell(each) for each in cells]) for cells in table.rows)])


def as_html(document: Document) -> str:
    """Render as a web page that contains its pictures, without scripts or external requests."""
    title = html.escape(document.title)
    parts = [_HEAD.replace("TITLE", title), f"<h1>{title}</h1>"]
    for section in document.sections:
        heading = f"<h2>{html.escape(section.title)}</h2>"
        body = _html_body(section)
        if section.is_folded:
            parts.append(f"<details><summary>{heading}</summary>{body}</details>")
        else:
            parts.append(f"<section>{heading}{body}</section>")
    return "\n".join([*parts, "</main></body></html>"]) + "\n"


def _html_body(section: Section) -> str:
    parts = [f'<p class="notice">{html.escape(text)}</p>' for text in section.notices]
    parts += [f"<p>{html.escape(text)}</p>" for text in section.paragraphs]
    if section.code:
        parts.append(f"<pre><code>{html.escape(section.code)}</code></pre>")
    if section.points:
        pairs = (
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd>"
            for name, text in section.points
        )
        parts.append(f"<dl>{''.join(pairs)}</dl>")
    parts += [_html_table(table) for table in section.tables]
    for picture in section.pictures:
        source = "data:image/svg+xml;base64," + base64.b64encode(picture.data).decode()
        caption = html.escape(picture.caption)
        parts.append(
            f'<figure><img src="{source}" alt="{caption}"><figcaption>{caption}</figcaption>'
            "</figure>"
        )
    return "\n".join(parts)


def _html_table(table: Table) -> str:
    def cell(tag: str, column: int, content: str) -> str:
        kind = ' class="name"' if column < table.names else ""
        return f"<{tag}{kind}>{content}</{tag}>"

    def row(cells: Sequence[Cell]) -> str:
        texts = (
            f"<b>{html.escape(each.text)}</b>" if each.is_best else html.escape(each.text)
            for each in cells
        )
        shown = [cell("td", i, text) for i, text in enumerate(texts)]
        return f"<tr>{''.join(shown[table.grouped_by :])}</tr>"

    columns = [cell("th", i, html.escape(name)) for i, name in enumerate(table.header)]
    header = "".join(columns[table.grouped_by :])
    rows = []
    previous: list[str] = []
    for cells in table.rows:
        group = [
            f"{name} {each.text}"
            for name, each in zip(table.header[: table.grouped_by], cells, strict=False)
        ]
        if group != previous:
            title = html.escape(", ".join(group))
            rows.append(
                f'<tr><th class="group" colspan="{len(cells) - table.grouped_by}">'
                f"<span>{title}</span></th></tr>"
            )
        previous = group
        rows.append(row(cells))
    note = f'<p class="note">{html.escape(table.note)}</p>' if table.note else ""
    title = f"<h3>{html.escape(table.title)}</h3>\n" if table.title else ""
    kind = ' class="prose"' if table.names == len(table.header) else ""
    return (
        f'{title}<div class="wide"><table{kind}><thead><tr>{header}</tr></thead>\n<tbody>\n'
        + "\n".join(rows)
        + f"\n</tbody></table></div>{note}"
    )


_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<title>TITLE</title>
<style>
:root { color-scheme: light dark; --text: #1d2430; --soft: #5b6675; --back: #fff; --line: #dde2ea;
 --card: #f6f8fb; --best: #0b5cad; --notice: #fff4d6; }
@media (prefers-color-scheme: dark) { :root { --text: #e5e9f0; --soft: #9aa7b8; --back: #14181f;
 --line: #303846; --card: #1c222c; --best: #7ab8ff; --notice: #3c3315; } }
body { margin: 0; background: var(--back); color: var(--text);
 font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
p, dl { max-width: 62rem; }
h1 { font-size: 1.9rem; line-height: 1.2; } h2 { font-size: 1.35rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin: 1.6rem 0 .5rem; }
.wide { overflow-x: auto; }
table { border-collapse: separate; border-spacing: 0; font-variant-numeric: tabular-nums;
 font-size: .93rem; }
th, td { padding: .3rem .6rem; text-align: right; white-space: nowrap; }
th.name, td.name, th.group { text-align: left; }
thead th { border-bottom: 2px solid var(--line); color: var(--soft); font-weight: 600;
 vertical-align: bottom; white-space: normal; }
tr > .name:first-child { position: sticky; left: 0; background: var(--back); }
th.group { padding-top: .9rem; border-bottom: 1px solid var(--line); }
th.group span { position: sticky; left: .5rem; }
tbody tr:first-child th.group { padding-top: .5rem; }
table.prose td { white-space: normal; vertical-align: top; border-bottom: 1px solid var(--line); }
table.prose td + td + td { min-width: 9rem; }
td b { color: var(--best); }
.note, figcaption, dt { color: var(--soft); font-size: .9rem; }
.notice { background: var(--notice); padding: .6rem .9rem; border-radius: .4rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
pre { background: var(--card); padding: .8rem 1rem; border-radius: .4rem; white-space: pre-wrap;
 overflow-wrap: anywhere; }
figure { margin: 1.5rem 0; overflow-x: auto; }
img { max-width: 100%; background: #fff; border-radius: .4rem; }
summary h2 { display: inline; } details { margin-top: 2.5rem; }
@media (max-width: 40rem) { h1 { font-size: 1.5rem; } dl { display: block; }
 dd { margin-bottom: .5rem; } th, td { padding: .3rem .5rem; } img { max-width: 36rem; } }
</style></head><body><main>
"""
