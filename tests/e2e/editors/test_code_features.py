"""Quick fixes and authors in code, as VS Code (utf-16), Neovim (utf-8) and Emacs (utf-32) would get them."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types

from tests.e2e.editors.conftest import TIMEOUT_S, Editor

INTENTS = ".orchestration/active_intents.yaml"
HOVERED = {"vscode": "markdown", "neovim": "markdown", "emacs": "plaintext"}


async def soon(answer: Any) -> Any:
    return await asyncio.wait_for(answer, TIMEOUT_S)


async def test_the_quick_fix_and_the_authors_of_a_file(editor: Editor) -> None:
    """The fix is an edit of the open intents file at the exact place, with a version where there are any."""
    intents = editor.root / INTENTS
    text = intents.read_text().replace('owned_scope: ["src/api/**", ', 'owned_scope: ["😀/é/**", "src/api/**", ')
    intents.write_text(text)
    editor.open(INTENTS)
    editor.open("docs/design.md")
    await editor.do("selectActiveIntent", intent_id="INT-001", model_identifier="claude-x")
    marks = await editor.diagnostics("docs/design.md", lambda found: len(found) == 1)
    context = types.CodeActionContext(marks, only=[types.CodeActionKind.QuickFix])
    document = types.TextDocumentIdentifier(editor.uri("docs/design.md"))
    params = types.CodeActionParams(document, marks[0].range, context)
    switch, to_file, _ = await soon(editor.client.text_document_code_action_async(params))
    assert switch.title == "Switch to INT-002 (Write the guide)"
    assert [mark.code for mark in to_file.diagnostics] == ["SCOPE_VIOLATION"]
    if editor.name == "neovim":
        ((uri, (edit,)),) = to_file.edit.changes.items()
    else:
        (change,) = to_file.edit.document_changes
        uri, (edit,) = change.text_document.uri, change.edits
        assert change.text_document.version == 1
    line = text.split("\n")[4]
    before = line[: line.index("]")]
    units = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    assert (uri, edit.new_text) == (editor.uri(INTENTS), ', "docs/design.md"')
    assert (edit.range.start, edit.range.end) == (types.Position(4, units[editor.encoding]),) * 2

    await editor.do("writeToFile", path="src/api/weather.py", content="a = '😀'\n")
    editor.open("src/api/weather.py")
    code = types.TextDocumentIdentifier(editor.uri("src/api/weather.py"))
    hover = await soon(editor.client.text_document_hover_async(types.HoverParams(code, types.Position(0, 5))))
    assert hover.contents.kind == HOVERED[editor.name]
    assert "INT-001 Build Weather API" in hover.contents.value
    (lens,) = await soon(editor.client.text_document_code_lens_async(types.CodeLensParams(code)))
    assert "claude-x" in lens.command.title
    assert lens.range.end.character == {"utf-8": 10, "utf-16": 8, "utf-32": 7}[editor.encoding]
