"""YAML events -> a tree with positions. No recursion, no constructors, bounded depth and unfolding."""

from __future__ import annotations

import copy
from typing import Any, Final

import yaml
from msgspec import Struct, field
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
)

from intentls.core.errors import shorten
from intentls.late_pattern import late_pattern
from intentls.store.yaml.nodes import (
    MAX_PROBLEMS,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    YamlLineIndex,
    YamlProblem,
    plain_data,
)

MAX_DEPTH: Final = 100
_TOO_DEEP = f"nested deeper than {MAX_DEPTH} levels; flatten it"
MAX_NODES: Final = 1_000_000
"""Ten thousand intents have about 400,000. A file of 4 MiB could have two million, and take many seconds."""

MAX_ALIAS_NODES: Final = 100_000
"""How many nodes (a long text counts for several) all aliases of a file together may add."""

# PyYAML can be built without libyaml; the Python parser is slower, but makes the same events.
_Loader: Final[Any] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PROPERTIES: Final = late_pattern(r"(?:[&!][^\s,\[\]{}]*(?:\s|#[^\r\n]*)*)+")
_SURROGATE: Final = late_pattern("[\ud800-\udfff]")
_QUOTE_SIGILS: Final = "A text that begins with * or ! must stand in quotes."
_STANDARD_TAGS: Final = {
    ScalarNode: ("!", "tag:yaml.org,2002:str"),
    SequenceNode: ("!", "tag:yaml.org,2002:seq"),
    MappingNode: ("!", "tag:yaml.org,2002:map"),
}


class _UnreadableError(Exception):
    """The rest of the document can't be read."""

    def __init__(self, problem: YamlProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class _ComposerFrame(Struct):
    """A collection that is still open. `height` is the depth of what it contains so far."""

    node: SequenceNode | MappingNode
    anchor: str | None
    weight_before: int
    height: int = 1
    key: ScalarNode | None = None
    keys: dict[str, ScalarNode] = field(default_factory=dict)


class _AnchoredNode(Struct, frozen=True):
    """What an alias of this anchor repeats, and how much that is."""

    node: Node
    weight: int
    height: int


class Composer:
    """Builds one document's tree from events; `problems` collects what can be lived with."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = YamlLineIndex(text)
        self.problems: list[YamlProblem] = []
        self._root: Node | None = None
        self._stack: list[_ComposerFrame] = []
        self._anchors: dict[str, _AnchoredNode | None] = {}  # None: its node is still open
        self._weight = 0
        self._alias_weight = 0

    @property
    def weight(self) -> int:
        """How many values the document has, those that aliases add included; a long text counts for several."""
        return self._weight

    def run(self) -> Node | None:
        """The root node; None for an empty document or after a problem that stops the reading."""
        loader = _Loader(self.text)
        try:
            while (event := loader.get_event()) is not None:
                self._take(event)
        except _UnreadableError as stop:
            self.problems.append(stop.problem)
            return None
        except yaml.YAMLError as error:
            self.problems.append(_syntax_problem(error, self.text))
            return None
        finally:
            loader.dispose()
        return self._root

    def _take(self, event: Any) -> None:
        kind = type(event)
        if kind is ScalarEvent:
            self._scalar(event)
        elif issubclass(kind, CollectionStartEvent):
            self._open(event)
        elif issubclass(kind, CollectionEndEvent):
            self._close(event)
        elif kind is AliasEvent:
            self._alias(event)
        elif kind is DocumentStartEvent and self._root is not None:
            start = event.start_mark.index
            message = "a second YAML document begins here; keep one document in the file"
            raise _UnreadableError(YamlProblem(start, start + 3, "unsupported-yaml", message))

    def _scalar(self, event: Any) -> None:
        value, style, tag = event.value, event.style or "", event.tag
        start, end = event.start_mark.index, event.end_mark.index
        if tag is not None or event.anchor is not None:
            start = self._content_start(event, ScalarNode)
            if not value and tag is not None and tag.startswith("!") and tag != "!":  # a bare `!` says: this is text
                value = tag  # most likely an exclusion without quotes: read on as if it had them
        if style in ("|", ">"):
            end = start + len(self.text[start:end].rstrip())
        elif style == '"' and not value.isascii() and _SURROGATE.search(value):
            # libyaml refuses such an escape by itself, the Python parser lets it through
            message = "an escape names half of a surrogate pair; write the character itself"
            raise _UnreadableError(YamlProblem(start, end, "yaml-syntax", message))
        self._weight += 1 + len(value) // 64
        node = ScalarNode(start, end, value, plain_data(value) if not style and tag is None else value, style)
        if event.anchor is not None:
            self._anchors[event.anchor] = _AnchoredNode(node, 1 + len(value) // 64, 0)
        self._add(node, 0)

    def _open(self, event: Any) -> None:
        if len(self._stack) >= MAX_DEPTH:
            self._too_deep(event)
        kind = MappingNode if type(event) is MappingStartEvent else SequenceNode
        start = event.start_mark.index
        if event.tag is not None or event.anchor is not None:
            start = self._content_start(event, kind)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._stack.append(_ComposerFrame(kind(start, start, bool(event.flow_style)), event.anchor, self._weight))
        self._weight += 1

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        node = frame.node
        if node.flow:
            node.end = event.end_mark.index
        elif isinstance(node, SequenceNode):
            node.end = node.items[-1].end
        else:
            key, value = node.entries[-1]
            node.end = max(key.end, value.end)
        if frame.anchor is not None:
            self._anchors[frame.anchor] = _AnchoredNode(node, self._weight - frame.weight_before, frame.height)
        self._add(node, frame.height)

    def _alias(self, event: Any) -> None:
        start, end = event.start_mark.index, event.end_mark.index
        name = event.anchor
        if name not in self._anchors:
            message = f"nothing is anchored as &{shorten(name)}. {_QUOTE_SIGILS}"
            raise _UnreadableError(YamlProblem(start, end, "yaml-syntax", message))
        target = self._anchors[name]
        if target is None:
            message = f"*{shorten(name)} contains itself; write the value out"
            raise _UnreadableError(YamlProblem(start, end, "alias-bomb", message))
        self._weight += target.weight
        self._alias_weight += target.weight
        if self._alias_weight > MAX_ALIAS_NODES:
            message = f"aliases unfold to more than {MAX_ALIAS_NODES:,} values; write the values out"
            raise _UnreadableError(YamlProblem(start, end, "alias-bomb", message))
        if len(self._stack) + target.height > MAX_DEPTH:
            self._too_deep(event)
        node = copy.copy(target.node)
        node.start, node.end, node.alias = start, end, True
        self._add(node, target.height)

    def _too_deep(self, event: Any) -> None:
        start = event.start_mark.index
        raise _UnreadableError(YamlProblem(start, start + 1, "unsupported-yaml", _TOO_DEEP))

    def _add(self, node: Node, height: int) -> None:
        if self._weight > MAX_NODES + self._alias_weight:
            message = f"the file has more than {MAX_NODES:,} values; split or shorten it"
            raise _UnreadableError(YamlProblem(node.start, node.end, "too-large", message))
        if not self._stack:
            self._root = node
            return
        frame = self._stack[-1]
        frame.height = max(frame.height, height + 1)
        parent = frame.node
        if isinstance(parent, SequenceNode):
            if node.start == node.end:
                node.start = _dash_before(self.text, node.start)
            parent.items.append(node)
            parent.data.append(node.data)
        elif frame.key is None:
            frame.key = self._as_key(node, frame)
        else:
            parent.entries.append((frame.key, node))
            parent.data.setdefault(frame.key.value, node.data)
            frame.key = None

    def _as_key(self, node: Node, frame: _ComposerFrame) -> ScalarNode:
        if not isinstance(node, ScalarNode) or node.alias:
            message = "a key must be a plain name; lists, mappings and aliases as keys are not supported"
            raise _UnreadableError(YamlProblem(node.start, node.end, "unsupported-yaml", message))
        first = frame.keys.setdefault(node.value, node)
        name = shorten(node.value)
        if first is not node:
            line = self.lines.position(first.start)[0] + 1
            message = f"the key `{name}` stands twice in one mapping (first on line {line}); keep one of them"
            self._report(node.start, node.end, "duplicate-key", message)
        if node.value == "<<" and not node.style:
            message = "merge keys (<<) are not supported; write the keys out"
            self._report(node.start, node.end, "unsupported-yaml", message)
        return node

    def _report(self, start: int, end: int, code: str, message: str) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(YamlProblem(start, end, code, message))

    def _content_start(self, event: Any, kind: type[Node]) -> int:
        """Where the node itself begins, after its anchor and tag; a foreign tag is a problem."""
        start: int = event.start_mark.index
        tag = getattr(event, "tag", None)
        if tag is not None and tag not in _STANDARD_TAGS[kind]:
            written = self.text[start : start + 60].split()[0]
            message = f"the tag {written} is not supported. {_QUOTE_SIGILS}"
            self._report(start, start + len(written), "unsupported-yaml", message)
        properties = _PROPERTIES.match(self.text, start)
        limit = len(self.text) if isinstance(event, CollectionStartEvent) else event.end_mark.index
        return min(properties.end(), limit) if properties else start


def _dash_before(text: str, offset: int) -> int:
    """An item with nothing in it is shown at its dash."""
    return offset - 1 if text[offset - 1 : offset] == "-" else offset


def _syntax_problem(error: yaml.YAMLError, text: str) -> YamlProblem:
    """What the parser says, at the place it says, with advice for the usual slips."""
    mark = getattr(error, "problem_mark", None)
    start = min(mark.index, len(text)) if mark else 0
    end = start + 1 if text[start : start + 1] not in ("", "\r", "\n") else start
    what = getattr(error, "problem", None) or "it can't be read"
    if "nesting depth" in what:  # libyaml from 0.2.6 on counts before it tells of anything
        return YamlProblem(start, end, "unsupported-yaml", _TOO_DEEP)
    context = getattr(error, "context", None) or ""
    message = f"not valid YAML: {what}" + (f" ({context})" if context else "")
    return YamlProblem(start, end, "yaml-syntax", f"{message}. {_advice(what, context, text[start:end])}")


def _advice(what: str, context: str, character: str) -> str:
    if "alias" in context or "tag" in context:
        return _QUOTE_SIGILS
    if character == "\t" or "tab" in what:
        return "Indent with spaces, not with tabs."
    if "cannot start any token" in what:
        return f"A text that begins with {character} must stand in quotes."
    if "mapping values are not allowed" in what:
        return "A text that contains ': ' must stand in quotes; otherwise check the indentation."
    return "Check quotes, brackets and indentation here and just before."
