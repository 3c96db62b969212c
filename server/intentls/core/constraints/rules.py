"""Constraints that are checked, not only read: what an intent's rules are, and how each is written."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from intentls.core.patterns.glob import Glob

SUFFIXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bash": (".sh", ".bash"),
        "c": (".c", ".h"),
        "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx", ".h"),
        "csharp": (".cs",),
        "css": (".css",),
        "go": (".go",),
        "html": (".html", ".htm"),
        "java": (".java",),
        "javascript": (".js", ".mjs", ".cjs", ".jsx"),
        "kotlin": (".kt", ".kts"),
        "lua": (".lua",),
        "php": (".php",),
        "python": (".py", ".pyi", ".pyw"),
        "ruby": (".rb",),
        "rust": (".rs",),
        "scala": (".scala",),
        "swift": (".swift",),
        "tsx": (".tsx",),
        "typescript": (".ts", ".mts", ".cts"),
    }
)
"""The languages that a rule can name, and the ends of their files' names."""


class ForbidImport(Struct, frozen=True):
    """No new import of `module`, nor of anything below it (`requests.auth`, `lodash/fp`)."""

    module: str
    key = "forbid_import"

    def __str__(self) -> str:
        return f"{self.key}: {self.module}"


class ForbidPattern(Struct, frozen=True):
    """No new line with `text` in it, literally."""

    text: str
    key = "forbid_pattern"

    def __str__(self) -> str:
        return f"{self.key}: {self.text}"


class MaxChangedLines(Struct, frozen=True):
    """At most `limit` lines added and removed, as `git diff --stat` counts them."""

    limit: int
    key = "max_changed_lines"

    def __str__(self) -> str:
        return f"{self.key}: {self.limit}"


class RequiresChangeIn(Struct, frozen=True):
    """The whole piece of work also changes a file that `glob` matches."""

    glob: Glob
    key = "requires_change_in"

    def __str__(self) -> str:
        return f"{self.key}: {self.glob.pattern}"


class AstGrep(Struct, frozen=True):
    """No new code that the ast-grep `pattern` matches, in files of `language` (a key of `SUFFIXES`)."""

    language: str
    pattern: str
    key = "ast_grep"

    def __str__(self) -> str:
        return f"{self.key}: {self.pattern} ({self.language})"


Rule = ForbidImport | ForbidPattern | MaxChangedLines | RequiresChangeIn | AstGrep


def written(rule: Rule) -> dict[str, Any]:
    """The mapping of one key that states the rule, as `parse_rule` takes it."""
    match rule:
        case ForbidImport():
            return {rule.key: rule.module}
        case ForbidPattern():
            return {rule.key: rule.text}
        case MaxChangedLines():
            return {rule.key: rule.limit}
        case RequiresChangeIn():
            return {rule.key: rule.glob.pattern}
    return {rule.key: {"language": rule.language, "pattern": rule.pattern}}


def parse_rule(written: Mapping[str, Any]) -> Rule:
    """The rule that a mapping of one key, which the schema accepts, states. Raises InvalidGlob."""
    ((key, value),) = written.items()
    match key:
        case ForbidImport.key:
            return ForbidImport(value)
        case ForbidPattern.key:
            return ForbidPattern(value)
        case MaxChangedLines.key:
            return MaxChangedLines(value)
        case RequiresChangeIn.key:
            return RequiresChangeIn(Glob(value))
    return AstGrep(value["language"], value["pattern"])


def is_in(path: str, *languages: str) -> bool:
    """Whether the file's name is that of one of these languages; case does not count."""
    return path.lower().endswith(tuple(suffix for language in languages for suffix in SUFFIXES[language]))
