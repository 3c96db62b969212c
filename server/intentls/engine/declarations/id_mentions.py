"""Where ids of intents stand in a text that people or the ledger wrote."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from intentls.engine.declarations.file_kinds import FileKind

_HEADING = re.compile(r"##[ \t]+(\S+)")
_IGNORED = re.compile(r"[ \t]*intent:[ \t]*([^\s#]+)")
_LINE = re.compile(r"\r\n|\n|\r")
_JOINED = re.compile(r"[\w-]")  # a neighbour that makes an id part of a longer word


def line_at(text: str, offset: int) -> tuple[int, str]:
    """(where the line of `offset` begins, the line without its end)."""
    start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
    end = _LINE.search(text, offset)
    return start, text[start : end.start() if end else len(text)]


def lines_of(text: str) -> list[str]:
    """The lines, as LSP counts them, without their ends."""
    return _LINE.split(text)


def id_at(text: str, offset: int, ids: Collection[str]) -> tuple[str, int, int] | None:
    """(id, start, end) of the id under the cursor, in offsets; the longest where several fit."""
    start, line = line_at(text, offset)
    column = offset - start
    found = [
        (end - begin, each, begin)
        for each in ids
        if each in line
        for begin, end in _places(line, each)
        if begin <= column <= end
    ]
    if not found:
        return None
    length, each, begin = max(found)
    return each, start + begin, start + begin + length


def mentions(kind: FileKind, lines: Iterator[tuple[int, str]], intent_id: str) -> Iterator[tuple[int, int, int, str]]:
    """(line, column, end column, the line) of each mention of the intent in numbered lines of a file."""
    for number, line in lines:
        if intent_id not in line:
            continue
        if kind is FileKind.MAP:
            places = _captured(_HEADING, line, intent_id)
        elif kind is FileKind.IGNORE:
            places = _captured(_IGNORED, line, intent_id)
        else:
            places = list(_places(line, intent_id))
        for begin, end in places[:1] if kind is FileKind.LEDGER else places:
            yield number, begin, end, line


def _captured(pattern: re.Pattern[str], line: str, intent_id: str) -> list[tuple[int, int]]:
    match = pattern.match(line)
    if match is None or match[1].removesuffix(":") != intent_id:
        return []
    return [(match.start(1), match.start(1) + len(intent_id))]


def _places(line: str, intent_id: str) -> Iterator[tuple[int, int]]:
    """Where the id stands as a word of its own."""
    begin = line.find(intent_id)
    while begin >= 0:
        end = begin + len(intent_id)
        if not _JOINED.match(line[begin - 1 : begin]) and not _JOINED.match(line[end : end + 1]):
            yield begin, end
        begin = line.find(intent_id, begin + 1)
