"""Minimal text edits of a YAML document: what a person wrote around them stays as it is, byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.store.yaml.document import YamlDocument
from intentls.store.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode, plain_data

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
# Conservative: fine unquoted in block and in flow style, for every YAML version and parser.
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./][A-Za-z0-9_./*+@()~^$=%-]*(?: [A-Za-z0-9_./()][A-Za-z0-9_./*()-]*)*")
# Legal in JSON, but a YAML reader refuses these or folds them away.
_UNSAFE: Final = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")
_COMMA: Final = re.compile(r"(?:\s|#[^\r\n]*)*+,")  # possessive: a comma in a comment is none
_BLANK_REST: Final = re.compile(r"[ \t]*(?=[\r\n]|\Z)")


class YamlEdit(Struct, frozen=True):
    """`text[start:end]` becomes `new_text`. Offsets count code points; `span` is the same place in lines."""

    span: Span
    start: int
    end: int
    new_text: str


def apply(text: str, edit: YamlEdit) -> str:
    """`text` after `edit`."""
    return text[: edit.start] + edit.new_text + text[edit.end :]


def edit_at(document: YamlDocument, start: int, end: int, new_text: str) -> YamlEdit:
    """The edit that puts `new_text` in place of `start`..`end`."""
    return YamlEdit(document.lines.span(start, end), start, end, new_text)


def quote(value: str, style: str = "") -> str:
    """`value` as YAML that reads as this text: plain or single-quoted if asked for and safe, else double."""
    if style == "" and _PLAIN.fullmatch(value) and plain_data(value) == value:
        return value
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    encoded: str = json.dumps(value, ensure_ascii=False)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", encoded)


def newline(text: str) -> str:
    """The line end that the document uses (its first one)."""
    match = _LINE_END.search(text)
    return match[0] if match else "\n"


def line_end(text: str, offset: int) -> int:
    """Where the line of `offset` ends, before its line end."""
    match = _LINE_END.search(text, offset)
    return match.start() if match else len(text)


def column(document: YamlDocument, node: Node) -> int:
    """The column in which `node` begins."""
    return document.lines.position(node.start)[1]


def set_value(document: YamlDocument, key: ScalarNode, value: Node, written: str) -> YamlEdit:
    """Write `written` (one line of YAML) as the value of `key`, also where nothing is written yet."""
    if value.start != value.end:
        return edit_at(document, value.start, value.end, written)
    text, offset = document.text, value.start
    if ":" not in text[key.end : offset]:
        return edit_at(document, key.end, key.end, f": {written}")
    before = "" if text[offset - 1].isspace() else " "
    blank = _BLANK_REST.match(text, offset)
    return edit_at(document, offset, blank.end() if blank else offset, before + written)


def insert_key(
    document: YamlDocument, mapping: MappingNode, after: tuple[ScalarNode, Node], name: str, written: str
) -> YamlEdit:
    """Add `name: written` to `mapping`, behind the entry `after`."""
    text = document.text
    offset = max(after[0].end, after[1].end)
    entry = f"{quote(name, after[0].style)}: {written}"
    if not mapping.flow:
        end = line_end(text, offset)
        return edit_at(document, end, end, f"{newline(text)}{' ' * column(document, mapping)}{entry}")
    if text[mapping.start] == "{":
        return edit_at(document, offset, offset, f", {entry}")
    whole = text[mapping.start : mapping.end]  # a lone pair in a flow list, which needs no braces
    return edit_at(document, mapping.start, mapping.end, f"{{{whole}, {entry}}}")


def append_block(document: YamlDocument, sequence: SequenceNode, lines: Sequence[str]) -> YamlEdit:
    """Add `lines` below the last item of a block list, at the indentation of its dashes."""
    text = document.text
    end = line_end(text, sequence.items[-1].end)
    indent = newline(text) + " " * column(document, sequence)
    return edit_at(document, end, end, "".join(indent + line for line in lines))


def append_flow(document: YamlDocument, sequence: SequenceNode, items: Sequence[str]) -> YamlEdit:
    """Add `items` to a flow list: on lines of their own where the last item has one."""
    text = document.text
    if not sequence.items:
        offset = sequence.start + 1
        return edit_at(document, offset, offset, ", ".join(items))
    last = sequence.items[-1]
    indent = text[last.start - column(document, last) : last.start]
    tail = text[last.end : sequence.end - 1]
    end = line_end(text, last.end)
    comma = _COMMA.match(tail)
    comma_below = comma is not None and last.end + comma.end() > end
    if indent.strip() or not _LINE_END.search(tail) or comma_below:
        return edit_at(document, last.end, last.end, "".join(f", {item}" for item in items))
    separator = newline(text) + indent
    if comma:
        return edit_at(document, end, end, "".join(f"{separator}{item}," for item in items))
    rest = text[last.end : end]  # a comment; the comma must stand before it
    return edit_at(document, last.end, end, "," + rest + separator + f",{separator}".join(items))
