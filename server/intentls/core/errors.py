"""What can go wrong, as a tree.

IntentlsError                 every error this program raises on purpose
├── InvalidInput              the caller can fix it: one sentence says what, where and what to do
│   ├── InvalidArgument       a command's argument (names it)
│   ├── InvalidGlob           a scope pattern
│   ├── InvalidPatch          a patch that does not parse
│   └── InvalidPath           a path that can't name a regular file
├── HunkMismatch              a hunk that no longer fits the content: the file is stale
├── ConfigurationError        the workspace's own files are wrong
└── StoreError                the disk can't be read or written
    ├── LockTimeout           another process holds it (the message names it)
    └── LedgerUnavailable     the record can't be written
"""

from __future__ import annotations


class IntentlsError(Exception):
    """Base of every error raised on purpose."""


class InvalidInput(IntentlsError, ValueError):
    """The caller gave something that can't be used."""


class InvalidArgument(InvalidInput):
    """A command's argument is missing, of the wrong type or makes no sense."""

    def __init__(self, argument: str, reason: str) -> None:
        super().__init__(f"{argument}: {reason}")
        self.argument = argument
        self.reason = reason


class InvalidGlob(InvalidInput):
    """A scope pattern is refused; the message says what to write instead."""

    def __init__(self, pattern: str, reason: str) -> None:
        super().__init__(f"bad glob {shorten(pattern)!r}: {reason}")
        self.pattern = pattern
        self.reason = reason


class InvalidPatch(InvalidInput):
    """A patch is not a unified diff that can be read."""


class InvalidPath(InvalidInput):
    """A path names no regular file (a directory, a device, a NUL byte, too long)."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{shorten(path)!r} {reason}")
        self.path = path
        self.reason = reason


class HunkMismatch(IntentlsError):
    """A hunk no longer fits the content it was made for."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class ConfigurationError(IntentlsError):
    """The workspace's own configuration can't be used."""


class StoreError(IntentlsError):
    """Reading or writing the disk failed, or another process is in the way."""


class LockTimeout(StoreError):
    """A lock was not to be had in time; `holder` says who has it."""

    def __init__(self, name: str, seconds: float, holder: str) -> None:
        super().__init__(f"{name} is locked by {holder}; gave up after {seconds:g} s. Try again.")
        self.holder = holder


class LedgerUnavailable(StoreError):
    """A record could not be appended to the ledger."""


def shorten(text: str, limit: int = 120) -> str:
    """`text`, cut to `limit` characters so that a message stays one readable line."""
    return text if len(text) <= limit else text[: limit - 1] + "…"
