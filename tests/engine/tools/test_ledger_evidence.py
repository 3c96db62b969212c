"""What the ledger explains of the changes since a moment, and what is said of a ledger that was tampered with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from intentls.core.hashing import hash_of
from intentls.engine.actions.effects import drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest, EditResult
from intentls.engine.edits.perform import perform
from intentls.engine.intents.checkout import select
from intentls.engine.tools.ledger_evidence import LedgerEvidence, evidence_since
from intentls.engine.tools.ledger_mark import LedgerMark, mark, read_mark
from intentls.engine.tools.open_calls import has_open_calls
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from intentls.engine.workspace.workspace import Workspace
from intentls.store.clock import timestamp
from tests.support.workspaces import make_workspace

BEFORE, AFTER = "src/api/before.py", "src/api/after.py"
EVER = ""  # earlier than any time


class Desk:
    """A root in which session `s1` writes files under INT-001."""

    def __init__(self, root: Path) -> None:
        self.engine = Engine(Headless("cli", (make_workspace(root),)))
        self.workspace: Workspace = self.engine.workspace(root)
        drive(select(self.engine, "s1", "INT-001", None, None))

    def write(self, path: str, text: str) -> None:
        assert isinstance(drive(perform(self.engine, EditRequest(WriteFile(path, text), "s1"))), EditResult)

    def since(self, moment: LedgerMark | None) -> LedgerEvidence:
        return evidence_since(self.workspace, moment, EVER)

    @property
    def moment(self) -> LedgerMark:
        """The ledger now, kept as text as a command's is."""
        return read_mark(mark(self.workspace.layout).text)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    desk = Desk(tmp_path / "work")
    desk.write(BEFORE, "x = 1\n")
    return desk


def test_only_what_was_recorded_since_explains_a_change(desk: Desk) -> None:
    moment = desk.moment
    desk.write(AFTER, "x = 2\n")
    assert desk.since(moment) == LedgerEvidence({AFTER: hash_of(b"x = 2\n")})


def test_without_a_mark_the_time_alone_counts(desk: Desk) -> None:
    """Nothing is known of how the ledger was then, so nothing is said of damage."""
    assert desk.since(None) == LedgerEvidence({BEFORE: hash_of(b"x = 1\n")})


def test_a_ledger_that_lost_lines_since_is_told(desk: Desk) -> None:
    moment, ledger = desk.moment, desk.workspace.layout.ledger
    ledger.write_bytes(ledger.read_bytes()[:-40])
    evidence = desk.since(moment)
    assert evidence.damage is not None
    assert "The ledger is damaged" in evidence.damage


def test_a_fifo_in_the_ledgers_place_keeps_nothing_waiting(desk: Desk) -> None:
    """The segments have all that was in it."""
    moment, ledger = desk.moment, desk.workspace.layout.ledger
    ledger.unlink()
    os.mkfifo(ledger)
    assert evidence_since(desk.workspace, moment, timestamp()).written == {}
    assert [record["files"][0]["path"] for record in desk.workspace.ledger.newest_first()] == [BEFORE]


@pytest.mark.parametrize("is_first", [False, True], ids=["a ledger before", "none before"])
@pytest.mark.parametrize("how", ["fifo", "gone", "cut", "cut to what it was"])
def test_what_others_recorded_since_is_known_without_the_local_ledger(desk: Desk, how: str, is_first: bool) -> None:
    """A command that takes it away, or puts something in its place, hides nobody's work: the segments have it."""
    ledger = desk.workspace.layout.ledger
    moment = read_mark("") if is_first else desk.moment
    desk.write(AFTER, "x = 2\n")
    if how.startswith("cut"):
        os.truncate(ledger, 0 if how == "cut" else moment.size)
    else:
        ledger.unlink()
        if how == "fifo":
            os.mkfifo(ledger)
    evidence = desk.since(moment)
    assert evidence.is_readable
    assert evidence.written[AFTER] == hash_of(b"x = 2\n")


def test_a_ledger_that_cannot_be_read_is_told_and_explains_nothing(desk: Desk) -> None:
    """Then nothing is undone, for it is not known what others recorded."""
    moment, layout = desk.moment, desk.workspace.layout
    layout.ledger.unlink()
    layout.ledger.mkdir()
    shutil.rmtree(layout.trace)
    evidence = desk.since(moment)
    assert not evidence.is_readable
    assert evidence.damage is not None
    assert evidence.written == {}


def test_a_line_that_was_added_by_hand_explains_nothing_and_is_told(desk: Desk) -> None:
    moment, ledger = desk.moment, desk.workspace.layout.ledger
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join([*lines, lines[-1].replace(BEFORE.encode(), AFTER.encode())]))
    evidence = desk.since(moment)
    assert AFTER not in evidence.written
    assert evidence.damage is not None
    assert AFTER in evidence.damage


def test_a_root_without_a_ledger_has_an_empty_one(tmp_path: Path) -> None:
    layout = Desk(make_workspace(tmp_path / "work")).workspace.layout
    layout.ledger.unlink(missing_ok=True)
    assert mark(layout).size == 0
    assert read_mark(mark(layout).text) == mark(layout)


def test_a_file_where_the_calls_should_be_is_no_open_call(desk: Desk) -> None:
    """An event is not refused for it."""
    calls = desk.workspace.layout.announced / "calls"
    calls.parent.mkdir(parents=True, exist_ok=True)
    calls.write_text("")
    assert not has_open_calls((desk.workspace.root,))
