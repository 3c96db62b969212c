"""Which modules of Python a file loads anyway: those that the files import which it imports, and so on.

    tests/a.py      from shop.cart import Cart              from shop.cart import Cart
                    from shop.price import Price     and
    shop/cart.py    from shop.price import Price

If `Price` is used nowhere in tests/a.py, the import may go: shop/price.py is loaded either way. That counts only
where none of what is loaded imports the file itself, since then the order would matter.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from posixpath import basename, splitext

from intentls.core.mutation.names.repository_text import RepositoryText

MAX_MODULES = 400
# Where the top of a package may lie.
_ROOTS = ("src/", "lib/", "python/")
_TEXT = re.compile(r'"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'')
_IMPORT = re.compile(
    r"^(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)|import[ \t]+([\w., \t]+))", re.MULTILINE
)
_ANY_IMPORT = re.compile(r"^[ \t]*from[ \t]+([.\w]+)[ \t]+import[ \t]+(\([^)]*\)|[^\n#;]+)", re.MULTILINE)
_TEST = re.compile(r"test_\w+\.py\Z|\w+_test\.py\Z")  # what pytest runs, after the files `conftest` around it
_NAME = re.compile(r"(\w+)(?:[ \t]+as[ \t]+\w+)?")


class LoadedModules:
    """The modules of a repository before and after a change: `before` and `after` are the files that changed."""

    def __init__(self, before: Mapping[str, bytes], after: Mapping[str, bytes], others: RepositoryText) -> None:
        self._changed = {True: before, False: after}
        self._others = others
        self._files = cache(self._read)

    def is_loaded(self, path: str, module: str, name: str, others: Collection[str], *, is_before: bool) -> bool:
        """Whether the file at `path` loads what it takes `name` of `module` from if it imports the `others` alone."""
        files = self._files(is_before)
        own = dotted(path)
        asked = absolute(module, own, path)
        if not files or not asked:
            return False
        started = [absolute(other, own, path) for other in others]
        above = {own[: dot.start()] for dot in re.finditer(r"\.", own)}  # these are loaded before the file is
        if any(other.startswith(".") for other in others):
            started += above
        if _TEST.match(basename(path)):
            started += (f"{folder}.conftest".removeprefix(".") for folder in {"", *above})
        wanted = f"{asked}.{name}" if f"{asked}.{name}" in files else asked
        return wanted in _closure(started, files, ()) and own not in _closure([wanted], files, above)

    def is_taken(self, path: str, name: str) -> bool:
        """Whether another file, after the change, takes `name` from the one at `path`, or may do so."""
        own = dotted(path)
        last = own.rpartition(".")[2]
        mentioning = self._others.mentioning((name, last))
        if mentioning is None:
            return True
        member = re.compile(rf"\b{re.escape(last)}\.{re.escape(name)}\b")
        files = {**mentioning, **self._changed[False]}
        is_listed = re.search(rb"^__all__\s*[:=]", files.get(path, b""), re.MULTILINE) is not None
        return any(
            _takes(other, content.decode("utf-8", "replace"), name, own, member, is_listed=is_listed)
            for other, content in files.items()
            if other.endswith(".py") and other != path
        )

    def is_named(self, path: str, names: Collection[str]) -> bool:
        """Whether another file, after the change, names one of these as a part of the module at `path`, to set it."""
        last = dotted(path).rpartition(".")[2]
        mentioning = self._others.mentioning((last,)) if names else {}
        if mentioning is None:
            return True
        members = re.compile(rf"\b{re.escape(last)}\.({'|'.join(map(re.escape, names))})\b".encode())
        files = {**mentioning, **self._changed[False]} if names else {}
        return any(members.search(content) for other, content in files.items() if other != path)

    def reaches(self, path: str, other: str, *, is_before: bool) -> bool:
        """Whether the module at `path` loads the one at `other`, beside what both lie in; so, too, if none can tell."""
        files, own = self._files(is_before), dotted(path)
        above = {name[: dot.start()] for name in (own, dotted(other)) for dot in re.finditer(r"\.", name)}
        return not files or dotted(other) in _closure([own], files, above)

    def _read(self, is_before: bool) -> Mapping[str, Callable[[], frozenset[str]]]:
        """By name, how to learn what a module imports."""
        mentioning = self._others.mentioning(("import",))
        if mentioning is None:
            return {}
        contents = {**mentioning, **self._changed[is_before]}
        files: dict[str, Callable[[], frozenset[str]]] = {}
        for path, content in contents.items():
            name = dotted(path) if path.endswith(".py") else ""
            if name:
                files[name] = _reader(path, content, files)
        return files


def _takes(path: str, text: str, name: str, own: str, member: re.Pattern[str], *, is_listed: bool) -> bool:
    """Whether a text takes the name from the module `own`, which lists what `*` is, or does not."""
    if member.search(text):
        return True
    for statement in _ANY_IMPORT.finditer(text):
        is_own = absolute(statement[1], dotted(path), path) == own
        if is_own and (("*" in statement[2] and not is_listed) or name in re.findall(r"\w+", statement[2])):
            return True
    return False


def dotted(path: str) -> str:
    """The name of the module at a path, as an import has it: `a.b` for src/a/b.py and for a/b/__init__.py."""
    root = next((root for root in _ROOTS if path.startswith(root)), "")
    parts = splitext(path.removeprefix(root))[0].split("/")
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _reader(path: str, content: bytes, files: Collection[str]) -> Callable[[], frozenset[str]]:
    return cache(lambda: frozenset(_imported(path, content.decode("utf-8", "replace"), files)))


def _imported(path: str, text: str, files: Collection[str]) -> Iterator[str]:
    """What a module imports whenever it is loaded: what stands at the beginning of a line."""
    own = dotted(path)
    for statement in _IMPORT.finditer(_TEXT.sub("", text)):
        if statement[3] is not None:
            yield from (part.split()[0] for part in statement[3].split(",") if part.strip())
            continue
        module = absolute(statement[1], own, path)
        yield module
        names = (f"{module}.{name[1]}" for name in _NAME.finditer(statement[2]))
        yield from (name for name in names if name in files)


def absolute(module: str, own: str, path: str) -> str:
    """The name of a module that is imported from the module `own`; empty for one of the standard library."""
    dots = len(module) - len(module.lstrip("."))
    if not dots:
        return "" if module.partition(".")[0] in sys.stdlib_module_names else module
    parts = own.split(".")
    above = dots - 1 if path.endswith("/__init__.py") else dots
    if above >= len(parts) + (not module.strip(".")):
        return ""
    return ".".join((*parts[: len(parts) - above], *filter(None, module[dots:].split("."))))


def _closure(
    started: Collection[str], files: Mapping[str, Callable[[], frozenset[str]]], settled: Collection[str]
) -> set[str]:
    """The modules, those that they lie in, and all that these load but for what the `settled` ones do."""
    loaded: set[str] = set()
    stack = [module for module in started if module]
    while stack and len(loaded) < MAX_MODULES:
        module = stack.pop()
        if module in loaded:
            continue
        loaded.add(module)
        if module not in settled:
            stack.append(module.rpartition(".")[0])
            stack.extend(files[module]() if module in files else ())
    return loaded - {""}
