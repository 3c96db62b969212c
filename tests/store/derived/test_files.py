"""Derived files on disk: written in one step, tolerant of what they find, never beyond their folder."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.derived.intent_map import MapSection
from intentls.core.errors import StoreError
from intentls.core.lint.problems import LinterProblem
from intentls.store.derived import DerivedFiles, LessonNote, LineSpan, SpatialEntry, SpatialOperation, spatial_map
from intentls.store.derived.spatial_map import SpatialMap
from intentls.store.fs import boot_id
from intentls.store.layout import Layout

TOO_LONG = LinterProblem("line too long (101 > 100)", "E501", "ruff", 12)
LESSON = """\
## Lesson Learned (2026-02-21)

**File:** src/api/weather.py
**Problems:**
E501 line too long (101 > 100) [ruff] line 12

"""
ENTRIES = st.lists(
    st.builds(
        SpatialEntry,
        file_path=st.sampled_from(["a.py", 'odd "name"\n,"timestamp":.py', "é.py"]),
        intent_id=st.sampled_from(["INT-001", "INT-002"]),
        operation_type=st.sampled_from(SpatialOperation),
        timestamp=st.integers(10, 99).map(lambda n: f"2026-02-18T18:{n}:00.000Z"),
        line_range=st.none() | st.builds(LineSpan, st.integers(1, 3), st.integers(3, 5)),
        content_hash=st.none() | st.just("sha256:" + "0" * 64),
    )
)


@pytest.fixture
def layout(workspace: Path) -> Layout:
    """Where the files of a workspace lie."""
    return Layout(workspace)


@pytest.fixture
def derived(layout: Layout) -> DerivedFiles:
    """The derived files of a workspace that has none yet."""
    return DerivedFiles(layout)


def entry(path: str = "src/api/weather.py", minute: int = 30, lines: LineSpan | None = None) -> SpatialEntry:
    """INT-001 modified a file."""
    return SpatialEntry(path, "INT-001", SpatialOperation.MODIFY, f"2026-02-18T18:{minute}:00.000Z", lines)


# --- intent_map.md ----------------------------------------------------------------------------------------


def test_the_map_follows_what_happens_to_files(layout: Layout, derived: DerivedFiles) -> None:
    """Added, renamed, removed; and it says whether it changed."""
    assert derived.read_map() == {}
    assert derived.record_map("INT-001", "Build Weather API", added=["src/b.py", "src/a.py"])
    assert derived.read_map() == {"INT-001": ["src/a.py", "src/b.py"]}
    assert not derived.record_map("INT-001", "Build Weather API", added=["src/a.py"])
    assert derived.record_map("INT-002", "Guide", renamed=[("src/b.py", "src/c.py")], removed=["src/a.py"])
    assert derived.read_map() == {"INT-001": ["src/c.py"]}
    assert layout.intent_map.read_text() == (
        "# Intent Map\n\nMaps business intents to files. Updated when INTENT_EVOLUTION occurs.\n"
        "\n## INT-001: Build Weather API\n\n- `src/c.py`\n"
    )


def test_removing_from_no_map_makes_none(layout: Layout, derived: DerivedFiles) -> None:
    """There is nothing to say."""
    assert not derived.record_map("INT-001", "n", removed=["a"], renamed=[("b", "c")])
    assert not layout.intent_map.exists()


def test_the_map_can_be_rebuilt(derived: DerivedFiles) -> None:
    """From whatever the ledger says."""
    assert derived.rebuild_map({"INT-002": MapSection("Guide", ("docs/a.md",))})
    assert derived.read_map() == {"INT-002": ["docs/a.md"]}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_the_map_keeps_its_encoding(layout: Layout, derived: DerivedFiles, encoding: str) -> None:
    """And the words of whoever wrote in it, and its line ends."""
    layout.intent_map.write_bytes("# Überblick\r\n".encode(encoding))
    derived.record_map("INT-001", "Wetter für alle", added=["src/ä.py"])
    text = layout.intent_map.read_bytes().decode(encoding)
    assert text == "# Überblick\r\n\r\n## INT-001: Wetter für alle\r\n\r\n- `src/ä.py`\r\n"


def test_a_map_that_cannot_hold_a_name_becomes_utf8(layout: Layout, derived: DerivedFiles) -> None:
    """Latin-1 has no Greek; what it did hold is kept."""
    layout.intent_map.write_bytes("# Überblick\n".encode("latin-1"))
    derived.record_map("INT-001", "Ωmega", added=["a"])
    assert layout.intent_map.read_text("utf-8").startswith("# Überblick\n\n## INT-001: Ωmega\n")


@pytest.mark.skipif(os.name != "posix", reason="permission bits")
def test_permissions_of_a_derived_file_are_kept(layout: Layout, derived: DerivedFiles) -> None:
    """Somebody may have made it readable for a group."""
    layout.intent_map.write_text("# Map\n")
    layout.intent_map.chmod(0o640)
    derived.record_map("INT-001", "n", added=["a"])
    assert stat.S_IMODE(layout.intent_map.stat().st_mode) == 0o640


# --- spatial_map.json -------------------------------------------------------------------------------------


def test_the_spatial_map_is_json_with_an_entry_a_line(layout: Layout, derived: DerivedFiles) -> None:
    """In the contract's keys; what isn't known is left out."""
    known = SpatialEntry(
        "src/b.py",
        "INT-001",
        SpatialOperation.WRITE,
        "2026-02-18T18:30:00.000Z",
        LineSpan(1, 50),
        "sha256:" + "0" * 64,
    )
    assert derived.record_spatial([known, entry("src/a.py")])
    text = layout.spatial_map.read_text()
    assert text.startswith('[\n{"file_path":"src/a.py"')
    assert len(text.splitlines()) == 4
    assert json.loads(text) == [
        {
            "file_path": "src/a.py",
            "intent_id": "INT-001",
            "operation_type": "modify",
            "timestamp": "2026-02-18T18:30:00.000Z",
        },
        {
            "file_path": "src/b.py",
            "intent_id": "INT-001",
            "operation_type": "write",
            "timestamp": "2026-02-18T18:30:00.000Z",
            "line_range": {"start": 1, "end": 50},
            "content_hash": "sha256:" + "0" * 64,
        },
    ]
    assert derived.read_spatial() == (entry("src/a.py"), known)


def test_of_entries_of_one_key_the_newest_stays(derived: DerivedFiles) -> None:
    """File, lines, intent and operation make the key."""
    derived.record_spatial([entry(minute=31), entry(lines=LineSpan(1, 2))])
    assert not derived.record_spatial([entry(minute=30)])
    assert derived.record_spatial([entry(minute=32)])
    assert derived.read_spatial() == (entry(minute=32), entry(lines=LineSpan(1, 2)))


def test_the_spatial_map_is_bounded(derived: DerivedFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest entries go."""
    monkeypatch.setattr(spatial_map, "MAX_ENTRIES", 3)
    derived.record_spatial([entry(f"{minute}.py", minute) for minute in (13, 11, 14, 12)])
    assert [found.file_path for found in derived.read_spatial()] == ["12.py", "13.py", "14.py"]


@pytest.mark.parametrize("broken", [b"", b"{", b"[1, {}]", b"\xff\xfe", b"{}", b"[" * 100_000, b'[{"file_path": 3}]'])
def test_a_broken_spatial_map_is_replaced(
    layout: Layout, derived: DerivedFiles, broken: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """It is derived: a warning, and what is known now."""
    layout.spatial_map.write_bytes(broken)
    assert derived.read_spatial() == ()
    assert "spatial_map.json" in caplog.text
    assert derived.record_spatial([entry()])
    assert derived.read_spatial() == (entry(),)


def test_what_can_be_read_of_a_broken_spatial_map_is_kept(layout: Layout, derived: DerivedFiles) -> None:
    """One bad entry costs only itself; keys nobody knows are passed over."""
    good = json.loads(SpatialMap([entry()]).encode())
    layout.spatial_map.write_text(json.dumps([{"file_path": 3}, good[0] | {"note": "mine"}, {}]))
    assert derived.read_spatial() == (entry(),)


def test_a_rebuilt_spatial_map_has_only_what_is_given(layout: Layout, derived: DerivedFiles) -> None:
    """Nothing of what was there before."""
    derived.record_spatial([entry("old.py")])
    assert derived.rebuild_spatial([entry("new.py")])
    assert not derived.rebuild_spatial([entry("new.py")])
    assert derived.read_spatial() == (entry("new.py"),)
    derived.rebuild_spatial([])
    assert layout.spatial_map.read_text() == "[]\n"


@given(ENTRIES, ENTRIES)
def test_one_newest_entry_a_key_is_kept_in_a_fixed_order(known: list[SpatialEntry], new: list[SpatialEntry]) -> None:
    """So the same facts make the same bytes, in whatever order they came, in one go or two."""
    newest: dict[object, str] = {}
    for found in [*known, *new]:
        newest[found.key] = max(newest.get(found.key, ""), found.timestamp)
    written = SpatialMap([*known, *new]).encode()
    entries = spatial_map.decode(written)
    assert [(found.key, found.timestamp) for found in entries] == sorted(newest.items())
    assert json.loads(written) == msgspec.json.decode(written)
    assert SpatialMap(reversed(entries)).encode() == written
    again = SpatialMap(spatial_map.decode(SpatialMap(known).encode()))
    again.record(new)
    assert again.encode() == written


def test_what_another_process_wrote_is_not_lost(layout: Layout, derived: DerivedFiles) -> None:
    """Each change begins with what stands in the files now, not with what this process wrote last."""
    other = DerivedFiles(layout)
    for number in range(3):
        assert derived.record_spatial([entry(f"a{number}.py")])
        assert other.record_spatial([entry(f"b{number}.py")])
        assert derived.record_map("INT-001", "n", added=[f"a{number}.py"])
        assert other.record_map("INT-001", "n", added=[f"b{number}.py"])
    names = [f"{letter}{number}.py" for letter in "ab" for number in range(3)]
    assert [found.file_path for found in derived.read_spatial()] == names
    assert derived.read_map() == {"INT-001": names}


def test_a_map_that_somebody_deleted_is_made_again(layout: Layout, derived: DerivedFiles) -> None:
    """Derived files may go at any time; the next change begins anew."""
    for _ in range(2):
        assert derived.record_map("INT-001", "n", added=["a.py"])
        assert derived.record_spatial([entry()])
        layout.intent_map.unlink()
        layout.spatial_map.unlink()
    assert derived.record_map("INT-001", "n", removed=["a.py"]) is False
    assert derived.record_spatial([entry("b.py")])
    assert derived.read_spatial() == (entry("b.py"),)


def test_a_map_is_known_to_be_settled_only_while_it_is(layout: Layout, derived: DerivedFiles) -> None:
    """A file removed and added again, a name changed and changed back: each is a change."""
    assert derived.record_map("I", "n", added=["a", "b"])
    assert derived.record_map("I", "n", removed=["a"])
    assert derived.record_map("I", "n", added=["a"])
    assert not derived.record_map("I", "n", added=["a"])
    assert derived.record_map("I", "m", added=["a"])
    assert derived.record_map("J", "n", added=["a"])
    assert derived.record_map("I", "n", added=["a"])
    assert "## I: n\n" in layout.intent_map.read_text()
    assert not derived.record_map("J", "n", added=["a"])
    assert derived.record_map("I", "n", added=["c"], renamed=[("a", "d")])
    assert derived.read_map() == {"I": ["b", "c", "d"], "J": ["d"]}


# --- AGENT.md ---------------------------------------------------------------------------------------------


def test_a_lesson_is_appended_once(layout: Layout, derived: DerivedFiles) -> None:
    """What stands there already is not repeated, and what was new is returned."""
    assert derived.lessons() == ()
    assert derived.append_lesson("2026-02-21", "src/api/weather.py", [TOO_LONG, TOO_LONG]) == (TOO_LONG,)
    assert layout.lessons.read_text() == LESSON
    assert derived.append_lesson("2026-02-22", "src/api/weather.py", [TOO_LONG]) == ()
    assert layout.lessons.read_text() == LESSON
    other = LinterProblem("tests fail")
    assert derived.append_lesson("2026-02-22", "src/api/weather.py", [TOO_LONG, other]) == (other,)
    assert [(lesson.date, lesson.text) for lesson in derived.lessons()][1] == ("2026-02-22", "tests fail")
    assert layout.lessons.read_text().startswith(LESSON + "## Lesson Learned (2026-02-22)\n")


@pytest.mark.parametrize(
    ("before", "gap"),
    [("# Rules", "\n\n"), ("# Rules\n", "\n"), ("# Rules\n\n", ""), ("", ""), ("# R\r\n\r\n", "")],
)
def test_a_lesson_stands_apart_from_what_was_written_before(
    layout: Layout, derived: DerivedFiles, before: str, gap: str
) -> None:
    """Nothing that stands in the file is touched, and the new block's line ends are the file's."""
    layout.lessons.write_bytes(before.encode())
    derived.append_lesson("2026-02-21", "src/api/weather.py", [TOO_LONG])
    expected = gap + LESSON
    assert layout.lessons.read_bytes().decode() == before + (
        expected.replace("\n", "\r\n") if "\r" in before else expected
    )


@pytest.mark.parametrize("before", ["# Règles\n".encode("utf-16"), b"\xe9t\xe9\n\n", "\ufeff".encode()])
def test_lessons_are_learned_in_any_encoding(layout: Layout, derived: DerivedFiles, before: bytes) -> None:
    """The file's first bytes stay, and what was appended is found again."""
    layout.lessons.write_bytes(before)
    problem = LinterProblem("naïve é")
    derived.append_lesson("2026-02-21", "é.py", [problem])
    assert layout.lessons.read_bytes().startswith(before)
    assert derived.append_lesson("2026-02-21", "é.py", [problem]) == ()


# --- the disk ---------------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_is_not_followed(layout: Layout, derived: DerivedFiles, tmp_path: Path) -> None:
    """A repository can't make us write to a file elsewhere."""
    outside = tmp_path / "profile"
    outside.write_text("mine\n")
    for path in (layout.intent_map, layout.spatial_map, layout.lessons):
        path.symlink_to(outside)
    with pytest.raises(StoreError):
        derived.record_map("INT-001", "n", added=["a"])
    with pytest.raises(StoreError):
        derived.record_spatial([entry()])
    with pytest.raises(StoreError):
        derived.append_lesson("2026-02-21", "a", [TOO_LONG])
    assert outside.read_text() == "mine\n"


def test_a_folder_in_the_place_of_a_file_is_an_error_of_the_store(layout: Layout, derived: DerivedFiles) -> None:
    """It says which."""
    layout.intent_map.mkdir()
    layout.lessons.mkdir()
    with pytest.raises(StoreError, match=r"intent_map\.md.*folder"):
        derived.record_map("INT-001", "n", added=["a"])
    with pytest.raises(StoreError, match=r"AGENT\.md"):
        derived.append_lesson("2026-02-21", "a", [TOO_LONG])


def test_a_full_disk_is_an_error_of_the_store(
    layout: Layout, derived: DerivedFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And what was there before is still there."""
    derived.record_map("INT-001", "n", added=["a"])
    before = layout.intent_map.read_bytes()

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError, match=r"intent_map\.md can't be written"):
        derived.record_map("INT-001", "n", added=["b"])
    with pytest.raises(StoreError, match=r"AGENT\.md can't be appended to"):
        derived.append_lesson("2026-02-21", "a", [TOO_LONG])
    monkeypatch.undo()
    assert layout.intent_map.read_bytes() == before
    assert [path.name for path in layout.orchestration.iterdir() if path.name.endswith(".tmp")] == []


def test_where_the_system_names_no_run_the_map_is_replaced(
    derived: DerivedFiles, layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing would show that the machine was started again."""
    monkeypatch.setattr(boot_id, "_FILE", Path("/nowhere"))
    derived.record_spatial([entry(minute=30)])
    inode = layout.spatial_map.stat().st_ino
    derived.record_spatial([entry(minute=31)])
    assert layout.spatial_map.stat().st_ino != inode


@pytest.mark.parametrize("content", [None, b"{", b"[]", b"{}", b'{"generation": "a", "brought": 1}', b"\xff"])
def test_a_note_that_cannot_be_read_says_nothing(layout: Layout, derived: DerivedFiles, content: bytes | None) -> None:
    """Then all lessons on record are compared with AGENT.md once more."""
    layout.state.mkdir(exist_ok=True)
    if content is not None:
        layout.lesson_note.write_bytes(content)
    assert derived.lesson_note() == LessonNote()
    for note in (LessonNote("a", frozenset({"1", "2"})), LessonNote(None, frozenset({"3"}))):
        derived.note_lessons(note)
        assert derived.lesson_note() == note
