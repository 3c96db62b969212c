"""Pictures of the extension in VS Code's themes, for whoever changes how it looks, and for the documentation.

    python -m tests.clients.vscode.pictures [DIRECTORY]     default: tests/artifacts/vscode-themes

A picture of each scene in the light, the dark and the high-contrast theme: `dark-question.png`. No test looks at them.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.clients.test_vscode import ASK_TO_WRITE, KEYS, PATCH
from tests.clients.vscode.provision import provision
from tests.clients.vscode.workbench import Workbench, workbench
from tests.support.agent_edits import Agent
from tests.support.workspaces import GIT_ENV, git, make_git_repo, make_workspace, write_files

THEMES = {
    "light": "Default Light Modern",
    "dark": "Default Dark Modern",
    "contrast": "Default High Contrast",
}
_MERGE = "Control+Alt+9"
_WEATHER = "def today():\n    return 'sunny'\n\n\ndef tomorrow():\n    return 'rain'\n"
_NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": ["print('rain')\n"]},
    ],
    "metadata": {"language_info": {"name": "python"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def main(directory: Path) -> None:
    """Take every picture."""
    os.environ.update({**GIT_ENV, "GIT_AUTHOR_NAME": "Ada Example", "GIT_COMMITTER_NAME": "Ada Example"})
    tools = provision()
    for theme, name in THEMES.items():
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
            folder = _workspace(Path(scratch) / "weather")
            settings = {"workbench.colorTheme": name}
            run = Path(scratch) / "run"
            with workbench(tools, folder, run, directory, KEYS, settings=settings) as window:
                merge = _merge_key(folder, window.page.url)
                (run / "data/User/keybindings.json").write_text(json.dumps([*KEYS, merge]))
                _scenes(window, folder, theme)


def _workspace(folder: Path) -> Path:
    """Two people, an agent, a file with a history, a notebook, and a merge that conflicts."""
    root = make_git_repo(make_workspace(folder))
    git(root, "config", "user.name", "Ada Example")
    agent = Agent(root).select("INT-001")
    agent.write("src/api/weather.py", _WEATHER)
    agent.write("src/api/rain.ipynb", json.dumps(_NOTEBOOK, indent=1))
    texts = {"base": "sunny", "ours": "windy", "theirs": "cloudy"}
    write_files(root.parent, {f"{name}.py": _WEATHER.replace("sunny", text) for name, text in texts.items()})
    return root


def _merge_key(folder: Path, address: str) -> Mapping[str, Any]:
    """A key that opens the merge editor; to a window in a browser the files are on another machine."""
    remote = f"vscode-remote://{urlsplit(address).netloc}"
    sides = {name: f"{remote}{folder.parent / name}.py" for name in ("base", "ours", "theirs")}
    arguments = {
        "base": sides["base"],
        "input1": {"uri": sides["theirs"], "title": "Theirs"},
        "input2": {"uri": sides["ours"], "title": "Ours"},
        "output": f"{remote}{folder}/src/api/weather.py",
    }
    return {"key": _MERGE.lower().replace("control", "ctrl"), "command": "_open.mergeEditor", "args": arguments}


def _scenes(window: Workbench, folder: Path, theme: str) -> None:
    def shot(scene: str) -> None:
        window.shot(f"{theme}-{scene}")

    window.widen_sidebar()
    window.open("docs", "design.md")
    window.status("No intent").wait_for()
    window.status("No intent").click()
    window.row("INT-002").wait_for()
    shot("select")
    window.choose("INT-001")
    window.squiggle.wait_for(state="attached")
    window.command("Problems: Focus on Problems View")
    window.quick_fix("Design").first.wait_for()
    shot("quick-fix")
    window.page.keyboard.press("Escape")
    window.page.keyboard.press("Control+J")
    window.press(ASK_TO_WRITE, "docs/notes.md")
    window.intents_view()
    window.tree_row("Waiting for your answer").wait_for()
    shot("question")
    window.answer("docs/notes.md", "Diff")
    window.line("Written by an agent.", ".monaco-diff-editor").wait_for()
    shot("proposed")
    window.tab_button("Reject").click()
    window.press(PATCH, "prototype/main.py")
    window.answer("prototype/main.py", "Diff")
    window.line("print('rain')", ".multiDiffEditor").wait_for()
    shot("several-files")
    window.tab_button("Reject").click()
    window.open("src", "api", "weather.py")
    window.line("def tomorrow").click()
    window.wait_for_line_end("INT-001")
    window.line("def tomorrow").hover()
    window.page.wait_for_timeout(1_500)
    window.page.screenshot(path=window.shots / f"{theme}-hover.png")
    window.command("Intents: Show History of This File")
    window.row("changed by").wait_for()
    shot("history")
    window.page.keyboard.press("Escape")
    window.intents_view()
    window.unfold(window.tree_row("src/api/weather.py"))
    shot("intents")
    window.page.keyboard.press(_MERGE)
    window.page.locator(".merge-editor").wait_for()
    window.page.wait_for_timeout(2_000)
    shot("merge-editor")
    window.show("Explorer")
    window.page.locator('.explorer-folders-view .monaco-list-row[aria-label^="rain.ipynb"]').dblclick()
    window.page.locator(".notebook-editor .view-line").first.click()
    window.command("Intents: Show History of This File")
    window.row("created by").wait_for()
    shot("notebook")
    window.page.keyboard.press("Escape")
    intents = folder / ".orchestration/active_intents.yaml"
    intents.write_text(intents.read_text().replace("status:", "status: [", 1))
    window.status("Agents blocked").wait_for()
    window.show("Intents")
    window.tree_row("All agent edits are blocked").wait_for()
    shot("broken")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "artifacts" / "vscode-themes")
