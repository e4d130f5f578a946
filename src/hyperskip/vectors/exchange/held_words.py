"""Words that a file of another program can hold."""

from collections.abc import Iterable

from hyperskip.errors import OutputError, shown


def check_words(words: Iterable[str], holder: str, *, separators: str | None, hint: str) -> None:
    """Check that every word can be written, and read as the same word.

    Args:
        words: The words.
        holder: What would hold them, named in the error.
        separators: Characters that end a word there; None for all white space.
        hint: What to do about a word that cannot be held.

    Raises:
        OutputError: A word is empty, contains a separator, or is not valid Unicode.
    """
    for word in words:
        reason = None
        if not word:
            reason = "it is empty"
        elif separators is None and word.split() != [word]:
            reason = "it contains white space"
        elif separators is not None and any(separator in word for separator in separators):
            reason = f"it contains one of {separators!r}"
        else:
            try:
                word.encode()
            except UnicodeEncodeError:
                reason = "it is not valid Unicode"
        if reason is not None:
            raise OutputError(f"{holder} cannot hold the word {shown(word)}: {reason}", hint=hint)
