"""The facts that a message must name, however it is worded."""

import re


def naming(*facts: object) -> str:
    """A pattern for messages that name every one of these, as whole words, in any order."""
    return r"(?s)\A" + "".join(rf"(?=.*(?<!\w){re.escape(str(fact))}(?!\w))" for fact in facts)
