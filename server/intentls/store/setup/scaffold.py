"""What a root needs and lacks: files are made or added to, never changed in what they say already."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import StoreError
from intentls.core.patterns.protected_paths import INTENTS_FILE, INTENTS_FOLDER
from intentls.store.fs.atomic_write import write_all, write_new
from intentls.store.fs.bounded_read import read_bounded
from intentls.store.fs.ignore_file import ignore_local_files
from intentls.store.fs.intent_names import may_hold_intents
from intentls.store.fs.path_resolution import because
from intentls.store.fs.primitives import NO_LINK
from intentls.store.git.status import GitFiles
from intentls.store.layout import ORCHESTRATION, TRACE_FOLDER, Layout

_ATTRIBUTES = f"""\
# The ledger: written by intentls, byte for byte as it is, and of no interest in a review.
{TRACE_FOLDER}/** linguist-generated -text
"""
_MAX_BYTES = 4 * 1024 * 1024

EXAMPLE = """\
# The intents of this workspace: who may change what, and why.
#
# An agent (or a person) checks one intent out and may then change the files in its scope. Every change and
# every refusal becomes a line of the ledger, in trace/ beside this file; commit both.
#
#     intentls list      what is declared here
#     intentls doctor    what is wrong with it
#
# This is an example. Change it to say what is to be done in this workspace.
active_intents:
  - id: INT-001              # unique, without white space; the ledger refers to it, so keep it as it is
    name: Write the guide
    status: PLANNED          # open: PLANNED PENDING TODO IN_PROGRESS BLOCKED  closed: COMPLETED DONE ABANDONED
    description: |
      What is to be done, and why. Free text.
    owned_scope:             # what may be changed, relative to the folder that holds .orchestration/
      - "docs/**"            # ** crosses folders; * and ? do not
      - "!docs/generated/**" # ! takes something out again, wherever it stands in the list
    constraints:             # what must hold; the agent gets these with the intent
      - "Every example runs as it is shown"
    acceptance_criteria:     # how to tell that it is finished; the agent gets these as well
      - "A newcomer reaches the first result within five minutes"
"""


class ScaffoldOutcome(StrEnum):
    """What became of one thing that a root needs."""

    CREATED = "created"
    EXTENDED = "extended"
    KEPT = "kept"  # was there already
    REMOVED = "removed"


class ScaffoldStep(Struct, frozen=True):
    """`path` is relative to the root; `what` says in a few words what it is for, or why it was left alone."""

    path: str
    outcome: ScaffoldOutcome
    what: str


def scaffold(layout: Layout, *, commit_derived: bool = False) -> tuple[ScaffoldStep, ...]:
    """Make or complete the files of a root. Done twice, the second time changes nothing. Raises StoreError."""
    try:
        return tuple(_steps(layout, commit_derived=commit_derived))
    except OSError as error:
        where = error.filename or layout.orchestration
        raise StoreError(f"{where} can't be written: {because(error)}. Nothing was overwritten.") from error


def _steps(layout: Layout, *, commit_derived: bool) -> Iterator[ScaffoldStep]:
    directory = layout.orchestration
    yield ScaffoldStep(f"{ORCHESTRATION}/", _made(directory), "the folder that makes this a root")
    yield _intents(layout)
    made = ignore_local_files(layout, commit_derived=commit_derived)
    outcome = {None: ScaffoldOutcome.KEPT, True: ScaffoldOutcome.CREATED, False: ScaffoldOutcome.EXTENDED}[made]
    yield ScaffoldStep(
        f"{ORCHESTRATION}/.gitignore", outcome, "keeps what is derived, and the engine's state, out of git"
    )
    yield _attributes(layout.root)


def _made(directory: Path) -> ScaffoldOutcome:
    if directory.is_dir():
        return ScaffoldOutcome.KEPT
    directory.mkdir()
    return ScaffoldOutcome.CREATED


def _intents(layout: Layout) -> ScaffoldStep:
    if os.path.lexists(layout.intents):
        return ScaffoldStep(INTENTS_FILE, ScaffoldOutcome.KEPT, "the intents")
    if may_hold_intents(layout.intents_folder):
        return ScaffoldStep(f"{INTENTS_FOLDER}/", ScaffoldOutcome.KEPT, "the intents, one to a file")
    write_new(layout.intents, EXAMPLE.encode())
    return ScaffoldStep(INTENTS_FILE, ScaffoldOutcome.CREATED, "an example of an intent, for you to change")


def _attributes(root: Path) -> ScaffoldStep:
    name = ".gitattributes"
    what = "tells forges that the ledger is generated, and git to keep its bytes"
    if GitFiles(root).attribute(f"{TRACE_FOLDER}/x.jsonl", "linguist-generated") in ("set", "true"):
        return ScaffoldStep(name, ScaffoldOutcome.KEPT, what)
    return ScaffoldStep(name, _added(root / name, _ATTRIBUTES, _says_generated), what)


def _added(file: Path, text: str, says_it: Callable[[str], bool]) -> ScaffoldOutcome:
    """Append `text` to `file`, unless one of its lines says it already; line ends as the file has them."""
    before = read_bounded(file, _MAX_BYTES)
    if before is None:
        write_new(file, text.encode())
        return ScaffoldOutcome.CREATED
    if any(says_it(line) for line in before.decode("utf-8", "replace").splitlines()):
        return ScaffoldOutcome.KEPT
    if before and not before.endswith(b"\n"):
        text = "\n" + text
    if b"\r\n" in before:
        text = text.replace("\n", "\r\n")
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | NO_LINK)
    try:
        write_all(descriptor, text.encode())
    finally:
        os.close(descriptor)
    return ScaffoldOutcome.EXTENDED


def _says_generated(line: str) -> bool:
    words = line.split()
    return bool(words) and words[0].strip("/*") == TRACE_FOLDER and "linguist-generated" in words
