"""Constraints that are rules, from the file to the verdict: of a guarded edit, a host's own tool, a branch."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import Answer, Ask, Reply, drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.agents.hook_events import HostQuestion, ToolCall, before
from intentls.engine.edits.perform import perform
from intentls.engine.tools import host_tools
from intentls.engine.tools.host_tools import HostTool, ToolPermission
from intentls.engine.tools.predicted_edits import predict_plan
from intentls.engine.tools.tool_paths import paths_of
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

INTENTS = """\
active_intents:
  - id: INT-001
    status: IN_PROGRESS
    owned_scope: ["src/**", "tests/**"]
    constraints:
      - Be kind
      - forbid_import: requests
      - forbid_pattern: "eval("
      - max_changed_lines: 6
      - requires_change_in: "tests/**"
      - ast_grep: {language: python, pattern: "exec($$$CODE)"}
"""
FILES = {"src/a.py": "import requests\nx = 1\n"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_workspace(tmp_path / "w", INTENTS, FILES)


@pytest.fixture
def agent(root: Path) -> Agent:
    return Agent(root).select("INT-001")


def refused(outcome: object) -> str:
    assert isinstance(outcome, Refusal)
    assert outcome.code == "CONSTRAINT_VIOLATION"
    return outcome.error


def test_a_guarded_edit_keeps_to_the_rules(agent: Agent, root: Path, cli: Cli) -> None:
    """What stands there already is no hindrance; what an edit adds is. The refusal is on record, the file as it was."""
    assert isinstance(agent.edit("src/a.py", "x = 1", "x = 2"), EditResult)
    assert "src/a.py:3 has `eval(`" in refused(agent.edit("src/a.py", "x = 2", "x = 2\ny = eval('1')"))
    assert "src/b.py:1 imports requests" in refused(agent.write("src/b.py", "from requests import get\n"))
    assert "exec($$$CODE)" in refused(agent.write("src/b.py", "exec(\n  a,\n  b)\n"))
    assert "it changes 7 lines" in refused(agent.write("src/b.py", "1\n" * 7))
    assert not (root / "src/b.py").exists()
    assert isinstance(agent.rename("src/a.py", "src/c.py"), EditResult)
    entry = cli("trace", "log", "--limit", "2", "--json", "--root", root).json["entries"][1]
    assert (entry["code"], entry["success"], entry["error_type"]) == ("CONSTRAINT_VIOLATION", False, "HOOK_BLOCKED")
    assert entry["files"][0]["path"] == "src/b.py"


def test_a_person_may_let_an_edit_pass(root: Path, cli: Cli) -> None:
    """Asked like any other refusal that can be overridden; the override is on record with its code."""
    Agent(root).select("INT-001")
    engine = Engine(Headless("cli", (root,), can_ask=True))
    steps = perform(engine, EditRequest(WriteFile("src/b.py", "import requests\n"), "agent-1"))
    question = next(steps)
    assert isinstance(question, Ask) and question.subject.refusal.code == "CONSTRAINT_VIOLATION"
    with pytest.raises(StopIteration) as end:
        steps.send(Reply(Answer.APPROVE, "ada"))
    assert isinstance(end.value.value, EditResult)
    (entry,) = cli("trace", "log", "--limit", "1", "--json", "--root", root).json["entries"]
    override = entry["override"]
    assert {key: override[key] for key in ("by", "action", "code")} == {
        "by": "ada",
        "action": "Approve",
        "code": "CONSTRAINT_VIOLATION",
    }
    assert override["paths"] == ["src/b.py"] and set(override["contents"]) == {"src/b.py"}
    assert (entry["scope_validation"], entry["success"]) == ("PASS", True)


def test_under_an_advisory_policy_the_edit_is_made_and_warned_of(agent: Agent, root: Path) -> None:
    """As every other check does."""
    (root / ".orchestration/policy.yaml").write_text("mode: advise\n")
    done = agent.write("src/b.py", "import requests\n")
    assert isinstance(done, EditResult) and "imports requests" in done.warnings[0]


PATCH = "--- a/src/a.py\n+++ b/src/a.py\n@@ -1,2 +1,3 @@\n import requests\n x = 1\n+eval(x)\n"


@pytest.mark.parametrize(
    ("params", "ends"),
    [
        ({"path": "src/a.py", "content": "import requests\nimport requests.auth\n"}, "src/a.py:2 imports requests"),
        ({"path": "src/a.py", "old_string": "x = 1", "new_string": "eval(1)"}, "src/a.py:2 has `eval(`"),
        (
            {
                "file_path": "src/a.py",
                "edits": [
                    {"old_string": "x = 1", "new_string": "y"},
                    {"old_string": "y", "new_string": "eval(", "replace_all": True},
                ],
            },
            "src/a.py:2 has `eval(`",
        ),
        ({"patch": PATCH}, "src/a.py:3 has `eval(`"),
        ({"path": "src/a.py", "old_string": "absent", "new_string": "eval("}, None),
        ({"path": "src/new.py", "edits": [{"old_string": "a", "new_string": "eval("}]}, None),
        ({"path": "src/a.py", "edits": ["eval("]}, None),
        ({"path": "src/a.py", "edits": [{"old_string": "x = 1"}]}, None),
        ({"path": "src/a.py", "patch": "eval("}, None),
        ({"path": "src/a.py", "instructions": "eval("}, None),
        ({"paths": ["src/a.py", "src/b.py"], "content": "eval("}, None),
    ],
)
def test_a_hosts_own_tool_is_judged_by_what_it_tells(agent: Agent, params: dict[str, object], ends: str | None) -> None:
    """Its parameters say what it will make of the file; where they don't, only its paths are judged."""
    paths = paths_of("edit", params)
    request = EditRequest(HostTool("edit", paths), "agent-1", predict_plan=partial(predict_plan, params, paths))
    outcome = drive(host_tools.before_tool(agent.engine, request))
    if ends is None:
        assert isinstance(outcome, ToolPermission)
    else:
        assert ends in refused(outcome)


def test_an_agents_hook_is_judged_by_what_it_tells(agent: Agent, root: Path) -> None:
    """Also where the agent would ask its own user, who may then let it pass."""
    params = {"file_path": str(root / "src/b.py"), "content": "import requests\n"}
    call = ToolCall("agent-1", "write_to_file", (str(root / "src/b.py"),), "1", params=params)
    assert "src/b.py:1 imports requests" in refused(before(agent.engine, call))
    asking = before(Engine(Headless("hook", (root,), can_ask=True)), call)
    assert isinstance(asking, HostQuestion) and asking.refusal.code == "CONSTRAINT_VIOLATION"
    assert isinstance(before(agent.engine, replace(call, params={})), ToolPermission)


def test_a_branch_is_judged_as_a_whole(tmp_path: Path, cli: Cli) -> None:
    """Many small edits may be too many lines together, and a change that is required may be missing."""
    root = make_git_repo(make_workspace(tmp_path / "w", INTENTS, FILES))
    git(root, "switch", "-q", "-c", "work")
    agent = Agent(root).select("INT-001")
    agent.write("src/b.py", "1\n2\n3\n4\n")
    agent.write("src/c.py", "1\n2\n3\n")
    commit_all(root, "work")
    found = cli("check", "--base", "HEAD~1", "--json", "--root", root).json["findings"]
    assert [(each["code"], each["intent_id"]) for each in found] == [("CONSTRAINT_VIOLATION", "INT-001")] * 2
    assert "it changes 7 lines, and 6 are allowed" in json.dumps(found)
    assert "nothing in tests/** changes" in json.dumps(found)
    agent.delete("src/c.py")
    agent.write("tests/test_b.py", "1\n2\n")
    commit_all(root, "less")
    assert cli("check", "--base", "HEAD~2", "--root", root).code == 0
