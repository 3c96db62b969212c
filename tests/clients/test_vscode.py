"""A real VS Code with the packed extension, used as a person uses it: with a mouse and a keyboard."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import intentls
from tests.clients.installing import skip_or_fail
from tests.support.agent_edits import Agent
from tests.support.session import ledger_of
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace, write_files

if TYPE_CHECKING:
    from tests.clients.vscode.provision import Tools
    from tests.clients.vscode.workbench import Workbench

EXTENSION = Path(__file__).parents[2] / "client-vscode"
ARTIFACTS = Path(__file__).parents[1] / "artifacts" / "vscode"


# What an agent in this window would call, bound to keys so that a test can press them.
ASK_TO_WRITE, EDIT, PATCH, RENAME = "Control+Alt+1", "Control+Alt+2", "Control+Alt+3", "Control+Alt+4"
MODEL = "anthropic/claude-opus-4-5"
SEVERAL_FILES = """\
diff --git a/prototype/main.py b/prototype/main.py
--- a/prototype/main.py
+++ b/prototype/main.py
@@ -1 +1 @@
-print('hello')
+print('rain')
diff --git a/docs/plan.md b/docs/plan.md
new file mode 100644
--- /dev/null
+++ b/docs/plan.md
@@ -0,0 +1 @@
+# The plan
"""
KEYS = [
    {
        "key": ASK_TO_WRITE.lower().replace("control", "ctrl"),
        "command": "intent.writeToFile",
        "args": {"path": "docs/notes.md", "content": "# Notes\n\nWritten by an agent.\n", "model_identifier": MODEL},
    },
    {
        "key": EDIT.lower().replace("control", "ctrl"),
        "command": "intent.editFile",
        "args": {
            "path": "docs/design.md",
            "old_string": "# Design\n",
            "new_string": "# Design\n\nForecasts come from stations.\n",
            "model_identifier": MODEL,
        },
    },
    {
        "key": RENAME.lower().replace("control", "ctrl"),
        "command": "intent.editFile",
        "args": {
            "path": "src/api/weather.py",
            "old_string": "def tomorrow():",
            "new_string": "def next_day():",
            "model_identifier": MODEL,
        },
    },
    {
        "key": PATCH.lower().replace("control", "ctrl"),
        "command": "intent.applyPatch",
        "args": {"patch": SEVERAL_FILES, "model_identifier": MODEL},
    },
]


@pytest.fixture(scope="session")
def tools() -> Tools:
    """VS Code, Chromium and our extension, packed."""
    try:
        from tests.clients.vscode.provision import NotHere, provision
    except ImportError as error:
        skip_or_fail(f"VS Code is tried on Linux, with the dev extra ({error})")
        raise
    for old in ARTIFACTS.glob("*.png"):
        old.unlink()
    try:
        return provision()
    except NotHere as error:
        skip_or_fail(str(error))
        raise


def test_the_package_says_what_the_extension_does() -> None:
    """Each command that is declared is registered, none of the server's is; the version is written nowhere but in the
    server; and the lock file names no host to download from.
    """
    manifest = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    lock = json.loads((EXTENSION / "package-lock.json").read_text("utf-8"))
    source = (EXTENSION / "src" / "extension.ts").read_text("utf-8")
    declared = {command["command"] for command in manifest["contributes"]["commands"]}
    registered = {f"intentls.{name}" for name in re.findall(r"^  command\('(\w+)'", source, flags=re.MULTILINE)}
    assert manifest["version"] == lock["version"] == "0.0.0"  # packing takes the server's
    assert declared == registered - {"intentls.openChange"}  # that one only lines of the view run
    assert not any("resolved" in package for package in lock["packages"].values())


def test_the_extension_passes_its_own_linter_and_unit_tests() -> None:
    """`npm run check`, `npm run lint` and `npm test` in client-vscode."""
    try:
        from tests.clients.vscode.provision import NotHere, check_extension
    except ImportError as error:
        skip_or_fail(f"the extension is checked on Linux, with the dev extra ({error})")
        raise
    try:
        check_extension()
    except NotHere as error:
        skip_or_fail(str(error))


def test_the_packed_extension_has_the_version_of_the_server(tools: Tools) -> None:
    """It is read from the server when the extension is packed."""
    with zipfile.ZipFile(tools.vsix) as package:
        assert json.loads(package.read("extension/package.json"))["version"] == intentls.__version__


def test_a_person_in_vscode_selects_sees_fixes_answers_saves_and_looks_back(tools: Tools, tmp_path: Path) -> None:
    """Select an intent, see the squiggle and fix it, answer an approval both ways, save, see the trace; the
    server is the copy in the package.
    """
    from tests.clients.vscode.workbench import workbench  # needs what `tools` has made sure of

    folder = make_workspace(tmp_path / "weather")
    write_files(folder, {"src/api/cities.json": '{\n  "Oslo": 4\n}\n'})
    with workbench(tools, folder, tmp_path / "run", ARTIFACTS, KEYS) as window:
        _day(window, folder)
        _every_server(window, folder, tmp_path / "run")


def test_the_extension_rests_until_there_are_intents(tools: Tools, tmp_path: Path) -> None:
    """In a folder without intents no server runs, until the view is opened; then intents that appear are seen."""
    from tests.clients.vscode.workbench import servers, workbench

    run = tmp_path / "run"
    folder = make_workspace(tmp_path / "weather", intents=None)
    with workbench(tools, folder, run, ARTIFACTS) as window:
        window.open("src", "api", "weather.py")
        assert servers(run) == []
        window.show("Intents")
        window.page.locator(".welcome-view-content", has_text="nothing is checked").first.wait_for()
        window.shot("30-no-intents")
        assert len(servers(run)) == 1
        make_workspace(folder)
        window.status("No intent").wait_for()
        intents = folder / ".orchestration/active_intents.yaml"
        good = intents.read_text()
        intents.write_text(good.replace("status:", "status: [", 1))
        window.status("Agents blocked").wait_for()
        window.tree_row("All agent edits are blocked").wait_for()
        window.shot("31-broken")
        window.status("Agents blocked, line 5").wait_for()
        intents.write_text(good)
        window.status("No intent").wait_for()
        _other_branch(window, folder)


def _other_branch(window: Workbench, folder: Path) -> None:
    """Git goes to a branch that declares no intents, and back."""
    (folder / ".orchestration").rename(folder.parent / "kept")
    make_git_repo(folder)
    (folder.parent / "kept").rename(folder / ".orchestration")
    git(folder, "switch", "--quiet", "--create", "work")
    commit_all(folder, "Declare intents")
    git(folder, "switch", "--quiet", "main")
    window.status("No intents on this branch").wait_for()
    window.shot("32-other-branch")
    git(folder, "switch", "--quiet", "work")
    window.status("No intents on this branch").wait_for(state="detached")
    window.status("No intent").wait_for()


def test_nothing_in_an_untrusted_workspace_is_run(tools: Tools, tmp_path: Path) -> None:
    """Neither what its settings name nor its .venv starts before a person trusts it; then its own server does."""
    from tests.clients.vscode.workbench import servers, workbench

    run = tmp_path / "run"
    folder = make_workspace(tmp_path / "weather")
    trap, sprung = folder / "trap", tmp_path / "sprung"
    trap.write_text(f"#!/bin/sh\ntouch {sprung}\n")
    trap.chmod(0o755)
    write_files(folder, {".vscode/settings.json": json.dumps({"intentls.server.path": str(trap)})})
    (folder / ".venv").symlink_to(sys.prefix)
    with workbench(tools, folder, run, ARTIFACTS, trusted=False) as window:
        window.status("No intent").wait_for()
        window.shot("20-restricted")
        (only,) = servers(run)
        assert "bundled/launch.py" in only and not sprung.exists()
        (folder / ".vscode/settings.json").unlink()
        window.command("Workspaces: Manage Workspace Trust")
        window.page.locator(".workspace-trust-editor .monaco-button", has_text="Trust").first.click()
        window.until("the workspace's own", lambda: [".venv/bin/python" in each for each in servers(run)] == [True])


def _day(window: Workbench, folder: Path) -> None:
    _select(window)
    _fix(window, folder)
    _answer(window, folder)
    _answer_several(window, folder)
    _save(window, folder)
    _beside_agents(window, folder)
    _lesson(window, folder)
    _look_back(window)
    _create(window)


def _select(window: Workbench) -> None:
    window.widen_sidebar()
    window.open("docs", "design.md")
    window.status("No intent").wait_for()
    window.shot("01-no-intent")
    window.status("No intent").click()
    window.row("INT-002").wait_for()
    assert "src/api/**" in window.row("INT-001").inner_text() and "IN_PROGRESS" in window.row("INT-001").inner_text()
    window.shot("02-select")
    window.choose("INT-001")
    window.status("INT-001").wait_for()


def _fix(window: Workbench, folder: Path) -> None:
    window.squiggle.wait_for(state="attached")
    window.command("Problems: Focus on Problems View")
    problem = window.page.locator(".markers-panel .monaco-list-row", has_text="is outside the scope of INT-001")
    problem.wait_for()
    assert "INT-002" in problem.inner_text()
    window.shot("03-out-of-scope")
    fixes = window.quick_fix("Design")
    window.shot("04-quick-fix")
    fixes.filter(has_text="Expand scope of INT-001 to this file").click()
    window.squiggle.wait_for(state="detached")
    problem.wait_for(state="detached")
    window.shot("05-fixed")
    assert "docs/design.md" in (folder / ".orchestration/active_intents.yaml").read_text()


def _answer(window: Workbench, folder: Path) -> None:
    window.page.keyboard.press("Control+J")  # the panel has served
    question, notes = "docs/notes.md", folder / "docs/notes.md"
    window.press(ASK_TO_WRITE, question)
    window.status("1 question").wait_for()
    window.intents_view()
    window.tree_row("Waiting for your answer").wait_for()
    window.shot("06-question")
    window.answer(question, "Diff")
    window.line("Written by an agent.", ".monaco-diff-editor").wait_for()
    window.shot("07-proposed-changes")
    window.tab_button("Reject").click()
    window.tree_row("Waiting for your answer").wait_for(state="detached")
    window.page.locator(".monaco-diff-editor").wait_for(state="detached")
    assert not notes.exists()
    window.press(ASK_TO_WRITE, question)
    window.answer(question, "Allow Once")
    window.until("the approved file", notes.exists)
    window.tree_row("created").wait_for()
    window.shot("08-approved")
    answers = [record.get("override", {}).get("action") for record in ledger_of(folder) if not _is_save(record)]
    assert answers[-2:] == [None, "Approve"]
    # the third time the notification is closed: the question stays, and is answered in the view
    notes.write_text("By somebody else.\n")
    window.press(ASK_TO_WRITE, question)
    window.dismiss(question)
    window.status("1 question").wait_for()
    window.tree_row("claude-opus-4-5 · INT-001").hover()
    window.tree_row("claude-opus-4-5 · INT-001").locator("a[aria-label^=Reject]").click()
    window.tree_row("Waiting for your answer").wait_for(state="detached")
    assert window.status("1 question").count() == 0
    assert notes.read_text() == "By somebody else.\n"
    window.page.keyboard.press("Escape")


def _answer_several(window: Workbench, folder: Path) -> None:
    """A patch of two files: one tab shows both, and is closed with the answer."""
    window.press(PATCH, "prototype/main.py")
    window.answer("prototype/main.py", "Diff")
    window.page.locator(".tab.active", has_text="prototype/main.py and 1 more").wait_for()
    several = ".multiDiffEditor, .monaco-component.multiDiffEditor"
    for text in ("print('hello')", "print('rain')", "# The plan"):
        window.line(text, several).wait_for()
    window.shot("08-several-files")
    headers = window.page.locator(several).locator(".header-content").all_inner_texts()
    assert [("main.py" in header, "plan.md" in header) for header in headers] == [(True, False), (False, True)]
    window.tab_button("Allow Once").click()
    window.page.locator(".tab", has_text="prototype/main.py and 1 more").wait_for(state="detached")
    window.until("the patch", (folder / "docs/plan.md").exists)
    assert (folder / "prototype/main.py").read_text() == "print('rain')\n"


def _save(window: Workbench, folder: Path) -> None:
    window.open("docs", "design.md")
    window.line("Design").click()
    window.page.keyboard.press(
        EDIT
    )  # in scope by now: no question, and as the file is open, it is the editor that edits
    window.line("Forecasts come from stations.").wait_for()
    window.type_at_end("Checked by hand.\n")
    window.page.keyboard.press("Control+S")
    window.until("the save's record", lambda: any(map(_is_save, ledger_of(folder))))
    window.page.keyboard.press("ArrowUp")
    window.wait_for_line_end("just now · INT-001")
    window.command("Intents: Show History of This File")
    window.row("changed by claude-opus-4-5").wait_for()
    assert re.search("claude-opus-4-5.* lines 2-3, .* line 4", window.row("INT-001").inner_text())
    window.shot("09-history")
    window.page.keyboard.press("Escape")


def _beside_agents(window: Workbench, folder: Path) -> None:
    """An agent in a terminal writes a file that is open, another one edits it; a person undoes, redoes and types."""
    forecast, terminal = folder / "src/api/weather.py", Agent(folder, "terminal").select("INT-001")
    window.open("src", "api", "weather.py")
    terminal.write("src/api/weather.py", f"{forecast.read_text()}\n\ndef tomorrow():\n    return 'rain'\n")
    window.line("return 'rain'").wait_for()
    window.line("def tomorrow").click()
    window.page.keyboard.press(RENAME)
    window.line("def next_day").wait_for()
    window.page.keyboard.press("Control+Z")
    window.line("def tomorrow").wait_for()
    window.page.keyboard.press("Control+Y")
    window.line("def next_day").wait_for()
    window.type_at_end("# by hand")
    window.page.keyboard.press("Control+S")

    def saved() -> list[dict[str, Any]]:
        records = (record for record in ledger_of(folder) if _is_save(record))
        return [file for record in records for file in record["files"] if file["path"] == "src/api/weather.py"]

    window.until("the record", saved)
    (file,) = saved()
    authors = {
        part["contributor"]["type"]: [(lines["start_line"], lines["end_line"]) for lines in part["ranges"]]
        for part in file["conversations"]
    }
    assert authors == {"ai": [(5, 5)], "human": [(7, 7)]}


def _lesson(window: Workbench, folder: Path) -> None:
    """VS Code's own JSON extension finds a fault in what was just saved; it becomes a lesson."""
    window.open("src", "api", "cities.json")
    window.type_at_end("oops")
    window.page.keyboard.press("Control+S")
    lessons = folder / ".orchestration/AGENT.md"
    window.until("the lesson", lambda: lessons.exists() and "cities.json" in lessons.read_text())


def _look_back(window: Workbench) -> None:
    window.intents_view()
    window.unfold(window.tree_row("docs/design.md"))
    window.tree_row("lines 2-3").wait_for()
    window.shot("10-intents-view")
    window.command("Intents: Verify Ledger")
    window.toast("The ledger is whole").wait_for()
    window.shot("11-verified")
    window.dismiss("The ledger is whole")


def _create(window: Workbench) -> None:
    window.command("Intents: Create Intent")
    window.line("What this work is for").wait_for()
    window.shot("12-create")


def _every_server(window: Workbench, folder: Path, run: Path) -> None:
    """Until here the package's own ran. One that is named comes first, then the workspace's; never two at a time."""
    from tests.clients.vscode.workbench import servers

    (first,) = servers(run)
    assert "bundled/launch.py" in first
    program = str(Path(sys.executable).parent / "intentls")
    settings = folder / ".vscode/settings.json"
    write_files(folder, {".vscode/settings.json": json.dumps({"intentls.server.path": program})})
    window.until("the server that the setting names", lambda: [program in each for each in servers(run)] == [True])
    window.status("INT-001").wait_for()  # a selection outlives its server
    (folder / ".venv").symlink_to(sys.prefix)
    settings.unlink()
    python = str(folder / ".venv/bin/python")
    window.until("the server of the workspace", lambda: [python in each for each in servers(run)] == [True])
    window.command("Intents: Restart Server")
    window.status("INT-001").wait_for()
    window.until("one server", lambda: [python in each for each in servers(run)] == [True])
    window.open("src", "api", "weather.py")
    window.line("def next_day").click()
    window.open_list("Intents: Show History of This Definition", "renamed from tomorrow by claude-opus-4-5")
    window.row("created by claude-opus-4-5").wait_for()
    window.shot("09-definition")


def _is_save(record: dict[str, Any]) -> bool:
    return bool(record["tool_name"] == "did_save")
