"""A governed folder between things that must never change, and what changed after all."""

from __future__ import annotations

import logging
import os
import tempfile
from pathlib import Path

from intentls.core.patterns.protected_paths import is_protected
from tests.support.workspaces import intents_yaml, make_workspace, write_files

FILES = {"src/a.py": "a\n", "src/deep/b.py": "b\n", ".git/config": "[core]\n", "docs/c.md": "c\n"}
_OUTSIDE = {"secret.txt": "secret\n", "w2/src/a.py": "other\n"}
_LINKS = {
    "out": "../..",
    "in": "deep",
    "loop": "loop",
    "git": "../.git",
    "docs": "../docs",
    "file_out": "../../secret.txt",
}
_INTENTS = intents_yaml({"INT-001": ["src/**"]})

Snapshot = dict[str, bytes | str | None]


def new_folder() -> Path:
    """A new folder, in memory where there is one: forcing every write to a disk would take most of the time."""
    memory = "/dev/shm"
    usable = os.access(memory, os.W_OK | os.X_OK)
    return Path(tempfile.mkdtemp(prefix="intentls-fuzz-", dir=memory if usable else None)).resolve()


class Sandbox:
    """`root` is a workspace whose one intent owns `src/**`; links in `src` lead everywhere."""

    def __init__(self) -> None:
        logging.getLogger("intentls").setLevel(logging.CRITICAL)
        self.folder = new_folder()
        self.root = make_workspace(self.folder / "w", _INTENTS, FILES, policy="hitl: deny\n")
        write_files(self.folder, _OUTSIDE)
        for name, target in _LINKS.items():
            (self.root / "src" / name).symlink_to(target)

    def everything(self) -> Snapshot:
        """Every file, folder and link but what the engine keeps for itself."""
        found: Snapshot = {}
        for folder, names, files in os.walk(self.folder):
            here = Path(folder)
            if here == self.root / ".orchestration":
                names.clear()
                files = ["active_intents.yaml", "policy.yaml"]
            for name in (*names, *files):
                path = here / name
                shown = path.relative_to(self.folder).as_posix()
                if path.is_symlink():
                    found[shown] = str(path.readlink())
                elif path.is_file():
                    found[shown] = path.read_bytes()
                elif not shown.startswith("w/src/"):  # folders made on the way to a new file may stay
                    found[shown] = None
        return found

    def restore(self) -> None:
        """Take away what was written into `src`, and give the intents file its first text again."""
        src = self.root / "src"
        for folder, _, files in os.walk(src, topdown=False):
            for name in files:
                if not (Path(folder) / name).is_symlink():
                    (Path(folder) / name).unlink()
            if Path(folder) != src and not os.listdir(folder):
                Path(folder).rmdir()
        write_files(self.root, {**FILES, ".orchestration/active_intents.yaml": _INTENTS})


def changes(before: Snapshot, after: Snapshot) -> set[str]:
    """The paths at which something changed."""
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


def forbidden(changed: set[str]) -> set[str]:
    """Those of `changed` that no guarded edit may touch."""
    return {path for path in changed if not path.startswith("w/src/") or is_protected(path.removeprefix("w/"))}
