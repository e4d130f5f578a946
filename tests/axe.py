"""Barriers for people with disabilities that axe-core finds in a page."""

from importlib import resources
from typing import Any

from visits import Visit

_RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => [
    id, help, ...nodes.map((node) => `${node.target} ${node.html.slice(0, 120)}`),
  ]);
}"""


def findings(opened: Visit) -> list[Any]:
    """What axe-core finds in the page as it is now."""
    if not opened.js("() => typeof axe === 'object'"):
        script = resources.files("axe_playwright_python").joinpath("axe.min.js")
        opened.js(f"() => {{ {script.read_text(encoding='utf-8')} }}")
    return list(opened.js(_RUN))
