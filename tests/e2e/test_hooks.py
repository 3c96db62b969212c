"""Each agent's hook traffic, as its vendor documents it, through the real process."""

from __future__ import annotations

import getpass
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.faces.hook import AGENTS
from tests.support.hook_process import claude, environment, hook, hook_here, records
from tests.support.workspaces import make_git_repo, make_workspace, write_files

DATA = Path(__file__).parent.parent / "data" / "hooks"
TRANSCRIPTS = sorted(DATA.glob("*/*.json"))


def take_up(root: Path, intent: str = "INT-001", session: str = "s1") -> None:
    """Check an intent out, as the command line does."""
    drive(select(Engine(Headless("cli", (root,))), session, intent, None, None))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The weather workspace, committed."""
    return make_git_repo(make_workspace(tmp_path / "work"))


def _ranges(record: dict[str, Any]) -> dict[str, list[list[int]]]:
    return {
        file["path"]: [[r["start_line"], r["end_line"]] for c in file["conversations"] for r in c["ranges"]]
        for file in record["files"]
    }


def _check_record(wanted: dict[str, Any], found: dict[str, Any]) -> None:
    for key, value in wanted.items():
        if key == "ranges":
            assert _ranges(found) == value
        elif key == "model":
            models = [c["contributor"].get("model_identifier") for f in found["files"] for c in f["conversations"]]
            assert models == [value] * len(models) != []
        else:
            assert found.get(key) == value, (key, found)


def _fits(wanted: Any, found: Any) -> bool:
    """Equal, but for `*`, which stands for any text that is not empty."""
    if wanted == "*":
        return isinstance(found, str) and bool(found)
    if isinstance(wanted, dict) and isinstance(found, dict):
        return wanted.keys() == found.keys() and all(_fits(wanted[key], found[key]) for key in wanted)
    return bool(wanted == found)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_transcript_is_answered_as_the_agent_expects(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every event of the transcript gets its answer, and what happened is in the ledger.

    The first transcript of each agent goes through real processes, one an event.
    """
    transcript = json.loads(path.read_text().replace("$USER", getpass.getuser()))
    for name in ("CLAUDE_PROJECT_DIR", "INTENTLS_SESSION"):
        monkeypatch.delenv(name, raising=False)
    real = path in {next(each for each in TRANSCRIPTS if each.parent.name == agent) for agent in AGENTS}
    root = make_git_repo(make_workspace(tmp_path / "work", policy=transcript.get("policy")))
    for number, step in enumerate(transcript["steps"]):
        if "select" in step:
            take_up(root, *step["select"])
        write_files(root, step.get("write", {}))
        event = json.dumps(step["event"]).replace("$ROOT", root.as_posix()).encode()
        agent = path.parent.name
        always = (agent, step["event"].get("hook_event_name")) == ("cursor", "preToolUse")  # as `init` writes it
        options = ("--answer",) if always else ()
        answered = hook(agent, event, *options, cwd=root) if real else hook_here(agent, event, always=always)
        assert answered.code == step["exit"], (number, answered)
        assert _fits(step["stdout"], answered.json), (number, answered.json)
        assert answered.closed if step["exit"] else answered.err == ""
        if "record" in step:
            _check_record(step["record"], records(root)[-1])


@pytest.mark.parametrize("agent", AGENTS)
def test_silence_lets_a_tool_run(agent: str, tmp_path: Path) -> None:
    """Outside governance nothing is said to any agent, and nothing is written; `--answer` has Cursor told in words."""
    path = next(path for path in TRANSCRIPTS if path.parent.name == agent)
    event = json.dumps(json.loads(path.read_text())["steps"][-1]["event"]).replace("$ROOT", tmp_path.as_posix())
    answered = hook_here(agent, event.encode())
    assert (answered.code, answered.out, answered.err) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
    event = json.dumps({"hook_event_name": "preToolUse", "conversation_id": "c", "tool_name": "Write"})
    given = {**json.loads(event), "tool_input": {"file_path": str(tmp_path / "a")}, "cwd": str(tmp_path)}
    spoken = hook("cursor", {**given, "workspace_roots": [str(tmp_path)]}, "--answer")
    assert (spoken.code, spoken.json) == (0, {"permission": "allow"})


def test_every_agent_has_a_transcript() -> None:
    """The list of agents and the folders of transcripts are the same."""
    assert {path.parent.name for path in TRANSCRIPTS} == set(AGENTS)


WRITE = {"content": "x = 1\n"}


@pytest.mark.parametrize(
    "data",
    [b"", b"  \n", b"{", b'{"hook_event_name": "PreToolUse"', b"[]", b"null", b"\xff\xfe{}", b"{}", b"[" * 100_000],
    ids=["empty", "blank", "half", "cut", "list", "null", "utf-16", "no name", "deep"],
)
@pytest.mark.parametrize("agent", ["claude-code", "cline"])
def test_what_is_no_event_is_refused(agent: str, data: bytes, root: Path) -> None:
    """Bad stdin: exit code 2 with one line, whatever it is."""
    assert hook(agent, data, cwd=root).closed


@pytest.mark.parametrize("agent", ["claude-code", "cursor", "codex", "gemini", "cline"])
def test_an_event_that_nobody_knows_is_refused(agent: str, root: Path) -> None:
    """A new event may guard something, so it is not let through silently."""
    names = {"hook_event_name": "Surprise", "hookName": "Surprise", "session_id": "s", "conversation_id": "s"}
    event = {**names, "taskId": "s", "cwd": str(root), "workspace_roots": [str(root)], "workspaceRoots": [str(root)]}
    answered = hook(agent, event, cwd=root)
    assert answered.closed and "Surprise" in answered.err


def test_an_unknown_agent_and_a_tool_without_a_file_are_refused(root: Path) -> None:
    """Usage errors, and an edit of nobody knows what, end with 2 as well."""
    assert hook("emacs", b"{}", cwd=root).code == 2
    assert hook("claude-code", claude(root, "PreToolUse", "Write", {"content": ""}), cwd=root).closed
    assert hook("claude-code", claude(root, "PreToolUse", "Write", {"file_path": "a\0b"}), cwd=root).closed


def test_a_folder_that_is_gone_is_refused(root: Path, tmp_path: Path) -> None:
    """Nobody can say what governed it."""
    gone = tmp_path / "gone"
    event = claude(gone, "PreToolUse", "Bash", {"command": "ls"})
    assert hook("claude-code", event, cwd=root).closed
    within = claude(root / "gone", "PreToolUse", "Bash", {"command": "ls"}, permission_mode="plan")
    assert hook("claude-code", within, cwd=root).json["hookSpecificOutput"]["permissionDecision"] == "ask"


def test_a_broken_intents_file_refuses_and_is_not_asked_about(root: Path) -> None:
    """An invalid root is HOOK_ERROR; nobody can wave that through."""
    (root / ".orchestration" / "active_intents.yaml").write_text("active_intents: [")
    answered = hook("claude-code", claude(root, "PreToolUse", "Bash", {"command": "ls"}), cwd=root)
    said = answered.json["hookSpecificOutput"]
    assert said["permissionDecision"] == "deny" and "HOOK_ERROR" in said["permissionDecisionReason"]


def test_it_works_without_a_home(root: Path) -> None:
    """HOME may be missing; a path with ~ is then judged as it is written."""
    env = environment(HOME=None)
    take_up(root)
    event = claude(root, "PreToolUse", "Write", {"file_path": "~/x", **WRITE}, permission_mode="dontAsk")
    answered = hook("claude-code", event, cwd=root, env=env)
    assert answered.json["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_nothing_is_said_or_written_outside_governance(tmp_path: Path) -> None:
    """No root: exit 0, silence, and no file is made."""
    for event in ("PreToolUse", "PostToolUse"):
        answered = hook("claude-code", claude(tmp_path, event, "Write", {"file_path": str(tmp_path / "a")}))
        assert (answered.code, answered.out, answered.err) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_root_governs_its_files_wherever_the_agent_stands(root: Path, tmp_path: Path) -> None:
    """Changing the folder first is no way around the gate."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    event = claude(elsewhere, "PreToolUse", "Write", {"file_path": str(root / "src/api/weather.py"), **WRITE})
    assert hook("claude-code", event, cwd=elsewhere).json is not None


def _holding(root: Path) -> subprocess.Popen[str]:
    """A process that holds the session's lock."""
    program = (
        "import sys,time; from pathlib import Path; from intentls.store.sessions.sessions import Sessions\n"
        "def hold(session):\n    print('held', flush=True); time.sleep(60)\n    return session\n"
        "Sessions(Path(sys.argv[1])).update('s1', hold)"
    )
    folder = root / ".orchestration" / ".state" / "sessions"
    process = subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "held\n"
    return process


def test_a_time_out_refuses_and_a_killed_holder_does_not_matter(root: Path) -> None:
    """Our own time-out comes before the agent's, which would let the tool run; a dead process holds nothing."""
    take_up(root)
    event = claude(root, "PostToolUse", "Read", {"file_path": str(root / "src/api/weather.py")})
    holder = _holding(root)
    try:
        answered = hook("claude-code", event, "--timeout", "1", cwd=root)
        assert answered.closed and "within 1 seconds" in answered.err
    finally:
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        assert holder.stdout is not None
        holder.stdout.close()
    assert hook("claude-code", event, cwd=root).code == 0


def test_a_crash_of_ours_refuses(
    root: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Whatever goes wrong inside is one line and exit code 2."""
    from intentls.faces.hook import HookOptions, main

    def crash(*_: object) -> None:
        raise RuntimeError("all is lost\nreally")

    monkeypatch.setattr(main, "_read", crash)
    assert main.serve("claude-code", 5, HookOptions()) == 2
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err.endswith("all is lost really\n")


def test_reading_a_file_again_heals_a_stale_edit(root: Path) -> None:
    """What a person changed must be read again first; the agent's own Read counts."""
    take_up(root)
    path = root / "src/api/weather.py"
    read = claude(root, "PostToolUse", "Read", {"file_path": str(path)})
    write = claude(root, "PreToolUse", "Write", {"file_path": str(path), **WRITE}, permission_mode="dontAsk")
    assert hook("claude-code", read, cwd=root).code == 0
    path.write_text("# by hand\n")
    assert "STALE_CONTEXT" in hook("claude-code", write, cwd=root).out
    hook("claude-code", read, cwd=root)
    assert hook("claude-code", write, cwd=root).out == ""


def test_a_file_that_the_agent_found_gone_can_be_made_again(root: Path) -> None:
    """Its Read fails, and what it read before counts no longer."""
    take_up(root)
    path = root / "src/api/weather.py"
    read, write = (
        claude(root, event, tool, {"file_path": str(path), **WRITE}, permission_mode="dontAsk")
        for event, tool in (("PostToolUseFailure", "Read"), ("PreToolUse", "Write"))
    )
    hook("claude-code", {**read, "hook_event_name": "PostToolUse"}, cwd=root)
    path.unlink()
    assert "STALE_CONTEXT" in hook("claude-code", write, cwd=root).out
    hook("claude-code", read, cwd=root)
    assert hook("claude-code", write, cwd=root).out == ""


def test_the_session_context_fits_and_names_the_session(root: Path) -> None:
    """SessionStart: the protocol, how to take an intent up, and the context of the one that is active."""
    take_up(root)
    start = {"session_id": "s1", "cwd": str(root), "hook_event_name": "SessionStart", "source": "resume"}
    text = hook("claude-code", start, cwd=root).json["hookSpecificOutput"]["additionalContext"]
    assert "--session s1" in text and "<intent_id>INT-001</intent_id>" in text and len(text) < 10_000
