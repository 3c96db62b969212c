"""What the client can do, read once at `initialize`."""

from __future__ import annotations

from lsprotocol import types
from msgspec import Struct


class Capabilities(Struct, frozen=True):
    """The client's capabilities that the server uses; all are False before `initialize`."""

    asks: bool = False
    applies_edits: bool = False
    pulls_diagnostics: bool = False
    related_information: bool = False
    watches_files: bool = False
    reports_renames: bool = False
    literal_code_actions: bool = False
    document_changes: bool = False
    markdown_hover: bool = False
    shows_progress: bool = False
    refreshes_code_lenses: bool = False
    refreshes_inlay_hints: bool = False
    nested_symbols: bool = False

    @classmethod
    def of(cls, announced: types.ClientCapabilities) -> Capabilities:
        """Read the announced capabilities; what is missing is False."""
        window, workspace, text = announced.window, announced.workspace, announced.text_document
        question = window.show_message.message_action_item if window and window.show_message else None
        publish = text.publish_diagnostics if text else None
        watched = workspace.did_change_watched_files if workspace else None
        operations = workspace.file_operations if workspace else None
        refresh = workspace.diagnostics.refresh_support if workspace and workspace.diagnostics else None
        action = text.code_action if text else None
        edit = workspace.workspace_edit if workspace else None
        formats = text.hover.content_format if text and text.hover else None
        lenses = workspace.code_lens if workspace else None
        hints = workspace.inlay_hint if workspace else None
        symbols = text.document_symbol if text else None
        return cls(
            asks=question is not None,
            applies_edits=bool(workspace and workspace.apply_edit),
            # A client that pulls but can't be asked to pull again (Neovim 0.11, Helix) would show outdated
            # diagnostics: diagnostics are pushed to it, and pulling is not offered.
            pulls_diagnostics=bool(text and text.diagnostic and refresh),
            related_information=bool(publish and publish.related_information),
            reports_renames=bool(operations and operations.dynamic_registration and operations.did_rename),
            watches_files=bool(watched and watched.dynamic_registration),
            literal_code_actions=bool(action and action.code_action_literal_support),
            document_changes=bool(edit and edit.document_changes),
            markdown_hover=types.MarkupKind.Markdown in (formats or ()),
            shows_progress=bool(window and window.work_done_progress),
            refreshes_code_lenses=bool(lenses and lenses.refresh_support),
            refreshes_inlay_hints=bool(hints and hints.refresh_support),
            nested_symbols=bool(symbols and symbols.hierarchical_document_symbol_support),
        )
