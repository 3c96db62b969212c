"""`intentls serve`."""

from __future__ import annotations

import click

from intentls.faces.lsp.__main__ import log_to, serve


def _address(_context: click.Context, _parameter: click.Parameter, value: str | None) -> tuple[str, int] | None:
    if value is None:
        return None
    host, _, port = value.rpartition(":")
    if not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise click.BadParameter("write HOST:PORT, for example 127.0.0.1:2087")
    return host.strip("[]") or "127.0.0.1", int(port)


@click.command()
@click.option("--stdio", is_flag=True, help="Serve on stdin and stdout (the default; some editors pass it).")
@click.option("--tcp", callback=_address, metavar="HOST:PORT", help="Serve one client at this address instead.")
@click.option("--log-file", type=click.Path(dir_okay=False), help="Write the log there instead of to stderr.")
@click.option(
    "--log-level",
    type=click.Choice(["debug", "info", "warning", "error"]),
    default="warning",
    show_default=True,
    help="How much to log.",
)
def command(stdio: bool, tcp: tuple[str, int] | None, log_file: str | None, log_level: str) -> int:
    """Serve the language server, by default on stdin and stdout.

    \b
    Example:
      intentls serve
      intentls serve --tcp 127.0.0.1:2087 --log-level info
    """
    if stdio and tcp is not None:
        raise click.UsageError("--stdio and --tcp exclude each other")
    log_to(log_file or None, log_level)
    return serve(tcp)
