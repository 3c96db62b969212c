"""What the .gitattributes of one state of a repository say of files, wherever that state lies."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.branch.change_path import NO_ATTRIBUTES, FileAttributes
from intentls.core.branch.derived_changes import concerns_ledger_only
from intentls.late_module import LateModule
from intentls.store.git.command import ask_git
from intentls.store.git.tree_snapshot import LINK, TreeSnapshot

if TYPE_CHECKING:
    import tempfile
else:
    tempfile = LateModule("tempfile")  # few repositories have attributes of their own

_NAME = ".gitattributes"


def attributes_of(snapshot: TreeSnapshot, paths: Iterable[str]) -> Mapping[str, FileAttributes]:
    """By path, what holds for it; none where git can't tell.

    Git reads attributes from a work tree, so those files alone are laid out in a repository of their own.
    """
    paths = list(paths)
    names = [
        path
        for path, entry in snapshot.entries.items()
        if (path == _NAME or path.endswith(f"/{_NAME}")) and entry.mode != LINK
    ]
    contents = dict(snapshot.read_all(names)) if paths else {}
    # What `init` writes concerns none of the paths, and to ask git takes two processes.
    if all(concerns_ledger_only("", content.decode("utf-8", "replace")) for content in contents.values()):
        return {}
    with tempfile.TemporaryDirectory(prefix="intentls-attributes-") as directory:
        for path, content in contents.items():
            file = Path(directory, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        asked = b"".join(os.fsencode(path) + b"\0" for path in paths)
        ask_git(Path(directory), "init", "--quiet")
        answer = ask_git(Path(directory), "check-attr", "--stdin", "-z", "filter", "text", "eol", stdin=asked)
    values: dict[str, dict[bytes, bytes]] = {}
    fields = (answer or b"").split(b"\0")
    for raw_path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=False):
        values.setdefault(os.fsdecode(raw_path), {})[name] = value
    return {path: _attributes(of_path) for path, of_path in values.items()}


def _attributes(values: Mapping[bytes, bytes]) -> FileAttributes:
    text, eol, name = (values.get(key, b"unspecified") for key in (b"text", b"eol", b"filter"))
    if text == b"unset":
        return FileAttributes(is_lfs=name == b"lfs", keeps_line_ends=True)
    converts = text in (b"set", b"auto") or eol in (b"lf", b"crlf")
    return (
        FileAttributes(is_lfs=name == b"lfs", converts_line_ends=converts)
        if converts or name == b"lfs"
        else (NO_ATTRIBUTES)
    )
