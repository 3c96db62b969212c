"""No way out: whatever a confined command tries, nothing outside of its scope changes."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from tests.confinement import escapes
from tests.confinement.machine import as_nobody, can_confine, open_to_nobody
from tests.support.workspaces import make_git_repo, make_workspace

INTENTS = """\
active_intents:
  - id: INT-001
    name: Sources
    status: IN_PROGRESS
    owned_scope: ["src/**"]
"""
FILES = {
    "src/a.py": "a = 1\n",
    "src/kept.txt": "k\n",
    "src/escapes.py": Path(escapes.__file__).read_bytes(),
}


def _tree(folder: Path, *, is_strict: bool) -> dict[str, tuple[int, int, bytes]]:
    """Everything below `folder` but the scope, the engine's records and what git keeps: mode, time, content.

    Landlock can't refuse a change of permission bits and times, so a strict run is judged by kind and content alone.
    """
    found = {}
    for place, folders, names in os.walk(folder):
        here = Path(place).relative_to(folder).as_posix()
        if here == ".":
            folders[:] = [name for name in folders if name not in ("src", ".orchestration", ".git")]
        for name in (*folders, *names):
            path = Path(place, name)
            status = path.lstat()
            content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
            stamp = 0 if is_strict or not path.is_file() else status.st_mtime_ns
            found[f"{here}/{name}"] = (stat.S_IFMT(status.st_mode) if is_strict else status.st_mode, stamp, content)
    for name in ("hooks", "info", "config", "worktrees"):
        for path in [folder / ".git" / name, *sorted((folder / ".git" / name).rglob("*"))]:
            if path.is_file():
                found[f".git/{path.relative_to(folder / '.git')}"] = (path.stat().st_mode, 0, path.read_bytes())
    for name in ("active_intents.yaml", "policy.yaml"):
        path = folder / ".orchestration" / name
        found[name] = (0, 0, path.read_bytes() if path.exists() else b"-")
    return found


@pytest.mark.parametrize("user", ["root", "nobody"])
@pytest.mark.parametrize("mode", ["staged", "strict"])
def test_no_way_leads_out_of_the_scope(own_folder: Path, mode: str, user: str) -> None:
    """Some hundred ways, by paths, links, git, namespaces, other processes: the tree outside stays as it is."""
    if not can_confine(mode, user):
        pytest.skip(f"this machine can't confine a command ({mode}, {user})")
    root = make_workspace(own_folder / "tree", intents=INTENTS, files=FILES)
    for name in escapes.WAYS:
        target = root / "docs" / f"{name}.txt"
        target.parent.mkdir(exist_ok=True)
        target.write_text("old\n")
    (root / "other").mkdir()
    (root / "other" / "kept.txt").write_text("old\n")
    make_git_repo(root)
    (root / "docs" / "git_checkout_file.txt").write_text("newer\n")
    home = own_folder / "home"
    home.mkdir()
    (home / ".profile").write_text("old\n")
    if user == "nobody":
        open_to_nobody(own_folder)
    before, home_before = _tree(root, is_strict=mode == "strict"), _tree(home, is_strict=mode == "strict")
    outside = subprocess.Popen(_by(user, ["sleep", "600"]), cwd=root)
    try:
        command = [
            *(sys.executable, "-m", "intentls", "run", "--root", str(root), "--intent", "INT-001"),
            *(["--strict"] if mode == "strict" else []),
            *("--", sys.executable, "src/escapes.py", str(outside.pid)),
        ]
        run = subprocess.run(
            _by(user, command),
            cwd=root,
            env={**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(home / ".state")},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        was_killed = outside.poll() is not None
    finally:
        outside.kill()
        outside.wait()
    assert _running_for(root) == []  # what runs no more writes no more
    told = run.stdout + run.stderr
    assert f"{len(escapes.WAYS)} ways" in told, told[-3000:]
    after, home_after = _tree(root, is_strict=mode == "strict"), _tree(home, is_strict=mode == "strict")
    after_home = {name: entry for name, entry in home_after.items() if not name.startswith(("./.state", ".state"))}
    assert after_home == home_before
    changed = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    assert changed == [], told[-3000:]
    assert not was_killed
    assert not list((root / "src").glob("reached*"))


def _running_for(root: Path) -> list[str]:
    """The processes whose arguments name the tree."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it has just ended
            lines.append(file.read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
    return [line for line in lines if str(root) in line]


def _by(user: str, command: list[str]) -> list[str]:
    return as_nobody(command) if user == "nobody" else command
