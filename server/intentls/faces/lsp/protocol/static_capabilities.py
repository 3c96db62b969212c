"""The answer to `initialize` in plain JSON values, so that it can be sent before the server is loaded.

`early_initialize` sends it. The loaded server compares it with what its registry offers, and ends if they differ; a
test compares the two for the capabilities that real editors announce.
"""

from __future__ import annotations

from typing import Any

import intentls

ENCODINGS = ("utf-8", "utf-16", "utf-32")

COMMAND_IDS = (
    *("intent.listIntents", "intent.selectActiveIntent", "intent.getActiveIntent", "intent.clearActiveIntent"),
    *("intent.readFile", "intent.checkEdit", "intent.writeToFile", "intent.editFile", "intent.applyPatch"),
    *("intent.deleteFile", "intent.renameFile", "intent.preToolUse", "intent.postToolUse", "intent.setStatus"),
    *("intent.expandScope", "intent.recordLesson", "intent.queryTrace", "intent.search", "intent.verifyTrace"),
    *("intent.blame", "intent.getProtocolPrompt"),
)


def initialize_result(encoding: str, *, pulls_diagnostics: bool) -> dict[str, Any]:
    """The result of `initialize` for a client that counts columns in `encoding`, and pulls diagnostics or not."""
    offered: dict[str, Any] = {
        "positionEncoding": encoding,
        "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
        "completionProvider": {"triggerCharacters": ['"', "'", "/", ":", " ", "!", "-"], "resolveProvider": False},
        "hoverProvider": True,
        "definitionProvider": True,
        "referencesProvider": True,
        "documentSymbolProvider": True,
        "codeActionProvider": {"codeActionKinds": ["quickfix"], "resolveProvider": False},
        "codeLensProvider": {"resolveProvider": False},
        "documentLinkProvider": {"resolveProvider": False},
        "workspaceSymbolProvider": {"resolveProvider": False},
        "foldingRangeProvider": True,
        "executeCommandProvider": {"commands": list(COMMAND_IDS), "workDoneProgress": True},
        "inlayHintProvider": {"resolveProvider": False},
        "workspace": {
            "workspaceFolders": {"supported": True, "changeNotifications": True},
            "fileOperations": {},
        },
    }
    if pulls_diagnostics:
        options = {"interFileDependencies": True, "workspaceDiagnostics": True, "identifier": "intentls"}
        offered["diagnosticProvider"] = options
    return {"capabilities": offered, "serverInfo": {"name": "intentls", "version": intentls.__version__}}
