"""Edits of open documents, through the client and on the versions they were judged by."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from intentls.core.text.lines import diff
from intentls.engine.actions.effects import ApplyInEditor, DocumentEdit
from intentls.faces.lsp.protocol.line_index import position_of, split_lines
from intentls.faces.lsp.protocol.serve import Server

log = logging.getLogger(__name__)

_TIMEOUT_S = 30.0


async def apply_in_editor(server: Server, effect: ApplyInEditor) -> bool:
    """Whether the client applied all edits. No answer, an error and a refusal are all a no."""
    encoding = str(server.workspace.position_encoding or "utf-16")
    changes = [_document_edit(edit, encoding) for edit in effect.edits]
    params = types.ApplyWorkspaceEditParams(types.WorkspaceEdit(document_changes=changes), label=effect.label)
    try:
        result = await asyncio.wait_for(server.workspace_apply_edit_async(params), _TIMEOUT_S)
    except (TimeoutError, JsonRpcException) as error:
        log.warning("the client did not apply %s: %s", effect.label, error or "no answer")
        return False
    if not result.applied:
        log.info("the client refused %s: %s", effect.label, result.failure_reason)
    return bool(result.applied)


def _document_edit(edit: DocumentEdit, encoding: str) -> types.TextDocumentEdit:
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=edit.document.uri, version=edit.document.version)
    return types.TextDocumentEdit(identifier, _text_edits(edit.document.text, edit.new_text, encoding))


def _text_edits(
    before: str, after: str, encoding: str
) -> list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit]:
    """The lines that differ, and no others: cursors, folds and marks elsewhere stay where they are."""
    old, new = split_lines(before), split_lines(after)
    edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
    for hunk in diff(before.encode("utf-8", "surrogatepass"), after.encode("utf-8", "surrogatepass")):
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        first = hunk.new_start - 1 if hunk.new_lines else hunk.new_start
        text = "".join(new[first : first + hunk.new_lines])
        edits.append(types.TextEdit(_lines(old, start, start + hunk.old_lines, encoding), text))
    return edits


def _lines(lines: Sequence[str], start: int, end: int, encoding: str) -> types.Range:
    """Whole lines `start` (from 0) up to, not including, `end`."""
    return types.Range(_line_start(lines, start, encoding), _line_start(lines, end, encoding))


def _line_start(lines: Sequence[str], line: int, encoding: str) -> types.Position:
    if line < len(lines):
        return types.Position(line, 0)
    return position_of(lines, len(lines) - 1, len(lines[-1]), encoding)
