"""An editor's window: its selection outlives the server, and what it has not saved is safe from other programs."""

from __future__ import annotations

from pathlib import Path

from tests.support.mcp_wire import McpWire, outcome
from tests.support.patience import eventually
from tests.support.session import SERVER, Session, session
from tests.support.wire import Wire
from tests.support.workspaces import commit_all, git, write_files

WEATHER = "src/api/weather.py"


def selected(root: Path) -> str | None:
    """The intent that a new window on this folder begins with."""
    with session(root) as window:
        intent_id: str | None = window.do("getActiveIntent")["intent_id"]
        return intent_id


def killed_window(root: Path, *, intent_id: str) -> None:
    """A window that selects an intent, and whose server is killed."""
    with Wire.start(SERVER, cwd=root) as wire:
        wire.initialize(rootUri=root.as_uri())
        Session(wire, root).do("selectActiveIntent", intent_id=intent_id)
        assert wire.process is not None
        wire.process.kill()
        wire.process.wait()


def test_a_selection_survives_a_reload_and_a_crash(workspace: Path) -> None:
    """The next window on the folder has what the last one had; a cleared selection stays cleared."""
    assert selected(workspace) is None
    with session(workspace) as window:
        window.do("selectActiveIntent", intent_id="INT-001", mutation_class="BUG_FIX")
    with session(workspace) as window:
        assert window.do("getActiveIntent") | {"session_id": ""} == {
            "status": "ok",
            "state": "ACTIVE",
            "intent_id": "INT-001",
            "mutation_class": "BUG_FIX",
            "session_id": "",
        }
    killed_window(workspace, intent_id="INT-002")
    with session(workspace) as window:
        assert window.do("getActiveIntent")["intent_id"] == "INT-002"
        window.do("clearActiveIntent")
    assert selected(workspace) is None


def test_a_window_beside_another_has_its_own_selection(workspace: Path) -> None:
    """What a running window selected is not taken over, nor what an agent did, nor an intent that is closed now."""
    with session(workspace) as first:
        first.do("selectActiveIntent", intent_id="INT-001")
        assert selected(workspace) is None
        first.do("selectActiveIntent", intent_id="INT-001", model_identifier="anthropic/claude-opus-4-5")
    assert selected(workspace) is None
    killed_window(workspace, intent_id="INT-001")
    intents = workspace / ".orchestration/active_intents.yaml"
    intents.write_text(intents.read_text().replace("IN_PROGRESS", "DONE"))
    assert selected(workspace) is None


def test_an_agent_elsewhere_does_not_write_over_what_is_not_saved(workspace: Path) -> None:
    """A file with unsaved changes is refused with a reason, until it is saved, or the change is undone."""
    content = "def today():\n    return 'rain'\n"
    before = (workspace / WEATHER).read_text()
    with session(workspace) as editor, McpWire.begin(workspace, None) as agent:
        agent.do("select_active_intent", intent_id="INT-001")

        def checked() -> str:
            return str(outcome(agent.call("check_edit", path=WEATHER))["status"])

        editor.open(WEATHER)
        editor.type(WEATHER, before + "# mine\n")
        eventually(lambda: checked() == "error")
        refusal = outcome(agent.call("write_to_file", path=WEATHER, content=content))
        assert (refusal["error_type"], refusal["code"]) == ("STALE_FILE", "STALE_CONTEXT")
        assert WEATHER in refusal["error"]
        assert "not saved" in refusal["error"]
        assert (workspace / WEATHER).read_text() == before
        editor.type(WEATHER, before)
        eventually(lambda: checked() == "ok")
        editor.type(WEATHER, before + "# mine\n")
        eventually(lambda: checked() == "error")
        editor.save(WEATHER, before + "# mine\n")
        eventually(lambda: checked() == "ok")
        assert outcome(agent.call("write_to_file", path=WEATHER, content=content))["status"] == "ok"


def test_a_save_is_known_elsewhere_also_if_it_could_not_be_noted_at_once(workspace: Path) -> None:
    """The disk refuses the note for a while: agents may write again soon after it takes it."""
    notes = workspace / ".orchestration/.state/editors"
    before = (workspace / WEATHER).read_text()
    with session(workspace) as editor, McpWire.begin(workspace, None) as agent:
        agent.do("select_active_intent", intent_id="INT-001")

        def checked() -> str:
            return str(outcome(agent.call("check_edit", path=WEATHER))["status"])

        editor.open(WEATHER)
        editor.type(WEATHER, before + "# mine\n")
        eventually(lambda: checked() == "error")
        away = notes.rename(notes.with_name("away"))
        notes.write_text("no folder")
        editor.save(WEATHER, before + "# mine\n")
        eventually(lambda: "can't be noted" in editor.wire.log())
        notes.unlink()
        away.rename(notes)
        eventually(lambda: checked() == "ok")


def test_what_a_killed_editor_had_not_saved_stops_nobody(workspace: Path) -> None:
    """The note of an editor counts only while its process runs."""
    with McpWire.begin(workspace, None) as agent:
        agent.do("select_active_intent", intent_id="INT-001")
        with Wire.start(SERVER, cwd=workspace) as wire:
            wire.initialize(rootUri=workspace.as_uri())
            editor = Session(wire, workspace)
            editor.open(WEATHER)
            editor.type(WEATHER, "mine\n")
            eventually(lambda: outcome(agent.call("check_edit", path=WEATHER))["status"] == "error")
            assert wire.process is not None
            wire.process.kill()
            wire.process.wait()
        assert outcome(agent.call("write_to_file", path=WEATHER, content="agent's\n"))["status"] == "ok"


def test_the_history_of_a_file_goes_on_under_its_new_name(git_workspace: Path) -> None:
    """After a rename in the editor, of a folder too, after `mv`, and after `git mv`."""
    root = git_workspace
    able = {"workspace": {"fileOperations": {"dynamicRegistration": True, "didRename": True}}}
    with session(root, able) as editor:
        editor.wire.handlers["client/registerCapability"] = lambda _: None
        editor.do("selectActiveIntent", intent_id="INT-001")
        editor.do("writeToFile", path="src/api/rain.py", content="def rain():\n    return 'today'\n")

        def history(path: str) -> list[tuple[str, str]]:
            editor.do("getActiveIntent")  # answered after the renames before it
            entries = editor.do("queryTrace", path=path)["entries"]
            return [(record["tool_name"], record["files"][0]["path"]) for record in entries]

        (root / "src/api/rain.py").rename(root / "src/api/wet.py")
        renames = [{"oldUri": editor.uri("src/api/rain.py"), "newUri": editor.uri("src/api/wet.py")}]
        editor.wire.notify("workspace/didRenameFiles", {"files": renames})
        first = [("did_rename", "src/api/wet.py"), ("write_to_file", "src/api/rain.py")]
        assert history("src/api/wet.py") == first
        record = editor.do("queryTrace", path="src/api/wet.py")["entries"][0]
        assert (record["files"][0]["change"], record["files"][0]["old_path"]) == ("rename", "src/api/rain.py")
        assert (record["scope_validation"], record["intent_id"]) == ("PASS", "INT-001")
        assert editor.do("blame", path="src/api/wet.py", line=1)["ranges"][0]["intent_id"] == "INT-001"

        (root / "src/api").rename(root / "src/web")
        renames = [{"oldUri": editor.uri("src/api"), "newUri": editor.uri("src/web")}]
        editor.wire.notify("workspace/didRenameFiles", {"files": renames})
        second = [("did_rename", "src/web/wet.py"), *first]
        assert history("src/web/wet.py") == second
        assert history("src/web/weather.py") == [("did_rename", "src/web/weather.py")]

        (root / "src/web/wet.py").rename(root / "src/web/moist.py")
        assert history("src/web/moist.py") == second
        commit_all(root, "all")
        git(root, "mv", "src/web/weather.py", "src/web/sun.py")
        (root / "src/web/sun.py").write_text((root / "src/web/sun.py").read_text() + "# more\n")
        commit_all(root, "renamed")
        assert history("src/web/sun.py") == [("did_rename", "src/web/weather.py")]


def test_an_editor_sets_up_a_folder_as_init_does(tmp_path: Path) -> None:
    """The intents that are there stay; a folder outside the workspace is refused; twice changes nothing."""
    folder = tmp_path / "new"
    write_files(folder, {".orchestration/active_intents.yaml": ""})
    with session(folder) as window:
        answer = window.wire.request("intentls/initFolder", {"folder": folder.as_uri()})["result"]
        assert {step["path"]: step["outcome"] for step in answer["steps"]} == {
            ".orchestration/": "kept",
            ".orchestration/active_intents.yaml": "kept",
            ".orchestration/.gitignore": "created",
            ".gitattributes": "created",
        }
        for params in ({"folder": tmp_path.as_uri()}, {"folder": 1}, {}):
            assert window.wire.request("intentls/initFolder", params)["error"]["code"] == -32602
        again = window.wire.request("intentls/initFolder", {"folder": folder.as_uri()})["result"]
        assert {step["outcome"] for step in again["steps"]} == {"kept"}
    assert (folder / ".orchestration/active_intents.yaml").read_text() == ""
    assert "linguist-generated" in (folder / ".gitattributes").read_text()
    assert not (tmp_path / ".orchestration").exists()
