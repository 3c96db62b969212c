"""What the files of a repository prove about one of them, as `Surroundings`. Each question is asked when it matters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from posixpath import basename, dirname

from intentls.core.mutation.change_set.rust_crates import RustCrates
from intentls.core.mutation.change_set.rust_functions import RustFunctions
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.class_bases import ClassBases
from intentls.core.mutation.names.homes import target_of
from intentls.core.mutation.names.import_homes import ImportHomes
from intentls.core.mutation.names.loaded_modules import LoadedModules
from intentls.core.mutation.names.pasted_names import KnownMacros, PastedNames, PastingMacros
from intentls.core.mutation.names.prose import is_for_people, may_use
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import parts_of, places_of
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.facts import Surroundings
from intentls.core.syntax.languages.java.lambdas import methods_of
from intentls.core.syntax.tree import Node

_READERS = (
    *("__annotations__", "get_type_hints", "get_annotations", "return_annotation", "annotation", "singledispatch"),
    *("typer", "fastapi", "pydantic", "msgspec", "beartype", "typeguard", "strawberry", "injector", "cattrs", "svcs"),
    *("punq", "lagom", "dishka", "prefect", "dagster", "langchain", "mashumaro", "dacite", "hypothesis", "cyclopts"),
)
_READS = re.compile(
    r"__annotations__|get_type_hints|get_annotations|return_annotation|\.annotation\b(?!\s*=[^=])|\bsingledispatch"
    rf"|^\s*(?:from|import)\s+(?:{'|'.join(_READERS[6:])})\b",
    re.MULTILINE,
)
_HOLDERS = re.compile(r"(function|class|method)_(definition|declaration|expression)|arrow_function")
# With comments of several lines, but not with those that only look so in a text or in another comment.
_DEFINE = re.compile(
    rb"^[ \t]*#[ \t]*define\b"
    rb"(?:\"(?:\\[^\n]|[^\"\\\n])*\"|//(?:[^\n\\]|\\\r?\n|\\)*|/\*[\s\S]*?\*/|[^\n\\]|\\\r?\n|\\)*",
    re.MULTILINE,
)
_WORD = re.compile(rb"\w+")
# Where Go may declare a name, in a list of declarations too.
_DECLARED = (
    r"^[ \t]*(?:type|func|var|const)[ \t(]+{0}\b|^[ \t]*{0}[ \t,=\w]|\b{0}[ \t]*(?:,[ \t\w,]*)?:="
    r"|[\[(,][ \t]*{0}[ \t]+\w|^[ \t]*(?:import[ \t]+)?\.[ \t]+\""
)
_STRING = re.compile(rb"\"(?:\\[^\n]|[^\"\\\n])*\"")
_PACKAGE = re.compile(rb"^package[ \t]+(\w+)[ \t]*(?:;|//[^\n]*|/\*[^\n]*)?\r?$", re.MULTILINE)
_TEST = re.compile(r"test_\w+\.py\Z|\w+_test\.py\Z|conftest\.py\Z")
_METADATA = ("setup.py", "setup.cfg", "pyproject.toml")
_OLDEST = re.compile(r"(?:python_requires|requires-python)\s*=\s*['\"]?\s*(?:>=|~=)\s*(\d+)(?:\.(\d+))?")


class RepositoryFacts:
    """The facts of a change set. `parse` gives the tree of a file, None where there is none."""

    def __init__(
        self,
        edits: Sequence[FileVersions],
        others: RepositoryText,
        parse: Callable[[str, bytes], Node | None],
    ) -> None:
        self._contents = {edit.path: edit.after for edit in edits if edit.after is not None}
        self._old_contents = [(edit.old_path or edit.path, edit.before) for edit in edits if edit.before is not None]
        self._others, self._parse = others, cache(parse)
        self._ignores_annotations = cache(self._ignore_annotations)
        self._oldest_python = cache(self._find_oldest_python)
        self._defining = cache(lambda: others.mentioning(("define",)))  # both who ask need all of it
        self._macros = cache(self._find_macros)
        self._in_no_macro = cache(self._is_in_no_macro)
        self._no_macro = cache(self._is_no_macro)
        self._called = cache(self._macros_called)
        shows = Macros(self._in_no_macro, self._no_macro, self._called).shows
        self.macros = KnownMacros(shows, cache(self._find_pasted), self._called)
        self._one_method = cache(self._has_one_method)
        self._predeclared = cache(self._is_predeclared)
        self._only_in = cache(self._is_only_in)
        self._in_c_alone = cache(self._is_in_c_alone)
        self._modules = LoadedModules(dict(self._old_contents), self._contents, others)
        self._homes = ImportHomes(dict(self._old_contents), self._contents, others, self._parse, self._modules)
        self._bases: ClassBases | None = None
        self._crates = RustCrates(others.mentioning, self._contents, self._old_contents)
        self._functions = RustFunctions(self._crates, self._contents, dict(self._old_contents), self._parse)

    def of(self, path: str) -> Surroundings:
        """Those of the file at `path`."""
        return Surroundings(
            ignores_annotations=self._ignores_annotations,
            oldest_python=self._oldest_python,
            is_plain_class=cache(self._is_plain_class),
            has=lambda module, name: self._has(path, module, name),
            is_unknown=cache(self._is_unknown),
            is_unknown_beside=cache(lambda name: self._is_unknown_beside(path, name)),
            is_in_no_macro=self._in_no_macro,
            is_no_macro=self._no_macro,
            is_predeclared=self._predeclared,
            is_only_in=self._only_in,
            is_no_class=cache(self._is_no_class),
            is_only_here=cache(lambda name: self._is_only_at(path, name, {name, *parts_of(name)})),
            is_named_only_here=cache(lambda name: self._is_only_at(path, name, {name})),
            is_unused_below=cache(lambda name: self._crates.is_unused_below(path, name)),
            is_crate_alone=lambda: self._crates.is_crate_alone(path),
            is_hidden=cache(lambda name: self._crates.is_hidden(path, name)),
            is_declared_here=cache(lambda name: self._crates.is_declared_here(path, name)),
            is_taken_nowhere=cache(lambda module, name: self._crates.is_taken_nowhere(path, module, name)),
            is_private_module=cache(self._crates.is_private_module),
            is_same_import=partial(self._homes.is_same, path),
            is_same_module=partial(self._homes.is_same_module, path),
            lends=cache(partial(self._functions.lends, path)),
            is_of_2021=cache(lambda: self._crates.is_of_2021(path)),
            macros_called=self._called,
            is_nowhere_else=cache(lambda name: self._is_nowhere_but(path, name)),
            is_included_nowhere=cache(lambda: self._is_included_nowhere(path)),
            is_in_c_alone=self._in_c_alone,
            has_one_method=self._one_method,
            is_loaded=partial(self._modules.is_loaded, path),
            is_taken=cache(partial(self._modules.is_taken, path)),
            is_replaced_nowhere=cache(lambda name: self._is_replaced_nowhere(path, name)),
            is_test=_TEST.match(basename(path)) is not None,
        )

    def _ignore_annotations(self) -> bool:
        mentioning = self._others.mentioning(_READERS)
        if mentioning is None:
            return False
        files = {**mentioning, **self._contents}
        return not any(
            path.endswith(".py") and _READS.search(content.decode("utf-8", "replace"))
            for path, content in files.items()
        )

    def _find_oldest_python(self) -> tuple[int, ...]:
        files = {**(self._others.mentioning(("python_requires", "requires-python")) or {}), **self._contents}
        bounds = [
            (int(bound[1]), int(bound[2] or 0))
            for path, content in files.items()
            if path in _METADATA
            for bound in _OLDEST.finditer(content.decode("utf-8", "replace"))
        ]
        return min(bounds, default=())

    def _is_plain_class(self, name: str) -> bool:
        if self._bases is None:
            roots = [self._parse(path, content) for path, content in self._contents.items()]
            self._bases = ClassBases([root for root in roots if root is not None], self._others, self._parse)
        return self._bases.is_own(name)

    def _has(self, importer: str, module: str, name: str) -> bool:
        target = target_of(module, importer)
        if target is None:
            return False
        files = {**(self._others.mentioning((name,)) or {}), **self._contents}
        roots = [self._parse(path, content) for path, content in files.items() if target.is_at(path)]
        return len(roots) == 1 and roots[0] is not None and name in _at_the_top(roots[0], name)

    def _is_unknown(self, name: str) -> bool:
        words = {name, *parts_of(name)}
        mentioning = self._others.mentioning(sorted(words))
        files = {**(mentioning or {}), **self._contents}
        return mentioning is not None and not any(
            self._knows(path, content, name, words) for path, content in files.items()
        )

    def _is_unknown_beside(self, path: str, name: str) -> bool:
        mentioning = self._others.mentioning((name,))
        files = {**(mentioning or {}), **self._contents}
        own = {*_PACKAGE.findall(files.pop(path, b""))}
        word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")

        def may_see(other: str, content: bytes) -> bool:
            packages = {*_PACKAGE.findall(content)}
            is_other = bool(own and packages) and own.isdisjoint(packages)  # tests may be a package of their own
            return (dirname(other) == dirname(path) and not is_other) or b"go:linkname" in content

        return mentioning is not None and not any(
            may_see(other, content) and word.search(content) and not is_for_people(other, content)
            for other, content in files.items()
        )

    def _has_one_method(self, class_: str, name: str, count: int) -> bool:
        mentioning = self._others.mentioning((name,))
        files = {**(mentioning or {}), **self._contents}
        found = [path for path in files if f"/{path}".endswith(f"/{class_}.java")]
        if mentioning is None or len(found) != 1 or found[0] in self._contents:  # it may have had another one
            return False
        root = self._parse(found[0], files[found[0]])
        counts = [] if root is None else methods_of(root, basename(class_), name)
        return counts.count(count) == 1 and None not in counts

    def _is_only_at(self, path: str, name: str, words: set[str]) -> bool:
        mentioning = self._others.mentioning(sorted(words))
        if mentioning is None:
            return False
        files = {**mentioning, **self._contents}
        own = files.pop(path, None)
        root = self._parse(path, own) if own is not None else None
        is_said = root is None or bool(places_of(root, words, path)[1])
        return not is_said and not any(self._knows(other, content, name, words) for other, content in files.items())

    def _is_replaced_nowhere(self, path: str, name: str) -> bool:
        mentioning = self._others.mentioning((name,))
        if mentioning is None:
            return False
        word = re.escape(name)
        replaces = re.compile(rf"\.{word}\s*(?::[^=\n]*)?=(?!=)|(?<!\w){word}[\"']".encode())
        files = {**mentioning, **self._contents}
        files.pop(path, None)
        return not any(other.endswith(".py") and replaces.search(content) for other, content in files.items())

    def _is_in_no_macro(self, name: str) -> bool:
        return self._has_no_macro(rb"(?<!\w)" + name.encode() + rb"(?!\w)", name)

    def _is_no_macro(self, name: str) -> bool:
        return self._has_no_macro(rb"\A[ \t]*#[ \t]*define[ \t\\\r\n]+" + re.escape(name.encode()) + rb"(?!\w)", name)

    def _has_no_macro(self, form: bytes, name: str) -> bool:
        macros, pattern = self._macros_with(name), re.compile(form)
        return macros is not None and not any(pattern.search(_without_prose(macro)) for macro in macros)

    def _find_pasted(self) -> PastedNames:
        contents = [*self._contents.items(), *self._old_contents]
        code = [(path, text) for path, text in contents if not is_for_people(path, text)]
        return PastedNames(self._macros_that_paste(), code, self._others)

    def _macros_that_paste(self) -> PastingMacros | None:
        """The files that define macros with `##`; None where that can't be told."""
        mentioning = self._defining()
        if mentioning is None:
            return None
        texts = defaultdict[str, list[bytes]](list)
        for path, content in (*mentioning.items(), *self._contents.items(), *self._old_contents):
            texts[path] += [content]
        lines = {
            path: [macro for text in found for macro in self._macros_in_text(text) if b"##" in macro]
            for path, found in texts.items()
            if any(b"##" in text for text in found)
        }
        return {
            path: (texts[path], [macro.decode("utf-8", "surrogateescape") for macro in dict.fromkeys(macros)])
            for path, macros in lines.items()
            if macros
        }

    def _macros_called(self, name: str) -> Sequence[str] | None:
        """The lines that define a macro of this name; None where that can't be told."""
        macros = self._macros_with(name)
        pattern = re.compile(rb"\A[ \t]*#[ \t]*define[ \t\\\r\n]+" + re.escape(name.encode()) + rb"(?!\w)")
        found = None if macros is None else {macro for macro in macros if pattern.search(macro)}
        return None if found is None else sorted(macro.decode("utf-8", "surrogateescape") for macro in found)

    def _is_nowhere_but(self, path: str, name: str) -> bool:
        mentioning = self._others.mentioning((name,))
        if mentioning is None:
            return False
        files = [*mentioning.items(), *self._contents.items(), *self._old_contents]
        word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
        return not any(
            other != path and not is_for_people(other, content) and word.search(content) for other, content in files
        )

    def _is_in_c_alone(self, name: str) -> bool:
        mentioning = self._others.mentioning((name, f"D{name}"))  # the second as a compiler is given it
        if mentioning is None or self.macros.pasted().has(name):
            return False
        files = [*mentioning.items(), *self._contents.items(), *self._old_contents]
        return not any(
            may_use(content, name)
            for path, content in files
            if not path.endswith((".c", ".h")) and not is_for_people(path, content)
        )

    def _is_included_nowhere(self, path: str) -> bool:
        mentioning = self._others.mentioning((basename(path),))
        if mentioning is None:
            return False
        files = (*mentioning.values(), *self._contents.values(), *(content for _, content in self._old_contents))
        include = re.compile(rb"#[ \t]*include[^\n]*[\"/]" + re.escape(basename(path).encode()) + rb"\"")
        return not any(include.search(content) for content in files)

    def _macros_with(self, name: str) -> Iterable[bytes] | None:
        """The macros that may have this word; None where that can't be told."""
        macros, word = self._macros(), name.encode()
        if macros is not None and _WORD.fullmatch(word):
            return macros.get(word, ())
        mentioning = self._others.mentioning((name,))
        return None if mentioning is None else self._macros_in(mentioning)

    def _find_macros(self) -> Mapping[bytes, Sequence[bytes]] | None:
        """All macros, by the words in them, read once: a change of C asks for hundreds. None: too many files."""
        mentioning = self._defining()
        if mentioning is None:
            return None
        macros = defaultdict[bytes, list[bytes]](list)
        for macro in self._macros_in(mentioning):
            for word in set(_WORD.findall(macro)):
                macros[word].append(macro)
        return macros

    def _macros_in(self, mentioning: Mapping[str, bytes]) -> Iterator[bytes]:
        old = (content for _, content in self._old_contents)
        contents = (*mentioning.values(), *self._contents.values(), *old)
        return (macro for content in contents for macro in self._macros_in_text(content))

    @staticmethod
    def _macros_in_text(content: bytes) -> Iterator[bytes]:
        return (macro[0] for macro in _DEFINE.finditer(content))

    def _is_predeclared(self, name: str) -> bool:
        mentioning = self._others.mentioning((name,))
        if mentioning is None:
            return False
        pattern = re.compile(_DECLARED.format(name).encode(), re.MULTILINE)
        return not any(pattern.search(content) for content in (*mentioning.values(), *self._contents.values()))

    def _is_only_in(self, name: str, package: str) -> bool:
        declaring = self._declaring(name)
        home = "/" + package.replace(".", "/")
        return declaring is not None and not any(
            not f"/{dirname(path)}".endswith(home) and self._has_type(path, content, name)
            for path, content in declaring
        )

    def _is_no_class(self, name: str) -> bool:
        return self._declaring(name) == []

    def _declaring(self, name: str) -> list[tuple[str, bytes]] | None:
        """The files of Java that declare a class of this name, in another one too; None where that can't be told."""
        mentioning = self._others.mentioning((name,))
        if mentioning is None:
            return None
        declaration = re.compile(rf"\b(?:class|interface|enum|record)\s+{re.escape(name)}\b".encode())
        files = (*mentioning.items(), *self._contents.items(), *self._old_contents)
        return [(path, content) for path, content in files if path.endswith(".java") and declaration.search(content)]

    def _has_type(self, path: str, content: bytes, name: str) -> bool:
        """Whether a file of Java has a type of this name that is in no other one: such a one is no package's."""
        root = self._parse(path, content)
        return root is None or any(
            child.text is None and (inner := child.child("name")) is not None and inner.text == name
            for child in root.children
        )

    def _knows(self, path: str, content: bytes, name: str, words: set[str]) -> bool:
        if is_for_people(path, content):
            return False
        root = self._parse(path, content)
        if root is None:
            text = content.decode("utf-8", "replace")
            return not words.isdisjoint(re.findall(r"\w+", text))
        places, said = places_of(root, words, path)
        return bool(said) or any(place.word == name for place in places)


def _without_prose(macro: bytes) -> bytes:
    """A macro without the texts in it that have a space: they are for people, if they are not for the assembler."""
    return macro if b"asm" in macro else _STRING.sub(lambda text: b'""' if b" " in text[0] else text[0], macro)


def _at_the_top(root: Node, name: str) -> Iterator[str]:
    """The name, for each place outside of all functions and classes that declares it."""
    for place in places_of(root, {name}, "")[0]:
        if place.leaf.binds and not any(_HOLDERS.search(node.kind) for node in place.above[:-1]):
            yield place.word
