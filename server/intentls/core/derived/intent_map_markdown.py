"""The lines of intent_map.md, taken apart so that entries can change and every other byte stays."""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec import Struct, field

from intentls.core.lint.problems import one_line
from intentls.late_pattern import late_pattern

_LINE = late_pattern(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_HEADING = late_pattern(r"#{1,2}(?:\s|$)")
_SECTION = late_pattern(r"##[ \t]+(?P<id>\S+)(?P<name>[^\r\n]*)")
_ENTRY = late_pattern(r"[-*+][ \t]+(?P<span>(?P<ticks>`++)(?P<path>[^\r\n]*?[^`\r\n])(?P=ticks)(?!`))")
_FENCE = late_pattern(r" {0,3}(```+|~~~+)")


class _MarkdownBlock(Struct):
    """Lines that stay together, line ends included: an entry with its indented notes, or one other line.

    An entry has the `path` that it names and the code `span` in its first line that does so.
    """

    lines: list[str]
    path: str | None = None
    span: str = ""

    @property
    def note(self) -> str:
        """What a person wrote on an entry."""
        return "".join(self.lines).partition(self.span)[2].strip()

    @property
    def is_blank(self) -> bool:
        return not any(line.strip() for line in self.lines)


class MarkdownSection(Struct):
    """A heading and what stands below it. `intent_id` is empty where the heading names no intent."""

    heading: str
    intent_id: str
    newline: str
    blocks: list[_MarkdownBlock] = field(default_factory=list)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that its entries name, in order."""
        return tuple(block.path for block in self.blocks if block.path is not None)

    @property
    def is_bare(self) -> bool:
        """Whether it holds nothing but its heading."""
        return all(block.is_blank for block in self.blocks)

    @property
    def text(self) -> str:
        """Its lines, as they will be written."""
        return self.heading + "".join(line for block in self.blocks for line in block.lines)

    def add(self, paths: Iterable[str]) -> None:
        """Add an entry for each of `paths`, below those that are there, and sort."""
        new = [_MarkdownBlock([f"- {_span(path)}{self.newline}"], path, _span(path)) for path in paths]
        end = _end([block.path is not None for block in self.blocks])
        if end == 0:
            end = _end([not block.is_blank for block in self.blocks])
            new.insert(0, _MarkdownBlock([self.newline]))
        self.blocks[end:end] = new
        self._sort()

    def keep(self, paths: set[str]) -> None:
        """Remove the entries of all other paths, with the notes on them."""
        self.blocks = [block for block in self.blocks if block.path is None or block.path in paths]

    def rename(self, old: str, new: str) -> None:
        """Let the entry of `old` name `new`. Where `new` has an entry already, that of `old` goes."""
        if new in self.paths:
            self.keep(set(self.paths) - ({old} - {new}))
            return
        for block in self.blocks:
            if block.path == old:
                block.lines[0] = block.lines[0].replace(block.span, _span(new), 1)
                block.path, block.span = new, _span(new)
        self._sort()

    def _sort(self) -> None:
        """Sort the entries among the places they hold and drop repeated ones; other lines stay in place.

        An entry with a note is no repetition of the plain one: the note would be lost.
        """
        entries: dict[tuple[str | None, str], _MarkdownBlock] = {}
        for block in self.blocks:
            if block.path is not None:
                entries.setdefault((block.path, block.note), block)
        ordered = iter(sorted(entries.values(), key=lambda block: block.path or ""))
        blocks = (block if block.path is None else next(ordered, None) for block in self.blocks)
        self.blocks = [block for block in blocks if block is not None]


class MapText:
    """The whole file. Until something is changed, `text` is what it was made from, its last line ended."""

    def __init__(self, text: str) -> None:
        self._newline = "\r\n" if "\r\n" in text else "\n"
        lines = _LINE.findall(text)
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += self._newline
        self._parts = _split(lines, self._newline)

    @property
    def text(self) -> str:
        """The file as it should be written."""
        return "".join(part.text for part in self._parts)

    def sections(self, intent_id: str | None = None) -> list[MarkdownSection]:
        """The sections of all intents, or of one: people may have made several."""
        return [part for part in self._parts if part.intent_id and intent_id in (None, part.intent_id)]

    def section(self, intent_id: str, name: str) -> MarkdownSection:
        """The first section of an intent, headed with `name` if that is known; a new one if there is none."""
        heading = _heading(intent_id, name)
        for part in self.sections(intent_id):
            if name and part.heading.rstrip() != heading:
                part.heading = heading + self._newline
            return part
        self._end_with_blank_line()
        self._parts.append(MarkdownSection(heading + self._newline, intent_id, self._newline))
        return self._parts[-1]

    def drop(self, section: MarkdownSection) -> None:
        """Take a section out."""
        self._parts = [part for part in self._parts if part is not section]

    def _end_with_blank_line(self) -> None:
        blocks = self._parts[-1].blocks
        if not blocks or not blocks[-1].is_blank:
            blocks.append(_MarkdownBlock([self._newline]))


def _split(lines: list[str], newline: str) -> list[MarkdownSection]:
    """The stretches of the file, in order; the first is what stands above any heading."""
    fenced = _fenced(lines)
    parts = [MarkdownSection("", "", newline)]
    for number, line in enumerate(lines):
        if line[0] == "#" and number not in fenced and _HEADING.match(line):
            parts.append(MarkdownSection(line, _intent_of(line), newline))
            continue
        blocks = parts[-1].blocks
        entry = _ENTRY.match(line) if line[0] in "-*+" and number not in fenced else None
        if entry is not None:
            blocks.append(_MarkdownBlock([line], _unpad(entry["path"]), entry["span"]))
        elif line[0] in " \t" and line.strip() and blocks and blocks[-1].path is not None:
            blocks[-1].lines.append(line)
        else:
            blocks.append(_MarkdownBlock([line]))
    return parts


def _fenced(lines: list[str]) -> set[int]:
    """The numbers of the lines in code fences that close. An open fence would hide all that follows it."""
    inside: set[int] = set()
    start, sign = 0, ""
    for number, line in enumerate(lines):
        fence = _FENCE.match(line) if line[0] in " `~" else None
        if fence is None:
            continue
        if not sign:
            start, sign = number, fence[1]
        elif fence[1].startswith(sign) and line.strip() == fence[1]:
            inside.update(range(start, number + 1))
            sign = ""
    return inside


def _intent_of(heading: str) -> str:
    """The id in `## ID: name` or `## ID`; empty for a heading that is just words."""
    match = _SECTION.match(heading)
    if match is None:
        return ""
    token = match["id"]
    if token.endswith(":"):
        return token[:-1]
    return "" if match["name"].strip() else token


def _heading(intent_id: str, name: str) -> str:
    title = one_line(name)
    if title:
        return f"## {intent_id}: {title}"
    return f"## {intent_id}:" if intent_id.endswith(":") else f"## {intent_id}"


def _unpad(code: str) -> str:
    """Markdown takes one space off both ends of a code span, if there is one at both."""
    return code[1:-1] if len(code) > 2 and code[0] == code[-1] == " " else code


def _span(path: str) -> str:
    """A code span that holds `path`, whatever backticks are in it."""
    runs = {len(run) for run in re.findall("`+", path)}
    ticks = "`" * next(length for length in range(1, len(runs) + 2) if length not in runs)
    pad = " " if path.startswith("`") or path.endswith("`") else ""
    return f"{ticks}{pad}{path}{pad}{ticks}"


def _end(marks: list[bool]) -> int:
    """The index just after the last mark; 0 if there is none."""
    return max((number for number, mark in enumerate(marks, start=1) if mark), default=0)


def entry_path(line: str) -> str | None:
    """The path of a line that is an entry and nothing else, spelled as `MarkdownSection.add` does; else None."""
    entry = _ENTRY.match(line)
    path = None if entry is None else _unpad(entry["path"])
    return path if path is not None and line.rstrip() == f"- {_span(path)}" else None
