"""Checks the facts in a message, whatever its wording."""

import re


def naming(*facts: object) -> str:
    """A pattern for messages that name all of these facts, as whole words, in any order."""
    return r"(?s)\A" + "".join(rf"(?=.*{_whole(fact)})" for fact in facts)


def _whole(fact: object) -> str:
    around = r"[\w/-]" if isinstance(fact, int) else r"\w"  # a path may contain numbers
    return rf"(?<!{around}){re.escape(str(fact))}(?!{around})"
