"""Declared files that changed during an agent's command do not count until a person accepts them."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.agent_process import INTENTLS, AgentProcess, person
from tests.support.session import Session, session
from tests.support.workspaces import make_git_repo, make_workspace

INTENTS = ".orchestration/active_intents.yaml"
DECLARING = """\
active_intents:
  - {id: INT-001, status: IN_PROGRESS, owned_scope: ["src/**"]}
"""
MORE = '  - {id: INT-009, status: IN_PROGRESS, owned_scope: ["**"]}'
APPEND = f"echo '{MORE}' >> {INTENTS}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = make_workspace(
        tmp_path / "w", DECLARING, {"src/a.py": "a\n", ".gitignore": ".orchestration/agent_trace.*\n"}
    )
    make_git_repo(root)
    return root


@pytest.fixture
def agent(root: Path) -> Iterator[AgentProcess]:
    with AgentProcess(root) as started:
        _begin(started)
        yield started


def _begin(agent: AgentProcess) -> None:
    """The agent's session begins and selects its intent."""
    agent.hook("SessionStart")
    assert agent.run(f"{INTENTLS} select INT-001 --session agent-1").code == 0


def _unconfirmed(editor: Session, path: str) -> list[str]:
    """The messages at the file that say that it waits."""
    document = {"textDocument": {"uri": editor.uri(path)}}
    items = editor.wire.request("textDocument/diagnostic", document)["result"]["items"]
    return [item["message"] for item in items if item["code"] == "UNCONFIRMED"]


def _listed(root: Path) -> list[str]:
    return [intent["id"] for intent in json.loads(person(root, ["list", "--json"]).out)["intents"]]


def _waiting(root: Path) -> list[str]:
    """The declared files that wait for a person, as `status` says."""
    (status,) = json.loads(person(root, ["status", "--json"]).out)["roots"]
    names: list[str] = status["unconfirmed"]
    return names


def test_an_intent_that_an_agents_command_wrote_can_not_be_selected(root: Path, agent: AgentProcess) -> None:
    """Neither by the command itself, nor after it; the refusal says what it takes."""
    command = f"{APPEND}; env -u CLAUDE_CODE_SESSION_ID {INTENTLS} select INT-009 --session agent-1 2>selected"
    agent.shell(command)
    assert "Intent ID" in (root / "selected").read_text()
    refused = agent.run(f"{INTENTLS} select INT-009 --session agent-1")
    assert (refused.code, "intentls confirm" in refused.err) == (1, True)
    assert (_listed(root), _waiting(root)) == (["INT-001"], [INTENTS])


def test_a_refused_edit_says_that_a_declared_file_waits(root: Path, agent: AgentProcess) -> None:
    agent.shell(f"sed -i 's,src/\\*\\*,**,' {INTENTS}")
    tool = {"tool_name": "Write", "tool_input": {"file_path": str(root / "docs/a.md"), "content": "x"}}
    denied = agent.hook("PreToolUse", tool_use_id="w", **tool)
    assert "SCOPE_VIOLATION" in denied.out or "not authorized" in denied.out
    assert "until a person accepts" in denied.out


def test_a_person_confirms_in_a_terminal(root: Path, agent: AgentProcess) -> None:
    """What would count is shown first; an agent can't do it; nothing waits afterwards."""
    agent.shell(APPEND)
    by_agent = agent.run(f"env -u CLAUDE_CODE_SESSION_ID {INTENTLS} confirm --yes")
    assert (by_agent.code, "agent" in by_agent.err, _listed(root)) == (1, True, ["INT-001"])
    shown = person(root, ["confirm"])
    assert (shown.code, f"+{MORE}" in shown.out, "--yes" in shown.err) == (1, True, True)
    assert _listed(root) == ["INT-001"]
    assert person(root, ["confirm", "--yes"]).code == 0
    assert (_listed(root), _waiting(root)) == (["INT-001", "INT-009"], [])
    assert person(root, ["confirm"]).code == 0


def test_a_person_confirms_one_of_two_files(root: Path, agent: AgentProcess) -> None:
    agent.shell(f"{APPEND}; echo 'docs/**' > .intentignore")
    assert _waiting(root) == [INTENTS, ".intentignore"]
    assert person(root, ["confirm", ".intentignore", "--yes"]).code == 0
    assert (_waiting(root), _listed(root)) == ([INTENTS], ["INT-001"])
    assert person(root, ["confirm", "src/a.py", "--yes"]).code == 2


def test_a_save_in_an_editor_accepts(root: Path, agent: AgentProcess) -> None:
    with session(root) as editor:
        agent.shell(APPEND)
        assert [intent["id"] for intent in editor.do("listIntents")["intents"]] == ["INT-001"]
        editor.open(INTENTS)
        (message,) = _unconfirmed(editor, INTENTS)
        assert "intentls confirm" in message
        editor.save(INTENTS, (root / INTENTS).read_text())
        assert [intent["id"] for intent in editor.do("listIntents")["intents"]] == ["INT-001", "INT-009"]
        assert _unconfirmed(editor, INTENTS) == []


def test_a_save_on_a_connection_of_an_agent_accepts_nothing(root: Path, agent: AgentProcess) -> None:
    with session(root) as editor:
        editor.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
        agent.shell(APPEND)
        editor.open(INTENTS)
        editor.save(INTENTS, (root / INTENTS).read_text())
        assert [intent["id"] for intent in editor.do("listIntents")["intents"]] == ["INT-001"]


def test_a_persons_commit_accepts_and_an_agents_does_not(root: Path, agent: AgentProcess) -> None:
    """What counts is who made the commit that brought the change."""
    agent.shell(f"{APPEND}; git add -A; git commit -qm mine")
    assert (_listed(root), _waiting(root)) == (["INT-001"], [INTENTS])
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "another"], cwd=root, check=True)
    assert _listed(root) == ["INT-001"]
    agent.shell(f"echo '  - {{id: INT-010, owned_scope: [docs/**]}}' >> {INTENTS}", call="call-2")
    assert _listed(root) == ["INT-001"]
    subprocess.run(["git", "commit", "-qam", "a person's"], cwd=root, check=True)
    assert (_listed(root), _waiting(root)) == (["INT-001", "INT-009", "INT-010"], [])


def test_what_a_pull_brings_counts(root: Path, agent: AgentProcess, tmp_path: Path) -> None:
    """The team's change is no agent's; the agent's own push and pull of its change is."""
    bare, other = tmp_path / "bare", tmp_path / "other"
    for command in (
        f"git clone -q --bare {root} {bare}",
        f"git remote add origin {bare}; git fetch -q; git branch -q -u origin/$(git branch --show-current)",
        f"git clone -q {bare} {other}; cd {other}; git config user.email a@b; git config user.name a; {APPEND};"
        "git commit -qam team; git push -q",
    ):
        subprocess.run(["sh", "-ec", command], cwd=root, check=True)
    agent.shell("git pull -q --ff-only")
    assert (_listed(root), _waiting(root)) == (["INT-001", "INT-009"], [])
    agent.shell(f"sed -i s/INT-009/INT-010/ {INTENTS}; git commit -qam mine; git push -q; git pull -q", call="call-2")
    assert (_listed(root), _waiting(root)) == (["INT-001", "INT-009"], [INTENTS])


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("echo 'mode: advise' > .orchestration/policy.yaml", ".orchestration/policy.yaml"),
        (f"rm {INTENTS}", INTENTS),
        (f"mv {INTENTS} gone.yaml", INTENTS),
        ("echo 'src/**' > .intentignore", ".intentignore"),
        ("echo 'src/**' > .orchestration/.intentignore", ".orchestration/.intentignore"),
        ("mv .gitignore .intentignore", ".intentignore"),
    ],
)
def test_every_declared_file_waits(root: Path, agent: AgentProcess, command: str, path: str) -> None:
    """Made, removed and renamed ones as well."""
    agent.shell(command)
    assert (_waiting(root), _listed(root)) == ([path], ["INT-001"])
    allowed = person(root, ["check", "src/a.py", "--session", "agent-1"])
    refused = person(root, ["check", "docs/a.md", "--session", "agent-1"])
    assert (allowed.code, refused.code) == (0, 1)


def test_the_files_of_single_intents_wait(root: Path, agent: AgentProcess) -> None:
    """A new one does not count; one that is changed or gone counts as it was."""
    folder = ".orchestration/intents"
    for name in ("INT-003", "INT-004"):
        (root / folder).mkdir(exist_ok=True)
        (root / folder / f"{name}.yaml").write_text(f"id: {name}\nowned_scope: [docs/**]\n")
    agent.shell(
        f"cd {folder}; rm INT-003.yaml; printf 'id: INT-009\\nname: mine\\n' > INT-009.yaml;"
        " printf 'id: INT-010\\n' > INT-004.yaml"
    )
    assert _listed(root) == ["INT-001", "INT-003", "INT-004"]
    assert _waiting(root) == [f"{folder}/{name}.yaml" for name in ("INT-003", "INT-004", "INT-009")]
    shown = person(root, ["confirm", "--yes"])
    assert (shown.code, "+name: mine" in shown.out, "+++ /dev/null" in shown.out) == (0, True, True)
    assert (_listed(root), _waiting(root)) == (["INT-001", "INT-010", "INT-009"], [])


def test_what_is_put_back_waits_no_more(root: Path, agent: AgentProcess) -> None:
    agent.shell(APPEND)
    agent.shell(f"git checkout -q {INTENTS}", call="call-2")
    assert _waiting(root) == []
    assert not (root / ".orchestration/.state/accepted/index.json").exists()


def test_a_persons_own_change_counts_at_once(root: Path, agent: AgentProcess) -> None:
    """After the command; what they write by hand is theirs, with the agent's lines in it."""
    agent.shell("true")
    (root / INTENTS).write_text(DECLARING + MORE + "\n")
    assert (_listed(root), _waiting(root)) == (["INT-001", "INT-009"], [])


def test_two_commands_at_once_hide_nothing(root: Path, agent: AgentProcess) -> None:
    """The end of one command does not let the change of another count."""
    tool = {"tool_name": "Bash", "tool_input": {"command": "x"}}
    agent.hook("PreToolUse", tool_use_id="one", **tool)
    agent.hook("PreToolUse", tool_use_id="two", **tool)
    agent.run(APPEND)
    agent.hook("PostToolUse", tool_use_id="one", tool_response={}, **tool)
    assert _listed(root) == ["INT-001"]
    agent.hook("PostToolUse", tool_use_id="two", tool_response={}, **tool)
    assert (_listed(root), _waiting(root)) == (["INT-001"], [INTENTS])


def test_a_command_that_is_never_reported_holds_what_it_changed(root: Path) -> None:
    """It ends with its agent: what is declared afterwards is a person's."""
    with AgentProcess(root) as agent:
        _begin(agent)
        agent.hook("PreToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_use_id="one")
        agent.run(APPEND)
    assert (_listed(root), _waiting(root)) == (["INT-001"], [INTENTS])
    (root / INTENTS).write_text(DECLARING.replace("INT-001", "INT-007"))
    assert _listed(root) == ["INT-007"]


def test_an_unconfirmed_file_is_not_built_on(root: Path, agent: AgentProcess) -> None:
    """A grant of a person would else accept what they have not seen."""
    agent.shell(APPEND)
    with session(root) as editor:
        refused = editor.do("expandScope", intent_id="INT-001", glob="docs/**", reason="")
        assert (refused["status"], "until a person accepts" in refused["error"]) == ("error", True)


def test_what_a_person_grants_during_a_command_counts(root: Path, agent: AgentProcess) -> None:
    agent.hook("PreToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_use_id="one")
    with session(root) as editor:
        editor.do("expandScope", intent_id="INT-001", glob="docs/**", reason="")
        (intent,) = editor.do("listIntents")["intents"]
        assert intent["owned_scope"] == ["src/**", "docs/**"]
    agent.hook("PostToolUse", tool_name="Bash", tool_input={"command": "x"}, tool_use_id="one", tool_response={})
    assert _waiting(root) == []


def test_an_index_that_came_with_a_copy_does_not_count(root: Path, agent: AgentProcess, tmp_path: Path) -> None:
    """It could hold whatever a repository's author wants to count."""
    agent.shell(APPEND)
    subprocess.run(["cp", "-a", str(root), str(tmp_path / "copy")], check=True)
    assert _listed(tmp_path / "copy") == ["INT-001", "INT-009"]


def test_a_lost_content_closes_the_gate(root: Path, agent: AgentProcess) -> None:
    """What counted is unknown then, and the new content is not confirmed."""
    agent.shell(APPEND)
    for file in (root / ".orchestration/.state/accepted").iterdir():
        if file.name != "index.json":
            file.unlink()
    assert person(root, ["check", "src/a.py", "--session", "agent-1"]).code in (1, 2)
    assert person(root, ["confirm", "--yes"]).code == 0
    assert _listed(root) == ["INT-001", "INT-009"]
