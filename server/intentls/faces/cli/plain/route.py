"""Which plain forms there are: `trace log --json`, `status --json`, `blame FILE --json`, `run --intent ID -- COMMAND`.

Programs ask these often, and loading the rest takes longer than the answer, or a good part of it. Whatever is not plain
goes the long way, which gives the same answer.
"""

from __future__ import annotations

import sys
from importlib import import_module

from intentls.faces.cli.plain.json_output import stop_writing

_VERBS = {"trace": "plain.newest_records", "status": "plain.status", "blame": "plain.blame", "run": "confined.run"}


def run() -> None:
    """Answer and exit, or return: then the long way is to be taken."""
    name = _VERBS.get(sys.argv[1])
    if name is None or (sys.argv[1] != "run" and "--json" not in sys.argv):
        return
    try:
        code: int | None = import_module(f"intentls.faces.cli.{name}").answer(sys.argv[2:])
    except BrokenPipeError:
        stop_writing()
        code = 0
    if code is not None:
        sys.exit(code)
