"""An agent's settings get our hooks and lose them again, and nothing else changes."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from intentls.core.errors import ConfigurationError, StoreError
from intentls.engine.agents.install_hooks import AGENTS, Scripts, Settings, install, remove
from intentls.faces.hook import AGENTS as DIALECTS
from intentls.store.setup.environment import first_that_calls_us

THEIRS = {"model": "ä", "hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "x"}]}]}}


def test_the_agents_are_those_whose_dialect_is_spoken() -> None:
    """One list of names on the command line and in the hook."""
    assert set(AGENTS) == set(DIALECTS)


@pytest.mark.parametrize("agent", sorted(AGENTS))
def test_install_twice_and_remove(agent: str, tmp_path: Path) -> None:
    """The second time changes nothing; after removing nothing of ours is left."""
    assert {step.outcome.value for step in install(tmp_path, agent)} == {"created"}
    assert {step.outcome.value for step in install(tmp_path, agent)} == {"kept"}
    assert {step.outcome.value for step in remove(tmp_path, agent)} == {"removed"}
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    assert {step.outcome.value for step in remove(tmp_path, agent)} == {"kept"}
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("indent", [2, 4, "\t"])
@pytest.mark.parametrize("agent", [name for name, found in AGENTS.items() if isinstance(found, Settings)])
def test_what_is_there_survives_byte_for_byte(agent: str, indent: int | str, tmp_path: Path) -> None:
    """Others' hooks keep their place, before ours; taken out again, the file is as it was."""
    settings = AGENTS[agent]
    assert isinstance(settings, Settings)
    path = tmp_path / settings.path
    path.parent.mkdir(parents=True)
    before = json.dumps({**settings.fresh, **THEIRS}, indent=indent, ensure_ascii=False)
    path.write_text(before, "utf-8")
    assert install(tmp_path, agent)[0].outcome == "extended"
    with_ours = json.loads(path.read_text("utf-8"))
    assert with_ours["hooks"]["PreToolUse"][0] == THEIRS["hooks"]["PreToolUse"][0]  # type: ignore[index]
    assert all(entry in with_ours["hooks"][event] for event, entry in settings.entries.items())
    assert remove(tmp_path, agent)[0].outcome == "removed"
    assert path.read_text("utf-8") == before


@pytest.mark.parametrize("text", ["{", "// no\n{}", "[]", '{"hooks": []}', '{"a": 1, "a": 2}', "\udcff"])
def test_settings_that_are_no_plain_json_are_left_alone(text: str, tmp_path: Path) -> None:
    """Nobody's comments or mistakes are lost by us."""
    path = tmp_path / ".claude" / "settings.json"
    path.parent.mkdir()
    data = text.encode("utf-8", "surrogateescape")
    path.write_bytes(data)
    for change in (install, remove):
        with pytest.raises(ConfigurationError):
            change(tmp_path, "claude-code")
    assert path.read_bytes() == data


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("change", [install, remove])
def test_nothing_is_written_through_a_link(agent: str, change: Callable[..., object], tmp_path: Path) -> None:
    """The agent's folder, a folder inside it, the file itself: each may lead to another's settings."""
    for number, part in enumerate((*reversed(Path(AGENTS[agent].files[0]).parents[:-1]), Path(AGENTS[agent].files[0]))):
        root, elsewhere = tmp_path / f"root{number}", tmp_path / f"elsewhere{number}"
        install(elsewhere, agent)
        before = {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()}
        (root / part).parent.mkdir(parents=True)
        (root / part).symlink_to(elsewhere / part)
        with pytest.raises(
            ConfigurationError, match=r"is a symbolic link.* Replace it by a real (file|folder), and try"
        ):
            change(root, agent)
        assert {path: path.read_bytes() for path in elsewhere.rglob("*") if path.is_file()} == before


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="FIFOs")
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("kind", ["fifo", "huge"])
def test_settings_that_are_no_file_of_sane_size_are_left_alone_at_once(agent: str, kind: str, tmp_path: Path) -> None:
    """Reading a FIFO would never end, and 700 MB would be copied."""
    path = tmp_path / AGENTS[agent].files[0]
    path.parent.mkdir(parents=True)
    if kind == "fifo":
        os.mkfifo(path)
    else:
        path.touch()
        os.truncate(path, 700 * 1024 * 1024)
    with pytest.raises(StoreError, match="it is no regular file" if kind == "fifo" else "it is larger than"):
        install(tmp_path, agent)
    assert first_that_calls_us(tmp_path, AGENTS[agent].files) is None


@pytest.mark.parametrize("agent", ["claude-code", "cursor", "gemini"])
def test_the_agent_reports_each_read_also_one_that_failed(agent: str) -> None:
    """A file that the agent found gone can be made again only where its failed read is reported."""
    settings = AGENTS[agent]
    assert isinstance(settings, Settings)
    after = [event for event in settings.entries if event.lower().startswith(("posttooluse", "aftertool"))]
    assert len(after) == (1 if agent == "gemini" else 2)
    for event in after:
        assert re.fullmatch(settings.entries[event]["matcher"], "read_file" if agent == "gemini" else "Read"), event


def test_clines_hooks_can_be_run_and_your_own_are_not_replaced(tmp_path: Path) -> None:
    """Executables, since that is what Cline starts."""
    scripts = AGENTS["cline"]
    assert isinstance(scripts, Scripts)
    install(tmp_path, "cline")
    assert all(os.access(tmp_path / scripts.folder / name, os.X_OK) for name in scripts.names)
    (tmp_path / scripts.folder / "PreToolUse").write_text("#!/bin/sh\n# mine\n")
    with pytest.raises(ConfigurationError, match="your own"):
        install(tmp_path, "cline")
    assert [step.outcome.value for step in remove(tmp_path, "cline")] == ["kept", *["removed"] * 5]
