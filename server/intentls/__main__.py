"""The `intentls` command. An agent waits for each of its hooks, so they don't wait for the command line's parts."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import time


def run() -> None:
    """The console script, and `python -m intentls`."""
    match sys.argv[1:]:
        case ["hook", agent, *options] if not agent.startswith("-") and (known := _hook_options(options)) is not None:
            _end(_hook(agent, *known))
        case ["serve"] | ["serve", "--stdio"]:
            _run_lean(serves=True)
        case _:
            _command_line()


def _hook_options(options: list[str]) -> tuple[bool, bool, float | None] | None:
    """`--answer`, `--go-on` and `--wait SECONDS`, as `init` writes them; None for anything else."""
    flags = [option for option in options if option in ("--answer", "--go-on")]
    match [option for option in options if option not in flags]:
        case []:
            wait_s = None
        case ["--wait", seconds] if seconds.isdecimal():
            wait_s = float(seconds)
        case _:
            return None
    return "--answer" in flags, "--go-on" in flags, wait_s


def _hook(agent: str, always: bool, goes_on: bool, wait_s: float | None) -> int:
    """What agents call, word for word. An installation that can't even start must refuse as well."""
    try:
        gc.disable()  # nothing of what is loaded is garbage, and looking for it takes a tenth of the time
        # Nothing more than this is loaded where a daemon answers.
        from intentls.faces.hook import AGENTS, DEFAULT_TIMEOUT_S, HookOptions, daemon_client

        if agent not in AGENTS:
            _command_line()  # it says which there are, and exits with 2
        started = time.monotonic()
        client = daemon_client.compiled_client()  # it has asked already
        asked = None if goes_on or client else daemon_client.ask(agent, DEFAULT_TIMEOUT_S, always=always)
        if isinstance(asked, int):
            return asked
        from intentls.faces.hook.main import serve  # no daemon answered

        left = DEFAULT_TIMEOUT_S - (time.monotonic() - started) - (client.seconds if client else 0.0)
        return serve(agent, max(left, 0.0), HookOptions(always, goes_on, wait_s), event=asked, client=client)
    except Exception:  # noqa: BLE001  whatever it is, the tool must not run
        os.write(2, b"intentls: refused, because the hook can't start. Reinstall intentls.\n")
        return 2
    finally:
        gc.freeze()  # nor does it need to be looked for at the end


def _command_line() -> None:
    if not _STAYING & set(sys.argv[1:2]):
        gc.set_threshold(_OBJECTS)  # what a verb loads is no garbage: looking for it takes a fifth of the time
    try:
        if sys.argv[2:]:
            _run_lean(serves=False)  # exits if that was all
        from intentls.faces.cli import main  # not for hooks

        main.run()
    finally:
        gc.freeze()


def _run_lean(*, serves: bool) -> None:
    """The server as editors call it, or the plain form of a verb: without the command line's parts.

    What goes wrong is said as the command line says it, and ends the process.
    """
    try:
        if serves:
            from intentls.faces.lsp.__main__ import log_to, serve  # not for hooks

            log_to(None, "warning")
            sys.exit(serve())
        from intentls.faces.cli.plain import route  # not for hooks

        code = route.run()
        if code is not None:
            _end(code)
    except Exception as error:  # noqa: BLE001  the boundary: a user gets one sentence
        from intentls.faces.cli import main  # slow to import, and an error is rare

        sys.exit(main.code_of(error))


def _end(code: int) -> None:
    """End the process as `sys.exit` does, but leave what was loaded to the system: taking it apart is a twentieth.

    Not where a thread still works, or something that was printed can't be written: Python's own end knows what to do.
    """
    threading = sys.modules.get("threading")
    if threading is None or threading.active_count() == 1:
        atexit._run_exitfuncs()
        try:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None:
                    stream.flush()
        except (OSError, ValueError):
            sys.exit(code)
        os._exit(code & 0xFF)
    sys.exit(code)


_STAYING = {"serve", "mcp", "daemon", "demo"}
_OBJECTS = 100_000  # made since garbage was last looked for: a verb that reads a large ledger leaves some


if __name__ == "__main__":
    run()
