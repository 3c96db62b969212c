"""What a person relies on, whichever agent they start: it edits in scope only, and what it did is on record."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

from tests.agents.conftest import Stage
from tests.agents.programs import PROGRAMS, add_patch
from tests.agents.run import IN_SANDBOX, AgentRun, AgentStage
from tests.agents.scripted_model import Call, Turn

EACH = pytest.mark.parametrize("agent", PROGRAMS)
WITH_MCP = pytest.mark.parametrize("agent", [name for name, program in PROGRAMS.items() if program.mcp is not None])
OUT_OF_SCOPE = "Scope Violation: INT-001 is not authorized to edit [docs/out.md]"


def select(stage: AgentStage) -> list[Turn]:
    """The agent selects as its hooks told it to. Cline's model learns its session only after its first call."""
    shell = stage.program.shell
    first: list[Turn] = [[shell("true")]] if stage.program.name == "cline" else []
    return [*first, [shell("intentls select INT-001 --session {session}")]]


def write(stage: AgentStage, path: str) -> Call:
    return stage.program.write(stage.bench.repository, path)


def outcome(run: AgentRun, path: str) -> tuple[bool, str]:
    """Whether the newest record of a file is of a success, and how its scope was judged."""
    record = run.records(path)[-1]
    return record["success"], record["scope_validation"]


def _until_mcp_is_ready(stage: AgentStage, *tools: str) -> list[Turn]:
    """Claude Code loads tools when they are asked for, and Codex does not wait for its servers: that takes seconds.

    The hooks let `intentls list` run without an intent.
    """
    if stage.program.name == "claude-code":
        loaded = ",".join(stage.program.mcp_tool.format(name) for name in tools)
        return [[Call("ToolSearch", {"query": f"select:{loaded}"})]]
    return [[stage.program.shell("intentls list")]] * 10 if stage.program.name == "codex" else []


def _over_mcp(stage: AgentStage, tool: str, **arguments: str) -> Turn:
    """A turn that calls one tool of our MCP server, as this agent names it."""
    return [Call(stage.program.mcp_tool.format(tool), arguments)]


@EACH
def test_an_agent_writes_in_scope_only(stage: Stage, agent: str) -> None:
    """By its own tools, several at once, and by a command; the model learns why, and each attempt is on record."""
    on = stage(agent)
    on.init()
    command = on.program.shell("echo x > docs/shell.md; echo x > src/api/shell.py")
    parallel = [write(on, "docs/one.md"), write(on, "src/api/two.py"), write(on, "docs/three.md")]
    run = on.play(*select(on), [write(on, "src/api/in.py")], [write(on, "docs/out.md")], parallel, [command])
    assert run.code == 0, run.output
    assert run.has("src/api/in.py") and run.has("src/api/two.py"), run.output
    assert not any(run.has(f"docs/{name}.md") for name in ("out", "one", "three"))
    assert run.model.saw(OUT_OF_SCOPE)
    assert outcome(run, "src/api/in.py") == (True, "PASS")
    assert outcome(run, "docs/out.md") == (False, "FAIL")
    assert run.records("docs/out.md")[-1]["files"][0]["change"] == "add"
    assert outcome(run, "src/api/shell.py") == (True, "PASS")
    assert outcome(run, "docs/shell.md") == (True, "FAIL")
    assert run.model.saw("Still changed, and on record as a violation: docs/shell.md")


@EACH
def test_nothing_is_written_without_an_intent(stage: Stage, agent: str) -> None:
    on = stage(agent)
    on.init()
    run = on.play([write(on, "src/api/in.py")])
    assert not run.has("src/api/in.py")
    assert [(record["code"], record["files"][0]["path"]) for record in run.records("src/api/in.py")] == [
        ("INTENT_REQUIRED", "src/api/in.py")
    ]


@pytest.mark.parametrize("agent", ["claude-code", "codex", "gemini"])
@pytest.mark.parametrize("answer", ["approve", "reject"])
def test_a_person_who_listens_decides(stage: Stage, agent: str, answer: str) -> None:
    """The hook waits for the answer at a terminal; approved, the tool goes on, and the record says by whom."""
    on = stage(agent)
    on.init()
    with on.person(answer) as person:
        run = on.play(*select(on), [write(on, "docs/out.md")])
    assert re.search(r"wants to (create|change) docs/out\.md, outside INT-001", person.screen), run.output
    assert ", by Grace Hopper." in person.screen
    record = run.records("docs/out.md")[-1]
    if answer == "approve":
        assert run.has("docs/out.md"), run.output
        assert (record["override"]["action"], record["override"]["by"]) == ("Approve", "Grace Hopper")
        assert outcome(run, "docs/out.md") == (True, "EXEMPT")
    else:
        assert not run.has("docs/out.md")
        assert run.model.saw(OUT_OF_SCOPE)
        assert "override" not in record
        assert outcome(run, "docs/out.md") == (False, "FAIL")


@EACH
@pytest.mark.parametrize("hook", [None, "exit 1", "sleep 15; exit 1"], ids=["missing", "failing", "slow"])
def test_a_hook_that_does_not_answer_stops_the_tool(stage: Stage, agent: str, hook: str | None) -> None:
    """Our program is not on the path, ends with an error, or takes long."""
    on = stage(agent)
    on.init()
    on.break_hook(hook)
    run = on.play([write(on, "src/api/in.py")])
    assert not run.has("src/api/in.py"), run.output


@EACH
def test_broken_intents_stop_every_edit(stage: Stage, agent: str) -> None:
    on = stage(agent)
    on.init()
    (on.bench.repository / ".orchestration/active_intents.yaml").write_text("active_intents: [ {\n")
    run = on.play([write(on, "src/api/in.py")])
    assert not run.has("src/api/in.py")
    assert run.records("src/api/in.py")[-1]["code"] == "HOOK_ERROR"


@pytest.mark.parametrize("agent", [name for name in PROGRAMS if name != "cline"])
def test_an_agent_that_starts_in_a_folder_of_the_project(stage: Stage, agent: str) -> None:
    """Some agents look for a project's hooks only where they start: hooks of the user's guard those.

    Cline CLI has neither.
    """
    on = stage(agent)
    on.init(*([] if on.program.guarded_below else ["--user"]))
    run = on.play([write(on, "docs/out.md")], folder="src/api")
    assert not run.has("docs/out.md"), run.output


@WITH_MCP
@pytest.mark.parametrize("with_hooks", [True, False], ids=["with hooks", "without hooks"])
def test_our_mcp_tools_are_guarded_once(stage: Stage, agent: str, with_hooks: bool) -> None:
    """The server decides, and the hooks let each of its tools through."""
    on = stage(agent)
    if with_hooks:
        on.init()
    on.add_mcp()

    run = on.play(
        *_until_mcp_is_ready(on, "select_active_intent", "write_to_file"),
        _over_mcp(on, "select_active_intent", intent_id="INT-001"),
        *([_over_mcp(on, "get_active_intent")] if agent == "gemini" else []),
        _over_mcp(on, "write_to_file", path="src/api/in.py", content="x = 1\n"),
        _over_mcp(on, "write_to_file", path="docs/out.md", content="x\n"),
    )
    assert run.has("src/api/in.py"), run.output
    assert not run.has("docs/out.md")
    assert run.model.saw(OUT_OF_SCOPE)
    assert outcome(run, "src/api/in.py") == (True, "PASS")


@WITH_MCP
def test_hooks_and_our_mcp_server_have_one_session(stage: Stage, agent: str) -> None:
    """An intent that was selected over MCP holds for the agent's own tools, and both are on record as one session."""
    on = stage(agent)
    on.init()
    on.add_mcp()

    run = on.play(
        *_until_mcp_is_ready(on, "select_active_intent", "write_to_file"),
        _over_mcp(on, "select_active_intent", intent_id="INT-001"),
        _over_mcp(on, "write_to_file", path="src/api/in.py", content="x = 1\n"),
        [write(on, "src/api/own.py")],
    )
    assert run.has("src/api/in.py") and run.has("src/api/own.py"), run.output
    sessions = {run.records(path)[-1]["session_id"] for path in ("src/api/in.py", "src/api/own.py")}
    assert len(sessions) == 1


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_the_agents_own_sandbox_stops_a_command_out_of_scope(stage: Stage, agent: str) -> None:
    """The system refuses it, so there is nothing to put back or to record. What is in scope can be written."""
    on = stage(agent)
    lacking = [program for program in IN_SANDBOX if agent == "claude-code" and shutil.which(program) is None]
    if lacking or subprocess.run(["unshare", "-Ur", "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"no sandbox here: {', '.join(lacking) or 'the system lets no user make a namespace'}")
    on.use_sandbox("INT-001")
    paths = ("src/api/shell.py", "docs/shell.md", "src/api/generated/shell.py", ".orchestration/active_intents.yaml")
    command = "; ".join(f"echo x > {path}" for path in paths)
    run = on.play(*select(on), [on.program.shell(command)], [write(on, "src/api/in.py")])
    assert run.has("src/api/in.py"), run.output
    assert [run.has(path) for path in paths] == [True, False, False, True]
    assert run.model.saw("docs/shell.md: Read-only file system")
    assert run.model.saw(".orchestration/active_intents.yaml: Read-only file system")
    assert outcome(run, "src/api/shell.py") == (True, "PASS")
    assert run.records("docs/shell.md") == []


@pytest.mark.parametrize("agent", ["claude-code", "gemini"])
def test_a_record_names_the_model(stage: Stage, agent: str) -> None:
    """Their hooks don't tell it; their transcripts do."""
    on = stage(agent)
    on.init()
    run = on.play(*select(on), [write(on, "src/api/in.py")])
    model = {"claude-code": "claude-opus-4-5", "gemini": "gemini-2.5-pro"}[agent]
    conversation = run.records("src/api/in.py")[-1]["files"][0]["conversations"][0]
    assert conversation["contributor"]["model_id"] == model


def test_codex_patches_in_a_command_are_patches(stage: Stage) -> None:
    """It applies them itself and reports nothing afterwards."""
    on = stage("codex")
    on.init()

    def heredoc(path: str) -> list[Call | str]:
        return [on.program.shell(f"apply_patch <<'EOF'\n{add_patch(path)}EOF")]

    move = "*** Begin Patch\n*** Update File: src/api/weather.py\n*** Move to: docs/weather.py\n*** End Patch\n"
    run = on.play(*select(on), heredoc("docs/out.md"), heredoc("src/api/in.py"), [Call("apply_patch", move)])
    assert not run.has("docs/out.md") and run.has("src/api/in.py") and not run.has("docs/weather.py")
    assert outcome(run, "docs/out.md") == (False, "FAIL")
    assert outcome(run, "src/api/in.py") == (True, "PASS")


def test_codex_commands_that_are_never_polled_are_recorded(stage: Stage) -> None:
    """No event follows them: they are settled at the next one."""
    on = stage("codex")
    on.init()
    late = Call("exec_command", {"cmd": "sleep 2; echo x > docs/late.md", "yield_time_ms": 300})
    run = on.play(*select(on), [late], [on.program.shell("sleep 4")])
    assert outcome(run, "docs/late.md") == (True, "FAIL")


def test_what_codex_types_into_a_running_program_is_recorded(stage: Stage) -> None:
    """No event tells of that input: its change is found at the next one."""
    on = stage("codex")
    on.init()
    start = Call("exec_command", {"cmd": "python3 -i", "yield_time_ms": 1000, "tty": True})
    line = "open('docs/typed.md', 'w').write('x')\n"
    type_ = Call("write_stdin", {"session_id": "{process}", "chars": line, "yield_time_ms": 1500})
    run = on.play(*select(on), [start], [type_], [on.program.shell("true")])
    assert run.has("docs/typed.md"), run.output
    assert outcome(run, "docs/typed.md") == (True, "FAIL")


def test_claudes_monitor_is_a_command(stage: Stage) -> None:
    """Its program goes on in the background, and what it writes out of scope is on record."""
    on = stage("claude-code")
    on.init()
    monitor = Call("Monitor", {"command": "echo x > docs/seen.md", "description": "x", "timeout_ms": 5000})
    load = Call("ToolSearch", {"query": "select:Monitor"})
    run = on.play(*select(on), [load], [monitor], [on.program.shell("sleep 2")])
    assert run.has("docs/seen.md"), run.output
    assert outcome(run, "docs/seen.md") == (True, "FAIL")


@pytest.mark.parametrize("agent", ["claude-code", "copilot"])
def test_a_subagent_works_under_its_parents_intent(stage: Stage, agent: str) -> None:
    on = stage(agent)
    on.init()
    task = {"description": "d", "prompt": "Play [sub]."}
    start = (
        Call("Agent", task | {"subagent_type": "general-purpose"})
        if agent == "claude-code"
        else Call("task", task | {"agent_type": "general-purpose", "name": "s"})
    )
    turns: list[Turn] = [[write(on, "src/api/in.py")], [write(on, "docs/out.md")]]
    wait = [on.program.shell("sleep 5")]
    run = on.play(*select(on), [start], wait, others={"sub": turns})
    assert run.has("src/api/in.py") and not run.has("docs/out.md"), run.output
    assert outcome(run, "docs/out.md") == (False, "FAIL")


def test_claude_in_a_worktree_of_its_own_is_judged_there(stage: Stage) -> None:
    """A worktree is a root of its own, also below the project's `.claude/`."""
    on = stage("claude-code")
    on.init()
    tree = on.bench.repository / ".claude/worktrees/one"
    run = on.play(
        *select(on),
        [Call("ToolSearch", {"query": "select:EnterWorktree"})],
        [Call("EnterWorktree", {"name": "one"})],
        [on.program.shell("echo x > docs/before.md")],
        [on.program.shell("intentls select INT-001 --session {session}")],
        [Call("Write", {"file_path": f"{tree}/src/api/in.py", "content": "x = 1\n"})],
        [Call("Write", {"file_path": f"{tree}/docs/out.md", "content": "x\n"})],
    )
    assert (tree / "src/api/in.py").exists(), run.output
    assert not (tree / "docs/out.md").exists() and not (tree / "docs/before.md").exists()
    ledger = (tree / ".orchestration/agent_trace.jsonl").read_text().splitlines()
    assert {json.loads(line)["success"] for line in ledger} == {True, False}
