"""What runs below an agent's process is the agent's, whatever its environment says."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.agent_process import HOOK, INTENTLS, AgentProcess, person
from tests.support.session import ASKING, Json, session
from tests.support.workspaces import make_workspace

INTENTS = ".orchestration/active_intents.yaml"
DECLARING = """\
active_intents:
  - {id: INT-001, status: IN_PROGRESS, owned_scope: ["src/**"], acceptance_criteria: ["it works"]}
  - {id: INT-002, status: DONE}
"""
FREE = "env -u CLAUDE_CODE_SESSION_ID"

_CLIENT = """
import json, sys
sys.path.insert(0, {tests!r})
from pathlib import Path
from tests.support import forked_servers
from tests.support.session import session
forked_servers.FORKS = False
with session(Path({root!r}), {capabilities!r}, {options!r}) as server:
    server.wire.handlers["window/showMessageRequest"] = lambda _: {{"title": "Approve"}}
    server.do("selectActiveIntent", intent_id="INT-001")
    print(json.dumps(server.do("expandScope", intent_id="INT-001", glob="docs/**", reason="mine")))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_workspace(tmp_path / "w", DECLARING, {"src/a.py": "a\n"})


@pytest.fixture
def agent(root: Path) -> Iterator[AgentProcess]:
    """An agent whose session began here."""
    with AgentProcess(root) as started:
        assert started.hook("SessionStart").code == 0
        yield started


def _declared(root: Path) -> str:
    return (root / INTENTS).read_text()


def test_an_agents_shell_accepts_nothing(root: Path, agent: AgentProcess) -> None:
    """Without the variable that names its session it is the agent's all the same; a person's terminal is not."""
    refused = agent.run(f"{FREE} {INTENTLS} accept INT-001")
    assert (refused.code, "a person accepts INT-001" in refused.err) == (1, True)
    assert _declared(root) == DECLARING
    assert person(root, ["accept", "INT-001"]).code == 0


def test_an_agents_shell_selects_for_its_own_session_alone(root: Path, agent: AgentProcess) -> None:
    assert agent.run(f"{FREE} {INTENTLS} select INT-001 --session agent-1").code == 0
    refused = agent.run(f"{FREE} {INTENTLS} select INT-001 --session a-person")
    assert (refused.code, "for its own session alone" in refused.err) == (2, True)
    assert person(root, ["select", "INT-001", "--session", "a-person"]).code == 0


@pytest.mark.parametrize(
    ("capabilities", "options"), [({}, {"interactive": True}), (ASKING, {}), ({}, {})], ids=["setting", "asks", "mute"]
)
def test_a_server_that_an_agent_starts_grants_it_nothing(
    root: Path, agent: AgentProcess, capabilities: Json, options: Json
) -> None:
    """Its own client would answer its own question."""
    tests = str(Path(__file__).parents[2])
    script = _CLIENT.format(tests=tests, root=str(root), capabilities=capabilities, options=options)
    ran = agent.run(f"{FREE} '{sys.executable}' -", script)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["code"] == "SCOPE_VIOLATION"
    assert _declared(root) == DECLARING


@pytest.mark.parametrize("escape", ["({} &)", "nohup {} &", "setsid {} &", "setsid sh -c 'sleep 0.2; {}' &"])
def test_a_command_that_lost_its_parent_may_be_the_agents(root: Path, agent: AgentProcess, escape: str) -> None:
    """What an orphan was started by is unknown, and unsure means no, as long as an agent runs."""
    (root / "command.sh").write_text(f"{FREE} {INTENTLS} accept INT-001 >out 2>err\necho $? >code\n")
    agent.run(f"{{ {escape.format('sh command.sh')}\n}} >/dev/null 2>&1")
    agent.run("while ! [ -s code ]; do sleep 0.1; done")
    assert ((root / "code").read_text(), _declared(root)) == ("1\n", DECLARING)


def test_an_ended_agent_leaves_no_mark(root: Path) -> None:
    """Its number may be another process's by now: the note counts for a process that started then and still runs."""
    with AgentProcess(root) as agent:
        agent.hook("SessionStart")
        (note,) = (root / ".orchestration/.state/agents").glob("*.json")
    mine = json.loads(note.read_text())
    note.write_text(json.dumps({**mine, "pid": 1}))
    assert person(root, ["accept", "INT-001"]).code == 0


def test_what_only_hosts_an_agent_is_none(root: Path) -> None:
    """An editor's terminal runs the agent; the editor's own server is not below the agent."""
    with AgentProcess(root) as agent, session(root) as editor:
        agent.hook("SessionStart")
        assert editor.do("setStatus", intent_id="INT-002", status="IN_PROGRESS")["status"] == "ok"


def test_an_editor_with_an_agent_inside_is_a_persons(root: Path) -> None:
    """The editor's process starts both: the hook, and the server of its own."""
    with AgentProcess(root) as editor:
        script = (
            "import subprocess, sys, json\n"
            f"event = {{'hook_event_name': 'SessionStart', 'session_id': 'agent-1', 'cwd': {str(root)!r}}}\n"
            f"subprocess.run(['sh', '-c', {HOOK!r}], input=json.dumps(event).encode(), check=True)\n"
        ) + _CLIENT.format(tests=str(Path(__file__).parents[2]), root=str(root), capabilities=ASKING, options={})
        ran = editor.run(f"'{sys.executable}' -", script)
    assert json.loads(ran.out.splitlines()[-1])["status"] == "ok", ran


def test_an_mcp_server_says_who_the_agent_is(root: Path) -> None:
    """An agent without hooks is known by the process that starts its MCP server."""
    initialize = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "agent", "version": "1"},
        },
    }
    with AgentProcess(root) as agent:
        assert agent.run(f"{INTENTLS} mcp", json.dumps(initialize) + "\n").code == 0
        assert agent.run(f"{INTENTLS} accept INT-001").code == 1
    assert _declared(root) == DECLARING


def test_a_hook_that_a_person_calls_by_hand_makes_no_agent(root: Path) -> None:
    """The shell at which a person types stays theirs."""
    event = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(root)})
    (root / "event.json").write_text(event)
    with AgentProcess(root) as terminal:
        script = f"{HOOK} <event.json >hook.out\n{INTENTLS} accept INT-001\n"
        assert terminal.run("bash --norc", script).code == 0
