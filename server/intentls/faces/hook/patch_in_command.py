"""Patches in a shell command: Codex applies `apply_patch <<'EOF' ... EOF` itself, and sends no event after it.

    apply_patch <<'EOF'                  docs/a.md in the folder of the command
    *** Begin Patch
    *** Add File: docs/a.md
    +x
    *** End Patch
    EOF
    cd docs && apply_patch <<'EOF' ...   the same file, named from docs/

So the files that such a patch names are judged before the command runs, as those of an editing tool are.
"""

from __future__ import annotations

import os
import re

from intentls.core.errors import InvalidPatch
from intentls.core.patch.codex_patch import BEGIN, END, paths_in_patch
from intentls.late_pattern import late_pattern

_CALL = late_pattern(r"(?:^|[;&|({\n])\s*(?:apply_?patch|applypatch)\b")
_PATCH = late_pattern(rf"{re.escape(BEGIN)}.*?{re.escape(END)}", re.DOTALL)
_FOLDER = late_pattern(r"(?:^|[;&|\n])\s*cd\s+(?:'([^']*)'|\"([^\"$`]*)\"|([^\s;&|$`'\"]+))\s*(?=&&|;|\n)")


def patched_in(command: str) -> tuple[str, ...]:
    """The paths that patches in a command name, seen from where the command begins; () for what holds none.

    A patch that can't be read is none: its program refuses it, and what the command does all the same is compared.
    """
    call = _CALL.search(command)
    if call is None:
        return ()
    folder = ""
    for change in _FOLDER.finditer(command, 0, call.end()):
        folder = os.path.join(folder, next(name for name in change.groups() if name is not None))
    paths: list[str] = []
    for patch in _PATCH.findall(command, call.start()):
        try:
            paths += [os.path.join(folder, path) for path in paths_in_patch(patch)]
        except InvalidPatch:
            continue
    return tuple(dict.fromkeys(paths))
