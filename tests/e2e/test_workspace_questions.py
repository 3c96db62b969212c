"""A question is put to the workspace: whoever asks, every editor shows it, and the first answer counts everywhere."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from intentls.core.gate.refusal import Code, Refusal
from intentls.engine.actions.effects import REJECTED, Answer, Ask
from intentls.engine.actions.wording import Subject
from intentls.engine.questions import posting
from intentls.engine.questions.posting import Posting
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.agent_process import HOOK, INTENTLS, AgentProcess
from tests.support.agent_process import person as terminal
from tests.support.hook_process import environment
from tests.support.mcp_wire import McpWire, outcome
from tests.support.patience import PATIENCE_S, eventually
from tests.support.session import ASKING, Json, Session, ledger_of, session
from tests.support.wire import SILENCE
from tests.support.workspaces import make_workspace

pytestmark = pytest.mark.usefixtures("each_store")

QUESTION = "window/showMessageRequest"
DESIGN = {"path": "docs/design.md", "content": "# Plan\n"}


class Person:
    """Who sits at an editor: each question is kept, and answered with `answer`, or never."""

    def __init__(self, editor: Session, answer: object = SILENCE) -> None:
        self.messages: list[str] = []
        self.answer = answer
        self._seen = threading.Semaphore(0)
        editor.wire.handlers[QUESTION] = self._reply
        editor.do("listIntents")  # from then on the editor listens

    def _reply(self, params: Any) -> object:
        self.messages.append(params["message"])
        self._seen.release()
        return SILENCE if self.answer is SILENCE else self.answer and {"title": self.answer}

    def is_asked(self) -> str:
        """The next question; waits for it."""
        assert self._seen.acquire(timeout=PATIENCE_S), "nobody asked"
        return self.messages[-1]


class Running:
    """A call that waits for a person, in a thread of its own."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._result: list[Any] = []
        self._thread = threading.Thread(target=lambda: self._result.append(work()), daemon=True)
        self._thread.start()

    def result(self) -> Any:
        self._thread.join(PATIENCE_S)
        assert self._result, "the call still waits"
        return self._result[0]


@pytest.fixture
def root(workspace: Path) -> Path:
    return workspace


@pytest.fixture
def agent(root: Path) -> Iterator[McpWire]:
    """An agent that works over MCP and can't ask by itself."""
    with McpWire.begin(root) as wire:
        wire.do("select_active_intent", intent_id="INT-001", model_identifier="lab/m")
        yield wire


@pytest.fixture
def shell(root: Path) -> Iterator[AgentProcess]:
    """An agent whose hooks and commands run below its own process."""
    with AgentProcess(root) as process:
        process.hook("SessionStart", model="lab/m")
        assert process.run(f"{INTENTLS} select INT-001 --session agent-1").code == 0
        yield process


def _write(agent: McpWire, **arguments: Any) -> Running:
    call = agent.ask("tools/call", {"name": "write_to_file", "arguments": {**DESIGN, **arguments}})
    return Running(lambda: outcome(agent.answer(call, PATIENCE_S)))


def _design(root: Path) -> str:
    return (root / "docs/design.md").read_text()


def _open(root: Path) -> list[Json]:
    questions: list[Json] = json.loads(terminal(root, ["questions", "--json"]).out)["questions"]
    return questions


# -- who is asked


def test_a_person_at_an_editor_lets_an_agents_action_pass(root: Path, agent: McpWire) -> None:
    """The agent's call waits and goes on by itself; who approved is on record."""
    with session(root, ASKING) as editor:
        person = Person(editor, "Approve")
        assert agent.do("write_to_file", **DESIGN)["status"] == "ok"
    assert person.messages[0].startswith("lab/m wants to change docs/design.md, outside INT-001 (src/api/**, ")
    override = ledger_of(root)[-1]["override"]
    assert (_design(root), override["action"], override["code"]) == ("# Plan\n", "Approve", "SCOPE_VIOLATION")
    assert override["by"]


@pytest.mark.parametrize("answer", ["Reject", None])
def test_a_no_at_an_editor_leaves_the_refusal(root: Path, agent: McpWire, answer: str | None) -> None:
    """So does closing the question."""
    with session(root, ASKING) as editor:
        Person(editor, answer)
        assert agent.do("write_to_file", **DESIGN)["code"] == "SCOPE_VIOLATION"
    assert (_design(root), ledger_of(root)[-1]["success"]) == ("# Design\n", False)


def test_expand_scope_widens_the_intent_for_all_later_edits(root: Path, agent: McpWire) -> None:
    with session(root, ASKING) as editor:
        person = Person(editor, "Expand scope")
        assert agent.do("write_to_file", **DESIGN)["status"] == "ok"
        assert agent.do("write_to_file", path="docs/design.md", content="more\n")["status"] == "ok"
        assert len(person.messages) == 1
    assert '"docs/design.md"' in (root / ".orchestration/active_intents.yaml").read_text()


def test_an_agent_asks_for_a_wider_scope_with_its_reason(root: Path, agent: McpWire) -> None:
    with session(root, ASKING) as editor:
        person = Person(editor, "Approve")
        answer = agent.do("request_scope_expansion", path="docs/design.md", reason="the plan changed")
        assert answer["status"] == "ok", answer
    (message,) = person.messages
    assert message.startswith("lab/m wants to add docs/design.md to the scope of INT-001 (")
    assert message.endswith("The reason given: the plan changed")


def test_with_nobody_to_ask_the_refusal_comes_at_once_and_says_how_to_be_asked(root: Path, agent: McpWire) -> None:
    refused = agent.do("request_scope_expansion", path="docs/design.md", reason="the plan changed")
    assert (refused["code"], "`intentls questions --watch`" in refused["error"]) == ("SCOPE_VIOLATION", True)
    assert agent.do("write_to_file", **DESIGN)["code"] == "SCOPE_VIOLATION"


def test_an_editor_that_opens_later_shows_the_open_question(root: Path, agent: McpWire) -> None:
    with session(root, ASKING) as first:
        waiting = Person(first)
        call = _write(agent)
        waiting.is_asked()
        with session(root, ASKING) as second:
            late = Person(second, "Approve")
            assert late.is_asked() == waiting.messages[0]
            assert call.result()["status"] == "ok"


def test_an_agent_that_selects_the_intent_is_told_of_the_open_question(root: Path, agent: McpWire) -> None:
    """Once in its context, as data; not after it is answered."""
    asked, answer = threading.Event(), threading.Event()

    def consider(_params: Any) -> None:
        asked.set()
        assert answer.wait(PATIENCE_S)

    with session(root, ASKING) as editor, McpWire.begin(root) as colleague:
        Person(editor)
        editor.wire.handlers[QUESTION] = consider  # closes the question in the end, which is a no
        waiting = _write(agent)
        assert asked.wait(PATIENCE_S)
        context = ET.fromstring(colleague.do("select_active_intent", intent_id="INT-002")["context"])
        (question,) = context.iterfind("open_questions/question")
        assert (question.text or "").startswith("lab/m wants to change docs/design.md, outside INT-001 (")
        assert question.get("intent_id") == "INT-001"
        answer.set()
        assert waiting.result()["code"] == "SCOPE_VIOLATION"
        assert "open_questions" not in colleague.do("select_active_intent", intent_id="INT-002")["context"]


def test_a_question_of_a_root_below_the_opened_folder_is_shown_before_a_file_of_it_is_open(root: Path) -> None:
    """An editor has the folder above open."""
    with session(root.parent, ASKING) as editor, McpWire.begin(root) as agent:
        person = Person(editor, "Approve")
        agent.do("select_active_intent", intent_id="INT-001", model_identifier="lab/m")
        assert agent.do("write_to_file", **DESIGN)["status"] == "ok"
        assert person.messages[0].startswith("lab/m wants to change docs/design.md")


def test_the_first_answer_closes_the_question_everywhere(root: Path, agent: McpWire) -> None:
    """The other editor's question is taken back by `$/cancelRequest`."""
    with session(root, ASKING) as first, session(root, ASKING) as second:
        slow, quick = Person(first), Person(second)
        call = _write(agent)
        slow.is_asked()
        quick.is_asked()
        asked = first.wire.asked[-1]["id"]
        answered = second.wire.asked[-1]["id"]
        second.wire.send({"id": answered, "result": {"title": "Approve"}})
        assert call.result()["status"] == "ok"
        assert first.wire.expect_notification("$/cancelRequest") == {"id": asked}
        first.wire.send({"id": asked, "result": {"title": "Reject"}})  # too late: nothing happens
        assert first.do("listIntents")["status"] == "ok"
    assert _design(root) == "# Plan\n"
    assert [record["success"] for record in ledger_of(root)] == [True]


def test_a_question_ends_with_the_policys_time(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "w", policy="hitl_timeout_s: 1\n")
    with McpWire.begin(root) as agent, session(root, ASKING) as editor:
        person = Person(editor)
        agent.do("select_active_intent", intent_id="INT-001")

        def is_shown() -> bool:  # a busy editor may not come to it in a second
            assert agent.do("write_to_file", **DESIGN)["code"] == "SCOPE_VIOLATION"
            return bool(person.messages)

        eventually(is_shown)
        assert editor.wire.expect_notification("$/cancelRequest") == {"id": editor.wire.asked[-1]["id"]}


def test_a_killed_agents_question_vanishes(root: Path) -> None:
    with session(root, ASKING) as editor:
        person = Person(editor)
        agent = McpWire.begin(root)
        agent.do("select_active_intent", intent_id="INT-001")
        agent.ask("tools/call", {"name": "write_to_file", "arguments": DESIGN})
        person.is_asked()
        assert agent.process is not None
        agent.process.send_signal(signal.SIGKILL)
        agent.wait()
        assert editor.wire.expect_notification("$/cancelRequest") == {"id": editor.wire.asked[-1]["id"]}
    assert (_open(root), list((root / ".orchestration/.state/questions").iterdir())) == ([], [])


def test_an_agents_own_language_server_asks_the_persons_editor(root: Path) -> None:
    """A client that can't ask by itself."""
    with session(root) as agent, session(root, ASKING) as editor:
        person = Person(editor, "Approve")
        agent.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
        assert agent.do("writeToFile", **DESIGN)["status"] == "ok"
        assert len(person.messages) == 1


def test_hitl_deny_puts_no_question(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "w", policy="hitl: deny\n")
    with McpWire.begin(root) as agent, session(root, ASKING) as editor:
        person = Person(editor, "Approve")
        agent.do("select_active_intent", intent_id="INT-001")
        assert agent.do("write_to_file", **DESIGN)["code"] == "SCOPE_VIOLATION"
        assert person.messages == []


# -- hooks and commands


def _tool(root: Path, text: str = "# Plan\n") -> Json:
    written = {"file_path": str(root / "docs/design.md"), "content": text}
    return {"tool_name": "Write", "tool_input": written, "tool_use_id": "call-1"}


def test_a_hook_waits_for_the_person_at_the_editor(root: Path, shell: AgentProcess) -> None:
    """Approved, the tool runs; the person is on record, and the change is no violation."""
    with session(root, ASKING) as editor:
        person = Person(editor, "Approve")
        announced = shell.hook("PreToolUse", **_tool(root))
        assert (announced.code, announced.out) == (0, ""), announced
        assert person.messages[0].startswith("lab/m wants to change docs/design.md, outside INT-001")
    (root / "docs/design.md").write_text("# Plan\n")
    shell.hook("PostToolUse", **_tool(root), tool_response={})
    record = ledger_of(root)[-1]
    assert (record["override"]["action"], record["scope_validation"]) == ("Approve", "EXEMPT")


def test_a_hooks_question_that_is_rejected_refuses_the_tool(root: Path, shell: AgentProcess) -> None:
    with session(root, ASKING) as editor:
        Person(editor, "Reject")
        refused = shell.hook("PreToolUse", **_tool(root), permission_mode="default")
    assert json.loads(refused.out)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_hook_whose_agent_does_not_wait_lets_the_agents_user_decide(root: Path, shell: AgentProcess) -> None:
    """The agent's own prompt shows the reason."""
    event = {"hook_event_name": "PreToolUse", "session_id": "agent-1", "cwd": str(root), **_tool(root)}
    with session(root, ASKING) as editor:
        person = Person(editor)

        def is_shown() -> bool:  # a busy editor may not come to it in a second
            asked = shell.run(f"{HOOK} --wait 1", json.dumps({**event, "permission_mode": "default"}))
            assert json.loads(asked.out)["hookSpecificOutput"]["permissionDecision"] == "ask"
            return bool(person.messages)

        eventually(is_shown)


def test_expand_in_an_agents_shell_is_a_question(root: Path, shell: AgentProcess) -> None:
    with session(root, ASKING) as editor:
        person = Person(editor, "Approve")
        expanded = shell.run(f"{INTENTLS} expand INT-001 docs/design.md --reason 'the plan changed'")
        assert (expanded.code, len(person.messages)) == (0, 1), expanded
    assert '"docs/design.md"' in (root / ".orchestration/active_intents.yaml").read_text()


# -- in a terminal


def test_a_person_answers_in_a_terminal(root: Path, shell: AgentProcess) -> None:
    with session(root, ASKING) as editor:
        waiting = Person(editor)
        call = Running(lambda: shell.run(f"{HOOK} --wait 120", json.dumps(_before(root))))
        waiting.is_asked()
        (question,) = _open(root)
        assert (question["paths"], question["model"], question["agent"]) == (["docs/design.md"], "lab/m", "claude-code")
        answered = terminal(root, ["questions", "answer", question["id"], "approve", "--json"])
        assert (answered.code, json.loads(answered.out)["action"]) == (0, "Approve")
        assert call.result().out == ""
        assert editor.wire.expect_notification("$/cancelRequest")
    assert _open(root) == []
    late = terminal(root, ["questions", "answer", question["id"], "approve"])
    assert (late.code, "closed" in late.err) == (1, True)


def test_a_terminal_that_watches_listens(root: Path, shell: AgentProcess) -> None:
    """No editor is open."""
    command = [sys.executable, "-u", "-m", "intentls", "questions", "--watch"]
    pipe, closed = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, cwd=root, env=environment(), stdin=closed, stdout=pipe, stderr=pipe) as watching:
        assert watching.stdout is not None
        assert watching.stderr is not None
        assert b"Waiting for questions" in watching.stderr.readline()
        call = Running(lambda: shell.run(f"{HOOK} --wait 120", json.dumps(_before(root))))
        assert b"wants to change docs/design.md" in watching.stdout.readline()
        (question,) = _open(root)
        assert terminal(root, ["questions", "answer", question["id"], "approve"]).code == 0
        assert call.result().out == ""
        watching.kill()


def _before(root: Path) -> Json:
    return {"hook_event_name": "PreToolUse", "session_id": "agent-1", "cwd": str(root), **_tool(root)}


# -- an agent answers itself


def test_an_agents_shell_can_not_answer(root: Path, shell: AgentProcess) -> None:
    """Nor can a file that it writes: no process of a person stands for it."""
    with session(root, ASKING) as editor, AgentProcess(root) as helper:
        helper.hook("SessionStart")
        person = Person(editor)
        call = Running(lambda: shell.run(f"{HOOK} --wait 120", json.dumps(_before(root))))
        person.is_asked()
        (question,) = _open(root)
        tried = helper.run(f"{INTENTLS} questions answer {question['id']} approve")
        assert (tried.code, "Only a person" in tried.err) == (1, True), tried
        forged = helper.run(f"'{sys.executable}' -", _FORGE.format(root=str(root), id=question["id"]))
        assert (forged.code, forged.out) == (0, "removed\n"), forged
        (again,) = _open(root)
        assert again["id"] == question["id"]
        terminal(root, ["questions", "answer", question["id"], "reject"])
        assert "SCOPE_VIOLATION" in call.result().out
    assert _design(root) == "# Design\n"


_FORGE = """
import sys, time
from pathlib import Path
from intentls.store.questions.question_files import QuestionFiles
files = QuestionFiles(Path({root!r}) / ".orchestration/.state/questions")
(question,) = files.open()
held = files.answer(question, "Approve", "Ada")
while held.is_there:
    time.sleep(0.05)
print("removed")
"""


def test_an_answer_that_nobody_holds_does_not_count(root: Path, agent: McpWire) -> None:
    """A file is no word: the kernel has to name the process that stands for it."""
    with session(root, ASKING) as editor:
        person = Person(editor)
        call = _write(agent)
        person.is_asked()
        (file,) = (root / ".orchestration/.state/questions").glob("q-*[0-9a-f].json")
        forged = file.with_name(f"{file.stem}.answer.json")
        forged.write_text(json.dumps({"question": "sha256:0", "action": "Approve", "by": "Ada"}))
        eventually(lambda: not forged.exists())
        said = {"id": file.stem, "action": "Reject"}
        # The editor may not have seen yet that the question is open again.
        eventually(lambda: editor.wire.request("intentls/answerQuestion", said)["result"]["status"] == "ok")
        assert call.result()["code"] == "SCOPE_VIOLATION"


def test_a_server_that_an_agent_started_does_not_listen(root: Path, shell: AgentProcess) -> None:
    script = _CLIENT.format(tests=str(Path(__file__).parents[2]), root=str(root), capabilities=ASKING)
    ran = shell.run(f"'{sys.executable}' -", script)
    assert (ran.code, json.loads(ran.out.splitlines()[-1])["code"]) == (0, "SCOPE_VIOLATION"), ran


_CLIENT = """
import sys, json
sys.path.insert(0, {tests!r})
from pathlib import Path
from tests.support import forked_servers
from tests.support.mcp_wire import McpWire
from tests.support.session import session
forked_servers.FORKS = False
root = Path({root!r})
with session(root, {capabilities}) as own, McpWire.begin(root) as agent:
    own.wire.handlers["window/showMessageRequest"] = lambda _: {{"title": "Approve"}}
    own.do("listIntents")
    agent.do("select_active_intent", intent_id="INT-001")
    print(json.dumps(agent.do("write_to_file", path="docs/design.md", content="mine")))
"""


def test_a_connection_that_acts_for_an_agent_is_not_asked_about_others(root: Path, agent: McpWire) -> None:
    with session(root, ASKING) as own:
        person = Person(own, "Approve")
        own.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
        eventually(lambda: not list((root / ".orchestration/.state/listeners").glob("*.json")))
        assert agent.do("write_to_file", **DESIGN)["code"] == "SCOPE_VIOLATION"
        assert person.messages == []


# -- what an approval is good for


def test_an_approval_is_asked_again_where_the_contents_are_others_by_now(root: Path, agent: McpWire) -> None:
    """The person saw what the edit made of the file as it was."""
    design = root / "docs/design.md"
    design.write_text("one\n")
    with session(root, ASKING) as editor:
        person = Person(editor)
        call = Running(lambda: agent.do("edit_file", path="docs/design.md", old_string="one", new_string="two"))
        person.is_asked()
        design.write_text("one, and more\n")
        editor.wire.send({"id": editor.wire.asked[-1]["id"], "result": {"title": "Approve"}})
        person.is_asked()
        editor.wire.send({"id": editor.wire.asked[-1]["id"], "result": {"title": "Approve"}})
        assert call.result()["status"] == "ok"
    assert design.read_text() == "two, and more\n"


# -- a client with a place of its own for questions


def test_a_client_of_our_own_gets_the_list_and_answers(root: Path, agent: McpWire) -> None:
    with session(root, {}, {"questions": True}) as editor:
        editor.do("listIntents")
        call = _write(agent)
        (question,) = editor.wire.expect_notification("intentls/questions")["questions"]
        assert (question["model"], question["actions"]) == ("lab/m", ["Approve", "Reject", "Expand scope"])
        assert question["files"] == [{"path": "docs/design.md", "change": "modify"}]
        asked = {"id": question["id"], "path": "docs/design.md"}
        contents = editor.wire.request("intentls/questionContents", asked)["result"]
        assert (contents["before"], contents["after"]) == ("# Design\n", "# Plan\n")
        assert editor.wire.request("intentls/listQuestions", {})["result"]["questions"] == [question]
        wrong = editor.wire.request("intentls/answerQuestion", {"id": question["id"], "action": "Perhaps"})["result"]
        assert wrong["code"] == "NOT_OFFERED"
        said = {"id": question["id"], "action": "Approve"}
        assert editor.wire.request("intentls/answerQuestion", said)["result"]["status"] == "ok"
        assert call.result()["status"] == "ok"
        assert editor.wire.expect_notification("intentls/questions") == {"questions": []}
        assert editor.wire.request("intentls/answerQuestion", said)["result"]["code"] == "QUESTION_CLOSED"
        assert editor.wire.request("intentls/questionContents", asked)["error"]["code"] == -32602
        assert editor.wire.asked == []


def test_its_own_calls_are_in_the_list_too(root: Path) -> None:
    with session(root, {}, {"questions": True}) as editor:
        editor.do("selectActiveIntent", intent_id="INT-001")
        call = Running(lambda: editor.do("writeToFile", **DESIGN))
        (question,) = editor.wire.expect_notification("intentls/questions")["questions"]
        assert question["own"] is True
        said = {"id": question["id"], "action": "Approve"}
        assert editor.wire.request("intentls/answerQuestion", said)["result"]["status"] == "ok"
        assert call.result()["status"] == "ok"


def test_the_list_is_no_way_for_an_agents_connection(root: Path, agent: McpWire) -> None:
    with session(root, ASKING) as editor, session(root, {}, {"questions": True}) as own:
        person = Person(editor)
        own.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
        call = _write(agent)
        person.is_asked()
        (question,) = _open_ids(root)
        answer = own.wire.request("intentls/answerQuestion", {"id": question, "action": "Approve"})["result"]
        assert answer["status"] == "error"
        editor.wire.send({"id": editor.wire.asked[-1]["id"], "result": {"title": "Reject"}})
        assert call.result()["code"] == "SCOPE_VIOLATION"


def _open_ids(root: Path) -> list[str]:
    return [file.stem for file in (root / ".orchestration/.state/questions").glob("q-*[0-9a-f].json")]


def test_elicitation_is_for_when_no_editor_listens(root: Path) -> None:
    with McpWire.begin(root, {"elicitation": {}}) as agent:
        elicited = {"action": "accept", "content": {"decision": "Approve"}}
        agent.handlers["elicitation/create"] = lambda _: elicited
        agent.do("select_active_intent", intent_id="INT-001")
        assert outcome(agent.call("write_to_file", **DESIGN))["status"] == "ok"
        with session(root, ASKING) as editor:
            person = Person(editor, "Approve")
            workspace = Engine(Headless("cli", (root,))).workspace(root)
            eventually(lambda: list(workspace.listeners.others()))  # a server listens soon after its first answers
            assert agent.do("write_to_file", path="docs/design.md", content="more\n")["status"] == "ok"
            assert len(person.messages) == 1
    assert len([each for each in agent.asked if each["method"] == "elicitation/create"]) == 1


# -- who listened leaves


@pytest.fixture
def abandoned(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Posting]:
    """A question that an editor in another process showed, until it was closed."""
    monkeypatch.setattr(posting, "_RETURN_S", 0.0)
    workspace = Engine(Headless("cli", (root,))).workspace(root)
    refusal = Refusal(Code.SCOPE_VIOLATION, "It is outside.", paths=("docs/design.md",))
    subject = Subject(refusal, "write_to_file", "lab/m", "INT-001", paths=("docs/design.md",))
    with session(root, ASKING) as editor:
        Person(editor)
        asked = Posting(Ask(subject, (Answer.APPROVE, Answer.REJECT), 3600, workspace, "agent-1", has_listener=True))
        assert not asked.is_abandoned()
    eventually(asked.is_abandoned)
    yield asked
    asked.close()


def test_who_asks_waits_no_longer_when_the_last_editor_is_closed(abandoned: Posting) -> None:
    """Its time would run for an hour yet."""
    assert Running(abandoned.wait).result() == REJECTED


def test_an_answer_that_was_given_before_the_editor_was_closed_counts(abandoned: Posting) -> None:
    assert abandoned.answer_here("Approve")
    assert Running(abandoned.wait).result().answer is Answer.APPROVE


def test_an_editor_that_comes_back_shows_the_question_again(abandoned: Posting, root: Path) -> None:
    """As when its window is loaded again."""
    with session(root, ASKING) as editor:
        assert Person(editor).is_asked()
        assert not abandoned.is_abandoned()
