"""The languages whose trees are compared: one small adapter each, found by a file's name."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import basename, splitext
from types import MappingProxyType

from intentls.core.mutation.adapters import plain
from intentls.core.mutation.adapters.base import Adapter
from intentls.core.mutation.adapters.css import CSS
from intentls.core.mutation.adapters.go import GO
from intentls.core.mutation.adapters.java import JAVA
from intentls.core.mutation.adapters.javascript import JAVASCRIPT, TSX, TYPESCRIPT
from intentls.core.mutation.adapters.python import PYTHON
from intentls.core.mutation.adapters.rust import RUST

_SUFFIXES: Mapping[str, Adapter] = MappingProxyType(
    {
        **dict.fromkeys((".py", ".pyi", ".pyw"), PYTHON),
        **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), JAVASCRIPT),
        **dict.fromkeys((".ts", ".mts", ".cts"), TYPESCRIPT),
        ".tsx": TSX,
        ".go": GO,
        ".rs": RUST,
        ".java": JAVA,
        **dict.fromkeys((".c", ".h"), plain.C),
        **dict.fromkeys((".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), plain.CPP),
        ".cs": plain.CSHARP,
        **dict.fromkeys((".rb", ".rake", ".gemspec"), plain.RUBY),
        ".php": plain.PHP,
        **dict.fromkeys((".kt", ".kts"), plain.KOTLIN),
        ".swift": plain.SWIFT,
        **dict.fromkeys((".sh", ".bash"), plain.BASH),
        ".json": plain.JSON,
        **dict.fromkeys((".yaml", ".yml"), plain.YAML),
        ".toml": plain.TOML,
        **dict.fromkeys((".html", ".htm"), plain.HTML),
        ".css": CSS,
    }
)


def adapter_of(path: str) -> Adapter | None:
    """The adapter of the language that the file's name tells; case does not count."""
    return _SUFFIXES.get(splitext(basename(path))[1].lower())
