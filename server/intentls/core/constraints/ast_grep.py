"""Where an ast-grep pattern matches in a source. The library is an extra: without it a pattern can't be judged."""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.constraints.rules import AstGrep
from intentls.core.errors import IntentlsError

_MOST = 1 << 20  # characters: parsing more takes over a second
INSTALL = "pip install 'intentls[ast]'"


class CannotSearch(IntentlsError):
    """The pattern can't be looked for; the message says why and what to do."""


def matching_lines(rule: AstGrep, source: str) -> Iterator[tuple[int, int]]:
    """First and last line (from 1) of each piece of code that the pattern matches. Raises CannotSearch."""
    if len(source) > _MOST:
        raise CannotSearch(f"the file has more than {_MOST:,} characters; split it, or take the rule out")
    try:
        from ast_grep_py import SgRoot
    except ImportError as error:
        raise CannotSearch(f"ast-grep is not installed; run {INSTALL}") from error
    try:
        found = SgRoot(source, rule.language).root().find_all(pattern=rule.pattern)
    except RuntimeError as error:
        raise CannotSearch(f"the pattern is no single piece of {rule.language} code; correct it") from error
    for node in found:
        where = node.range()
        yield where.start.line + 1, where.end.line + 1
