"""One file of a change set: what it held, and what it holds."""

from __future__ import annotations

from msgspec import Struct

from intentls.core.mutation.classes import Change


class FileVersions(Struct, frozen=True):
    """One file of a change set. `before`/`after` None: there is no file then."""

    path: str
    change: Change
    before: bytes | None
    after: bytes | None
    old_path: str | None = None
