"""Moving an older repository over: its tracked ledger becomes a segment, and git lets go of what is local now."""

from __future__ import annotations

from collections.abc import Iterator

from intentls.core.errors import StoreError
from intentls.store.fs.ignore_file import DERIVED_NAMES
from intentls.store.git.command import ask_git, run_git
from intentls.store.git.head import Git
from intentls.store.git_segments.commits import SegmentCommits
from intentls.store.layout import LEDGER_NAME, ORCHESTRATION, TRACE_NAME, Layout
from intentls.store.ledger.chain_heads import ChainHeads
from intentls.store.ledger.ledger import Ledger
from intentls.store.setup.scaffold import ScaffoldOutcome, ScaffoldStep


def move_over(layout: Layout, *, commit_derived: bool) -> Iterator[ScaffoldStep]:
    """Let the records that are in no segment become one, and take local files out of git's index, not of the disk.

    Done twice, the second time finds nothing. Raises LedgerUnavailable, StoreError.
    """
    if layout.ledger.is_file() and layout.ledger.stat().st_size:
        ledger = Ledger(layout, ChainHeads(layout), SegmentCommits(layout, Git(layout.root)))
        name = ledger.move_over()
        if name is not None:
            path = f"{ORCHESTRATION}/{TRACE_NAME}/{name}"
            yield ScaffoldStep(path, ScaffoldOutcome.CREATED, f"the records of {LEDGER_NAME}; commit it")
    yield from _untrack(layout, (LEDGER_NAME, *(() if commit_derived else _derived(layout))))


def _derived(layout: Layout) -> tuple[str, ...]:
    """The derived files but for an AGENT.md in which people wrote: that is theirs to take out."""
    try:
        text = layout.lessons.read_text("utf-8", "replace")
    except OSError:
        text = ""
    return tuple(
        name for name in DERIVED_NAMES if name != layout.lessons.name or text.startswith("## Lesson Learned (")
    )


def _untrack(layout: Layout, names: tuple[str, ...]) -> Iterator[ScaffoldStep]:
    tracked = ask_git(layout.root, "ls-files", "-z", "--", *(f"{ORCHESTRATION}/{name}" for name in names))
    for raw in (tracked or b"").split(b"\0")[:-1]:
        path = raw.decode("utf-8", "surrogateescape")
        done = run_git(layout.root, "rm", "--cached", "--quiet", "--", path)
        if done is None or done.returncode:
            said = "" if done is None else done.stderr.decode("utf-8", "replace").strip()
            raise StoreError(
                f"git can't let go of {path}: {said or 'it can not be asked'}. Run `git rm --cached {path}`."
            )
        yield ScaffoldStep(path, ScaffoldOutcome.REMOVED, "from git's index, not from the disk: it is local now")
