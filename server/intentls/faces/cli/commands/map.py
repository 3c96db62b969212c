"""`intentls map`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.faces.cli.options import json_option, root_option


@click.command()
@click.option("--rebuild", is_flag=True, help="First make the maps anew from the ledger.")
@root_option
@json_option
def command(rebuild: bool, root: Path | None, as_json: bool) -> int:
    """Show which files belong to which intent, as .orchestration/intent_map.md says.

    `--rebuild` writes that file and spatial_map.json anew from the ledger: after a merge, or if they were lost. What
    people wrote into the map stays.

    \b
    Example:
      intentls map
      intentls map --rebuild
    """
    from intentls.engine.wire import overview
    from intentls.faces.cli import screen
    from intentls.faces.cli.opening import open_root

    workspace = open_root(root).workspace
    rebuilt = None
    if rebuild:
        from intentls.engine.rebuild import rebuild_maps

        rebuilt = rebuild_maps(workspace)
    files = workspace.derived.read_map()
    names = {intent.id: intent.name for intent in workspace.configuration().intents.intents.values()}
    if as_json:
        screen.emit(overview.mapped(files, names, rebuilt))
        return 0
    if rebuilt is not None:
        changed = "the maps were behind it" if rebuilt.map_changed or rebuilt.spatial_changed else "nothing changed"
        screen.note(f"Rebuilt from {screen.count(rebuilt.records, 'change')} in the ledger: {changed}.")
    if not files:
        screen.note("No file belongs to an intent yet.")
    for intent_id, paths in files.items():
        name = names.get(intent_id)
        screen.say((intent_id, screen.STRONG), f"  {name}" if name else "")
        for path in paths:
            screen.say(f"  {path}")
    return 0
