"""The `intentls` command. An agent waits for each of its hooks, so they don't wait for the command line's parts."""

from __future__ import annotations

import gc
import os
import sys


def run() -> None:
    """The console script, and `python -m intentls`."""
    match sys.argv[1:]:
        case ["hook", agent, *options] if not agent.startswith("-") and options in ([], ["--answer"]):
            sys.exit(_hook(agent, always=bool(options)))
        case _:
            _command_line()


def _hook(agent: str, *, always: bool) -> int:
    """What agents call, word for word. An installation that can't even start must refuse as well."""
    try:
        gc.disable()  # nothing of what is loaded is garbage, and looking for it takes a tenth of the time
        from intentls.faces.hook import AGENTS, DEFAULT_TIMEOUT_S

        if agent not in AGENTS:
            _command_line()  # it says which there are, and exits with 2
        from intentls.faces.hook.main import serve

        return serve(agent, DEFAULT_TIMEOUT_S, always=always)
    except Exception:  # noqa: BLE001  whatever it is, the tool must not run
        os.write(2, b"intentls: refused, because the hook can't start. Reinstall intentls.\n")
        return 2
    finally:
        gc.freeze()  # nor does it need to be looked for at the end


def _command_line() -> None:
    from intentls.faces.cli.main import run as run_verb

    run_verb()


if __name__ == "__main__":
    run()
