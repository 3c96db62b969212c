"""Runs the server that lies beside this file, with nothing installed."""

import runpy
import sys
from pathlib import Path

here = Path(__file__).parent
compiled = here / f"cp{sys.version_info.major}{sys.version_info.minor}"
if not compiled.is_dir():
    known = ", ".join(f"3.{folder.name[3:]}" for folder in sorted(here.glob("cp3*")))
    sys.exit(f"Python {sys.version.split()[0]} can't run the bundled intentls, which is for Python {known}.")
sys.path[:0] = [str(compiled), str(here / "lib")]  # not PYTHONPATH: linters that the server starts must not see this
sys.argv[0] = "intentls"
runpy.run_module("intentls", run_name="__main__")
