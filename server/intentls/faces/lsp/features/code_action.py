"""Quick fixes of a file that is out of scope, and the choice of an intent where none is active.

A scope is widened where its owner looks at it: with `active_intents.yaml` open in the editor, by an edit of that
document; else by `intent.expandScope`, which writes at once and is on record with its reason. An edit of a file
that is not open would stay unsaved in the background, and the gate, which reads the disk, would go on refusing.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from intentls.core.gate.refusal import Code
from intentls.core.patterns.protected_paths import INTENTS_FILE
from intentls.engine.editor.quick_fixes import Expansion, QuickFixes, Selection, quick_fixes
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.convert import SOURCE
from intentls.faces.lsp.protocol.documents import str_of
from intentls.faces.lsp.protocol.line_index import LineIndex

OPTIONS = types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix], resolve_provider=False)


async def code_action(
    connection: LspConnection, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """`textDocument/codeAction`."""
    path = connection.host.path(params.text_document.uri)
    if path is None or not _wants_quick_fixes(params.context):
        return []

    def look() -> tuple[Workspace, str, QuickFixes] | None:
        governed = connection.engine.governing(path)
        if governed is None:
            return None
        return *governed, quick_fixes(connection.engine, *governed, connection.session_id)

    found = await connection.questions.run(look)
    if found is None or not _is_about(params, found[2]):
        return []
    workspace, relative, possible = found
    literal = connection.host.capabilities is not None and connection.host.capabilities.literal_code_actions
    if not literal:
        return [_command(choice, relative) for choice in possible.choices]
    marks = [mark for mark in params.context.diagnostics if (mark.source, mark.code) == (SOURCE, Code.SCOPE_VIOLATION)]
    return [
        _action(connection, workspace, relative, choice, marks, preferred=choice is possible.preferred)
        for choice in possible.choices
    ]


def _wants_quick_fixes(context: types.CodeActionContext) -> bool:
    """`only` names kinds; a kind stands for all that are below it, the empty one for everything."""
    kinds = None if context.only is None else [str(_value(kind)) for kind in context.only]
    return kinds is None or any(kind in ("", types.CodeActionKind.QuickFix.value) for kind in kinds)


def _value(kind: Any) -> Any:
    return kind.value if isinstance(kind, types.CodeActionKind) else kind


def _is_about(params: types.CodeActionParams, possible: QuickFixes) -> bool:
    """What concerns the whole file is offered where it is marked; on every line only to somebody who asks."""
    if params.context.trigger_kind != types.CodeActionTriggerKind.Automatic:
        return True
    return params.range.start.line == 0 or (possible.out_of_scope and bool(params.context.diagnostics))


def _action(
    connection: LspConnection,
    workspace: Workspace,
    path: str,
    choice: Expansion | Selection,
    marks: list[types.Diagnostic],
    *,
    preferred: bool,
) -> types.CodeAction:
    in_editor = isinstance(choice, Expansion) and (choice.document is not None or choice.elsewhere)
    edit = _workspace_edit(connection, workspace, choice) if isinstance(choice, Expansion) and in_editor else None
    return types.CodeAction(
        choice.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=marks or None,
        is_preferred=preferred or None,
        edit=edit,
        command=None if in_editor else _command(choice, path),
    )


def _command(choice: Expansion | Selection, path: str) -> types.Command:
    if isinstance(choice, Selection):
        return types.Command(choice.title, "intent.selectActiveIntent", arguments=[{"intent_id": choice.intent_id}])
    reason = f"quick fix in the editor: {path} was out of scope"
    arguments = {"intent_id": choice.intent_id, "glob": choice.glob, "reason": reason}
    return types.Command(choice.title, "intent.expandScope", arguments=[arguments])


def _workspace_edit(connection: LspConnection, workspace: Workspace, choice: Expansion) -> types.WorkspaceEdit:
    """Of the document with the version that it was computed on, where the client can tell versions apart."""
    encoding = str_of(connection.server.workspace.position_encoding)
    span = LineIndex(choice.text).range_of(choice.edit.span, encoding)
    edit = types.TextEdit(span, choice.edit.new_text)
    document = choice.document
    uri = (workspace.root / INTENTS_FILE).as_uri() if document is None else document.uri
    if document is None or connection.host.capabilities is None or not connection.host.capabilities.document_changes:
        return types.WorkspaceEdit(changes={uri: [edit]})
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, [edit])])
