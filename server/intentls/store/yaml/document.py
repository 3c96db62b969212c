"""YAML bytes -> a tree with positions. Nothing in a file can run code, recurse or grow without end.

The tree is composed from the parser's events, without recursion and without any constructor. PyYAML's own
line numbers are not used (YAML counts more characters as line ends than editors do); its offsets are.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from msgspec import Struct

from intentls.core.diagnostic import Diagnostic, Span
from intentls.late_pattern import late_pattern
from intentls.store.layout import MAX_BYTES as MAX_BYTES
from intentls.store.yaml.composer import Composer
from intentls.store.yaml.nodes import MAX_PROBLEMS, Node, YamlLineIndex, YamlProblem

_BOM: Final = b"\xef\xbb\xbf"
# All but tab, line ends, \x20-\x7e, \x85, \xa0-\ud7ff, \ue000-\ufffd and what is above: said so, it compiles in 7 ms.
_UNPRINTABLE: Final = late_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")


class YamlDocument(Struct, frozen=True):
    """A file's text without BOM, its tree (None: empty or not readable) and what is wrong with it.

    `weight` is how many values it has, those that aliases add included.
    """

    text: str
    root: Node | None
    problems: tuple[YamlProblem, ...]
    lines: YamlLineIndex
    bom: bytes = b""
    weight: int = 0

    def span(self, node: Node) -> Span:
        """Where `node` stands."""
        return self.lines.span(node.start, node.end)

    def diagnostics(self, problems: Iterable[YamlProblem]) -> tuple[Diagnostic, ...]:
        """In lines and columns, in the file's order, without repeats; the gravest if there are too many."""
        unique = {(problem.start, problem.end, problem.code): problem for problem in problems}
        gravest = sorted(unique.values(), key=lambda problem: problem.severity)[:MAX_PROBLEMS]
        ordered = sorted(gravest, key=lambda problem: (problem.start, problem.end))
        return tuple(self._diagnostic(problem) for problem in ordered)

    def _diagnostic(self, problem: YamlProblem) -> Diagnostic:
        span = self.lines.span(problem.start, problem.end)
        return Diagnostic(span, problem.severity, problem.code, problem.message, data=problem.data)


@contextmanager
def collector_paused() -> Iterator[None]:
    """No garbage collection while a tree is built: it holds no cycles, and the pauses cost a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def compose(data: bytes) -> YamlDocument:
    """Read one YAML document. Never raises for anything that can be in a file."""
    if len(data) > MAX_BYTES:
        message = f"the file has {len(data):,} bytes; at most {MAX_BYTES:,} are read. Split or shorten it."
        return _unreadable("", YamlProblem(0, 0, "too-large", message))
    bom = _BOM if data.startswith(_BOM) else b""
    body = data[len(bom) :]
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError as error:
        start = len(body[: error.start].decode("utf-8"))
        message = f"byte 0x{body[error.start]:02x} is not UTF-8; save the file with encoding UTF-8"
        return _unreadable(body.decode("utf-8", "replace"), YamlProblem(start, start + 1, "not-utf8", message))
    bad = _UNPRINTABLE.search(text) or re.match("\ufeff", text)
    if bad:
        message = f"character U+{ord(bad[0]):04X} is not allowed in YAML; delete it"
        return _unreadable(text, YamlProblem(bad.start(), bad.end(), "yaml-syntax", message))
    composer = Composer(text)
    with collector_paused():
        root = composer.run()
    return YamlDocument(text, root, tuple(composer.problems), composer.lines, bom, composer.weight)


def _unreadable(text: str, problem: YamlProblem) -> YamlDocument:
    return YamlDocument(text, None, (problem,), YamlLineIndex(text))
