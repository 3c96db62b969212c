"""What the files of a repository prove about a file of Rust: which crate and module it is, and who sees its names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from posixpath import basename, dirname, splitext

_ROOTS = frozenset({"lib", "main", "mod", "build"})
_ALONE = frozenset({"tests", "benches", "examples", "benchmarks"})
_DECLARED = r"\b(?:fn|struct|enum|trait|type|const|static|mod|union|macro_rules!)\s+(?:mut\s+)?{0}\b"
_ELSEWHERE = re.compile(rb"#\[path|\binclude!")
_PACKAGE = re.compile(r"^\[(workspace\.)?package\][^\n]*((?:\n(?!\[).*)*)", re.MULTILINE)
_EDITION = re.compile(r'^\s*edition\s*=\s*"(\d+)"', re.MULTILINE)
_OF_WORKSPACE = re.compile(r"^\s*edition\s*(?:\.\s*workspace\s*=\s*true|=\s*\{\s*workspace\s*=\s*true)", re.MULTILINE)
_EXPORT = re.compile(r"\bpub(?:\s*\([^)]*\))?\s+use\b([^;]*);")


class RustCrates:
    """`mentioning` is that of the repository's other files; `contents` are those of the change, by path."""

    def __init__(
        self,
        mentioning: Callable[[Sequence[str]], Mapping[str, bytes] | None],
        contents: Mapping[str, bytes],
        old_contents: Iterable[tuple[str, bytes]],
    ) -> None:
        self._mentioning, self._contents, self._old_contents = mentioning, contents, list(old_contents)

    def is_unused_below(self, path: str, name: str) -> bool:
        """Whether no module in that of the file has the word: a private item is seen by these alone."""
        files = self.mentioning(name)
        place = _module_of(path) or dirname(path)
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)".encode())
        if files is None or _ELSEWHERE.search(self._contents.get(path, b"")):
            return False
        below = f"{place}/" if place else ""
        return not any(other != path and other.startswith(below) and word.search(files[other]) for other in files)

    def is_crate_alone(self, path: str) -> bool:
        """Whether it belongs to a crate that is no library: a test, a benchmark, an example, or `main.rs`."""
        return path.endswith("src/main.rs") or (not _ALONE.isdisjoint(dirname(path).split("/")) and "src/" not in path)

    def is_hidden(self, path: str, name: str) -> bool:
        """Whether the module of the file is declared, nowhere as `pub`, and no `pub use` has the name, or all."""
        stem = basename(_module_of(path) or "")
        files = self.mentioning(stem) if stem else None
        named = self.mentioning(name)
        if files is None or named is None:
            return False
        texts = [content.decode("utf-8", "replace") for content in {**files, **named}.values()]
        declared = [found for text in texts for found in re.findall(rf"(\bpub\s+)?\bmod\s+{stem}\s*[;{{]", text)]
        exports = [words for text in texts for words in _EXPORT.findall(text)]
        whole = re.compile(rf"\b{stem}\b(?!\s*::)|\b{stem}\b[^;]*(?:\*|[{{,]\s*self\b)")
        of_name = re.compile(rf"\b{re.escape(name)}\b")
        is_exported = any(of_name.search(words) or whole.search(words) for words in exports)
        return bool(declared) and not any(declared) and not is_exported

    def is_declared_here(self, path: str, name: str) -> bool:
        """Whether no item of another file has the name, before or after the change."""
        files = self.mentioning(name)
        if files is None:
            return False
        pattern = re.compile(_DECLARED.format(re.escape(name)).encode())
        texts = ((place, text) for place, text in (*files.items(), *self._old_contents) if place.endswith(".rs"))
        return not any(place != path and pattern.search(text) for place, text in texts)

    def is_taken_nowhere(self, path: str, module: str, name: str) -> bool:
        """Whether no other file can have the name from a module that is called so, in its own path or another one.

        What gives the module another name, or exports all names of it, may be asked for it by any path.
        """
        files, about = self.mentioning(name), self.mentioning(module)
        if files is None or about is None or b"include!" in self._contents.get(path, b""):
            return False
        texts = [content.decode("utf-8", "replace") for place, content in about.items() if place.endswith(".rs")]
        called_otherwise = re.compile(
            rf"\b{module}\s+(?:self\s+)?as\b|\b{module}\s*::\s*\{{[^;]*\bself\s+as\b|#\[path[^\]]*\b{module}\b"
        )
        all_of_it = re.compile(rf"\b{module}\b[^;]*\*")
        is_led_on = any(all_of_it.search(words) for text in texts for words in _EXPORT.findall(text))
        if is_led_on or any(map(called_otherwise.search, texts)):
            return False
        by_path = re.compile(rf"\b(?:{module}|super|self|crate)\s*::\s*(?:\{{[^;]*?)?\b{re.escape(name)}\b")
        by_star = re.compile(rf"\buse\b[^;]*\b(?:{module}|super|self|crate)\b[^;]*\*")
        own = re.compile(rf"^(?:pub(?:\s*\([^)]*\))?\s+)?{_DECLARED.format(re.escape(name))}", re.MULTILINE)
        word = re.compile(rf"\b{re.escape(name)}\b".encode())
        having = (content for other, content in files.items() if other != path and word.search(content))
        others = (content.decode("utf-8", "replace") for content in having)
        return not any(by_path.search(text) or (by_star.search(text) and not own.search(text)) for text in others)

    def is_private_module(self, name: str) -> bool:
        """Whether modules of the name are declared, none as `pub`, and nothing exports one."""
        files = self.mentioning(name)
        texts = [content.decode("utf-8", "replace") for content in (files or {}).values()]
        declared = [found for text in texts for found in re.findall(rf"(\bpub\s+)?\bmod\s+{name}\s*[;{{]", text)]
        exported = re.compile(rf"\b{name}\b(?!\s*::)|\b{name}\s*::\s*(?:\*|\{{[^;]*(?:\*|\bself\b))")
        exports = (words for text in texts for words in _EXPORT.findall(text))
        return bool(declared) and not any(declared) and not any(map(exported.search, exports))

    def is_of_2021(self, path: str) -> bool:
        """Whether the crate's settings say the edition of 2021 or a later one, before and after the change."""
        found = self._mentioning(("[package]", "[workspace.package]"))
        if found is None:
            return False
        before, after = {**found, **dict(self._old_contents)}, {**found, **self._contents}
        return all(_edition(path, files) >= _EDITION_OF_2021 for files in (before, after))

    def mentioning(self, word: str) -> Mapping[str, bytes] | None:
        """The files that may have the word, as they are after the change; None if that can't be told."""
        mentioning = self._mentioning((word,))
        return None if mentioning is None else {**mentioning, **self._contents}


_FIRST_EDITION, _EDITION_OF_2021 = 2015, 2021


def _edition(path: str, files: Mapping[str, bytes]) -> int:
    """The edition that the nearest settings around a file say, or those of the workspace around them; else 2015."""
    asked = ""
    while path:
        path = dirname(path)
        settings = files.get(f"{path}/Cargo.toml".lstrip("/"), b"").decode("utf-8", "replace")
        sections = dict(_PACKAGE.findall(settings))
        if not asked and _OF_WORKSPACE.search(sections.get(asked, "")):
            asked = "workspace."
        if asked in sections:
            said = _EDITION.search(sections[asked])
            return int(said[1]) if said is not None else _FIRST_EDITION
    return _FIRST_EDITION


def _module_of(path: str) -> str | None:
    """The directory of the modules in that of a file, which has its name; None for the root of a crate."""
    stem = splitext(basename(path))[0]
    if stem == "mod":
        return dirname(path)
    parts = dirname(path).split("/")
    is_root = stem in _ROOTS or "src" not in parts or "bin" in parts
    return None if is_root else f"{dirname(path)}/{stem}"
