"""`python -m intentls` is the `intentls` command."""

from intentls.faces.cli.main import run

run()
