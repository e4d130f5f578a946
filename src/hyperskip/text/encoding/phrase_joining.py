"""The phrases of a text that is encoded: found in it, or given in a file."""

from pathlib import Path

from hyperskip.errors import CorpusWarning, warn
from hyperskip.text.options import TextOptions
from hyperskip.text.phrases.blocks import IntegerText
from hyperskip.text.phrases.passes import find_in, join_in
from hyperskip.text.phrases.phrase_events import PhraseReport
from hyperskip.text.phrases.phrases import Phrases, read_phrases
from hyperskip.text.reading.sources import SourceFile, source_file


class PhraseJoining:
    """Joins the phrases of a text, if the options say so.

    Args:
        options: How phrases are found, or the file of them. It is read at once, so that errors come
            before the text is read.

    Raises:
        CorpusError: The file is missing, unreadable or malformed.
    """

    def __init__(self, options: TextOptions) -> None:
        self.file: SourceFile | None = None  # as it was when it was read
        self._given: Phrases | None = None
        self._rules = options.phrase_rules if options.phrases else None
        if options.phrase_file is not None:
            self.file = source_file(Path(options.phrase_file))
            self._given = read_phrases(options.phrase_file)

    def join(self, text: IntegerText, report: PhraseReport) -> None:
        """Join the phrases of a text that has been read.

        Warns:
            CorpusWarning: None of the phrases of a file occurs.
        """
        if not text.token_count:
            return
        if self._rules is not None:
            find_in(text, self._rules, report, join_all=True)
        elif self._given is not None and not join_in(text, self._given, report):
            warn(
                "no words are joined, because the text has none of the phrases of `phrase_file`. "
                "Write their words as the tokenizer gives them, for example in lower case"
                if self._given
                else "no words are joined, because `phrase_file` has no phrases",
                CorpusWarning,
            )
