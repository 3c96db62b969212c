"""Whether a change keeps an intent's rules. Only what it adds counts: what stood there before breaks nothing."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from intentls.core.constraints.import_lines import importing_lines
from intentls.core.constraints.rules import (
    AstGrep,
    ForbidImport,
    ForbidPattern,
    MaxChangedLines,
    RequiresChangeIn,
    Rule,
    is_in,
)
from intentls.core.errors import IntentlsError, shorten
from intentls.core.syntax.optional_libraries import INSTALL
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import Hunk, diff, split_lines

MAX_SEARCHED = 1 << 20  # characters: parsing more takes over a second


class FileEdit(Struct, frozen=True, dict=True):
    """What becomes of one file. `path` is root-relative POSIX; `before`/`after` None: there is no file then.

    A renamed file is one of these, with what it held under its old name as `before`.
    """

    path: str
    before: bytes | None
    after: bytes | None

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """The pieces that differ."""
        return diff(self.before, self.after)

    @cached_property
    def added(self) -> frozenset[int]:
        """The lines of `after` that are new, from 1."""
        return frozenset(line for hunk in self.hunks for line in range(hunk.new_start, hunk.new_start + hunk.new_lines))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        r"""`after`, line by line, each with `\n` for its end and without a byte order mark."""
        content = self.after or b""
        form = TextFormat.of(content)
        return tuple(f"{_decoded(form, line)}\n" for line in split_lines(content))


class ChangeSet(Struct, frozen=True):
    """The files of one change. `whole`: it is all of a piece of work (a branch), not one step of it."""

    files: tuple[FileEdit, ...]
    whole: bool = False

    @property
    def changed_lines(self) -> int:
        """Lines added and removed, as `git diff --stat` counts them."""
        return sum(hunk.old_lines + hunk.new_lines for file in self.files for hunk in file.hunks)


class Breach(Struct, frozen=True):
    """A rule that a change breaks, or (`checked` False) one that could not be checked: treat that as broken, too.

    `line` is the first offending one of `path` as it is after the change; both None where no single place is to
    blame. `message` is one clause without a full stop.
    """

    rule: Rule
    message: str
    path: str | None = None
    line: int | None = None
    checked: bool = True


def find_breaches(rules: Sequence[Rule], change: ChangeSet) -> tuple[Breach, ...]:
    """Every rule that `change` breaks, one for each file that does, in the order of the rules.

    `requires_change_in` is only judged of a whole change: one step can't be asked to be everything.
    """
    return tuple(breach for rule in rules for breach in _check(rule, change))


def _check(rule: Rule, change: ChangeSet) -> Iterator[Breach]:
    if isinstance(rule, MaxChangedLines):
        if change.changed_lines > rule.limit:
            yield Breach(rule, f"it changes {change.changed_lines:,} lines, and {rule.limit:,} are allowed")
    elif isinstance(rule, RequiresChangeIn):
        if change.whole and not any(rule.glob.matches(file.path) for file in change.files):
            yield Breach(rule, f"nothing in {rule.glob.pattern} changes")
    else:
        for file in change.files:
            yield from _check_file(rule, file)


def _check_file(rule: ForbidImport | ForbidPattern | AstGrep, file: FileEdit) -> Iterator[Breach]:
    if not file.added:
        return
    try:
        line = min(_offending(rule, file), default=None)
    except _CannotSearch as error:
        yield Breach(rule, f"it can't be checked in {file.path}: {error}", file.path, checked=False)
        return
    if line is not None:
        yield Breach(rule, f"{file.path}:{line} {_offence(rule)}", file.path, line)


def _offending(rule: ForbidImport | ForbidPattern | AstGrep, file: FileEdit) -> Iterator[int]:
    """The added lines that break the rule."""
    if isinstance(rule, ForbidImport):
        yield from importing_lines(file.path, file.lines, rule.module) & file.added
    elif isinstance(rule, ForbidPattern):
        yield from (line for line in file.added if rule.text in file.lines[line - 1])
    elif is_in(file.path, rule.language):
        added = sorted(file.added)
        for start, end in _matching_lines(rule, "".join(file.lines)):
            first = bisect_left(added, start)
            if first < len(added) and added[first] <= end:
                yield added[first]


def _offence(rule: ForbidImport | ForbidPattern | AstGrep) -> str:
    if isinstance(rule, ForbidImport):
        return f"imports {rule.module}"
    return f"has `{shorten(rule.text if isinstance(rule, ForbidPattern) else rule.pattern, 60)}`"


def _decoded(form: TextFormat, line: bytes) -> str:
    return line.removeprefix(form.bom).decode(form.encoding, "replace").rstrip("\r\n")


class _CannotSearch(IntentlsError):
    """The pattern can't be looked for; the message says why and what to do."""


def _matching_lines(rule: AstGrep, source: str) -> Iterator[tuple[int, int]]:
    """First and last line (from 1) of each piece of code that the pattern matches. Raises _CannotSearch."""
    if len(source) > MAX_SEARCHED:
        raise _CannotSearch(f"the file has more than {MAX_SEARCHED:,} characters; split it, or take the rule out")
    try:
        # An optional library (the extra `ast`): without it such a rule counts as broken.
        from ast_grep_py import SgRoot
    except ImportError as error:
        raise _CannotSearch(f"ast-grep is not installed; run {INSTALL}") from error
    try:
        nodes = SgRoot(source, rule.language).root().find_all(pattern=rule.pattern)
    except RuntimeError as error:
        raise _CannotSearch(f"the pattern is no single piece of {rule.language} code; correct it") from error
    for node in nodes:
        span = node.range()
        yield span.start.line + 1, span.end.line + 1
