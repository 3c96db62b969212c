#!/usr/bin/env bash
# Builds the sdist, and the wheels from it, into dist/; checks what they contain, and that they install and run.
#
# The tools are those of packaging.txt, installed for `python`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

rm -rf dist
python -m build
PYTHONPATH=server python -m native.wheels dist
check-wheel-contents dist/*.whl
twine check --strict dist/*
# The project's address is that of the repository that is cloned: neither a URL nor a mail address is declared.
pyroma --min 10 --skip-tests AuthorEmail,Url dist/*.tar.gz

clean="$(mktemp -d)"
trap 'rm -rf "$clean"' EXIT
python -m venv "$clean"
runs() {
  "$clean/bin/intentls" --version
  "$clean/bin/intentls" --help >/dev/null
  ! "$clean/bin/intentls" hook claude-code <<<'{}' # no event: the tool is refused
}
"$clean/bin/python" -m pip install --quiet dist/*-none-any.whl
(cd "$clean" && runs)
"$clean/bin/python" -m pip install --quiet --force-reinstall --no-deps dist/*"linux_2_17_$(uname -m)"*.whl
(cd "$clean" && runs)
test -x "$clean/bin/intentls-python"
