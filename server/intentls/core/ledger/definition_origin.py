"""What a definition of a file's new content was in the old one, as a record names it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from intentls.core.ledger.record_json import DefinitionOriginJson, line_number, text_of


class DefinitionOrigin(Struct, frozen=True):
    """`symbol`, whose name stands in `line` of the new content, was `old_symbol` in the old one.

    Its name stood in `old_line` there, in the lines `old_start_line` to `old_end_line`. Lines count from 1, both ends
    included; names are qualified.
    """

    symbol: str
    line: int
    old_symbol: str
    old_line: int
    old_start_line: int
    old_end_line: int

    def to_json(self) -> DefinitionOriginJson:
        """The JSON object; `old_symbol` only where it is another name."""
        result: DefinitionOriginJson = {"symbol": self.symbol, "line": self.line}
        if self.old_symbol != self.symbol:
            result["old_symbol"] = self.old_symbol
        result["old_line"] = self.old_line
        result["old_start_line"] = self.old_start_line
        result["old_end_line"] = self.old_end_line
        return result

    def former(self, name: str) -> str:
        """What a definition of the new content, this one or one inside it, was called; `name` of any other.

        Example: where `City` was `Town`, `City.rain` was `Town.rain`.
        """
        is_own = name == self.symbol or name.startswith(f"{self.symbol}.")
        return self.old_symbol + name[len(self.symbol) :] if is_own else name


def read_definition_origin(entry: dict[str, Any]) -> DefinitionOrigin | None:
    """What a record's JSON says; None if it has another shape, since anybody may have written the record."""
    symbol, line, old_line = text_of(entry, "symbol"), line_number(entry, "line"), line_number(entry, "old_line")
    start, end = line_number(entry, "old_start_line"), line_number(entry, "old_end_line")
    if not symbol or line < 1 or not 0 < start <= old_line <= end:
        return None
    return DefinitionOrigin(symbol, line, text_of(entry, "old_symbol") or symbol, old_line, start, end)
