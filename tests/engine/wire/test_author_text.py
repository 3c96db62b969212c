"""The history of a definition in words."""

from __future__ import annotations

from pathlib import Path

from intentls.engine.blame.definition_blame import blame_definition_at
from intentls.engine.wire.author_text import definition
from intentls.store.clock import now
from tests.support.agent_edits import Agent
from tests.support.workspaces import make_workspace

RAIN = "def rain(city):\n    value = measure_city(city)\n    return value * 0\n"
PATH = "src/api/rain.py"
INTENT = "just now · INT-001 Build Weather API"


def history(agent: Agent, path: str, *, markdown: bool = False) -> list[str]:
    (workspace,) = agent.engine.workspaces()
    blamed = blame_definition_at(workspace, path, 1)
    assert blamed is not None
    by = "by claude-opus-4-5 for Ada"
    text = definition(blamed, {"INT-001": "Build Weather API"}, now(), markdown=markdown)
    return text.replace(by, "by it").splitlines()


def test_the_history_of_a_definition_says_what_was_done_by_whom_and_from_where(tmp_path: Path) -> None:
    """A definition that was only created has none: the line's author says that."""
    root = make_workspace(tmp_path / "w", policy="identity: none\n")
    agent = Agent(root).select("INT-001")
    agent.write(PATH, RAIN)
    assert history(agent, PATH) == []
    agent.edit(PATH, "def rain(", "def rain_in(")
    agent.rename(PATH, "src/api/city.py")
    by = "by claude-opus-4-5"
    steps = [
        f"moved from {PATH} {by}, {INTENT}",
        f"renamed from rain {by}, {INTENT}",
        f"created {by}, {INTENT}",
    ]
    assert history(agent, "src/api/city.py") == ["function rain_in", *(f"  {step}" for step in steps)]
    marked = [f"- {step}" for step in steps]
    assert history(agent, "src/api/city.py", markdown=True) == ["**function rain_in**", "", *marked]


def test_a_long_history_is_cut_short(tmp_path: Path) -> None:
    """The four newest steps, and how many there are before."""
    agent = Agent(make_workspace(tmp_path / "w")).select("INT-001")
    agent.write(PATH, RAIN)
    for number in range(6):
        agent.edit(PATH, f"value * {number}", f"value * {number + 1}")
    assert len(history(agent, PATH)) == 6 and history(agent, PATH)[-1] == "  and 3 earlier changes"


def test_a_definition_that_moved_within_its_file_came_from_another_place(tmp_path: Path) -> None:
    """Its file is not named again."""
    agent = Agent(make_workspace(tmp_path / "w")).select("INT-001")
    agent.write(PATH, RAIN + "\n\ndef snow(country):\n    return forecast_of(country)\n")
    agent.write(PATH, "def snow(country):\n    return forecast_of(country)\n\n\n" + RAIN)
    texts = [*history(agent, PATH), *_history_at(agent, 6)]
    assert any("moved from another place in this file" in text for text in texts), texts


def _history_at(agent: Agent, line: int) -> list[str]:
    (workspace,) = agent.engine.workspaces()
    blamed = blame_definition_at(workspace, PATH, line)
    return [] if blamed is None else definition(blamed, {}, now(), markdown=False).splitlines()
