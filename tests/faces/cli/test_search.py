"""`intentls search`."""

from __future__ import annotations

from pathlib import Path

from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent


def test_the_history_is_searched_by_words(workspace: Path, cli: Cli) -> None:
    """As a table for people, as JSON for programs; nothing found is said on stderr."""
    Agent(workspace).select("INT-001").write("src/api/rain.py", "a = 1\n")
    shown = cli("search", "weather", "rain", "--root", workspace)
    assert shown.code == 0
    header, row = shown.out.splitlines()
    assert header.split() == ["time", "kind", "intent", "by", "what", "files"]
    assert row.split()[2:] == ["record", "INT-001", "claude-opus-4-5", "Build", "Weather", "API", "src/api/rain.py"]
    (result,) = cli("search", "rain", "--json", "--root", workspace).json["results"]
    assert (result["kind"], result["paths"], result["count"]) == ("record", ["src/api/rain.py"], 1)
    nothing = cli("search", "zebra", "--root", workspace)
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "intentls: Nothing has any of these words.\n")


def test_a_closed_intent_and_hostile_words(workspace: Path, cli: Cli) -> None:
    """No character is syntax; no word at all is wrong usage."""
    (intent,) = cli("search", 'prototype" OR (NEAR', "--json", "--root", workspace).json["results"]
    assert (intent["kind"], intent["id"], intent["title"]) == ("intent", "INT-003", "First prototype")
    assert cli("search", "--root", workspace, "--", '-*"').code == 2
