"""The options of extracting relations."""

from dataclasses import dataclass, fields
from typing import Any

from hyperskip.options import Options, declarations, option, option_of
from hyperskip.text.options import TextOptions

_TEXT = declarations(TextOptions)


@dataclass(frozen=True, kw_only=True)
class RelationOptions(Options):
    """The options of reading text, and of counting the pairs that it states."""

    min_count: int = option(
        1, int, "leave out pairs that were found less often", at_least=1, at_most=10**9
    )
    pair_limit: int = option(
        5_000_000,
        int,
        "maximum number of different pairs counted at a time, which limits memory: a million pairs "
        "take 300 to 550 MB; above the limit, the rarest pairs are dropped, and this is reported",
        at_least=1000,
        at_most=10**9,
    )
    column: str | None = option_of(_TEXT["column"])
    delimiter: str | None = option_of(_TEXT["delimiter"])
    encoding_errors: str = option_of(_TEXT["encoding_errors"])

    def reading(self) -> TextOptions:
        """The options of reading."""
        shared: dict[str, Any] = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name in ("column", "delimiter", "encoding_errors")
        }
        return TextOptions(**shared)
