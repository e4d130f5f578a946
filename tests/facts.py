"""The facts that a message must name, however it is worded."""

import re


def naming(*facts: object) -> str:
    """A pattern for messages that name every one of these, as whole words, in any order."""
    return r"(?s)\A" + "".join(rf"(?=.*{_whole(fact)})" for fact in facts)


def _whole(fact: object) -> str:
    around = r"[\w/-]" if isinstance(fact, int) else r"\w"  # a path may have numbers in it
    return rf"(?<!{around}){re.escape(str(fact))}(?!{around})"
