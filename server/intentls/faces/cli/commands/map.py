"""`intentls map`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from intentls.core.intents.intent import names_of
from intentls.engine.blame.line_authors import Shares, shares
from intentls.engine.records.rebuild_maps import rebuild_maps
from intentls.engine.wire import reports
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option


@click.command()
@click.option("--rebuild", is_flag=True, help="First make the maps again from the ledger.")
@root_option
@json_option
def command(rebuild: bool, root: Path | None, as_json: bool) -> int:
    """Show which files belong to which intent, as .orchestration/intent_map.md says.

    `--rebuild` writes that file and spatial_map.json again from the ledger: after a merge, or if they were lost. What
    people wrote into the map stays. It also counts how much of each file each intent wrote, as `intentls blame` has it,
    with files that the map leaves out because only their form, their words or a setting changed.

    \b
    Example:
      intentls map
      intentls map --rebuild
    """
    workspace = open_root(root).workspace
    rebuilt = None
    written: list[Shares] = []
    if rebuild:
        rebuilt = rebuild_maps(workspace)
        written = shares(workspace, _recorded(workspace))
    files = workspace.derived.read_map()
    names = names_of(workspace.configuration().intents.intents)
    if as_json:
        output.print_json(reports.mapped(files, names, rebuilt, written))
        return 0
    if rebuilt is not None:
        changed = "the maps were behind it" if rebuilt.map_changed or rebuilt.spatial_changed else "nothing changed"
        output.print_error(f"Rebuilt from {output.count(rebuilt.records, 'change')} in the ledger: {changed}.")
    shown, counted = _with_writers(files, written), {file.path: file for file in written}
    if not shown:
        output.print_error("No file belongs to an intent yet.")
    for intent_id, paths in shown.items():
        name = names.get(intent_id)
        output.print_line((intent_id, output.STRONG), f"  {name}" if name else "")
        output.print_table([_row(path, intent_id, counted.get(path)) for path in paths])
    return 0


def _recorded(workspace: Workspace) -> set[str]:
    """Every file that the maps name, whatever kind of change it was named for."""
    spatial = {entry.file_path for entry in workspace.derived.read_spatial()}
    return spatial.union(*workspace.derived.read_map().values())


def _with_writers(files: Mapping[str, Sequence[str]], written: Sequence[Shares]) -> dict[str, list[str]]:
    """The files of each intent, and those in which it wrote lines without giving them another meaning."""
    shown = {intent_id: set(paths) for intent_id, paths in files.items()}
    for file in written:
        for intent_id, _ in file.by_intent:
            if intent_id is not None:
                shown.setdefault(intent_id, set()).add(file.path)
    return {intent_id: sorted(paths) for intent_id, paths in shown.items()}


def _row(path: str, intent_id: str, counted: Shares | None) -> tuple[str, ...]:
    """A file, and how much of it an intent wrote, where that was counted."""
    if counted is None:
        return (f"  {path}",)
    lines = dict(counted.by_intent).get(intent_id, 0)
    return (f"  {path}", f"{counted.percent(intent_id)} %", f"{lines} of {counted.lines} lines")
