"""Approvals: a person is asked through the client's form, in either era of the protocol."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import types
from mcp.shared.exceptions import MCPError

from tests.faces.mcp.conftest import LEGACY, MODERN, Agent, Person, agent, chosen
from tests.support.patience import PATIENCE_S
from tests.support.session import ledger_of
from tests.support.workspaces import make_workspace

pytestmark = pytest.mark.usefixtures("each_store")

ERAS = pytest.mark.parametrize("mode", [LEGACY, MODERN])
DESIGN = "docs/design.md"


async def _try(connected: Agent) -> types.CallToolResult:
    """An edit outside the scope."""
    await connected.do("select_active_intent", intent_id="INT-001")
    return await connected.call("write_to_file", path=DESIGN, content="new")


def _design(root: Path) -> str:
    return (root / DESIGN).read_text()


@ERAS
async def test_approve_lets_one_action_pass(workspace: Path, mode: str) -> None:
    """The question says what it is about and offers three ways; the override is on record; the next edit asks again."""
    person = Person(chosen("Approve"))
    async with agent(workspace, person, mode=mode) as connected:
        assert not (await _try(connected)).is_error
        person.answer = chosen("Reject")
        assert (await connected.refused("delete_file", path=DESIGN))["code"] == "SCOPE_VIOLATION"
    question = person.asked[0]
    assert "wants to change docs/design.md, outside INT-001 (src/api/**" in question.message
    (choice,) = question.requested_schema["properties"].values()
    assert choice["enum"] == ["Approve", "Reject", "Expand scope"]
    assert len(person.asked) == 2
    record = ledger_of(workspace)[0]
    assert (record["override"]["action"], record["override"]["code"]) == ("Approve", "SCOPE_VIOLATION")
    assert _design(workspace) == "new"


@ERAS
async def test_expand_scope_widens_the_intent(workspace: Path, mode: str) -> None:
    """`Expand scope` adds the path to the intents file, so that nobody is asked again."""
    person = Person(chosen("Expand scope"))
    async with agent(workspace, person, mode=mode) as connected:
        assert not (await _try(connected)).is_error
        await connected.do("write_to_file", path=DESIGN, content="newer")
    assert len(person.asked) == 1
    assert '"docs/design.md"' in (workspace / ".orchestration" / "active_intents.yaml").read_text()
    assert _design(workspace) == "newer"


NO = {
    "rejected": chosen("Reject"),
    "declined": types.ElicitResult(action="decline"),
    "cancelled": types.ElicitResult(action="cancel"),
    "no choice": types.ElicitResult(action="accept"),
    "another choice": chosen("approve"),
    "something else": types.ElicitResult(action="accept", content={"answer": "Approve"}),
}


@ERAS
@pytest.mark.parametrize("answer", NO.values(), ids=list(NO))
async def test_anything_but_a_clear_yes_is_a_no(workspace: Path, answer: types.ElicitResult, mode: str) -> None:
    """The refusal stands, and nothing is changed."""
    async with agent(workspace, Person(answer), mode=mode) as connected:
        found = await _try(connected)
    assert found.is_error
    assert _design(workspace) == "# Design\n"
    (record,) = ledger_of(workspace)
    assert (record["success"], record["code"]) == (False, "SCOPE_VIOLATION")


async def test_an_error_for_an_answer_is_a_no(workspace: Path) -> None:
    """A client that can't ask after all, up to protocol 2025-11-25."""
    person = Person(types.ErrorData(code=-32601, message="no form here"))
    async with agent(workspace, person, mode=LEGACY) as connected:
        assert (await _try(connected)).is_error
    assert len(person.asked) == 1


@ERAS
async def test_a_client_that_cannot_ask_gets_the_refusal(workspace: Path, mode: str) -> None:
    """Without elicitation a refusal is final, a wish for a wider scope too."""
    async with agent(workspace, mode=mode) as connected:
        assert (await _try(connected)).is_error
        wish = await connected.refused("request_scope_expansion", path=DESIGN, reason="The design changed.")
    assert (wish["code"], wish["action_hint"], wish["paths"]) == ("SCOPE_VIOLATION", "choose_another_path", [DESIGN])
    assert ledger_of(workspace)[-1]["tool_name"] == "request_scope_expansion"
    assert ledger_of(workspace)[-1]["success"] is False


@ERAS
async def test_a_status_is_a_persons_to_set(workspace: Path, mode: str) -> None:
    """Without a person to ask it is refused, a no leaves it, a yes sets it; what it is already is no question."""
    person = Person(chosen("Reject"))
    async with agent(workspace, mode=mode) as connected:
        alone = await connected.refused("set_status", intent_id="INT-003", status="IN_PROGRESS")
    async with agent(workspace, person, mode=mode) as connected:
        rejected = await connected.refused("set_status", intent_id="INT-003", status="IN_PROGRESS")
        await connected.do("set_status", intent_id="INT-003", status="COMPLETED")
        person.answer = chosen("Approve")
        await connected.do("set_status", intent_id="INT-003", status="IN_PROGRESS")
    assert alone["error"].startswith(rejected["error"])
    assert (alone["code"], alone["paths"]) == ("SCOPE_VIOLATION", [".orchestration/active_intents.yaml"])
    assert [record["success"] for record in ledger_of(workspace)] == [False, False, True]
    assert ledger_of(workspace)[-1]["reason"].startswith("approved by ")


async def test_policy_may_forbid_to_ask(tmp_path: Path) -> None:
    """With `hitl: deny` nobody is asked."""
    root = make_workspace(tmp_path / "w", policy="hitl: deny\n")
    person = Person(chosen("Approve"))
    async with agent(root, person) as connected:
        assert (await _try(connected)).is_error
        await connected.refused("request_scope_expansion", path=DESIGN, reason="The design changed.")
    assert person.asked == []


@ERAS
async def test_a_wider_scope_is_a_persons_to_give(workspace: Path, mode: str) -> None:
    """The person reads the reason; a yes is a text edit, recorded as theirs, with who approved it."""
    person = Person(chosen("Approve"))
    async with agent(workspace, person, mode=mode) as connected:
        nobody = await connected.refused("request_scope_expansion", path=DESIGN, reason="It changed.")
        assert nobody["code"] == "INTENT_REQUIRED"
        await connected.do("select_active_intent", intent_id="INT-001")
        made = await connected.do("request_scope_expansion", path=DESIGN, reason="The design\nchanged.")
        await connected.do("write_to_file", path=DESIGN, content="new")
    (question,) = person.asked
    assert "wants to add docs/design.md to the scope of INT-001" in question.message
    assert question.message.endswith("The reason given: The design changed.")
    (choice,) = question.requested_schema["properties"].values()
    assert choice["enum"] == ["Approve", "Reject"]
    expanded, _ = ledger_of(workspace)
    assert expanded["id"] == made["trace_id"]
    assert expanded["reason"].startswith("The design\nchanged. (approved by ")
    assert expanded["files"][0]["conversations"][0]["contributor"]["type"] == "human"


@ERAS
async def test_nobody_answers_in_time(tmp_path: Path, mode: str) -> None:
    """After `hitl_timeout_s` it is a no."""
    root = make_workspace(tmp_path / "w", policy="hitl_timeout_s: 1\n")

    async def silent(*_: Any) -> types.ElicitResult:
        # Only the old protocol has a way to be told that it is too late.
        await anyio.sleep(1.3 if mode == MODERN else PATIENCE_S)
        return chosen("Approve")

    async with agent(root, silent, mode=mode) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        assert (await connected.refused("delete_file", path=DESIGN))["code"] == "SCOPE_VIOLATION"
    assert (root / DESIGN).exists()
    assert [record["success"] for record in ledger_of(root)] == [False]


@ERAS
async def test_everything_else_is_served_while_a_question_is_open(workspace: Path, mode: str) -> None:
    """Only the call that it is about waits."""
    asked, go_on = anyio.Event(), anyio.Event()

    async def consider(*_: Any) -> types.ElicitResult:
        asked.set()
        await go_on.wait()
        return chosen("Reject")

    async with agent(workspace, consider, mode=mode) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(connected.refused, "delete_file", path=DESIGN))
            await asked.wait()
            await connected.do("write_to_file", path="src/api/a.py", content="")
            assert [record["success"] for record in ledger_of(workspace)] == [True]
            go_on.set()
    assert (workspace / DESIGN).exists()
    assert [record["success"] for record in ledger_of(workspace)] == [True, False]


async def test_a_call_that_is_cancelled_while_it_asks_is_a_no(workspace: Path) -> None:
    """The client takes its call back: the question is over, nothing is changed, and the refusal is on record."""
    taken_back = anyio.CancelScope()

    async def cancel(*_: Any) -> types.ElicitResult:
        taken_back.cancel()
        await anyio.sleep(PATIENCE_S)
        return chosen("Approve")

    async with agent(workspace, cancel, mode=LEGACY) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        with taken_back:
            await connected.call("delete_file", path=DESIGN)
        await connected.do("write_to_file", path="src/api/a.py", content="")
    assert (workspace / DESIGN).exists()
    assert [record["success"] for record in ledger_of(workspace)] == [False, True]


# -- protocol 2026-07-28: the call is answered with the question, and made again


async def _asked(connected: Agent, path: str = DESIGN) -> types.InputRequiredResult:
    found = await connected.client.session.call_tool(
        "write_to_file", {"path": path, "content": "new"}, allow_input_required=True
    )
    assert isinstance(found, types.InputRequiredResult)
    return found


async def _answered(
    connected: Agent, state: str | None, answer: types.ElicitResult, path: str = DESIGN
) -> types.CallToolResult | types.InputRequiredResult:
    return await connected.client.session.call_tool(
        "write_to_file",
        {"path": path, "content": "new"},
        input_responses={"approval": answer},
        request_state=state,
        allow_input_required=True,
    )


async def test_an_answer_is_good_once(workspace: Path) -> None:
    """The state of a question that was answered, or that we never put, only leads to a new question."""
    async with agent(workspace, Person()) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        state = (await _asked(connected)).request_state
        done = await _answered(connected, state, chosen("Approve"))
        assert isinstance(done, types.CallToolResult)
        assert not done.is_error
        for used in (state, "made up"):
            again = await _answered(connected, used, chosen("Approve"))
            assert isinstance(again, types.InputRequiredResult)
            assert again.request_state != state
    assert ledger_of(workspace)[0]["success"] is True


async def test_an_answer_is_good_for_its_own_call_only(workspace: Path) -> None:
    """The yes to one edit does not let another one pass."""
    async with agent(workspace, Person()) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        state = (await _asked(connected)).request_state
        with pytest.raises(MCPError, match="requestState: belongs to another call") as caught:
            await _answered(connected, state, chosen("Approve"), path="docs/other.md")
        assert caught.value.code == -32602
        assert not (workspace / "docs/other.md").exists()
        assert isinstance(await _answered(connected, state, chosen("Approve")), types.CallToolResult)


async def test_a_question_that_the_client_leaves_open_is_a_no(workspace: Path) -> None:
    """A client that goes away with a question open changed nothing, and the refusal is on record."""
    async with agent(workspace, Person()) as connected:
        await connected.do("select_active_intent", intent_id="INT-001")
        await _asked(connected)
    assert _design(workspace) == "# Design\n"
    (record,) = ledger_of(workspace)
    assert (record["success"], record["code"]) == (False, "SCOPE_VIOLATION")
