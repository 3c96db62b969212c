"""What an append costs where nothing happened beside it, and that it notices whatever did happen."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from intentls.store.fs.primitives import file_stamp
from intentls.store.layout import Layout
from intentls.store.ledger import local_file
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger

CALLS = ("stat", "lstat", "fstat", "open", "scandir", "listdir", "read", "pread", "write", "pwrite", "fsync")


@pytest.fixture
def warm(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> Ledger:
    """A process's ledger after some records, as it is when they are old enough to show the next change."""
    monkeypatch.setattr(local_file, "is_racy", lambda *_: False)
    for id_ in "abc":
        ledger.append({"id": id_}, durable=False)
    return ledger


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], object]], list[str]]]:
    """What is asked of the system while something runs: calls, and the names of the files where they have one."""
    asked: list[str] = []

    def counting(name: str) -> None:
        real = getattr(os, name)

        def call(file: Any, *args: Any, **options: Any) -> Any:
            asked.append(name if isinstance(file, int) else f"{name} {Path(os.fsdecode(file)).name}")
            return real(file, *args, **options)

        monkeypatch.setattr(os, name, call)

    def count(work: Callable[[], object]) -> list[str]:
        asked.clear()
        work()
        return list(asked)

    for name in CALLS:
        counting(name)
    yield count


def test_an_append_beside_which_nothing_happened_looks_four_times_and_writes_three_times(
    warm: Ledger, root: Path, calls: Callable[[Callable[[], object]], list[str]]
) -> None:
    """At the local file, the note, the folder of segments and the open segment; nothing is opened or read."""
    (segment,) = Layout(root).trace.iterdir()
    assert calls(lambda: warm.append({"id": "d"}, durable=False)) == [
        "stat agent_trace.jsonl",
        "stat segments.json",
        "stat trace",
        f"lstat {segment.name}",
        "write",
        "write",
        "pwrite",
    ]


def other_process(root: Path) -> None:
    Ledger(Layout(root), ChainHeads(Layout(root))).append({"id": "other"}, durable=False)


def another_segment(root: Path) -> None:
    (Layout(root).trace / "other-00000001-00000000.jsonl").write_bytes(b'{"id":"other"}\n')


def torn_segment(root: Path) -> None:
    (segment,) = Layout(root).trace.iterdir()
    with segment.open("ab") as file:
        file.write(b'{"id":"torn')


def torn_local_file(root: Path) -> None:
    with Layout(root).ledger.open("ab") as file:
        file.write(b'{"id":"torn')


def removed_segment(root: Path) -> None:
    (segment,) = Layout(root).trace.iterdir()
    segment.unlink()


def replaced_segment(root: Path) -> None:
    (segment,) = Layout(root).trace.iterdir()
    content = segment.read_bytes()
    copy = segment.with_suffix(".copy")
    copy.write_bytes(content)
    copy.replace(segment)


def removed_local_file(root: Path) -> None:
    Layout(root).ledger.unlink()


def replaced_local_file(root: Path) -> None:
    copy = Layout(root).ledger.with_suffix(".copy")
    copy.write_bytes(Layout(root).ledger.read_bytes())
    copy.replace(Layout(root).ledger)


def removed_state(root: Path) -> None:
    shutil.rmtree(Layout(root).state)


BESIDE = [
    other_process,
    another_segment,
    torn_segment,
    torn_local_file,
    removed_segment,
    replaced_segment,
    removed_local_file,
    replaced_local_file,
    removed_state,
]


@pytest.mark.parametrize("happen", BESIDE, ids=[happen.__name__ for happen in BESIDE])
def test_the_next_record_is_whole_whatever_happened_beside_the_process(
    warm: Ledger, root: Path, happen: Callable[[Path], None]
) -> None:
    """It stands once in the local file and once in a segment, and both have what the other process or git added."""
    layout = Layout(root)
    before = file_stamp(layout.trace)
    happen(root)
    while happen in (another_segment, removed_segment, replaced_segment) and file_stamp(layout.trace) == before:
        os.utime(layout.trace)  # the clock of the file system has ticks
    for id_ in "de":
        warm.append({"id": id_}, durable=False)
    seen = [record["id"] for record in Ledger(layout, ChainHeads(layout)).oldest_first()]
    kept = [] if happen is removed_segment else ["a", "b", "c"]
    added = ["other"] if happen in (other_process, another_segment) else []
    assert sorted(seen) == sorted([*kept, *added, "d", "e"])
    lines = [line for segment in layout.trace.iterdir() for line in segment.read_bytes().splitlines()]
    assert sum(b'"d"' in line for line in lines) == sum(b'"e"' in line for line in lines) == 1
    assert [line for line in layout.ledger.read_bytes().splitlines() if b'"e"' in line] == [
        line for line in lines if b'"e"' in line
    ]
