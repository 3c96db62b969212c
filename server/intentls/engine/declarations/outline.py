"""What a file of intents says, and its shape: each intent, where it begins and ends, and what is in it.

A file that does not parse at the moment still has an outline, read from its lines; so symbols and lenses don't come and
go while somebody types.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.store.config.intents_parser import IntentsFile, intent_entries, parse_intents
from intentls.store.yaml.document import YamlDocument, collector_paused, compose
from intentls.store.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode, YamlLineIndex

_ENTRY = re.compile(r"^[ \t]*- +[\w-]+:", re.MULTILINE)
_ID = re.compile(r"^([ \t]*(?:- +)?)id:[ \t]+([\"']?)([^\s\"'#]+)\2", re.MULTILINE)
_NAME = re.compile(r"^[ \t]*(?:- +)?name:[ \t]+[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)
_STATUS = re.compile(r"^[ \t]*(?:- +)?status:[ \t]+[\"']?([A-Z_]+)[\"']?[ \t]*$", re.MULTILINE)


class Part(Struct, frozen=True):
    """A key of an intent with its value; `items` are the places of a list's texts."""

    key: str
    text: str
    key_span: Span
    whole: Span
    items: tuple[tuple[str, Span], ...] = ()


class OutlineEntry(Struct, frozen=True):
    """One intent as it is written. `id_span` is the id without its quotes; a repeated id has several entries."""

    id: str
    name: str
    status: str
    whole: Span
    id_span: Span
    parts: tuple[Part, ...] = ()

    def part(self, key: str) -> Part | None:
        """The part of this key."""
        return next((part for part in self.parts if part.key == key), None)


class Outline(Struct, frozen=True):
    """A file's entries that have an id, in order. `listed` is where `active_intents` stands with its value."""

    entries: tuple[OutlineEntry, ...] = ()
    listed: Span | None = None


@lru_cache(maxsize=4)
def intents_of(text: str, path: str = INTENTS_FILE) -> IntentsFile:
    """The text of the file at root-relative `path`, judged. Kept: lenses, hovers and diagnostics ask about one text."""
    return parse_intents(text.encode("utf-8", errors="surrogatepass"), path)


@lru_cache(maxsize=4)
def outline(text: str, *, is_single: bool = False) -> Outline:
    """The outline of the text of the list, or of the file of one intent."""
    with collector_paused():
        document = compose(text.encode("utf-8", "surrogatepass"))
        if document.root is None:
            return _by_lines(text)
        nodes = [node for node in intent_entries(document.root, is_single=is_single) if isinstance(node, MappingNode)]
        entries = tuple(entry for node in nodes if (entry := _entry(document, node)) is not None)
    root = None if is_single else document.root
    found = root.entry("active_intents") if isinstance(root, MappingNode) else None
    listed = document.lines.span(found[0].start, max(found[0].end, found[1].end)) if found else None
    return Outline(entries, listed)


def _entry(document: YamlDocument, node: MappingNode) -> OutlineEntry | None:
    identity = node.get("id")
    if not isinstance(identity, ScalarNode) or not identity.value:
        return None
    return OutlineEntry(
        id=identity.value,
        name=_text(node, "name"),
        status=_text(node, "status") or "PENDING",
        whole=document.span(node),
        id_span=_inner(document, identity),
        parts=tuple(_part(document, key, value) for key, value in node.entries),
    )


def _part(document: YamlDocument, key: ScalarNode, value: Node) -> Part:
    whole = document.lines.span(key.start, max(key.end, value.end))
    items: tuple[tuple[str, Span], ...] = ()
    if isinstance(value, SequenceNode) and not value.alias:
        items = tuple((item.value, document.span(item)) for item in value.items if isinstance(item, ScalarNode))
    text = value.value if isinstance(value, ScalarNode) else ""
    return Part(key.value, text, document.span(key), whole, items)


def _inner(document: YamlDocument, scalar: ScalarNode) -> Span:
    """The scalar without its quotes."""
    quote = 1 if scalar.style in ("'", '"') else 0
    return document.lines.span(scalar.start + quote, scalar.end - quote)


def _text(node: MappingNode, key: str) -> str:
    value = node.get(key)
    return value.value.strip() if isinstance(value, ScalarNode) else ""


def _by_lines(text: str) -> Outline:
    """Entries in block style, each from its dash to the next one's."""
    lines = YamlLineIndex(text)
    dashes = [0, *(match.start() for match in _ENTRY.finditer(text))]
    ids = list(_ID.finditer(text))
    begins = [*(dashes[bisect_right(dashes, match.start()) - 1] for match in ids), len(text)]
    found: list[OutlineEntry] = []
    for match, begin, following in zip(ids, begins, begins[1:], strict=False):
        end = max(following, match.end())
        body = text[begin:end].rstrip()
        name, status = _NAME.search(body), _STATUS.search(body)
        found.append(
            OutlineEntry(
                id=match[3],
                name=name[1] if name else "",
                status=status[1] if status else "PENDING",
                whole=lines.span(begin, begin + len(body)),
                id_span=lines.span(match.start(3), match.end(3)),
            )
        )
    return Outline(tuple(found))
