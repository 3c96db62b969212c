"""Brace expansion as minimatch does it: `a{b,c}` and `a{1..3}` become a list of patterns.

The rules are those of npm's `brace-expansion`, corner cases included, and not Bash's: once a pattern holds
braces, one layer of backslashes before `\\ { } , .` is taken off; `${` opens no group; a `{a}` without a comma
stays as it is, and so does everything behind it unless a comma set follows; alternatives that come out
empty are dropped.

    a{b,c{1..3}}d   ->  abd, ac1d, ac2d, ac3d
    {{a,b}}         ->  {a}, {b}
    {a},b}          ->  a}, b
    a/{,b}          ->  a/, a/b

Nothing here grows beyond its bounds: more than `MAX_ALTERNATIVES` alternatives, or more work than any sensible
pattern needs, raises `InvalidGlob`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from intentls.core.errors import InvalidGlob
from intentls.late_pattern import late_pattern

MAX_ALTERNATIVES: Final = 1_000
_MAX_DEPTH: Final = 50
_MAX_STEPS: Final = 100_000  # characters read and (four for one) written; a sensible pattern needs a few hundred
_MAX_NUMBER: Final = 2**53 - 1  # beyond it JavaScript can't count

_LINE_ENDS = "\n\r\u2028\u2029"
_WORTH_EXPANDING = late_pattern(rf"\{{[^{{{_LINE_ENDS}]*\}}")
_COMMA_SET = late_pattern(rf",(?!,)[^}}{_LINE_ENDS}]*\}}")
_BRACE = late_pattern(r"[{}]")
_MARK = late_pattern(r"[{},]")
_ESCAPED = late_pattern(r"\\([\\{},.])")
_HIDDEN = late_pattern(r"\0(.)")
# An escaped character means nothing here: it travels as a NUL, which no pattern holds, and a letter.
_HIDE = {"\\": "\0b", "{": "\0o", "}": "\0c", ",": "\0m", ".": "\0d"}
_REVEAL = {hidden[1]: shown for shown, hidden in _HIDE.items()}
_NUMBERS = late_pattern(r"(-?[0-9]+)\.\.(-?[0-9]+)(?:\.\.(-?[0-9]+))?")
_LETTERS = late_pattern(r"([a-zA-Z])\.\.([a-zA-Z])(?:\.\.(-?[0-9]+))?")
_PADDED = late_pattern(r"-?0[0-9]")


def expand(pattern: str) -> tuple[str, ...]:
    """The distinct alternatives of `pattern`, in order; `pattern` itself when there is nothing to expand.

    `pattern` holds no NUL. Raises `InvalidGlob` when it stands for too many alternatives.
    """
    if not _WORTH_EXPANDING.search(pattern):
        return (pattern,)
    text = "\\{\\}" + pattern[2:] if pattern.startswith("{}") else pattern
    hidden = _ESCAPED.sub(lambda escaped: _HIDE[escaped[1]], text)
    alternatives = _Expansion(pattern).expand(hidden, 0, is_top=True)
    return tuple(dict.fromkeys(_HIDDEN.sub(lambda escape: _REVEAL[escape[1]], text) for text in alternatives))


class _Expansion:
    """One expansion and what is left of its budget."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._steps = _MAX_STEPS

    def expand(self, text: str, depth: int, *, is_top: bool) -> list[str]:
        """The alternatives of `text`, which stands `depth` groups deep; `is_top` if outside every group."""
        if depth > _MAX_DEPTH:
            raise self._refused("its braces are nested too deeply; write several globs")
        results = [""]
        drop_empty = False
        is_first = True
        while (group := self._first_group(text)) is not None:
            before, body, after = group
            sequence = _sequence_in(body)
            if before.endswith("$"):
                values = ["{" + body + "}"]
            elif sequence:
                values = self._sequence(sequence)
            elif "," in body:
                drop_empty = drop_empty or (is_first and is_top)
                values = self._set(body, depth)
            elif _COMMA_SET.search(after):
                # `{a},b}` is the set of `a}` and `b`
                text, is_top = before + "{" + body + _HIDE["}"] + after, True
                continue
            else:
                break
            results, text, is_first = self._combine(results, before, values), after, False
        results = self._combine(results, text, [""])
        return [result for result in results if result] if drop_empty else results

    def _first_group(self, text: str) -> tuple[str, str, str] | None:
        """What stands before, in and behind the leftmost `{` that has a partner."""
        self._spend(len(text))
        opened: list[int] = []
        best: tuple[int, int] | None = None
        for brace in _BRACE.finditer(text):
            if brace[0] == "{":
                opened.append(brace.start())
            elif opened:
                start = opened.pop()
                if best is None or start < best[0]:
                    best = start, brace.start()
                if not opened:
                    break
        return best and (text[: best[0]], text[best[0] + 1 : best[1]], text[best[1] + 1 :])

    def _set(self, body: str, depth: int) -> list[str]:
        self._spend(len(body))
        members = _split_at_commas(body)
        if len(members) == 1:
            # `{{a,b}}` is `{a}` and `{b}`
            members = ["{" + member + "}" for member in self.expand(members[0], depth + 1, is_top=False)]
            if len(members) == 1:
                return members
        values: list[str] = []
        for member in members:
            values += self.expand(member, depth + 1, is_top=False)
            self._limit(len(values))
        return values

    def _sequence(self, match: re.Match[str]) -> list[str]:
        ends = match[1], match[2]
        is_letters = match[1].isalpha()
        first, last = (ord(end) if is_letters else self._number(end) for end in ends)
        step = max(abs(self._number(match[3] or "1")), 1)
        numbers = range(first, last + 1, step) if first <= last else range(first, last - 1, -step)
        self._limit(len(numbers))
        if is_letters:
            return ["" if number == ord("\\") else chr(number) for number in numbers]
        width = max(map(len, ends)) if any(map(_PADDED.match, filter(None, match.groups()))) else 0
        self._spend(width * len(numbers))
        return [f"{number:0{width}d}" if width else str(number) for number in numbers]

    def _number(self, digits: str) -> int:
        if len(digits.lstrip("-0")) > len(str(_MAX_NUMBER)) or abs(int(digits)) > _MAX_NUMBER:
            raise self._refused("a number in its braces is too large; write `*`")
        return int(digits)

    def _combine(self, results: Sequence[str], text: str, values: Sequence[str]) -> list[str]:
        self._limit(len(results) * len(values))
        combined = [result + text + value for result in results for value in values]
        self._spend(len(combined) + sum(map(len, combined)) // 4)
        return combined

    def _limit(self, count: int) -> None:
        if count > MAX_ALTERNATIVES:
            raise self._refused(
                f"its braces stand for more than {MAX_ALTERNATIVES:,} alternatives; write `*`, or several globs"
            )

    def _spend(self, steps: int) -> None:
        self._steps -= steps
        if self._steps < 0:
            raise self._refused("its braces take too much work to expand; write `*`, or several globs")

    def _refused(self, reason: str) -> InvalidGlob:
        return InvalidGlob(self._pattern, reason)


def _split_at_commas(body: str) -> list[str]:
    """`body` cut at the commas outside its own groups."""
    members, depth, start = [], 0, 0
    for mark in _MARK.finditer(body):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth -= 1
        elif not depth:
            members.append(body[start : mark.start()])
            start = mark.end()
    return [*members, body[start:]]


def _sequence_in(body: str) -> re.Match[str] | None:
    """`body` as `first..last` or `first..last..step`, if it is that."""
    return _NUMBERS.fullmatch(body) or _LETTERS.fullmatch(body)
