#!/usr/bin/env bash
# Builds the sdist, and the wheel from it, into dist/; checks what they contain, and that the wheel installs and runs.
#
# The tools are those of packaging.txt, installed for `python`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rm -rf dist
python -m build
check-wheel-contents dist/*.whl
twine check --strict dist/*
# The project's address is that of the repository that is cloned: neither a URL nor a mail address is declared.
pyroma --min 10 --skip-tests AuthorEmail,Url dist/*.tar.gz

clean="$(mktemp -d)"
trap 'rm -rf "$clean"' EXIT
python -m venv "$clean"
"$clean/bin/python" -m pip install --quiet dist/*.whl
cd "$clean"
bin/intentls --version
bin/intentls --help >/dev/null
