"""`make accuracy`: measure all (or the named) parts, write docs/internals/accuracy.md, print the targets.

python -m accuracy [classes] [commits] [attribution] [formatters] [definitions] [recall] [ledger_size] [tables]
"""

from __future__ import annotations

import importlib
import sys

from accuracy import page

PARTS = ("formatters", "definitions", "classes", "commits", "attribution")
ASKED = ("recall", "ledger_size")  # only where named: they need the histories that the caller has


def main(wanted: list[str]) -> None:
    """Run the parts in the order in which one needs what another installs. `tables`: measure nothing."""
    for name in (*PARTS, *ASKED):
        if name in wanted or (not wanted and name in PARTS):
            print(f"== {name}", file=sys.stderr, flush=True)
            importlib.import_module(f"accuracy.{name}").main()
    page.main()


if __name__ == "__main__":
    if unknown := set(sys.argv[1:]) - {*PARTS, *ASKED, "tables"}:
        sys.exit(f"no such part: {', '.join(sorted(unknown))}")
    main(sys.argv[1:])
