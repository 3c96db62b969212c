"""An editor's whole session, with what real editors announce: VS Code pulls diagnostics, Neovim and Emacs get them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.recordings.lsp_commands import initialize
from tests.recordings.speaking import Refusal, Talk
from tests.recordings.stage import FILES, INTENTS, Json, Stage

CAPABILITIES = Path(__file__).parents[1] / "data" / "capabilities"
DECLARED = ".orchestration/active_intents.yaml"
WEATHER, WORDS = FILES["src/api/weather.py"], FILES["src/api/wörter.py"]


def position(line: int, character: int) -> Json:
    """LSP's position, as a field of params."""
    return {"position": {"line": line, "character": character}}


def span(line: int, start: int, end_line: int, end: int) -> Json:
    """LSP's range."""
    return {"start": {"line": line, "character": start}, "end": {"line": end_line, "character": end}}


def editor(stage: Stage, name: str) -> None:
    """All that an editor asks while files are opened, edited, saved and closed."""
    root = stage.workspace()
    client: Json = json.loads((CAPABILITIES / f"{name}.json").read_text())["capabilities"]
    pulls = name == "vscode"
    talk = Talk(stage, root, "serve")
    talk.answers["workspace/applyEdit"] = lambda params: _applied(talk, params)
    options = {"codeLens": True, "inlayHints": True, "interactive": name == "emacs"}
    initialize(talk, client, options, clientInfo={"name": name, "version": "1"}, trace="off")
    if name != "neovim":
        talk.await_message("client/registerCapability")

    def shown(path: str, number: int) -> None:
        if pulls:
            talk.request("textDocument/diagnostic", talk.about(path, identifier="intentls"))
        else:
            talk.marks(path, number)

    stage.say("Files are opened before an intent is selected")
    for path in ("src/api/weather.py", "docs/design.md", "src/api/frozen/old.py", "src/api/wörter.py"):
        talk.open(path)
        shown(path, 1 if path == "src/api/frozen/old.py" else 0)
    stage.say("An intent is selected, by a quick fix that was offered")
    _actions(talk, "docs/design.md", [])
    talk.do("selectActiveIntent", intent_id="INT-001")
    shown("docs/design.md", 1)
    shown("src/api/frozen/old.py", 1)
    mark = {"range": span(0, 0, 0, 1), "message": "m", "source": "intentls", "code": "SCOPE_VIOLATION"}
    _actions(talk, "docs/design.md", [mark])
    _actions(talk, "src/api/weather.py", [])
    stage.say("A guarded edit of an open file, of one with astral characters, and of a closed one")
    talk.do("editFile", path="src/api/weather.py", old_string="'rain'", new_string="'snow'")
    talk.type("src/api/weather.py", WEATHER.replace("'rain'", "'snow'"))
    talk.save("src/api/weather.py", WEATHER.replace("'rain'", "'snow'"))
    stage.records(root, 1)
    talk.do("editFile", path="src/api/wörter.py", old_string="𝄞 Größe", new_string="𝄞 Höhe")
    talk.type("src/api/wörter.py", WORDS.replace("Größe", "Höhe"))
    talk.save("src/api/wörter.py", WORDS.replace("Größe", "Höhe"))
    stage.records(root, 2)
    talk.do("writeToFile", path="src/api/closed.py", content="CLOSED = True\n")
    stage.say("A person's edit, a save without a change, and a save that mixes both")
    typed = WEATHER.replace("'rain'", "'snow'").replace("'sunny'", "'bright'")
    end = 11 + len("'sunny'")
    talk.type("src/api/weather.py", "'bright'", span(1, 11, 1, end))
    talk.save("src/api/weather.py", typed)
    stage.records(root, 4)
    talk.save("src/api/weather.py", typed)
    talk.do("readFile", path="src/api/weather.py")
    talk.do("editFile", path="src/api/weather.py", old_string="def today():", new_string="def today() -> str:")
    mixed = typed.replace("def today():", "def today() -> str:") + "\n# the end\n"
    talk.type("src/api/weather.py", mixed)
    talk.save("src/api/weather.py", mixed)
    stage.records(root, 5)
    talk.do("queryTrace", limit=1)
    stage.say("What code shows")
    weather = talk.about("src/api/weather.py")
    talk.request("textDocument/codeLens", weather)
    talk.request("textDocument/inlayHint", {**weather, "range": span(0, 0, 9, 0)})
    for line in (0, 1, 3, 5, 7):
        talk.request("textDocument/hover", {**weather, **position(line, 2)})
    talk.request("textDocument/hover", talk.about("src/api/wörter.py", **position(0, 8)))
    talk.request("textDocument/hover", talk.about("docs/design.md", **position(0, 0)))
    talk.request("textDocument/inlayHint", talk.about("src/api/wörter.py", range=span(0, 0, 1, 0)))
    talk.request("textDocument/definition", {**weather, **position(0, 5)})
    talk.request("textDocument/completion", {**weather, **position(1, 4)})
    talk.request("textDocument/documentSymbol", weather)
    talk.request("textDocument/foldingRange", weather)
    _declarations(talk, shown)
    _linked(talk)
    if pulls:
        stage.say("The changed files of the working tree")
        talk.request("workspace/diagnostic", {"previousResultIds": [], "identifier": "intentls"})
    stage.say("Renamed, closed, folders changed, settings changed")
    talk.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": talk.uri(DECLARED), "type": 2}]})
    talk.notify("workspace/didChangeConfiguration", {"settings": {"intentls": {"codeLens": False}}})
    talk.request("textDocument/codeLens", weather)
    talk.notify("textDocument/didClose", talk.about("docs/design.md"))
    talk.request("textDocument/hover", talk.about("docs/design.md", **position(0, 0)))
    talk.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [
        {"uri": root.as_uri(), "name": "work"}]}})  # fmt: skip
    talk.do("listIntents")
    talk.end()
    stage.show_records(root)


def _applied(talk: Talk, params: Any) -> Json:
    """An editor that takes every edit."""
    assert params["edit"]
    return {"applied": True}


def _actions(talk: Talk, path: str, marks: list[Json]) -> None:
    context: Json = {"diagnostics": marks, "only": ["quickfix"], "triggerKind": 1}
    talk.request("textDocument/codeAction", talk.about(path, range=span(0, 0, 0, 0), context=context))


def _declarations(talk: Talk, shown: Any) -> None:
    """active_intents.yaml: what is shown of it, and what may be written."""
    talk.stage.say("The declarations")
    talk.open(DECLARED, language="yaml")
    shown(DECLARED, 5)
    file = talk.about(DECLARED)
    for method in ("documentSymbol", "foldingRange", "codeLens", "documentLink"):
        talk.request(f"textDocument/{method}", file)
    lines = INTENTS.split("\n")
    scope = next(number for number, line in enumerate(lines) if "owned_scope" in line)
    for line, character in ((1, 10), (scope, 6), (scope, 20), (scope, 35), (3, 14), (0, 3)):
        talk.request("textDocument/hover", {**file, **position(line, character)})
    talk.request("textDocument/definition", {**file, **position(1, 10)})
    talk.request("textDocument/references", {**file, **position(1, 10), "context": {"includeDeclaration": True}})
    talk.request("textDocument/references", {**file, **position(1, 10), "context": {"includeDeclaration": False}})
    for query in ("INT-00", "weather", "", "nothing of the kind"):
        talk.request("workspace/symbol", {"query": query})
    for line, character in ((3, 12), (scope, 18), (scope, 24), (2, 4), (1, 10)):
        talk.request("textDocument/completion", {**file, **position(line, character)})
    talk.stage.say("Mistakes in them, at their places")
    for number, text in (
        (4, INTENTS.replace("status: PLANNED", "status: ASLEEP").replace("INT-005", "INT-001")),
        (7, INTENTS.replace('"docs/**"', '"/docs/**", "../up", "a{b", 5').replace("name: Set", "nam: Set")),
        (1, INTENTS.replace("constraints: [", "constraints: {")),
        (1, "active_intents: 5\n"),
        (4, "active_intents:\n  - id: ''\n  - name: 𝄞 no id\n    owned_scope: '𝄞/**'\n    owned_scope: ['𝄞 /']\n"),
    ):
        talk.type(DECLARED, text)
        shown(DECLARED, number)
    talk.type(DECLARED, INTENTS)
    shown(DECLARED, 5)
    for name, number, text in (
        (".intentignore", 1, "intent: INT-003\nintent: INT-0\n*.secret\n"),
        (".orchestration/policy.yaml", 2, "mode: never\nhitl: ask\nmod: enforce\n"),
    ):
        talk.stage.write(talk.root, {name: text})
        talk.open(name, language="yaml")
        shown(name, number)
        for line, character in ((0, 9), (1, 3)):
            talk.request("textDocument/hover", talk.about(name, **position(line, character)))
            talk.request("textDocument/completion", talk.about(name, **position(line, character)))
        talk.request("textDocument/definition", talk.about(name, **position(0, 10)))
        talk.notify("textDocument/didClose", talk.about(name))
        (talk.root / name).unlink()


def _linked(talk: Talk) -> None:
    """intent_map.md and AGENT.md, whose paths and ids are links."""
    talk.stage.say("What is derived")
    talk.do("recordLesson", path="src/api/weather.py", problems="unit is m/s")
    for name in ("intent_map.md", "AGENT.md"):
        path = f".orchestration/{name}"
        talk.open(path, language="markdown")
        talk.request("textDocument/documentLink", talk.about(path))
        talk.request("textDocument/hover", talk.about(path, **position(4, 5)))
        talk.request("textDocument/definition", talk.about(path, **position(4, 5)))
        talk.notify("textDocument/didClose", talk.about(path))


def questions(stage: Stage) -> None:
    """A person at the editor: approves, rejects, expands, turns away; an editor that refuses an edit."""
    root = stage.workspace()
    client: Json = json.loads((CAPABILITIES / "vscode.json").read_text())["capabilities"]
    talk = Talk(stage, root, "serve")
    initialize(talk, client, {"proposals": True, "nonsense": 1, "trusted": "yes"})
    talk.await_message("client/registerCapability")
    do = talk.do
    question = "window/showMessageRequest"
    picks: tuple[tuple[str, Any], ...] = (
        ("Approve", {"title": "Approve"}),
        ("Reject", {"title": "Reject"}),
        ("dismissed", None),
        ("something else", {"title": "Perhaps"}),
        ("an error", Refusal(-32601, "this client can't ask")),
        ("Expand scope", {"title": "Expand scope"}),
    )
    stage.say("Without an intent")
    talk.answers[question] = lambda _: {"title": "Approve"}
    do("writeToFile", path="free.txt", content="free\n")
    do("selectActiveIntent", intent_id="INT-003")
    do("selectActiveIntent", intent_id="INT-004")
    do("selectActiveIntent", intent_id="INT-001")
    for name, answer in picks:
        stage.say(f"The answer is {name}")
        talk.answers[question] = lambda _, answer=answer: answer
        do("writeToFile", path="docs/design.md", content=f"# {name}\n")
        do("deleteFile", path="src/api/generated/schema.py")
        do("writeToFile", path="src/api/key.secret", content=f"{name}\n")
    stage.say("Other tools that are asked about")
    talk.answers[question] = lambda _: {"title": "Approve"}
    (root / "src/api/generated/schema.py").write_text("S = 1\n")
    do("preToolUse", tool_name="write_to_file", params={"path": "prototype/main.py"})
    do("renameFile", path="prototype/main.py", new_path="prototype/start.py")
    do("editFile", path="src/api/frozen/old.py", old_string="OLD", new_string="AGED")
    do("editFile", path="src/api/frozen/old.py", old_string="absent", new_string="x")
    do("readFile", path="src/api/weather.py")
    (root / "src/api/weather.py").write_text("stale = 1\n")
    do("writeToFile", path="src/api/weather.py", content="stale = 2\n")
    do("checkEdit", path="prototype/start.py")
    stage.say("Never asked about")
    do("writeToFile", path="../out.txt", content="a")
    do("writeToFile", path=".git/config", content="a")
    do("writeToFile", path="src/api/a.py", content="a", intent_id="INT-002")
    stage.say("An editor that does not take an edit, or takes it and saves")
    talk.open("src/api/weather.py")
    for answer in ({"applied": False, "failureReason": "read-only"}, Refusal(-32603, "broken"), {"applied": True}):
        talk.answers["workspace/applyEdit"] = lambda _, answer=answer: answer
        do("editFile", path="src/api/weather.py", old_string="stale", new_string="fresh")
    talk.end()
    stage.show_records(root)
