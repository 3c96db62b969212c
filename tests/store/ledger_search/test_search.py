"""Searching a ledger: an index finds just what reading it backward finds, whatever becomes of the files."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from intentls.core.ledger.archive_marker import KEY, TOOL_NAME
from intentls.core.ledger.deduplication import Deduplicator
from intentls.core.ledger.hash_chain import line_hash, link, parse
from intentls.store.archiving.archive_prefix import ArchiveAllBut, find_prefix
from intentls.store.archiving.archiver import Archiver
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_files.archive import archives
from intentls.store.ledger_search import block_index, query, search
from intentls.store.ledger_search.query import Block, RecordQuery, blocks_of, describe
from tests.store.ledger.test_ledger import SPAWN, add
from tests.support.ledgers import make_ledger

INTENTS = ["INT-1", "INT-2", "ünt \u2028 \ud800"]
PATHS = ["src/a.py", "src/b.py", "a.py", "döc/x y.md"]
SESSIONS = ["s-1", "s-2"]
TIMES = ["2026-02-18T18:30:00.000Z", "2026-03-01T00:00:00.000Z", "2026-03-01T01:00:00+02:00", "20260401", "soon"]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """What an index is worth, and a block's size, as if for a tiny machine."""
    monkeypatch.setattr(search, "_MIN_INDEXED", 1)
    monkeypatch.setattr(search, "_FIRST_BATCH", 1)
    monkeypatch.setattr(query, "_BLOCK", 400)


def fill(ledger: Ledger, count: int, name: str = "r") -> None:
    for number in range(count):
        add(ledger, f"{name}{number}", **record(number))


def record(number: int) -> dict[str, Any]:
    files = [{"path": PATHS[number % 3]}, {"path": "new.py", "old_path": PATHS[number % 4]}][: number % 3]
    return {
        "intent_id": INTENTS[number % 3],
        "session_id": SESSIONS[number // 7 % 2],
        "timestamp": TIMES[number % 2],
        "files": files,
    }


def catch_up(ledger: Ledger) -> None:
    """As after many answers."""
    list(ledger.search(RecordQuery(intent_id="none")))
    for _ in iter(ledger.catch_up, False):
        pass


def found(ledger: Ledger, wanted: RecordQuery) -> list[dict[str, Any]]:
    return list(ledger.search(wanted))


def expected(root: Path, wanted: RecordQuery) -> list[dict[str, Any]]:
    """What a reader finds that passes over nothing, and knows no index."""
    layout = Layout(root)
    old = archives(layout)
    live = layout.ledger.read_bytes().split(b"\n") if layout.ledger.exists() else []
    once = Deduplicator(newest_first=True)
    told = []
    for line in reversed([*(line for archive in old for line in archive.lines()), *live]):
        record = parse(line) if wanted.required_bytes() in line else None
        if record is not None and wanted.matches(record) and (not old or once.is_first(record)):
            told.append(record)
    return told


QUESTIONS = [
    RecordQuery(intent_id="INT-1"),
    RecordQuery(intent_id=INTENTS[2]),
    RecordQuery(path="a.py"),
    RecordQuery(path="src/b.py", intent_id="INT-2"),
    RecordQuery(path=PATHS[3]),
    RecordQuery(session_id="s-2"),
    RecordQuery(session_id="s-2", intent_id="INT-1", path="src/a.py"),
    RecordQuery(since=datetime(2026, 2, 20, tzinfo=UTC)),
    RecordQuery(since=datetime(2026, 3, 15, tzinfo=UTC), intent_id="INT-1"),
    RecordQuery(since=datetime(2030, 1, 1, tzinfo=UTC)),
    RecordQuery(intent_id="nobody"),
    RecordQuery(),
]


def assert_the_same(ledger: Ledger, root: Path) -> None:
    for sought in QUESTIONS:
        assert found(ledger, sought) == expected(root, sought), sought


def index_file(root: Path) -> Path:
    (file,) = Layout(root).index.rglob("live.sqlite3")
    return file


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each part of a search had to read without an index."""
    told: list[int] = []
    real = search.lines_backward

    def lines(descriptor: int, end: int, needle: bytes, heed: Any, start: int) -> Iterator[bytes]:
        told.append(end - start)
        return real(descriptor, end, needle, heed, start)

    monkeypatch.setattr(search, "lines_backward", lines)
    return told


# --- the same answers


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Lines as programs, merges and accidents leave them."""
    parts, prev = [], {}
    for _ in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(["record", "record", "record", "spaced", "odd", "bytes", "again"]))
        if kind == "again" and parts:
            parts.append(draw(st.sampled_from(parts)))
            continue
        entry: dict[str, Any] = {
            "id": draw(st.text("abc", max_size=3)),
            "intent_id": draw(st.sampled_from([*INTENTS, 7, None]))
            if kind == "odd"
            else draw(st.sampled_from(INTENTS)),
            "session_id": draw(st.sampled_from(SESSIONS)),
            "timestamp": draw(st.sampled_from(TIMES)),
            "files": draw(
                st.lists(
                    st.fixed_dictionaries(
                        {"path": st.sampled_from(PATHS)}, optional={"old_path": st.sampled_from(PATHS)}
                    )
                )
            ),
        }
        if kind == "odd":
            entry["files"] = draw(st.sampled_from([None, 3, [4, {"path": ["a.py"]}, {"path": "a.py"}]]))
        if kind == "bytes":
            parts.append(
                draw(st.sampled_from([b"\n", b'{"id":"torn', b"42\n", b'{"x":\n', b"}\n", b"\xff\r\n", b"[" * 3000]))
            )
        elif kind == "spaced":
            parts.append(json.dumps(entry).encode() + b"\r\n")
        else:
            writer = draw(st.sampled_from("vw"))
            seq, before = prev.get(writer, (0, None))
            made = link(entry, writer, seq + draw(st.sampled_from([1, 1, 1, 0, 2])) or 1, before)
            prev[writer] = (seq + 1, line_hash(made))
            parts.append(made + b"\n")
    return b"".join(parts)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_with_and_without_an_index_the_answers_are_the_same(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever is appended, damaged, merged, cut off or archived between two searches."""
    root = tmp_path_factory.mktemp("root")
    layout = Layout(root)
    layout.orchestration.mkdir()
    layout.ledger.write_bytes(data.draw(lines()))
    ledger = make_ledger(root)
    for _ in range(data.draw(st.integers(1, 5))):
        match data.draw(st.sampled_from(["append", "merge", "cut", "rewrite", "archive", "state"])):
            case "append":
                with layout.ledger.open("ab") as file:
                    file.write(data.draw(lines()))
            case "merge":
                kept = layout.ledger.read_bytes().splitlines(keepends=True)
                at = data.draw(st.integers(0, len(kept)))
                replace(layout.ledger, b"".join([*kept[:at], data.draw(lines()), *kept[at:]]))
            case "cut":
                size = layout.ledger.stat().st_size
                os.truncate(layout.ledger, data.draw(st.integers(0, size)))
            case "rewrite":
                replace(layout.ledger, data.draw(lines()))
            case "archive":
                archive(root, data.draw(st.integers(0, 3)))
            case "state":
                shutil.rmtree(layout.state, ignore_errors=True)
        if data.draw(st.booleans()):
            catch_up(ledger)
        assert_the_same(ledger, root)


def replace(file: Path, content: bytes) -> None:
    new = file.with_name("new")
    new.write_bytes(content)
    new.replace(file)


def archive(root: Path, keep: int) -> None:
    layout, ledger = Layout(root), make_ledger(root)
    mover = Archiver(layout, ledger)
    with mover.hold("a test"):
        ledger.move_over()
        prefix = find_prefix(layout, ArchiveAllBut(keep), ())
        if prefix.lines:
            mover.move(prefix, "ada", lambda bridge: {"id": "bridge", "tool_name": TOOL_NAME, KEY: bridge.to_json()})


def test_a_search_reads_only_what_came_after_the_index(ledger: Ledger, root: Path, reads: list[int]) -> None:
    """And the blocks in which it finds something."""
    fill(ledger, 60)
    size = ledger.size()
    catch_up(ledger)
    reads.clear()
    fill(ledger, 1, "later")
    assert_the_same(ledger, root)
    searched = [amount for amount in reads if amount < size]
    assert searched == [ledger.size() - size] * (len(QUESTIONS) - 1)


def test_only_the_blocks_that_are_wanted_are_read(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file in sixty records: one block of many."""
    fill(ledger, 30)
    add(ledger, "x", files=[{"path": "rare.py"}])
    fill(ledger, 30)
    catch_up(ledger)
    read: list[Block] = []
    real = search._unchanged
    monkeypatch.setattr(search, "_unchanged", lambda block, data: (read.append(block), real(block, data))[1])
    assert [record["id"] for record in found(ledger, RecordQuery(path="rare.py"))] == ["x"]
    assert len(read) == 1


def test_archives_are_searched_through_indexes_of_their_own(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive's blocks without the words are not even unpacked."""
    for _ in range(2):
        fill(ledger, 20)
        archive(root, 5)
    catch_up(ledger)
    assert_the_same(ledger, root)
    assert len(list(Layout(root).index.rglob("*.sqlite3"))) == 3
    unpacked: list[int] = []
    real = search.OpenArchive.content
    monkeypatch.setattr(
        search.OpenArchive, "content", lambda self, at, packed: (unpacked.append(at), real(self, at, packed))[1]
    )
    assert found(ledger, RecordQuery(intent_id="nobody")) == []
    assert unpacked == []


# --- what it is not trusted in


def test_an_edited_block_is_noticed_when_it_is_read(ledger: Ledger, root: Path) -> None:
    """And the index is forgotten: from there on the file is read backward."""
    fill(ledger, 40)
    catch_up(ledger)
    file = Layout(root).ledger
    text = file.read_bytes()
    at = text.index(b'"r20"')
    with file.open("r+b") as stream:
        stream.seek(at)
        stream.write(b'"R20"')
    fill(ledger, 1, "later")
    assert_the_same(ledger, root)
    with closing(sqlite3.connect(index_file(root))) as db:
        assert db.execute("SELECT count(*) FROM seen").fetchone() == (0,)


def test_an_edit_that_leaves_the_length_as_it_was_is_noticed_while_nothing_is_appended(
    ledger: Ledger, root: Path
) -> None:
    """By the file's time, also for what the index says is nowhere."""
    fill(ledger, 40)
    catch_up(ledger)
    file = Layout(root).ledger
    content = file.read_bytes()
    middle = content.index(b"INT-1", len(content) // 2)
    file.write_bytes(content[:middle] + b"INT-9" + content[middle + 5 :])
    os.utime(file, ns=(0, 0))
    assert len(found(ledger, RecordQuery(intent_id="INT-9"))) == 1


def test_a_ledger_that_was_rewritten_in_its_place_is_noticed(ledger: Ledger, root: Path) -> None:
    """As some editors save: the same file, grown, with something else in it."""
    fill(ledger, 40)
    catch_up(ledger)
    file = Layout(root).ledger
    first, *rest = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join([first, b'{"intent_id":"INT-9","files":[]}\n', *rest]))
    assert len(found(ledger, RecordQuery(intent_id="INT-9"))) == 1
    assert_the_same(ledger, root)


@pytest.mark.parametrize("damage", [b"", b"no database" * 1000])
def test_a_damaged_index_is_made_anew(ledger: Ledger, root: Path, damage: bytes, reads: list[int]) -> None:
    """Nobody is told but the log."""
    fill(ledger, 40)
    catch_up(ledger)
    index_file(root).write_bytes(damage)
    assert_the_same(ledger, root)
    catch_up(ledger)
    catch_up(ledger)
    reads.clear()
    found(ledger, RecordQuery(intent_id="INT-1"))
    assert reads == [0]


def test_an_index_of_another_version_is_made_anew(ledger: Ledger, root: Path, reads: list[int]) -> None:
    """Whatever tables it has."""
    fill(ledger, 40)
    catch_up(ledger)
    with closing(sqlite3.connect(index_file(root), isolation_level=None)) as db:
        db.execute("DROP TABLE word")
        db.execute("CREATE TABLE other (x)")
        db.execute("PRAGMA user_version=99")
    assert_the_same(ledger, root)
    catch_up(ledger)
    reads.clear()
    found(ledger, RecordQuery(intent_id="INT-1"))
    assert reads == [0]


def test_an_index_that_comes_with_a_copy_is_not_believed(ledger: Ledger, root: Path, tmp_path: Path) -> None:
    """It could hide records. The copy makes its own, and the other goes."""
    fill(ledger, 40)
    catch_up(ledger)
    with closing(sqlite3.connect(index_file(root), isolation_level=None)) as db:
        db.execute("DELETE FROM word")
    shutil.copytree(root, tmp_path / "copy")
    copy = make_ledger(tmp_path / "copy")
    assert_the_same(copy, tmp_path / "copy")
    catch_up(copy)
    assert_the_same(copy, tmp_path / "copy")
    assert len(list(Layout(tmp_path / "copy").index.iterdir())) == 1


def test_an_archive_that_is_replaced_is_read_itself(ledger: Ledger, root: Path) -> None:
    """Its index is of the other file."""
    fill(ledger, 20)
    archive(root, 2)
    (old,) = Layout(root).trace.glob("*.jsonl.*")
    other = old.with_name(old.name.replace(old.suffix, ".gz"))
    old.rename(other)
    other.write_bytes(gzip.compress(b'{"id":"first","intent_id":"INT-1"}\n'))
    catch_up(ledger)
    assert found(ledger, RecordQuery(intent_id="INT-1"))[-1]["id"] == "first"
    replace(other, gzip.compress(b'{"id":"other","intent_id":"INT-1"}\n'))
    assert found(ledger, RecordQuery(intent_id="INT-1"))[-1]["id"] == "other"


def test_an_archive_that_can_not_be_read_is_left_out(ledger: Ledger, root: Path) -> None:
    """By the search, and by who indexes."""
    fill(ledger, 20)
    archive(root, 2)
    (file,) = Layout(root).trace.glob("*.jsonl.*")
    file.write_bytes(b"no archive")
    catch_up(ledger)
    assert [record["id"] for record in found(ledger, RecordQuery(intent_id="INT-1"))] == ["r18"]


# --- never in the way


def test_a_small_ledger_gets_no_index(ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading it takes less."""
    monkeypatch.undo()
    fill(ledger, 100)
    catch_up(ledger)
    assert not Layout(root).index.exists()


def test_answers_that_are_found_at_once_cost_no_index(
    ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only who had to read far makes one, or who let the ledger grow."""
    monkeypatch.setattr(search, "_MIN_INDEXED", 200_000)
    fill(ledger, 1_000)
    ledger = make_ledger(root)
    for _ in range(5):
        next(ledger.search(RecordQuery(intent_id="INT-1")))
    assert not ledger.catch_up()
    assert not Layout(root).index.exists()
    found(ledger, RecordQuery(intent_id="nobody"))
    ledger.catch_up()
    assert Layout(root).index.exists()


def test_while_another_process_writes_the_index_the_file_is_read(ledger: Ledger, root: Path) -> None:
    """Nobody waits for it, and nobody fails."""
    fill(ledger, 40)
    catch_up(ledger)
    with closing(sqlite3.connect(index_file(root), isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        assert_the_same(ledger, root)
        fill(ledger, 5)
        assert not ledger.catch_up()
        assert_the_same(ledger, root)


def test_where_no_index_can_be_written_everything_is_found_all_the_same(ledger: Ledger, root: Path) -> None:
    """A file stands in its folder's place."""
    fill(ledger, 40)
    Layout(root).index.touch()
    assert not ledger.catch_up()
    catch_up(ledger)
    assert_the_same(ledger, root)


def test_a_long_index_is_made_in_steps(ledger: Ledger, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each as much as an answer may be followed by; in between it is used as far as it goes."""
    monkeypatch.setattr(search, "_STEP", 2_000)
    fill(ledger, 100)
    found(ledger, RecordQuery(intent_id="nobody"))
    steps = 0
    for _ in iter(ledger.catch_up, False):
        steps += 1
        assert_the_same(ledger, root)
    assert steps > 5
    archive(root, 10)
    catch_up(ledger)
    assert_the_same(ledger, root)


def look(root: Path, rounds: int) -> None:
    ledger = make_ledger(root)
    search._MIN_INDEXED = 1  # type: ignore[misc]
    for _ in range(rounds):
        catch_up(ledger)
        seen = [record["id"] for record in found(ledger, RecordQuery(intent_id="INT-1"))]
        now = [record["id"] for record in ledger.newest_first() if record["intent_id"] == "INT-1"]
        assert now[len(now) - len(seen) :] == seen


def test_processes_and_threads_search_and_index_while_others_append(ledger: Ledger, root: Path) -> None:
    """Every answer is what stood there when it was asked for."""
    fill(ledger, 30)
    processes = [SPAWN.Process(target=look, args=(root, 30)) for _ in range(3)]
    threads = [threading.Thread(target=look, args=(root, 15)) for _ in range(2)]
    for one in (*processes, *threads):
        one.start()
    for number in range(60):
        fill(ledger, 5, f"more{number}-")
    for one in (*processes, *threads):
        one.join()
    assert [process.exitcode for process in processes] == [0, 0, 0]
    catch_up(ledger)
    assert_the_same(ledger, root)


def test_deleting_the_state_in_the_middle_of_a_search_loses_nothing(ledger: Ledger, root: Path) -> None:
    """It goes on backward."""
    fill(ledger, 60)
    catch_up(ledger)
    answer = ledger.search(RecordQuery(intent_id="INT-1"))
    first = list(islice(answer, 2))
    shutil.rmtree(Layout(root).state)
    assert [*first, *answer] == expected(root, RecordQuery(intent_id="INT-1"))


def test_an_index_that_is_made_anew_in_the_middle_of_a_search_is_not_gone_on_with(ledger: Ledger, root: Path) -> None:
    """Its blocks may be others."""
    fill(ledger, 60)
    catch_up(ledger)
    answer = ledger.search(RecordQuery(intent_id="INT-1"))
    first = list(islice(answer, 2))
    with closing(sqlite3.connect(index_file(root), isolation_level=None)) as db:
        db.execute("UPDATE seen SET generation = x'00'")
        db.execute("DELETE FROM word")
    assert [*first, *answer] == expected(root, RecordQuery(intent_id="INT-1"))


def test_progress_is_told_and_may_end_a_search(ledger: Ledger) -> None:
    """With and without an index."""

    def stop(done: int, total: int) -> None:
        assert 0 <= done <= total == ledger.size()
        raise StopAsyncIteration

    fill(ledger, 40)
    for _ in range(2):
        with pytest.raises(StopAsyncIteration):
            list(ledger.search(RecordQuery(intent_id="INT-1"), stop))
        catch_up(ledger)


# --- blocks


def test_a_block_is_whole_lines_and_a_torn_last_line_is_left_for_later(tmp_path: Path) -> None:
    """Also where a line is longer than a block."""
    file = tmp_path / "lines"
    content = b"a\n" * 300 + b"x" * 5_000 + b"\n" + b"b\n" * 10 + b"torn"
    file.write_bytes(content)
    with file.open("rb") as stream:
        parts = [described.block for described in blocks_of(stream.fileno(), 0, len(content), 1 << 20)]
    ends = [block.start + block.length for block in parts]
    assert [block.start for block in parts] == [0, *ends[:-1]]
    assert ends[-1] == len(content) - 4
    assert all(content[end - 1 : end] == b"\n" for end in ends)
    assert len(parts) > 2


def test_a_record_between_the_halves_of_a_torn_one_is_known(tmp_path: Path) -> None:
    """Together they would read as one object that holds it."""
    whole = describe(Block(0, 0, 0), b'{"intent_id":"A"}\n').keys
    for end in (b"}", b"}{}{}", b"} {} {}"):
        assert describe(Block(0, 0, 0), b'{"x":\n{"intent_id":"A"}\n%b\n' % end).keys == whole


def test_a_block_with_a_time_that_can_not_be_compared_is_never_too_old() -> None:
    """Whatever else is in it."""
    one, other = (b'{"timestamp":"%b"}\n' % time.encode() for time in TIMES[:2])
    assert describe(Block(0, 0, 0), one + other).newest == TIMES[1]
    for odd in (b'{"timestamp":"20260401"}\n', b'{"timestamp":5}\n', b"{}\n", b"\n"):
        assert describe(Block(0, 0, 0), one + odd).newest is None


def test_writers_have_nothing_to_do_with_it(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Appending neither makes, nor asks, nor writes an index."""

    def fail(*_: object) -> sqlite3.Connection:
        raise AssertionError

    monkeypatch.setattr(block_index, "_connect", fail)
    layout = Layout(root)
    ledger = Ledger(layout, ChainHeads(layout))
    fill(ledger, 50)
    assert not layout.index.exists()
    with pytest.raises(AssertionError):
        catch_up(ledger)  # the index itself connects through what fails here


# --- kept up while the ledger grows and is made again


def pulled(root: Path, timestamp: str, count: int) -> None:
    """Records of another clone come by git, as one segment."""
    before, lines = None, []
    for number in range(1, count + 1):
        value = {"version": "0.1.0", "id": f"theirs-{number}", **record(number), "timestamp": timestamp}
        lines.append(link(value, "fedcba9876543210", number, before))
        before = line_hash(lines[-1])
    (Layout(root).trace / f"fedcba987654-00000001-{timestamp[:4]}beef.jsonl").write_bytes(b"\n".join(lines) + b"\n")


def test_a_ledger_that_grows_is_indexed_though_it_was_never_searched(
    ledger: Ledger, root: Path, reads: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each time that so much was appended as is worth an index, the next step is due."""
    monkeypatch.setattr(search, "_MIN_INDEXED", 5_000)
    steps = 0
    for number in range(60):
        fill(ledger, 1, f"n{number}-")
        if ledger.is_index_behind:
            steps += 1
            for _ in iter(ledger.catch_up, False):
                pass
            assert not ledger.is_index_behind
    assert steps == ledger.size() // 5_000 > 1
    assert_the_same(ledger, root)
    assert max(amount for amount in reads if amount < ledger.size()) < 5_000


def test_what_comes_by_git_leaves_the_index_of_all_that_is_older(ledger: Ledger, root: Path, reads: list[int]) -> None:
    """The local file is made again, and begins as the old one did: only what is new is read without the index."""
    fill(ledger, 60)
    catch_up(ledger)
    before = ledger.size()
    pulled(root, "2027-01-01T00:00:00.000Z", 5)
    reads.clear()
    assert found(ledger, RecordQuery(intent_id="nobody")) == []
    assert ledger.size() > before
    assert sum(reads) <= ledger.size() - before + 400, "a block of the old file may end in the middle of the new one"
    assert ledger.is_index_behind
    assert_the_same(ledger, root)
    catch_up(ledger)
    assert_the_same(ledger, root)


def test_of_an_index_only_what_stays_in_its_place_is_kept(ledger: Ledger, root: Path, reads: list[int]) -> None:
    """Records that are older than all others move everything; so nothing is left of the index."""
    fill(ledger, 60)
    catch_up(ledger)
    pulled(root, "2025-01-01T00:00:00.000Z", 5)
    reads.clear()
    assert found(ledger, RecordQuery(intent_id="nobody")) == []
    assert sum(reads) == ledger.size()
    assert_the_same(ledger, root)


def test_an_index_of_another_file_is_not_carried_over(ledger: Ledger, root: Path, reads: list[int]) -> None:
    """One that does not fit the old file says nothing of the new one either."""
    fill(ledger, 60)
    catch_up(ledger)
    with closing(sqlite3.connect(index_file(root), isolation_level=None)) as db:
        db.execute("UPDATE seen SET sample = ?", (b"another",))
    pulled(root, "2027-01-01T00:00:00.000Z", 5)
    reads.clear()
    assert found(ledger, RecordQuery(intent_id="nobody")) == []
    assert sum(reads) == ledger.size()
    index_file(root).write_bytes(b"no database" * 1000)
    pulled(root, "2028-01-01T00:00:00.000Z", 5)
    assert_the_same(ledger, root)
