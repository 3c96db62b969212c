"""LSP's commands are rows of the one table."""

from __future__ import annotations

from intentls.engine.operations.table import OPERATIONS
from intentls.faces.lsp.commands import COMMANDS
from intentls.faces.lsp.protocol.static_capabilities import COMMAND_IDS


def test_the_early_answer_lists_the_commands_of_the_table() -> None:
    """The ids that a client is told before the table is loaded are those of all rows that LSP offers."""
    rows = [operation.command for operation in OPERATIONS.values() if operation.in_lsp]
    assert sorted(COMMAND_IDS) == sorted(rows)
    assert list(COMMANDS) == list(COMMAND_IDS)


def test_a_command_is_named_after_its_operation() -> None:
    """`list_intents` of the table and of MCP is `intent.listIntents` in LSP."""
    assert COMMANDS["intent.listIntents"] is OPERATIONS["list_intents"]
    assert COMMANDS["intent.selectActiveIntent"] is OPERATIONS["select_active_intent"]
    assert COMMANDS["intent.blame"] is OPERATIONS["blame"]
