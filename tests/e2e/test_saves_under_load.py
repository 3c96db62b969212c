"""Saves on a busy machine: the server reads its messages late, when the disk has half of a file, or a later save."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest

from intentls.core.hashing import hash_of
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from tests.support.patience import PATIENCE_S
from tests.support.session import Json, Session, session
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

LONG = os.environ.get("INTENTLS_LONG") == "1"
SAVES = 300 if LONG else 24
BUSY = 6 if LONG else 2
Truth = tuple[str, str, str | None, str | None]
"""Path, change, hash before, hash after."""


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that do nothing but count."""
    processes = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


class Person:
    """Somebody who types and saves, and waits for nothing."""

    def __init__(self, server: Session, rng: random.Random) -> None:
        self.server = server
        self.rng = rng
        self.truth: list[Truth] = []

    def save(self, path: str, before: str | None, text: str) -> None:
        """Type, and save as editors do: cut the file off, write it bit by bit, say so."""
        self.server.type(path, text)
        data, file = text.encode(), self.server.root / path
        with open(file, "wb", buffering=0) as stream:
            for start in range(0, len(data), 1 + len(data) // 3):
                stream.write(data[start : start + 1 + len(data) // 3])
                time.sleep(self.rng.choice((0, 0, 0.001)))
        self.server.wire.notify("textDocument/didSave", {"textDocument": {"uri": self.server.uri(path)}})
        change = "add" if before is None else "modify"
        pre_hash = None if before is None else hash_of(before.encode())
        self.truth.append((path, change, pre_hash, hash_of(data)))

    def edit(self, path: str) -> None:
        """Open, type, save, and often type and save again."""
        text = (self.server.root / path).read_text()
        self.server.open(path, text)
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            lines = text.splitlines(keepends=True)
            where = self.rng.randrange(len(lines))
            lines[where : where + self.rng.choice((0, 1, 5))] = [f"# {self.rng.random()}\n"]
            before, text = text, "".join(lines)
            self.save(path, before, text)
        if self.rng.random() < 0.3:
            self.server.close(path)

    def new_as_in_vscode(self, path: str) -> None:
        """The file is made first, empty; it is opened and saved with its content."""
        (self.server.root / path).write_bytes(b"")
        self.server.open(path, "")
        self.save(path, None, f"# {path}\n" * 20)

    def new_as_in_neovim(self, path: str) -> None:
        """A buffer of a file that is not there yet is written."""
        self.server.open(path, "")
        self.save(path, None, f"# {path}\n" * 20)


def recorded(records: list[Json]) -> list[Truth]:
    """What the ledger says of the saves."""
    files = [record["files"][0] for record in records if record["tool_name"] == "did_save"]
    return [(file["path"], file["change"], file["pre_hash"], file["post_hash"]) for file in files]


def test_every_save_is_recorded_from_what_was_there_to_what_was_saved(
    tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """Each with its very contents, in order, while other processes keep the machine busy; and the branch is whole."""
    rng = random.Random(14)
    files = {f"src/api/m{number}.py": f"# {number}\n" + "x = 1\n" * rng.randint(1, 400) for number in range(SAVES)}
    root = make_git_repo(make_workspace(tmp_path / "work", files=files))
    git(root, "switch", "--quiet", "--create", "work")
    with busy(BUSY), session(root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        person = Person(server, rng)
        for number, path in enumerate(files):
            if len(person.truth) >= SAVES:
                break
            if number % 5 == 3:
                person.new_as_in_vscode(f"src/api/code{number}.py")
            elif number % 5 == 4:
                person.new_as_in_neovim(f"src/api/vim{number}.py")
            else:
                person.edit(path)
        end = time.monotonic() + PATIENCE_S + 2 * SAVES
        while len(found := recorded(server.ledger)) < len(person.truth) and time.monotonic() < end:
            server.do("getActiveIntent")
            time.sleep(0.05)
    wrong = [pair for pair in zip(person.truth, found, strict=False) if pair[0] != pair[1]]
    assert (wrong, len(found)) == ([], len(person.truth))
    commit_all(root, "Work")
    report = check_branch(root, ComparisonRequest("main"))
    assert [finding.code for finding in report.findings] == []
    figure(f"saves with {BUSY} busy processes beside: {len(person.truth)}, 0 wrong")


@pytest.mark.parametrize("seen", ["nothing", "half", "all", "the next save"])
def test_a_message_that_is_read_late_is_recorded_as_if_it_had_been_read_at_once(tmp_path: Path, seen: str) -> None:
    """The disk is long ahead when the server hears of the opening; so it is at the save."""
    path, old, new, last = "src/api/weather.py", "a\nb\n", "a\nB\nc\n", "a\nB\nc\nd\n"
    root = make_git_repo(make_workspace(tmp_path / "work", files={path: old}))
    disk = {"nothing": "", "half": new[:3], "all": new, "the next save": last}[seen]
    (root / path).write_text(disk)
    with session(root) as server:
        server.open(path, old)
        server.type(path, new)
        server.wire.notify("textDocument/didSave", {"textDocument": {"uri": server.uri(path)}})
        server.type(path, last)
        server.do("getActiveIntent")
        (root / path).write_text(last)
        server.wire.notify("textDocument/didSave", {"textDocument": {"uri": server.uri(path)}})
        server.do("getActiveIntent")
        texts = [old, new, last]
        hashes = [hash_of(text.encode()) for text in texts]
        assert recorded(server.ledger) == [(path, "modify", before, after) for before, after in pairwise(hashes)]
