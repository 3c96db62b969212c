"""Where each file of a root lies. The only place that spells these names out."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import Final

ORCHESTRATION = ".orchestration"
INTENTS_NAME = "active_intents.yaml"
INTENTS_FOLDER_NAME = "intents"
LEDGER_NAME = "agent_trace.jsonl"
TRACE_NAME = "trace"
TRACE_FOLDER = f"{ORCHESTRATION}/{TRACE_NAME}"
IGNORE_NAME = ".intentignore"

LINKED: Final = (
    f"{ORCHESTRATION} is a symbolic link, and nothing is read or written through one. Make it a real folder."
)

MAX_BYTES: Final = 4 * 1024 * 1024
"""As much as is read of a declared file."""


class Layout:
    """The files of one root. `root` is an absolute, resolved directory.

    `instead` takes the place of `.orchestration` where that name can't be trusted
    (see `engine.workspace.configuration`). Each name is made once: a guarded edit asks for some of them fifty times.
    """

    def __init__(self, root: Path, instead: Path | None = None) -> None:
        self.root: Final = root
        self.instead: Final = instead

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and (self.root, self.instead) == (other.root, other.instead)

    def __hash__(self) -> int:
        return hash((self.root, self.instead))

    @cached_property
    def orchestration(self) -> Path:
        """The directory that makes this a root."""
        return self.root / ORCHESTRATION if self.instead is None else self.instead

    @cached_property
    def intents(self) -> Path:
        """What people declare, as a list."""
        return self.orchestration / INTENTS_NAME

    @cached_property
    def intents_folder(self) -> Path:
        """What people declare, one file an intent."""
        return self.orchestration / INTENTS_FOLDER_NAME

    @cached_property
    def policy(self) -> Path:
        """How strict this workspace is (optional)."""
        return self.orchestration / "policy.yaml"

    @cached_property
    def ignore_files(self) -> tuple[Path, Path]:
        """Merged in this order: the root's own file has the last word."""
        return (self.orchestration / IGNORE_NAME, self.root / IGNORE_NAME)

    @cached_property
    def ledger(self) -> Path:
        """The records of all segments in one local file, one a line."""
        return self.orchestration / LEDGER_NAME

    @cached_property
    def trace(self) -> Path:
        """The ledger as git carries it: segments and archives."""
        return self.orchestration / TRACE_NAME

    @cached_property
    def archive(self) -> Path:
        """Archives from before there were segments."""
        return self.orchestration / "archive"

    @cached_property
    def intent_map(self) -> Path:
        """Derived: which intent owns which files, for people."""
        return self.orchestration / "intent_map.md"

    @cached_property
    def spatial_map(self) -> Path:
        """Derived: the same for programs."""
        return self.orchestration / "spatial_map.json"

    @cached_property
    def map_generation(self) -> Path:
        """Which ledger these two were made from."""
        return self.state / "maps.generation"

    @cached_property
    def lessons(self) -> Path:
        """Lessons learned, appended."""
        return self.orchestration / "AGENT.md"

    @cached_property
    def lesson_note(self) -> Path:
        """Which recorded lessons were brought into the local `AGENT.md`."""
        return self.state / "lessons.json"

    @cached_property
    def state(self) -> Path:
        """The engine's own, git-ignored; may be deleted at any time without losing history."""
        return self.orchestration / ".state"

    @cached_property
    def journal(self) -> Path:
        """Write-ahead entries of edits under way."""
        return self.state / "journal"

    @cached_property
    def stage(self) -> Path:
        """Contents of edits under way, before they take their place."""
        return self.state / "stage"

    @cached_property
    def write_ahead(self) -> Path:
        """Logs that hold edits until the disk has their files and records; named by the machine's run."""
        return self.state / "log"

    @cached_property
    def locks(self) -> Path:
        """Lock files."""
        return self.state / "locks"

    @cached_property
    def sessions(self) -> Path:
        """One small file a session."""
        return self.state / "sessions"

    @cached_property
    def editors(self) -> Path:
        """One small file for each server of an editor."""
        return self.state / "editors"

    @cached_property
    def default_intent(self) -> Path:
        """With which intent sessions begin here."""
        return self.state / "default_intent.json"

    @cached_property
    def leases(self) -> Path:
        """One small file a path that a session is changing."""
        return self.state / "leases"

    @cached_property
    def coordination(self) -> Path:
        """Where the process is found that shares leases with other machines."""
        return self.state / "coordination"

    @cached_property
    def index(self) -> Path:
        """Where in large ledgers to look for what."""
        return self.state / "index"

    @cached_property
    def segment_note(self) -> Path:
        """Which segments the local file was made of, and which one is open."""
        return self.state / "segments.json"

    @cached_property
    def unsaved_segments(self) -> Path:
        """Second names of segments that git does not have yet."""
        return self.state / "segments"

    @cached_property
    def texts(self) -> Path:
        """What can be searched by words."""
        return self.state / "texts"

    @cached_property
    def known(self) -> Path:
        """What the declared files said when a hook last read them."""
        return self.state / "known"

    @cached_property
    def blame(self) -> Path:
        """Who wrote the lines of files, as they were last asked about."""
        return self.state / "blame"

    @cached_property
    def snapshots(self) -> Path:
        """Contents from before an edit that a host makes itself, by hash."""
        return self.state / "snapshots"

    @cached_property
    def announced(self) -> Path:
        """What the working tree held before tools that an agent announced, until it reports them."""
        return self.state / "announced"

    @cached_property
    def agents(self) -> Path:
        """One small file for each agent's process."""
        return self.state / "agents"

    @cached_property
    def questions(self) -> Path:
        """Questions that wait for a person."""
        return self.state / "questions"

    @cached_property
    def listeners(self) -> Path:
        """One small file for each process that shows questions."""
        return self.state / "listeners"

    @cached_property
    def accepted(self) -> Path:
        """The declared files as a person left them: while an agent's commands run, and after one changed them."""
        return self.state / "accepted"

    @cached_property
    def accepted_index(self) -> Path:
        """What of the declared files counts instead of what they say; only there while something does."""
        return self.accepted / "index.json"

    @cached_property
    def aside(self) -> Path:
        """Journal entries that can't be carried out here, one folder each, for a person to look at."""
        return self.state / "aside"

    @cached_property
    def trash(self) -> Path:
        """What agents' commands left where it was undone, one folder for each command."""
        return self.state / "trash"

    @property
    def held(self) -> Path:
        """What confined commands changed and the gate did not let land, one folder each."""
        return self.state / "held"
