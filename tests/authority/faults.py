"""What goes wrong around the program: git that can't be used, a ledger that can't be written."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

GIT_FAULTS = ("config", "lock", "index", "gone")
_LEDGER = (".orchestration/agent_trace.jsonl", ".orchestration/trace")


class Faults:
    """Those of one working tree. `active` names them."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._cures: list[Callable[[], object]] = []
        self.active: set[str] = set()

    def heal(self) -> None:
        """All is as it was before."""
        while self._cures:
            self._cures.pop()()
        self.active.clear()

    def break_git(self, kind: str) -> None:
        """A typo in its configuration, a stale lock, a damaged index, a repository that is away."""
        if "git" in self.active:
            return
        self.active.add("git")
        folder = self._root / ".git"
        if kind == "gone":
            away = self._root.parent / "git-away"
            shutil.move(folder, away)
            self._cures.append(lambda: shutil.move(away, folder))
        elif kind == "lock":
            (folder / "index.lock").write_bytes(b"")
            self._cures.append(lambda: (folder / "index.lock").unlink(missing_ok=True))
        else:
            file = folder / kind
            whole = file.read_bytes()
            file.write_bytes(whole + b"[typo\n" if kind == "config" else b"DAMAGED" + whole[7:])
            self._cures.append(lambda: file.write_bytes(whole))

    def lock_ledger(self) -> None:
        """Nothing can be appended to it. Where this user may write everything and nothing can be mounted: no fault."""
        if "ledger" in self.active:
            return
        for path in [self._root / name for name in _LEDGER]:
            if not path.exists():
                continue
            if os.geteuid() != 0:
                self._chmod(path)
            elif not self._mount(path):
                return
            self.active.add("ledger")

    def _chmod(self, path: Path) -> None:
        modes = {file: file.stat().st_mode for file in (path, *(path.rglob("*") if path.is_dir() else ()))}
        for file, mode in modes.items():
            file.chmod(mode & ~0o222)
        self._cures.append(lambda: [file.chmod(mode) for file, mode in modes.items() if file.exists()])

    def _mount(self, path: Path) -> bool:
        with suppress(FileNotFoundError):
            if _run("mount", "--bind", str(path), str(path)):
                self._cures.append(lambda: _run("umount", "--lazy", str(path)))
                return _run("mount", "-o", "remount,bind,ro", str(path))
        return False


def _run(*command: str) -> bool:
    return subprocess.run(command, capture_output=True).returncode == 0
