"""Only a person grants: what an agent's session asks for, and what a person's editor does at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.session import ASKING, Json, Session, session
from tests.support.workspaces import make_workspace, write_files

INTENTS = ".orchestration/active_intents.yaml"
DECLARING = f"""\
active_intents:
  - id: INT-001
    status: IN_PROGRESS
    owned_scope: ["{INTENTS}", ".intentignore", "src/**"]
  - {{id: INT-002, status: DONE}}
"""
GRANTS: list[tuple[str, Json]] = [
    ("expandScope", {"intent_id": "INT-001", "glob": "docs/**", "reason": "the plan"}),
    ("expandScope", {"intent_id": "INT-001", "path": "docs/a.md", "reason": "the plan"}),
    ("setStatus", {"intent_id": "INT-002", "status": "IN_PROGRESS"}),
    ("setStatus", {"intent_id": "INT-001", "status": "DONE"}),
    ("writeToFile", {"path": INTENTS, "content": DECLARING + "  - id: INT-009\n"}),
    ("writeToFile", {"path": ".intentignore", "content": "!*\n"}),
    ("deleteFile", {"path": ".intentignore"}),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_workspace(tmp_path / "w", DECLARING, {"src/a.py": "a\n", ".intentignore": "# none\n"})


@pytest.fixture
def server(root: Path) -> Iterator[Session]:
    """A connection that can ask."""
    with session(root, ASKING) as started:
        started.wire.handlers["window/showMessageRequest"] = lambda _: None
        yield started


def _declared(root: Path) -> list[bytes | None]:
    files = [root / INTENTS, root / ".intentignore"]
    return [file.read_bytes() if file.exists() else None for file in files]


@pytest.mark.parametrize(("command", "arguments"), GRANTS)
def test_an_agents_session_is_granted_nothing_that_a_person_did_not_approve(
    server: Session, command: str, arguments: Json
) -> None:
    """The person is asked, and a no leaves every declared file as it was, with the refusal on record."""
    server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
    before = _declared(server.root)
    answer = server.do(command, **arguments)
    assert (answer["status"], answer["code"], len(server.wire.asked)) == ("error", "SCOPE_VIOLATION", 1)
    assert _declared(server.root) == before
    assert server.ledger[-1]["success"] is False


@pytest.mark.parametrize(("command", "arguments"), GRANTS)
def test_what_a_person_approves_is_granted(server: Session, command: str, arguments: Json) -> None:
    """One question each; who approved it is on record."""
    server.wire.handlers["window/showMessageRequest"] = lambda _: {"title": "Approve"}
    server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
    before = _declared(server.root)
    assert server.do(command, **arguments)["status"] == "ok"
    assert (_declared(server.root) != before, len(server.wire.asked)) == (True, 1)
    record = server.ledger[-1]
    assert record.get("override", {}).get("action") == "Approve" or "approved by" in record["reason"]


@pytest.mark.parametrize(("command", "arguments"), GRANTS)
def test_a_persons_editor_is_not_asked(server: Session, command: str, arguments: Json) -> None:
    """Without a model the connection is a person's: what they say counts at once."""
    server.do("selectActiveIntent", intent_id="INT-001")
    assert (server.do(command, **arguments)["status"], server.wire.asked) == ("ok", [])


@pytest.mark.parametrize(("command", "arguments"), GRANTS)
def test_another_sessions_name_helps_no_agent(server: Session, command: str, arguments: Json) -> None:
    """On a connection whose own session names a model every session is an agent's."""
    server.do("selectActiveIntent", intent_id="INT-001", session_id="a-person")
    server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
    answer = server.do(command, **arguments, session_id="a-person")
    assert (answer["code"], len(server.wire.asked)) == ("SCOPE_VIOLATION", 1)


@pytest.mark.parametrize(("command", "arguments"), [*GRANTS, ("writeToFile", {"path": "docs/a.md", "content": "a\n"})])
def test_an_agents_own_client_does_not_answer_for_a_person(root: Path, command: str, arguments: Json) -> None:
    """`interactive: true` is a setting that an agent can make: where a model is named, nobody is asked."""
    with session(root, {}, {"interactive": True}) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: {"title": "Approve"}
        server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
        before = _declared(root)
        assert server.do(command, **arguments)["code"] == "SCOPE_VIOLATION"
        assert (server.wire.asked, _declared(root)) == ([], before)


def test_a_model_that_only_the_call_names_is_an_agents_as_well(root: Path) -> None:
    """The question is not put to its own client either."""
    with session(root, {}, {"interactive": True}) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: {"title": "Approve"}
        server.do("selectActiveIntent", intent_id="INT-001")
        answer = server.do("writeToFile", path="docs/a.md", content="a\n", model_identifier="lab/m")
        assert (answer["code"], server.wire.asked) == ("SCOPE_VIOLATION", [])
        closed = server.do("selectActiveIntent", intent_id="INT-002", model_identifier="lab/m")
        assert (closed["code"], server.wire.asked) == ("INTENT_CLOSED", [])


@pytest.mark.parametrize(("command", "arguments"), GRANTS)
def test_a_server_that_an_agent_started_is_the_agents(
    root: Path, monkeypatch: pytest.MonkeyPatch, command: str, arguments: Json
) -> None:
    """The environment tells, whatever the connection says of itself."""
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "agent-1")
    with session(root, {}, {"interactive": True}) as server:
        server.wire.handlers["window/showMessageRequest"] = lambda _: {"title": "Approve"}
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do(command, **arguments)["code"] == "SCOPE_VIOLATION"


# -- what an approval is good for


def _edit(server: Session) -> Json:
    return server.do("editFile", path="docs/a.md", old_string="one", new_string="two")


def test_an_approval_is_good_for_the_contents_that_were_shown(server: Session) -> None:
    """A file that changes while the question is open gives another result, and the person is asked about that."""
    file = server.root / "docs/a.md"
    write_files(server.root, {"docs/a.md": "one\n"})
    server.do("selectActiveIntent", intent_id="INT-001")

    def approve(_: object) -> Json:
        if len(server.wire.asked) == 1:
            file.write_text("one, and something that was not shown\n")
        return {"title": "Approve"}

    server.wire.handlers["window/showMessageRequest"] = approve
    answer = _edit(server)
    assert (answer["status"], len(server.wire.asked)) == ("ok", 2)
    (override,) = [server.ledger[-1]["override"]]
    assert override["paths"] == ["docs/a.md"]
    assert override["contents"] == {"docs/a.md": answer["content_hash"]}
    assert "overrides" not in server.ledger[-1]


def test_an_approval_is_good_for_the_intent_that_asked(server: Session) -> None:
    """The session takes up another intent while the question is open: the yes was not given for that."""
    write_files(server.root, {"docs/a.md": "one\n"})
    (server.root / INTENTS).write_text(DECLARING + "  - {id: INT-003, owned_scope: [other/**]}\n")
    server.do("selectActiveIntent", intent_id="INT-001", session_id="agent-1")

    def approve(_: object) -> Json | None:
        if len(server.wire.asked) > 1:
            return None
        with session(server.root) as other:
            other.do("selectActiveIntent", intent_id="INT-003", session_id="agent-1")
        return {"title": "Approve"}

    server.wire.handlers["window/showMessageRequest"] = approve
    answer = server.do("editFile", path="docs/a.md", old_string="one", new_string="two", session_id="agent-1")
    assert (answer["code"], len(server.wire.asked)) == ("SCOPE_VIOLATION", 2)
    assert "INT-003" in answer["error"]


def test_an_approval_is_good_for_the_paths_that_were_named(server: Session) -> None:
    """A scope that is narrowed meanwhile puts a second path out of it: that one was not asked about."""
    write_files(server.root, {"docs/a.md": "one\n"})
    server.do("selectActiveIntent", intent_id="INT-001")

    def approve(_: object) -> Json:
        intents = server.root / INTENTS
        intents.write_text(intents.read_text().replace('"src/**"', '"lib/**"'))
        return {"title": "Approve"}

    server.wire.handlers["window/showMessageRequest"] = approve
    assert server.do("renameFile", path="docs/a.md", new_path="src/b.md")["status"] == "ok"
    assert len(server.wire.asked) == 2
    assert server.ledger[-1]["override"]["paths"] == ["docs/a.md", "src/b.md"]


# -- where policy only advises, and where links lead


@pytest.mark.parametrize(("command", "arguments"), GRANTS)
def test_advice_grants_nothing(server: Session, command: str, arguments: Json) -> None:
    """`mode: advise` lets edits pass with a warning, not what only a person may grant."""
    (server.root / ".orchestration/policy.yaml").write_text("mode: advise\n")
    server.do("selectActiveIntent", intent_id="INT-001", model_identifier="lab/m")
    before = _declared(server.root)
    answer = server.do(command, **arguments)
    assert (answer["status"], answer["code"]) == ("error", "SCOPE_VIOLATION")
    assert _declared(server.root) == before
    assert server.do("writeToFile", path="docs/a.md", content="a\n")["status"] == "ok"


@pytest.mark.parametrize(
    ("link", "target", "path"),
    [
        (".claude/settings.json", "src/settings.json", "src/settings.json"),
        (".claude", "src/claude", "src/claude/settings.local.json"),
        (".codex", "src/codex", "src/codex/hooks.json"),
        (".mcp.json", "src/tools.json", "src/tools.json"),
        (".cursor/hooks.json", "src/a.py", "src/a.py"),
    ],
)
def test_where_an_agents_settings_lead_is_protected(root: Path, link: str, target: str, path: str) -> None:
    """Who writes the file that a link leads to writes the settings."""
    (root / link).parent.mkdir(exist_ok=True)
    if "." in Path(target).name:
        write_files(root, {target: "{}\n"})
    else:
        (root / target).mkdir(parents=True)
    with session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        assert server.do("checkEdit", path=path, tool_name="write_to_file").get("allowed") is True
        (root / link).symlink_to(root / target)
        assert server.do("writeToFile", path=path, content="{}\n")["code"] == "PROTECTED_PATH"
        assert server.do("writeToFile", path="src/other.py", content="x\n")["status"] == "ok"


# -- selecting, after a person's answer


def test_a_selection_is_judged_again_after_the_answer(server: Session) -> None:
    """The intent is excluded while the question whether a closed one may be taken up is open."""
    (server.root / ".intentignore").write_text("# none\n")

    def approve(_: object) -> Json | None:
        if len(server.wire.asked) > 1:
            return None
        (server.root / ".intentignore").write_text("intent: INT-002\n")
        return {"title": "Approve"}

    server.wire.handlers["window/showMessageRequest"] = approve
    answer = server.do("selectActiveIntent", intent_id="INT-002")
    assert (answer["code"], len(server.wire.asked)) == ("INTENT_IGNORED", 2)


def test_an_approved_selection_is_of_the_intent_that_was_asked_about(server: Session) -> None:
    """Its scope is widened while the question is open: the person is asked about that."""

    def approve(_: object) -> Json | None:
        if len(server.wire.asked) > 1:
            return None
        (server.root / INTENTS).write_text(DECLARING.replace("status: DONE", "status: DONE, owned_scope: ['**']"))
        return {"title": "Approve"}

    server.wire.handlers["window/showMessageRequest"] = approve
    assert server.do("selectActiveIntent", intent_id="INT-002")["code"] == "INTENT_CLOSED"
    assert len(server.wire.asked) == 2
