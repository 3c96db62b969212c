"""The languages whose trees are compared: one small adapter each, found by a file's name."""

from __future__ import annotations

from collections.abc import Mapping
from posixpath import basename, splitext
from types import MappingProxyType

from intentls.core.syntax.languages import other_languages
from intentls.core.syntax.languages.adapter import Adapter
from intentls.core.syntax.languages.c.adapter import CPP, C
from intentls.core.syntax.languages.go.adapter import GO
from intentls.core.syntax.languages.java.adapter import JAVA
from intentls.core.syntax.languages.javascript.adapter import JAVASCRIPT
from intentls.core.syntax.languages.javascript.typescript_adapter import TSX, TYPESCRIPT
from intentls.core.syntax.languages.other_languages import CSS
from intentls.core.syntax.languages.python.adapter import PYTHON
from intentls.core.syntax.languages.rust.adapter import RUST

_SUFFIXES: Mapping[str, Adapter] = MappingProxyType(
    {
        **dict.fromkeys((".py", ".pyi", ".pyw"), PYTHON),
        **dict.fromkeys((".js", ".mjs", ".cjs", ".jsx"), JAVASCRIPT),
        **dict.fromkeys((".ts", ".mts", ".cts"), TYPESCRIPT),
        ".tsx": TSX,
        ".go": GO,
        ".rs": RUST,
        ".java": JAVA,
        **dict.fromkeys((".c", ".h"), C),
        **dict.fromkeys((".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), CPP),
        ".cs": other_languages.CSHARP,
        **dict.fromkeys((".rb", ".rake", ".gemspec"), other_languages.RUBY),
        ".php": other_languages.PHP,
        **dict.fromkeys((".kt", ".kts"), other_languages.KOTLIN),
        ".swift": other_languages.SWIFT,
        **dict.fromkeys((".sh", ".bash"), other_languages.BASH),
        ".json": other_languages.JSON,
        **dict.fromkeys((".yaml", ".yml"), other_languages.YAML),
        ".toml": other_languages.TOML,
        **dict.fromkeys((".html", ".htm"), other_languages.HTML),
        ".css": CSS,
    }
)


def adapter_of(path: str) -> Adapter | None:
    """The adapter of the language that the file's name tells; case does not count."""
    return _SUFFIXES.get(splitext(basename(path))[1].lower())
