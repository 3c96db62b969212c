"""What the server asks of the client: to apply edits of open documents."""

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

_AnyTextEdit = types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit
_TIMEOUT_S = 30.0


async def apply_in_editor(server: Server, effect: ApplyInEditor) -> bool:
    """Whether the client applied all edits. No answer within 30 s, an error and a refusal all mean no."""
    changes = [_document_edit(edit, server.workspace.encoding) for edit in effect.edits]
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


def _text_edits(before: str, after: str, encoding: str) -> list[_AnyTextEdit]:
    """Edits of the lines that differ alone, so that cursors, folds and marks elsewhere stay where they are."""
    old, new = split_lines(before), split_lines(after)
    edits: list[_AnyTextEdit] = []
    for hunk in diff(before.encode("utf-8", "surrogatepass"), after.encode("utf-8", "surrogatepass")):
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        first = hunk.new_start - 1 if hunk.new_lines else hunk.new_start
        text = "".join(new[first : first + hunk.new_lines])
        end = start + hunk.old_lines
        range_ = types.Range(_line_start(old, start, encoding), _line_start(old, end, encoding))
        edits.append(types.TextEdit(range_, text))
    return edits


def _line_start(lines: Sequence[str], line: int, encoding: str) -> types.Position:
    """The start of a line (from 0), or the end of the text if there are fewer lines."""
    if line < len(lines):
        return types.Position(line, 0)
    return position_of(lines, len(lines) - 1, len(lines[-1]), encoding)
