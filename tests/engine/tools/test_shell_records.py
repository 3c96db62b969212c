"""A command's changes as edits of the record."""

from __future__ import annotations

from intentls.core.hashing import hash_of
from intentls.core.mutation.classes import Change
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.file_entries import file_changes, ranges_of
from intentls.engine.tools.shell_records import edits_of
from intentls.store.worktree.state import ABSENT, Presence, TreeChange, TreeContent


def content(data: bytes) -> TreeContent:
    return TreeContent(Presence.PRESENT, data)


def test_a_shared_file_goes_on_from_the_newest_record_and_the_others_are_told_too() -> None:
    """What the command's part of it is can't be told: its content before is not."""
    newest = hash_of(b"recorded")
    shared = TreeChange("a", content(b"old"), content(b"new"))
    own = TreeChange("b", content(b"x"), content(b"y"))
    assert edits_of([shared, own], {"a": newest}) == (
        PlannedEdit("a", Change.MODIFY, None, b"new", claimed_pre_hash=newest, is_shared=True),
        PlannedEdit("b", Change.MODIFY, b"x", b"y"),
    )


def test_a_shared_file_may_be_gone_or_new() -> None:
    gone = TreeChange("a", content(b"old"), ABSENT)
    new = TreeChange("b", ABSENT, content(b"new"))
    newest = hash_of(b"recorded")
    assert [edit.change for edit in edits_of([gone, new], {"a": newest, "b": None})] == [Change.DELETE, Change.ADD]
    assert [edit.change for edit in edits_of([new], {"b": newest})] == [Change.MODIFY]


def test_a_file_that_vanished_where_its_content_appeared_was_renamed_once() -> None:
    """A second file with the same content is a new one."""
    gone = TreeChange("a", content(b"same"), ABSENT)
    first, second = (TreeChange(name, ABSENT, content(b"same")) for name in ("b", "c"))
    assert edits_of([gone, first, second]) == (
        PlannedEdit("b", Change.RENAME, b"same", b"same", old_path="a"),
        PlannedEdit("c", Change.ADD, None, b"same"),
    )


def test_of_a_file_that_held_nobody_knows_what_no_line_is_the_commands() -> None:
    """Others wrote lines of what it left, and which ones is not seen."""
    unknown = TreeChange("a", TreeContent(Presence.PRESENT), content(b"old\nnew\n"))
    (edit,) = edits_of([unknown], {"a": None})
    (entry,) = file_changes([(edit, ())])
    assert ranges_of(edit) == () and edit.change is Change.MODIFY
    assert entry.hunks == () and entry.pre_hash is None
