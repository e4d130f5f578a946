"""Small dumps of an invented wiki, with all constructs of real ones."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

HEADER = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="de">
  <siteinfo>
    <sitename>Wiki</sitename>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="1" case="first-letter">Diskussion</namespace>
      <namespace key="6" case="first-letter">Datei</namespace>
      <namespace key="14" case="first-letter">Kategorie</namespace>
    </namespaces>
  </siteinfo>
"""
FOOTER = "</mediawiki>\n"


def page(title: str, markup: str, namespace: int = 0, *, redirect: str | None = None) -> str:
    """A page as MediaWiki exports it."""
    redirected = f'    <redirect title="{redirect}" />\n' if redirect else ""
    return (
        f"  <page>\n    <title>{escape(title)}</title>\n    <ns>{namespace}</ns>\n"
        f"    <id>1</id>\n{redirected}    <revision>\n      <id>2</id>\n"
        "      <contributor><username>text</username></contributor>\n"
        "      <comment>a comment on the text</comment>\n"
        "      <model>wikitext</model>\n"
        f'      <text bytes="{len(markup)}" xml:space="preserve">{escape(markup)}</text>\n'
        "    </revision>\n  </page>\n"
    )


def dump(pages: Iterable[str]) -> str:
    """A dump of these pages."""
    return HEADER + "".join(pages) + FOOTER


MARKUP = """{{Infobox settlement
| name = Hidden {{nested|hidden}}
| population = {{formatnum:1234}}
}}
[[Datei:Hidden.jpg|thumb|upright|A hidden caption with a [[link]]]]
[[File:Hidden.png|hidden]] [[Image:hidden.svg]]
'''Ahlbeck''' is a [[town]] in the ''[[Vorpommern-Greifswald|district of Greifswald]]''.<ref>Hidden
reference {{cite web|title=hidden}}</ref> It lies on the [[Baltic Sea]]<ref name="a" /> coast,
and&nbsp;has {{convert|12|km}} of beaches &amp; dunes<!-- hidden comment -->.

== History ==
The town's name was first written in [https://example.org the register] of 1693. See [http://hidden.example].
* A list item with [[:Kategorie:Towns|towns]]
* Another '''item'''
# A numbered item
: An indented remark
; Term : Definition

{| class="wikitable"
! hidden heading !! hidden
|-
| hidden cell || [[hidden]]
{|
| hidden inner table
|}
|}
<gallery>
File:hidden.jpg|Hidden picture
</gallery>
The formula <math>hidden = \\frac{1}{2}</math> is known.<br />After a break.
<syntaxhighlight lang="python">hidden = 1</syntaxhighlight>
<div class="x">Inside a box</div> <nowiki>[not a link]</nowiki>
__NOTOC__
[[Kategorie:Hidden]]
[[Category:Hidden things]]
[[fr:Hidden]]
"""
PROSE = """Ahlbeck is a town in the district of Greifswald. It lies on the Baltic Sea coast, and \
has of beaches & dunes.
History
The town's name was first written in the register of 1693. See .
A list item with towns
Another item
A numbered item
An indented remark
Term
Definition
The formula is known. After a break.
Inside a box
[not a link]
"""
