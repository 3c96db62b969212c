"""Edits of files of intents. Each is one small text edit, and is proved by reading the result again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from intentls.core.errors import ConfigurationError, InvalidArgument, shorten
from intentls.core.intents.intent import Intent, Status
from intentls.core.intents.scope import Scope
from intentls.store.config.intents_parser import IntentsFile, intent_entries, parse_intents
from intentls.store.yaml.document import YamlDocument, compose
from intentls.store.yaml.edit import (
    YamlEdit,
    append_block,
    append_flow,
    apply,
    column,
    edit_at,
    insert_key,
    line_end,
    newline,
    quote,
    set_value,
)
from intentls.store.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

__all__ = ["YamlEdit", "add_globs", "add_intent", "apply", "set_status"]


def set_status(file: IntentsFile, intent_id: str, status: Status) -> YamlEdit:
    """Give the intent another status.

    Raises InvalidArgument for an unknown intent, ConfigurationError if the file can't be edited in place.
    """
    intent, document, node = _find(file, intent_id)
    entry = node.entry("status")
    if entry is not None:
        style = entry[1].style if isinstance(entry[1], ScalarNode) else ""
        edit = set_value(document, *entry, quote(status.value, style if style in ("'", '"') else ""))
    else:
        edit = _insert(document, node, ("name", "id"), "status", status.value)
    return _proved(file, edit, {**file.intents, intent_id: replace(intent, status=status)}, intent_id)


def add_globs(file: IntentsFile, intent_id: str, globs: Sequence[str]) -> YamlEdit:
    """Append patterns to the intent's `owned_scope`; those that are there already are left out.

    Raises InvalidGlob for a bad pattern, else as `set_status`. Nothing to add gives an edit without effect.
    """
    intent, document, node = _find(file, intent_id)
    new = [glob for glob in dict.fromkeys(globs) if glob not in intent.scope.patterns]
    _refuse_unwritable(new)
    patterns = [*intent.scope.patterns, *new]
    expected = replace(intent, scope=Scope.parse(patterns))
    if not new:
        return edit_at(document, node.start, node.start, "")
    entry = node.entry("owned_scope")
    if entry is None:
        edit = _insert(document, node, ("status", "name", "id"), "owned_scope", _flow_list(new))
    else:
        edit = _extend_scope(document, *entry, new, patterns)
    return _proved(file, edit, {**file.intents, intent_id: expected}, intent_id)


def add_intent(
    file: IntentsFile,
    intent_id: str,
    name: str,
    globs: Sequence[str] = (),
    status: Status = Status.PENDING,
) -> YamlEdit:
    """Append a new intent to the list, also to an empty file.

    Raises InvalidArgument for an id that is taken or has white space, else as `add_globs`.
    """
    _refuse_invalid(file)
    if intent_id in file.intents:
        raise InvalidArgument("intent_id", f"{shorten(intent_id)} is already there; choose another id")
    if not intent_id or not intent_id.isprintable() or " " in intent_id:
        raise InvalidArgument("intent_id", "must be a name without white space, such as INT-007")
    _refuse_unwritable([intent_id, name, *globs])
    expected = Intent(intent_id, name.strip(), status, scope=Scope.parse(globs))
    fields = [f"id: {quote(intent_id)}", f"name: {quote(name)}", f"status: {status.value}"]
    if globs:
        fields.append(f"owned_scope: {_flow_list(globs)}")
    edit = _append_intent(compose(file.encode(file.text)), fields)
    return _proved(file, edit, {**file.intents, intent_id: expected}, intent_id)


def _find(file: IntentsFile, intent_id: str) -> tuple[Intent, YamlDocument, MappingNode]:
    _refuse_invalid(file)
    intent = file.intents.get(intent_id)
    if intent is None:
        raise InvalidArgument("intent_id", f"there is no intent {shorten(intent_id)} in {file.path}")
    document = compose(file.encode(file.text))
    for node in intent_entries(document.root, is_single=file.is_single):
        if isinstance(node, MappingNode) and node.data.get("id") == intent_id and not node.alias:
            return intent, document, node
    raise ConfigurationError(f"{intent_id} is written as an alias; write it out to change it")


def _refuse_invalid(file: IntentsFile) -> None:
    if not file.valid:
        raise ConfigurationError(f"{file.path} has errors; correct them before it is changed")


def _refuse_unwritable(texts: Sequence[str]) -> None:
    for text in texts:
        try:
            text.encode("utf-8")
        except UnicodeEncodeError as error:
            raise InvalidArgument("path", f"{shorten(text)!r} can't be written as UTF-8") from error


def _proved(file: IntentsFile, edit: YamlEdit, expected: Mapping[str, Intent], intent_id: str) -> YamlEdit:
    """`edit`, if the file then says exactly what it said before, and what was wanted."""
    result = parse_intents(file.encode(apply(file.text, edit)), file.path)
    if result.valid and list(result.intents.items()) == list(expected.items()):
        return edit
    raise ConfigurationError(
        f"{file.path} is laid out such that {shorten(intent_id)} can't be changed in place "
        f"(near line {edit.span.start_line + 1}); change it by hand"
    )


def _flow_list(globs: Sequence[str]) -> str:
    return "[" + ", ".join(quote(glob, '"') for glob in globs) + "]"


def _insert(document: YamlDocument, node: MappingNode, after: Sequence[str], name: str, written: str) -> YamlEdit:
    """Add a key behind the first of `after` that is there; JSON stays JSON."""
    anchor = next(entry for entry in map(node.entry, after) if entry is not None)
    json_like = node.flow and anchor[0].style == '"' and not written.startswith("[")
    return insert_key(document, node, anchor, name, quote(written, '"') if json_like else written)


def _extend_scope(
    document: YamlDocument, key: ScalarNode, value: Node, new: Sequence[str], patterns: Sequence[str]
) -> YamlEdit:
    if not isinstance(value, SequenceNode) or value.alias:
        # Nothing there yet, or a list that other intents share: this intent gets a list of its own.
        return set_value(document, key, value, _flow_list(patterns))
    last = value.items[-1] if value.items else None
    style = last.style if isinstance(last, ScalarNode) and not last.alias else '"'
    written = [quote(glob, style if style in ("", "'") else '"') for glob in new]
    if value.flow:
        return append_flow(document, value, written)
    return append_block(document, value, [f"- {item}" for item in written])


def _append_intent(document: YamlDocument, fields: Sequence[str]) -> YamlEdit:
    block = [f"- {fields[0]}", *(f"  {field}" for field in fields[1:])]
    flow = "{" + ", ".join(fields) + "}"
    root = document.root
    if not isinstance(root, MappingNode):
        return _begin_document(document, root, block)
    entry = root.entry("active_intents")
    if entry is None:
        return _begin_list(document, root, block, flow)
    key, value = entry
    if isinstance(value, SequenceNode) and value.items and not value.alias:
        return append_flow(document, value, [flow]) if value.flow else append_block(document, value, block)
    inner = document.text[value.start + 1 : value.end - 1]
    if root.flow or (isinstance(value, SequenceNode) and inner.strip()):
        if isinstance(value, SequenceNode):
            return append_flow(document, value, [flow])
        return set_value(document, key, value, f"[{flow}]")
    return _fill_list(document, root, value, block)


def _begin_document(document: YamlDocument, root: Node | None, block: Sequence[str]) -> YamlEdit:
    """Into a file that says nothing yet (comments at most)."""
    text, line = document.text, newline(document.text)
    start, end = (root.start, root.end) if root is not None and root.start != root.end else (len(text),) * 2
    before = "" if text[:start].endswith(("\n", "\r")) or not start else line
    after = "" if end < len(text) else line
    return edit_at(document, start, end, before + _listed(block, 0, line) + after)


def _begin_list(document: YamlDocument, root: MappingNode, block: Sequence[str], flow: str) -> YamlEdit:
    """Into a file with other keys only."""
    text, line = document.text, newline(document.text)
    if root.flow:
        offset = root.entries[-1][1].end if root.entries else root.start + 1
        return edit_at(document, offset, offset, f"{', ' if root.entries else ''}active_intents: [{flow}]")
    end = line_end(text, root.end)
    indent = column(document, root)
    return edit_at(document, end, end, line + " " * indent + _listed(block, indent, line))


def _fill_list(document: YamlDocument, root: MappingNode, value: Node, block: Sequence[str]) -> YamlEdit:
    """In place of `[]`, `null` or nothing; a comment behind it stays on its line."""
    text = document.text
    start, end = len(text[: value.start].rstrip(" \t")), line_end(text, value.end)
    comment = text[value.end : end].strip()
    indent = newline(text) + " " * (column(document, root) + 2)
    lines = "".join(indent + line for line in block)
    return edit_at(document, start, end, (f" {comment}" if comment else "") + lines)


def _listed(block: Sequence[str], indent: int, line: str) -> str:
    """`active_intents:` and its first item; the first line is not indented."""
    return line.join(["active_intents:", *(" " * (indent + 2) + text for text in block)])
