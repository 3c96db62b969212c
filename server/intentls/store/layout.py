"""Where each file of a root lies. The only place that spells these names out."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Layout:
    """The files of one root. `root` is an absolute, resolved directory.

    `instead` takes the place of `.orchestration` where that name can't be trusted (see `engine.sealed`).
    """

    root: Path
    instead: Path | None = None

    @property
    def orchestration(self) -> Path:
        """The directory that makes this a root."""
        return self.root / ORCHESTRATION if self.instead is None else self.instead

    @property
    def intents(self) -> Path:
        """What people declare, as a list."""
        return self.orchestration / INTENTS_NAME

    @property
    def intents_folder(self) -> Path:
        """What people declare, one file an intent."""
        return self.orchestration / INTENTS_FOLDER_NAME

    @property
    def policy(self) -> Path:
        """How strict this workspace is (optional)."""
        return self.orchestration / "policy.yaml"

    @property
    def ignore_files(self) -> tuple[Path, Path]:
        """Merged in this order: the root's own file has the last word."""
        return (self.orchestration / IGNORE_NAME, self.root / IGNORE_NAME)

    @property
    def ledger(self) -> Path:
        """The records of all segments in one local file, one a line."""
        return self.orchestration / LEDGER_NAME

    @property
    def trace(self) -> Path:
        """The ledger as git carries it: segments and archives."""
        return self.orchestration / TRACE_NAME

    @property
    def archive(self) -> Path:
        """Archives from before there were segments."""
        return self.orchestration / "archive"

    @property
    def intent_map(self) -> Path:
        """Derived: which intent owns which files, for people."""
        return self.orchestration / "intent_map.md"

    @property
    def spatial_map(self) -> Path:
        """Derived: the same for programs."""
        return self.orchestration / "spatial_map.json"

    @property
    def lessons(self) -> Path:
        """Lessons learned, appended."""
        return self.orchestration / "AGENT.md"

    @property
    def lesson_note(self) -> Path:
        """Which recorded lessons were brought into the local `AGENT.md`."""
        return self.state / "lessons.json"

    @property
    def state(self) -> Path:
        """The engine's own, git-ignored; may be deleted at any time without losing history."""
        return self.orchestration / ".state"

    @property
    def journal(self) -> Path:
        """Write-ahead entries of edits under way."""
        return self.state / "journal"

    @property
    def stage(self) -> Path:
        """Contents of edits under way, before they take their place."""
        return self.state / "stage"

    @property
    def write_ahead(self) -> Path:
        """Logs that hold edits until the disk has their files and records; named by the machine's run."""
        return self.state / "log"

    @property
    def locks(self) -> Path:
        """Lock files."""
        return self.state / "locks"

    @property
    def sessions(self) -> Path:
        """One small file a session."""
        return self.state / "sessions"

    @property
    def editors(self) -> Path:
        """One small file for each server of an editor."""
        return self.state / "editors"

    @property
    def default_intent(self) -> Path:
        """With which intent sessions begin here."""
        return self.state / "default_intent.json"

    @property
    def leases(self) -> Path:
        """One small file a path that a session is changing."""
        return self.state / "leases"

    @property
    def index(self) -> Path:
        """Where in large ledgers to look for what."""
        return self.state / "index"

    @property
    def segment_note(self) -> Path:
        """Which segments the local file was made of, and which one is open."""
        return self.state / "segments.json"

    @property
    def unsaved_segments(self) -> Path:
        """Second names of segments that git does not have yet."""
        return self.state / "segments"

    @property
    def texts(self) -> Path:
        """What can be searched by words."""
        return self.state / "texts"

    @property
    def known(self) -> Path:
        """What the declared files said when a hook last read them."""
        return self.state / "known"

    @property
    def blame(self) -> Path:
        """Who wrote the lines of files, as they were last asked about."""
        return self.state / "blame"

    @property
    def snapshots(self) -> Path:
        """Contents from before an edit that a host makes itself, by hash."""
        return self.state / "snapshots"

    @property
    def announced(self) -> Path:
        """What the working tree held before tools that an agent announced, until it reports them."""
        return self.state / "announced"

    @property
    def agents(self) -> Path:
        """One small file for each agent's process."""
        return self.state / "agents"

    @property
    def questions(self) -> Path:
        """Questions that wait for a person."""
        return self.state / "questions"

    @property
    def listeners(self) -> Path:
        """One small file for each process that shows questions."""
        return self.state / "listeners"

    @property
    def accepted(self) -> Path:
        """The declared files as a person left them: while an agent's commands run, and after one changed them."""
        return self.state / "accepted"

    @property
    def accepted_index(self) -> Path:
        """What of the declared files counts instead of what they say; only there while something does."""
        return self.accepted / "index.json"

    @property
    def aside(self) -> Path:
        """Journal entries that can't be carried out here, one folder each, for a person to look at."""
        return self.state / "aside"

    @property
    def trash(self) -> Path:
        """What agents' commands left where it was undone, one folder for each command."""
        return self.state / "trash"
