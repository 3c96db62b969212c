"""Where in a YAML document a cursor stands, also while the document is being typed and does not parse.

The parser is fed the text up to the cursor with a mark behind it. Its events tell which collections are open
when the mark comes; what follows the cursor can't confuse it. What is broken further up is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import yaml
from msgspec import Struct, field
from msgspec.structs import replace
from yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent, MappingStartEvent, ScalarEvent

_Loader: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_MARK: Final = "\uf8ff"
# What makes the mark a value, a key, or the end of an open quote.
_ENDINGS: Final = (("", ""), ("", ":"), ('"', '"'), ("'", "'"))
_LONG: Final = 256 * 1024
"""Characters up to which the whole text is read; in a longer one only the entry around the cursor is."""

# What no YAML reader takes; it is reported elsewhere, and here it only has its place.
_UNREADABLE: Final = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_ENTRY: Final = re.compile(r"[ \t]*- +[\"']?[\w-]+[\"']?:(?=\s|\Z)")
_TOP_KEY: Final = re.compile(r"^[A-Za-z_][\w-]*:[ \t]*(?:#.*)?$", re.MULTILINE)
_CONTENT: Final = re.compile(r"[ ]*((?:-[ ]+)*)")
_KEY: Final = re.compile(r"[\"']?([\w-]+)[\"']?[ \t]*:(?:\s|\Z)")
# An exclusion without quotes, which YAML takes for a tag.
_EXCLUSION: Final = re.compile(r"(?:^|(?<=[\s\[,]))![^\s\"'\[\],]*\Z", re.MULTILINE)


class YamlCursor(Struct, frozen=True):
    """What stands at the cursor.

    `path` leads from the root to the value that is being written, or, where it is a key, to its mapping.
    `typed` is what the scalar says up to the cursor; it begins at offset `start`, behind its `quote` ("": none).
    `keys` are the mapping's keys before the cursor, `flow` says whether it stands in brackets.
    """

    path: tuple[str | int, ...]
    is_key: bool
    typed: str
    start: int
    quote: str
    flow: bool
    keys: tuple[str, ...] = ()


class _CursorFrame(Struct):
    """A collection that is still open."""

    is_map: bool
    flow: bool
    path: tuple[str | int, ...]
    keys: list[str] = field(default_factory=list)
    key: str | None = None
    index: int = 0

    def child(self) -> tuple[str | int, ...]:
        """The path of the value that comes next."""
        return (*self.path, (self.key or "") if self.is_map else self.index)

    def took(self, scalar: str | None) -> None:
        """A child has come; `scalar` is what it says, None for a collection."""
        if not self.is_map:
            self.index += 1
        elif self.key is None:
            self.key = scalar or ""
            self.keys.append(self.key)
        else:
            self.key = None


def cursor_at(text: str, offset: int) -> YamlCursor | None:
    """What stands at `offset` (code points); None in a comment, in a block text and where none can be found."""
    before = _UNREADABLE.sub("\ufffd", text[:offset])
    exclusion = _EXCLUSION.search(before)
    if exclusion is not None:
        before = f"{before[: exclusion.start()]}x{before[exclusion.start() + 1 :]}"
    for reading, shift in _readings(before):
        for quote, ending in _ENDINGS:
            read = _read(reading + _MARK + ending, len(reading), quote)
            if read is None:
                continue
            cursor = replace(read, start=read.start + shift)
            if exclusion is not None and cursor.start == exclusion.start():
                return replace(cursor, typed=f"!{cursor.typed[1:]}")
            return cursor
    return None


def sibling_keys(text: str, offset: int, *, flow: bool) -> frozenset[str]:
    """The keys of the mapping that the cursor's line belongs to, above and below it, by indentation alone.

    In brackets: those that follow up to the next closing brace.
    """
    if flow:
        rest = text[offset:].partition("}")[0].partition("\n\n")[0]
        return frozenset(re.findall(r"[\"']?([\w-]+)[\"']?[ \t]*:", rest))
    start = _line_start(text, offset)
    line = _LINE.match(text, start)
    content_start = _CONTENT.match(text, start)
    assert line is not None
    assert content_start is not None  # both match anything
    column = content_start.end() - start
    keys = set(_keys_below(text, line.end(), column))
    if not content_start[1]:
        keys.update(_keys_above(text, start, column))
    return frozenset(keys)


def _readings(before: str) -> Iterator[tuple[str, int]]:
    """The text as it is, then only the entry around the cursor, then only the lines that the last one is nested in.

    Each with what to add to an offset in it (of the last part) to have the offset in the whole.
    """
    if len(before) <= _LONG:
        yield before, 0
    entry = _last_entry(before)
    if entry is not None:
        top = max((match.start() for match in _TOP_KEY.finditer(before, 0, entry)), default=0)
        head = before[top : _line_end(before, top)]
        yield head + before[entry:], entry - len(head)
    start = _line_start(before, len(before))
    parents = _parents(before, start)
    yield parents + before[start:], start - len(parents)


def _last_entry(before: str) -> int | None:
    """Where the last line begins that starts a mapping in a list."""
    start = _line_start(before, len(before))
    while not _ENTRY.match(before, start):
        if start == 0:
            return None
        start = _line_start(before, start - 1)
    return start


def _parents(before: str, start: int) -> str:
    """The lines above that the one at `start` is nested in, by indentation."""
    content_start = _CONTENT.match(before, start)
    assert content_start is not None
    indent = content_start.start(1) - start
    in_list = bool(content_start[1])
    pieces: list[str] = []
    while start > 0 and (indent > 0 or in_list):
        end, start = start, _line_start(before, start - 1)
        line = before[start:end]
        content = line.lstrip(" ")
        depth = len(line) - len(content)
        opens = depth < indent or (in_list and depth == indent and not content.startswith("-"))
        if content.strip() and not content.startswith("#") and opens:
            pieces.append(line)
            indent, in_list = depth, content.startswith("-")
    return "".join(reversed(pieces))


def _read(marked: str, offset: int, quote: str) -> YamlCursor | None:
    """What the parser makes of the text with the mark; None if it does not get there."""
    stack: list[_CursorFrame] = []
    loader = _Loader(marked)
    event: Any
    try:
        while (event := loader.get_event()) is not None:
            if isinstance(event, ScalarEvent):
                if event.end_mark is not None and event.end_mark.index > offset:
                    return _cursor(event, stack, quote)
                if stack:
                    stack[-1].took(event.value)
            elif isinstance(event, CollectionStartEvent):
                path = stack[-1].child() if stack else ()
                stack.append(_CursorFrame(isinstance(event, MappingStartEvent), bool(event.flow_style), path))
            elif isinstance(event, CollectionEndEvent | AliasEvent):
                if isinstance(event, CollectionEndEvent):
                    stack.pop()
                if stack:
                    stack[-1].took(None)
    except yaml.YAMLError:
        return None
    finally:
        loader.dispose()
    return None


def _cursor(event: Any, stack: list[_CursorFrame], quote: str) -> YamlCursor | None:
    """The mark's scalar; None where it stands in a block text."""
    if (event.style or "") != quote or _MARK not in event.value:
        return None
    frame = stack[-1] if stack else _CursorFrame(False, False, ())
    is_key = frame.is_map and frame.key is None
    path = frame.path if is_key or not stack else frame.child()
    start = event.start_mark.index + len(quote)
    return YamlCursor(path, is_key, event.value.partition(_MARK)[0], start, quote, frame.flow, tuple(frame.keys))


def _keys_below(text: str, start: int, column: int) -> Iterator[str]:
    while start < len(text):
        line = _LINE.match(text, start)
        assert line is not None
        content = line[0].lstrip(" ")
        depth = len(line[0]) - len(content)
        if content.strip() and not content.startswith("#"):
            if depth < column:
                return
            if depth == column and (key := _KEY.match(content)):
                yield key[1]
        start = line.end()


def _keys_above(text: str, start: int, column: int) -> Iterator[str]:
    while start > 0:
        end, start = start, _line_start(text, start - 1)
        line = text[start:end]
        content_start = _CONTENT.match(line)
        assert content_start is not None
        if not line.strip() or line.lstrip(" ").startswith("#"):
            continue
        if content_start.end() == column and (key := _KEY.match(line, content_start.end())):
            yield key[1]
        if content_start.start(1) < column:
            return


def _line_start(text: str, offset: int) -> int:
    """Where the line of `offset` begins; a line end belongs to the line that it ends."""
    if text[offset : offset + 1] == "\n" and text[offset - 1 : offset] == "\r":
        offset -= 1
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def _line_end(text: str, offset: int) -> int:
    line = _LINE.match(text, offset)
    assert line is not None
    return line.end()
