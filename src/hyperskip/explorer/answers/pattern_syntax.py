r"""Regular expressions as graphs: what may follow what, without anything that needs backtracking.

Literals, `.`, `[...]`, `\d`, `\w`, `\s`, `*`, `+`, `?`, `{m,n}`, `|`, groups, `^` and `$`.
"""

from dataclasses import dataclass, field

from hyperskip.errors import OptionError

_LONGEST = 200  # characters
_DEEPEST = 40  # nested groups
_MOST_NODES = 1000  # of the graph, after repetitions are written out
_MOST_REPEATS = 100

_CATEGORIES = "dws"
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}


@dataclass(frozen=True)
class Letters:
    """A set of letters: ranges of code points and categories, or all others."""

    ranges: tuple[tuple[int, int], ...] = ()
    categories: tuple[str, ...] = ()  # "d", "w" and "s"; in upper case, all other letters
    is_negated: bool = False


_ANY = Letters(is_negated=True)


@dataclass
class Graph:
    """Nodes by number: each reads a letter, is an assertion (`^`, `$`), or only leads on."""

    reads: list[Letters | None] = field(default_factory=list)
    asserts: list[str] = field(default_factory=list)  # "" for none
    following: list[list[int]] = field(default_factory=list)
    start: int = 0
    end: int = 0

    def add(self, reads: Letters | None = None, asserts: str = "") -> int:
        """Add a node."""
        if len(self.reads) >= _MOST_NODES:
            raise _error("is too long with all repetitions written out", "repeat less")
        self.reads.append(reads)
        self.asserts.append(asserts)
        self.following.append([])
        return len(self.reads) - 1


# A parsed part, which can be added to a graph several times.
_Part = tuple[str, tuple["_Part", ...], Letters | None, int, int | None]


def graph_of(pattern: str) -> Graph:
    """Return the graph of a regular expression; it ignores case.

    Raises:
        OptionError: The expression is not valid, too long, or uses something else.
    """
    if len(pattern) > _LONGEST:
        raise _error(f"has {len(pattern)} characters", f"at most {_LONGEST} are allowed")
    parser = _Parser(pattern)
    part = parser.alternatives(0)
    if not parser.is_at_end:
        raise _error("has a `)` without a `(`", "write `\\)` for the letter")
    graph = Graph()
    graph.start, graph.end = _built(graph, part)
    return graph


class _Parser:
    """Reads an expression from left to right."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0

    @property
    def is_at_end(self) -> bool:
        return self._at >= len(self._pattern)

    @property
    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self) -> str:
        if self.is_at_end:
            raise _error("ends too early", "close every `[` and `(`; write `\\\\` for a backslash")
        self._at += 1
        return self._pattern[self._at - 1]

    def _takes(self, text: str) -> bool:
        found = self._pattern.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def alternatives(self, depth: int) -> _Part:
        if depth > _DEEPEST:
            raise _error("has too many nested groups", f"at most {_DEEPEST} are allowed")
        parts = [self._sequence(depth)]
        while self._takes("|"):
            parts.append(self._sequence(depth))
        return ("either", tuple(parts), None, 1, 1)

    def _sequence(self, depth: int) -> _Part:
        parts: list[_Part] = []
        while not self.is_at_end and self._next not in "|)":
            parts.append(self._repeated(self._item(depth)))
        return ("sequence", tuple(parts), None, 1, 1)

    def _item(self, depth: int) -> _Part:
        letter = self._take()
        if letter == "(":
            self._takes("?:")
            if self._next == "?":
                raise _error("uses `(?`", "only groups `(...)` and `(?:...)` are supported")
            part = self.alternatives(depth + 1)
            if not self._takes(")"):
                raise _error("has a `(` without a `)`", "write `\\(` for the letter")
            return part
        if letter in "^$":
            return (letter, (), None, 1, 1)
        if letter in "*+?{":
            raise _error(f"repeats nothing with `{letter}`", f"write `\\{letter}` for the letter")
        if letter == ".":
            return ("letter", (), _ANY, 1, 1)
        if letter == "[":
            return ("letter", (), self._class(), 1, 1)
        if letter == "\\":
            return self._escaped()
        return _literal(letter)

    def _escaped(self) -> _Part:
        letter = self._take()
        if letter.lower() in _CATEGORIES:
            return ("letter", (), Letters(categories=(letter,)), 1, 1)
        return _literal(_escape(letter))

    def _class(self) -> Letters:
        is_negated = self._takes("^")
        ranges: list[tuple[int, int]] = []
        categories: list[str] = []
        is_first = True
        while is_first or not self._takes("]"):
            is_first = False
            first = self._take()
            if first == "\\":
                first = self._take()
                if first.lower() in _CATEGORIES:
                    categories.append(first)
                    continue
                first = _escape(first)
            last = first
            if self._next == "-" and self._pattern[self._at + 1 : self._at + 2] not in ("]", ""):
                self._take()
                last = self._take()
                last = _escape(self._take()) if last == "\\" else last
            if last < first:
                raise _error(f"has the range `{first}-{last}`", "swap its ends")
            ranges.append((ord(first), ord(last)))
        return Letters(tuple(ranges), tuple(categories), is_negated)

    def _repeated(self, part: _Part) -> _Part:
        while self._next and self._next in "*+?{":
            least, most = self._bounds()
            self._takes("?")  # whether it takes few or many does not change what matches
            part = ("repeat", (part,), None, least, most)
        return part

    def _bounds(self) -> tuple[int, int | None]:
        sign = self._take()
        if sign != "{":
            return {"*": (0, None), "+": (1, None), "?": (0, 1)}[sign]
        text = ""
        while not self._takes("}"):
            text += self._take()
        first, comma, last = text.partition(",")
        numbers = [int(one) if one.isascii() and one.isdigit() else None for one in (first, last)]
        least = 0 if first == "" and comma else numbers[0]
        most = least if not comma else numbers[1]
        is_open = comma != "" and last == ""
        if least is None or (most is None and not is_open):
            raise _error(f"has `{{{text}}}`", "write `{2}`, `{2,}` or `{2,4}`")
        if max(least, most or 0) > _MOST_REPEATS or (most is not None and most < least):
            raise _error(f"has `{{{text}}}`", f"repeat at most {_MOST_REPEATS} times")
        return least, most


def _literal(letter: str) -> _Part:
    """Return a part for a letter in any case; folded, it can be two letters."""
    parts: list[_Part] = [
        ("letter", (), Letters(((ord(one), ord(one)),)), 1, 1) for one in letter.casefold()
    ]
    return ("sequence", tuple(parts), None, 1, 1)


def _escape(letter: str) -> str:
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter.isascii() and letter.isalnum():
        raise _error(f"uses `\\{letter}`", "only \\d, \\w, \\s, \\t and \\n are supported")
    return letter


def _built(graph: Graph, part: _Part) -> tuple[int, int]:
    """Add a part to a graph; return its first and last node."""
    kind, parts, letters, least, most = part
    if kind in ("letter", "^", "$"):
        first = graph.add(letters, "" if kind == "letter" else kind)
        last = graph.add()
        graph.following[first].append(last)
        return first, last
    first = graph.add()
    last = first
    if kind == "sequence":
        for one in parts:
            last = _joined(graph, last, one)
    elif kind == "either":
        last = graph.add()
        for one in parts:
            graph.following[_joined(graph, first, one)].append(last)
    else:
        (one,) = parts
        for _ in range(least):
            last = _joined(graph, last, one)
        if most is None:
            begin = graph.add()
            graph.following[last].append(begin)
            graph.following[_joined(graph, begin, one)].append(begin)
            last = begin
        else:
            end = graph.add()
            for _ in range(most - least):
                graph.following[last].append(end)
                last = _joined(graph, last, one)
            graph.following[last].append(end)
            last = end
    return first, last


def _joined(graph: Graph, node: int, part: _Part) -> int:
    """Add a part after a node; return its last node."""
    first, last = _built(graph, part)
    graph.following[node].append(first)
    return last


def _error(problem: str, hint: str) -> OptionError:
    return OptionError(f"the regular expression {problem}", hint=hint)
