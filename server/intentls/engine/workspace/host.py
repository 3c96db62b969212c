"""What the engine needs of the face it works for: its name, its folders, its open documents, its people."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Protocol

from msgspec import Struct


class OpenDocument(Struct, frozen=True):
    """A document as the client has it now, saved or not. `path` is the real path."""

    path: Path
    uri: str
    version: int | None
    text: str


class Host(Protocol):
    """A face as the engine sees it."""

    @property
    def face(self) -> str:
        """Its name in sessions and locks: `lsp`, `cli`, `mcp`, `hook`."""

    @property
    def trusted(self) -> bool:
        """Whether the user trusts this workspace to name commands that we run."""

    @property
    def can_ask(self) -> bool:
        """Whether there is a person who can be asked to override a refusal."""

    @property
    def asks_by_setting_alone(self) -> bool:
        """Whether `can_ask` rests on a setting of the client, which an agent's own client can make as well."""

    @property
    def agent(self) -> str | None:
        """The name of the agent's program, where the face knows it."""

    @property
    def patience_s(self) -> float:
        """How many seconds the caller can wait for a person; 0: not at all."""

    @property
    def can_apply_edits(self) -> bool:
        """Whether an open document can be edited through the client."""

    @property
    def own_session(self) -> str | None:
        """The session that lives and dies with this process, if there is one."""

    @property
    def trust_cache(self) -> bool:
        """Whether to use what an earlier process parsed of the declared files, as long as they are the same."""

    def folders(self) -> Sequence[Path]:
        """The workspace folders, real paths, the main one first."""

    def named_folders(self) -> tuple[Path, ...]:
        """The same, unresolved, as the client named them: the disk is not looked at."""

    def open_document(self, path: Path) -> OpenDocument | None:
        """The open document at this real path, if the client has one."""


class Headless(Struct, frozen=True):
    """A host without editor and without anyone to ask."""

    face: str
    workspace_folders: tuple[Path, ...]
    trusted: bool = False
    can_ask: bool = False
    asks_by_setting_alone: bool = False
    can_apply_edits: bool = False
    own_session: str | None = None
    trust_cache: bool = False
    agent: str | None = None
    patience_s: float = inf

    def folders(self) -> Sequence[Path]:
        """The folders that this host was made with."""
        return self.workspace_folders

    def named_folders(self) -> tuple[Path, ...]:
        """The same."""
        return self.workspace_folders

    def open_document(self, path: Path) -> OpenDocument | None:  # noqa: ARG002  the protocol's signature
        """None: a host without an editor has no open documents."""
        return None
