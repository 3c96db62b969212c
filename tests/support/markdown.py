"""A page of documentation as a test looks at it: sections, tables, examples, links."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^(#+) +(.+?)\s*$", re.MULTILINE)
_CELLS = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


@dataclass(frozen=True)
class Page:
    """Markdown text. `code` (what stands between backquotes) is how pages name things of the program."""

    text: str

    @classmethod
    def read(cls, path: Path) -> Page:
        return cls(path.read_text("utf-8"))

    @property
    def prose(self) -> str:
        """The text without its examples."""
        return _FENCE.sub("", self.text)

    @property
    def anchors(self) -> set[str]:
        """What a link may point to, as GitHub and others name headings."""
        return {_slug(heading) for _, heading in _HEADING.findall(self.prose)}

    @property
    def links(self) -> list[str]:
        """The targets of all links, in order."""
        return _LINK.findall(self.prose)

    def examples(self, language: str) -> list[str]:
        """The fenced blocks of this language, in order."""
        return [body for name, body in _FENCE.findall(self.text) if name == language]

    def section(self, heading: str) -> Page:
        """What stands under a heading, up to the next one of its rank or above. Fails if there is none."""
        blank = _FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block[0]), self.text)
        found = [(match, len(match[1])) for match in _HEADING.finditer(blank)]
        for index, (match, rank) in enumerate(found):
            if match[2].strip("`") == heading:
                ends = [other.start() for other, level in found[index + 1 :] if level <= rank]
                return Page(self.text[match.end() : min(ends, default=len(self.text))])
        raise AssertionError(f"there is no section {heading!r}")

    def rows(self, *header: str) -> list[list[str]]:
        """The rows (as cells) of all tables whose header begins with these cells."""
        found: list[list[str]] = []
        wanted = False
        for line in self.prose.splitlines():
            cells = [cell.strip() for cell in _CELLS.split(line)[1:-1]]
            if not cells:
                wanted = False
            elif cells[: len(header)] == list(header):
                wanted = True
            elif wanted and set(cells[0]) != {"-"}:
                found.append(cells)
        return found


def code(text: str) -> list[str]:
    """The names that a piece of a page has between backquotes."""
    return _CODE.findall(text)


def _slug(heading: str) -> str:
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
    kept = (char for char in plain if char in " -_" or unicodedata.category(char)[0] in "LN")
    return "".join(kept).replace(" ", "-")
