"""The guarded writes that are killed, starved and disturbed at every step."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.invariants import contents
from tests.support.session import Session, ledger_of
from tests.support.workspaces import make_workspace

OLD = "def today():\n    return 'sunny'\n"
INTENTS = ".orchestration/active_intents.yaml"
FILES = {
    "src/api/weather.py": OLD,
    "src/api/snow.py": "# snow\n",
    "src/api/rain.py": "# rain\n",
    "docs/design.md": "# Design\n",
}
PATCH = """\
diff --git a/src/api/snow.py b/src/api/snow.py
deleted file mode 100644
--- a/src/api/snow.py
+++ /dev/null
@@ -1 +0,0 @@
-# snow
diff --git a/src/api/rain.py b/src/api/rain.py
--- a/src/api/rain.py
+++ b/src/api/rain.py
@@ -1 +1,2 @@
 # rain
+# and more rain
diff --git a/src/api/far/away.py b/src/api/far/away.py
new file mode 100644
--- /dev/null
+++ b/src/api/far/away.py
@@ -0,0 +1 @@
+# away
"""


@dataclass(frozen=True)
class Edit:
    """A command, the files that it changes, and the name under which it is on record."""

    command: str
    tool: str
    paths: tuple[str, ...]
    arguments: dict[str, Any] = field(default_factory=dict)
    first: bool = False  # nothing was ever written in this root

    def ask(self, session: Session) -> int:
        """Send it; the id of the answer to wait for."""
        return session.wire.ask(
            "workspace/executeCommand", {"command": f"intent.{self.command}", "arguments": [self.arguments]}
        )


EDITS = {
    "the first write of a root": Edit(
        "writeToFile",
        "write_to_file",
        ("src/api/deep/new.py",),
        {"path": "src/api/deep/new.py", "content": "new\n"},
        first=True,
    ),
    "a new file": Edit(
        "writeToFile", "write_to_file", ("src/api/a/new.py",), {"path": "src/api/a/new.py", "content": "new\n"}
    ),
    "a replaced file": Edit(
        "writeToFile",
        "write_to_file",
        ("src/api/weather.py",),
        # longer than a page: a kill in the midst of the system call itself can cut it
        {"path": "src/api/weather.py", "content": "".join(f"line {number}\n" for number in range(3000))},
    ),
    "a deletion": Edit("deleteFile", "delete_file", ("src/api/weather.py",), {"path": "src/api/weather.py"}),
    "a rename": Edit(
        "renameFile",
        "rename_file",
        ("src/api/weather.py", "src/api/climate.py"),
        {"path": "src/api/weather.py", "new_path": "src/api/climate.py"},
    ),
    "a patch of three files": Edit(
        "applyPatch", "apply_patch", ("src/api/snow.py", "src/api/rain.py", "src/api/far/away.py"), {"patch": PATCH}
    ),
    "a wider scope": Edit(
        "expandScope", "expand_scope", (INTENTS,), {"intent_id": "INT-001", "glob": "lib/**", "reason": "needed"}
    ),
}


def make_root(folder: Path) -> Path:
    """A root in which every edit is possible."""
    return make_workspace(folder, files=FILES)


def ready(session: Session, edit: Edit) -> None:
    """Check out the intent, and have written before unless `edit` is to be the first."""
    assert session.do("selectActiveIntent", intent_id="INT-001")["status"] == "ok"
    if not edit.first:
        assert session.do("writeToFile", path="src/api/earlier.py", content="1\n")["status"] == "ok"


def happened(root: Path, edit: Edit, before: dict[str, bytes | None], after: dict[str, bytes | None]) -> bool:
    """Whether the edit is there: all its files, and one record that says so. Fails for anything in between."""
    now = contents(root, list(edit.paths))
    assert now in (before, after), f"half of {edit.command}"
    records = [
        record
        for record in ledger_of(root)
        if record["success"] and record["tool_name"] == edit.tool and edit.paths[0] in _paths(record)
    ]
    assert len(records) == (now == after), f"{len(records)} records"
    return now == after


def _paths(record: dict[str, Any]) -> set[str]:
    return {name for file in record["files"] for name in (file["path"], file.get("old_path"))}
