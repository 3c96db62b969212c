"""Records of any shape are read without harm."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.ledger.record_json import (
    files_of,
    is_evidence_of_content,
    mentioned_lines,
    mentions_line,
    objects,
    text_of,
)


@pytest.mark.parametrize("value", [None, 1, "ab", {"a": 1}, True])
def test_what_is_no_list_holds_no_objects(value: Any) -> None:
    """Neither an object nor a text is gone through piece by piece."""
    assert objects(value) == [] and files_of({"files": value}) == []


def test_what_is_no_object_is_passed_over() -> None:
    """The others keep their order."""
    assert files_of({"files": [{"path": "a"}, None, [{}], {}]}) == [{"path": "a"}, {}]
    assert files_of({}) == []


def test_a_text_is_a_text() -> None:
    """A number or a list in its place is none."""
    assert text_of({"path": "a"}, "path") == "a"
    assert text_of({"path": ["a"]}, "path") is None and text_of({}, "path") is None


def test_who_wrote_what_is_told_by_records_of_ours_alone() -> None:
    """Another program's record, and a person's word afterwards, tell nothing of the contents."""
    assert is_evidence_of_content({"tool_name": "edit"})
    assert not is_evidence_of_content({"tool_name": "edit", "imported": True})
    assert not is_evidence_of_content({"tool_name": "attest"})


def test_an_entry_names_the_lines_that_it_wrote_removed_and_formatted() -> None:
    """Wherever their hashes are packed, one text or several; what is no text names nothing."""
    assert mentioned_lines({"line_hashes": "3iq63oMs", "removed_line_hashes": "47DEQpj83iq63oMs"}, 8) == {
        "3iq63oMs",
        "47DEQpj8",
    }
    several: Any = {"line_hashes": ["3iq63oMs", None, "abcdefgh"], "origins": [{"old_line_hashes": "47DEQpj8"}, 7]}
    assert mentioned_lines(several, 8) == {"3iq63oMs", "abcdefgh", "47DEQpj8"}
    nothing: Any = {"line_hashes": 7, "removed_line_hashes": None}
    assert mentioned_lines(nothing, 8) == set()


def test_a_line_is_mentioned_where_its_whole_hash_stands_and_not_between_two() -> None:
    entry: Any = {"line_hashes": ["aaaabbbb", None], "removed_line_hashes": "ccccddddbbbbaaaa", "origins": [7]}
    for hash_ in ("aaaabbbb", "ccccdddd", "bbbbaaaa", "ddddbbbb", "aaaacccc"):
        assert mentions_line(entry, hash_) == (hash_ in mentioned_lines(entry, 8))
    assert not mentions_line(entry, "ddddbbbb")
