"""Lessons learned: blocks of AGENT.md that tell the next agent what went wrong in a file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from intentls.core.errors import InvalidInput, shorten
from intentls.core.lint.problems import LinterProblem
from intentls.late_pattern import late_pattern

_DATE = late_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LINE_END = late_pattern(r"\r\n|\n|\r")
_NOT_ON_A_LINE = late_pattern("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HEADING = late_pattern(r"#{1,2}\s")
_LESSON = late_pattern(r"##\s+Lesson Learned\s*\(([0-9]{4}-[0-9]{2}-[0-9]{2})\)\s*")
_FILE = "**File:**"
_PROBLEMS = late_pattern(r"\*\*Problems:\*\*\s*")
_BULLET = late_pattern(r"[-*+]\s+(?=\S)")
# What Markdown (or the reader below) would take for structure at the start of a line. One backslash more in
# front of it, and it is text; those that stand there already count along, so that this can be undone.
_STRUCTURE = late_pattern(r"\\*(?:```|~~~|[#*<>+=|-])")
_ESCAPED = late_pattern(r"\\+(?:```|~~~|[#*<>+=|-])")


def path_line(path: str) -> str:
    """`path` as one line can show it: control characters, line ends and lone surrogates become U+FFFD."""
    return _NOT_ON_A_LINE.sub("\ufffd", path).strip()


class Lesson(Struct, frozen=True):
    """What went wrong in one file on one day. `date` is YYYY-MM-DD, `path` root-relative POSIX.

    Raises InvalidInput for another kind of date, an empty path or no problems.
    """

    date: str
    path: str
    problems: tuple[LinterProblem, ...]

    def __post_init__(self) -> None:
        path = path_line(self.path)
        if _DATE.fullmatch(self.date) is None:
            raise InvalidInput(f"a lesson's date must read YYYY-MM-DD, not {shorten(self.date, 20)!r}")
        if not path:
            raise InvalidInput("a lesson needs the path of the file that it is about")
        if not self.problems:
            raise InvalidInput(f"a lesson about {shorten(path)} needs at least one problem")
        force_setattr(self, "path", path)

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
    """The lessons in `text`, in order; any other text is skipped."""
    return tuple(Lesson(date, path, tuple(map(_parse_problem, lines))) for date, path, lines in _blocks(text))


def _blocks(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Date, path and lines of problems of each lesson."""
    block: list[str] = []
    for line in _LINE_END.split(text):
        if line.startswith("#") and _HEADING.match(line):
            yield from _parse_block(block)
            block = []
        block.append(line)
    yield from _parse_block(block)


def _parse_block(lines: Sequence[str]) -> Iterator[tuple[str, str, list[str]]]:
    """The lesson in these lines, if the first one is the heading of a lesson and the others make it one."""
    heading = _LESSON.fullmatch(lines[0]) if lines else None
    if heading is None:
        return
    path = ""
    problems: list[str] | None = None
    for line in lines[1:]:
        if problems is None:
            if line.startswith(_FILE):
                path = path_line(line.removeprefix(_FILE))
            elif _PROBLEMS.fullmatch(line):
                problems = []
        elif line.strip():
            problems.append(line)
        elif problems:
            break
    if path and problems:
        yield heading[1], path, problems


def _parse_problem(line: str) -> LinterProblem:
    text = line.strip()
    if _ESCAPED.match(text):
        return LinterProblem.from_line_text(text[1:])
    bullet = _BULLET.match(text)
    return LinterProblem.from_line_text(text[bullet.end() :] if bullet else text)


def _escape(text: str) -> str:
    return "\\" + text if _STRUCTURE.match(text) else text


def new_problems(existing_text: str, path: str, problems: Iterable[LinterProblem]) -> tuple[LinterProblem, ...]:
    """The problems that `existing_text` (AGENT.md) does not yet hold against `path`.

    A problem that differs only in its line number is the same problem; each is returned once.
    """
    return _unseen(_standing(existing_text)[path_line(path)], problems)


def new_lessons(existing_text: str, lessons: Iterable[Lesson]) -> tuple[Lesson, ...]:
    """What `lessons` teach that `existing_text` (AGENT.md) does not hold yet, in order, each problem of a file once.

    Example: the text has "too long" of `a.py`. Of the lessons [a.py: too long, F401] and [a.py: F401] it lacks
    [a.py: F401], once.
    """
    seen = _standing(existing_text)
    new = ((lesson, _unseen(seen[lesson.path], lesson.problems)) for lesson in lessons)
    return tuple(replace(lesson, problems=problems) for lesson, problems in new if problems)


def _standing(text: str) -> defaultdict[str, set[str]]:
    """By path, the problems that stand in AGENT.md, without their line numbers."""
    standing = defaultdict[str, set[str]](set)
    for _, path, lines in _blocks(text):
        standing[path].update(_parse_problem(line).standing for line in lines)
    return standing


def _unseen(seen: set[str], problems: Iterable[LinterProblem]) -> tuple[LinterProblem, ...]:
    """The problems that are not in `seen`, where they are from now on."""
    new: list[LinterProblem] = []
    for problem in problems:
        if problem.standing not in seen:
            seen.add(problem.standing)
            new.append(problem)
    return tuple(new)
