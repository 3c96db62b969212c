"""The text index: it finds what is on record, however it came to be, and losing it costs time alone."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from intentls.store.layout import Layout
from intentls.store.ledger_search import full_text
from intentls.store.ledger_search.full_text import FullTextIndex, TextRows
from intentls.store.ledger_search.text_rows import Hit, IntentText, TextSources

INTENTS = {
    "INT-1": IntentText("Weather forecast", "Rain of tomorrow", is_open=True),
    "INT-2": IntentText("Login with tokens", "", is_open=False),
}


def record(number: int, path: str, intent_id: str = "INT-1", **more: Any) -> dict[str, Any]:
    """A change of a file at second `number`."""
    return {
        **{
            "id": f"id-{number}",
            "timestamp": f"2026-02-18T18:{number // 60:02}:{number % 60:02}.000Z",
            "success": True,
        },
        **{"intent_id": intent_id, "session_id": "s", "files": [{"path": path}]},
        **more,
    }


class Desk:
    """A root whose ledger is a list of records, oldest first."""

    def __init__(self, root: Path) -> None:
        (root / ".orchestration").mkdir(parents=True)
        self.layout = Layout(root)
        self.index = FullTextIndex(self.layout)
        self.records: list[dict[str, Any]] = []
        self.inode, self.read = 1, 0

    def sources(self, **more: Any) -> TextSources:
        stamp = (len(self.records), 0, len(self.records), self.inode, 0)
        return TextSources(stamp, self._newest_first, **{"intents": INTENTS, **more})

    def _newest_first(self) -> Iterator[dict[str, Any]]:
        for one in reversed(self.records):
            self.read += 1
            yield one

    def find(self, words: str, **more: Any) -> list[Hit]:
        return self.index.ask(self.sources(**more), lambda rows: rows.search(words, 50))

    def everything(self) -> list[Any]:
        """What all questions of a test answer."""

        def ask(rows: TextRows) -> list[Any]:
            return [
                *(rows.search(words, 50) for words in ("weather", "login tokens", "a py", "refused", "f")),
                rows.similar("forecast of rain in a file", 50, "INT-2"),
                rows.touching(lambda path: path < "c", 50, "INT-1"),
            ]

        return self.index.ask(self.sources(), ask)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "root")


def test_work_decisions_lessons_and_closed_intents_are_found(desk: Desk) -> None:
    """Each with its kind; an open intent is found by its work alone."""
    desk.records = [
        record(1, "src/rain.py"),
        record(2, "docs/x.md", success=False, code="SCOPE_VIOLATION", error="INT-1 may not edit docs/x.md"),
        record(3, "docs/x.md", override={"by": "Ada", "action": "Approve", "code": "SCOPE_VIOLATION"}),
        {"id": "bound", "timestamp": "T", "success": True, "files": []},
    ]
    lessons = (("2026-02-21", "src/rain.py", "E501 line too long\nW1 umbrella"),)
    found = {
        words: [(hit.kind, hit.id, hit.title) for hit in desk.find(words, lessons=lessons)]
        for words in ("umbrella", "tokens", "forecast rain.py", "approve")
    }
    assert found["umbrella"] == [("lesson", "", "E501 line too long W1 umbrella")]
    assert found["tokens"] == [("intent", "INT-2", "Login with tokens")]
    assert found["forecast rain.py"] == [("record", "id-1", "")]
    assert found["approve"] == [("decision", "id-3", "Approve: SCOPE_VIOLATION (by Ada)")]
    assert [hit.title for hit in desk.find("refused")] == ["refused: SCOPE_VIOLATION"]


def test_the_records_of_one_piece_of_work_are_one_row(desk: Desk) -> None:
    """Of one session, intent and commit: the newest record's id and time, the newest files first."""
    on = {"vcs": {"revision_id": "c1"}}
    desk.records = [record(1, "a.py", **on), record(2, "b.py", **on), record(3, "a.py", **on), record(4, "a.py")]
    rows = {hit.id: (hit.count, hit.paths, hit.revision) for hit in desk.find("py")}
    assert rows == {"id-3": (3, ["a.py", "b.py"], "c1"), "id-4": (1, ["a.py"], None)}


@pytest.mark.parametrize(
    "words",
    [
        '"',
        'a" OR "b',
        "NEAR(a b)",
        "subject:x",
        "a*",
        "-a",
        "^a",
        "{a b}: c",
        "'; DROP TABLE doc; --",
        "AND",
        "\0",
        "\ud800 a",
    ],
)
def test_no_character_of_a_question_is_syntax(desk: Desk, words: str) -> None:
    """It finds words or nothing, and never fails."""
    desk.records = [record(1, "a.py")]
    desk.find(words)
    assert [hit.id for hit in desk.find("a.py")] == ["id-1"]


def test_an_appended_ledger_is_not_read_again(desk: Desk) -> None:
    """Only what is new; an unchanged one not at all."""
    desk.records = [record(number, f"{number}.py") for number in range(100)]
    desk.find("py")
    desk.read = 0
    desk.find("py")
    assert desk.read == 0
    desk.records.append(record(100, "new.py"))
    assert [hit.paths[0] for hit in desk.find("new")] == ["new.py"]
    assert desk.read == 2


def test_another_file_is_read_anew(desk: Desk) -> None:
    """After a merge or a checkout other records stand in it, also between those that were known."""
    desk.records = [record(1, "a.py"), record(3, "c.py")]
    desk.find("py")
    desk.inode, desk.records = 2, [record(2, "b.py", "INT-2"), record(3, "c.py")]
    assert [hit.id for hit in desk.find("b.py")] == ["id-2"]
    assert not [hit for hit in desk.find("a.py") if "a.py" in hit.paths]


@pytest.mark.parametrize("seed", range(5))
def test_an_index_that_grew_answers_as_one_that_is_made_at_once(desk: Desk, tmp_path: Path, seed: int) -> None:
    """In steps of any size, with another order of questions."""
    choose = random.Random(seed)
    whole = Desk(tmp_path / "other")
    for number in range(60):
        kind = choose.choice(["a.py", "b.py", "src/c.py"])
        refused = choose.random() < 0.2
        more = {"success": False, "code": "STALE_CONTEXT"} if refused else {"vcs": {"revision_id": f"c{number // 7}"}}
        desk.records.append(record(number, kind, choose.choice(["INT-1", "INT-2", "UNTRACKED"]), **more))
        if choose.random() < 0.3:
            desk.everything()
    whole.records = list(desk.records)
    assert desk.everything() == whole.everything()


@pytest.mark.parametrize("seed", range(8))
def test_after_merges_and_checkouts_it_answers_as_one_that_is_made_at_once(
    desk: Desk, tmp_path: Path, seed: int
) -> None:
    """Records come between the known ones, go, change their order, and stand there twice."""
    choose = random.Random(seed)
    everyone = [
        record(number, choose.choice(["a.py", "b.py"]), "INT-1", vcs={"revision_id": f"c{number // 5}"})
        for number in range(40)
    ]
    for turn in range(6):
        desk.records = [one for one in everyone if choose.random() < 0.7]
        if turn == 3:
            choose.shuffle(desk.records)
        if turn == 4:
            desk.records += desk.records[:3]
        desk.inode = turn + 1
        desk.everything()
    whole = Desk(tmp_path / "other")
    for number in (1, 2):
        desk.records = [one for one in everyone if choose.random() < 0.7]
        desk.inode += 1
        whole.records, whole.inode = list(desk.records), number
        assert desk.everything() == whole.everything()


def test_a_merge_makes_only_the_rows_of_what_it_brings(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of a hundred commits stay as they are when one more comes between them."""
    desk.records = [record(number, "a.py", vcs={"revision_id": f"c{number}"}) for number in range(100)]
    desk.find("py")
    made: list[str] = []
    write = full_text._write
    monkeypatch.setattr(full_text, "_write", lambda db, hit, *rest: (made.append(hit.id), write(db, hit, *rest)))
    desk.records.insert(50, record(500, "b.py", vcs={"revision_id": "other"}))
    desk.inode = 2
    assert [hit.id for hit in desk.find("b.py")] == ["id-500"]
    assert made == ["id-500"]


def test_a_new_name_of_an_intent_is_found_with_its_old_work(desk: Desk) -> None:
    """And the old name is not."""
    desk.records = [record(1, "a.py")]
    assert desk.find("forecast")
    renamed = {"INT-1": IntentText("Climate", "", is_open=True)}
    assert [hit.id for hit in desk.find("climate", intents=renamed)] == ["id-1"]
    assert not desk.find("forecast", intents=renamed)


def _is_deleted(file: Path) -> None:
    file.unlink()


def _is_garbage(file: Path) -> None:
    file.write_bytes(b"no database" * 100)


def _is_damaged_inside(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[4096:-4096] = b"\xff" * (len(content) - 8192)
    file.write_bytes(content)


def _has_rows_of_another_shape(file: Path) -> None:
    with sqlite3.connect(file) as db:
        db.execute("UPDATE doc SET data = '{\"other\": 1}'")


@pytest.mark.parametrize("harm", [_is_deleted, _is_garbage, _is_damaged_inside, _has_rows_of_another_shape])
def test_a_lost_or_damaged_index_costs_time_alone(desk: Desk, harm: Any) -> None:
    """The same answers as before, from a new one."""
    desk.records = [record(number, f"{number}.py") for number in range(50)]
    before = desk.everything()
    (file,) = desk.layout.texts.glob("*.sqlite3")
    harm(file)
    assert desk.everything() == before


def test_where_no_index_can_be_written_it_is_made_in_memory(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process has the file, or there is no place."""
    desk.records = [record(1, "a.py")]
    before = desk.everything()
    monkeypatch.setattr(full_text, "_BUSY_S", 0)
    (file,) = desk.layout.texts.glob("*.sqlite3")
    desk.records.append(record(2, "a.py", "INT-2"))
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        busy = desk.everything()
    assert busy == desk.everything() != before

    def refuse(*_: object) -> None:
        raise OSError("read-only")

    monkeypatch.setattr(full_text, "prepare_state", refuse)
    assert desk.everything() == busy


def test_without_fts5_the_newest_rows_with_the_words_are_found(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files' part of the recall stays; the words' part is empty."""
    monkeypatch.setattr(full_text, "_TEXT", "CREATE VIRTUAL TABLE text USING no_such_module(a)")
    desk.records = [record(1, "a.py"), record(2, "b.py", "INT-2"), record(3, "x.py", "INT-3")]
    assert [hit.paths for hit in desk.find("py")] == [["x.py"], ["b.py"], ["a.py"]]
    assert [hit.id for hit in desk.find("login b.py") if hit.kind == "record"] == ["id-2"]
    similar, near = desk.index.ask(desk.sources(), lambda rows: (rows.similar("b", 5), rows.touching("a.py".__eq__, 5)))
    assert (similar, [hit.id for hit in near]) == ([], ["id-1"])


def odd_records() -> Sequence[dict[str, Any]]:
    """What another tool, a merge or an attacker may have written."""
    return [
        {},
        {"success": True, "files": [{"path": "\ud800"}], "intent_id": "\ud800", "id": "\udfff", "vcs": [1]},
        {"success": False, "error": "\ud800" * 9, "override": "no"},
        {"success": True, "override": {"by": 7, "code": None}, "files": "x"},
        {
            "success": True,
            "id": 5,
            "timestamp": {},
            "files": [{"path": "odd.py", "conversations": [{"ranges": [{"symbol": {"name": "\ud800"}}]}]}],
        },
    ]


def test_odd_records_stop_nothing(desk: Desk) -> None:
    """They are found as far as they can be read."""
    desk.records = [*odd_records(), record(9, "a.py")]
    assert [hit.paths for hit in desk.find("odd")] == [["odd.py"]]
    intents = {"\ud800": IntentText("\udc00", "\ud800", is_open=False)}
    assert desk.find("a.py", intents=intents, lessons=(("2026-02-21", "\ud800", "\ud800 bad"),))
