"""Who acts for a person, and who for an agent."""

from __future__ import annotations

from pathlib import Path

import pytest

from intentls.engine.actions import authority
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.sessions.agent_processes import AgentAbove, AgentProcesses
from tests.support.workspaces import make_workspace

ABOVE = AgentAbove(None, frozenset({"a1"}))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No agent is above, whatever runs these tests."""
    monkeypatch.delenv(authority.AGENT_SESSION, raising=False)
    monkeypatch.setattr(AgentProcesses, "above", lambda *_, **__: None)
    return make_workspace(tmp_path / "root")


def opened(root: Path, face: str = "cli", own: str | None = None) -> Workspace:
    return Engine(Headless(face, (root,), own_session=own)).workspace(root)


def test_a_person_acts_for_themselves(root: Path) -> None:
    assert authority.acts_for_agent(opened(root), "s1") is False
    assert authority.is_started_by_agent(opened(root)) is False
    assert authority.not_a_person(opened(root)) is None
    assert authority.refused_session(opened(root), "s1") is None


@pytest.mark.parametrize("face", ["mcp", "hook"])
def test_what_comes_from_an_agents_face_is_an_agents(root: Path, face: str) -> None:
    assert authority.acts_for_agent(opened(root, face), "s1") is True


def test_a_call_that_names_a_model_is_an_agents(root: Path) -> None:
    assert authority.acts_for_agent(opened(root), "s1", "model-1") is True


def test_a_session_with_a_model_is_an_agents_on_every_connection_that_has_it(root: Path) -> None:
    """A name of another session does not help."""
    opened(root).sessions.update("s1", lambda session: session.select("INT-001", None, "model-1", "lsp", "now"))
    assert authority.acts_for_agent(opened(root), "s1") is True
    assert authority.acts_for_agent(opened(root, own="s1"), "s2") is True
    assert authority.acts_for_agent(opened(root, own="s2"), "s3") is False


def test_a_session_that_was_selected_over_mcp_is_an_agents(root: Path) -> None:
    opened(root).sessions.update("s1", lambda session: session.select("INT-001", None, None, "mcp", "now"))
    assert authority.acts_for_agent(opened(root), "s1") is True


def test_what_an_agent_started_is_the_agents_as_its_environment_says(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It selects for its own session alone, and is no person."""
    monkeypatch.setenv(authority.AGENT_SESSION, "a1")
    assert authority.is_started_by_agent(opened(root)) is True
    assert authority.acts_for_agent(opened(root), "s1") is True
    assert (authority.not_a_person(opened(root)) or "").startswith(f"{authority.AGENT_SESSION} says that an agent")
    assert authority.refused_session(opened(root), "a1") is None
    assert "for its own session (a1) alone, not for s1" in (authority.refused_session(opened(root), "s1") or "")


def test_what_an_agent_started_is_the_agents_as_the_processes_above_say(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AgentProcesses, "above", lambda *_, **__: ABOVE)
    assert authority.is_started_by_agent(opened(root)) is True
    assert (authority.not_a_person(opened(root)) or "").startswith("An agent works here")
    assert authority.refused_session(opened(root), "a1") is None
    reason = authority.refused_session(opened(root), "s1") or ""
    assert reason.startswith("An agent selects for its own session alone, not for s1. An agent works here")


def test_the_program_that_started_an_editors_server_is_not_above_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The editor may be the very program that an agent's hooks run below."""
    asked: list[bool] = []
    monkeypatch.setattr(AgentProcesses, "above", lambda *_, but_direct: asked.append(but_direct))
    for face in ("lsp", "cli"):
        authority.is_started_by_agent(opened(root, face))
    assert asked == [True, False]
