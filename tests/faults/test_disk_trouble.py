"""Full disks, read-only folders, ledgers that are no files, clocks that run back, files that others replace.

The old content stays whole, the answer is clean, the server lives, and the user is told.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import pytest

from intentls.store.fs.named_locks import Locks
from intentls.store.layout import Layout
from tests.faults.edits import OLD, make_root
from tests.faults.sampling import LONG, orders_in
from tests.support.faulty_disk import fill, read_only, small_disk
from tests.support.forked_servers import Nursery, arm, calls, let_go, wait_until_it_waits
from tests.support.invariants import check_whole, lasting_strays
from tests.support.launcher import Orders
from tests.support.session import ASKING, Json, Session, ledger_of

FILE = "src/api/weather.py"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_root(tmp_path / "root")


@pytest.fixture
def server(nursery: Nursery, root: Path) -> Iterator[Session]:
    with nursery.serve(root) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        yield session


def write(session: Session, text: str, path: str = FILE) -> Json:
    return session.do("writeToFile", path=path, content=text)


def refused(answer: Json, *words: str) -> bool:
    """A clean no that says why."""
    assert (answer["status"], answer["error_type"], answer["code"]) == ("error", "HOOK_BLOCKED", "HOOK_ERROR"), answer
    assert answer["action_hint"] == "retry"
    assert all(word in answer["error"] for word in words), answer["error"]
    return True


def warnings_of(session: Session) -> list[str]:
    """What the user was shown so far."""
    session.do("listIntents")  # whatever was sent before this answer has arrived
    return [told["message"] for told in session.wire.notifications("window/showMessage")]


# --- a full disk


def test_on_a_full_disk_the_old_content_stays_and_the_next_write_works(nursery: Nursery, tmp_path: Path) -> None:
    """At every degree of fullness: from not a byte left to enough for the edit but not for all that goes with it.

    Part of a record's line may be written: it stays alone, is reported, and the record comes later.
    """
    said = set()
    with small_disk(tmp_path / "disk", "1m") as disk:
        root = make_root(disk / "root")
        with nursery.serve(root) as session:
            session.do("selectActiveIntent", intent_id="INT-001")
            for pages in range(0, 14, 1):
                old = (root / FILE).read_bytes()
                filler = fill(disk, but=4096 * pages)
                answer = write(session, f"{pages} " * 2000)
                now = (root / FILE).read_bytes()
                if answer["status"] == "ok":
                    assert now == f"{pages} ".encode() * 2000
                    said.add(answer.get("trace", "on record"))
                else:
                    assert refused(answer, "No space left on device")
                    assert now == old
                    said.add("refused")
                filler.unlink()
                assert write(session, "room again\n", "src/api/other.py")["status"] == "ok"
                assert {problem["kind"] for problem in session.do("verifyTrace")["problems"]} <= {"torn"}
                changed = [record["files"][0]["path"] for record in ledger_lines(root) if record["success"]]
                done = sum(1 for path in changed if path == FILE)
                assert (root / FILE).read_bytes() == (OLD.encode() if not done else now)
            assert lasting_strays(root) == []
    assert {"refused", "on record"} <= said


def test_a_ledger_that_can_grow_no_more_degrades_the_answer_and_is_caught_up_with_later(
    nursery: Nursery, tmp_path: Path, root: Path
) -> None:
    """Part of a line may be written: it stays alone, and is reported."""
    orders = Orders(**{**orders_in(tmp_path / "orders").to_json(), "limit": 6000})
    written = []
    with nursery.serve(root, orders) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        for turn in range(20):
            answer = write(session, f"{turn}\n")
            assert answer["status"] == "ok"
            written.append(answer)
            assert (root / FILE).read_text() == f"{turn}\n"
        assert [answer.get("trace") for answer in written[-3:]] == ["degraded"] * 3
        (warning,) = warnings_of(session)
        assert "are not on record yet" in warning
    with nursery.serve(root) as session:
        session.do("verifyTrace")
        records = ledger_lines(root)
        assert [record["id"] for record in records] == [answer["trace_id"] for answer in written]
        kinds = [problem["kind"] for problem in session.do("verifyTrace")["problems"]]
        assert kinds in ([], ["torn"])
        assert lasting_strays(root) == []


def ledger_lines(root: Path) -> list[Json]:
    """Every record, torn lines passed over."""
    import json

    found = []
    for line in (root / ".orchestration" / "agent_trace.jsonl").read_bytes().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


# --- read-only


def test_a_read_only_folder_refuses_the_edit_and_names_it(server: Session, root: Path) -> None:
    """Also a new file in it; elsewhere edits go on."""
    with read_only(root / "src" / "api"):
        assert refused(write(server, "new\n"), FILE)
        assert refused(write(server, "new\n", "src/api/new.py"), "src/api/new.py")
        assert refused(server.do("deleteFile", path=FILE), FILE)
        assert (root / FILE).read_text() == OLD
        assert write(server, "1\n", "tests/api/a.py")["status"] == "ok"
    assert write(server, "new\n")["status"] == "ok"
    check_whole(server)


def test_a_patch_that_reaches_a_read_only_folder_changes_nothing_at_all(server: Session, root: Path) -> None:
    """What was done already is undone."""
    (root / "tests" / "api").mkdir(parents=True)
    (root / "tests" / "api" / "a.py").write_text("a\n")
    before = {path: path.read_bytes() for path in (root / FILE, root / "tests" / "api" / "a.py")}
    patch = (
        f"--- a/{FILE}\n+++ b/{FILE}\n@@ -1 +1 @@\n-def today():\n+def tomorrow():\n"
        "--- a/tests/api/a.py\n+++ b/tests/api/a.py\n@@ -1 +1 @@\n-a\n+b\n"
    )
    with read_only(root / "tests" / "api"):
        assert refused(server.do("applyPatch", patch=patch), "tests/api/a.py")
        assert {path: path.read_bytes() for path in before} == before
    assert server.do("applyPatch", patch=patch)["status"] == "ok"
    check_whole(server)


def test_a_read_only_state_refuses_every_edit_until_it_can_be_written(server: Session, root: Path) -> None:
    """What can't be made safe does not happen."""
    write(server, "1\n")
    with read_only(root / ".orchestration" / ".state"):
        assert refused(write(server, "2\n"))
        assert (root / FILE).read_text() == "1\n"
    assert write(server, "3\n")["status"] == "ok"
    check_whole(server)


@pytest.mark.parametrize("how", ["a folder", "a folder from the beginning"])
def test_without_a_ledger_the_edit_stands_degraded_and_the_user_is_told_once(
    nursery: Nursery, root: Path, how: str
) -> None:
    """Its record follows, in order, as soon as there is a ledger again."""
    ledger = root / ".orchestration" / "agent_trace.jsonl"
    if how == "a folder from the beginning":
        ledger.mkdir()
    with nursery.serve(root) as session:
        assert session.do("selectActiveIntent", intent_id="INT-001")["status"] == "ok"
        ids = [write(session, "0\n")["trace_id"]] if not ledger.is_dir() else []
        for _ in range(2):
            with no_ledger(root):
                answers = [write(session, f"{turn}\n") for turn in range(3)]
                assert {answer.get("trace") for answer in answers} == {"degraded"}
                assert (root / FILE).read_text() == "2\n"
                assert session.do("expandScope", intent_id="INT-002", glob=f"{len(ids)}/**")["trace"] == "degraded"
            last = write(session, "whole again\n")
            assert "trace" not in last
            ids += [answer["trace_id"] for answer in [*answers, last]]
            changes = [record["id"] for record in ledger_of(root) if record["tool_name"] == "write_to_file"]
            assert changes == ids
            check_whole(session)
        warnings = warnings_of(session)
        assert len(warnings) == 2, warnings
        assert all("not on record yet" in warning for warning in warnings)


def test_a_read_only_ledger_degrades_the_answer(nursery: Nursery, root: Path) -> None:
    """And is caught up with when it can be written again."""
    ledger = root / ".orchestration" / "agent_trace.jsonl"
    with nursery.serve(root) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "0\n")
    with nursery.serve(root) as session:
        with read_only(ledger):
            session.do("selectActiveIntent", intent_id="INT-001")
            assert write(session, "1\n")["trace"] == "degraded"
            assert (root / FILE).read_text() == "1\n"
        assert "trace" not in write(session, "2\n")
        assert len(ledger_of(root)) == 3
        check_whole(session)


@contextmanager
def no_ledger(root: Path) -> Iterator[None]:
    """A folder in the ledger's place."""
    ledger = root / ".orchestration" / "agent_trace.jsonl"
    away = ledger.with_suffix(".away")
    if ledger.is_file():
        ledger.rename(away)
    ledger.mkdir(exist_ok=True)
    yield
    ledger.rmdir()
    if away.exists():
        away.rename(ledger)


def test_a_save_that_can_not_be_recorded_is_said_to_the_user(server: Session, root: Path) -> None:
    """A save has no answer that could say so."""
    server.open(FILE)
    (root / ".orchestration" / "agent_trace.jsonl").mkdir()
    server.type(FILE, "typed\n")
    server.save(FILE, "typed\n")
    told = server.wire.expect_notification("window/showMessage")
    assert "not on record yet" in told["message"]


def test_policy_block_refuses_further_edits_until_the_ledger_can_be_written(nursery: Nursery, root: Path) -> None:
    """The one during which it broke stands; also a server that is started meanwhile knows."""
    (root / ".orchestration" / "policy.yaml").write_text("on_trace_failure: block\n")
    with nursery.serve(root) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "0\n")
        with no_ledger(root):
            assert write(session, "1\n")["trace"] == "degraded"
            assert refused(write(session, "2\n"), "agent_trace.jsonl")
            with nursery.serve(root) as fresh:
                fresh.do("selectActiveIntent", intent_id="INT-001")
                assert refused(write(fresh, "3\n"), "agent_trace.jsonl")
                assert fresh.do("readFile", path=FILE)["content"] == "1\n"
        session.do("readFile", path=FILE)
        assert write(session, "4\n")["status"] == "ok"
        hashes = [(file["pre_hash"], file["post_hash"]) for record in done(root) for file in record["files"]]
        assert [before for before, _ in hashes[1:]] == [after for _, after in hashes[:-1]]
        check_whole(session)


def test_policy_block_is_not_fooled_by_a_ledger_that_opens_but_can_not_grow(
    nursery: Nursery, tmp_path: Path, root: Path
) -> None:
    """What waits for the ledger must be in it before anything else happens."""
    (root / ".orchestration" / "policy.yaml").write_text("on_trace_failure: block\n")
    orders = Orders(**{**orders_in(tmp_path / "orders").to_json(), "limit": 6000})
    with nursery.serve(root, orders) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        answers = [write(session, f"{turn}\n") for turn in range(14)]
    said = [answer.get("trace", answer["status"]) for answer in answers]
    assert said.count("degraded") == 1
    assert set(said[said.index("degraded") + 1 :]) == {"error"}


def done(root: Path) -> list[Json]:
    return [record for record in ledger_of(root) if record["success"]]


# --- what others do meanwhile


def test_segments_that_were_removed_are_missed_and_the_next_edit_works(server: Session, root: Path) -> None:
    """What is gone shows in the verification on this machine."""
    for turn in range(3):
        write(server, f"{turn}\n")
    shutil.rmtree(Layout(root).trace)
    answer = write(server, "after\n")
    assert (answer["status"], answer.get("trace")) == ("ok", None)
    assert [record["id"] for record in ledger_of(root)] == [answer["trace_id"]]
    removed, cut = server.do("verifyTrace")["problems"]
    assert (removed["kind"], "`intentls trace restore` puts it back" in removed["message"]) == ("segment-removed", True)
    assert (cut["kind"], "records 1 to 3" in cut["message"]) == ("cut", True)
    assert lasting_strays(root) == []


def test_a_local_ledger_file_that_was_removed_is_made_again_from_the_segments(server: Session, root: Path) -> None:
    """Nothing is lost, and nothing is reported."""
    for turn in range(3):
        write(server, f"{turn}\n")
    before = ledger_of(root)
    Layout(root).ledger.unlink()
    answer = write(server, "after\n")
    assert (answer["status"], answer.get("trace")) == ("ok", None)
    assert [record["id"] for record in ledger_of(root)] == [*(record["id"] for record in before), answer["trace_id"]]
    assert server.do("verifyTrace")["problems"] == []
    assert lasting_strays(root) == []


def test_a_state_folder_that_is_deleted_at_work_costs_no_edit_and_no_history(server: Session, root: Path) -> None:
    """The intent has to be selected again, that is all."""
    write(server, "1\n")
    shutil.rmtree(root / ".orchestration" / ".state")
    assert write(server, "2\n")["code"] == "INTENT_REQUIRED"
    server.do("selectActiveIntent", intent_id="INT-001")
    assert write(server, "3\n")["status"] == "ok"
    check_whole(server)
    assert [record["success"] for record in ledger_of(root)] == [True, False, True]


def test_a_state_folder_that_is_deleted_in_the_midst_of_an_edit_makes_no_liar_of_the_answer(
    nursery: Nursery, tmp_path: Path
) -> None:
    """At any step: what is answered is what is there."""
    made, at = 1, 0
    while at < made:
        at += 1 if LONG else 3
        orders, root = orders_in(tmp_path / str(at)), make_root(tmp_path / str(at) / "root")
        with nursery.serve(root, orders) as session:
            session.do("selectActiveIntent", intent_id="INT-001", session_id="s")
            for text in ("1\n", "2\n"):
                arm(orders, "note")
                before = len(calls(orders))
                session.do("writeToFile", path=FILE, content=text, session_id="s")
                made = len(calls(orders)) - before
            arm(orders, "wait", min(at, made))
            question = ask_to_write(session, "3\n", session_id="s")
            wait_until_it_waits(orders)
            shutil.rmtree(root / ".orchestration" / ".state")
            let_go(orders)
            answer = session.wire.answer(question)["result"]
            assert (root / FILE).read_text() == ("3\n" if answer["status"] == "ok" else "2\n"), answer
            session.do("selectActiveIntent", intent_id="INT-001", session_id="s")
            assert session.do("writeToFile", path=FILE, content="4\n", session_id="s")["status"] == "ok"
            check_whole(session)
            changed = [record["files"][0]["post_hash"] for record in done(root)]
            assert len(changed) == 3 + (answer["status"] == "ok")


def ask_to_write(session: Session, text: str, **more: str) -> int:
    """Ask without waiting."""
    arguments = {"path": FILE, "content": text, **more}
    return session.wire.ask("workspace/executeCommand", {"command": "intent.writeToFile", "arguments": [arguments]})


def test_a_file_that_is_replaced_between_check_and_write_is_left_alone(
    nursery: Nursery, tmp_path: Path, root: Path
) -> None:
    """Somebody who knows nothing of our locks writes while the edit is staged: theirs stays, ours is refused."""
    orders = orders_in(tmp_path / "orders")
    with nursery.serve(root, orders) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "1\n")
        arm(orders, "note")
        write(session, "2\n")
        journaled = 1 + next(index for index, call in enumerate(calls(orders)) if "/journal/" in call)
        arm(orders, "wait", journaled)
        question = ask_to_write(session, "ours\n")
        wait_until_it_waits(orders)
        theirs = root / "theirs"
        theirs.write_text("theirs\n")
        theirs.replace(root / FILE)
        let_go(orders)
        answer = session.wire.answer(question)["result"]
        assert (answer["code"], answer["action_hint"]) == ("STALE_CONTEXT", "read_file")
        assert (root / FILE).read_text() == "theirs\n"
        assert [record["success"] for record in ledger_of(root)] == [True, True, False]
        check_whole(session)


def test_an_edit_of_open_and_closed_files_is_undone_in_the_editor_if_the_disk_refuses(
    nursery: Nursery, root: Path
) -> None:
    """It happens wholly or not at all, wherever its parts are."""
    (root / "tests" / "api").mkdir(parents=True)
    (root / "tests" / "api" / "a.py").write_text("a\n")
    patch = (
        f"--- a/{FILE}\n+++ b/{FILE}\n@@ -1 +1 @@\n-def today():\n+def tomorrow():\n"
        "--- a/tests/api/a.py\n+++ b/tests/api/a.py\n@@ -1 +1 @@\n-a\n+b\n"
    )
    with nursery.serve(root, capabilities=ASKING) as session:
        applied: list[Json] = []

        def apply(params: Json) -> Json:
            applied.append(params["edit"])
            return {"applied": True}

        session.wire.handlers["workspace/applyEdit"] = apply
        session.do("selectActiveIntent", intent_id="INT-001")
        session.open(FILE)
        with read_only(root / "tests" / "api"):
            assert refused(session.do("applyPatch", patch=patch), "tests/api/a.py")
        assert len(applied) == 2, "done, and undone"
        assert (root / "tests" / "api" / "a.py").read_text() == "a\n"


# --- time


def test_a_clock_that_runs_back_changes_no_order(nursery: Nursery, tmp_path: Path, root: Path) -> None:
    """Neither that of the ledger, nor that of records that had to wait for it."""
    clock = tmp_path / "clock"
    clock.write_text("0")
    orders = Orders(**{**orders_in(tmp_path / "orders").to_json(), "clock": str(clock)})
    ids = []
    with nursery.serve(root, orders) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        for hours in (0, -5, 3, -20):
            clock.write_text(str(hours * 3600))
            ids.append(write(session, f"{hours}\n")["trace_id"])
        with no_ledger(root):
            for hours in (10, 5, -30, 2):
                clock.write_text(str(hours * 3600))
                ids.append(write(session, f"later {hours}\n")["trace_id"])
        ids.append(write(session, "last\n")["trace_id"])
        assert [record["id"] for record in ledger_of(root)] == ids
        times = [datetime.fromisoformat(record["timestamp"]) for record in ledger_of(root)]
        assert times != sorted(times)
        check_whole(session)
        newest = session.do("queryTrace", limit=3)["entries"]
        assert [entry["id"] for entry in newest] == ids[:-4:-1], "the newest are those that were written last"


def test_waiting_is_measured_by_a_clock_that_nobody_sets(nursery: Nursery, tmp_path: Path, root: Path) -> None:
    """A wall clock that jumps while an edit waits for a lock ends the wait no sooner, and makes it no longer."""
    clock = tmp_path / "clock"
    clock.write_text("0")
    orders = Orders(**{**orders_in(tmp_path / "orders").to_json(), "clock": str(clock)})
    with nursery.serve(root, orders) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "1\n")
        for jump in ("100000000", "-100000000"):
            clock.write_text("0")
            with Locks(Layout(root).locks / "paths").hold([str(root / FILE)], "this test"):
                arguments = {"path": FILE, "content": f"{jump}\n"}
                call = {"command": "intent.writeToFile", "arguments": [arguments]}
                asked = session.wire.ask("workspace/executeCommand", call)
                time.sleep(0.3)  # it is waiting by now
                clock.write_text(jump)
                with pytest.raises(AssertionError, match="waited"):
                    session.wire.answer(asked, 0.7)
            assert session.wire.answer(asked)["result"]["status"] == "ok", "it gave up"
        check_whole(session)
