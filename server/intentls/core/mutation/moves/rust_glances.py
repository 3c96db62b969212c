"""Whether an item of Rust may have gone to another file, as a glance at the lines tells."""

from __future__ import annotations

import re
from collections.abc import Sequence

from intentls.core.mutation.file_versions import FileVersions

_DECLARED = re.compile(
    rb"^(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:(?:unsafe|async|default|extern[ \t]+\"C\")[ \t]+)*"
    rb"(?:fn|struct|enum|union|trait|type|static|const(?:[ \t]+fn)?)[ \t]+(\w+)",
    re.MULTILINE,
)


def may_move_in_crates(edits: Sequence[FileVersions]) -> bool:
    """Whether one file of Rust lost an item that another one got."""
    gone: set[bytes] = set()
    came: set[bytes] = set()
    for edit in edits:
        if edit.path.endswith(".rs"):
            had, has = (set(_DECLARED.findall(text or b"")) for text in (edit.before, edit.after))
            gone |= had - has
            came |= has - had
    return not gone.isdisjoint(came)
