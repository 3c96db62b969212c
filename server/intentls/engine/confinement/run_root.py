"""The root of a staged run, as far as the start of its command needs it: a workspace would take longer to load."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from intentls.engine.workspace.configuration import Configuration, ConfigurationReader, layout_of
from intentls.store.fs.path_resolution import unusable
from intentls.store.fs.state_directory import is_settled, prepare_state
from intentls.store.git.head import Git
from intentls.store.sessions.accepted_files import AcceptedFiles
from intentls.store.sessions.agent_processes import AgentProcesses

if TYPE_CHECKING:
    from intentls.engine.workspace.workspace import Workspace
    from intentls.store.layout import Layout


class RunRoot(Struct, frozen=True):
    """Where a root's files lie, what it declares at one moment, and its repository."""

    layout: Layout
    configuration: Configuration
    git: Git

    @classmethod
    def of(cls, workspace: Workspace) -> RunRoot:
        """That of an opened workspace."""
        return cls(workspace.layout, workspace.configuration(), workspace.git)

    @classmethod
    def read(cls, root: Path) -> RunRoot | None:
        """That of a root on the disk, maybe by an earlier reading of what is declared: what lands is judged afresh.

        None where a killed process left something, which a workspace finishes first. Raises StoreError.
        """
        layout = layout_of(root)
        if layout.instead is not None:
            return None
        try:
            prepare_state(layout)
        except OSError as error:
            raise unusable(error, root) from error
        if not is_settled(layout):
            return None
        accepted = AcceptedFiles(layout, AgentProcesses(layout.agents))
        # An intent that is not declared is refused by a workspace, which asks the ledger as well.
        reader = ConfigurationReader(layout, accepted, has_history=lambda: False, trust_cache=True)
        return cls(layout, reader.current(), Git(root))

    @property
    def path(self) -> Path:
        """The root's directory."""
        return self.layout.root
