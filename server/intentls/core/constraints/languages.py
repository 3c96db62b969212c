"""Which language a file is in, by its name alone: what rules about code go by."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

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


def is_in(path: str, *languages: str) -> bool:
    """Whether the file's name is that of one of these languages; case does not count."""
    return path.lower().endswith(tuple(suffix for language in languages for suffix in SUFFIXES[language]))
