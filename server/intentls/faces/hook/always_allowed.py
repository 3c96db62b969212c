"""What an agent may always do through its shell: see the state of its workspace, and select an intent."""

from __future__ import annotations

from intentls.late_pattern import late_pattern

# No quoting, no expansion, no second command: such a line means the same in every shell.
_PLAIN = late_pattern(r"[A-Za-z0-9 _.,:@/=+-]+")
_VERBS = frozenset({"list", "select", "status"})

OWN_TOOLS = frozenset(
    {
        *("list_intents", "select_active_intent", "clear_active_intent", "read_file", "write_to_file", "edit_file"),
        *("apply_patch", "delete_file", "rename_file", "check_edit", "record_lesson", "query_trace", "blame"),
        *("request_scope_expansion", "search", "get_active_intent", "set_status", "verify_trace"),
    }
)
"""The tools of `intentls mcp`, which guards them itself: all that the table of operations offers there."""


def is_bookkeeping(command: str) -> bool:
    """Whether a command line is nothing but `intentls list`, `select` or `status` with plain arguments.

    An agent whose only tool is the shell could not select an intent otherwise.
    """
    words = command.split()
    return (
        _PLAIN.fullmatch(command.strip()) is not None
        and len(words) >= 2
        and words[0] == "intentls"
        and words[1] in _VERBS
    )
