"""`intentls demo`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import click

from intentls.faces.cli.demo.client import Client
from intentls.faces.cli.demo.display import DemoDisplay
from intentls.faces.cli.demo.scenario import DemoScenario, orchestration_files
from intentls.faces.cli.demo.workspace import clone


@click.command()
@click.option(
    "--repo",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=".",
    help="The git repository to clone (default: that of the current folder). It is only read.",
)
def command(repo: Path) -> int:
    """Clone a real repository into a temporary folder and play a whole session on it.

    A real server is started as a child process; every step shows its real answer and checks it. Exits 1 if
    a claim of any step did not hold.

    \b
    Example:
      intentls demo
      intentls demo --repo ~/src/some-project
    """
    display = DemoDisplay()
    root = Path(tempfile.mkdtemp(prefix="intentls-demo-")).resolve() / "workspace"
    workspace = clone(repo.resolve(), root)
    display.title(workspace.source, str(root))
    with Client(root) as client:
        DemoScenario(client, workspace, display).play()
    display.end([str(path) for path in orchestration_files(root)], str(root))
    return 1 if display.failed else 0
