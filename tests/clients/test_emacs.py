"""A real Emacs, in batch mode, with eglot and the project's own Lisp."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

from tests.clients.installing import ensure_debian, skip_or_fail
from tests.support.patience import PATIENCE_S
from tests.support.session import ledger_of
from tests.support.workspaces import git

PROJECT = Path(__file__).parents[2]
SCRIPT = Path(__file__).parent / "emacs_session.el"
ANSWERS = ("INT-001", "Expand scope of INT-001 to this file", "Reject", "Show the change", "Allow once", "Reject")


@cache
def _emacs() -> str:
    """An Emacs with eglot: one that is here, else Debian's."""
    found = shutil.which("emacs")
    has_eglot = ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"]
    if found is None or subprocess.run(has_eglot, check=False, capture_output=True, timeout=PATIENCE_S).returncode:
        skip_or_fail(ensure_debian(["emacs-nox", "elpa-eglot"]))
    return shutil.which("emacs") or ""


def test_a_person_in_emacs_selects_fixes_saves_looks_back_and_answers(git_workspace: Path, tmp_path: Path) -> None:
    """Each step is in emacs_session.el; here is what is on record afterwards."""
    home = tmp_path / "home"
    home.mkdir()
    git(git_workspace, "config", "user.name", "Ada")
    environment = {
        **{name: os.environ[name] for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM") if name in os.environ},
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "LANG": "C.UTF-8",
    }
    done = subprocess.run(
        [_emacs(), "--batch", "-L", str(PROJECT / "client-emacs"), "-l", str(SCRIPT)],
        cwd=git_workspace,
        env=environment,
        input="".join(f"{answer}\n" for answer in ANSWERS),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0 and "PASS" in done.stdout, f"{done.stdout}\n{done.stderr}"
    records = ledger_of(git_workspace)
    [save] = [record for record in records if record["tool_name"] == "did_save"]
    assert save["files"][0]["conversations"][0]["contributor"]["type"] == "human"
    [approved] = [record for record in records if "override" in record and record["success"]]
    assert approved["override"]["action"] == "Approve" and approved["files"][0]["path"] == "docs/approved.md"
    assert not (git_workspace / "docs/rejected.md").exists()
    assert '"docs/design.md"]' in (git_workspace / ".orchestration/active_intents.yaml").read_text()


def test_the_emacs_client_compiles_without_a_warning(tmp_path: Path) -> None:
    """The byte compiler finds what a reader overlooks."""
    lisp = tmp_path / "intentls-eglot.el"
    shutil.copy(PROJECT / "client-emacs/intentls-eglot.el", lisp)
    compiling = "(progn (package-initialize) (setq byte-compile-error-on-warn t) (batch-byte-compile))"
    done = subprocess.run(
        [_emacs(), "--batch", "--eval", compiling, str(lisp)],
        check=False,
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
