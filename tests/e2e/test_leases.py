"""Two agents, one file: two servers in one workspace, each with a client of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.support.patience import eventually
from tests.support.session import Session, session
from tests.support.workspaces import make_workspace

pytestmark = pytest.mark.usefixtures("each_store")

PATH = "src/api/weather.py"
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
SENTENCE = rf"{PATH} is being changed by session (\S+) under INT-001 since {TIME}, lease until {TIME}"


@contextmanager
def two(tmp_path: Path, policy: str = "") -> Iterator[tuple[Session, Session]]:
    """Two connections to two servers; each one's own session works under INT-001."""
    root = make_workspace(tmp_path / "w", policy=policy)
    with ExitStack() as open_sessions:
        ada, ben = (open_sessions.enter_context(session(root)) for _ in range(2))
        for each in (ada, ben):
            each.do("selectActiveIntent", intent_id="INT-001")
        yield ada, ben


def write(who: Session, content: str) -> dict[str, object]:
    who.do("readFile", path=PATH)
    return who.do("writeToFile", path=PATH, content=content)


def is_free(who: Session) -> bool:
    """Whether the gate lets `who` change the file."""
    return who.do("checkEdit", path=PATH).get("allowed") is True


def leased(params: dict[str, object], uri: str) -> list[dict[str, object]]:
    """The LEASED hints that a server publishes for a document."""
    diagnostics = params["diagnostics"] if params["uri"] == uri else []
    assert isinstance(diagnostics, list)
    return [found for found in diagnostics if found["code"] == "LEASED"]


def test_by_default_the_second_agent_is_warned_and_goes_on(tmp_path: Path) -> None:
    """Its answer says who else is at the file; the edit and its record are there."""
    with two(tmp_path) as (ada, ben):
        assert "warnings" not in write(ada, "a = 1\n")
        done = write(ben, "b = 1\n")
        assert done["status"] == "ok"
        (warning,) = done["warnings"]
        found = re.fullmatch(SENTENCE + r"\.", warning)
        assert found and found[1] == ada.do("getActiveIntent")["session_id"]
        assert (ben.root / PATH).read_text() == "b = 1\n"
        assert ben.ledger[-1]["id"] == done["trace_id"]
        assert "warnings" not in write(ada, "a = 2\n"), "the lease stays with the first"


def test_under_enforcement_the_second_agent_is_refused(tmp_path: Path) -> None:
    """Its write, its host's tool and its question get the same refusal, and nothing is written."""
    with two(tmp_path, "leases: enforce\n") as (ada, ben):
        write(ada, "a = 1\n")
        refusal = write(ben, "b = 1\n")
        assert (refusal["error_type"], refusal["code"]) == ("HOOK_BLOCKED", "HOOK_ERROR")
        assert (refusal["action_hint"], refusal["paths"]) == ("retry", [PATH])
        assert re.fullmatch(rf"Leased File: {SENTENCE}\. .*retry.*", str(refusal["error"]))
        assert (ben.root / PATH).read_text() == "a = 1\n"
        assert (ben.ledger[-1]["success"], ben.ledger[-1]["error"]) == (False, refusal["error"])
        assert ben.do("preToolUse", tool_name="edit", params={"path": PATH})["code"] == "HOOK_ERROR"
        assert ben.do("checkEdit", path=PATH)["code"] == "HOOK_ERROR"
        assert write(ada, "a = 2\n")["status"] == "ok"


def test_a_tool_that_a_host_announced_holds_its_file(tmp_path: Path) -> None:
    """The first host may run its tool, the second is warned before it runs its own."""
    with two(tmp_path) as (ada, ben):
        tool = {"tool_name": "edit", "params": {"path": PATH}}
        assert set(ada.do("preToolUse", **tool)) == {"status", "allowed", "classification", "pre_hash"}
        answer = ben.do("preToolUse", **tool)
        assert answer["allowed"] is True
        assert re.fullmatch(SENTENCE + r"\.", answer["warnings"][0])


def test_two_agents_on_one_connection_are_two(tmp_path: Path) -> None:
    """A lease belongs to a session, not to a connection."""
    with session(make_workspace(tmp_path / "w", policy="leases: enforce\n")) as server:
        for name in ("ada", "ben"):
            server.do("selectActiveIntent", intent_id="INT-001", session_id=name)
        assert server.do("writeToFile", path=PATH, content="a\n", session_id="ada")["status"] == "ok"
        refusal = server.do("writeToFile", path=PATH, content="b\n", session_id="ben")
        assert "changed by session ada under INT-001" in refusal["error"]


def test_a_lease_that_is_not_renewed_ends(tmp_path: Path) -> None:
    """After `lease_ttl_s` seconds the file is anybody's."""
    with two(tmp_path, "leases: enforce\nlease_ttl_s: 1\n") as (ada, ben):
        write(ada, "a = 1\n")
        eventually(lambda: is_free(ben))
        assert write(ben, "b = 1\n")["status"] == "ok"


def test_a_lease_ends_with_the_work_it_was_for(tmp_path: Path) -> None:
    """Handing the intent back, or taking up another one, frees the file at once."""
    with two(tmp_path, "leases: enforce\n") as (ada, ben):
        write(ada, "a = 1\n")
        assert not is_free(ben)
        ada.do("clearActiveIntent")
        assert is_free(ben)
        ada.do("selectActiveIntent", intent_id="INT-001")
        write(ada, "a = 2\n")
        assert not is_free(ben)
        ada.do("selectActiveIntent", intent_id="INT-002")
        assert is_free(ben)


@pytest.mark.parametrize("end", ["shutdown", "disconnect", "kill"])
def test_a_lease_ends_with_its_connection(tmp_path: Path, end: str) -> None:
    """Whether the client says goodbye, just leaves, or the server is killed."""
    with ExitStack() as open_sessions:
        root = make_workspace(tmp_path / "w", policy="leases: enforce\n")
        ben = open_sessions.enter_context(session(root))
        ben.do("selectActiveIntent", intent_id="INT-001")
        gone = open_sessions.enter_context(ExitStack())
        ada = gone.enter_context(session(root))
        ada.do("selectActiveIntent", intent_id="INT-001")
        write(ada, "a = 1\n")
        assert not is_free(ben)
        if end == "shutdown":
            gone.close()
        else:
            gone.pop_all()
            assert ada.wire.process is not None
            if end == "kill":
                ada.wire.process.kill()
            ada.wire.close()
        assert is_free(ben)
        assert write(ben, "b = 1\n")["status"] == "ok"


def test_an_open_file_shows_who_else_is_changing_it(tmp_path: Path) -> None:
    """A hint comes when another session leases the file, and goes when that is over."""
    with two(tmp_path) as (ada, ben):
        uri = ben.uri(PATH)
        ben.open(PATH)
        ben.wire.expect_notification("textDocument/publishDiagnostics", lambda it: it["uri"] == uri)
        write(ada, "a = 1\n")
        shown = ben.wire.expect_notification("textDocument/publishDiagnostics", lambda it: bool(leased(it, uri)))
        (hint,) = leased(shown, uri)
        assert (hint["severity"], hint["source"]) == (4, "intentls")
        assert re.fullmatch(
            rf"{PATH} is being changed by session \S+ under INT-001 since {TIME}\.", str(hint["message"])
        )
        ada.do("clearActiveIntent")
        ben.wire.expect_notification(
            "textDocument/publishDiagnostics", lambda it: it["uri"] == uri and not leased(it, uri)
        )


def test_a_person_who_saves_is_seen_at_work(tmp_path: Path) -> None:
    """A save by hand, under an intent, leases the file as a guarded edit does."""
    with two(tmp_path) as (ada, ben):
        ada.open(PATH)
        ada.type(PATH, "a = 1\n")
        ada.save(PATH, "a = 1\n")
        eventually(lambda: bool(ada.ledger))
        assert re.fullmatch(SENTENCE + r"\.", write(ben, "b = 1\n")["warnings"][0])  # type: ignore[index]
