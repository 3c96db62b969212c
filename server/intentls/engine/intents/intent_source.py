"""Where a new intent comes from: a text, a file, a folder of a change proposal, or what git says of the branch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from msgspec import Struct

from intentls.core.errors import ConfigurationError
from intentls.core.intents.proposal import MAX_TEXT, IntentProposal, one_line, read_proposal
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.path_resolution import because

_MAX_BYTES: Final = 4 * MAX_TEXT
# Of a folder that spec-kit or OpenSpec keeps for one change, in the order in which a reader wants them.
_PARTS: Final = ("proposal.md", "spec.md", "plan.md", "tasks.md")


class IntentSource(Struct, frozen=True):
    """What a source proposes; `reference` says where it is, for a person to follow."""

    proposal: IntentProposal
    reference: str | None


def from_text(data: bytes) -> IntentSource:
    """An issue's text, as a forge's command line prints it: plain, or JSON with `title`, `body` and `url`."""
    text = data[:_MAX_BYTES].decode("utf-8", "replace")
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        return IntentSource(read_proposal(text), None)
    if not isinstance(fields, dict) or not isinstance(fields.get("title"), str):
        return IntentSource(read_proposal(text), None)
    body, url = fields.get("body"), fields.get("url")
    whole = f"# {one_line(fields['title'])}\n{body if isinstance(body, str) else ''}"
    return IntentSource(read_proposal(whole), one_line(url, 1_000) if isinstance(url, str) else None)


def from_path(root: Path, path: Path) -> IntentSource:
    """A file such as spec-kit's `tasks.md`, or the folder of a change with `proposal.md`, `spec.md`, `tasks.md`.

    Raises ConfigurationError for what is neither, and for a file that can't be read.
    """
    files = [path / name for name in _PARTS if (path / name).is_file()] if path.is_dir() else [path]
    if not files:
        raise ConfigurationError(f"{path} is a folder without {', '.join(_PARTS)}.")
    texts = [_read(file) for file in files]
    real = path.resolve()
    reference = real.relative_to(root).as_posix() if real.is_relative_to(root) else path.name
    return IntentSource(read_proposal("\n\n".join(texts)), one_line(reference, 1_000))


def _read(file: Path) -> str:
    try:
        data = read_bounded(file, _MAX_BYTES)
    except OSError as error:
        raise ConfigurationError(f"{file} can't be read: {because(error)}") from error
    if data is None:
        raise ConfigurationError(f"There is no {file}.")
    return data[:_MAX_BYTES].decode("utf-8", "replace")
