"""Rewrites of real sources of which the truth is known, since each line keeps its origin."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from intentls.core.definitions.definition import Definition
from intentls.core.definitions.find import definitions_in
from intentls.core.syntax.canonicalize import NodeBudget, syntax_tree
from intentls.core.syntax.languages import adapter_of

_NAME = re.compile(r".*identifier|name|constant|variable_name")
_SIMPLE = re.compile(r"(expression_statement|assignment|declaration|statement)$")
_WORTH = re.compile(rb"[(=]")
_HEADER = re.compile(rb"\bdef |class |function|=>")
_WORD = re.compile(r"[A-Za-z_]\w*\Z")
_HELD = re.compile(r"__|(main|init|constructor|new|self|this|cls|super|exports|module|require)\Z")

Tag = tuple[str, int] | None
Truth = dict[int, int | None]


@dataclass(frozen=True, slots=True)
class LocatedDefinition:
    """A definition and the path of its file."""

    path: str
    definition: Definition

    @property
    def last_name(self) -> str:
        """The name without what it is defined in: `parse` of `City.parse`."""
        return self.definition.name.rpartition(".")[2]


@dataclass
class Tree:
    """A state of some files: their lines, each with the file and line that it comes from, if it comes from anywhere."""

    files: dict[str, list[tuple[bytes, Tag]]]

    @classmethod
    def of(cls, contents: dict[str, bytes]) -> Tree:
        """As it is at first."""
        return cls(
            {p: [(x, (p, n)) for n, x in enumerate(d.splitlines(keepends=True), 1)] for p, d in contents.items()}
        )

    def content(self, path: str) -> bytes:
        """A file's bytes."""
        return _joined(self.files[path])

    def contents(self) -> dict[str, bytes]:
        """All files."""
        return {path: self.content(path) for path in self.files}


def located(contents: dict[str, bytes]) -> list[LocatedDefinition]:
    """All definitions, file by file."""
    return [LocatedDefinition(path, one) for path in sorted(contents) for one in definitions(path, contents[path])]


@lru_cache(maxsize=8192)
def definitions(path: str, content: bytes) -> tuple[Definition, ...]:
    """Without a limit of time."""
    return definitions_in(path, content, NodeBudget(10_000_000, 1 << 22))


def keys(found: Sequence[LocatedDefinition], tag: Callable[[str, int], Tag]) -> dict[tuple[Tag, int], int]:
    """Each definition's place by the origin of its first line, and its number among those that begin there."""
    seen: Counter[Tag] = Counter()
    result: dict[tuple[Tag, int], int] = {}
    for place, one in enumerate(found):
        origin = tag(one.path, one.definition.start_line)
        result[origin, seen[origin]] = place
        seen[origin] += 1
    return result


def truth_of(old: Sequence[LocatedDefinition], tree: Tree, new: Sequence[LocatedDefinition]) -> Truth:
    """Where each definition is after the lines were rearranged; None if it is gone."""
    after = keys(new, lambda path, line: tree.files[path][line - 1][1])
    return {place: after.get(key) for key, place in keys(old, lambda path, line: (path, line)).items()}


@dataclass
class Rewritten:
    """What a rewrite made of the sources. `special` are the old definitions that it was about."""

    old: list[LocatedDefinition]
    new: list[LocatedDefinition]
    truth: Truth
    contents: dict[str, bytes]
    special: set[int] = field(default_factory=set)


@dataclass(frozen=True)
class Cut:
    """Lines that were taken out of a file: `inside` definitions, the outermost `depth` deep and called `name`."""

    path: str
    name: str
    place: int
    lines: list[tuple[bytes, Tag]]
    depth: int
    inside: int

    @property
    def indent(self) -> bytes:
        """Of its last line."""
        return _indent(self.lines[-1][0])


class Rewriter:
    """Rewrites that all are drawn from one seed."""

    def __init__(self, contents: dict[str, bytes], seed: int) -> None:
        self.before = contents
        self.tree = Tree.of(contents)
        self.old = located(contents)
        self.random = random.Random(seed)
        self.moved: set[Tag] = set()
        self.new_names: dict[str, str] = {}

    def result(self, formatter: Callable[[dict[str, bytes]], dict[str, bytes]] | None = None) -> Rewritten:
        """What came of it, after a formatter if there is one."""
        contents = self.tree.contents()
        middle = located(contents)
        truth = truth_of(self.old, self.tree, middle)
        special = {
            place
            for place, one in enumerate(self.old)
            if (one.path, one.definition.start_line) in self.moved or one.last_name in self.new_names
        }
        if formatter is None:
            return Rewritten(self.old, middle, truth, contents, special)
        # A formatter leaves the definitions in their order; where their number is another, nothing can be told.
        formatted = {
            path: data
            for path, data in formatter(contents).items()
            if len(definitions(path, data)) == len(definitions(path, contents[path]))
        }
        contents = contents | formatted
        return Rewritten(self.old, located(contents), truth, contents, special)

    def move(self, share: float) -> None:
        """Blocks of lines to another place, half of them to another file: behind one that stands equally deep."""
        for block in self._blocks(share):
            cut = self._cut(block)
            if cut is not None and not self._put(cut):
                self.tree.files[cut.path][cut.place : cut.place] = cut.lines

    def delete(self, share: float, strangers: dict[str, bytes]) -> None:
        """Whole definitions. In the place of each comes one of these other files, where it fits; so do the files.

        Never one of the same name: that would be the old one with another body (`main`, `namespace facebook`).
        """
        pool = [
            Rewriter(strangers, self.random.randrange(1000))._cut(block)
            for block in Rewriter(strangers, 1)._blocks(0.5)
        ]
        others = [cut for cut in pool if cut is not None]
        for block in self._blocks(share):
            cut = self._cut(block)
            fits = cut and (cut.depth, cut.indent)
            fitting = [o for o in others if cut and (o.depth, o.indent) == fits and o.name != cut.name]
            if cut is None or not fitting:
                continue
            chosen = self.random.choice(fitting)
            into = self.tree.files[cut.path]
            lines: list[tuple[bytes, Tag]] = [(b"\n", None), *((line, None) for line, _ in chosen.lines), (b"\n", None)]
            made = [*into[: cut.place], *lines, *into[cut.place :]]
            if len(definitions(cut.path, _joined(made))) == len(definitions(cut.path, _joined(into))) + chosen.inside:
                self.tree.files[cut.path] = made
        self.tree.files |= {p: [(x, None) for x in d.splitlines(keepends=True)] for p, d in strangers.items()}

    def edit(self, share: float) -> None:
        """A statement goes, or one of another file comes, in some definitions."""
        lines = {path: self._simple_lines(path) for path in self.tree.files}
        pool = [
            self.tree.files[path][n - 1][0]
            for path, found in lines.items()
            for n in self.random.sample(found, len(found))[:5]
        ]
        for path, found in lines.items():
            before = list(self.tree.files[path])
            count = len(definitions(path, self.tree.content(path)))
            ends = {one.end_line for one in definitions(path, self.tree.content(path))}
            for number in sorted((n for n in found if n not in ends and self.random.random() < share), reverse=True):
                line = self.tree.files[path][number - 1][0]
                if self.random.random() < 0.5:
                    del self.tree.files[path][number - 1]
                else:
                    indent = line[: len(line) - len(line.lstrip())]
                    self.tree.files[path].insert(number, (indent + self.random.choice(pool).lstrip(), None))
            if len(definitions(path, self.tree.content(path))) != count:
                self.tree.files[path] = before

    def rename(self, share: float) -> None:
        """Names of definitions everywhere, and others in the files in which alone they stand."""
        where: dict[str, set[str]] = defaultdict(set)
        for path in self.tree.files:
            for name, _ in names_in(path, self.tree.content(path)):
                where[name].add(path)
        defined = sorted({one.last_name for one in self.old if _WORD.match(one.last_name)})
        local = sorted(name for name, paths in where.items() if len(paths) == 1 and name.islower())
        chosen = [name for name in defined + local if not _HELD.match(name) and self.random.random() < share]
        renamed = {name: f"{'Fresh' if name[0].isupper() else 'fresh_'}{n}" for n, name in enumerate(chosen)}
        for path in self.tree.files:
            self._rename_in(path, renamed)
        self.new_names = {name: renamed[name] for name in defined if name in renamed}

    def _rename_in(self, path: str, renamed: dict[str, str]) -> None:
        content = self.tree.content(path)
        parts, done = [], 0
        for name, start in names_in(path, content):
            if name in renamed:
                parts += [content[done:start], renamed[name].encode()]
                done = start + len(name.encode())
        lines = b"".join([*parts, content[done:]]).splitlines(keepends=True)
        before = self.tree.files[path]
        if len(lines) == len(before):
            self.tree.files[path] = [(line, tag) for line, (_, tag) in zip(lines, before, strict=True)]

    def _blocks(self, share: float) -> list[tuple[str, int]]:
        """By their first line: some that share no line with another, and of which none is in another."""
        chosen: list[tuple[str, int]] = []
        reached: dict[str, int] = defaultdict(int)
        for path, found in _by_path(self.old).items():
            for one in found:
                alone = not any(_crosses(one, other) for other in found)
                if alone and one.start_line > reached[path] and one.kind != "constant" and self.random.random() < share:
                    chosen.append((path, one.start_line))
                    reached[path] = one.end_line
        self.random.shuffle(chosen)
        return chosen

    def _cut(self, block: tuple[str, int]) -> Cut | None:
        """Take the lines out of where they are now, if the rest still parses."""
        path = block[0]
        before = self.tree.files[path]
        found = definitions(path, self.tree.content(path))
        one = next((one for one in found if before[one.start_line - 1][1] == block), None)
        if one is None:
            return None
        lines = before[one.start_line - 1 : one.end_line]
        rest = before[: one.start_line - 1] + before[one.end_line :]
        inside = sum(one.start_line <= other.start_line and other.end_line <= one.end_line for other in found)
        if len(definitions(path, _joined(rest))) != len(found) - inside:
            return None
        self.tree.files[path] = rest
        return Cut(path, one.name, one.start_line - 1, lines, one.name.count("."), inside)

    def _put(self, cut: Cut) -> bool:
        candidates = [cut.path] * len(self.tree.files) + list(self.tree.files)
        for _ in range(40):
            target = self.random.choice(candidates)
            into = self.tree.files[target]
            found = definitions(target, _joined(into))
            fitting = [
                one.end_line
                for one in found
                if one.name.count(".") == cut.depth
                and one.kind != "constant"
                and _indent(into[one.end_line - 1][0]) == cut.indent
                and (target != cut.path or one.end_line != cut.place)
            ]
            if not fitting:
                continue
            after = self.random.choice(fitting)
            made = [*into[:after], (b"\n", None), *cut.lines, (b"\n", None), *into[after:]]
            if len(definitions(target, _joined(made))) == len(found) + cut.inside:
                self.tree.files[target] = made
                self.moved.update(tag for _, tag in cut.lines)
                return True
        return False

    def _simple_lines(self, path: str) -> list[int]:
        """Lines that hold one whole simple statement and no more."""
        content = self.tree.content(path)
        lines = content.splitlines()
        found = []
        for node in _nodes(path, content):
            (first, column), (last, _) = node.start_point, node.end_point
            if not node.is_named or first != last or not column or not _SIMPLE.search(node.type):
                continue
            line, text = lines[first].strip().rstrip(b";"), (node.text or b"").strip().rstrip(b";")
            if line == text and _WORTH.search(line) and not _HEADER.search(line):
                found.append(first + 1)
        return sorted(set(found))


def names_in(path: str, content: bytes) -> Iterator[tuple[str, int]]:
    """Each name in the file, and the byte that it begins at."""
    for node in _nodes(path, content):
        if not node.child_count and _NAME.fullmatch(node.type) and node.text:
            yield node.text.decode("utf-8", "replace"), node.start_byte


def _nodes(path: str, content: bytes) -> Iterator:
    adapter = adapter_of(path)
    assert adapter is not None
    tree = syntax_tree(content, adapter.module, adapter.function)
    assert tree is not None
    cursor = tree.walk()
    while True:
        yield cursor.node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _by_path(found: Iterable[LocatedDefinition]) -> dict[str, list[Definition]]:
    result: dict[str, list[Definition]] = defaultdict(list)
    for one in found:
        result[one.path].append(one.definition)
    return result


def _crosses(one: Definition, other: Definition) -> bool:
    """Whether they share a line, and none of them is wholly inside the other with lines of its own before and after."""
    if one is other or one.end_line < other.start_line or other.end_line < one.start_line:
        return False
    inside = one.start_line < other.start_line and other.end_line <= one.end_line
    outside = other.start_line < one.start_line and one.end_line <= other.end_line
    return not (inside or outside)


def _joined(lines: Iterable[tuple[bytes, Tag]]) -> bytes:
    return b"".join(line for line, _ in lines)


def _indent(line: bytes) -> bytes:
    return line[: len(line) - len(line.lstrip())]
