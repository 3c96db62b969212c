"""`intentls mcp`."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import click

from intentls.faces.cli.options import session_option


@click.command()
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder to work in (default: the client's own roots if it has them, else the current folder).",
)
@session_option("The session of the tools, shared with hooks and the command line (default: a session of its own).")
@click.option("--trust", is_flag=True, help="Run the linters that the workspace's policy.yaml names.")
def command(root: Path | None, session: str | None, trust: bool) -> int:
    """Serve coding agents over MCP, on stdin and stdout.

    Agents start it; stdout belongs to the protocol. The log goes to stderr. Ends with its client.

    \b
    Example:
      claude mcp add intentls -- intentls mcp
      intentls mcp --root ~/src/weather --session agent-1
    """
    try:
        from intentls.faces.mcp.server import McpOptions, serve  # optional libraries: the extra `mcp` brings them
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "intentls":
            raise  # not a missing library, but a bug of ours
        raise click.UsageError("the MCP server needs the extra [mcp]: pip install 'intentls[mcp]'.") from error
    logging.basicConfig(
        level=logging.WARNING,
        format=f"%(asctime)s intentls[{os.getpid()}] %(levelname)s %(name)s: %(message)s",
    )
    return serve(McpOptions(root, session, trust))
