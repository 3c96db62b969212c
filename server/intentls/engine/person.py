"""Whoever sits at this machine: what they are asked, and by what name the ledger knows them."""

from __future__ import annotations

import getpass

from intentls.engine.effects import Ask


def sentence(question: Ask) -> str:
    """The question in one sentence."""
    return f"{question.intent_id or 'An agent without an intent'}: {question.tool_name}? {question.refusal.error}"


def name() -> str:
    """The user's name on this machine."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # no name for this user id, as in a container
        return "user"
