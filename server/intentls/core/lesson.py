"""Lessons learned: blocks of AGENT.md that tell the next agent what went wrong in a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from intentls.core.errors import InvalidInput, shorten
from intentls.core.problems import Problem

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINE_END = re.compile(r"\r\n|\n|\r")
_NOT_ON_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HEADING = re.compile(r"#{1,2}\s")
_LESSON = re.compile(r"##\s+Lesson Learned\s*\((\d{4}-\d{2}-\d{2})\)\s*")
_FILE = "**File:**"
_PROBLEMS = re.compile(r"\*\*Problems:\*\*\s*")
_BULLET = re.compile(r"[-*+]\s+(?=\S)")
# What Markdown (or the reader below) would take for structure at the start of a line. One backslash more in
# front of it, and it is text; those that stand there already count along, so that this can be undone.
_STRUCTURE = re.compile(r"\\*(?:```|~~~|[#*<>+=|-])")
_ESCAPED = re.compile(r"\\+(?:```|~~~|[#*<>+=|-])")


def path_line(path: str) -> str:
    """`path` as one line can show it: control characters, line ends and lone surrogates become U+FFFD."""
    return _NOT_ON_A_LINE.sub("\ufffd", path).strip()


@dataclass(frozen=True, slots=True)
class Lesson:
    """What went wrong in one file on one day. `date` is YYYY-MM-DD, `path` root-relative POSIX.

    Raises InvalidInput for another kind of date, an empty path or no problems.
    """

    date: str
    path: str
    problems: tuple[Problem, ...]

    def __post_init__(self) -> None:
        path = path_line(self.path)
        if _DATE.fullmatch(self.date) is None:
            raise InvalidInput(f"a lesson's date must read YYYY-MM-DD, not {shorten(self.date, 20)!r}")
        if not path:
            raise InvalidInput("a lesson needs the path of the file that it is about")
        if not self.problems:
            raise InvalidInput(f"a lesson about {shorten(path)} needs at least one problem")
        object.__setattr__(self, "path", path)

    @property
    def text(self) -> str:
        """The problems, one a line, as people read them."""
        return "\n".join(problem.line_text for problem in self.problems)

    def render(self) -> str:
        """The block to append to AGENT.md, its closing blank line included."""
        lines = [f"## Lesson Learned ({self.date})", "", f"{_FILE} {self.path}", "**Problems:**"]
        lines.extend(_escape(problem.line_text) for problem in self.problems)
        return "\n".join([*lines, "", ""])


def parse_lessons(text: str) -> tuple[Lesson, ...]:
    """The lessons in `text`, in order; whatever else stands there is passed over."""
    blocks: list[list[str]] = []
    for line in _LINE_END.split(text):
        if _HEADING.match(line):
            blocks.append([])
        if blocks:
            blocks[-1].append(line)
    return tuple(lesson for block in blocks if (lesson := _parse_block(block)) is not None)


def _parse_block(lines: Sequence[str]) -> Lesson | None:
    heading = _LESSON.fullmatch(lines[0])
    if heading is None:
        return None
    path: str | None = None
    problems: list[Problem] | None = None
    for line in lines[1:]:
        if problems is None:
            if line.startswith(_FILE):
                path = line.removeprefix(_FILE).strip()
            elif _PROBLEMS.fullmatch(line):
                problems = []
        elif line.strip():
            problems.append(_parse_problem(line))
        elif problems:
            break
    return Lesson(heading[1], path, tuple(problems)) if path and problems else None


def _parse_problem(line: str) -> Problem:
    text = line.strip()
    plain = text[1:] if _ESCAPED.match(text) else _BULLET.sub("", text, count=1)
    return Problem.from_line_text(plain)


def _escape(text: str) -> str:
    return "\\" + text if _STRUCTURE.match(text) else text


def fresh(existing_text: str, path: str, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems that `existing_text` (AGENT.md) does not yet hold against `path`.

    A problem that differs only in its line number is the same problem; each is returned once.
    """
    wanted = path_line(path)
    seen = {
        problem.standing
        for lesson in parse_lessons(existing_text)
        if lesson.path == wanted
        for problem in lesson.problems
    }
    new: list[Problem] = []
    for problem in problems:
        if problem.standing not in seen:
            seen.add(problem.standing)
            new.append(problem)
    return tuple(new)
