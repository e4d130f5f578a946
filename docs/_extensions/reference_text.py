"""The text of the reference pages, generated from the code; it does not need Sphinx."""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# Documents in the root of the repository, and the pages that show them.
ROOT_PAGES = {
    "README.md": "overview.md",
    "ARCHITECTURE.md": "architecture.md",
    "RELIABILITY.md": "reliability.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
# The kinds of public names, in the order of the reference.
FUNCTIONS, CLASSES, EXCEPTIONS, VALUES = "Functions", "Classes", "Errors and warnings", "Values"
KINDS = (FUNCTIONS, CLASSES, EXCEPTIONS, VALUES)
_FILE_AS_TEXT = re.compile(r"\[[\w./-]+\.md\]\(")  # of a link: the site has titles instead
_GENERATED = re.compile(r"^```\{generated\} (\S+)(?: (\S+))?\n```$", flags=re.MULTILINE)


def expanded(text: str) -> str:
    """Replace each block `{generated}` by its text, and names of files in links by titles."""
    text = re.sub(r"\]\(\.\./([A-Z]+\.md)", lambda match: f"]({ROOT_PAGES[match[1]]}", text)
    text = _GENERATED.sub(lambda match: _generate(match[1], match[2]), text)
    return _FILE_AS_TEXT.sub("[](", text)


def _generate(kind: str, name: str | None) -> str:
    if kind == "commands":
        return commands_text()
    if kind == "http-api":
        return http_text()
    assert name is not None, kind
    return {"python": python_text, "document": document_text}[kind](name)


def document_text(name: str) -> str:
    """Return a document of the root, with links that work from `docs/`."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
    for document, page in ROOT_PAGES.items():
        text = text.replace(f"]({document}", f"]({page}")
    return text


def python_text(module_name: str) -> str:
    """Return directives of autodoc for every public name of a module, by kind."""
    module = importlib.import_module(module_name)
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name in module.__all__:
        value = getattr(module, name)
        if not inspect.ismodule(value) and name != "__version__":
            kinds[_kind(value)] += _autodoc(f"{module_name}.{name}", value)
    blocks = {
        kind: "\n".join(["```{eval-rst}", *lines, "```"]) for kind, lines in kinds.items() if lines
    }
    if len(blocks) == 1:
        return "".join(blocks.values())
    return "\n\n".join(f"### {kind}\n\n{block}" for kind, block in blocks.items())


def _kind(value: object) -> str:
    """One of KINDS."""
    if inspect.isclass(value):
        return EXCEPTIONS if issubclass(value, BaseException) else CLASSES
    return FUNCTIONS if callable(value) else VALUES


def _autodoc(path: str, value: object) -> Iterator[str]:
    kind = _kind(value)
    if inspect.isclass(value) and kind == CLASSES:
        yield f".. autoclass:: {path}"
        yield "   :members:"
        bases = [each for each in value.__mro__[1:] if each.__module__.startswith("hyperskip.")]
        if bases and not path.startswith("hyperskip.learn."):
            yield "   :inherited-members:"
    elif kind == EXCEPTIONS:
        yield f".. autoexception:: {path}"
        yield "   :show-inheritance:"
    elif kind == FUNCTIONS:
        yield f".. autofunction:: {path}"
    else:
        yield f".. py:data:: {path}"
        yield f"   :value: {value!r}"
    yield ""


def commands() -> dict[str, Any]:
    """Return every command of the program by its name."""
    import typer.main

    from hyperskip.cli.main import app

    group: Any = typer.main.get_command(app)
    return dict(group.commands)


def commands_text() -> str:
    """Return a section for each command, with a table of its arguments and options."""
    return "\n\n".join(_command_text(name, each) for name, each in commands().items())


def _command_text(name: str, command: Any) -> str:
    shown = [each for each in command.params if not getattr(each, "hidden", False)]
    arguments = [each for each in shown if each.param_type_name == "argument"]
    options = [each for each in shown if each.param_type_name == "option"]
    usage = " ".join(["hyperskip", name, *map(_usage, arguments), *(["[OPTIONS]"] * bool(options))])
    lines = [f"## {name}", "", _plain(command.help), "", "```text", usage, "```", ""]
    for title, parameters in (("Argument", arguments), ("Option", options)):
        if parameters:
            lines += [f"| {title} | Value | Default | Meaning |", "|---|---|---|---|"]
            lines += [_row(each) for each in parameters]
            lines.append("")
    return "\n".join(lines)


def _usage(argument: Any) -> str:
    name = (argument.metavar or argument.name).strip("[]").upper().removesuffix("...")
    name += "..." if argument.nargs == -1 else ""
    return name if argument.required else f"[{name}]"


def _row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        names = f"`{_usage(parameter)}`"
    else:
        names = ", ".join(f"`{each}`" for each in (*parameter.opts, *parameter.secondary_opts))
    is_flag = getattr(parameter, "is_flag", False)
    value = "" if is_flag else _value(parameter)
    meaning, default = _without_default(_cell(parameter.help))
    if parameter.required:
        default = "required"
    elif not (default or is_flag or callable(parameter.default)) and parameter.default:
        default = f"`{parameter.default}`"
    return f"| {names} | {value} | {default} | {meaning} |"


def _without_default(text: str) -> tuple[str, str]:
    """Split the help of an option into its meaning and its default, which is empty if not named."""
    found = re.search(r" \\\[default: ([^]]*)\]", text)  # Markdown has a backslash before brackets
    return (text, "") if found is None else (text.replace(found[0], ""), found[1])


def _value(parameter: Any) -> str:
    name = parameter.metavar or parameter.name.upper()
    return ", ".join(f"`{each}`" for each in name.split("|"))


def _plain(text: str | None) -> str:
    return inspect.cleandoc(text or "").replace("\b", "").replace("\f", "").replace("<", "\\<")


def _cell(text: str | None) -> str:
    unmarked = re.sub(r"\[/?dim\]", "", _plain(text))  # the help in a terminal is colored
    return " ".join(unmarked.split()).replace("|", "\\|")


def http_text() -> str:
    """Return a section for each endpoint of the explorer, and one for each kind of answer."""
    from hyperskip.explorer.api.openapi import description

    document = description()
    lines: list[str] = []
    for path, methods in document["paths"].items():
        operation = methods["get"]
        lines += [f"## {path}", "", operation["summary"], ""]
        if operation["parameters"]:
            lines += ["| Parameter | Value | Example | Meaning |", "|---|---|---|---|"]
            for each in operation["parameters"]:
                needed = "required, " if each["required"] else ""
                value = f"{needed}{_schema_text(each['schema'])}"
                example, meaning = f"`{each['example']}`", _cell(each["description"])
                lines.append(f"| `{each['name']}` | {value} | {example} | {meaning} |")
            lines.append("")
        lines += ["| Status | Answer | When |", "|---|---|---|"]
        for status, response in operation["responses"].items():
            schema = response["content"]["application/json"]["schema"]
            lines.append(f"| {status} | {_schema_text(schema)} | {response['description']} |")
        lines.append("")
    lines += ["## Answers", ""]
    for name, schema in document["components"]["schemas"].items():
        lines += [f"### {name}", "", schema.get("description", ""), ""]
        lines += ["| Field | Value | Meaning |", "|---|---|---|"]
        for field, each in schema["properties"].items():
            meaning = _cell(each.get("description"))
            lines.append(f"| `{field}` | {_schema_text(each)} | {meaning} |")
        lines.append("")
    return "\n".join(lines)


def _schema_text(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(_schema_text(each) for each in schema["anyOf"])
    if "enum" in schema:
        return ", ".join(f"`{each}`" for each in schema["enum"])
    kinds = schema.get("type", "any")
    text = " or ".join([kinds] if isinstance(kinds, str) else kinds)
    if "items" in schema:
        text = text.replace("array", f"list of {_schema_text(schema['items'])}")
    if "minimum" in schema:
        text += f", from {schema['minimum']}"
    if "maximum" in schema:
        text += f", to {schema['maximum']}"
    return text
