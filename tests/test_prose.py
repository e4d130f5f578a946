"""Documents and sources use plain American English; documents have short lines and good links."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "src" / "hyperskip"
LONGEST_LINE = 110

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
# The built-in corpus contains British words.
CODE = sorted(
    path
    for ending in ("py", "js", "css", "html")
    for folder in (SOURCES, ROOT / "docs" / "_geometry")
    for path in folder.rglob(f"*.{ending}")
    if SOURCES / "builtin" not in path.parents
)
BRITISH = (
    r"\w*(?:colour|neighbour|behaviour|favour)\w*|centre[ds]?",
    r"grey|licence|labelled|modelled|modelling|travelled|analyse[ds]?",
    r"(?:normal|initial|token|vector|optim|categor|parametr|memor|summar|recogn|visual|serial)"
    r"is(?:e[drs]?|ing|ation)s?",
)
OLD_FASHIONED = (
    r"in their stead|whoever|one behind the other|so many|goe?s? on from|anew|mend(?:s|ed)?|lest",
    r"nowhere|is none of|told apart|but for|such that|made ready",
)
QUOTED = r"(?<=\")\w+\""  # older files and links contain names in British spelling
UNWANTED = re.compile(
    rf"\b(?!{QUOTED})(?:{'|'.join(BRITISH + OLD_FASHIONED)})\b", flags=re.IGNORECASE
)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def prose(document: Path) -> Iterator[tuple[int, str]]:
    """Numbered lines outside code blocks and tables."""
    is_code = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and not line.startswith(("|", "    ")):
            yield number, line


def anchors(document: Path) -> set[str]:
    """The names that links can use for the headings."""
    headings = [line.lstrip("# ") for _, line in prose(document) if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_lines_are_short(document: Path) -> None:
    for number, line in prose(document):
        text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", line)
        assert len(text) <= LONGEST_LINE or line.startswith("#"), f"{document}:{number}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_links_lead_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", document.read_text(encoding="utf-8"))
    for target, anchor in links:
        if not target.startswith("http"):
            path = document.parent / target if target else document
            assert path.exists(), target
            assert not anchor or anchor in anchors(path), f"{target}#{anchor}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_named_files_exist(document: Path) -> None:
    named = r"\b(?:tests|benchmarks|fuzzing|src|docs)/[\w./-]*\w"
    for path in re.findall(named, document.read_text(encoding="utf-8")):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("files", [DOCUMENTS, CODE], ids=["documents", "code"])
def test_the_english_is_plain_and_american(files: list[Path]) -> None:
    found = [
        f"{name_of(path)}:{number}: {match[0]}"
        for path in files
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for match in UNWANTED.finditer(line)
    ]
    assert not found, "\n".join(found)
