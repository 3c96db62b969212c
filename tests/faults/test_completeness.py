"""Are the kill points all there are? The kernel's own account of a write is compared with the launcher's."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.faults.edits import EDITS, Edit, make_root, ready
from tests.faults.sampling import LONG, orders_in
from tests.support import launcher
from tests.support.forked_servers import arm, calls, end
from tests.support.session import Session
from tests.support.wire import Wire

# What changes a disk: by its name in Python, its names in Linux.
KINDS = {
    "open": "open openat openat2 creat",
    "write": "write writev sendfile copy_file_range",
    "pwrite": "pwrite64",
    "pwritev": "pwritev pwritev2",
    "replace": "rename renameat renameat2",
    "unlink": "unlink unlinkat",
    "mkdir": "mkdir mkdirat",
    "fchmod": "fchmod chmod fchmodat",
    "link": "link linkat symlink symlinkat",
    "utime": "utimensat",
    **{name: name for name in ("fsync", "fdatasync", "ftruncate", "truncate", "fallocate", "rmdir")},
}
CHANGES = {name: kind for kind, names in KINDS.items() for name in names.split()}


@pytest.mark.skipif(not LONG or shutil.which("strace") is None, reason="needs strace and time: make soak")
@pytest.mark.parametrize("name", EDITS)
def test_every_change_that_the_kernel_sees_is_a_kill_point(
    tmp_path: Path, figure: Callable[[str], None], name: str
) -> None:
    """`python -m intentls serve`'s own system calls, in their order, and no others."""
    edit, root = EDITS[name], make_root(tmp_path / "root")
    seen, counted = both_accounts(tmp_path, root, edit)
    assert seen == counted
    figure(f"system calls of {name}: {len(seen)}, all of them kill points")


def both_accounts(folder: Path, root: Path, edit: Edit) -> tuple[list[str], list[str]]:
    """What strace saw of the edit, and what the launcher counted."""
    orders = orders_in(folder / "orders")
    command = [sys.executable, launcher.__file__, json.dumps(orders.to_json()), "serve"]
    account = folder / "account"
    wire = Wire.start(["strace", "-f", "-y", "-qq", "-s", "0", "-o", str(account), *command], cwd=root)
    try:
        wire.initialize(rootUri=root.as_uri(), workspaceFolders=[{"uri": root.as_uri(), "name": "root"}])
        session = Session(wire, root)
        ready(session, edit)
        arm(orders, "note")
        assert wire.answer(edit.ask(session))["result"]["status"] == "ok"
        lines = [line.split("\t") for line in calls(orders)]
    finally:
        end(wire)
    counted = [name for _, name, _ in lines]
    assert lines[-1][1:] == ["write", "the client"]
    to_client = sum(line[1:] == ["write", "the client"] for line in lines)
    return _changes(account.read_text("utf-8", "replace"), orders.arm, orders.log, to_client), counted


def _changes(account: str, begin: str, log: str, to_client: int) -> list[str]:
    """The changes between the moment at which the launcher was armed and the answer, by their Python names.

    The answer is the last of `to_client` messages: a slow edit may have others before it.
    """
    found = []
    armed, others = False, set[str]()  # git's processes, which change nothing and write to pipes
    for line in account.splitlines():
        call = re.match(r"(\d+) +(\w+)\((.*)", line)
        if call is not None and call[2] == "execve" and armed:
            others.add(call[1])
        if call is None or call[2] not in CHANGES or call[1] in others:
            continue
        name, text = call[2], call[3]
        if begin in text:
            armed = armed or name.startswith("open")
        elif armed and log not in text and _counts(name, text):
            found.append(CHANGES[name])
            to_client -= name == "write" and "pipe:" in text.partition(",")[0]
            if not to_client:
                return found
    raise AssertionError("no answer in the account")


def _counts(name: str, text: str) -> bool:
    if CHANGES[name] == "open":
        return "O_CREAT" in text or "O_TRUNC" in text
    return CHANGES[name] != "write" or not re.match(r"\d+<(socket|anon_inode|/dev/)", text)
