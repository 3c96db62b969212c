"""Which records are of work, and which of what is declared."""

from __future__ import annotations

import pytest

from intentls.core.ledger.record_json import is_work


@pytest.mark.parametrize(
    ("tool", "success", "expected"),
    [
        ("write_to_file", True, True),
        ("did_save", True, True),
        ("write_to_file", False, False),
        ("new_intent", True, False),
        ("set_status", True, False),
    ],
)
def test_only_a_change_that_succeeded_and_is_no_declaration_is_work(tool: str, success: bool, expected: bool) -> None:
    """A refused write is none, and neither is the declaration of the intent itself."""
    assert is_work({"tool_name": tool, "success": success}) is expected
