"""Records of any shape are read without harm."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.ledger.record_json import files_of, is_evidence_of_content, objects, text_of


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
