"""Errors: what their messages say."""

from __future__ import annotations

from intentls.core.errors import LockTimeout, shorten


def test_a_lock_that_was_not_to_be_had_names_its_holder() -> None:
    """With the seconds that were waited, and what to do next."""
    error = LockTimeout("the ledger", 2.5, "process 41")
    assert error.holder == "process 41"
    assert str(error) == "the ledger is locked by process 41; gave up after 2.5 s. Try again."


def test_a_long_text_is_cut_to_the_limit() -> None:
    """The last character shows that something is missing."""
    assert shorten("abcdef", 6) == "abcdef"
    assert shorten("abcdefg", 6) == "abcde…"
