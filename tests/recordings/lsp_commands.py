"""Every command of the language server: its success, its refusals, its malformed arguments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.recordings.speaking import Talk
from tests.recordings.stage import FILES, INTENTS, Json, Stage, content_hash

WEATHER = FILES["src/api/weather.py"]
PATCH = """\
diff --git a/src/api/weather.py b/src/api/weather.py
--- a/src/api/weather.py
+++ b/src/api/weather.py
@@ -1,2 +1,2 @@
 def today():
-    return 'sunny'
+    return 'fog'
diff --git a/src/api/new.py b/src/api/new.py
new file mode 100644
--- /dev/null
+++ b/src/api/new.py
@@ -0,0 +1 @@
+NEW = True
diff --git a/src/api/wörter.py b/src/api/words.py
similarity index 100%
rename from src/api/wörter.py
rename to src/api/words.py
"""
COMMANDS: tuple[tuple[str, Json], ...] = (
    ("listIntents", {}),
    ("selectActiveIntent", {"intent_id": "INT-001"}),
    ("getActiveIntent", {}),
    ("clearActiveIntent", {}),
    ("readFile", {"path": "docs/design.md"}),
    ("checkEdit", {"path": "src/api/weather.py"}),
    ("writeToFile", {"path": "src/api/x.py", "content": "x = 1\n"}),
    ("editFile", {"path": "src/api/weather.py", "old_string": "sunny", "new_string": "dry"}),
    ("applyPatch", {"patch": PATCH}),
    ("deleteFile", {"path": "src/api/x.py"}),
    ("renameFile", {"path": "src/api/x.py", "new_path": "src/api/y.py"}),
    ("preToolUse", {"tool_name": "write_to_file", "params": {"path": "src/api/x.py"}}),
    ("postToolUse", {"tool_name": "write_to_file", "params": {"path": "src/api/x.py"}, "success": True}),
    ("setStatus", {"intent_id": "INT-001", "status": "BLOCKED"}),
    ("expandScope", {"intent_id": "INT-001", "glob": "lib/**", "reason": "for the library"}),
    ("recordLesson", {"path": "src/api/weather.py", "problems": "unit is m/s"}),
    ("queryTrace", {}),
    ("verifyTrace", {}),
    ("blame", {"path": "src/api/weather.py"}),
    ("getProtocolPrompt", {}),
)


def initialize(talk: Talk, capabilities: Json | None = None, options: Json | None = None, **more: Any) -> None:
    """The handshake of a client with these capabilities."""
    params: Json = {"processId": None, "rootUri": talk.root.as_uri(), "capabilities": capabilities or {}}
    params["workspaceFolders"] = [{"uri": talk.root.as_uri(), "name": talk.root.name}]
    if options is not None:
        params["initializationOptions"] = options
    talk.request("initialize", {**params, **more})
    talk.notify("initialized", {})


def commands(stage: Stage) -> None:
    """Each command with success, in the order in which a session uses them."""
    root = stage.workspace()
    stage.write(root, {".orchestration/policy.yaml": "linters: []\n"})
    talk = Talk(stage, root, "serve")
    initialize(talk)
    do = talk.do
    do("listIntents")
    do("getActiveIntent")
    do("getProtocolPrompt")
    do("selectActiveIntent", intent_id="INT-001", model_identifier="acme/model-7")
    do("selectActiveIntent", intent_id="INT-001", mutation_class="DOCS_UPDATE", model_identifier="acme/model-7")
    do("selectActiveIntent", intent_id="INT-001", model_identifier="acme/model-7")
    do("getActiveIntent")
    do("getProtocolPrompt")
    stage.say("Reading and judging")
    do("readFile", path="src/api/weather.py")
    do("readFile", path=str(root / "docs/design.md"))
    do("readFile", path=talk.uri("src/api/wörter.py"))
    do("readFile", path="src/api/none.py")
    do("checkEdit", path="src/api/weather.py")
    do("checkEdit", paths=["src/api/a.py", "tests/api/test_a.py"], tool_name="apply_patch")
    do("checkEdit", path="docs/design.md", tool_name="read_file")
    do("checkEdit", tool_name="execute_command")
    stage.say("Guarded edits")
    do("writeToFile", path="src/api/x.py", content="def x():\n    return 1\n")
    do("writeToFile", path="src/api/x.py", content="def x():\n    return 1\n")
    do("writeToFile", path="src//api/../api/x.py", content="def x():\n    return 2\n", mutation_class="BUG_FIX")
    do("writeToFile", path="src/api/note.md", content="# Note\n", intent_id="INT-001", model_identifier="acme/other")
    do("editFile", path="src/api/weather.py", old_string="'rain'", new_string="'snow'")
    do("editFile", path="src/api/weather.py", old_string="return", new_string="return ", replace_all=True)
    base = WEATHER.replace("'rain'", "'snow'").replace("return", "return ")
    do("writeToFile", path="src/api/weather.py", content=WEATHER, expected_content_hash=content_hash(base))
    do("editFile", path="src/api/weather.py", old_string="def today():", new_string="def now():",
       mutation_class="AST_REFACTOR")  # fmt: skip
    do("writeToFile", path="src/api/weather.py", content=WEATHER)
    do("applyPatch", patch=PATCH)
    do("renameFile", path="src/api/x.py", new_path="src/api/deep/y.py")
    do("deleteFile", path="src/api/note.md")
    stage.say("A host that runs its own tools")
    before = do("preToolUse", tool_name="write_to_file", params={"path": "src/api/own.py", "content": "own = 1\n"})
    (root / "src/api/own.py").write_text("own = 1\n")
    own: Json = {"tool_name": "write_to_file", "params": {"path": "src/api/own.py"}, "success": True}
    do("postToolUse", **own, pre_hash=before["pre_hash"])
    do("preToolUse", tool_name="read_file", params={"path": "docs/design.md"})
    do("preToolUse", tool_name="execute_command", params={"command": "make"})
    do("preToolUse", tool_name="launch_rocket", params={"path": "src/api/own.py"})
    do("postToolUse", tool_name="edit_file", params={"path": "src/api/own.py"}, success=False, error="disk full")
    stage.say("Declarations, lessons and the ledger")
    do("setStatus", intent_id="INT-002", status="IN_PROGRESS")
    do("setStatus", intent_id="INT-002", status="in_progress")
    do("expandScope", intent_id="INT-001", path="lib/a.py", reason="the library is its own now")
    do("expandScope", intent_id="INT-001", glob="lib/b/**", reason="and more")
    do("expandScope", intent_id="INT-001", glob="lib/b/**", reason="once more")
    do("writeToFile", path="lib/a.py", content="A = 1\n")
    do("recordLesson", path="src/api/weather.py", problems="The unit of wind speed is m/s.\nNot km/h.")
    do("recordLesson", path="src/api/weather.py", problems="The unit of wind speed is m/s.")
    span = {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 4}}
    problem = {"range": span, "severity": 1, "code": "E501", "source": "ruff", "message": "line too long"}
    do("recordLesson", path="src/api/weather.py", problems=[problem, {**problem, "severity": 4, "message": "style"}])
    do("selectActiveIntent", intent_id="INT-001")
    do("queryTrace", limit=2)
    do("queryTrace", path="src/api/new.py")
    do("queryTrace", intent_id="INT-002", since="2026-02-18T10:00:00Z")
    do("queryTrace", path="src/api/none.py")
    do("verifyTrace")
    do("blame", path="src/api/weather.py")
    do("blame", path="src/api/weather.py", line=2)
    do("blame", path="docs/design.md")
    do("blame", path="src/api/words.py")
    do("clearActiveIntent")
    do("getActiveIntent")
    stage.say("Another session on the same connection")
    do("selectActiveIntent", intent_id="INT-002", session_id="guest")
    do("writeToFile", path="docs/guide.md", content="# Guide\n", session_id="guest")
    do("getActiveIntent", session_id="guest")
    do("queryTrace", session_id="guest")
    do("getActiveIntent")
    talk.end()
    stage.show_records(root)


def refusals(stage: Stage) -> None:
    """Each code of the gate, by each command that it can stop."""
    root = stage.workspace()
    talk = Talk(stage, root, "serve")
    initialize(talk)
    do = talk.do
    stage.say("INTENT_REQUIRED")
    for name, arguments in COMMANDS[5:12]:
        do(name, **arguments)
    stage.say("INTENT_NOT_FOUND, INTENT_CLOSED, INTENT_IGNORED: at the selection")
    for intent in ("INT-999", "INT-003", "INT-004"):
        do("selectActiveIntent", intent_id=intent)
    stage.say("The same after the selection")
    declared = root / ".orchestration/active_intents.yaml"
    do("selectActiveIntent", intent_id="INT-005")
    declared.write_text(INTENTS.replace("INT-005", "INT-006"))
    do("writeToFile", path="any.txt", content="a\n")
    declared.write_text(INTENTS.replace("status: BLOCKED", "status: ABANDONED"))
    do("writeToFile", path="any.txt", content="a\n")
    declared.write_text(INTENTS)
    (root / ".intentignore").write_text("intent: INT-005\n")
    do("writeToFile", path="any.txt", content="a\n")
    (root / ".intentignore").write_text("*.secret\nsrc/api/frozen/\n")
    do("selectActiveIntent", intent_id="INT-001")
    stage.say("INTENT_MISMATCH")
    do("writeToFile", path="src/api/a.py", content="a\n", intent_id="INT-002")
    do("checkEdit", path="src/api/a.py", intent_id="INT-002")
    stage.say("PATH_OUTSIDE_WORKSPACE and PROTECTED_PATH")
    for path in (
        *("../out.txt", "/etc/hosts", ".git/config", ".orchestration/agent_trace.jsonl", ".GIT/hooks/x"),
        *(".orchestration/active_intents.yaml", ".orchestration/policy.yaml", ".claude/settings.json"),
    ):
        do("writeToFile", path=path, content="a\n")
    do("readFile", path="/etc/hosts")
    do("renameFile", path="src/api/weather.py", new_path="../weather.py")
    stage.say("INTENTIGNORE_PATH_BLOCKED")
    do("writeToFile", path="src/api/key.secret", content="a\n")
    do("deleteFile", path="src/api/frozen/old.py")
    stage.say("SCOPE_VIOLATION")
    do("writeToFile", path="docs/design.md", content="a\n")
    do("editFile", path="src/api/generated/schema.py", old_string="{}", new_string="[]")
    do("applyPatch", patch=PATCH.replace("src/api/new.py", "lib/new.py"))
    do("renameFile", path="src/api/weather.py", new_path="docs/weather.py")
    do("checkEdit", paths=["src/api/a.py", "docs/design.md", "lib/a.py"])
    do("preToolUse", tool_name="write_to_file", params={"path": "docs/design.md"})
    do("preToolUse", tool_name="launch_rocket", params={"path": "lib/rocket"})
    do("postToolUse", tool_name="write_to_file", params={"path": "docs/design.md"}, success=True)
    stage.say("STALE_CONTEXT")
    do("readFile", path="src/api/weather.py")
    (root / "src/api/weather.py").write_text(WEATHER + "# more\n")
    do("writeToFile", path="src/api/weather.py", content="a = 1\n")
    do("checkEdit", path="src/api/weather.py")
    do("editFile", path="src/api/wörter.py", old_string="wort", new_string="w", expected_content_hash=content_hash("x"))
    do("applyPatch", patch=PATCH)
    do("applyPatch", patch=PATCH.replace("sunny", "cloudy"))
    do("readFile", path="src/api/weather.py")
    do("editFile", path="src/api/weather.py", old_string="# more\n", new_string="")
    stage.say("HOOK_ERROR")
    declared.write_text(INTENTS.replace("INT-002", "INT-001"))
    for name, arguments in COMMANDS:
        do(name, **arguments)
    declared.write_text(INTENTS)
    do("checkEdit", path="src/api/a.py")
    do("setStatus", intent_id="INT-001", status="COMPLETED")
    do("queryTrace", limit=1)
    talk.end()
    stage.show_records(root)


def policies(stage: Stage) -> None:
    """What a policy changes of the gate."""
    root = stage.workspace()
    file = root / ".orchestration/policy.yaml"
    talk = Talk(stage, root, "serve")
    initialize(talk)
    do = talk.do
    do("selectActiveIntent", intent_id="INT-001")
    for policy in ("require_base: true\n", "mode: advise\n", "hitl: deny\n", "trace_on_save: false\n",
                   'protected: ["src/api/w*"]\n', "mode: sometimes\nunknown: 1\n", "- not a mapping\n"):  # fmt: skip
        stage.say(policy)
        file.write_text(policy)
        do("writeToFile", path="src/api/weather.py", content=f"# {len(policy)}\n")
        do("checkEdit", path="docs/design.md")
        do("writeToFile", path="docs/design.md", content=f"# {policy}")
    stage.say("an empty scope")
    file.write_text("empty_scope: deny\n")
    do("selectActiveIntent", intent_id="INT-005")
    do("writeToFile", path="docs/any.md", content="# Any\n")
    stage.say("invalid intents let through")
    file.write_text("on_invalid: allow\n")
    (root / ".orchestration/active_intents.yaml").write_text("active_intents: 5\n")
    do("writeToFile", path="docs/any.md", content="# Any\n")
    do("checkEdit", path="docs/any.md")
    (root / ".orchestration/active_intents.yaml").unlink()
    do("writeToFile", path="docs/any.md", content="# Any more\n")
    talk.end()
    stage.show_records(root)


def malformed(stage: Stage) -> None:
    """-32602 and its texts; nothing is recorded."""
    root = stage.workspace()
    talk = Talk(stage, root, "serve")
    initialize(talk)
    talk.do("selectActiveIntent", intent_id="INT-001")
    for name, arguments in COMMANDS:
        stage.say(name)
        talk.do(name, **{**arguments, "colour": "red"})
        for key in arguments:
            talk.do(name, **{other: value for other, value in arguments.items() if other != key})
            talk.do(name, **{**arguments, key: 5 if isinstance(arguments[key], str) else "text"})
            if isinstance(arguments[key], str):
                talk.do(name, **{**arguments, key: ""})
        talk.do(name, **{**arguments, "session_id": 5})
    stage.say("Values that make no sense")
    weather = {"path": "src/api/weather.py"}
    talk.do("selectActiveIntent", intent_id="INT-001", mutation_class="WONDER")
    talk.do("writeToFile", **weather, content="a", mutation_class="WONDER")
    talk.do("writeToFile", **weather, content="a", expected_content_hash="sha256:abc")
    talk.do("editFile", **weather, old_string="absent", new_string="x")
    talk.do("editFile", **weather, old_string="return", new_string="x")
    talk.do("editFile", path="src/api/none.py", old_string="a", new_string="x")
    talk.do("applyPatch", patch="no patch")
    talk.do("applyPatch", patch=PATCH.replace("@@ -1,2 +1,2 @@", "@@ -1,9 +1,2 @@"))
    talk.do("deleteFile", path="src/api/none.py")
    talk.do("renameFile", path="src/api/none.py", new_path="src/api/n.py")
    talk.do("renameFile", **weather, new_path="src/api/wörter.py")
    for path in ("src/api", "src/api/a\0b", "src/api/" + "a" * 300, "src/api/weather.py/a"):
        talk.do("writeToFile", path=path, content="a")
        talk.do("readFile", path=path)
    talk.do("checkEdit", path="a", paths=["b"])
    talk.do("setStatus", intent_id="INT-001", status="ASLEEP")
    talk.do("setStatus", intent_id="INT-999", status="TODO")
    talk.do("expandScope", intent_id="INT-001", reason="r")
    for glob in ("/abs", "../up/**", "a/", "./a", "+(a|b)", "[[:alpha:]]", "a{", ".orchestration/**"):
        talk.do("expandScope", intent_id="INT-001", glob=glob, reason="r")
    talk.do("expandScope", intent_id="INT-999", glob="a", reason="r")
    talk.do("recordLesson", path="src/api/weather.py", problems=[{"message": 5}])
    for limit in (0, 10_001, "2"):
        talk.do("queryTrace", limit=limit)
    talk.do("queryTrace", since="yesterday")
    for line in (0, 99):
        talk.do("blame", **weather, line=line)
    talk.do("blame", path="src/api/none.py")
    talk.do("preToolUse", tool_name="apply_patch", params={"patch": "none"})
    talk.do("preToolUse", tool_name="write_to_file", params={"path": 5})
    talk.do("postToolUse", tool_name="write_to_file", params={"path": "src/api/weather.py"}, success=True, pre_hash="x")
    stage.say("No command, or not its form")
    talk.request("workspace/executeCommand", {"command": "intent.fly", "arguments": []})
    talk.request("workspace/executeCommand", {"command": "intent.readFile"})
    talk.request("workspace/executeCommand", {"command": "intent.readFile", "arguments": ["docs/design.md"]})
    talk.request("workspace/executeCommand", {"command": "intent.listIntents", "arguments": [{}, {}]})
    talk.request("workspace/executeCommand", {"arguments": [{}]})
    talk.request("textDocument/hover", {"textDocument": 5})
    talk.request("intents/none")
    talk.end()
    talk_without_beginning(stage, root)
    stage.show_records(root)


def talk_without_beginning(stage: Stage, root: Path) -> None:
    """Requests before `initialize`, a second one, and requests after `shutdown`."""
    talk = Talk(stage, root, "serve")
    talk.request("workspace/executeCommand", {"command": "intent.listIntents"})
    initialize(talk)
    talk.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    talk.request("shutdown")
    talk.do("listIntents")
    talk.notify("exit")
    talk.leave()
