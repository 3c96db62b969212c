"""Which plain forms there are: `trace log --json`, `status --json`, `blame FILE --json`, `check --staged`,
`run --intent ID -- COMMAND`.

Programs and git's hooks ask these often, and loading the rest takes longer than the answer, or a good part of it.
Whatever is not plain goes the long way, which gives the same answer.
"""

from __future__ import annotations

import sys
from importlib import import_module

from intentls.faces.cli.plain.json_output import stop_writing, write_any_name

# Each verb's module, and the word without which no form of it is plain.
_VERBS = {
    "trace": ("plain.newest_records", "--json"),
    "status": ("plain.status", "--json"),
    "blame": ("plain.blame", "--json"),
    "check": ("commands.branch.staged_check", "--staged"),
    "run": ("confined.run", "--"),
}


_INTERRUPTED = 2  # what the command line ends with


def run() -> int | None:
    """Answer; the exit code. None where the long way is to be taken. Raises what the verb raises."""
    name, word = _VERBS.get(sys.argv[1], ("", ""))
    if not name or word not in sys.argv:
        return None
    write_any_name()
    try:
        code: int | None = import_module(f"intentls.faces.cli.{name}").answer(sys.argv[2:])
    except BrokenPipeError:
        stop_writing()
        return 0
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return _INTERRUPTED
    return code
