"""Each recorded conversation, held again with the real program, must give the recorded bytes.

`INTENTLS_RECORD=1 pytest tests/recordings` writes the recordings instead. Do so only where the wire, a file on
disk or a text is meant to change, and then read the difference line by line: it is what every client will see.
A rebuild that means to change nothing never needs it.
"""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.recordings import cli_verbs, hook_events, lsp_commands, lsp_editors, mcp_tools
from tests.recordings.stage import Stage

DATA = Path(__file__).parent / "data"
CONVERSATIONS: dict[str, Callable[[Stage], None]] = {
    "lsp_commands": lsp_commands.commands,
    "lsp_refusals": lsp_commands.refusals,
    "lsp_policies": lsp_commands.policies,
    "lsp_malformed": lsp_commands.malformed,
    "lsp_vscode": lambda stage: lsp_editors.editor(stage, "vscode"),
    "lsp_neovim": lambda stage: lsp_editors.editor(stage, "neovim"),
    "lsp_emacs": lambda stage: lsp_editors.editor(stage, "emacs"),
    "lsp_questions": lsp_editors.questions,
    "mcp_tools": mcp_tools.tools,
    "mcp_refusals": mcp_tools.refusals,
    "mcp_questions": mcp_tools.questions,
    "hook_claude-code": lambda stage: hook_events.agent(stage, "claude-code"),
    "hook_cursor": lambda stage: hook_events.agent(stage, "cursor"),
    "hook_codex": lambda stage: hook_events.agent(stage, "codex"),
    "hook_gemini": lambda stage: hook_events.agent(stage, "gemini"),
    "hook_cline": lambda stage: hook_events.agent(stage, "cline"),
    "hook_trouble": hook_events.trouble,
    "cli_reading": cli_verbs.reading,
    "cli_working": cli_verbs.working,
    "cli_branch": cli_verbs.branch,
    "cli_damage": cli_verbs.damage,
    "cli_archive": cli_verbs.archive,
}


def transcript(name: str) -> str:
    """Hold the conversation."""
    # A short folder, unlike pytest's own: some messages cut a path that is long.
    with tempfile.TemporaryDirectory(prefix="play-") as folder:
        stage = Stage(Path(folder))
        try:
            CONVERSATIONS[name](stage)
        finally:
            stage.end()
        return stage.text()


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_a_conversation_gives_the_recorded_bytes(name: str) -> None:
    """What the program sends, prints and leaves is what it did when it was recorded, on a busy machine too."""
    file = DATA / f"{name}.txt"
    if os.environ.get("INTENTLS_RECORD"):
        file.write_bytes(transcript(name).encode())
        return
    recorded = file.read_bytes().decode()
    now = transcript(name)
    if now == recorded:
        return
    difference = difflib.unified_diff(recorded.split("\n"), now.split("\n"), "recorded", "now", n=2, lineterm="")
    pytest.fail("\n".join(line[:2000] for line in list(difference)[:60]))


def test_every_recording_has_its_conversation() -> None:
    """No recording is left over."""
    assert {file.stem for file in DATA.iterdir()} == set(CONVERSATIONS)
