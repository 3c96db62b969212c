"""What a person vouches for: which changes, in which lines, and never what an agent's command has just done."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.gate.refusal import Refusal
from intentls.engine.branch_check.attest import AttestRequest, AttestResult, attest
from intentls.engine.tools import shell_calls, shell_changes, shell_comparison
from intentls.store.sessions.announcer import Announcer, announcer
from tests.support.random_branches import Branch
from tests.support.workspaces import git

PATH = "src/part3.py"
POLICY = ".orchestration/policy.yaml"


def attested(branch: Branch, *paths: str, **request: Any) -> AttestResult | Refusal:
    resolved = tuple(branch.root / path for path in paths)
    return attest(branch.root, AttestRequest("cli", "seen", resolved, **request))


def steps(result: AttestResult | Refusal) -> list[tuple[str, str, int]]:
    assert isinstance(result, AttestResult), result
    return [(step.path, step.commit, step.lines) for step in result.steps]


def two_lines_by_hand(branch: Branch) -> str:
    return branch.read(PATH).replace("part3_line4 = 4\npart3_line5 = 5\n", "by = 1\nhand = 2\n")


def begin_command(branch: Branch, session: str = "agent-1") -> shell_changes.ShellCall:
    """An agent announces a command."""
    call = shell_changes.ShellCall(session, "execute_command", "k")
    shell_changes.remember(branch.agent(session=session).engine.workspace(branch.root), call)
    return call


def end_command(branch: Branch, call: shell_changes.ShellCall) -> None:
    shell_comparison.reconcile(branch.agent(session=call.session_id).engine.workspace(branch.root), call)


def test_what_is_attested_is_on_record_unless_it_is_a_trial(branch: Branch) -> None:
    """Of the working tree as well: nothing is committed here."""
    branch.put(PATH, two_lines_by_hand(branch))
    before = len(branch.records())
    trial = attested(branch, PATH, dry_run=True)
    assert steps(trial) == [(PATH, "", 2)]
    assert len(branch.records()) == before
    result = attested(branch, PATH)
    assert steps(result) == [(PATH, "", 2)]
    (record,) = branch.records()[before:]
    assert isinstance(result, AttestResult)
    assert [step.record_id for step in result.steps] == [record["id"]]
    (conversation,) = record["files"][0]["conversations"]
    assert [(one["start_line"], one["end_line"]) for one in conversation["ranges"]] == [(5, 6)]


def test_a_review_names_the_lines_that_the_first_attestation_named(branch: Branch) -> None:
    """Where the file still is what was attested; else none, for nobody knows where they went."""
    git(branch.root, "config", "user.name", "Ada")
    git(branch.root, "switch", "--quiet", "main")
    branch.declare(POLICY, "mode: enforce\nhitl: ask\nattest: review\n")
    git(branch.root, "switch", "--quiet", "-C", "work")
    branch.put(PATH, two_lines_by_hand(branch))
    git(branch.root, "commit", "--quiet", "--all", "--message", "By hand", "--author", "Ada <ada@example.org>")
    assert [lines for _, _, lines in steps(attested(branch, base="main"))] == [2]
    branch.commit("The ledger")
    git(branch.root, "config", "user.name", "Ben")
    assert [lines for _, _, lines in steps(attested(branch, PATH, base="main", dry_run=True))] == [2]
    branch.done(branch.agent().edit(PATH, "part3_line9 = 9\n", "agent = 9\n"))
    branch.commit("On record")
    assert [lines for _, _, lines in steps(attested(branch, PATH, base="main", dry_run=True))] == [0]


@pytest.mark.parametrize("is_committed", [False, True])
def test_what_an_agents_command_has_changed_is_not_attested_before_it_is_on_record(
    branch: Branch, is_committed: bool
) -> None:
    """Nobody has said yet whose it is: a person would be named for the agent's lines. Other files are no matter."""
    call = begin_command(branch)
    branch.put(PATH, two_lines_by_hand(branch))
    if is_committed:
        branch.commit()
    refusal = attested(branch, PATH)
    assert isinstance(refusal, Refusal)
    assert refusal.paths == (PATH,)
    assert refusal.error.startswith(f"Not Attested: [{PATH}] changed since an agent announced an edit or a command")
    end_command(branch, call)
    assert steps(attested(branch, PATH)) == []
    assert branch.records()[-1]["session_id"] == "agent-1"


def test_a_file_that_an_agent_announced_to_edit_is_not_attested_before_the_agent_reports(branch: Branch) -> None:
    before = branch.read(PATH).encode()
    snapshots = branch.agent().engine.workspace(branch.root).snapshots
    snapshots.keep("agent-1", PATH, before, "write_to_file", "INT-001")
    branch.put(PATH, two_lines_by_hand(branch))
    refusal = attested(branch, PATH)
    assert isinstance(refusal, Refusal)
    assert refusal.paths == (PATH,)
    snapshots.take("agent-1", PATH)
    assert steps(attested(branch, PATH)) == [(PATH, "", 2)]


def test_an_announced_edit_of_an_agent_that_has_ended_keeps_nothing_from_being_attested(
    branch: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshots = branch.agent().engine.workspace(branch.root).snapshots
    with monkeypatch.context() as patched:
        ended = Announcer(2**22 + 1, "1", announcer().place)
        patched.setattr("intentls.store.sessions.pre_edit_snapshots.announcer", lambda: ended)
        snapshots.keep("agent-1", PATH, branch.read(PATH).encode(), "write_to_file", "INT-001")
    branch.put(PATH, two_lines_by_hand(branch))
    assert steps(attested(branch, PATH)) == [(PATH, "", 2)]


def test_what_changed_before_an_agents_command_began_is_attested(branch: Branch) -> None:
    branch.put(PATH, two_lines_by_hand(branch))
    begin_command(branch)
    branch.put("src/part2.py", "agents = 1\n")
    assert steps(attested(branch, PATH)) == [(PATH, "", 2)]


def test_what_changes_while_a_reported_command_runs_on_is_attested(branch: Branch) -> None:
    """A server in the background writes no more than a person does, and its agent may never come back to it."""
    begin_command(branch)
    workspace = branch.agent().engine.workspace(branch.root)
    shell_comparison.settle(workspace, "agent-1", between_turns=True)
    branch.put(PATH, two_lines_by_hand(branch))
    assert steps(attested(branch, PATH)) == [(PATH, "", 2)]


def test_what_the_command_of_an_agent_that_is_gone_changed_is_put_on_record_first(
    branch: Branch, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_command(branch)
    branch.put(PATH, two_lines_by_hand(branch))
    monkeypatch.setattr(shell_calls, "is_orphan", lambda _: True)
    assert steps(attested(branch, PATH)) == []
    assert branch.records()[-1]["session_id"] == "agent-1"
