"""An agent's own settings file: read with care, written in its own form, never through a link."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from intentls.core.errors import ConfigurationError
from intentls.store.fs.atomic_write import replace_bytes
from intentls.store.fs.bounded_read import read_bounded

_MAX_BYTES = 4 * 1024 * 1024
_INDENT = re.compile(r"\n([ \t]+)\S")
Json = dict[str, Any]


def refuse_links(root: Path, name: str) -> None:
    """Raise ConfigurationError if a part of `name` is a link: it may lead to files of another program or person."""
    path = root
    for part in Path(name).parts:
        path /= part
        if path.is_symlink():
            raise ConfigurationError(
                f"{path} is a symbolic link, and nothing is written through one. Replace it by a real"
                f" {'file' if path == root / name else 'folder'}, and try again."
            )


def read_text(path: Path) -> str | None:
    """What is there; None without a file. Raises OSError, and ConfigurationError for what is no text."""
    try:
        data = read_bounded(path, _MAX_BYTES)
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is not UTF-8, so it was left alone.") from error


def parse_json(path: Path, text: str) -> Json:
    """The settings in `text`. Raises ConfigurationError where rewriting them would lose something."""

    def once(pairs: list[tuple[str, Any]]) -> Json:
        mapping = dict(pairs)
        if len(mapping) != len(pairs):
            raise ValueError("a key stands there twice")
        return mapping

    try:
        data = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise ConfigurationError(f"{path} is no plain JSON ({error}), so it was left alone. Mend it first.") from error
    if not isinstance(data, dict):
        raise ConfigurationError(f"{path} holds no settings as they should be, so it was left alone. Mend it first.")
    return data


def json_like(before: str | None, data: Json) -> str:
    """`data` as text, indented and ended as the text before."""
    indent = _INDENT.search(before or "")
    end = "" if before is not None and not before.endswith("\n") else "\n"
    return json.dumps(data, indent=indent[1] if indent else 2, ensure_ascii=False) + end


def write_text(path: Path, text: str) -> None:
    """Put `text` there at once; a file that was there keeps its mode. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    replace_bytes(path, text.encode(), mode=mode)
