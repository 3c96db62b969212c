"""Whoever sits at this machine: what they are asked, and by what name the ledger knows them."""

from __future__ import annotations

import getpass

from intentls.engine.actions.effects import Ask

# What a refusal tells the agent to do next; a person who is asked has other choices.
_ADVICE_TO_AGENTS = (
    "Request scope expansion.",
    "Re-read the file with read_file and try again.",
    "Read it with read_file, or pass expected_content_hash.",
    "Select an open intent.",
)


def question_text(question: Ask) -> str:
    """What a person is asked: who wants to do what, and why it was refused."""
    reason = question.refusal.error
    for advice in _ADVICE_TO_AGENTS:
        reason = reason.removesuffix(advice).rstrip()
    return f"{question.intent_id or 'An agent without an intent'}: {question.tool_name}? {reason}"


def user_name() -> str:
    """The user's name on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user id, as in a container
        return "user"
