"""Ledgers under git: branches written by different servers merge and verify, and nothing raises false alarms."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from intentls.core.ledger.hash_chain import line_hash, link
from tests.support.forked_servers import Nursery
from tests.support.invariants import check_whole
from tests.support.session import Json, Session, ledger_of
from tests.support.workspaces import commit_all, git, intents_yaml, make_git_repo, make_workspace

LONG = os.environ.get("INTENTLS_LONG") == "1"
LEDGER = ".orchestration/agent_trace.jsonl"
# Derived files are nothing that a merge should stumble over.
ATTRIBUTES = {
    ".gitattributes": f"{LEDGER} merge=union -text\n.orchestration/intent_map.md merge=union\n",
    ".orchestration/.gitignore": ".state/\nspatial_map.json\n",
}


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """A repository whose ledger lets git join lines."""
    return make_git_repo(make_workspace(tmp_path / "origin", intents_yaml({"INT-001": ["src/**"]}), ATTRIBUTES))


def clone(origin: Path, name: str) -> Path:
    git(origin.parent, "clone", "--quiet", str(origin), name)
    return (origin.parent / name).resolve()


def work(nursery: Nursery, root: Path, *paths: str) -> None:
    """A server of its own writes these files."""
    with nursery.serve(root) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        for path in paths:
            write(session, path)


def write(session: Session, path: str) -> None:
    assert session.do("writeToFile", path=path, content=f"{path}\n")["status"] == "ok"


def verify(nursery: Nursery, root: Path) -> list[Json]:
    with nursery.serve(root) as session:
        problems: list[Json] = session.do("verifyTrace")["problems"]
        return problems


# --- merging


def test_branches_written_by_different_servers_merge_and_verify(nursery: Nursery, origin: Path) -> None:
    """Two clones, several rounds; every record of both is there once, and each writer's chain goes on."""
    ours, theirs = clone(origin, "ours"), clone(origin, "theirs")
    for turn in range(3):
        work(nursery, ours, f"src/ours{turn}.py", f"src/ours{turn}b.py")
        work(nursery, theirs, f"src/theirs{turn}.py")
        commit_all(ours, f"Ours {turn}")
        commit_all(theirs, f"Theirs {turn}")
        for one, other in ((ours, theirs), (theirs, ours)):
            git(one, "pull", "--quiet", "--no-rebase", "--no-edit", str(other), "main")
    for root in (ours, theirs):
        with nursery.serve(root) as session:
            check_whole(session)
        assert len({record["id"] for record in ledger_of(root)}) == len(ledger_of(root)) == 9
        assert len({record["chain"]["writer"] for record in ledger_of(root)}) == 2


def test_worktrees_of_one_repository_are_writers_of_their_own(nursery: Nursery, origin: Path) -> None:
    """Two servers at the same time, then a merge."""
    git(origin, "worktree", "add", "--quiet", "-b", "side", "../side")
    side = (origin.parent / "side").resolve()
    with nursery.serve(origin) as one, nursery.serve(side) as other:
        for session in (one, other):
            session.do("selectActiveIntent", intent_id="INT-001")
        for turn in range(3):
            write(one, f"src/one{turn}.py")
            write(other, f"src/other{turn}.py")
    commit_all(side, "Side")
    commit_all(origin, "Main")
    git(origin, "merge", "--quiet", "--no-edit", "side")
    assert verify(nursery, origin) == []
    assert len(ledger_of(origin)) == 6


def test_a_server_goes_on_over_a_merge_that_happens_under_it(nursery: Nursery, origin: Path) -> None:
    """git replaces the ledger; the next record stands behind the merged ones."""
    other = clone(origin, "other")
    work(nursery, other, "src/other.py")
    commit_all(other, "Other")
    with nursery.serve(origin) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "src/before.py")
        commit_all(origin, "Before")
        git(origin, "pull", "--quiet", "--no-rebase", "--no-edit", str(other), "main")
        write(session, "src/after.py")
        check_whole(session)
        assert len(session.ledger) == 3
        assert session.ledger[-1]["files"][0]["path"] == "src/after.py"


# --- switching


def test_switching_branches_back_and_forth_raises_no_false_alarm(nursery: Nursery, origin: Path) -> None:
    """Records that are committed on another branch, or stashed, are not missed here."""
    with nursery.serve(origin) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "src/first.py")
        commit_all(origin, "First")
        git(origin, "switch", "--quiet", "--create", "side")
        for turn in range(3):
            write(session, f"src/side{turn}.py")
            assert session.do("verifyTrace")["problems"] == []
            commit_all(origin, f"Side {turn}")
            git(origin, "switch", "--quiet", "main")
            assert session.do("verifyTrace")["problems"] == []
            write(session, f"src/main{turn}.py")
            assert session.do("verifyTrace")["problems"] == []
            commit_all(origin, f"Main {turn}")
            git(origin, "switch", "--quiet", "side")
            assert session.do("verifyTrace")["problems"] == []
        write(session, "src/stashed.py")
        git(origin, "stash", "--quiet", "--include-untracked")
        assert session.do("verifyTrace")["problems"] == []
        git(origin, "stash", "pop", "--quiet")
        git(origin, "add", "--all")
        git(origin, "commit", "--quiet", "--message", "Stashed")
        git(origin, "merge", "--quiet", "--no-edit", "main")
        write(session, "src/merged.py")
        check_whole(session)
        assert len(session.ledger) == 9
    assert verify(nursery, origin) == []


def test_a_record_that_was_never_committed_is_missed_after_a_reset(nursery: Nursery, origin: Path) -> None:
    """That is no false alarm: it is gone for good."""
    with nursery.serve(origin) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        write(session, "src/first.py")
        commit_all(origin, "First")
        write(session, "src/lost.py")
        git(origin, "clean", "--quiet", "-fd", ".orchestration")
        kinds = {problem["kind"] for problem in session.do("verifyTrace")["problems"]}
        assert kinds == {"cut", "segment-removed"}


# --- damage


@pytest.fixture
def written(nursery: Nursery, origin: Path) -> Iterator[tuple[Session, list[bytes]]]:
    """A server that wrote six records, lines 1 to 6, and the lines."""
    with nursery.serve(origin) as session:
        session.do("selectActiveIntent", intent_id="INT-001")
        for turn in range(6):
            write(session, f"src/{turn}.py")
        assert session.do("verifyTrace")["problems"] == []
        yield session, (origin / LEDGER).read_bytes().splitlines(keepends=True)


def forged(lines: list[bytes]) -> list[bytes]:
    """The third line with other content, and a hash that fits nothing."""
    return [*lines[:2], lines[2].replace(b"INT-001", b"INT-999"), *lines[3:]]


DAMAGE: dict[str, tuple[Callable[[list[bytes]], list[bytes]], list[tuple[int, str]]]] = {
    "an edited line": (forged, [(3, "edited")]),
    "an edited last line": (lambda lines: [*lines[:5], lines[5].replace(b"true", b"false")], [(6, "edited")]),
    "a removed line": (lambda lines: [*lines[:2], *lines[3:]], [(3, "removed")]),
    "removed first lines": (lambda lines: lines[2:], [(1, "removed")]),
    "two lines that changed places": (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], [(4, "reordered")]),
    "a line that stands there twice": (lambda lines: [*lines[:4], lines[2], *lines[4:]], [(5, "duplicated")]),
    "a torn line": (lambda lines: [*lines[:2], lines[2][:50] + b"\n", *lines[3:]], [(3, "torn"), (4, "removed")]),
    "a torn line between whole ones": (lambda lines: [*lines[:2], lines[2][:50] + b"\n", *lines[2:]], [(3, "torn")]),
    "a cut end": (lambda lines: lines[:4], [(4, "cut")]),
    "a torn end": (lambda lines: [*lines[:5], lines[5][:100]], [(5, "cut"), (6, "torn")]),
    "a line of somebody else's": (lambda lines: [*lines[:3], b'{"success": true}\n', *lines[3:]], [(4, "foreign")]),
    "an empty ledger": (lambda lines: [], [(0, "cut")]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_named_by_line_and_kind(written: tuple[Session, list[bytes]], origin: Path, damage: str) -> None:
    """And work goes on: what is wrong stays as it is, and only that is wrong."""
    session, lines = written
    plant, expected = DAMAGE[damage]
    (origin / LEDGER).write_bytes(b"".join(plant(list(lines))))
    assert [(problem["line"], problem["kind"]) for problem in session.do("verifyTrace")["problems"]] == expected
    write(session, "src/next.py")
    after = [(problem["line"], problem["kind"]) for problem in session.do("verifyTrace")["problems"]]
    assert after == [(line or 1, kind) for line, kind in expected]
    assert (origin / LEDGER).read_bytes().startswith(b"".join(plant(list(lines))))


@pytest.mark.skipif(not LONG, reason="takes minutes: make soak")
def test_a_million_records_verify_in_constant_memory(
    nursery: Nursery, tmp_path: Path, figure: Callable[[str], None]
) -> None:
    """Measured at the server process."""
    small, large = (make_ledger(nursery, tmp_path / str(count), count) for count in (10_000, 1_000_000))
    peaks = []
    for root, count in ((small, 10_000), (large, 1_000_000)):
        with nursery.serve(root) as session:
            session.do("listIntents")
            began = time.monotonic()
            answer = session.wire.command("intent.verifyTrace", {}, timeout=900)["result"]
            took = time.monotonic() - began
            assert (answer["ok"], answer["records"]) == (True, count)
            peaks.append(peak_kb(session))
    size = (large / LEDGER).stat().st_size >> 20
    figure(
        f"1,000,000 records ({size} MiB) verified in {took:.1f} s, peak {peaks[1] >> 10} MiB (10,000: {peaks[0] >> 10})"
    )
    assert peaks[1] < peaks[0] + (64 << 10)


def make_ledger(nursery: Nursery, folder: Path, count: int) -> Path:
    """A root with that many records of four writers, taking turns."""
    root = make_workspace(folder, intents_yaml({"INT-001": ["src/**"]}))
    work(nursery, root, "src/a.py")
    record = {key: value for key, value in ledger_of(root)[0].items() if key != "chain"}
    ends: dict[str, tuple[int, str | None]] = {f"{number:032x}": (0, None) for number in range(4)}
    with open(root / LEDGER, "wb") as file:
        for number in range(count):
            writer = f"{number % 4:032x}"
            seq, before = ends[writer]
            line = link(record | {"id": f"{number:08d}"}, writer, seq + 1, before)
            ends[writer] = (seq + 1, line_hash(line))
            file.write(line + b"\n")
    (root / ".orchestration" / ".state" / "chain.head").unlink()
    return root


def peak_kb(session: Session) -> int:
    """The most memory that the server ever had, in KiB."""
    assert session.wire.process is not None
    status = Path(f"/proc/{session.wire.process.pid}/status")
    if not status.exists():
        pytest.skip("this system does not say how much memory a process has")
    return int(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
