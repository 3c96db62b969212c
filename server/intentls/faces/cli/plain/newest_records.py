"""The short way of `intentls trace log --json`: the ledger alone, without the command line's and the engine's parts.

Programs ask this often, and loading the rest takes longer than the answer. Whatever is not plain goes the long way,
which gives the same answer: other options, a workspace with archives, or one in which something waits to be settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from intentls.core.errors import IntentlsError
from intentls.engine.tools.open_calls import has_open_calls
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.plain import json_output
from intentls.store.fs.path_resolution import find_root
from intentls.store.fs.state_directory import is_settled
from intentls.store.git.head import Git
from intentls.store.git_segments.commits import SegmentCommits
from intentls.store.layout import Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger
from intentls.store.ledger_search.query import DEFAULT_LIMIT, MAX_LIMIT, RecordQuery

_WITH_VALUE = ("--intent", "--session", "--limit")


def answer(arguments: Sequence[str]) -> int | None:
    """The exit code; None for other verbs and options, and where there is more to do. Raises BrokenPipeError."""
    question = parse(arguments[1:]) if list(arguments[:1]) == ["log"] else None
    if question is None:
        return None
    show_warnings()
    ledger, (query, limit) = plain_ledger(), question
    if ledger is None:
        return None
    try:
        entries = list(islice(ledger.search(query), limit))
    except IntentlsError:
        return None
    json_output.write({"status": "ok", "entries": entries})
    ledger.catch_up()  # the answer is out: what is left of the search makes the next one quicker
    return 0


def parse(arguments: Sequence[str]) -> tuple[RecordQuery, int] | None:
    """What is looked for, and how many at most; None for anything but the plain form of these options."""
    values: dict[str, str] = {}
    rest: Iterator[str] = iter(arguments)
    for name in rest:
        if name == "--json":
            continue
        value = next(rest, "")
        if name not in _WITH_VALUE or name in values or not value or value.startswith("-"):
            return None
        values[name] = value
    limit = values.get("--limit", str(DEFAULT_LIMIT))
    if "--json" not in arguments or not (limit.isascii() and limit.isdecimal() and 1 <= int(limit) <= MAX_LIMIT):
        return None
    return RecordQuery(intent_id=values.get("--intent"), session_id=values.get("--session")), int(limit)


def plain_ledger() -> Ledger | None:
    """The ledger of the root that governs the current folder, if to open the root would do nothing."""
    try:
        root = find_root(Path.cwd())
    except OSError:
        return None
    if root is None:
        return None
    layout = Layout(root)
    if layout.orchestration.is_symlink() or layout.state.is_symlink() or not (layout.state / ".gitignore").is_file():
        return None
    if not is_settled(layout) or has_open_calls((root,)):
        return None
    ledger = Ledger(layout, ChainHeads(layout), SegmentCommits(layout, Git(root)))
    try:
        return None if ledger.archived_size() else ledger
    except IntentlsError:
        return None
