"""Guarded edits of any path: whatever it is spelled like, nothing but a file in scope changes."""

from __future__ import annotations

import logging
import os
import tempfile
from functools import cache
from pathlib import Path

from intentls.core.errors import InvalidInput, InvalidPatch
from intentls.core.patch import parse_patch
from intentls.core.paths import is_protected
from intentls.engine import checkout, edits
from intentls.engine.effects import drive
from intentls.engine.engine import Engine
from intentls.engine.host import Headless
from intentls.engine.plans import ApplyPatch, DeleteFile, RenameFile, WriteFile
from intentls.engine.request import Done, Plan, Request
from tests.fuzz.bounded import bounded
from tests.support.workspaces import intents_yaml, make_workspace, write_files

_FILES = {"src/a.py": "a\n", "src/deep/b.py": "b\n", ".git/config": "[core]\n", "docs/c.md": "c\n"}
_OUTSIDE = {"secret.txt": "secret\n", "w2/src/a.py": "other\n"}
_Snapshot = dict[str, bytes | str | None]


def write(path: str, content: str) -> None:
    """`write_to_file` and `delete_file` with any path."""
    perform(WriteFile(path, content))
    perform(DeleteFile(path))


def rename(path: str, new_path: str) -> None:
    """`rename_file` from any path to any other."""
    perform(RenameFile(path, new_path))


def patch(text: str) -> None:
    """`apply_patch` with any text."""
    try:
        files = parse_patch(text)
    except InvalidPatch:
        return
    perform(ApplyPatch(files))


def perform(plan: Plan) -> None:
    """Carry out `plan` under an intent whose scope is `src/**`, and compare everything else with what it was."""
    sandbox, engine = _sandbox()
    before = _everything(sandbox)
    with bounded(plan.tool_name):
        try:
            outcome = drive(edits.perform(engine, Request(plan, "s")))
        except InvalidInput as refusal:
            assert str(refusal)
            outcome = None
    after = _everything(sandbox)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    wrong = {path for path in changed if not path.startswith("w/src/") or is_protected(path.removeprefix("w/"))}
    assert not wrong, (plan, wrong)
    if not isinstance(outcome, Done):
        assert not changed, (plan, outcome, changed)
    if changed:
        _restore(sandbox)


def _everything(sandbox: Path) -> _Snapshot:
    """Every file, folder and link below `sandbox` but what the engine itself keeps."""
    found: _Snapshot = {}
    for folder, names, files in os.walk(sandbox):
        here = Path(folder)
        if here.name == ".orchestration" and here.parent.name == "w":
            names.clear()
            files = ["active_intents.yaml"]
        for name in (*names, *files):
            path = here / name
            shown = path.relative_to(sandbox).as_posix()
            if path.is_symlink():
                found[shown] = str(path.readlink())
            elif path.is_file():
                found[shown] = path.read_bytes()
            elif not shown.startswith("w/src/"):  # folders made on the way to a new file may stay
                found[shown] = None
    return found


def _restore(sandbox: Path) -> None:
    src = sandbox / "w" / "src"
    for folder, _, files in os.walk(src, topdown=False):
        for name in files:
            if not (Path(folder) / name).is_symlink():
                (Path(folder) / name).unlink()
        if Path(folder) != src and not os.listdir(folder):
            Path(folder).rmdir()
    write_files(sandbox / "w", _FILES)


@cache
def _sandbox() -> tuple[Path, Engine]:
    logging.getLogger("intentls").setLevel(logging.CRITICAL)
    sandbox = Path(tempfile.mkdtemp(prefix="intentls-fuzz-")).resolve()
    root = make_workspace(sandbox / "w", intents_yaml({"INT-001": ["src/**"]}), _FILES, policy="hitl: deny\n")
    write_files(sandbox, _OUTSIDE)
    for name, target in {"out": "../..", "in": "deep", "loop": "loop", "git": "../.git", "docs": "../docs"}.items():
        (root / "src" / name).symlink_to(target)
    (root / "src" / "file_out").symlink_to(sandbox / "secret.txt")
    engine = Engine(Headless("fuzz", (root,)))
    drive(checkout.select(engine, "s", "INT-001", None, None))
    return sandbox, engine
