"""Problems: what a linter, a compiler or an editor reports of a file, in one form for all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr

from intentls.core.diagnostic import Severity
from intentls.core.errors import InvalidInput
from intentls.late_pattern import late_pattern

# Control characters that are not white space, lone surrogates and the two non-characters: no text file
# (and no XML document) should ever have to hold them.
_UNPRINTABLE = late_pattern("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
_LINE_SUFFIX = late_pattern(r" line ([1-9]\d{0,8})$")

_LINE_END = late_pattern(r"[\r\n]+")
_LOCATED = late_pattern(
    r"(?P<file>[^\s:](?::[\\/])?.*?)"  # a drive letter's colon is part of the file name
    r"(?::(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?|\((?P<line2>\d{1,9})(?:,(?P<column2>\d{1,9}))?\))"
    r":\s+(?P<rest>\S.*)"
)
_SEVERITY_WORD = late_pattern(
    r"(?:fatal )?(?P<word>error|warning|note|info)(?::\s*|\s+(?=[A-Z]+\d+:))(?=\S)", re.IGNORECASE
)
_RULE = late_pattern(r"(?P<rule>[A-Z]{1,12}\d{1,6}):?\s+(?:\[\*\]\s+)?(?=\S)")
_TRAILING_RULE = late_pattern(r"\s\s\[(?P<rule>[a-z][\w-]*)\]$")

SEVERITY_NAMES: Mapping[str, Severity] = {
    "fatal": Severity.ERROR,
    "error": Severity.ERROR,
    "warning": Severity.WARNING,
    "warn": Severity.WARNING,
    "note": Severity.INFORMATION,
    "info": Severity.INFORMATION,
    "information": Severity.INFORMATION,
    "convention": Severity.INFORMATION,
    "refactor": Severity.INFORMATION,
    "none": Severity.HINT,
    "hint": Severity.HINT,
    "style": Severity.HINT,
}


def one_line(text: str) -> str:
    """`text` on one line: white space (line ends too) becomes single spaces, what can't be printed U+FFFD."""
    return _UNPRINTABLE.sub("\ufffd", " ".join(text.split()))


class LinterProblem(Struct, frozen=True):
    """One thing that is wrong. `line` and `column` count from 1; `source` is the tool's name, in lower case.

    The texts are brought onto one line, so that no message can pass for something else in a file that
    quotes it. Raises InvalidInput for a message without any text.
    """

    message: str
    rule: str | None = None
    source: str | None = None
    line: int | None = None
    column: int | None = None
    severity: Severity | None = None

    def __post_init__(self) -> None:
        message = one_line(self.message)
        if not message:
            raise InvalidInput("a problem needs a message that says what is wrong")
        force_setattr(self, "message", message)
        if self.rule is not None:
            force_setattr(self, "rule", one_line(self.rule) or None)
        if self.source is not None:
            # Editors call a tool "Ruff" where its own output says "ruff": one name, or lessons would repeat.
            force_setattr(self, "source", one_line(self.source).lower() or None)

    @property
    def key(self) -> tuple[str | None, str | None, str]:
        """(rule, source, message): what stays the same when the problem merely moves to another line."""
        return (self.rule, self.source, self.message)

    @property
    def line_text(self) -> str:
        """How a lesson shows it: `E501 line too long (101 > 100) [ruff] line 12`."""
        parts = [self.message]
        if self.rule is not None:
            parts.insert(0, self.rule)
        if self.source is not None:
            parts.append(f"[{self.source}]")
        if self.line is not None:
            parts.append(f"line {self.line}")
        return " ".join(parts)

    @property
    def standing(self) -> str:
        """`line_text` without its line number: what a lesson is compared by."""
        return _LINE_SUFFIX.sub("", self.line_text)

    @classmethod
    def from_line_text(cls, text: str) -> LinterProblem:
        """The problem that `line_text` shows; rule and source stay part of the message."""
        text = one_line(text)
        suffix = _LINE_SUFFIX.search(text)
        return cls(text) if suffix is None else cls(text[: suffix.start()], line=int(suffix[1]))


def introduced(before: Sequence[LinterProblem], after: Sequence[LinterProblem]) -> tuple[LinterProblem, ...]:
    """The problems of `after` that `before` did not have, in order.

    Equal keys are counted: a second unused import is new although there was one already. A problem that
    stands where it stood is matched first, one that moved next; what is left is new.
    """
    standing = Counter((problem.key, problem.line) for problem in before)
    moved = Counter(problem.key for problem in before)
    candidates: list[LinterProblem] = []
    for problem in after:
        if standing[problem.key, problem.line] > 0:
            standing[problem.key, problem.line] -= 1
            moved[problem.key] -= 1
        else:
            candidates.append(problem)
    new: list[LinterProblem] = []
    for problem in candidates:
        if moved[problem.key] > 0:
            moved[problem.key] -= 1
        else:
            new.append(problem)
    return tuple(new)


def from_text(text: str) -> tuple[LinterProblem, ...]:
    """One problem for each line that is not blank.

    `file:line:column: CODE message` and its relatives (`file(line,column): error CODE: message`) are taken
    apart; any other line is kept as it is.
    """
    return tuple(problem for _, problem in _lines(text, None))


def from_linter_text(
    text: str, *, source: str | None = None, about: Callable[[str], bool] | None = None
) -> tuple[LinterProblem, ...]:
    """Like `from_text`, for what a program printed.

    Where lines name a place, the others (headings, totals, excerpts) are left out, and with `about` those
    whose file it does not accept.
    """
    lines = list(_lines(text, source))
    if all(file is None for file, _ in lines):
        return tuple(problem for _, problem in lines)
    return tuple(problem for file, problem in lines if file is not None and (about is None or about(file)))


def names_places(text: str) -> bool:
    """Whether any line of `text` is of the form `file:line: ...`."""
    return any(file is not None for file, _ in _lines(text, None))


def _lines(text: str, source: str | None) -> Iterator[tuple[str | None, LinterProblem]]:
    """Each line that is not blank: the file it names, if it names one, and its problem."""
    for line in _LINE_END.split(text):
        stripped = line.strip()
        match = _LOCATED.fullmatch(stripped)
        if match is not None and not _is_prose(match["file"]):
            yield match["file"], _located(match, source)
        elif stripped:
            yield None, LinterProblem.from_line_text(stripped)


def _is_prose(text: str) -> bool:
    """Whether `text` can't be a file's name: `at 12:30: ...` begins with words."""
    return not any(sign in text for sign in "./\\") and " " in one_line(text)


def _located(match: re.Match[str], source: str | None) -> LinterProblem:
    rest, severity, rule = match["rest"], None, None
    if word := _SEVERITY_WORD.match(rest):
        severity, rest = SEVERITY_NAMES[word["word"].lower()], rest[word.end() :]
    if code := _RULE.match(rest):
        rule, rest = code["rule"], rest[code.end() :]
    elif trailing := _TRAILING_RULE.search(rest):
        rule, rest = trailing["rule"], rest[: trailing.start()]
    line, column = match["line"] or match["line2"], match["column"] or match["column2"]
    return LinterProblem(rest, rule, source, counted(int(line)), counted(int(column or 0)), severity)


def counted(value: object, offset: int = 0) -> int | None:
    """`value` + `offset` as a number that counts from 1, or None if it isn't one."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value + offset if value + offset >= 1 else None


def from_diagnostics(diagnostics: object) -> tuple[LinterProblem, ...]:
    """The problems of a JSON list of LSP `Diagnostic`s (lines and columns there count from 0).

    Raises InvalidInput, naming the diagnostic, where one has no usable message.
    """
    if not isinstance(diagnostics, list):
        raise InvalidInput("diagnostics must be a list of LSP Diagnostic objects")
    return tuple(_diagnostic(item, index) for index, item in enumerate(diagnostics, start=1))


def _diagnostic(item: object, number: int) -> LinterProblem:
    if not isinstance(item, dict):
        raise InvalidInput(f"diagnostic {number} is not an object; give it at least a message")
    message = item.get("message")
    if isinstance(message, dict):  # LSP 3.18: MarkupContent
        message = message.get("value")
    if not isinstance(message, str) or not one_line(message):
        raise InvalidInput(f"diagnostic {number} has no message; give it one that says what is wrong")
    severity = item.get("severity")
    start = mapping(mapping(item.get("range")).get("start"))
    return LinterProblem(
        message,
        rule=name_of(item.get("code")),
        source=name_of(item.get("source")),
        line=counted(start.get("line"), 1),
        column=counted(start.get("character"), 1),
        severity=Severity(severity) if severity in (1, 2, 3, 4) else None,
    )


def name_of(value: object) -> str | None:
    """A rule's or tool's name from what tools write there: a string, a number, or an object with `value`."""
    if isinstance(value, dict):
        value = value.get("value")
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value) or None


def mapping(value: object) -> dict[str, Any]:
    """`value` if it is a JSON object, else an empty one: other people's JSON may lack any part."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[Any]:
    """`value` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []
