"""`textDocument/codeAction`: expand a scope for a file that is out of scope, or select an intent.

A scope is expanded by an edit of the file that declares the intent if it is open in the editor; else by
`intent.expandScope`, which writes the file and records the reason. An edit of a file that is not open would stay
unsaved, and the gate, which reads the disk, would still refuse.
"""

from __future__ import annotations

from lsprotocol import types

from intentls.core.gate.refusal import Code
from intentls.engine.editor.quick_fixes import Expansion, QuickFixes, Selection, quick_fixes
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.lsp.connection import LspConnection
from intentls.faces.lsp.convert import SOURCE
from intentls.faces.lsp.protocol.line_index import LineIndex


async def code_action(
    connection: LspConnection, params: types.CodeActionParams
) -> list[types.CodeAction | types.Command]:
    """The quick fixes; as commands for clients without literal code actions."""
    path = connection.host.path(params.text_document.uri)
    if path is None or not _wants_quick_fixes(params.context):
        return []

    def query() -> tuple[Workspace, str, QuickFixes] | None:
        governed = connection.engine.governing(path)
        if governed is None:
            return None
        return *governed, quick_fixes(connection.engine, *governed, connection.session_id)

    result = await connection.queries.run(query)
    if result is None or not _is_shown(params, result[2]):
        return []
    workspace, relative, fixes = result
    if not connection.host.capabilities.literal_code_actions:
        return [_command(choice, relative) for choice in fixes.choices]
    violations = [
        diagnostic
        for diagnostic in params.context.diagnostics
        if (diagnostic.source, diagnostic.code) == (SOURCE, Code.SCOPE_VIOLATION)
    ]
    return [
        _action(connection, workspace, relative, choice, violations, preferred=choice is fixes.preferred)
        for choice in fixes.choices
    ]


def _wants_quick_fixes(context: types.CodeActionContext) -> bool:
    """`only` names kinds of actions; a kind includes its sub-kinds, and the empty one includes all."""
    return context.only is None or any(kind in ("", types.CodeActionKind.QuickFix) for kind in context.only)


def _is_shown(params: types.CodeActionParams, fixes: QuickFixes) -> bool:
    """Fixes of the whole file are shown where its diagnostic is; on other lines only on the user's request."""
    if params.context.trigger_kind != types.CodeActionTriggerKind.Automatic:
        return True
    return params.range.start.line == 0 or (fixes.out_of_scope and bool(params.context.diagnostics))


def _action(
    connection: LspConnection,
    workspace: Workspace,
    path: str,
    choice: Expansion | Selection,
    violations: list[types.Diagnostic],
    *,
    preferred: bool,
) -> types.CodeAction:
    in_editor = isinstance(choice, Expansion) and choice.document is not None
    edit = _workspace_edit(connection, workspace, choice) if isinstance(choice, Expansion) and in_editor else None
    return types.CodeAction(
        choice.title,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=violations or None,
        is_preferred=preferred or None,
        edit=edit,
        command=None if in_editor else _command(choice, path),
    )


def _command(choice: Expansion | Selection, path: str) -> types.Command:
    intent = {"intent_id": choice.intent_id} | ({} if choice.root is None else {"root": choice.root.as_posix()})
    if isinstance(choice, Selection):
        return types.Command(choice.title, "intent.selectActiveIntent", arguments=[intent])
    reason = f"quick fix in the editor: {path} was out of scope"
    arguments = {**intent, "glob": choice.glob, "reason": reason}
    return types.Command(choice.title, "intent.expandScope", arguments=[arguments])


def _workspace_edit(connection: LspConnection, workspace: Workspace, choice: Expansion) -> types.WorkspaceEdit:
    """The edit of the declaring file; of the version it was computed on, where the client supports versions."""
    range_ = LineIndex(choice.text).range_of(choice.edit.span, connection.host.encoding)
    edit = types.TextEdit(range_, choice.edit.new_text)
    document = choice.document
    uri = (workspace.root / choice.path).as_uri() if document is None else document.uri
    if document is None or not connection.host.capabilities.document_changes:
        return types.WorkspaceEdit(changes={uri: [edit]})
    identifier = types.OptionalVersionedTextDocumentIdentifier(uri=uri, version=document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(identifier, [edit])])
