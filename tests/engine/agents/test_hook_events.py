"""What an agent's hooks announce and report, without any hook: permissions, questions to its user, and records."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from intentls.core.errors import InvalidPath
from intentls.core.gate.refusal import Code, Refusal
from intentls.core.gate.tool_class import ToolClass
from intentls.core.hashing import hash_of
from intentls.core.mutation.classes import MutationClass
from intentls.engine.actions.effects import drive
from intentls.engine.agents import hook_events
from intentls.engine.agents.hook_events import HostQuestion, ToolCall
from intentls.engine.intents.checkout import select
from intentls.engine.tools.host_tools import ToolPermission
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.session import ledger_of
from tests.support.workspaces import git, make_git_repo, make_workspace

RULES = """\
active_intents:
  - id: INT-001
    name: Weather
    status: IN_PROGRESS
    owned_scope: ["src/**"]
    constraints: [{forbid_import: requests}]
  - id: INT-002
    name: Docs
    status: IN_PROGRESS
    owned_scope: ["docs/**"]
"""
API, DESIGN = "src/api/weather.py", "docs/design.md"


class Agent:
    """A session under INT-001; each event has an engine of its own, as each hook is a process of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        drive(select(self.engine(), "s1", "INT-001", None, "model-1"))
        self._seen = len(ledger_of(root))

    def engine(self) -> Engine:
        return Engine(Headless("hook", (self.root,), can_ask=True))

    def call(self, path: str = API, tool: str = "write_to_file", key: str = "k", **params: Any) -> ToolCall:
        return ToolCall("s1", tool, (str(self.root / path),), key, params=params)

    def before(self, call: ToolCall) -> ToolPermission | HostQuestion | Refusal:
        return hook_events.before(self.engine(), call)

    def after(self, call: ToolCall, **more: Any) -> None:
        hook_events.after(self.engine(), call, **{"success": True, **more})

    @property
    def new(self) -> list[dict[str, Any]]:
        return ledger_of(self.root)[self._seen :]


@pytest.fixture
def agent(tmp_path: Path) -> Agent:
    root = make_git_repo(make_workspace(tmp_path / "root", RULES))
    git(root, "config", "user.name", "Ada Test")
    return Agent(root)


def test_what_the_agents_own_user_let_pass_is_on_record_as_their_approval(agent: Agent) -> None:
    """The agent asks its user after the hook; that the tool ran means that they said yes."""
    call = agent.call(DESIGN)
    question = agent.before(call)
    assert isinstance(question, HostQuestion)
    assert question.refusal.code is Code.SCOPE_VIOLATION
    (agent.root / DESIGN).write_bytes(b"# New\n")
    agent.after(call)
    refused, record = agent.new
    assert (refused["success"], refused["code"]) == (False, "SCOPE_VIOLATION")
    assert record["override"] == {"by": "Ada Test", "action": "Approve", "code": "SCOPE_VIOLATION"}
    assert [(file["path"], file["post_hash"]) for file in record["files"]] == [(DESIGN, hash_of(b"# New\n"))]


def test_a_call_that_nobody_was_asked_about_has_no_approval_on_record(agent: Agent) -> None:
    """Even where the same call was asked about before, for it needs no approval now."""
    call = agent.call(DESIGN)
    assert isinstance(agent.before(call), HostQuestion)
    drive(select(agent.engine(), "s1", "INT-002", None, None))
    assert isinstance(agent.before(call), ToolPermission)
    (agent.root / DESIGN).write_bytes(b"# New\n")
    agent.after(call)
    assert "override" not in agent.new[-1]


def test_an_approval_is_on_record_once(agent: Agent) -> None:
    """The next call with this id was not asked about."""
    call = agent.call(DESIGN)
    agent.before(call)
    for content in (b"# New\n", b"# Newer\n"):
        (agent.root / DESIGN).write_bytes(content)
        agent.after(call)
    assert ["override" in record for record in agent.new] == [False, True, False]


def test_what_an_asked_call_changed_is_compared_with_what_was_there_before(agent: Agent) -> None:
    """The contents are kept although the gate refuses: the agent's user may let the call pass."""
    call = agent.call(DESIGN)
    before = (agent.root / DESIGN).read_bytes()
    (agent.root / DESIGN).write_bytes(before + b"A person's line.\n")  # on no record, and not committed
    agent.before(call)
    (agent.root / DESIGN).write_bytes(before + b"A person's line.\nThe agent's.\n")
    agent.after(call)
    assert agent.new[-1]["files"][0]["pre_hash"] == hash_of(before + b"A person's line.\n")


def test_a_directory_can_be_asked_about(agent: Agent) -> None:
    """It has no content to keep."""
    assert isinstance(agent.before(agent.call("docs", "unknown_tool")), HostQuestion | Refusal)


@pytest.mark.parametrize(
    ("tool", "params"),
    [
        ("write_to_file", {"content": "import requests\n"}),
        ("edit_file", {"old_string": "def today", "new_string": "import requests\ndef today"}),
    ],
)
def test_a_rule_about_content_judges_what_the_parameters_say_the_tool_will_write(
    agent: Agent, tool: str, params: dict[str, str]
) -> None:
    """Before the tool runs: the file still has its old content."""
    question = agent.before(agent.call(API, tool, **params))
    assert isinstance(question, HostQuestion)
    assert question.refusal.code is Code.CONSTRAINT_VIOLATION
    assert isinstance(agent.before(agent.call(API, "write_to_file", content="import json\n")), ToolPermission)


def test_a_call_that_is_refused_without_a_question_is_refused(agent: Agent) -> None:
    """A host without anybody to ask."""
    outcome = hook_events.before(Engine(Headless("hook", (agent.root,))), agent.call(DESIGN))
    assert isinstance(outcome, Refusal)
    assert outcome.code is Code.SCOPE_VIOLATION


def test_a_read_is_known_to_the_session_and_is_on_no_record(agent: Agent) -> None:
    """With its hash; a directory is passed over."""
    agent.after(agent.call(API, "read_file"))
    agent.after(agent.call("src", "read_file"))
    workspace = agent.engine().workspace(agent.root)
    reads = workspace.sessions.load("s1").reads
    assert reads[API] == hash_of((agent.root / API).read_bytes())
    assert "src" not in reads
    assert agent.new == []


def test_a_tool_that_only_reads_may_read_beyond_the_scope(agent: Agent) -> None:
    assert agent.before(agent.call(DESIGN, "read_file")) == ToolPermission(ToolClass.SAFE)
    assert agent.new == []


def test_what_can_not_be_read_is_not_known_to_the_session(agent: Agent) -> None:
    """A link may lead out of the root."""
    (agent.root / "src/out").symlink_to("/etc/hostname")
    (agent.root / "src/loop").symlink_to("loop")
    for path in ("src/out", "src/loop"):
        with suppress(InvalidPath):
            agent.after(agent.call(path, "read_file"))
    assert agent.engine().workspace(agent.root).sessions.load("s1").reads == {}


def test_the_report_of_a_tool_says_what_it_is_and_how_it_ended(agent: Agent) -> None:
    call = replace(agent.call(), model="model-2")
    agent.before(call)
    (agent.root / API).write_bytes(b"X = 1\n")
    agent.after(call, success=False, error="it broke")
    (record,) = agent.new
    assert (record["tool_name"], record["success"], record["error"]) == ("write_to_file", False, "it broke")
    assert record["files"][0]["conversations"][0]["contributor"]["model_id"] == "model-2"


def test_a_session_learns_its_id_how_to_select_and_what_is_open(agent: Agent) -> None:
    """And the model that the host names is the session's from then on."""
    text = hook_events.session_context(agent.engine(), "s2", "model-3", 8_000)
    assert "This session's id is s2." in text
    assert "`intentls select INTENT --session s2`. Open intents: INT-001, INT-002." in text
    assert agent.engine().workspace(agent.root).sessions.load("s2").model == "model-3"
    assert hook_events.session_context(agent.engine(), "s1", None, 8_000).count("forbid_import: requests") >= 1
    assert agent.engine().workspace(agent.root).sessions.load("s1").model == "model-1"


def test_intents_that_are_done_or_ignored_are_not_offered(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "root", RULES.replace("IN_PROGRESS", "COMPLETED"))
    text = hook_events.session_context(Engine(Headless("hook", (root,))), "s2", None, 8_000)
    assert "No intent is open." in text


def test_outside_governance_a_session_learns_nothing(tmp_path: Path) -> None:
    assert hook_events.session_context(Engine(Headless("hook", (tmp_path,))), "s2", None, 8_000) == ""


def test_who_has_no_intent_learns_how_to_select_one_and_others_do_not(agent: Agent) -> None:
    """Advice is for that hint alone."""
    call = replace(agent.call(), session_id="s2")
    refusal = hook_events.before(Engine(Headless("hook", (agent.root,))), call)
    assert isinstance(refusal, Refusal)
    assert refusal.code is Code.INTENT_REQUIRED
    assert "intentls select INTENT --session s2" in hook_events.advice(agent.engine(), "s2", refusal)
    beyond = hook_events.before(Engine(Headless("hook", (agent.root,))), agent.call(DESIGN))
    assert isinstance(beyond, Refusal)
    assert hook_events.advice(agent.engine(), "s1", beyond) == ""


def test_a_declared_class_is_compared_with_what_the_tool_will_write(tmp_path: Path) -> None:
    """Where policy refuses a contradiction."""
    agent = Agent(make_git_repo(make_workspace(tmp_path / "root", RULES, policy="mutation_check: block\n")))
    drive(select(agent.engine(), "s1", "INT-001", MutationClass.DOCUMENTATION, None))
    outcome = agent.before(agent.call(API, content="def today():\n    return 'rain'\n"))
    assert isinstance(outcome, HostQuestion)
    assert outcome.refusal.code is Code.MUTATION_CLASS_CONTRADICTED
