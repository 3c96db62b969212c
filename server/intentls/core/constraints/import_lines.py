"""Which lines of a source import a module. Exact for Python that parses; by spelling for JavaScript and TypeScript."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence

from intentls.core.constraints.rules import is_in

MAX_PARSED = 1 << 18  # characters: parsing more takes over a second
_DYNAMIC = frozenset({"__import__", "import_module"})
_SCRIPTS = ("javascript", "typescript", "tsx")


def importing_lines(path: str, lines: Sequence[str], module: str) -> frozenset[int]:
    r"""The lines (from 1; each ends with `\n`) that import `module` or something below it.

    None in other languages than Python, JavaScript and TypeScript.
    Of a statement over several lines each counts: whichever is new, it is a new import. Where Python does not parse
    (or has over 262,144 characters) every line that names the module counts: it may import it, and that is not allowed.
    """
    if is_in(path, "python"):
        return _in_python("".join(lines), lines, module)
    if is_in(path, *_SCRIPTS) or path.lower().endswith((".vue", ".svelte")):
        return _in_script("".join(lines), module)
    return frozenset()


def _in_python(source: str, lines: Sequence[str], module: str) -> frozenset[int]:
    if source.isascii() and module.partition(".")[0] not in source:
        return frozenset()  # spares the parsing; beyond ASCII a name can be written in other characters
    tree = _parsed(source) if len(source) <= MAX_PARSED else None
    if tree is None:
        named = re.compile(rf"(?<![\w.]){re.escape(module)}(?!\w)")
        return frozenset(number for number, line in enumerate(lines, start=1) if named.search(line))
    return frozenset(line for node in ast.walk(tree) for line in _lines_of(node, module))


def _parsed(source: str) -> ast.Module | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what the compiler thinks of the code is no business of a gate
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _lines_of(node: ast.AST, module: str) -> Iterator[int]:
    if isinstance(node, ast.Import):
        yield from _all_lines(alias for alias in node.names if _is_below(alias.name, module))
    elif isinstance(node, ast.ImportFrom) and not node.level:
        if _is_below(node.module or "", module):
            yield from _all_lines([node])
        else:  # `from a import b` imports `a.b`
            yield from _all_lines(alias for alias in node.names if _is_below(f"{node.module}.{alias.name}", module))
    elif isinstance(node, ast.Call) and _name(node.func) in _DYNAMIC and node.args:
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str) and _is_below(first.value, module):
            yield from range(node.lineno, (first.end_lineno or first.lineno) + 1)


def _all_lines(nodes: Iterable[ast.stmt | ast.alias]) -> Iterator[int]:
    for node in nodes:
        yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _is_below(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def _name(function: ast.expr) -> str:
    return getattr(function, "id", "") or getattr(function, "attr", "")


def _in_script(source: str, module: str) -> frozenset[int]:
    # Possessive, so that no run of white space is tried twice.
    written = rf"""\b(?:from|import|require)\s*+\(?+\s*+(["'`]){re.escape(module)}(?:/[^"'`\n]*+)?\1"""
    lines: set[int] = set()
    line, counted = 1, 0
    for match in re.finditer(written, source):
        line += source.count("\n", counted, match.start(1))
        counted = match.start(1)
        lines.add(line)
    return frozenset(lines)
